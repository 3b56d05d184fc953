"""The interactives of the lessons and exercises, used as a learner uses them."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_lesson_03_columns_fill_pass_by_pass(lab):
    lab.open("notebooks/03_tracing_forwards.ipynb")
    lab.run_all()
    views = lab.cell('mode="forward"').locator(".mgx")
    slider = views.get_by_role("slider", name="Step")
    entries = views.get_by_role("region", name="Jacobian").locator("td")
    views.scroll_into_view_if_needed()
    slider.focus()
    for _ in range(2):
        lab.page.keyboard.press("PageDown")
    expect(entries).to_contain_text(["8", "·", "2", "·"])
    lab.shot("lesson-03-explore", views)
    lab.page.keyboard.press("End")
    expect(entries).to_contain_text(["8", "6", "2", "2"])


def test_lesson_04_rows_fill_walk_by_walk_and_the_lines_cross_elsewhere(lab):
    lab.open("notebooks/04_tracing_backwards.ipynb")
    lab.run_all()
    views = lab.cell("mg.explore(twice, 3.0, 4.0)").locator(".mgx")
    views.scroll_into_view_if_needed()
    views.get_by_role("slider", name="Step").focus()
    lab.page.keyboard.press("End")
    expect(views.get_by_role("region", name="Jacobian").locator("td")).to_contain_text(["8", "6", "2", "2"])

    costs = lab.cell("ipywidgets.interactive(")
    expect(costs.locator(".widget-output")).to_contain_text("reverse mode is cheaper. The lines cross at 8 inputs")
    price = costs.locator(".noUi-handle").last
    price.scroll_into_view_if_needed()
    price.focus()
    lab.page.keyboard.press("End")
    expect(costs.locator(".widget-output")).to_contain_text("forward mode is cheaper. The lines cross at 32 inputs")
    lab.shot("lesson-04-costs", costs)


def test_lesson_05_the_switches_of_explore_break_the_walk_back(lab):
    lab.open("notebooks/05_computational_graph.ipynb")
    lab.run_all()
    views = lab.cell("mg.explore(diamond, 2.0, 3.0)").locator(".mgx")
    slider, row = views.get_by_role("slider", name="Step"), views.get_by_role("region", name="Jacobian").locator("td")
    views.scroll_into_view_if_needed()
    slider.focus()
    lab.page.keyboard.press("End")
    expect(row).to_contain_text(["48", "28"])
    lab.shot("lesson-05-explore", views)

    # As in the lesson's table of broken walks.
    for name, wrong in {
        "no topological order": ["30", "16"],
        "= instead of +=": ["18", "12"],
        "no reset of gradients": ["162", "96"],
    }.items():
        views.get_by_role("switch", name=name).click()
        slider.focus()
        lab.page.keyboard.press("End")
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
    curves.locator(".noUi-handle").last.scroll_into_view_if_needed()
    curves.locator(".noUi-handle").last.focus()
    lab.page.keyboard.press("ArrowRight")
    expect(curves.locator(".widget-output")).to_contain_text("order 3 at 1.0: 1.080, 0.964, -0.333, -0.226")
    lab.shot("lesson-06-taylor", curves)

    filling = lab.cell("ipywidgets.interactive(\n    lambda passes")
    filling.locator(".noUi-handle").scroll_into_view_if_needed()
    filling.locator(".noUi-handle").focus()
    lab.page.keyboard.press("End")
    expect(filling.locator(".widget-output")).to_contain_text("6 of 6 columns")
    lab.shot("lesson-06-tiles", filling)


def test_exercise_02_counts_points_while_it_is_worked_on(lab):
    lab.open("exercises/02_dual_numbers/02_dual_numbers.ipynb")
    for words in ("grading.live()", "class Dual:", "grading.table()"):
        lab.run(words)
    table = lab.cell("grading.table()").locator("table.minigrad-points")
    expect(table).to_contain_text("not run")

    # Nothing written yet: the test says so, and costs its point.
    said = lab.run("Write the two duals under each other").locator(".jp-OutputArea")
    expect(said).to_contain_text("0 of 1")

    # A wrong rule earns its own hint; the right one its point, and the table follows without being run again.
    lab.write("def add(a, b)", SUMS.format("a.tangent + b.tangent"))
    lab.run("def add(a, b)")
    said = lab.run("Write the two duals under each other").locator(".jp-OutputArea")
    expect(said).to_contain_text("expected -1")
    expect(said).to_contain_text("0 of 1")

    lab.write("def add(a, b)", SUMS.format("a.tangent - b.tangent"))
    lab.run("def add(a, b)")
    said = lab.run("Write the two duals under each other").locator(".jp-OutputArea")
    expect(said).to_contain_text("1 of 1")
    expect(table.get_by_role("row", name="test_sums")).to_contain_text("1 / 1")
    expect(table).to_contain_text("1 / 12")
    lab.shot("exercise-02-points", lab.cell("grading.table()"))


def test_exercise_05_gives_a_hint_at_the_mistake_and_then_the_points(lab):
    lab.open("exercises/05_computational_graph/05_computational_graph.ipynb")
    for words in ("grading.live()", "class Node:", "grading.table()"):
        lab.run(words)
    lab.write("def topological_order", ORDER.format("order.append(node)\n        stack.extend(parents(node))"))
    lab.run("def topological_order")
    said = lab.run("Do the diamond by hand").locator(".jp-OutputArea")
    expect(said).to_contain_text("0 of 2")
    lab.shot("exercise-05-hint", lab.cell("Do the diamond by hand"))

    lab.write("def topological_order", ORDER.format(RIGHT))
    lab.run("def topological_order")
    expect(lab.run("Do the diamond by hand").locator(".jp-OutputArea")).to_contain_text("2 of 2")
    expect(lab.run("Five thousand nodes in a row").locator(".jp-OutputArea")).to_contain_text("1 of 1")
    expect(lab.cell("grading.table()").locator("table.minigrad-points")).to_contain_text("3 / 12")
    lab.shot("exercise-05-points", lab.cell("grading.table()"))


SUMS = """def add(a, b):
    return a.value + b.value, a.tangent + b.tangent


def subtract(a, b):
    return a.value - b.value, {}
"""

ORDER = """def topological_order(output, parents):
    order, done, stack = [], set(), [output]
    while stack:
        node = stack.pop()
        {}
    return order
"""

RIGHT = """if isinstance(node, list):
            order.append(node[0])
        elif node not in done:
            done.add(node)
            stack.append([node])
            stack.extend(parents(node))"""
