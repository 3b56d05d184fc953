// A curve: f over one of its inputs, the tangent at the point, and a point to drag. What it is of says tracer.js.

const SVG = "http://www.w3.org/2000/svg", WIDE = 560, HIGH = 300, EDGE = 26;

function make(tag, attributes = {}, text) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (text !== undefined) element.textContent = text;
  return element;
}
const shorter = (x, digits = 3) => String(Number(x.toPrecision(digits))).replace("-", "−");

/** How much a result changes if an input grows a little: the derivative, as a sentence. */
export function sentence(name, called, slope, kink) {
  const change = slope * 0.01;
  if (!Number.isFinite(change)) return `Here ${called} has no derivative by ${name}.`;
  if (kink) return `Here ${called} has a kink: left of it the slope is ${shorter(kink[0])}, right of it ${shorter(kink[1])}.`;
  if (change === 0) return `Raise ${name} by 0.01, and ${called} stays where it is.`;
  return `Raise ${name} by 0.01, and ${called} ${change > 0 ? "grows" : "falls"} by about ${shorter(Math.abs(change))}.`;
}

/** Draw it in `place`. of: what `traced` has returned. onMove(x) is called while the point is dragged, or moved by keys. */
export function curve(place, of, name, [from, to], onMove) {
  const x = of.values[name], slope = of.gradient[name], y = of.value;
  const points = Array.from({ length: 241 }, (_, i) => from + ((to - from) * i) / 240).map(at => [at, of.at(name, at)]);
  const step = (to - from) * 1e-6, sides = [-step, step].map(h => (of.at(name, x + h) - y) / h);
  const kink = Math.abs(sides[0] - sides[1]) > 0.01 * (1 + Math.abs(sides[0]) + Math.abs(sides[1])) && sides.every(Number.isFinite) && sides;
  const heights = points.map(([, height]) => height).filter(Number.isFinite).sort((a, b) => a - b);
  const here = Number.isFinite(y) ? [y] : [];
  let low = Math.min(heights[Math.floor(heights.length * 0.02)] ?? 0, ...here), high = Math.max(heights[Math.ceil(heights.length * 0.98) - 1] ?? 1, ...here);
  if (!(high > low)) [low, high] = [low - 1, low + 1];
  const across = at => EDGE + ((at - from) / (to - from)) * (WIDE - 2 * EDGE), up = at => HIGH - EDGE - ((at - low) / (high - low)) * (HIGH - 2 * EDGE);
  const clipped = at => Math.max(-HIGH, Math.min(2 * HIGH, up(at)));
  const picture = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curve", role: "group", "aria-label": `${of.called} over ${name}` });
  const line = (a, b, c, d, kind) => make("line", { x1: a, y1: b, x2: c, y2: d, class: kind });
  if (low <= 0 && high >= 0) picture.append(line(0, up(0), WIDE, up(0), "axis"));
  if (from <= 0 && to >= 0) picture.append(line(across(0), 0, across(0), HIGH, "axis"));
  let pen = "M";
  picture.append(make("path", { class: "graph", d: points.map(([at, height]) => {
    if (!Number.isFinite(height)) return (pen = "M", "");
    const piece = `${pen}${across(at).toFixed(1)} ${clipped(height).toFixed(1)}`;
    pen = "L";
    return piece;
  }).join("") }));
  if (Number.isFinite(slope) && Number.isFinite(y)) {
    const [right, rise] = [(WIDE - 2 * EDGE) / (to - from), (slope / (high - low)) * (HIGH - 2 * EDGE)], long = 110 / Math.hypot(right, rise);
    picture.append(line(across(x) - right * long, up(y) + rise * long, across(x) + right * long, up(y) - rise * long, "tangent"),
      line(across(x), up(y), across(x), HIGH - EDGE / 2, "drop"),
      make("circle", { cx: across(x), cy: up(y), r: 9, class: "point", tabindex: 0, role: "slider", "aria-label": `${name}, on the curve`, "aria-valuenow": x,
        "aria-valuemin": from, "aria-valuemax": to, "aria-valuetext": `${name} = ${shorter(x)}, ${of.called} = ${shorter(y, 4)}, slope ${shorter(slope, 4)}` }));
  }
  if (across(x) > 90) picture.append(make("text", { x: EDGE / 2, y: HIGH - 4 }, shorter(from)));
  if (across(x) < WIDE - 90) picture.append(make("text", { x: WIDE - EDGE / 2, y: HIGH - 4, class: "end" }, shorter(to)));
  picture.append(make("text", { x: Math.max(30, Math.min(WIDE - 60, across(x))), y: HIGH - 4, class: "here" }, `${name} = ${shorter(x)}`),
    make("text", { x: EDGE / 2, y: 16, class: "here" }, `${of.called} = ${shorter(y, 4)}`));
  picture.onpointerdown = event => {
    event.preventDefault();
    const move = ({ clientX }) => {
      const box = place.querySelector("svg").getBoundingClientRect(), at = ((clientX - box.left) / box.width) * WIDE;
      onMove(Number(Math.max(from, Math.min(to, from + ((at - EDGE) / (WIDE - 2 * EDGE)) * (to - from))).toPrecision(3)));
    };
    const end = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", end); removeEventListener("pointercancel", end); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    move(event);
  };
  picture.onkeydown = event => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    const goal = event.key === "Home" ? from : event.key === "End" ? to : by && x + (by * (to - from)) / 200;
    if (goal === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(Number(Math.max(from, Math.min(to, goal)).toPrecision(3)));
    place.querySelector(".point")?.focus();
  };
  const focused = place.contains(document.activeElement) && document.activeElement.matches(".point");
  const said = document.createElement("p");
  said.className = "rate";
  said.textContent = sentence(name, of.called, slope, kink);
  const why = document.createElement("small");
  why.textContent = `∂${of.called}/∂${name} = ${shorter(slope, 4)}${kink ? ", one of the slopes between" : ": the slope of the tangent"}.`;
  if (Number.isFinite(slope)) said.append(why);
  place.replaceChildren(picture, said);
  if (focused) place.querySelector(".point")?.focus();
}
