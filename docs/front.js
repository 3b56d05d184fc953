// The front page's figure: a function that plays by itself once, until somebody takes it into their hands.
try {
  document.body.dataset.theme = localStorage.getItem("theme") || "auto"; // which the site's other pages keep there
} catch {
  // a browser that keeps nothing has no choice either
}
const figure = document.getElementById("figure");
const data = JSON.parse(figure.querySelector("script").textContent), source = data.source;
const [curvePlace, viewsPlace] = [document.createElement("div"), document.createElement("div")];
figure.replaceChildren(viewsPlace, curvePlace);
const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
const view = { at: quiet ? Infinity : 0 };
let leave = () => {};

function show(x) {
  const of = traced(source, { x }, RULES), story = onto(data.story, of.story);
  leave();
  const place = document.createElement("div");
  const model = { get: name => ({ story, view, compiled: data.compiled, asked: true })[name], set() {}, save_changes() {}, on() {}, off() {} };
  viewsPlace.replaceChildren(place);
  leave = render({ model, el: place });
  curve(curvePlace, of, "x", [-2.4, 2.4], next => {
    view.at = Infinity; // the derivative is what moves
    show(next);
  });
}
show(data.x);
const press = name => figure.querySelector(`button[aria-label="${name}"]`)?.click();
if (!quiet) {
  press("Play");
  const stop = event => {
    if (!event.target.closest('[aria-label="Pause"]')) press("Pause");
    for (const kind of ["pointerdown", "keydown"]) figure.removeEventListener(kind, stop, true);
  };
  for (const kind of ["pointerdown", "keydown"]) figure.addEventListener(kind, stop, true);
}
