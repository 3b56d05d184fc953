// Three prompts for those who come by a link, once.

const STOPS = [
  ["#editor", "This is a function in Python. Change a number in it, and everything follows."],
  [".mgx-controls", "Step through its run with ← and →: values forward first, then adjoints, from the result back to the inputs. An adjoint says how much the result changes if this value changes a little."],
  [".mgx-breaks, .mgx-jacobian", "The Jacobian holds the derivatives. Leave out a rule of the walk back, and see which of its numbers become wrong."],
];

const KEY = "minigrad-playground-tour"; // in what the browser keeps, if it keeps anything

export function seen() {
  try {
    return Boolean(localStorage.getItem(KEY));
  } catch {
    return false;
  }
}

export function tour(at = 0) {
  document.querySelector(".tour")?.remove();
  const target = STOPS.slice(at).length && document.querySelector(STOPS[at][0]);
  if (!target) {
    try {
      localStorage.setItem(KEY, "seen");
    } catch {
      // a browser that keeps nothing shows it again
    }
    return;
  }
  const box = document.createElement("div");
  box.className = "tour";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", `Tour, ${at + 1} of ${STOPS.length}`);
  const button = (text, act) => Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick: act });
  const row = document.createElement("div");
  const next = button(at + 1 < STOPS.length ? "Next" : "Done", () => tour(at + 1));
  row.append(Object.assign(document.createElement("span"), { textContent: `${at + 1} of ${STOPS.length}` }));
  if (at + 1 < STOPS.length) row.append(button("Skip", () => tour(STOPS.length)));
  row.append(next);
  box.append(Object.assign(document.createElement("p"), { textContent: STOPS[at][1] }), row);
  box.onkeydown = event => {
    if (event.key === "Escape") tour(STOPS.length);
  };
  document.body.append(box);
  target.scrollIntoView({ block: "nearest" });
  const { left, bottom } = target.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(left + 12, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${bottom + scrollY + 8}px`;
  if (at) next.focus();
}
