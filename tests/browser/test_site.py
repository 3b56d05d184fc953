"""The site, opened from a folder: explore works without a kernel, nothing is fetched, nothing is cut off."""

from importlib.util import find_spec

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.skipif(find_spec("furo") is None, reason="`make docs` installs what the site needs")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 900, 420])
def test_explore_works_on_the_front_page(site, page, width, theme):
    errors, fetched = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.goto((site / "index.html").as_uri())
    views = page.locator(".mgx")
    expect(views).to_be_visible()
    expect(page.locator(".minigrad-still")).to_have_count(0)
    ink = views.evaluate("e => getComputedStyle(e).getPropertyValue('--ink')").strip()
    assert ink == {"light": "#1f2933", "dark": "#e6e9ee"}[theme]

    views.get_by_role("button", name="To the end").click()
    expect(views.get_by_role("status")).to_contain_text("= 126.01")
    views.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(views.get_by_role("status")).to_contain_text("The inputs: x = 3, y = 5")
    if width < 900:  # where there is little room, one view is open
        views.get_by_role("button", name="Program", exact=True).click()
    views.get_by_role("button", name="as compiled").click()
    expect(views.get_by_role("listbox", name="Compiled program")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    place = views.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= width
    assert errors == []
    assert [url for url in fetched if not url.startswith(("file:", "data:", "blob:"))] == []


def test_search_finds_a_lesson_without_a_server(site, page):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto((site / "search.html").as_uri() + "?q=dual")
    expect(page.locator("#search-results a", has_text="Dual numbers").first).to_be_visible()


CONTROLS = """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter(
  control => control.checkVisibility({ visibilityProperty: true }) && control.tabIndex >= 0 && !control.disabled
).length"""
FOCUS = """() => {
  const element = document.activeElement, style = getComputedStyle(element), marks = window.marks ??= new Map()
  if (element === document.body) return "page"
  const marked = style.outlineStyle !== "none" || style.boxShadow !== "none" || element.closest("svg")
  const again = marks.has(element)
  marks.set(element, Boolean(marked))
  return again ? "again" : marked ? "marked" : element.outerHTML.slice(0, 120)
}"""


@pytest.mark.parametrize("name", ["index", "notebooks/03_tracing_forwards"])
def test_the_tab_key_reaches_every_control_once(site, page, name):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto((site / f"{name}.html").as_uri())
    page.wait_for_load_state("networkidle")
    visible, stops = page.evaluate(CONTROLS), []
    while not stops or (stops[-1] not in ("page", "again") and len(stops) <= visible):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    assert visible > 50
    assert stops == ["marked"] * visible + ["page"]
