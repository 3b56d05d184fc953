"""Pictures that move, in a page without a kernel: they fit at every width, play, are stepped by keys, and stand still
for who wants no motion. All five are on one page, which is opened from a folder.
"""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

from films import one_of_each  # noqa: E402

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Films</title>
<meta name="viewport" content="width=device-width"></head><body data-theme="auto"><main>{}</main></body></html>"""

# What a drawing's words do at a step: which are cut off by its frame, and which lie on each other.
LOOK = """svg => {
    const frame = svg.getBoundingClientRect(), words = [...svg.querySelectorAll("text")]
        .filter(text => text.textContent && getComputedStyle(text).opacity !== "0")
        .map(text => [text.textContent, text.getBoundingClientRect()])
    const out = words.filter(([, b]) => b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 ||
        b.bottom > frame.bottom + 1).map(([text]) => text)
    const over = words.flatMap(([one, a], i) => words.slice(i + 1).filter(([, b]) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3).map(([other]) => [one, other]))
    return {out, over}
}"""


@pytest.fixture(scope="module")
def films():
    return one_of_each()


@pytest.fixture
def opened(page, films, tmp_path):
    """The page; at its end: no error in its scripts, no request to the outside."""
    errors, fetched = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    file = tmp_path / "films.html"
    file.write_text(PAGE.format("".join(film.html for film in films.values())), encoding="utf-8")
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.goto(file.as_uri())
    yield page
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    assert errors == []
    assert [url for url in fetched if not url.startswith(("file:", "data:", "blob:"))] == []


def to(film, step):
    film.get_by_role("slider").evaluate("(e, k) => { e.value = k; e.dispatchEvent(new Event('input')) }", step)


@pytest.mark.parametrize(("width", "zoom"), [(1440, 1.5), (900, 1), (420, 1), (420, 1.5)])
def test_nothing_is_cut_off(opened, films, width, zoom):
    opened.set_viewport_size({"width": width, "height": 900})
    opened.evaluate("zoom => { document.body.style.zoom = zoom }", zoom)
    assert opened.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for (name, film), place in zip(films.items(), opened.locator(".minigrad-film").all(), strict=True):
        for step in {0, len(film.steps) // 3, len(film.steps) // 2, len(film.steps) - 1}:
            to(place, step)
            expect(place.get_by_role("status")).to_have_text(film.steps[step]["sentence"])
            assert place.locator("svg").evaluate(LOOK) == {"out": [], "over": []}, (name, step)


def test_a_film_plays_to_its_end(opened, films):
    film = opened.locator(".minigrad-film").first
    point = film.locator('[data-part="point0"]')
    last = len(films["dual"].steps) - 1
    to(film, last - 2)
    places = [float(point.get_attribute("cx"))]
    film.get_by_role("button", name="Play").click()
    expect(film.get_by_role("button", name="Pause")).to_be_visible()
    opened.wait_for_function(
        "([point, from]) => Number(point.getAttribute('cx')) > from", arg=[point.element_handle(), places[0]]
    )
    expect(film.locator(".count")).to_have_text(f"{last} / {last}")
    expect(film.get_by_role("button", name="Play")).to_be_visible()  # it has stopped by itself
    expect(point).to_have_attribute("cx", str(films["dual"].at(-1)["point0"]["cx"]))


def test_all_of_it_is_done_by_keys(opened, films):
    film = opened.locator(".minigrad-film").nth(3)
    steps = films["adjoint"].steps
    text, play = film.get_by_role("status"), film.get_by_role("button", name="Play")
    play.focus()
    opened.keyboard.press("ArrowRight")
    expect(text).to_have_text(steps[1]["sentence"])
    opened.keyboard.press("End")
    expect(text).to_have_text(steps[-1]["sentence"])
    opened.keyboard.press("ArrowLeft")
    expect(text).to_have_text(steps[-2]["sentence"])
    opened.keyboard.press("Home")
    for _ in range(3):  # one step back, one step on, the slider
        opened.keyboard.press("Tab")
    expect(film.get_by_role("slider")).to_be_focused()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    expect(text).to_have_text(steps[2]["sentence"])
    opened.keyboard.press("Tab")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    chapter = "Back: given out"
    expect(text).to_have_text(next(step["sentence"] for step in steps if step["chapter"] == chapter))
    expect(film.get_by_role("button", name=chapter)).to_have_attribute("aria-pressed", "true")


def test_who_wants_no_motion_gets_steps(opened, films):
    film, data = opened.locator(".minigrad-film").first, films["dual"]
    opened.emulate_media(reduced_motion="reduce")
    expect(film.get_by_role("button", name="Play")).to_have_count(0)
    point = film.locator('[data-part="point0"]')
    for step in (1, 2):
        film.get_by_role("button", name="One step on").click()
        assert film.get_by_role("status").inner_text() == data.steps[step]["sentence"]
        assert float(point.get_attribute("cx")) == data.at(step)["point0"]["cx"]  # at once
    film.get_by_role("slider").focus()
    opened.keyboard.press(" ")  # plays, otherwise
    opened.wait_for_timeout(1.5 * data.pace)
    expect(film.locator(".count")).to_have_text(f"2 / {len(data.steps) - 1}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_who_cannot_see_or_sees_little(opened, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    opened.emulate_media(color_scheme=theme)
    for film in opened.locator(".minigrad-film").all():
        film.get_by_role("button", name="One step on").click()
    opened.wait_for_timeout(600)
    answer = axe.Axe().run(opened, context={"include": [["main"]]}).response
    assert answer["passes"]
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in answer["violations"]] == []
    ink = opened.locator(".minigrad-drawing").first.evaluate("e => getComputedStyle(e).getPropertyValue('--ink')")
    assert ink == {"light": "#1f2933", "dark": "#e6e9ee"}[theme]
