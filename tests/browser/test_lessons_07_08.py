"""The interactives of lessons 07 and 08 in JupyterLab: copies whose adjoints are summed, and passes left out."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_lesson_07_copies_collapse_and_an_entry_finds_its_row(lab):
    lab.open("notebooks/07_arrays.ipynb")
    lab.run_all()
    copies = lab.cell("def collapse(array, copies, added)")
    text = copies.locator(".widget-output")
    expect(text).to_contain_text("collapse: 0, 0, 0 so far")
    lab.slide(copies, "End", number=-1)
    expect(text).to_contain_text("collapse: 5, 4, 4 so far")
    copies.locator("select").select_option("a column, shape (4, 1)")
    expect(text).to_contain_text("collapse: 3, 2, 4, 4 so far")
    expect(copies.locator("img")).to_be_visible()
    lab.shot("lesson-07-copies", copies)

    entry = lab.cell("ipywidgets.interactive(pictures.product")
    lab.slide(entry, "End")
    expect(entry.locator(".widget-output")).to_contain_text("added into row 3 of C")
    lab.shot("lesson-07-product", entry)


def test_lesson_08_a_pass_that_is_left_out_changes_the_buffers(lab):
    lab.open("notebooks/08_tape_to_program.ipynb")
    lab.run_all()
    lab.cell("pictures.SideBySide(pairs").scroll_into_view_if_needed()
    lab.shot("lesson-08-side-by-side", lab.cell("pictures.SideBySide(pairs"))

    cell = lab.cell("def look(show_program")
    text = cell.locator(".widget-output")
    cell.get_by_role("checkbox", name="reuse_buffers").scroll_into_view_if_needed()
    bars = re.compile(r"(\d+) bars in (\d+) rows")
    expect(text).to_contain_text(bars)
    count, rows = map(int, bars.search(text.inner_text()).groups())
    assert rows < count
    cell.get_by_role("checkbox", name="reuse_buffers").uncheck()
    expect(text).to_contain_text(f"{count} bars in {count} rows")
    cell.get_by_role("checkbox", name="show_program").check()
    expect(text).to_contain_text("def program(")
    lab.shot("lesson-08-passes", cell)
