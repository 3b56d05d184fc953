// The linked views of one trace. Everything is in `story` (see story.py); nothing is asked of Python, nothing of the network.
//
// Things on the screen go by keys: V3 is the value of node 3 (its table row, its program line, its line of the source), B3 its box in
// the graph, A3 its adjoint, S5 share number 5 (its rows and its arrow), L7 source line 7, I0 and O8 an input and an output
// of the Jacobian. `is` says which keys a thing has, `points` which keys light up when it is pointed at.
//
// In forward mode (`story.mode`) there are no walks back but passes forward, and a share is the step of one operation: its
// value and its tangent. So A3 is a tangent then, and S5 the arrows that lead to one box.

const RESET = 0, SEED = 1, SHARE = 2, DONE = 3
const SVG = "http://www.w3.org/2000/svg"
const PANELS = [["source", "Source"], ["jacobian", "Jacobian"], ["graph", "Graph"], ["program", "Program"], ["table", "Trace"]]
const ICONS = { start: "M3 3h2v10H3zM13 3v10L6 8z", back: "M11 3v10L4 8z", play: "M4 2.5v11L13 8z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
                on: "M5 3v10L12 8z", end: "M11 3h2v10h-2zM3 3v10l7-5z" }
const BREAKS = [["no topological order", "a node passes on what it has before all of it has arrived"],
                ["= instead of +=", "a share replaces what had arrived before"],
                ["no reset of gradients", "a walk back starts with what the walk before has left"]]
let views = 0

const escape = text => String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}[c]))
const minus = text => String(text).replace(/-(?=[\d.i])/g, "−")
// A number, a list, or a matrix in rows and columns, as HTML.
function written(text) {
  const inside = /^\[\[([^[]+(?:\], \[[^[]+)*)\]\]$/.exec(text)
  if (!inside) return escape(minus(text))
  const rows = inside[1].split("], [").map(row => row.split(", ").map(x => `<td>${escape(minus(x))}</td>`).join(""))
  return `<table class="mgx-matrix" role="presentation"><tr>${rows.join("</tr><tr>")}</tr></table>`
}
function make(tag, options = {}, ...children) {
  const svg = ["svg", "g", "rect", "path", "text", "tspan", "defs", "marker", "title"].includes(tag) && options.svg !== false
  const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(options)) {
    if (name === "svg") continue
    if (name === "html") element.innerHTML = value
    else if (name === "text") element.textContent = value
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else if (value !== undefined) element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

// What is behind the # of the playground's address (tab/playground/playground.js reads it back). step: Infinity is the last.
function address({ example, code, inputs, mode, step }) {
  const parts = new URLSearchParams(example ? { example } : { code })
  if (Object.keys(inputs).length) parts.set("in", JSON.stringify(inputs))
  if (mode === "forward") parts.set("mode", "forward")
  if (step !== (example ? 0 : Infinity)) parts.set("step", Number.isFinite(step) ? step : "last")
  return `#${parts}`
}

function render({ model, el }) {
  const story = model.get("story"), { nodes, shares } = story, id = `mgx${++views}`
  const things = new Map(), byKey = new Map()          // element -> {points, step}; key -> elements
  const tangents = story.mode === "forward", word = tangents ? "tangent" : "adjoint"
  const early = tangents ? [] : story.forward          // the steps before the first event: values alone
  const view = model.get("view") || {}                 // what outlives a new story: the step, and which views are open
  const kept = view.kept ??= [true, true, true]
  let walk, steps, at = view.at || 0, timer = null, now = [], lit = []
  const right = {}                                     // the rows of the right Jacobian
  for (const event of story.walks["111"].events) if (event[0] === DONE) right[event[2]] = event[5]
  let updates = []                                     // one function for each panel: (state, step) => shows it

  function thing(element, is, points, step, group) {
    things.set(element, { points: points || (() => is), step, group })
    for (const key of is) byKey.has(key) ? byKey.get(key).push(element) : byKey.set(key, [element])
    return element
  }
  function forget(panel) {                             // before a panel is built anew
    for (const element of [...things.keys()]) if (panel.contains(element)) things.delete(element)
    for (const [key, list] of byKey) byKey.set(key, list.filter(element => things.has(element)))
    now = now.filter(e => things.has(e)); lit = lit.filter(e => things.has(e))
  }

  // ---------------------------------------------------------------- what points at what
  const called = k => nodes[k].called === nodes[k].name ? nodes[k].html : `<var>${escape(nodes[k].called)}</var>`
  const again = number => story.outputs.length === 1 && number ? ", once more" : ""
  const lineOf = k => nodes[k].line === null ? [] : [`L${nodes[k].line}`]
  const into = k => shares.flatMap((s, j) => s.to === k ? [`S${j}`] : [])
  const ofValue = k => [`V${k}`, `B${k}`, `I${k}`, `O${k}`, ...lineOf(k)]
  const ofNode = k => [...ofValue(k), `A${k}`, ...into(k)]
  const ofShare = j => tangents ? ofNode(shares[j].to) : [`S${j}`, `B${shares[j].to}`, `A${shares[j].to}`, ...lineOf(shares[j].from)]
  const ofLine = n => [`L${n}`, ...nodes.flatMap((node, k) => node.line === n ? [`V${k}`, `B${k}`] : []),
                       ...shares.flatMap((s, j) => nodes[s.from].line === n ? [`S${j}`] : [])]
  function ofEntry(output, input) {                    // every way from the input to the output
    const before = new Set([output]), after = new Set([input]), found = [`J${output},${input}`, `I${input}`, `O${output}`]
    for (let k = nodes.length - 1; k >= 0; k--) if (before.has(k)) nodes[k].inputs.forEach(x => before.add(x))
    nodes.forEach((node, k) => { if (node.inputs.some(x => after.has(x))) after.add(k) })
    nodes.forEach((_, k) => { if (before.has(k) && after.has(k)) found.push(`B${k}`, `V${k}`) })
    shares.forEach((s, j) => { if (before.has(s.from) && after.has(s.from) && after.has(s.to)) found.push(`S${j}`) })
    return found
  }
  const elements = keys => [...new Set(keys.flatMap(key => byKey.get(key) || []))]
  function light(keys) {
    for (const element of lit) element.classList.remove("mgx-lit")
    lit = elements(keys)
    for (const element of lit) element.classList.add("mgx-lit")
    root.classList.toggle("mgx-lighting", lit.length > 0)
  }

  // ---------------------------------------------------------------- the frame
  const root = make("div", { class: `mgx mgx-mode-${story.mode}`, role: "group", "aria-label": `Trace of ${story.title}`, "data-lm-suppress-shortcuts": "true" })
  const panels = {}, bodies = {}
  for (const [name, title] of PANELS) {
    bodies[name] = make("div", { class: "mgx-body" })
    panels[name] = make("section", { class: `mgx-panel mgx-${name}`, "aria-label": title },
      make("header", {}, title), bodies[name])
  }
  panels.graph.querySelector("header").append(make("span", { class: "mgx-legend", html:
    tangents ? '<b class="mgx-of-v">value</b> and <b class="mgx-of-a">tangent</b>, both forward' :
    '<b class="mgx-of-v">value</b> forward, <b class="mgx-of-a">adjoint</b> backward, <b class="mgx-bad">✗ wrong</b>' }))
  const icon = name => make("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", class: "mgx-icon" }, make("path", { d: ICONS[name] }))
  const button = (label, name, act) => make("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name))
  const play = button("Play", "play", () => toggle())
  const relabel = (label, name) => { play.setAttribute("aria-label", label); play.title = label; play.replaceChildren(icon(name)) }
  const slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "Step", class: "mgx-slider" })
  const counter = make("span", { class: "mgx-counter" })
  const said = make("p", { class: "mgx-said", role: "status", "aria-live": "polite" })
  const switches = BREAKS.map(([name, why], i) => make("button", { type: "button", role: "switch", "aria-checked": String(!kept[i]),
    title: why, class: "mgx-switch", text: name, onclick: () => rule(i) }))
  const harm = make("span", { class: "mgx-harm", "aria-live": "polite" })
  const inHand = PANELS.filter(([name]) => story.graph || !["graph", "program"].includes(name))  // a page's own tracer has neither
  const shown = inHand.map(([name, title]) => make("button", { type: "button", class: "mgx-shown", text: title,
    title: `Show or hide: ${title}`, onclick: () => {
      view.open = { ...view.open, [name]: panels[name].hidden }
      open(name, view.open[name])
      fit(); reveal()
    } }))
  // A link to this function in the playground, at the step that is shown; only Python knows whether there is one.
  function links() {
    const { page, ...call } = model.get("link") || {}
    if (!page) return []
    const made = make("a", { target: "_blank", rel: "noopener", text: "open it", hidden: "" })
    const copy = make("button", { type: "button", class: "mgx-link", text: "Copy link", title: "Copy a link to this function, its inputs and this step in the playground",
      onclick: async () => {
        made.href = page + address({ ...call, step: at === steps.length - 1 ? Infinity : at })
        made.hidden = false
        const copied = await navigator.clipboard?.writeText(made.href).then(() => true, () => false)
        copy.textContent = copied ? "Copied" : "Copy it here:"
        setTimeout(() => { copy.textContent = "Copy link" }, 2000)
      } })
    return [copy, made]
  }
  function open(name, is) {
    shown[inHand.findIndex(([other]) => other === name)].setAttribute("aria-pressed", String(is))
    panels[name].hidden = !is
  }
  root.append(
    make("div", { class: "mgx-head" }, make("code", { class: "mgx-title", text: story.title }),
      make("div", { class: "mgx-panels", role: "group", "aria-label": "Panels" }, ...shown), ...links()),
    make("div", { class: "mgx-controls" }, make("div", { class: "mgx-bar-row" },
      button("To the start", "start", () => go(0)), button("One step back", "back", () => go(at - 1)), play,
      button("One step on", "on", () => go(at + 1)), button("To the end", "end", () => go(steps.length - 1)),
      make("div", { class: "mgx-track" }, slider), counter),
      said),
    ...(tangents ? [] : [make("div", { class: "mgx-breaks", role: "group", "aria-label": "Break it: leave out a rule of the walk back" },
      make("span", { text: "Break it:" }), ...switches, harm)]),
    make("div", { class: "mgx-row mgx-row-graph" }, make("div", { class: "mgx-column" }, panels.source, panels.jacobian), panels.graph),
    make("div", { class: "mgx-row mgx-row-table" }, panels.program, panels.table),
    make("p", { class: "mgx-help", text: "← → a step · Home End · space plays · Tab ↑ ↓ from thing to thing · Enter goes to its step" }))

  // ---------------------------------------------------------------- source
  // The lines, and beside each what it computes: its value, and its adjoint. Several numbers of one line are below it.
  function source() {
    const cells = [], accented = tangents ? "dot" : "bar", lines = new Set(story.source.map(([number]) => number))
    const list = make("div", { role: "listbox", "aria-label": "Source lines, with their numbers", class: "mgx-lines" },
      make("div", { class: "mgx-heads", "aria-hidden": "true" }, make("span", { text: "value" }), make("span", { text: word,
        title: tangents ? "the speed of this number while one input moves with speed 1" : "how much the result grows if this number grows by 1, in the first instant" })))
    function row(number, what, k, is, points, step) {
      const value = make("span", { class: "mgx-v" }), adjoint = make("span", { class: "mgx-a" })
      list.append(thing(make("div", { role: "option", class: `mgx-line ${number === undefined ? "mgx-inner" : ""}` },
        make("span", { class: "mgx-number", text: number ?? "" }), what, value, adjoint), is, points, step, "source"))
      const text = what.textContent.trim(), label = number === undefined ? text : `line ${number}: ${text}`
      list.lastChild.setAttribute("aria-label", label)
      if (k !== undefined) cells.push({ k, value, adjoint, row: list.lastChild, label })
    }
    const rowOf = k => row(undefined, make("span", { html: nodes[k].formula ? `${nodes[k].html} = ${nodes[k].formula}` : nodes[k].html }), k,
      [`V${k}`, `A${k}`], () => ofNode(k), () => stepOf(k))
    const inputs = () => story.inputs.forEach(rowOf)
    if (!story.source.length) inputs()
    story.source.forEach(([number, text], i) => {
      const made = story.forward.filter(k => nodes[k].line === number), only = made.length === 1 ? made[0] : undefined
      row(number, make("code", { text: text || " " }), only, [`L${number}`, ...(made.length === 1 ? [`V${only}`, `A${only}`] : [])],
        () => made.length === 1 ? [`L${number}`, ...ofNode(only)] : ofLine(number), () => steps.findIndex((s, i) => i > 0 && s.line === number))
      if (!i) inputs()
      if (made.length > 1) made.forEach(rowOf)
    })
    story.forward.filter(k => !lines.has(nodes[k].line)).forEach(rowOf)
    bodies.source.replaceChildren(list)
    updates.push(state => cells.forEach(({ k, value, adjoint, row, label }) => {
      const there = state.there[k], slope = state.adjoint[k], wrong = state.wrong[k]
      value.innerHTML = there ? written(nodes[k].value) : ""
      adjoint.innerHTML = slope === undefined ? "" : `${wrong ? "✗ " : ""}<span aria-hidden="true">${nodes[k][accented]}</span>\u00a0${written(slope)}`
      row.classList.toggle("mgx-wrong", Boolean(wrong))
      row.setAttribute("aria-label", label + (there ? `, value ${minus(nodes[k].value)}` : "") + (slope === undefined ? "" : `, ${word} ${minus(slope)}`) + (wrong ? `, wrong: ${wrong}` : ""))
    }))
  }

  // where a value is computed: in forward mode in the pass that is being made
  const stepOf = k => tangents ? Math.max(0, steps.findIndex(s => s.event && s.event[0] === SHARE && s.event[2] === k && s.event[1] === passAt())) :
    Math.max(0, 1 + story.forward.indexOf(k))
  const passAt = () => steps[at].event ? steps[at].event[1] : 0

  // ---------------------------------------------------------------- graph
  function graph() {
    const { size: [w, h], boxes, arrows } = story.graph
    const picture = make("svg", { viewBox: `0 0 ${w} ${h}`, role: "group", "aria-label": `Graph of ${nodes.length} nodes`, class: "mgx-svg" })
    const arrowhead = (kind, path, refX) => make("marker", { id: `${id}-${kind}`, viewBox: "0 0 10 10", refX, refY: 5, markerWidth: 9, markerHeight: 9,
      markerUnits: "userSpaceOnUse", orient: "auto-start-reverse", class: `mgx-tip-${kind}` }, make("path", { d: path }))
    picture.append(make("defs", {}, arrowhead("on", "M0 0L10 5L0 10z", 9.5), arrowhead("back", "M0 0L10 5L0 10z", 9.5)))
    const lines = arrows.map(([tail, head, share, path]) => {
      const line = make("path", { d: path, class: "mgx-arrow", "marker-end": `url(#${id}-on)` })
      const wide = make("path", { d: path, class: "mgx-hit" })           // easier to point at
      const group = make("g", { class: "mgx-way" }, wide, line)
      if (share >= 0) thing(group, [`S${share}`], () => ofShare(share), () => steps.findIndex(s => s.share === share))
      picture.append(group)
      return { tail, head, share, line, group }
    })
    const drawn = boxes.map(([x, y, bw, bh], k) => {
      const node = nodes[k], title = node.symbol ? node.symbol : node.name
      const box = make("g", { class: `mgx-box mgx-${node.kind}`, role: "button", transform: `translate(${x} ${y})` },
        make("rect", { width: bw, height: bh, rx: node.kind === "operator" ? 8 : node.kind === "constant" ? 3 : 1 }))
      const small = clip(title, 16)
      box.append(make("text", { x: node.number ? bw / 2 : 8, y: node.number ? bh / 2 + 5 : 16, class: "mgx-sign",
        "text-anchor": node.number ? "middle" : "start", text: minus(small) }))
      if (node.symbol) box.append(make("text", { x: bw - 8, y: 16, "text-anchor": "end", class: "mgx-name", text: clip(full(node), 16) }))
      const value = make("text", { x: bw - 8, y: 33, "text-anchor": "end", class: "mgx-v" })
      const adjoint = make("text", { x: bw - 8, y: 49, "text-anchor": "end", class: "mgx-a" })
      if (!node.number) box.append(make("text", { x: 8, y: 33, class: "mgx-word", text: "value" }), value)
      if (node.moving) box.append(make("text", { x: 8, y: 49, class: "mgx-word mgx-word-a", text: tangents ? "tan." : "adj." }), adjoint)
      thing(box, [`B${k}`], () => ofNode(k), () => stepOf(k), "graph")
      picture.append(box)
      return { box, value, adjoint, was: "" }
    })
    bodies.graph.replaceChildren(picture)
    updates.push((state, step) => {
      drawn.forEach((d, k) => {
        const node = nodes[k], there = state.there[k], adjoint = state.adjoint[k], wrong = state.wrong[k]
        const is = `${there}|${adjoint}|${wrong}`
        if (is === d.was) return
        d.was = is
        d.box.classList.toggle("mgx-todo", !there)
        d.box.classList.toggle("mgx-wrong", Boolean(wrong))
        if (!node.number) d.value.textContent = there ? minus(clip(node.value, 16)) : ""
        d.box.classList.toggle("mgx-has-adjoint", adjoint !== undefined)
        d.adjoint.textContent = adjoint === undefined ? "" : `${wrong ? "✗ " : ""}${minus(clip(adjoint, 16))}`
        d.box.setAttribute("aria-label", `${node.name}${node.text ? " = " + node.text : ""}` +
          `${there ? ", value " + minus(node.value) : ", not computed yet"}${adjoint === undefined ? "" : `, ${word} ` + minus(adjoint)}` +
          `${wrong ? ", wrong: " + wrong : ""}`)
      })
      for (const line of lines) {
        const used = step.share !== undefined && step.share === line.share, back = used && !tangents
        line.group.classList.toggle("mgx-back", used)
        line.group.classList.toggle("mgx-todo", !state.there[line.head])
        line.group.classList.toggle("mgx-walked", line.share >= 0 && state.walked.has(line.share))
        line.line.setAttribute(back ? "marker-start" : "marker-end", `url(#${id}-${used ? "back" : "on"})`)
        line.line.removeAttribute(back ? "marker-end" : "marker-start")
      }
    })
  }
  const full = node => node.called === node.name ? node.name : `${node.called} = ${node.name}`
  const clip = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text
  function fit() {                                       // the graph as large as its panel allows, and still legible
    if (!story.graph) return
    const [w, h] = story.graph.size, wide = bodies.graph.clientWidth - 16, picture = bodies.graph.firstChild
    const high = parseFloat(getComputedStyle(bodies.graph).maxHeight) - 16
    if (picture && wide > 0) picture.style.width = `${Math.round(w * Math.min(1.2, Math.max(0.5, Math.min(wide / w, high / h))))}px`
  }

  // ---------------------------------------------------------------- trace table
  function table() {
    const body = make("tbody"), rows = []
    const part = title => body.append(make("tr", { class: "mgx-part" }, make("th", { colspan: 4, scope: "colgroup", html: title })))
    const row = (step, line, what, numbers, result, is, points) => {
      const value = make("td", { class: "mgx-result" })
      const tr = make("tr", {}, make("td", { class: "mgx-number", text: line ?? "" }), make("td", { html: what }),
        make("td", { class: "mgx-numbers", html: numbers }), value)
      thing(tr, is, points, () => step, "table")
      body.append(tr)
      rows.push({ tr, value, step, result })
    }
    if (!tangents) part("Forward: values")
    if (!tangents) for (const k of story.inputs) row(0, null, nodes[k].html, "", nodes[k].value, [`V${k}`], () => ofNode(k))
    early.forEach((k, i) => row(i + 1, nodes[k].line, `${nodes[k].html} = ${nodes[k].formula}`, nodes[k].numbers,
      nodes[k].value, [`V${k}`], () => ofValue(k)))
    let output = null
    function passRow(i, [kind, number, k, share, numbers, , after]) {
      const value = x => {
        const end = `= <b>${written(nodes[x].value)}</b>`, numbers = nodes[x].numbers
        if (!nodes[x].formula) return `${nodes[x].html} ${end}`
        return `${nodes[x].html} = ${nodes[x].formula} <span class="mgx-numbers">${numbers && numbers !== nodes[x].formula ? `= ${numbers} ` : ""}${end}</span>`
      }
      if (kind === SEED) {
        part(`Pass ${number + 1}: ${nodes[k].dot} = 1`)
        for (const x of story.inputs) row(i, null, value(x), nodes[x].dot, x === k ? "1" : "0", [`V${x}`, `T${i}`], () => ofNode(x))
      }
      if (kind !== SHARE) return
      const equation = after === "" ? "" : `${nodes[k].dot} = ` + [shares[share].formula, numbers].filter((t, place, all) => t && t !== minus(after) && t !== all[place - 1]).join(" = ")
      row(i, nodes[k].line, value(k), equation, after, [`V${k}`, `S${share}`, `T${i}`], () => [...ofNode(k), `I${seedOf(i)}`, `T${i}`])
    }
    const seedOf = i => { while (steps[i].event[0] !== SEED) i--; return steps[i].event[2] }
    steps.forEach((step, i) => {
      if (!step.event) return
      const [kind, number, k, share, numbers, , after, wrong] = step.event
      if (tangents) return passRow(i, step.event)
      if (number !== output) { part(`Backward from ${called(k)}${again(number)}: adjoints`); output = number }
      if (kind === SEED) row(i, null, `${nodes[k].bar} = 1`, "", after, [`A${k}`, `T${i}`], () => ofNode(k))
      if (kind === SHARE) row(i, nodes[shares[share].from].line, `${nodes[k].bar} ${kept[1] ? "+=" : "="} ${shares[share].formula}`,
        numbers, wrong ? `✗ ${after}` : after, [`S${share}`, `T${i}`], () => ofShare(share))
      if (wrong && kind === SHARE) { rows.at(-1).tr.classList.add("mgx-wrong"); rows.at(-1).tr.title = `Wrong: ${wrong}` }
    })
    bodies.table.replaceChildren(make("table", {}, make("caption", { class: "mgx-only-read", text: "Trace: what is computed in each step" }),
      make("thead", {}, make("tr", {}, ...["line", ...(tangents ? ["value", "tangent"] : ["computed", "with numbers"]), "result"].map(t => make("th", { scope: "col", text: t })))), body))
    updates.push(state => rows.forEach(r => {
      const done = r.step <= at
      if (r.done === done) return
      r.done = done
      r.tr.classList.toggle("mgx-todo", !done)
      r.value.innerHTML = done ? written(r.result) : ""
    }))
  }

  // ---------------------------------------------------------------- program
  const cleared = k => { const all = story.resets[k]; return [...(all.length > 4 ? [...all.slice(0, 2), "…", all.at(-1)] : all), "0"].join(" = ") }
  const asCompiled = make("button", { type: "button", "aria-pressed": "false", class: "mgx-shown mgx-compiled", text: "as compiled",
    title: "What minigrad's compiler makes of values and derivatives together", onclick: () => {
      const on = asCompiled.getAttribute("aria-pressed") === "false"
      asCompiled.setAttribute("aria-pressed", String(on))
      if (on && !model.get("asked")) { model.set("asked", true); model.save_changes() }
      const before = at
      build(); at = before; show()
    } })
  if (!tangents) panels.program.querySelector("header").append(asCompiled)
  const compiledCame = () => { if (asCompiled.getAttribute("aria-pressed") === "true") { const before = at; build(); at = before; show() } }
  model.on("change:compiled", compiledCame)
  function compiled() {
    const lines = model.get("compiled"), list = make("div", { role: "listbox", "aria-label": "Compiled program", class: "mgx-lines mgx-code" })
    if (!lines.length) list.append(make("p", { class: "mgx-none", text: "The compiler is at work (it needs the notebook's kernel) …" }))
    for (const [text, line, k] of lines) {
      const inner = text.trimStart(), note = inner.startsWith("#") ? "mgx-comment" : inner.startsWith("def ") ? "mgx-def" : ""
      const item = make("div", { role: "option", class: `mgx-line ${note} ${inner === text ? "" : "mgx-inner"}` }, make("code", { text: inner }))
      const is = k !== null ? [`A${k}`] : line !== null ? [`L${line}`] : []
      if (is.length) thing(item, is, () => k !== null ? ofNode(k) : ofLine(line), null, "program")
      list.append(item)
    }
    bodies.program.replaceChildren(list)
  }
  function program() {
    if (asCompiled.getAttribute("aria-pressed") === "true") return compiled()
    const list = make("div", { role: "listbox", "aria-label": "Program lines", class: "mgx-lines mgx-code" }), lines = []
    const line = (step, code, is, points, note = "") => {
      const inner = code.trimStart()
      const item = make("div", { role: "option", class: `mgx-line ${note} ${inner === code ? "" : "mgx-inner"}` }, make("code", { text: inner }))
      if (is) { thing(item, is, points, () => step, "program"); lines.push({ item, step }) }
      list.append(item)
    }
    line(0, `def program(${story.inputs.map(k => nodes[k].name).join(", ")}):`, null, null, "mgx-def")
    early.forEach((k, i) => line(i + 1, `    ${nodes[k].code}`, [`V${k}`], () => ofValue(k)))
    let walked = null
    steps.forEach((step, i) => {
      if (!step.event) return
      const [kind, number, k, share] = step.event
      if (tangents) {
        if (kind === SEED) {
          line(i, `    # pass ${number + 1}`, null, null, "mgx-comment")
          for (const x of story.inputs) line(i, `    ${story.calls[x]}_dot = ${x === k ? 1 : 0}`, [`T${i}`], () => ofNode(x))
        }
        if (kind === SHARE) {
          line(i, `    ${nodes[k].code}`, [`V${k}`, `T${i}`], () => ofNode(k))
          if (shares[share].code) line(i, `    ${shares[share].code.join(" = ")}`, [`S${share}`, `T${i}`], () => ofNode(k))
        }
        return
      }
      if (number !== walked) {
        walked = number
        line(i, `    # back from ${nodes[k].called}${again(number)}`, null, null, "mgx-comment")
        if (kind !== RESET) line(i, `    ${cleared(k)}`, null, null, "mgx-left-out")
      }
      if (kind === RESET) line(i, `    ${cleared(k)}`, [`R${i}`], () => [`R${i}`])
      if (kind === SEED) line(i, `    ${story.calls[k]}_bar = 1`, [`A${k}`, `T${i}`], () => ofNode(k))
      if (kind === SHARE) line(i, `    ${shares[share].code[0]} ${kept[1] ? "+=" : "="} ${shares[share].code[1]}`, [`S${share}`, `T${i}`], () => ofShare(share),
        step.event[7] ? "mgx-wrong" : "")
    })
    bodies.program.replaceChildren(list)
    updates.push(() => lines.forEach(l => {
      const done = l.step <= at
      if (l.done !== done) { l.done = done; l.item.classList.toggle("mgx-todo", !done) }
    }))
  }

  // ---------------------------------------------------------------- Jacobian
  function jacobian() {
    const outputs = [...new Set(story.outputs)], cells = []
    const head = make("tr", {}, make("td", { class: "mgx-corner" }), ...story.inputs.map(k =>
      thing(make("th", { scope: "col", html: `∂/∂${nodes[k].html}` }), [`I${k}`], () => ofNode(k), () => 0, "jacobian")))
    const rows = outputs.map((y, i) => make("tr", {},
      thing(make("th", { scope: "row", html: called(y) }), [`O${y}`], () => ofNode(y), () => stepOf(y), "jacobian"),
      ...story.inputs.map((x, j) => {
        const cell = thing(make("td"), [`J${y},${x}`], () => ofEntry(y, x), () => steps.findLastIndex(s => s.event && s.event[0] === DONE && s.event[2] === (tangents ? x : y)), "jacobian")
        cells.push({ cell, y, x, j: tangents ? i : j, was: "" })
        return cell
      })))
    bodies.jacobian.replaceChildren(make("table", {}, make("caption", { class: "mgx-only-read", text: "Jacobian: a row for each output, a column for each input" }),
      make("thead", {}, head), make("tbody", {}, ...rows)))
    updates.push(state => cells.forEach(c => {
      const pass = tangents ? c.x : c.y, entry = tangents ? c.y : c.x
      const row = state.rows[pass], growing = !row && state.output === pass && state.adjoint[entry] !== undefined
      const text = row ? row[5][c.j] : growing ? state.adjoint[entry] : ""
      const wrong = row ? row[6][c.j] : growing && state.wrong[entry]
      const is = `${text}|${growing}|${wrong}`
      if (is === c.was) return
      c.was = is
      c.cell.className = c.cell.className.replace(/ ?mgx-(growing|wrong|row-done)/g, "")
      if (growing) c.cell.classList.add("mgx-growing")
      if (row) c.cell.classList.add("mgx-row-done")
      if (wrong) c.cell.classList.add("mgx-wrong")
      c.cell.innerHTML = text === "" ? "·" : `${wrong ? "✗ " : ""}${written(text)}` +
        (wrong && row ? `<small>not ${written(right[c.y][c.j])}</small>` : "")
      c.cell.setAttribute("aria-label", `derivative of ${nodes[c.y].called} by ${nodes[c.x].name}: ${text === "" ? "not yet known" :
        minus(text)}${growing ? ", still growing" : ""}${wrong && row ? `, wrong, it is ${right[c.y][c.j]}` : ""}`)
    }))
  }

  // ---------------------------------------------------------------- steps
  function build() {
    walk = kept.map(Number).join("")
    const { events } = story.walks[walk]
    steps = [{ keys: story.inputs.flatMap(k => [`V${k}`, `B${k}`, `I${k}`]), line: null },
      ...early.map(k => ({ node: k, keys: ofValue(k), line: nodes[k].line })),
      ...events.map((event, i) => {
        const [kind, , k, share] = event, here = early.length + 1 + i
        if (tangents && kind === SEED) return { event, keys: [`T${here}`, `B${k}`, `A${k}`, `I${k}`] }
        if (tangents && kind === DONE) return { event, keys: [`T${here - 1}`, `I${k}`, ...story.outputs.map(y => `J${y},${k}`)] }
        if (tangents) return { event, share, line: nodes[k].line, keys: [`T${here}`, `B${k}`, ...lineOf(k)] }
        if (kind === RESET) return { event, keys: [`R${here}`] }
        if (kind === SEED) return { event, keys: [`T${here}`, `B${k}`, `A${k}`, `O${k}`] }
        if (kind === DONE) return { event, keys: [`O${k}`, `T${here - 1}`, ...story.inputs.map(x => `J${k},${x}`)] }
        return { event, share, keys: [`T${here}`, `B${k}`, `A${k}`, ...lineOf(shares[share].from)], from: shares[share].from }
      })]
    root.style.setProperty("--mgx-turn", tangents ? "100%" : `${100 * (early.length + 0.5) / (steps.length - 1)}%`)
    slider.max = steps.length - 1
    const wrong = events.some(event => event[0] === DONE && event[6].some(Boolean))
    harm.textContent = !kept.includes(false) ? "" : wrong ? "✗ Derivatives become wrong." : "No derivative becomes wrong in this run."
    updates = []
    for (const name of ["source", "graph", "table", "program", "jacobian"]) forget(bodies[name])
    source(); table(); jacobian()
    if (story.graph) { graph(); program(); fit() }
    for (const element of things.keys()) element.setAttribute("tabindex", "-1")
    for (const name of Object.keys(bodies)) rove(first(name))
  }
  function stateAt(step) {
    const state = { there: nodes.map(() => true), adjoint: [], wrong: [], rows: {}, walked: new Set(), output: null }
    story.forward.forEach((k, i) => { state.there[k] = !tangents && i + 1 <= step })
    for (let i = early.length + 1; i <= step; i++) {
      const event = steps[i].event, [kind, , k, share, , , after, wrong] = event
      if (kind === RESET) { state.adjoint = []; state.wrong = []; state.walked.clear(); delete state.rows[k] }
      else if (kind === DONE) state.rows[k] = event
      else { state.adjoint[k] = after; state.wrong[k] = wrong }
      if (kind === SEED) { delete state.rows[k]; state.walked.clear() }
      if (tangents && kind === SEED) {
        story.forward.forEach(v => { state.there[v] = false; state.adjoint[v] = undefined })
        for (const x of story.inputs) state.adjoint[x] = x === k ? "1" : "0"
      }
      if (tangents && kind === SHARE) { state.there[k] = true; state.adjoint[k] = after === "" ? undefined : after }
      if (kind === SHARE) state.walked.add(share)
      state.output = kind === SHARE ? state.output : k
    }
    return state
  }
  function sentence(step) {
    if (!step.event && step.node === undefined)
      return "The inputs: " + story.inputs.map(k => `${nodes[k].html} = ${written(nodes[k].value)}`).join(", ") + "."
    if (!step.event) {
      const { html, formula, numbers, value } = nodes[step.node]
      return [`${html} = ${formula}`, numbers === value ? "" : numbers, written(value)].filter(Boolean).join(" = ")
    }
    const [kind, number, k, share, numbers, amount, after, wrong] = step.event, name = nodes[k].html
    if (tangents) return ofPass(kind, number, k, share, numbers, amount, after)
    if (kind === RESET) return `A new walk back, from ${called(k)}: all adjoints start at 0.`
    if (kind === SEED) return `The output ${called(k)} gets the adjoint 1. Who is to blame for it, and how much?`
    if (kind === DONE) return (wrong ? "✗ " : "") + story.inputs.map((x, j) => `∂${called(k)}/∂${nodes[x].html} = ${written(amount[j])}` +
      (after[j] ? ` <b class="mgx-bad">(not ${written(right[k][j])})</b>` : "")).join(", ") + (wrong ? "" : `${story.inputs.length > 1 ? ", by one walk back" : ""}: a row of the Jacobian is done.`)
    const product = [shares[share].formula, numbers && numbers !== minus(amount) ? numbers : "", written(amount)].filter(Boolean).join(" = ")
    return `${nodes[shares[share].from].html} passes ${product} on to ${name}, whose adjoint is now ${written(after)}.` +
      (wrong ? ` <b class="mgx-bad">✗ Wrong: ${escape(wrong)}.</b>` : "")
  }
  function ofPass(kind, number, k, share, numbers, amount, after) {
    const others = story.inputs.filter(x => x !== k)
    const equal = (...parts) => parts.filter((part, i) => part && part !== parts[i + 1]).join(" = ")
    if (kind === SEED) return `Pass ${number + 1}: ` + story.inputs.map(x => `${nodes[x].dot} = ${x === k ? 1 : 0}`).join(", ") +
      `. ${nodes[k].html} moves with speed 1` + (others.length > 1 ? ", the others stand still" : others.map(x => `, ${nodes[x].html} stands still`).join("")) + "."
    if (kind === DONE) return [...new Set(story.outputs)].map((y, j) => `∂${called(y)}/∂${nodes[k].html} = ${written(amount[j])}`).join(", ") +
      ": a column of the Jacobian is done."
    const node = nodes[k], value = written(node.value), tangent = written(after)
    return equal(node.html, node.formula, node.numbers, value) + (after === "" ? ", and it has no tangent." :
      ` &ensp;and&ensp; ${equal(node.dot, shares[share].formula, numbers, tangent)}`)
  }
  function show() {
    const step = steps[at], state = stateAt(at)
    for (const update of updates) update(state, step)
    for (const element of now) { element.classList.remove("mgx-now"); element.getAttribute("role") === "option" && element.setAttribute("aria-selected", "false") }
    now = elements(step.keys)
    for (const element of now) { element.classList.add("mgx-now"); element.getAttribute("role") === "option" && element.setAttribute("aria-selected", "true") }
    for (const element of elements(step.from === undefined ? [] : [`B${step.from}`])) { element.classList.add("mgx-now"); now.push(element) }
    const back = Boolean(step.event) && !tangents
    root.classList.toggle("mgx-backward", back)
    said.innerHTML = `<b class="mgx-phase">${back ? "Backward" : "Forward"}</b> ${sentence(step)}`
    counter.textContent = `${at} / ${steps.length - 1}`
    slider.value = at
    slider.setAttribute("aria-valuetext", `step ${at} of ${steps.length - 1}: ${said.textContent}`)
    reveal()
    root.dataset.step = view.at = at
    root.dispatchEvent(new CustomEvent("mgx-step", { bubbles: true, detail: at }))
  }
  function reveal() {                                    // inside the panels; the page itself stays where it is
    for (const name of ["source", "program", "table", "graph", "jacobian"]) {
      const body = bodies[name]
      if (panels[name].hidden || (body.scrollHeight <= body.clientHeight && body.scrollWidth <= body.clientWidth)) continue
      const target = now.find(element => body.contains(element))
      if (!target) continue
      const frame = body.getBoundingClientRect(), box = target.getBoundingClientRect(), edge = 40
      if (box.top < frame.top + edge) body.scrollTop += box.top - frame.top - edge
      else if (box.bottom > frame.bottom - edge) body.scrollTop += box.bottom - frame.bottom + edge
      if (box.left < frame.left + edge) body.scrollLeft += box.left - frame.left - edge
      else if (box.right > frame.right - edge && ["graph", "jacobian"].includes(name)) body.scrollLeft += box.right - frame.right + edge
    }
  }
  function go(step) {
    at = Math.max(0, Math.min(steps.length - 1, step))
    show()
    if (at === steps.length - 1) stop()
  }
  function rule(i) {
    const before = steps[at], end = at === steps.length - 1
    kept[i] = !kept[i]
    switches[i].setAttribute("aria-checked", String(!kept[i]))
    build()
    if (before.event || end) at = Math.max(end ? steps.length - 1 : Math.min(at, steps.length - 1), early.length + 1)
    show()
  }
  // where a walk or a pass begins: one place in reverse mode, in forward mode one for each input
  const parts = () => tangents ? steps.flatMap((s, i) => s.event && s.event[0] === SEED ? [i] : []) : [early.length + 1]
  function stop() { clearInterval(timer); timer = null; relabel("Play", "play") }
  function toggle() {
    if (timer) return stop()
    if (at === steps.length - 1) go(0)
    relabel("Pause", "pause")
    timer = setInterval(() => go(at + 1), Math.max(60, Math.min(900, 40000 / steps.length)))
  }

  // ---------------------------------------------------------------- pointer and keyboard
  const owner = target => { while (target && target !== root && !things.has(target)) target = target.parentElement; return things.has(target) ? target : null }
  const members = group => [...things].filter(([, t]) => t.group === group).map(([element]) => element)
  const first = name => members(name)[0]
  function rove(element) {                               // each panel is one stop of the Tab key: the thing last visited
    if (!element) return
    for (const other of members(things.get(element).group)) if (other.tabIndex === 0) other.setAttribute("tabindex", "-1")
    element.setAttribute("tabindex", "0")
  }
  root.addEventListener("pointerover", event => { const e = owner(event.target); light(e ? things.get(e).points() : []) })
  root.addEventListener("pointerleave", () => light([]))
  root.addEventListener("focusin", event => { const e = owner(event.target); light(e ? things.get(e).points() : []); if (e && things.get(e).group) rove(e) })
  root.addEventListener("focusout", () => light([]))
  root.addEventListener("click", event => { const e = owner(event.target); if (e) { const step = things.get(e).step?.(); if (step >= 0) go(step) } })
  slider.addEventListener("input", () => go(Number(slider.value)))
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return // the notebook is saved from here, too
    event.stopPropagation()                              // it has plans of its own for other keys
    const e = owner(event.target), here = e && things.get(e)
    const move = by => { const all = members(here.group), next = all[all.indexOf(e) + by]; if (next) { rove(next); next.focus({ preventScroll: false }) } }
    const onButton = event.target.tagName === "BUTTON"
    const acts = {
      ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(steps.length - 1),
      PageDown: () => go(parts().find(i => i > at) ?? steps.length - 1),
      PageUp: () => go(parts().findLast(i => i < at) ?? 0),
      ArrowDown: here && here.group ? () => move(1) : e ? null : () => go(at - 1),
      ArrowUp: here && here.group ? () => move(-1) : e ? null : () => go(at + 1),
      " ": onButton ? null : toggle,
      Enter: here ? () => { const step = here.step?.(); if (step >= 0) go(step) } : null,
    }
    const act = acts[event.key]
    if (act) { event.preventDefault(); act() }
  })

  el.append(root)
  build()
  if (at >= steps.length) at = steps.length - 1
  panels.graph.hidden = panels.program.hidden = true
  for (const [name] of inHand) open(name, view.open?.[name] ?? name === "source")
  show()
  const resized = new ResizeObserver(fit)
  resized.observe(bodies.graph)
  resized.observe(root)

  // The still picture in the output above stands in when this widget is not alive; while it is, it would say all twice.
  const still = []
  const hide = () => document.querySelectorAll(`.${model.get("still") || "mgx-no-still"}`).forEach(found => {
    const child = found.closest(".jp-OutputArea-child")
    if (child && !child.contains(root)) { child.style.display = "none"; still.push(child) }
  })
  requestAnimationFrame(hide)
  const late = setTimeout(hide, 500)
  return () => { stop(); model.off("change:compiled", compiledCame); clearTimeout(late); resized.disconnect(); still.forEach(child => { child.style.display = "" }) }
}

export default { render, address }
