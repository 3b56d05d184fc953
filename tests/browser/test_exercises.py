"""An exercise from the first wrong answer to full marks, as a learner goes through it; and what survives a crash."""

from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

SOURCE = Path(__file__).resolve().parents[2] / "sources" / "exercises" / "05_computational_graph"
EXERCISE = "exercises/05_computational_graph/05_computational_graph.ipynb"


def solution(name):
    """The author's answer in the cell of this name."""
    from minigrad.grading.build import read_exercise

    return next(cell.source for cell in read_exercise(SOURCE / "exercise.py").cells if cell.id == name)


def wrong(name):
    from minigrad.grading.rehearse import read_wrong

    return read_wrong(SOURCE / "wrong" / f"{name}.py").source


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_wrong_answer_its_hint_the_answer_mended_and_full_marks(lab, theme):
    lab.open(EXERCISE, theme)
    for words in ("grading.live()", "class Node:", "grading.table()"):
        lab.run(words)
    table = lab.cell("grading.table()").locator("table.minigrad-points")

    lab.write("def topological_order", solution("order"))
    lab.run("def topological_order")
    lab.run("Do the diamond by hand")
    lab.run("Five thousand nodes in a row")
    lab.write("def backward", wrong("overwrites"))
    lab.run("def backward")
    lab.run("Do d = c k by hand")
    shared = "in e = c d"
    said = lab.run(shared).locator(".jp-OutputArea")
    expect(said).to_contain_text("in e = c d, c.grad: expected 27, got 12")
    expect(said).to_contain_text("Hint: You overwrite the share of c instead of adding to it.")
    expect(table.get_by_role("row", name="✗ test_shared")).to_contain_text("0 / 2")
    lab.cell(shared).scroll_into_view_if_needed()
    lab.shot(f"exercise-05-wrong-{theme}")
    lab.shot(f"exercise-05-table-wrong-{theme}", lab.cell("grading.table()"))

    lab.write("def backward", solution("backward"))
    lab.run("def backward")
    expect(lab.run(shared).locator(".jp-OutputArea")).to_contain_text("2 of 2 points")
    lab.write("def zero_grad", solution("zero_grad"))
    lab.run("def zero_grad")
    lab.write("def forward", solution("forward"))
    lab.run("def forward")
    for words in (
        "The second call must hand on",
        "no node may remember anything",
        "c must be right before d can be",
        "The partials of a product",
        "If the tests above pass",
    ):
        lab.run(words)
    expect(table).to_contain_text("12 / 12")
    expect(table).to_contain_text("Public checks passed; hidden tests have not run")
    lab.shot(f"exercise-05-full-{theme}", lab.cell("grading.table()"))

    lab.open("notebooks/00_start.ipynb", theme)
    overview = lab.run("grading.overview()").locator("table.minigrad-progress")
    expect(overview.get_by_role("row", name="05 ·")).to_contain_text("12 / 12")
    expect(overview.get_by_role("row", name="05 ·")).to_contain_text("public checks passed, hidden tests not run")
    expect(overview).to_contain_text("Next: ")
    overview.scroll_into_view_if_needed()
    lab.shot(f"lesson-00-points-{theme}", lab.cell("grading.overview()"))
    overview.get_by_role("link", name="05 ·").click()
    expect(lab.page.get_by_role("tab", name="05_computational_graph.ipynb")).to_be_visible()


def test_an_endless_compiled_loop_ends_the_kernel_and_the_next_one_says_why(lab):
    pytest.importorskip("numba")
    lab.open(EXERCISE)
    lab.run("grading.live()")
    lab.write("def zero_grad", SPIN)
    lab.run("class Node:")
    lab.run("def zero_grad")
    test = lab.cell("no node may remember anything")
    test.locator(".jp-InputArea-editor").first.click()
    lab.page.keyboard.press("Control+Enter")
    dialog = lab.page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("restart", timeout=30_000)
    lab.shot("exercise-05-kernel-ended")
    dialog.get_by_role("button", name="Ok").click()
    lab.page.get_by_text("| Idle").wait_for(timeout=60_000)
    cell = lab.cell("grading.live()")  # its number is 1 again, so it does not show that the cell has run
    cell.locator(".jp-InputArea-editor").first.click()
    lab.page.keyboard.press("Control+Enter")
    said = "The kernel was ended while `test_zero_grad` ran: no answer within 1 s"
    expect(cell.locator(".jp-OutputArea")).to_contain_text(said)
    lab.shot("exercise-05-after-the-kernel-ended", lab.cell("grading.live()"))


SPIN = """import numba

import minigrad.grading.deadline

minigrad.grading.deadline.GRACE = 0.5
grading.live(limit=1)


@numba.njit
def spin(x):
    while x > 0:
        x += 1 if x < 10 else -1
    return x


spin(-1)


def zero_grad(order):
    spin(1)
"""
