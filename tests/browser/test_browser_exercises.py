"""Exercises from the first wrong answer to points, as a learner goes through them."""

import shutil
from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

SOURCES = Path(__file__).resolve().parents[2] / "sources" / "exercises"
DUALS, GRAPHS = "02_dual_numbers", "05_computational_graph"


def notebook(exercise):
    return f"exercises/{exercise}/{exercise}.ipynb"


def solution(exercise, name):
    """The author's answer in the cell of this name."""
    from minigrad_course.grading.make_notebooks import read_exercise

    return next(cell.source for cell in read_exercise(SOURCES / exercise / "exercise.py").cells if cell.id == name)


def wrong(exercise, hint):
    """The wrong answer that the author gave this hint."""
    from minigrad_course.grading.make_notebooks import read_rehearsal

    table = read_rehearsal(SOURCES / exercise / "exercise.py").wrong
    return next(one.source for one in table if one.hint.startswith(hint))


def begin(lab, exercise, cell):
    """Open an exercise and run the cells that come before any answer; its table of points."""
    lab.open(notebook(exercise))
    for words in ("grading.live()", cell, "grading.table()"):
        lab.run(words)
    return lab.cell("grading.table()").locator("table.minigrad-points")


def test_three_tries_show_the_solution_line_by_line(lab, request):
    folder = lab.server.root / "solutions"
    request.addfinalizer(lambda: shutil.rmtree(folder))
    shutil.copytree(SOURCES.parents[1] / "solutions" / DUALS, folder / DUALS)
    begin(lab, DUALS, "class Dual:")
    lab.answer("def multiply(a, b)", "def multiply(a, b):\n    return a.value * b.value, a.tangent * b.tangent")
    ask = 'grading.solution("product")'
    test = "Multiply the brackets out on paper"
    for _ in range(3):
        output = lab.run(test).locator(".jp-OutputArea")
    expect(output).to_contain_text(f"{ask} shows the next line of the solution")
    lab.shot("exercise-02-offer", lab.cell(test))
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("b")  # a new cell below the test
    lab.page.keyboard.press("Enter")
    lab.page.keyboard.insert_text(ask)
    shown = lab.run(ask).locator(".minigrad-line")
    expect(shown).to_contain_text("def multiply(a, b):")
    expect(shown).to_contain_text("Line 1 of 1 of the solution.")
    for theme, width in (("light", 1440), ("dark", 900)):
        lab.theme(theme)
        lab.page.set_viewport_size({"width": width, "height": 1000})
        lab.shot(f"exercise-02-solution-{theme}", lab.cell(ask))


def test_a_wrong_answer_is_mended_to_full_marks(lab):
    table = begin(lab, GRAPHS, "class Node:")
    expect(table).to_contain_text("not run")

    # Nothing written yet: the test says so, and costs its points. Then the table follows without being run again.
    output = lab.run("Do the diamond by hand").locator(".jp-OutputArea")
    expect(output).to_contain_text("0 of 2")
    lab.answer("def topological_order", solution(GRAPHS, "order"))
    lab.run("Do the diamond by hand")
    expect(output).to_contain_text("2 of 2")
    expect(lab.run("Five thousand nodes in a row").locator(".jp-OutputArea")).to_contain_text("1 of 1")
    expect(table).to_contain_text("3 / 12")
    lab.answer("def backward", wrong(GRAPHS, "You overwrite the share of c"))
    lab.run("Do d = c k by hand")
    shared = "in e = c d"
    output = lab.run(shared).locator(".jp-OutputArea")
    expect(output).to_contain_text("in e = c d, c.grad: expected 27, got 12")
    expect(output).to_contain_text("Hint: You overwrite the share of c instead of adding to it.")
    expect(table.get_by_role("row", name="✗ test_shared")).to_contain_text("0 / 2")
    lab.cell(shared).scroll_into_view_if_needed()
    for theme in ("dark", "light"):
        lab.theme(theme)
        lab.shot(f"exercise-05-wrong-{theme}")
        lab.shot(f"exercise-05-table-wrong-{theme}", lab.cell("grading.table()"))

    lab.answer("def backward", solution(GRAPHS, "backward"))
    expect(lab.run(shared).locator(".jp-OutputArea")).to_contain_text("2 of 2 points")
    lab.answer("def zero_grad", solution(GRAPHS, "zero_grad"))
    lab.answer("def forward", solution(GRAPHS, "forward"))
    for words in (
        "The second call must pass on",
        "After zero_grad every grad is",
        "c must be right before d can be",
        "The partials of a product",
        "If a test above fails, fix it first",
    ):
        lab.run(words)
    expect(table).to_contain_text("12 / 12")
    expect(table).to_contain_text("Public checks passed; the hidden tests are your instructor's")
    lab.shot("exercise-05-full", lab.cell("grading.table()"))

    lab.open("notebooks/00_start.ipynb")
    overview = lab.run("grading.overview()").locator("table.minigrad-progress")
    expect(overview.get_by_role("row", name="05 ·")).to_contain_text("12 / 12")
    expect(overview.get_by_role("row", name="05 ·")).to_contain_text(
        "public checks passed, hidden tests with your instructor"
    )
    expect(overview).to_contain_text("Next: ")
    overview.scroll_into_view_if_needed()
    lab.shot("lesson-00-points", lab.cell("grading.overview()"))
    overview.get_by_role("link", name="05 ·").click()
    expect(lab.page.get_by_role("tab", name="05_computational_graph.ipynb")).to_be_visible()
    lab.page.get_by_text("| Idle").wait_for(timeout=60_000)  # its kernel is there, which will be ended with the others
