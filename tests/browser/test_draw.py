"""Pictures of graphs in JupyterLab: shown in both themes, inside of the page as well, and in an untrusted notebook."""

from base64 import b64encode

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

NEURON = """
import minigrad as mg
w, x, b = mg.Variable(-3.0, name="w"), mg.Variable(2.0, name="x"), mg.Variable(6.25, name="b")
f = mg.tanh(w * x + b)
f.backward()
mg.draw(f)
"""
ADJOINTS = "mg.draw(mg.adjoints(f, [w, b]))"
INSIDE = "import ipywidgets; ipywidgets.HTML(mg.draw(mg.adjoints(f, [x])).svg)"
PANEL = {"light": "rgb(255, 255, 255)", "dark": "rgb(27, 33, 41)"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_shown_in_both_themes(server, lab, theme):
    lab.open(server.write(f"draw-{theme}.ipynb", NEURON, ADJOINTS, INSIDE), theme)
    lab.run_all()
    for words in ("mg.tanh", ADJOINTS):
        image = lab.cell(words).locator(".jp-RenderedSVG img, .jp-RenderedSVG svg")
        expect(image).to_be_visible()
        assert image.evaluate("e => e.tagName == 'svg' || (e.complete && e.naturalWidth > 200)")
    picture = lab.cell("ipywidgets").locator("svg.minigrad-graph")
    expect(picture).to_contain_text("backward pass")
    panel = picture.locator(".panel")
    assert panel.evaluate("e => getComputedStyle(e).fill") == PANEL[theme]
    lab.shot(f"draw-{theme}")


def test_a_notebook_that_is_not_trusted_shows_the_png(server, lab):
    from nbformat.v4 import new_output

    from minigrad import Variable
    from minigrad_course.viz import draw

    x = Variable(3.0, name="x")
    data, metadata = draw(x * x)._repr_mimebundle_()
    data["image/png"] = b64encode(data["image/png"]).decode()
    stored = new_output("display_data", data, metadata=metadata)
    lab.open(server.write("draw-untrusted.ipynb", "x", outputs={0: [stored]}))
    image = lab.page.locator(".jp-RenderedImage img")
    expect(image).to_be_visible()
    assert image.evaluate("e => e.complete && e.naturalWidth > 100")
