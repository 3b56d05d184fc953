// A picture of a graph in a page: put inline, so that it follows the page's theme and its boxes can be pointed at, and
// where it is wider than the page, with buttons that enlarge it. Without scripts the still image stays, which fits too.
for (const box of document.querySelectorAll(".minigrad-picture:not([data-alive])")) {
  const still = box.querySelector("img")
  const [head, data] = still.src.split(",")
  if (!head.includes("svg")) continue
  box.dataset.alive = "yes"
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
  const view = document.createElement("div")
  view.className = "view"
  view.innerHTML = new TextDecoder().decode(bytes)
  still.replaceWith(view)

  const picture = view.querySelector("svg")
  const full = Number(picture.getAttribute("width"))
  let wide = 0 // pixels; 0: as wide as the page allows
  const fit = () => Math.min(full, view.clientWidth)
  const show = () => {
    picture.style.maxWidth = wide ? "none" : "100%"
    picture.style.width = wide ? `${wide}px` : ""
    tools.hidden = !wide && full <= view.clientWidth + 1
    less.disabled = all.disabled = !wide
    more.disabled = wide >= 3 * full
    if (wide > view.clientWidth) view.tabIndex = 0 // so that arrow keys scroll it
    else view.removeAttribute("tabindex")
  }
  // What lies at (x, y) of the view stays where it is.
  const zoom = (factor, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    const before = wide || fit()
    const now = Math.min(before * factor, 3 * full)
    wide = now <= fit() ? 0 : now
    view.style.maxHeight = wide ? `${Math.max(view.clientHeight, 240)}px` : ""
    const [left, top] = [(view.scrollLeft + x) / before, (view.scrollTop + y) / before]
    show()
    view.scrollTo(left * (wide || fit()) - x, top * (wide || fit()) - y)
  }

  const tools = document.createElement("div")
  tools.className = "tools"
  const button = (sign, words, act) => {
    const made = document.createElement("button")
    made.type = "button"
    made.textContent = sign
    made.title = words
    made.setAttribute("aria-label", words)
    made.addEventListener("click", act)
    tools.append(made)
    return made
  }
  const less = button("−", "Smaller", () => zoom(1 / 1.4))
  const more = button("+", "Larger", () => zoom(1.4))
  const all = button("Fit", "The whole picture", () => zoom(0))
  box.append(tools)

  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || tools.hidden) return // pinching two fingers arrives as this, too
    event.preventDefault()
    const frame = view.getBoundingClientRect()
    zoom(Math.exp(-event.deltaY / 200), event.clientX - frame.left, event.clientY - frame.top)
  })
  view.addEventListener("pointerdown", (event) => {
    if (!wide || event.pointerType !== "mouse" || event.button) return
    const [x, y] = [event.clientX + view.scrollLeft, event.clientY + view.scrollTop]
    const move = (now) => view.scrollTo(x - now.clientX, y - now.clientY)
    const stop = () => view.removeEventListener("pointermove", move)
    view.setPointerCapture(event.pointerId)
    view.addEventListener("pointermove", move)
    view.addEventListener("pointerup", stop, { once: true })
    view.addEventListener("pointercancel", stop, { once: true })
    event.preventDefault()
  })
  view.setAttribute("role", "group")
  view.setAttribute("aria-label", still.alt)
  new ResizeObserver(show).observe(view)
  show()
}
