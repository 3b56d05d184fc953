// Plays films (film.py): puts the drawing inline, and moves its parts from one step's attributes to the next one's.
// Keys: arrows a step, Home and End, space plays. Who wants no motion gets the steps, without Play and without motion.
const MOVES = /^(x|y|x1|y1|x2|y2|cx|cy|r|width|height|d|points|opacity|fill-opacity|transform)$/
const NUMBER = /-?\d+(\.\d+)?(e-?\d+)?/g
const mix = (from, to, share) => {
  const [before, after] = [String(from).match(NUMBER), String(to).match(NUMBER)]
  if (!before || !after || before.length !== after.length) return to
  let k = 0
  return String(to).replace(NUMBER, (now) => {
    const then = Number(before[k++])
    return String(Math.round(1000 * (then + share * (Number(now) - then))) / 1000)
  })
}

for (const film of document.querySelectorAll(".minigrad-film:not([data-alive])")) {
  const still = film.querySelector("img")
  const story = JSON.parse(film.querySelector('script[type="application/json"]').textContent)
  film.dataset.alive = "yes"
  const states = []
  let state = story.start
  for (const step of story.steps) {
    state = { ...state }
    for (const [name, set] of Object.entries(step.set)) state[name] = { ...state[name], ...set }
    states.push(state)
  }
  const bytes = Uint8Array.from(atob(still.src.split(",")[1]), (letter) => letter.charCodeAt(0))
  const view = document.createElement("div")
  view.innerHTML = new TextDecoder().decode(bytes)
  still.replaceWith(view)
  const parts = {}
  for (const part of view.querySelectorAll("[data-part]")) parts[part.dataset.part] = part

  const shown = {} // what each part's attributes are in the page
  const put = (name, key, value) => {
    const seen = (shown[name] ??= {})
    if (seen[key] === value) return
    seen[key] = value
    if (key === "text") parts[name].textContent = value
    else if (value === "") parts[name].removeAttribute(key)
    else parts[name].setAttribute(key, value)
  }
  const paint = (from, to, share) => {
    for (const name in to)
      for (const key in to[name]) {
        const [before, after] = [from[name][key], to[name][key]]
        put(name, key, share < 1 && before !== after && MOVES.test(key) ? mix(before, after, share) : after)
      }
  }

  const still_please = matchMedia("(prefers-reduced-motion: reduce)")
  const last = states.length - 1
  let at = 0, timer = null, frame = null
  const make = (tag, attributes, text = "") => {
    const made = document.createElement(tag)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.textContent = text
    return made
  }
  const sentence = film.querySelector(".sentence")
  sentence.setAttribute("role", "status")
  const tools = make("div", { class: "tools" })
  const button = (words, text, act) => {
    const made = make("button", { type: "button", ...(words ? { "aria-label": words, title: words } : {}) }, text)
    made.addEventListener("click", act)
    tools.append(made)
    return made
  }
  const play = button("Play", "▶", () => toggle())
  const back = button("One step back", "‹", () => go(at - 1))
  const on = button("One step on", "›", () => go(at + 1))
  const slider = make("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step" })
  const count = make("span", { class: "count" })
  tools.append(slider, count)
  const chapters = []
  story.steps.forEach(({ chapter }, k) => {
    if (!chapter || chapters.some((one) => one.chapter === chapter)) return
    const choose = button("", chapter, () => { stop(); go(k) })
    chapters.push({ chapter, button: choose })
  })
  const row = make("div", { class: "tools", role: "group", "aria-label": "Parts" })
  row.append(...chapters.map((one) => one.button))
  film.insertBefore(tools, sentence)
  if (chapters.length > 1) film.insertBefore(row, sentence)
  film.setAttribute("role", "group")
  film.setAttribute("aria-label", story.title)
  film.dataset.lmSuppressShortcuts = "true" // the notebook has plans of its own for these keys

  function go(step) {
    const from = states[at], far = Math.abs(step - at) !== 1
    at = Math.max(0, Math.min(last, step))
    cancelAnimationFrame(frame)
    const lasts = far || still_please.matches ? 0 : Math.min(500, 0.7 * story.pace), began = performance.now()
    const move = (now) => {
      const share = lasts ? Math.max(0, Math.min(1, (now - began) / lasts)) : 1
      paint(from, states[at], share < 1 ? share * share * (3 - 2 * share) : 1)
      if (share < 1) frame = requestAnimationFrame(move)
    }
    move(began)
    sentence.textContent = story.steps[at].sentence
    slider.value = at
    slider.setAttribute("aria-valuetext", `step ${at} of ${last}`)
    count.textContent = `${at} / ${last}`
    for (const one of chapters) one.button.setAttribute("aria-pressed", one.chapter === story.steps[at].chapter)
    if (at === last) stop()
  }
  function stop() {
    clearInterval(timer)
    timer = null
    play.textContent = "▶"
    play.title = play.ariaLabel = "Play"
  }
  function toggle() {
    if (timer) return stop()
    if (still_please.matches) return
    if (at === last) go(0)
    play.textContent = "❚❚"
    play.title = play.ariaLabel = "Pause"
    timer = setInterval(() => (film.isConnected ? go(at + 1) : stop()), story.pace)
  }
  const calm = () => {
    play.hidden = still_please.matches
    if (still_please.matches) {
      stop()
      go(at)
    }
  }
  still_please.addEventListener("change", calm)
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)) })
  film.addEventListener("keydown", (event) => {
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [onButton, onSlider] = ["BUTTON", "INPUT"].map((tag) => event.target.tagName === tag)
    const acts = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(last) }
    const act = event.key === " " && !onButton ? toggle : onSlider ? null : acts[event.key]
    if (!act) return
    event.preventDefault()
    if (event.key !== " ") stop()
    act()
  })
  paint(states[0], states[0], 1)
  go(0)
  calm()
}
