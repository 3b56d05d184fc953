"""Every exercise of the course, and the template that new ones are made from: the solution earns everything, the empty
one nothing, and each wrong answer loses what it says and is met with its hint: in the build, in a kernel, and on
the way that a class takes, sandbox included (some of them in a run, others in the next, all of them once a week).

All that is asked of one exercise is asked by one process (the group that `exercises` names), which rehearses each
solution once and keeps one judge for them all.
"""

import copy
import functools
import os
import random
import shutil
from pathlib import Path

import nbformat
import pytest
from campaign import GRAPHS, SEED

from minigrad_class import judge_client, repair, sandbox
from minigrad_class.assignment import Assignment
from minigrad_class.supervise import grade_job
from minigrad_course import cli
from minigrad_course.grading import review
from minigrad_course.grading.cells import grade_id, kind, release
from minigrad_course.grading.exercises import find
from minigrad_course.grading.grade import grade
from minigrad_course.grading.make_notebooks import build_notebooks, build_sheets, read_exercise, read_rehearsal, write
from minigrad_course.grading.outcome import Outcome
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.sheet import NEAR
from minigrad_course.isolation.limits import Limits

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TEMPLATE = ROOT / "sources" / "templates" / "exercise" / "exercise.py"
SOURCES = [*sorted((ROOT / "sources" / "exercises").glob("*/exercise.py")), TEMPLATE]


def each(sources):
    """One test for each exercise; those of one exercise are run by one process, in their order here."""
    names = [source.parent.name for source in sources]
    of = [
        pytest.param(s, id=n, marks=pytest.mark.xdist_group(f"exercise {n}"))
        for s, n in zip(sources, names, strict=True)
    ]
    return pytest.mark.parametrize("source", of)


exercises = each(SOURCES)
of_the_course = each(SOURCES[:-1])  # without the template, which has no sheets and no class


@functools.cache
def rehearsal_of(source):
    return read_rehearsal(source)


def test_there_are_exercises_with_wrong_solutions():
    assert {"02_dual_numbers", "05_computational_graph", "exercise"} <= {source.parent.name for source in SOURCES}
    for source in SOURCES:
        assert len(rehearsal_of(source).wrong) >= 4


@exercises
def test_it_is_fit_for_learners(source, monkeypatch):
    """The solution, the empty exercise and each wrong answer earn the right points and sentences (see review.py): those
    of the sheets that learners have. A run of the middle tier tries every sixth wrong answer.
    """
    rehearsal = rehearsal_of(source)
    if rehearsal.built:  # not for the template
        sheets = {full: find([rehearsal.exercise], ROOT)[0].sheet(full) for full in (True, False)}
        monkeypatch.setattr(rehearsal, "sheet", lambda public, slips: copy.deepcopy(sheets[not public]))
    asked = slice(SEED % 6, None, 6) if GRAPHS < 3_000 else slice(None)
    seen = list(review.review(rehearsal, asked))
    assert [f"{what} {complaint}" for what, _, complaints in seen for complaint in complaints] == []
    points = {what: sum(row.points for row in rows) for what, rows, _ in seen}
    of = sum(row.of for row in seen[0][1])
    assert points["the solution, public tests"] == points["the solution, all tests"] == of > 0
    assert points["the empty exercise"] == 0
    for one in rehearsal.wrong[asked]:
        assert points[one.name] == of - one.loses < of
    one = random.Random(SEED).choice(rehearsal.wrong)
    answers = {one.replaces: one.source}
    assert perform(rehearsal.full, answers) == rehearsal.outcomes(answers)  # which runs no test that it does not reach


@pytest.mark.thorough
@of_the_course
def test_its_sheets_are_as_built(source):
    """Of two exercises, in each run others, all slips are tried anew, in a process whose hashes and memory are others:
    no line of a sheet depends on them, nor on the time.
    """
    rehearsal = copy.copy(rehearsal_of(source))
    if source in random.Random(SEED).sample(SOURCES[:-1], 2):
        rehearsal.built = {}
    for path, sheet in build_sheets(rehearsal).items():
        assert (ROOT / path).read_text(encoding="utf-8") == sheet, f"{path} is stale: make notebooks"


# Through the sandbox, as a class goes. (Without one where there is none.)

SANDBOX = not sandbox.missing()
LIMITS = Limits(cell=20.0, total=120.0)
# Of an exercise's wrong answers, in each run others; 1000 are all. Each starts its own Python, which takes seconds.
SOME = int(os.environ.get("MINIGRAD_WRONG_ANSWERS", 4))
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="Linux only")

# Points are the same everywhere. A list that the answer changes in place is changed for the learner's next test, but
# not for a judge outside, which hands over a new one each time. So a class reads the general advice instead.
OTHER_HINTS = {
    "08_tape_to_program": "You take lines out of the list that you were given.",
    "12_gru_lstm": "loop.back got numbers in an array",  # the first refusal inside of an answer's call ends it there
}


def graded(assignment, cells):
    """Grade these cells as a class's grading does: a row for each test."""
    result = grade_job(assignment.job(repair.Repaired(cells, {}), LIMITS, SANDBOX))
    assert set(result["hidden"]) <= {name for name, test in assignment.sheet.tests.items() if test.hidden}
    ended = {name: Outcome(**{**o, "overwritten": ()}) for name, o in result["outcomes"].items()}
    return assignment.sheet.rows({name: ended[name] for name in assignment.sheet.tests})


@pytest.mark.thorough
@needs_proc
@of_the_course
def test_a_class_gets_the_points(source):
    """Nothing for the empty notebook, everything for the solution, and for a wrong answer what it should lose, with
    the hints that a learner gets. (Some values come through the wall with fewer words. Then not all lines agree, and
    the hint says so.) Wrong answers leave out the cells that draw and train for show, as the rehearsal does: the
    solution and the empty notebook have run them."""
    rehearsal = rehearsal_of(source)
    assignment = Assignment.load(source.parent.name, ROOT)
    solution, empty = (assignment.example(solved).cells for solved in (True, False))
    seen = {"all of it": graded(assignment, solution), "nothing": graded(assignment, empty)}
    different = set()
    chosen = random.Random(SEED).sample(rehearsal.wrong, min(SOME, len(rehearsal.wrong)))
    for one in chosen:
        needed = [cell for cell in solution if cell["kind"] != "plain"]
        cells = [cell | {"source": one.source} if cell["name"] == one.replaces else cell for cell in needed]
        seen[one.name] = graded(assignment, cells)
        rehearsed = assignment.sheet.rows(rehearsal.outcomes({one.replaces: one.source}))
        advice = {test: entry.advice for test, entry in assignment.sheet.tests.items()}
        hints = [
            [
                row.hint.removeprefix(NEAR).removesuffix(f" {advice[row.test]}") if NEAR in row.hint else row.hint
                for row in rows
            ]
            for rows in (seen[one.name], rehearsed)
        ]
        if hints[0] != hints[1]:
            different.add(one.name)
    points = {name: sum(row.points for row in rows) for name, rows in seen.items()}
    of = sum(row.of for row in seen["all of it"])
    assert points == {"all of it": of, "nothing": 0} | {one.name: of - one.loses for one in chosen}
    assert different == {
        one.name for one in chosen if one.hint.startswith(OTHER_HINTS.get(assignment.id, "no such hint"))
    }


@pytest.mark.thorough
@needs_proc
def test_a_class_knows_of_errors_in_hidden_tests():
    """A hint is found by the lines of all checks, each marked as public or hidden: also the one that never came."""
    source = next(source for source in SOURCES if source.parent.name.startswith("09"))
    answer = "def pays_after(compiling, before, after):\n    return math.floor(compiling / (before - after)) + 1"
    assignment = Assignment.load(source.parent.name, ROOT)
    cells = [cell for cell in assignment.example(True).cells if cell["kind"] != "plain"]
    cells = [cell | {"source": answer} if cell["name"] == "pays" else cell for cell in cells]
    in_class = grade_job(assignment.job(repair.Repaired(cells, {}), LIMITS, SANDBOX))["outcomes"]["test_pays"]
    rehearsed = perform(read_exercise(source), {"pays": answer})["test_pays"]
    assert list(in_class["also"]) == list(rehearsed.also) == ["+ ZeroDivisionError"]


@pytest.mark.thorough
@needs_proc
@of_the_course
def test_no_test_is_passed_by_guessing(source):
    """True, False, 0 and 1 are only so many bits: whoever tries often enough has them all."""
    bits = judge_client.judge_for(Assignment.load(source.parent.name, ROOT).payload).bits
    assert [name for name, result in bits.items() if result < judge_client.ENOUGH] == []


@pytest.mark.thorough
@needs_proc
@of_the_course
def test_it_is_released(source, tmp_path, capsys):
    name = source.parent.name
    release = ["class", "release", name, "--folder", str(tmp_path), *([] if SANDBOX else ["--no-sandbox"])]
    assert cli.main(release) == 0
    assert f"{name}: {Assignment.load(name, ROOT).of:g} points" in capsys.readouterr().out
    assert (tmp_path / "release" / f"{name}.zip").exists()


# Once through real kernels, as a learner goes: from a copy of what is committed.


@pytest.fixture
def course(tmp_path):
    for folder in ("exercises", "solutions"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    write(tmp_path, template_as_built())
    return tmp_path


@functools.cache
def template_as_built():
    template = rehearsal_of(SOURCES[-1])
    return build_notebooks(template.exercise, template.full) | build_sheets(template)


def hand_in(course, source, answers):
    """Put answers into the solution cells of a freshly released exercise."""
    name = source.parent.name
    notebook = release(read_exercise(source))
    for cell in notebook.cells:
        if kind(cell) == "solution":
            cell.source = answers[grade_id(cell)]
    nbformat.write(notebook, course / "exercises" / name / f"{name}.ipynb")
    return find([name], course)[0]


def right_answers(source):
    return {grade_id(cell): cell.source for cell in read_exercise(source).cells if kind(cell) == "solution"}


@pytest.mark.thorough
@pytest.mark.turns
@exercises
def test_in_a_kernel_the_solution_earns_every_point(course, source):
    result = grade(hand_in(course, source, right_answers(source)), full=True)
    assert [row for row in result.rows if not row.passed] == []
    assert result.notes == []
    assert "All tests passed" in result.verdict()


@pytest.mark.thorough
@pytest.mark.turns
@exercises
def test_in_a_kernel_wrong_solutions_end(course, source):
    """One wrong answer for each answer, all at once."""
    answers = right_answers(source) | {one.replaces: one.source for one in rehearsal_of(source).wrong}
    exercise = hand_in(course, source, answers)
    result = grade(exercise, full=True)
    rehearsed = exercise.sheet(full=True).rows(perform(read_exercise(source), answers), answers)
    text = [(row.test, row.points, row.hint) for row in result.rows]
    assert text == [(row.test, row.points, row.hint) for row in rehearsed]
    assert sum(row.points for row in result.rows) < sum(row.of for row in result.rows)
