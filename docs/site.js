// A formula that is wider than its place becomes smaller, to three fifths at most. What is then still wider than the page
// scrolls inside of itself; here it becomes a stop of the Tab key, so that arrow keys scroll it, too.
const formulas = document.querySelectorAll("article :is(.math-wrapper, .output.text_latex)")
const inLines = document.querySelectorAll("article span.math")
const boxes = document.querySelectorAll("article :is(pre, .math-wrapper, .cell_output .output, .output.text_html, .table-wrapper, [style*=overflow]):not([tabindex])")
const shrink = (formula, room, width) => {
  if (width > room + 1) formula.style.fontSize = `${100 * Math.max(0.6, (room - 1) / width)}%`
}
const widthOf = line => line.getBoundingClientRect().width
const fit = () => {
  for (const formula of [...formulas, ...inLines]) formula.style.fontSize = ""
  for (const box of formulas) shrink(box, box.clientWidth, box.scrollWidth)
  for (const line of inLines) {
    line.classList.remove("minigrad-wide")
    const room = line.closest("p, li, dd, td, th, h1, h2, h3, h4").clientWidth
    shrink(line, room, widthOf(line))
    line.classList.toggle("minigrad-wide", widthOf(line) > room + 1)
  }
  for (const box of [...boxes, ...inLines])
    if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0
    else box.removeAttribute("tabindex")
}
new ResizeObserver(fit).observe(document.body)
document.fonts.ready.then(fit) // which may widen a line without moving the page

// Furo's way back to the top is in no landmark.
for (const link of document.querySelectorAll(".back-to-top")) {
  const nav = document.createElement("nav")
  nav.ariaLabel = "This page"
  link.replaceWith(nav)
  nav.append(link)
}

// Code is copied by a button, where a browser lets a page do so.
if (navigator.clipboard)
  for (const code of document.querySelectorAll("article :not(.cell_output) > .highlight > pre")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "minigrad-copy", textContent: "Copy" })
    button.onclick = async () => {
      await navigator.clipboard.writeText(code.innerText.trimEnd())
      button.textContent = "Copied"
      setTimeout(() => (button.textContent = "Copy"), 2000)
    }
    code.parentElement.append(button)
  }

// The tab is an app, which browsers load from a server alone.
if (location.protocol === "file:")
  for (const button of document.querySelectorAll(".minigrad-run"))
    button.innerHTML = "It runs in the browser, too: serve this folder (<code>python3 -m http.server</code>) and open the page from there."
