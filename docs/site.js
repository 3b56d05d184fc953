// A formula that is wider than its place becomes smaller, to three fifths at most. What is then still wider than the page
// scrolls inside of itself; here it becomes a stop of the Tab key, so that arrow keys scroll it, too.
const formulas = document.querySelectorAll("article :is(.math-wrapper, .output.text_latex)")
const boxes = document.querySelectorAll("article :is(pre, .math-wrapper, .cell_output .output, .output.text_html, .table-wrapper)")
const fit = () => {
  for (const box of formulas) {
    box.style.fontSize = ""
    const room = (box.clientWidth - 1) / box.scrollWidth
    if (box.scrollWidth > box.clientWidth + 1) box.style.fontSize = `${100 * Math.max(0.6, room)}%`
  }
  for (const box of boxes)
    if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0
    else box.removeAttribute("tabindex")
}
new ResizeObserver(fit).observe(document.body)
document.fonts.ready.then(fit) // which may widen a line without moving the page
