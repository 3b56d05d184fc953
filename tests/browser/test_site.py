"""The site, opened from a folder: explore works without a kernel, nothing is fetched, nothing is cut off."""

import re
from importlib.util import find_spec

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.skipif(find_spec("furo") is None, reason="`make docs` installs what the site needs")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 900, 420])
def test_the_front_page_is_played_with(site, page, width, theme):
    errors, fetched = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto((site / "index.html").as_uri())
    views, rate = page.locator(".mgx"), page.locator(".rate")
    expect(views).to_be_in_viewport(ratio=0.9)
    expect(views).to_have_css("color", {"light": "rgb(31, 41, 51)", "dark": "rgb(230, 233, 238)"}[theme])
    expect(rate).to_contain_text("Raise x by 0.01, and f grows by about 0.0206.")
    expect(views.get_by_role("status")).to_contain_text("∂f/∂x = 2.059")

    views.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(views.get_by_role("status")).to_contain_text("The inputs: x = 1.3")
    page.keyboard.press("ArrowRight")
    expect(views.get_by_role("status")).to_contain_text("v1 = x·x = 1.3·1.3 = 1.69")
    page.get_by_role("slider", name="x, on the curve").focus()
    page.keyboard.press("End")
    expect(rate).to_contain_text("and f grows by about 0.216.")
    expect(views.get_by_role("status")).to_contain_text("∂f/∂x = 21.55")
    views.get_by_role("switch", name="= instead of +=").click()
    expect(views.get_by_role("option", name="x, value 2.4")).to_have_class(re.compile("mgx-wrong"))
    page.keyboard.press("Tab")
    views.get_by_role("button", name="Graph", exact=True).click()
    expect(views.locator(".mgx-box")).to_have_count(4)

    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert errors == []
    assert [url for url in fetched if not url.startswith(("file:", "data:", "blob:"))] == []


def test_the_front_page_plays_until_it_is_touched(site, page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto((site / "index.html").as_uri())
    views = page.locator(".mgx")
    expect(views.get_by_role("button", name="Pause")).to_be_visible()
    expect(views.get_by_role("status")).to_contain_text("v1 = x·x")
    page.locator(".curve").click(position={"x": 60, "y": 60})
    expect(views.get_by_role("button", name="Play")).to_be_visible()


def test_search_finds_a_lesson_without_a_server(site, page):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto((site / "search.html").as_uri() + "?q=dual")
    expect(page.locator("#search-results a", has_text="Dual numbers").first).to_be_visible()


def test_search_puts_lessons_first_and_code_is_copied(site, page):
    page.goto((site / "search.html").as_uri() + "?q=jacobian")
    expect(page.locator("#search-results a").first).to_contain_text("Tracing backwards")
    page.goto((site / "notebooks" / "03_tracing_forwards.html").as_uri())
    page.evaluate("() => { navigator.clipboard.writeText = async text => { window.copied = text } }")
    copy = page.locator(".minigrad-copy").first
    code = copy.locator("xpath=..").locator("pre").inner_text()
    copy.dispatch_event("click")
    expect(copy).to_have_text("Copied")
    assert page.evaluate("copied") == code.rstrip()


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
    assert visible > 40
    assert stops == ["marked"] * visible + ["page"]
