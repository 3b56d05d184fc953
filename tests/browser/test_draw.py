"""Pictures of graphs in JupyterLab: shown in both themes, inside of the page as well, and in an untrusted notebook."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

NEURON = """
import minigrad as mg
w, x, b = mg.Variable(-3.0, name="w"), mg.Variable(2.0, name="x"), mg.Variable(6.25, name="b")
f = mg.tanh(w * x + b)
f.backward()
mg.draw(f)
"""
LOOP = """
import minigrad as mg
w, u, h = mg.Variable(1.0, name="w"), mg.Variable(0.9, name="u"), 0.0
for t in (1, 2, 3):
    with mg.block("step", t):
        h = mg.tanh(w * mg.Constant(0.1 * t, name=f"x{t}") + u * h)
mg.draw(h)
"""
ADJOINTS = "mg.draw(mg.adjoints(f, [w, b]))"
INSIDE = "import ipywidgets; ipywidgets.HTML(mg.draw(mg.adjoints(f, [x])).svg)"
PANEL = {"light": "rgb(255, 255, 255)", "dark": "rgb(27, 33, 41)"}


FIGURE = """
from minigrad_course.viz import plots
figure, axes = plots.canvas(6, 2)
axes.plot([0, 1, 0])
plots.show(figure, "A corner.")
"""


def test_pictures_are_shown_in_both_themes(server, lab):
    """Of a graph, inside of the page as well, and a figure, which turns dark with the page."""
    lab.open(server.write("draw.ipynb", NEURON, ADJOINTS, INSIDE, FIGURE), "dark")
    lab.run_all()
    for theme, painted in {"dark": "invert(1) hue-rotate(180deg)", "light": "none"}.items():
        lab.theme(theme)
        for words in ("mg.tanh", ADJOINTS):
            drawn = lab.cell(words).locator(".minigrad-picture svg")
            expect(drawn).to_be_visible()
            assert drawn.locator(".panel").evaluate("e => getComputedStyle(e).fill") == PANEL[theme]
        picture = lab.cell("ipywidgets").locator("svg.minigrad-graph")
        expect(picture).to_contain_text("backward pass")
        panel = picture.locator(".panel")
        assert panel.evaluate("e => getComputedStyle(e).fill") == PANEL[theme]
        figure = lab.cell("figure, axes")
        expect(figure.locator(".minigrad-caption")).to_have_text("A corner.")
        assert figure.locator("img").evaluate("e => getComputedStyle(e).filter") == painted
        lab.shot(f"draw-{theme}")


def test_a_wide_picture_fits_its_page(server, lab):
    lab.open(server.write("draw-wide.ipynb", LOOP, 'mg.draw(h, direction="LR")'))
    for width in (1440, 900, 420):
        lab.page.set_viewport_size({"width": width, "height": 1000})
        if width < 500:
            lab.page.keyboard.press("ControlOrMeta+b")  # without the list of files
        fits_and_can_be_enlarged(lab, width)


def fits_and_can_be_enlarged(lab, width):
    measure = """picture => {
        const [view, svg, tools] = [".view", "svg", ".tools"].map(name => picture.querySelector(name))
        const place = e => e.getBoundingClientRect()
        return {cut: view.scrollWidth - view.clientWidth, wide: place(svg).width, page: place(picture).width,
                outside: picture.closest(".jp-OutputArea-child").scrollWidth - place(picture.parentElement).width,
                under: tools.hidden || place(tools).top >= place(view).bottom, tools: !tools.hidden}}"""
    for words in ("mg.tanh", "direction="):
        picture = lab.renew(words, ".minigrad-picture")
        expect(picture.locator("svg")).to_be_visible()
        result = picture.evaluate(measure)
        assert result["cut"] <= 1
        assert result["wide"] <= result["page"] + 1
        assert result["under"]
    assert result["tools"]  # the last one is wider than any of these pages
    picture.get_by_role("button", name="Larger").click()
    larger = picture.evaluate(measure)
    assert larger["wide"] == pytest.approx(1.4 * result["wide"], rel=0.02)
    assert larger["cut"] > 0
    view = picture.locator(".view")
    view.focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_function("view => view.scrollLeft > 0", arg=view.element_handle())
    lab.shot(f"draw-wide-{width}")
    picture.get_by_role("button", name="The whole picture").click()
    assert picture.evaluate(measure)["wide"] == pytest.approx(result["wide"], abs=1)
