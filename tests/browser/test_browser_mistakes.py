"""Mistakes in JupyterLab: ours in words, and an exercise that nobody has begun without a red frame."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

RED = """() => [...document.querySelectorAll('.jp-CodeCell [data-mime-type$="jupyter.stderr"]')].filter(
    e => !["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(e).backgroundColor)).map(e => e.textContent)"""


def test_a_fresh_exercise_shows_no_red_frame(lab):
    lab.open("exercises/05_computational_graph/05_computational_graph.ipynb")
    lab.run_all()
    text = lab.page.locator('.jp-CodeCell [data-mime-type$="jupyter.stderr"]')
    tests = lab.page.locator(".minigrad-line")
    expect(tests.first).to_be_visible()
    assert text.count() >= tests.count() > 5
    for line in text.all_inner_texts():
        assert re.fullmatch(r"✎ Not written yet: .*", line.strip())
    assert lab.page.evaluate(RED) == []
    points = lab.page.locator("table.minigrad-points").inner_text()
    assert re.search(r"\b0 / \d+", points)
    assert not re.search(r"\b[1-9]\d* / \d+", points)
    text.first.scroll_into_view_if_needed()
    lab.shot("fresh-exercise")
