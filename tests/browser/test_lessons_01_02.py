"""The sliders of lessons 01 and 02, in JupyterLab: the microscope on the V, and the derivative among the digits."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_lesson_01_the_microscope_follows_its_slider(lab):
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
def test_lesson_02_shows_the_slope_at_other_points(lab):
    lab.open("notebooks/02_dual_numbers.ipynb")
    lab.run_all()
    cell = lab.cell("place = ipywidgets.IntSlider")
    digits = cell.locator("td b")
    expect(digits).to_have_text("7")
    lab.slide(cell, "End")
    expect(digits).to_have_text("21")  # 2 x + 3 at 9
    lab.shot("lesson-02-digits", cell)
