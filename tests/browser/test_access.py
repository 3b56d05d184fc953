"""axe-core finds nothing serious on our part of the page, in light and dark. (A Python package brings it.)"""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

GRAPH = """import numpy as np, minigrad as mg
w, u, h = mg.Variable(1.0, name="w"), mg.Variable(0.9, name="u"), 0.0
for t in (1, 2, 3):
    with mg.block("step", t):
        h = mg.tanh(w * mg.Constant(0.1 * t, name=f"x{t}") + u * h)
mg.draw(h, direction="LR")"""
EXPLORE = "mg.explore(lambda x, y: 2 * x + x * y**3 + mg.sin(x), 3.0, 5.0)"
PAD = """from minigrad_course.viz import CodePad
W = mg.Constant(np.ones((2, 16), np.float32))
CodePad(lambda c: mg.sigmoid(c @ W), codes=np.eye(2), labels=[0, 1], grid=3, kernel=False)"""


def serious(page, within=None):
    """List serious and critical findings: the rule, and its first place."""
    answer = axe.Axe().run(page, context=within).response
    assert answer["passes"], "it has looked at something"
    return [
        (rule["id"], rule["nodes"][0]["html"][:200], rule["nodes"][0].get("failureSummary", "")[:300])
        for rule in answer["violations"]
        if rule["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_we_draw_in_a_notebook(server, lab, theme):
    lab.open(server.write(f"access-{theme}.ipynb", GRAPH, EXPLORE, PAD), theme)
    lab.run_all()
    expect(lab.page.locator(".mgx")).to_be_visible()
    lab.page.get_by_role("button", name="To the end").click()
    for part in (".minigrad-picture", ".mgx", ".mg-pad"):
        assert serious(lab.page, {"include": [[part]]}) == []
