"""explore in JupyterLab: views of one trace that follow each other, the slider, the keys, and the switches."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

THESIS = """import minigrad as mg

def thesis(x1, x2):
    a = 0
    b = 0
    for _ in range(2):
        a += x1 * x2
        b += x1 + x2
    return a, b

mg.explore(thesis, 3.0, 4.0)"""

PASSES = THESIS.replace("4.0)", '4.0, mode="forward")')

ESSAY = """import minigrad as mg

def essay(x, y):
    return 2 * x + x * y**3 + mg.sin(x)

mg.explore(essay, 3.0, 5.0)"""

DIAMOND = """import minigrad as mg

def diamond(x, y):
    a = x * y
    b = a + x
    return a * b

mg.explore(diamond, 2.0, 3.0)"""


class Views:
    """One explore on the screen."""

    def __init__(self, lab):
        self.lab, self.page, self.root = lab, lab.page, lab.page.locator(".mgx")
        self.said = self.root.get_by_role("status")
        expect(self.root).to_be_visible(timeout=20_000)

    def press(self, *keys):
        """Keys at the slider."""
        self.lab.slide(self.root, *keys)

    def panel(self, name):
        return self.root.get_by_role("region", name=name, exact=True)

    def row(self, text):
        return self.panel("Trace").locator("tbody tr").filter(has_text=text).first

    def box(self, name):
        return self.panel("Graph").get_by_role("button", name=re.compile(rf"^{name}(,| =)"))

    def switch(self, name):
        return self.root.get_by_role("switch", name=name)

    def jacobian(self):
        return [cell.inner_text().split("\n")[0] for cell in self.panel("Jacobian").locator("tbody td").all()]

    def lit(self, panel):
        return self.panel(panel).locator(".mgx-lit")


@pytest.fixture
def show(lab):
    def show(cell, name, theme="light", width=1400):
        lab.page.set_viewport_size({"width": width, "height": 1320})
        lab.open(lab.server.write(name, cell), theme)
        lab.run_all()
        views = Views(lab)
        for view in ("Jacobian", "Graph", "Program", "Trace"):  # at first there is the source with its numbers
            expect(views.panel(view)).to_have_count(0)
            views.root.get_by_role("button", name=view, exact=True).dispatch_event("click")
        return views

    return show


HEARD = """root => {
    const heard = [], hear = ({ key }) => heard.push(key)
    document.body.addEventListener("keydown", hear)
    for (const ctrlKey of [true, false])
        root.dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey, bubbles: true, cancelable: true }))
    document.body.removeEventListener("keydown", hear)
    return heard
}"""


def test_keys_and_slider_step_forward_and_then_backward(show, lab):
    views = show(THESIS, "thesis.ipynb")
    expect(views.said).to_contain_text("The inputs: x1 = 3, x2 = 4")
    assert views.jacobian() == ["·"] * 4
    lab.shot("explore-thesis-start", views.root)

    assert views.root.evaluate(HEARD) == ["s"]  # Ctrl+S saves the notebook; it does not hear of a plain s
    views.press("ArrowRight")
    expect(views.said).to_contain_text("v1 = x1·x2 = 3·4 = 12")
    expect(views.row("v1 = x1·x2")).to_contain_text("12")
    expect(views.row("v1 = x1·x2")).to_have_class(re.compile("mgx-now"))
    expect(views.row("v2 = 0 + v1")).to_have_class(re.compile("mgx-todo"))  # not computed yet, and its result not shown
    expect(views.row("v2 = 0 + v1").locator("td").last).to_be_empty()
    expect(views.panel("Source").get_by_role("option", selected=True).first).to_contain_text("a += x1 * x2")
    expect(views.panel("Program").get_by_role("option", selected=True)).to_have_text("v1 = x1 * x2")
    expect(views.box("v1")).to_have_attribute("aria-label", re.compile("value 12$"))
    for _ in range(4):
        views.page.keyboard.press("ArrowRight")
    lab.shot("explore-thesis-forward", views.root)

    views.page.keyboard.press("PageDown")  # to the walk back
    expect(views.said).to_contain_text("all adjoints start at 0")
    for _ in range(4):
        views.page.keyboard.press("ArrowRight")
    expect(views.said).to_contain_text("v5 passes v5·x2 = 1·4 = 4 on to x1, whose adjoint is now 4")
    expect(views.box("x1")).to_have_attribute("aria-label", re.compile("value 3, adjoint 4"))
    assert views.jacobian() == ["4", "·", "·", "·"]  # growing
    lab.shot("explore-thesis-backward", views.root)

    views.page.keyboard.press("End")
    assert views.jacobian() == ["8", "6", "2", "2"]
    lab.shot("explore-thesis-end", views.root)
    views.page.keyboard.press("ArrowLeft")
    expect(views.root).to_have_attribute("data-step", "27")
    views.page.keyboard.press("Home")
    assert views.jacobian() == ["·"] * 4

    views.page.keyboard.press("Space")  # it plays by itself
    expect(views.said).to_contain_text("v2 = 0 + v1", timeout=8_000)
    views.page.keyboard.press("Space")
    expect(views.root.get_by_role("button", name="Play")).to_be_visible()

    # The still picture is in the output, and hidden while the live views are there.
    expect(views.page.locator(".minigrad-still")).to_be_hidden()
    assert views.page.locator(".minigrad-still").count() == 1

    # What the compiler makes of it: both turns of the loop are one line.
    views.root.get_by_role("button", name="as compiled").click()
    expect(views.panel("Program")).to_contain_text("x1_bar = x2 + x2", timeout=60_000)
    expect(views.panel("Program")).to_contain_text("x1 * x2 + x1 * x2")
    views.panel("Program").get_by_text("x1_bar =").hover()
    expect(views.lit("Jacobian").first).to_contain_text("x1")
    lab.shot("explore-thesis-compiled", views.root)


def test_pointing_or_the_keyboard_lights_the_others(show, lab):
    views = show(ESSAY, "essay.ipynb")
    views.press("End")
    assert views.jacobian() == ["126", "225"]

    # A node: its value, each share that it got, its program lines, its column of the Jacobian.
    views.box("x").hover()
    expect(views.lit("Trace")).to_have_count(4)
    expect(views.lit("Program")).to_have_count(3)
    expect(views.lit("Jacobian")).to_have_text("∂/∂x")
    lab.shot("explore-essay-hover", views.root)

    # An entry of the Jacobian: every way from the input to the output.
    views.panel("Jacobian").locator("tbody td").last.hover()
    expect(views.lit("Program")).to_contain_text(["y ** 3", "x * v", "y_bar += "])
    assert views.box("y").get_attribute("class").count("mgx-lit") == 1
    assert views.box("v1").get_attribute("class").count("mgx-lit") == 0  # 2 x has nothing to do with y

    # A line of the source.
    views.panel("Source").get_by_text("return 2 * x").hover()
    expect(views.lit("Graph").nth(5)).to_be_visible()
    views.page.mouse.move(5, 5)
    expect(views.root.locator(".mgx-lit")).to_have_count(0)

    # The same without a mouse: Tab goes from panel to panel, arrows from thing to thing, Enter to its step.
    views.press(*(3 + 1) * ["Tab"])  # the three switches, then the first panel
    focused = views.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("line ")
    for _ in "x", "y", "the line below":
        views.page.keyboard.press("ArrowDown")
    expect(views.lit("Source").first).to_contain_text("return 2 * x")
    expect(views.lit("Graph").first).to_be_visible()
    views.page.keyboard.press("Enter")
    expect(views.root).to_have_attribute("data-step", "1")
    views.page.keyboard.press("ArrowRight")
    expect(views.root).to_have_attribute("data-step", "2")

    # Panels can be hidden; the others take their room.
    before = views.panel("Trace").bounding_box()["width"]
    views.root.get_by_role("button", name="Program").click()
    expect(views.panel("Program")).to_be_hidden()
    assert views.panel("Trace").bounding_box()["width"] > before


BROKEN = {  # what the Jacobian is then, and what is said where it first goes wrong
    "no topological order": (["✗ 30", "✗ 16"], "v1 did not wait for the rest of its adjoint, which is 14"),
    "= instead of +=": (["✗ 18", "✗ 12"], "the 8 that had arrived before is lost"),
    "no reset of gradients": (["✗ 162", "✗ 96"], "added to the 14 that was left by the walk before"),
}


def test_a_rule_left_out_marks_the_numbers(show, lab):
    views = show(DIAMOND, "diamond.ipynb")
    for switch, (wrong, why) in BROKEN.items():
        views.press("End")
        assert views.jacobian() == ["48", "28"]
        expect(views.root.locator(".mgx-panel .mgx-wrong")).to_have_count(0)

        views.switch(switch).click()
        assert views.jacobian() == wrong
        expect(views.panel("Jacobian")).to_contain_text("not 48")
        expect(views.said).to_contain_text("not 28")
        expect(views.panel("Graph").locator(".mgx-box.mgx-wrong").first).to_be_visible()
        views.panel("Trace").locator("tr.mgx-wrong").first.click()  # to the step where it goes wrong
        expect(views.said).to_contain_text(f"Wrong: {why}.")
        lab.shot(f"explore-broken-{re.sub('[^a-z]+', '-', switch).strip('-')}", views.root)
        views.switch(switch).click()


def test_the_still_picture_is_there(show, lab):
    views = show(ESSAY, "again.ipynb", width=900)  # a narrow window: panels one below the other
    boxes = [views.panel(name).bounding_box() for name in ("Source", "Graph", "Trace")]
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]
    lab.shot("explore-narrow", views.root)
    views.page.locator(".jp-InputPrompt").first.click()
    lab.save("again.ipynb")
    lab.close()  # the kernel
    views.page.reload()
    still = views.page.locator(".minigrad-still")
    expect(still).to_be_visible(timeout=30_000)
    expect(still).to_contain_text("126.01")
    expect(still.locator("img")).to_be_visible()
    lab.shot("explore-still", still)


def test_forward_mode_shows_value_beside_tangent(show, lab):
    views = show(PASSES, "passes.ipynb")
    expect(views.said).to_contain_text("The inputs: x1 = 3, x2 = 4")
    expect(views.switch("no reset of gradients")).to_have_count(0)

    views.press("ArrowRight")
    expect(views.said).to_contain_text("Pass 1: ẋ1 = 1, ẋ2 = 0. x1 moves with speed 1, x2 stands still")
    views.page.keyboard.press("ArrowRight")
    expect(views.said).to_contain_text("v1 = x1·x2 = 3·4 = 12")
    expect(views.said).to_contain_text("v̇1 = x2·ẋ1 + x1·ẋ2 = 4·1 + 3·0 = 4")
    expect(views.row("v1 = x1·x2").locator("td").last).to_have_text("4")
    expect(views.box("v1")).to_have_attribute("aria-label", re.compile("value 12, tangent 4$"))
    expect(views.box("v2")).to_have_attribute("aria-label", re.compile("not computed yet$"))
    expect(views.panel("Source").get_by_role("option", selected=True).first).to_contain_text("a += x1 * x2")
    for _ in range(6):
        views.page.keyboard.press("ArrowRight")
    lab.shot("explore-passes-first", views.root)
    expect(views.row("v3 = x1 + x2").locator("td").last).to_have_text("1")

    views.row("v5 = x1·x2").hover()
    expect(views.lit("Source").first).to_contain_text("a += x1 * x2")
    expect(views.lit("Jacobian")).to_have_text("∂/∂x1")  # the seed of this pass
    lab.shot("explore-passes-pointed", views.root)

    views.page.mouse.move(0, 0)
    views.page.keyboard.press("PageDown")
    expect(views.said).to_contain_text("Pass 2: ẋ1 = 0, ẋ2 = 1")
    assert views.jacobian() == ["8", "·", "2", "·"]
    expect(views.box("v1")).to_have_attribute("aria-label", re.compile("not computed yet$"))
    views.page.keyboard.press("End")
    assert views.jacobian() == ["8", "6", "2", "2"]
    expect(views.said).to_contain_text("∂a/∂x2 = 6, ∂b/∂x2 = 2: a column of the Jacobian is done.")
    lab.shot("explore-passes-end", views.root)
    views.page.keyboard.press("PageUp")
    expect(views.said).to_contain_text("Pass 2")
