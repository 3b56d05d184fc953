"""Fresh inputs (grading/cases.py): drawn simplest first, compared with the solution, the smallest that fails shown."""

import re
from pathlib import Path

import numpy as np
import pytest
from campaign import PART, PARTS, SEED

from minigrad_class.split import split, split_notebook
from minigrad_course.grading import cases as cases_
from minigrad_course.grading.cases import answers, check_cases, fresh, seeded
from minigrad_course.grading.cells import HIDDEN, grade_id
from minigrad_course.grading.checks import Mismatch
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.make_notebooks import read_exercise, read_rehearsal
from minigrad_course.grading.outcome import Outcome
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.runner import Plain, Runner
from minigrad_course.grading.sheet import SMALLEST, Entry, changed, same_comes_out, symptom

ROOT = Path(__file__).parents[1]
SEEDS = (1, 2, 3)


def draw(draw):
    return (draw.numbers(draw.size(1, 5)),)


def right(x):
    return [2 * v for v in x]


def in_place(x):
    x[:] = [2 * v for v in x]
    return list(x)


def merges(x):
    return [2 * v for v in dict.fromkeys(x)]


def divides(x):
    return [2 * v * (v / v) for v in x]


def positive(x):
    return [2 * abs(v) for v in x]


def short(x):
    return [2 * v for v in x[:2]]


def remembers(x, seen=[]):  # noqa: B006
    seen.append(x)
    return [2 * v for v in (x if len(seen) < 30 else seen[0])]


def line(answer, seed=5, make=draw):
    with seeded(seed):
        cases = fresh(make)
    try:
        check_cases({**answers(answer, cases), "name": "right"}, answers(right, cases), cases)
    except Mismatch as mismatch:
        return str(mismatch)
    return ""


@pytest.mark.parametrize(
    ("answer", "beginning"),
    [
        (right, ""),
        (lambda x: np.multiply(2, x), ""),
        (in_place, "right, with plain inputs, it changes x (as in right(x=["),
        (merges, "right, where two numbers are equal (as in right(x=["),
        (divides, "right, where a number is 0, it ends with ZeroDivisionError (as in right(x=["),
        (positive, "right, where a number is negative (as in right(x=[-"),
        (short, "right, with plain inputs (as in right(x=["),
        (lambda x: None, "right, with plain inputs (as in right(x=["),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_wrong_is_said_by_the_oddities(answer, beginning, seed):
    text = line(answer, seed)
    assert text.startswith(beginning)
    assert bool(text) == bool(beginning)
    if text:
        assert text.endswith(f"; seed {seed}")
        alone = Outcome("error", "Mismatch", text)
        assert symptom(alone) is None
        hint = Entry(1, True, "", "Look again.", hints={"": "No."}, slips={"": {"no": ""}}).hint(alone)
        assert hint == f"{changed(alone)} {SMALLEST}".strip()
        assert bool(changed(alone)) == (answer is in_place)
        assert symptom(Outcome("error", "Mismatch", "a", also=(f"+ {text}", "+ b"))) == "Mismatch: a\n+ b"


def test_state_from_call_to_call_is_seen():
    remembers.__defaults__[0].clear()
    cases = fresh(lambda draw: ([float(draw.randrange(100))],), seed=1, rounds=40)
    with pytest.raises(
        Mismatch, match=r"remembers, where it was called before, with other arguments|with plain inputs"
    ):
        check_cases(answers(remembers, cases), answers(right, cases), cases)


def test_a_seed_draws_the_same_cases(monkeypatch):
    drawn = [[case.arguments for case in fresh(draw, seed)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    monkeypatch.setenv(cases_.SEED, "17")
    assert fresh(draw).seed == 17
    monkeypatch.delenv(cases_.SEED)
    assert len({fresh(draw).seed for _ in range(5)}) > 1


TEST = """
check_close(double(1), 2, "double(1)")
### BEGIN HIDDEN TESTS
cases = fresh(numbers)
check_cases(answers(double, cases), answers(solution.double, cases), cases)
### END HIDDEN TESTS
"""
GIVEN = """
from minigrad_course.grading import check_close
from minigrad_course.grading.cases import answers, check_cases, fresh
def numbers(draw):
    return draw.numbers(1)[0]
"""
DOUBLE = "def double(x):\n    return 2 * x"


def test_a_test_finds_the_authors_answer():
    author = [("given", "given", GIVEN), ("solution", "double", DOUBLE), ("test", "test_double", TEST)]
    for answer, ok in ((DOUBLE, True), (DOUBLE.replace("2 * x", "2 * abs(x)"), False)):
        runner = Runner(Plain(), Guard(), author=author)
        runner.run("given", "given", GIVEN, 5.0)
        runner.run("solution", "double", answer, 5.0)
        outcome = runner.run("test", "test_double", TEST, 5.0)
        assert (outcome.status == "ok") is ok, outcome
        assert ok or outcome.message.startswith("double, where a number is negative (as in double(x=-")
        assert "solution" not in runner.shell.user_ns


def test_both_halves_of_a_class_draw_alike():
    halves = split("test_double", TEST, ["double"])
    seeds = {part.split("seed=")[1][:6] for part in (halves.asked, halves.judged)}
    assert len(seeds) == 1
    assert "solution" not in halves.asked
    assert "solution.double" in halves.judged
    assert halves.remarks == []
    assert halves.hidden == [1]


def test_hidden_tests_keep_the_public_hints():
    public = Entry(1, True, "", "Look again.", hints={"Mismatch: a": "You did b."}, slips={"Mismatch: c": {"d": ""}})
    entry = Entry(1, True, "", "Look again.", hints={"Mismatch: a\n+ h": "BH.", "Mismatch: h": "H."}, public=public)
    read = {
        lines: entry.hint(Outcome("error", "Mismatch", lines[0], also=lines[1:]))
        for lines in (("a", "+ h"), ("a", "+ i", "+ j"), ("c", "+ i"), ("h",), ("d", "+ i"))
    }
    slip = f"{same_comes_out(['d'])} Look again."
    assert list(read.values()) == ["BH.", "You did b.", slip, "H.", "Look again."]


EXERCISES = [
    path.parent
    for path in sorted((ROOT / "sources" / "exercises").glob("*/exercise.py"))
    if "fresh(" in path.read_text(encoding="utf-8")
]


@pytest.mark.turns
@pytest.mark.parametrize("folder", EXERCISES, ids=lambda folder: folder.name)
def test_fresh_inputs_come_last(folder):
    full = read_exercise(folder / "exercise.py")
    for name, test in split_notebook(full).items():
        assert not re.search(r"_ask_\(.*solution", test.asked), name
    for cell in full["cells"]:
        if "fresh(" in cell["source"]:
            lines = cell["source"].partition(HIDDEN[1])[0].rstrip().split("\n")
            assert lines[-1].startswith("check_cases(") or lines[-1] == ")", grade_id(cell)
            assert cell["source"].count("check_cases(") == 1, grade_id(cell)


@pytest.mark.slow
@pytest.mark.turns
@pytest.mark.parametrize("folder", EXERCISES, ids=lambda folder: folder.name)
def test_inputs_can_be_drawn_from_every_seed(folder, monkeypatch):
    """Forty seeds in a row, others each time: an error in one of a hundred would meet a learner."""
    drawn = []

    def draw_and_keep(make, **rounds):
        drawn.append((make, rounds))
        return fresh(make, **rounds)

    monkeypatch.setattr(cases_, "fresh", draw_and_keep)
    perform(read_exercise(folder / "exercise.py"))
    assert len(drawn) == (folder / "exercise.py").read_text(encoding="utf-8").count("fresh(")
    for make, rounds in drawn:
        for seed in range(SEED, SEED + 40):
            fresh(make, seed, **rounds)


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("folder", EXERCISES, ids=lambda folder: folder.name)
def test_points_and_hints_are_the_same(folder, monkeypatch):
    """The solution passes on all of them; a wrong answer fails the same tests with the same lines (a third of them in a
    shorter run, others each time)."""
    rehearsal = read_rehearsal(folder / "exercise.py")
    asked = rehearsal.wrong[SEED // PARTS % PARTS :: PARTS]
    built = [rehearsal.outcomes({one.replaces: one.source}) for one in asked]  # with the seed of the build
    different = set()
    for seed in SEEDS[PART::PARTS]:
        monkeypatch.setattr("minigrad_course.grading.rehearse.SEED", seed)
        solved = perform(rehearsal.full)
        assert [o for o in solved.values() if o.status != "ok"] == []
        for one, before in zip(asked, built, strict=True):
            after = perform(rehearsal.full, {one.replaces: one.source}, known=solved)
            for name in before:
                if (symptom(before[name]), before[name].status) != (symptom(after[name]), after[name].status):
                    different.add((one.name, name, before[name].message, after[name].message, seed))
    assert different == set()
