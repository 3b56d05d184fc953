"""explore in JupyterLab: six views of one trace that follow each other, the slider, the keys, and the switches."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

THESIS = """import minigrad as mg
from minigrad.viz.explore import explore

def thesis(x1, x2):
    a = 0
    b = 0
    for _ in range(2):
        a += x1 * x2
        b += x1 + x2
    return a, b

explore(thesis, 3.0, 4.0)"""


def test_look(lab):
    lab.page.set_viewport_size({"width": 1400, "height": 1300})
    lab.open(lab.server.write("thesis.ipynb", THESIS))
    lab.run_all()
    view = lab.page.locator(".mgx")
    expect(view).to_be_visible(timeout=15000)
    lab.page.wait_for_timeout(600)
    lab.shot("look-0", view)
    for k in range(4): lab.page.locator(".mgx-slider").press("ArrowRight")
    lab.shot("look-4", view)
    for k in range(9): lab.page.locator(".mgx-slider").press("ArrowRight")
    lab.shot("look-13", view)
    lab.page.locator(".mgx-slider").press("End")
    view.get_by_text("= instead").click()
    lab.page.wait_for_timeout(200)
    lab.shot("look-broken", view)
