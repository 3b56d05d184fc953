"""The site, opened from a folder: explore works without a kernel, nothing is fetched, nothing is cut off."""

from importlib.util import find_spec

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.skipif(find_spec("furo") is None, reason="`make docs` installs what the site needs")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 900, 420])
def test_explore_works_on_the_front_page_from_a_folder(site, page, width, theme):
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


def test_a_formula_that_is_far_too_wide_scrolls(site, page):
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto((site / "notebooks" / "01_four_ways.html").as_uri())
    box = page.locator(".math-wrapper", has_text="best")
    expect(box).to_have_attribute("tabindex", "0")
    assert 0.59 < page.evaluate("box => parseFloat(box.style.fontSize) / 100", box.element_handle()) < 0.61


def test_what_scrolls_inside_of_itself_is_a_stop_of_the_tab_key(site, page):
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto((site / "index.html").as_uri())
    wide = page.locator("pre", has_text="from minigrad_course.minigrad_in_a_page import")
    expect(wide).to_have_attribute("tabindex", "0")
    wide.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 0", arg=wide.element_handle())
    page.set_viewport_size({"width": 3000, "height": 900})
    short = page.locator("pre", has_text="make lab SIZE=full").first
    assert short.get_attribute("tabindex") is None


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
def test_the_tab_key_reaches_every_control_once_and_marks_it(site, page, name):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto((site / f"{name}.html").as_uri())
    page.wait_for_load_state("networkidle")
    visible, stops = page.evaluate(CONTROLS), []
    while not stops or (stops[-1] not in ("page", "again") and len(stops) <= visible):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    assert visible > 50
    assert stops == ["marked"] * visible + ["page"]


SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
p { margin-bottom: 2em !important }"""


@pytest.mark.parametrize("name", ["index", "notebooks/03_tracing_forwards"])
def test_text_may_be_spaced_as_a_reader_needs(site, page, name):
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto((site / f"{name}.html").as_uri())
    page.add_style_tag(content=SPACED)
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    cut = """[...document.querySelectorAll("article :is(button, a, label, th, h1, h2, h3)")].filter(
      part => getComputedStyle(part).overflow === "hidden" && part.scrollWidth > part.clientWidth + 1).length"""
    assert page.evaluate(cut) == 0
