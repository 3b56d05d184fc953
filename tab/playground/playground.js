// Type a function, and explore is beside it. What is shown is in the address: the function, its inputs and the step.
//
//   #example=newton           one of examples.json, whose first picture was recorded when the site was built
//   #code=…&in={"x":2}        a function of the visitor's own, and what its inputs have been set to
//   &mode=forward&step=12     passes forward; the step that is shown: without it the first of an example, else the last

import explore from "./explore.js";
import { Editor } from "./editor.js";
import { Python } from "./python.js";
import rules from "./rules.js";
import { curve } from "./curve.js";
import { onto, traced } from "./tracer.js";

try {
  document.body.dataset.theme = localStorage.getItem("theme") || "auto"; // which Furo keeps there
} catch {
  // a browser that keeps nothing has no choice either
}
const PAUSE = 300; // milliseconds after the last key
const $ = id => document.getElementById(id);
const examples = await (await fetch("examples.json")).json();

let shown = { example: examples[0].name, source: examples[0].source, inputs: {}, mode: "reverse" };
let view = { at: 0 };
let leave = () => {}; // takes explore out of the page
let typed; // timer
let told = null; // what Python has told last
let axis = null; // the input that the curve is over: the last that was moved
const editor = new Editor($("editor"), text => {
  shown = { ...shown, source: text, example: null };
  $("examples").value = "";
  $("question").textContent = "";
  view.at ||= Infinity; // who types has begun
  $("views").ariaBusy = "true";
  later();
});

function later() {
  clearTimeout(typed);
  typed = setTimeout(() => {
    if (!python?.ready) { // what it told was of another function
      told = null;
      atOnce();
    }
    ask();
  }, PAUSE);
}

/** Without Python, for functions of numbers: the curve and its story. Is there one? */
function atOnce(redraw = true) {
  const { source, inputs, mode } = shown, of = traced(source, inputs, rules);
  const moving = of?.parameters.filter(p => p.moves).map(p => p.name) ?? [];
  if (!moving.includes(axis)) axis = moving[0];
  $("curve").hidden = !axis;
  if (!axis) return false;
  const { value } = of.parameters.find(p => p.name === axis), reach = Math.max(2, Math.abs(value)), at = of.values[axis];
  curve($("curve"), of, axis, [Math.min(value - reach, at), Math.max(value + reach, at)], x => {
    $(`input-${axis}`).value = x;
    $(`input-${axis}`).dispatchEvent(new Event("input"));
  });
  if (redraw && mode === "reverse") show({ parameters: of.parameters, story: onto(told, of.story) });
  return mode === "reverse";
}

// ------------------------------------------------------------------ what Python says
let python = null;
const asked = () => python ??= new Python(
  ({ progress, share, failed }) => {
    const bar = $("python").querySelector("progress");
    bar.hidden = Boolean(failed);
    share === undefined ? bar.removeAttribute("value") : (bar.value = share);
    $("python").querySelector("span").textContent = failed
      ? `Python did not arrive: ${failed}`
      : `Python is on its way: ${progress}. Until it is here, formulas and examples work.`;
    $("python").classList.remove("ready");
  },
  () => {
    $("python").classList.add("ready");
    $("python").querySelector("span").textContent = "Python is here: type.";
  },
);

async function ask() {
  const began = performance.now();
  const state = shown;
  $("views").ariaBusy = "true";
  const late = setTimeout(() => { $("state").textContent = python.ready ? "It runs …" : "It waits for Python."; }, 500);
  const answer = await asked().ask({ source: state.source, inputs: state.inputs, mode: state.mode });
  clearTimeout(late);
  if (!answer || state.source !== shown.source) return; // a newer one is on its way
  atOnce(false);
  show(answer, request => python.ask({ ...request, inputs: shown.inputs, mode: shown.mode }));
  document.body.dataset.took = Math.round(performance.now() - began); // milliseconds, to be measured
}

function show({ parameters, story, notice, error, compiled }, compile) {
  if (parameters) fields(parameters);
  editor.mark(error?.sentence, error?.line);
  $("error").className = error ? "" : "notice";
  $("error").textContent = error ? `${error.line ? `Line ${error.line}: ` : ""}${error.sentence}` : notice || "";
  $("views").classList.toggle("stale", Boolean(error));
  if (error && !$("views").querySelector(".mgx")) $("views").replaceChildren();
  $("state").textContent = error && $("views").querySelector(".mgx") ? "The last run without a mistake:" : "";
  if (story) draw(story, compiled, compile);
  if (story?.graph) told = story;
  $("views").ariaBusy = "false";
  address();
}

function draw(story, compiled, compile) {
  const listeners = [];
  const data = { story, compiled: compiled || [], asked: Boolean(compiled), view };
  const source = shown.source;
  const model = {
    get: name => data[name],
    set: (name, value) => { data[name] = value; },
    async save_changes() {
      const answer = await compile({ source, compiled: true });
      data.compiled = answer?.compiled ?? [];
      for (const listener of listeners) listener();
    },
    on: (_, listener) => listeners.push(listener),
    off() {},
  };
  const fresh = document.createElement("div");
  const height = $("views").offsetHeight;
  $("views").style.minHeight = `${height}px`; // the page stays where it is while one picture takes another's place
  leave();
  $("views").replaceChildren(fresh);
  leave = explore.render({ model, el: fresh });
  $("views").style.minHeight = "";
}

// ------------------------------------------------------------------ inputs
function fields(parameters) {
  const fits = p => !p.default || Array.isArray(shown.inputs[p.name]) === Array.isArray(p.value);
  const kept = parameters.filter(p => p.name in shown.inputs && fits(p));
  const is = JSON.stringify(parameters.map(p => [p.name, p.moves, Array.isArray(kept.includes(p) ? shown.inputs[p.name] : p.value)]));
  shown.inputs = Object.fromEntries(kept.map(p => [p.name, shown.inputs[p.name]]));
  if ($("inputs").dataset.is === is && $("inputs").contains(document.activeElement)) return;
  $("inputs").dataset.is = is;
  $("inputs").replaceChildren(...parameters.flatMap(p => field(p, shown.inputs[p.name] ?? p.value)));
}

function element(tag, attributes, text) {
  const made = Object.assign(document.createElement(tag), attributes);
  if (text !== undefined) made.textContent = text;
  return made;
}

function field({ name, moves }, value) {
  const label = element("label", { htmlFor: `input-${name}` }, name);
  const array = Array.isArray(value);
  const box = element("input", { id: `input-${name}`, ...(array ? { type: "text", className: "wide", spellcheck: false } : { type: "number", step: moves ? "any" : 1 }) });
  box.value = array ? JSON.stringify(value) : value;
  const put = read => {
    box.setAttribute("aria-invalid", String(read === null));
    if (read === null) return;
    shown = { ...shown, inputs: { ...shown.inputs, [name]: read } };
    view.at ||= Infinity;
    axis = moves && !array ? name : axis;
    atOnce();
    later();
  };
  if (array) {
    box.oninput = () => put(numbers(box.value));
    return [label, box];
  }
  const reach = moves ? Math.max(5, Math.ceil(2 * Math.abs(value))) : Math.max(10, 2 * value);
  const range = moves ? { min: -reach, max: reach, step: reach / 200 } : { min: 0, max: reach, step: 1 };
  const slider = element("input", { type: "range", ...range, value, ariaLabel: `${name}, as a slider` });
  box.oninput = () => {
    slider.value = box.value; // also from the curve
    put(box.value === "" ? null : Number(box.value));
  };
  slider.oninput = () => {
    box.value = slider.value;
    put(Number(slider.value));
  };
  return [label, box, slider];
}

/** Numbers and lists of them, or null. */
function numbers(text) {
  const are = value => typeof value === "number" || (Array.isArray(value) && value.length > 0 && value.every(are));
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) && are(value) ? value : null;
  } catch {
    return null;
  }
}

// ------------------------------------------------------------------ the address
function address() {
  history.replaceState(null, "", explore.address({ ...shown, code: shown.source, step: view.at }));
}

/** Show what the address says, or the first example. */
async function arrive() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const example = examples.find(e => e.name === parts.get("example"));
  const code = parts.get("code");
  let inputs = {};
  try {
    inputs = JSON.parse(parts.get("in") ?? "{}");
  } catch {
    $("error").textContent = "The link's inputs cannot be read: those of the function itself are taken.";
  }
  const mode = parts.get("mode") === "forward" ? "forward" : "reverse";
  const step = parts.get("step") === "last" || (!parts.has("step") && code !== null) ? Infinity : Number.parseInt(parts.get("step")) || 0;
  view = { ...view, at: step };
  if (code !== null) await begin({ example: null, source: code, inputs, mode });
  else await begin({ example: (example ?? examples[0]).name, source: (example ?? examples[0]).source, inputs, mode: parts.has("mode") ? mode : (example ?? examples[0]).mode });
}

async function begin(state) {
  clearTimeout(typed);
  [shown, told, axis] = [state, null, null];
  const example = examples.find(e => e.name === state.example);
  editor.text = state.source;
  $("examples").value = state.example ?? "";
  $("question").textContent = example?.question ?? "";
  document.querySelector(`[name="mode"][value="${state.mode}"]`).checked = true;
  $("inputs").dataset.is = "";
  const recorded = example && state.mode === example.mode && !Object.keys(state.inputs).length;
  if (!recorded) {
    if (!atOnce() && !python?.ready) $("views").replaceChildren(element("p", {}, "Python is on its way, and this function will be here with it."));
    ask(); // the page is alive before it is answered
    return;
  }
  const answer = await (await fetch(`examples/${example.name}.json`)).json();
  if (shown !== state) return;
  show(answer);
  atOnce(false);
}

$("examples").append(element("option", { value: "", hidden: true }, "your own"),
  ...examples.map(e => element("option", { value: e.name }, e.title)));
$("examples").onchange = () => {
  const { name, source, mode } = examples.find(e => e.name === $("examples").value);
  view = { ...view, at: 0 }; // guess first
  begin({ example: name, source, inputs: {}, mode });
};
for (const radio of document.querySelectorAll('[name="mode"]'))
  radio.onchange = () => {
    shown = { ...shown, mode: radio.value };
    view = { ...view, at: Infinity };
    begin(shown);
  };
$("views").addEventListener("mgx-step", event => {
  const last = Number(event.target.querySelector(".mgx-slider").max);
  view.at = event.detail >= last ? Infinity : event.detail;
  clearTimeout($("views").timer);
  $("views").timer = setTimeout(address, 200); // browsers allow a hundred changes in ten seconds
});
$("link").onclick = async () => {
  address();
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  $("link").textContent = copied ? "Copied" : "It is in the address bar";
  setTimeout(() => { $("link").textContent = "Copy link"; }, 2000);
};
addEventListener("hashchange", arrive);

await arrive();
if (!navigator.connection?.saveData) asked();
document.body.dataset.alive = "yes";
