"""The interactives of lessons 03 to 06 in JupyterLab: explore in both modes, costs, Taylor curves and tiles."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_lesson_04_rows_fill_walk_by_walk_and_the_lines_cross_elsewhere(lab):
    lab.open("notebooks/04_tracing_backwards.ipynb")
    lab.run_all()
    views = lab.cell("mg.explore(twice, 3.0, 4.0)").locator(".mgx")
    lab.slide(views, "End")
    expect(views.get_by_role("region", name="Jacobian").locator("td")).to_contain_text(["8", "6", "2", "2"])

    costs = lab.cell("ipywidgets.interactive(")
    expect(costs.locator(".widget-output")).to_contain_text("reverse mode is cheaper. The lines cross at 8 inputs")
    lab.slide(costs, "End", number=-1)  # the price of a walk
    expect(costs.locator(".widget-output")).to_contain_text("forward mode is cheaper. The lines cross at 32 inputs")
    lab.shot("lesson-04-costs", costs)


def test_lesson_05_the_switches_of_explore_break_the_walk_back(lab):
    lab.open("notebooks/05_computational_graph.ipynb")
    lab.run_all()
    views = lab.cell("mg.explore(diamond, 2.0, 3.0)").locator(".mgx")
    row = views.get_by_role("region", name="Jacobian").locator("td")
    lab.slide(views, "End")
    expect(row).to_contain_text(["48", "28"])
    lab.shot("lesson-05-explore", views)

    # As in the lesson's table of broken walks.
    for name, wrong in {
        "no topological order": ["30", "16"],
        "= instead of +=": ["18", "12"],
        "no reset of gradients": ["162", "96"],
    }.items():
        views.get_by_role("switch", name=name).click()
        lab.slide(views, "End")
        expect(row).to_contain_text(wrong)
        views.get_by_role("switch", name=name).click()

    # The rest of the lesson, run above: pictures are there, and cells that measure have measured.
    drawn = lab.cell("mg.draw(neuron)").locator(".jp-OutputArea-output svg, .jp-OutputArea-output img")
    expect(drawn).to_be_visible()
    assert drawn.bounding_box()["width"] > 200
    measured = lab.cell("graph = mg.Graph(long_expression(start))").locator(".jp-OutputArea")
    expect(measured).to_contain_text(re.compile(r"allocat", re.IGNORECASE))


def test_lesson_06_taylor_curves_and_tiles_follow_their_sliders(lab):
    lab.open("notebooks/06_higher_derivatives.ipynb")
    lab.run_all()
    curves = lab.cell("def explore(at, order)")
    expect(curves.locator(".widget-output")).to_contain_text("order 2 at 1.0: 1.080, 0.964, -0.333")
    lab.slide(curves, "ArrowRight", number=-1)
    expect(curves.locator(".widget-output")).to_contain_text("order 3 at 1.0: 1.080, 0.964, -0.333, -0.226")
    lab.shot("lesson-06-taylor", curves)

    filling = lab.cell("ipywidgets.interactive(\n    lambda passes")
    lab.slide(filling, "End")
    expect(filling.locator(".widget-output")).to_contain_text("6 of 6 columns")
    lab.shot("lesson-06-tiles", filling)


def test_lesson_03_questions_are_answered_by_keys_a_guess_stands_beside_its_result_and_columns_fill(lab):
    lab.open("notebooks/03_tracing_forwards.ipynb")
    asked = lab.page.locator(".jp-CodeCell").filter(has=lab.page.locator(".jp-Placeholder"))
    recall, guess = asked.first, asked.nth(1)
    lab.cell("import minigrad as mg").locator(".jp-InputArea-editor").click()
    for _ in range(3):
        lab.page.keyboard.press("Shift+Enter")
    field = recall.get_by_label("Your answer")
    expect(recall).to_contain_text("1 of 5, from lesson 02.")
    lab.shot("lesson-03-recall", recall)
    field.click()
    for number in range(1, 6):
        expect(recall).to_contain_text(f"{number} of 5, from lesson")
        lab.page.keyboard.press("1")
        expect(recall.locator(".minigrad-guess")).to_have_count(number)
    expect(recall).to_contain_text("of 5 right.")
    lab.shot("lesson-03-recalled", recall)
    lines = (lab.server.root / ".minigrad" / "recall.jsonl").read_text(encoding="utf-8").split("\n")[1:]
    assert len(lines) == 5

    lab.page.locator(".jp-MarkdownCell h2").get_by_text("What did the program do?").click()
    for _ in range(2):
        lab.page.keyboard.press("Shift+Enter")
    field = guess.get_by_label("Your guess")
    field.fill("a few")
    field.press("Enter")
    expect(guess).to_contain_text("Write a number")
    field.fill("6")
    field.press("Enter")
    expect(guess).to_contain_text("Kept")
    lab.shot("lesson-03-guess", guess)
    result = lab.run("t = mg.trace(twice, 3.0, 4.0)")
    expect(result).to_contain_text("You guessed: 6 names. It is: 8 names. Your guess was 25 % too small.")
    lab.shot("lesson-03-guessed", result)

    lab.theme("dark")
    lab.page.set_viewport_size({"width": 900, "height": 1000})
    lab.shot("lesson-03-recalled-dark", recall)
    lab.run_all()  # without further guesses, and none of them is in the way
    expect(lab.page.locator(".minigrad-guess")).to_have_count(0)
    expect(lab.page.get_by_text("What surprised you.")).to_be_visible()
    lab.shot("lesson-03-surprises", lab.page.get_by_text("What surprised you.").locator(".."))
    expect(recall).to_contain_text("1 of 5, from lesson")  # others
    lab.shot("lesson-03-recall-dark", recall)

    lab.page.set_viewport_size({"width": 1400, "height": 1000})
    views = lab.cell('mode="forward"').locator(".mgx")
    entries = views.get_by_role("region", name="Jacobian").locator("td")
    lab.slide(views, "PageDown", "PageDown")
    expect(entries).to_contain_text(["8", "·", "2", "·"])
    lab.shot("lesson-03-explore", views)
    lab.slide(views, "End")
    expect(entries).to_contain_text(["8", "6", "2", "2"])
