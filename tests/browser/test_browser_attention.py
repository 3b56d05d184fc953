"""Which letter looks at which: the picture of lesson 16 answers the pointer and the arrow keys."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

LOOKS = """
import numpy as np
from minigrad_course.viz.pictures_of_attention import looks
shares = np.tril(np.ones((2, 4, 4)))
shares[1] = np.eye(4)
looks("a bc", shares / shares.sum(axis=2, keepdims=True))
"""


def test_a_letter_pointed_at_shows_where_it_looks(lab):
    lab.open(lab.server.write("looks.ipynb", LOOKS), "dark")
    lab.run("looks(")
    cell = lab.cell("looks(")
    group = cell.get_by_role("group", name="attention")
    words = group.locator("p")
    expect(words).to_contain_text("From letter 4, “c”")
    group.locator(".head").nth(1).locator("span").nth(1).hover()
    expect(words).to_have_text(
        "From letter 2, “␣”, looks most at: head 1: “a”, 1 back (50 %); head 2: “␣”, itself (100 %)."
    )
    strong = "(cell) => getComputedStyle(cell).backgroundColor"
    first = group.locator(".head").nth(0).locator("span")
    for theme in ("dark", "light"):
        lab.theme(theme)
        group.locator(".head").nth(1).locator("span").nth(1).hover()
        assert first.nth(0).evaluate(strong) == first.nth(1).evaluate(strong) != first.nth(2).evaluate(strong)
        lab.shot(f"looks-{theme}", cell)
    group.focus()
    lab.page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("From letter 3, “b”")
