"""No points for an answer without what the task is about, whatever its numbers: and none by chance."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from shortcut_answers import WITHIN, WITHOUT

from minigrad_class import repair, sandbox
from minigrad_class.assignment import Assignment
from minigrad_class.supervise import grade_job
from minigrad_course.grading.cases import fails, passes_on, times, within
from minigrad_course.grading.cells import grade_id
from minigrad_course.grading.checks import Mismatch, check_close
from minigrad_course.grading.make_notebooks import read_rehearsal
from minigrad_course.grading.rehearse import perform
from minigrad_course.isolation.limits import Limits

ROOT = Path(__file__).parents[1]


@functools.cache
def rehearsal_of(exercise):
    return read_rehearsal(ROOT / "sources" / "exercises" / exercise / "exercise.py")


def lost(exercise, cell, answer, public):
    """List what the tests say of an answer that they fail."""
    rehearsal = rehearsal_of(exercise)
    notebook, known = rehearsal.public if public else rehearsal.full, rehearsal.outcomes(public=public)
    outcomes = perform(notebook, {cell: answer}, known=known).values()
    return [outcome.message for outcome in outcomes if outcome.status != "ok"]


def named(rows):
    return [pytest.param(*row, id=f"{row[0]}, {row[1]}: {row[-2][:30]} {k}") for k, row in enumerate(rows)]


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize(("exercise", "cell", "tests", "words", "answer"), named(WITHOUT))
def test_an_answer_without_the_idea_loses_points(exercise, cell, tests, words, answer):
    first = lost(exercise, cell, answer, public=tests == "public")[0]
    assert first.startswith(words)
    if tests == "public":
        assert lost(exercise, cell, answer, public=False)


@pytest.mark.slow
@pytest.mark.parametrize(("exercise", "cell", "why", "answer"), named(WITHIN))
def test_an_odd_answer_within_the_task_passes(exercise, cell, why, answer):
    assert why
    assert lost(exercise, cell, answer, public=False) == []


@pytest.mark.slow
@pytest.mark.thorough
def test_a_class_reads_the_same():
    """A check that ends a call on its way ends the test with it, and says so."""
    row = next(row for row in WITHOUT if row[:2] == ("04_tracing_backwards", "walk"))
    assignment = Assignment.load(row[0], ROOT)
    cells = [cell for cell in assignment.example(True).cells if cell["kind"] != "plain"]
    cells = [cell | {"source": row[-1]} if cell["name"] == "walk" else cell for cell in cells]
    job = assignment.job(repair.Repaired(cells, {}), Limits(), not sandbox.missing())
    assert grade_job(job)["outcomes"]["test_walk"]["message"].startswith(row[3])


SET = """
from minigrad_course.grading.checks import Mismatch, check_order

def topological_order(output, parents):
    seen, stack = set(), [output]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(parents(node))
    return list(seen)

for test in TESTS:
    try:
        exec(test)
    except Mismatch:
        continue
    raise SystemExit(f"points by chance: {test}")
"""


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("seed", range(12))
def test_an_order_by_chance_earns_nothing(seed):
    """As a set has one: another in each process."""
    cells = {grade_id(cell): cell["source"] for cell in rehearsal_of("05_computational_graph").public["cells"]}
    program = SET.replace("TESTS", repr([cells["test_order"], cells["test_order_chain"]]))
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def doubled(n):
    return 1 if not n else doubled(n - 1) + doubled(n - 1)


def straight(n):
    return 1 if not n else 2 * straight(n - 1)


def test_work_is_counted_in_calls():
    assert within(1000, straight, 40) == 2**40
    with pytest.raises(Mismatch, match=r"doubled makes more than 1,000 calls here"):
        within(1000, doubled, 40)
    assert times(straight, straight, 3) == 4
    assert times(len, straight, []) == 0


def test_an_error_comes_out_or_does_not():
    def swallows(f):
        try:
            return f(1)
        except Exception:
            return 0.0

    def replaces(f):
        return f(1) if f is None else {}[f]

    assert passes_on(lambda f: f(1), fails)
    assert not passes_on(swallows, fails)
    assert not passes_on(replaces, fails)
    with pytest.raises(Mismatch, match="expected True, got False"):
        check_close(passes_on(swallows, fails), True)
