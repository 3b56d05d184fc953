// What is wider than the page scrolls inside of itself; here it becomes a stop of the Tab key, so that arrow keys scroll it, too.
const boxes = document.querySelectorAll("article :is(pre, .math-wrapper, .cell_output .output, .output.text_html, .table-wrapper)")
const fit = () => {
  for (const box of boxes)
    if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0
    else box.removeAttribute("tabindex")
}
new ResizeObserver(fit).observe(document.body)
