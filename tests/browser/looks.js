// What is wrong to look at on a page, in words. (Axe looks at more; what stands here it does not know.)
() => {
  const faults = [], seen = element => element.checkVisibility({ visibilityProperty: true })
  const say = (what, element) => faults.push(`${what}: ${element.outerHTML.replace(/\s+/g, " ").slice(0, 160)}`)
  const beyond = document.documentElement.scrollWidth - innerWidth
  if (beyond > 0) faults.push(`the page scrolls sideways by ${beyond} pixels`)

  const controls = "button, input, select, summary, label, a, [role=button], [role=switch], [tabindex='0']"
  for (const control of document.querySelectorAll(controls)) {
    let part = seen(control) && control
    while (part && !getComputedStyle(part).textDecorationLine.includes("line-through")) part = part.parentElement
    if (part) say("struck through", control)
  }

  for (const formula of document.querySelectorAll("article mjx-container")) {
    if (!seen(formula)) continue
    let box = formula.parentElement
    while (box.tagName !== "ARTICLE" && getComputedStyle(box).overflowX === "visible") box = box.parentElement
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(box).overflowX) && box.tabIndex === 0
    const deep = box.tagName !== "ARTICLE" && box.scrollHeight > box.clientHeight + 1
    if (deep) say("a formula is cut at its foot", formula.querySelector("math"))
    const beyond = formula.getBoundingClientRect().right - box.getBoundingClientRect().right
    if (beyond > 1 && !scrolls) say(`a formula is cut, by ${Math.round(beyond)} pixels`, formula.querySelector("math"))
  }
  for (const wrong of document.querySelectorAll("mjx-merror, math mtext[mathcolor=red]")) say("no formula", wrong)

  for (const image of document.images) {
    if (!image.hasAttribute("alt")) say("no words for a picture", image)
    if (image.complete && !image.naturalWidth) say("no picture", image)
  }
  return faults
}
