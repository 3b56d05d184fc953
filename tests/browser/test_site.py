"""The site, opened from a folder: explore works without a kernel, nothing is fetched, nothing is cut off."""

from importlib.util import find_spec

import pytest
from built_site import built_site

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.skipif(find_spec("furo") is None, reason="`make docs` installs what the site needs")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site(tmp_path_factory)


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
    views.get_by_role("button", name="Program", exact=True).click()
    views.get_by_role("button", name="as compiled").click()
    expect(views.get_by_role("listbox", name="Compiled program")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    place = views.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= width
    assert errors == []
    assert [url for url in fetched if not url.startswith(("file:", "data:", "blob:"))] == []
