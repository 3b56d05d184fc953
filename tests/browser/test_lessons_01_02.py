"""The sliders of lessons 01 and 02, in JupyterLab: the microscope on the V, and the derivative among the digits."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_lesson_01_the_microscope_follows_its_slider_and_its_switch(lab):
    lab.open("notebooks/01_four_ways.ipynb")
    lab.run_all()
    cell = lab.cell("def explore(log10_h, number)")
    text = cell.locator(".jp-OutputArea .minigrad-caption").last
    expect(text).to_contain_text("h = 1.0e-01")

    lab.slide(cell, "Home")  # h = 1e-17: lost beside 1
    expect(text).to_contain_text("forward 0.0000000000")
    expect(text).to_contain_text("complex_step 0.5403023059")
    lab.shot("lesson-01-lost", cell)

    cell.get_by_role("button", name="float32").click()
    lab.slide(cell, "End")
    expect(text).to_contain_text("h = 1.0e+00")
    expect(cell.locator("img")).to_be_visible()
    lab.shot("lesson-01-float32", cell)


@pytest.mark.smoke
def test_lesson_02_the_digits_are_the_slope_at_other_points_too(lab):
    lab.open("notebooks/02_dual_numbers.ipynb")
    lab.run_all()
    cell = lab.cell("place = ipywidgets.IntSlider")
    digits = cell.locator("td b")
    expect(digits).to_have_text("7")
    lab.slide(cell, "End")
    expect(digits).to_have_text("21")  # 2 x + 3 at 9
    lab.shot("lesson-02-digits", cell)


def test_twenty_questions_before_the_lessons_and_after_them(lab):
    for notebook, form, begins, cells, width, theme in (
        ("01_four_ways", "before", "Four ways to differentiate", 6, 1440, "light"),
        ("08_tape_to_program", "after", "In five lines", 2, 900, "dark"),
    ):
        lab.open(f"notebooks/{notebook}.ipynb", theme)
        lab.page.set_viewport_size({"width": width, "height": 1000})
        asks = lab.page.locator(".jp-CodeCell").filter(has=lab.page.locator(".jp-Placeholder"))
        folded = asks.filter(has_text=f"# Twenty questions {form} the lessons?")
        lab.page.locator(".jp-MarkdownCell h1, .jp-MarkdownCell h2").get_by_text(begins).click()
        for _ in range(cells):  # a click on the folded cell would unfold it
            lab.page.keyboard.press("Shift+Enter")
        expect(folded).to_contain_text("1 of 20.")
        lab.shot(f"concepts-{form}", folded)
        folded.get_by_label("Your answer").click()
        for number in range(1, 21):
            expect(folded).to_contain_text(f"{number} of 20.")
            lab.page.keyboard.press("12340"[number % 5])
        expect(folded).to_contain_text(f"of 20 right {form} the lessons")
        lab.shot(f"concepts-{form}-ended", folded)
    expect(folded.locator("table.minigrad-concepts tr")).to_have_count(21)
    lab.theme("light")
    lab.page.set_viewport_size({"width": 1440, "height": 1000})
    lab.shot("concepts-after-light", folded)
    lines = (lab.server.root / ".minigrad" / "concepts.jsonl").read_text(encoding="utf-8").split("\n")[1:]
    assert len(lines) == 40
