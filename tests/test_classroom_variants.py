"""Variants of exercises for a term: the solution earns everything, the empty sheet nothing, each wrong answer its
points and its hint, whatever was drawn; and answers of another term are worth little.

A run of the middle tier asks about a few terms, `make test ALL=1` about a hundred (of 03, 04, 06 and 16; of the others
about thirty at most, all with different draws), with those cells alone that vary: the answers, their tests, and what
these need. What the other tasks earn is asked of one term.
"""

import ast
import copy
import functools
import os
import re
import zipfile
from pathlib import Path

import pytest
from campaign import GRAPHS
from toy_course import make_course

from minigrad import trace
from minigrad.core.rules import TABLE
from minigrad.native import jit
from minigrad_class import variation
from minigrad_class.variation import FILE, PLAIN_TERM, points_of, replaced, vary
from minigrad_course import cli
from minigrad_course.grading.cells import grade_id, kind, release
from minigrad_course.grading.clean import names_bound
from minigrad_course.grading.make_notebooks import read_exercise, read_rehearsal
from minigrad_course.grading.rehearse import Rehearsal, perform
from minigrad_course.grading.review import complaints_about, review
from minigrad_course.grading.sheet import Sheet
from minigrad_course.grading.wrong_table import read_wrong

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "sources" / "exercises").glob("*/exercise.py"))
VARIED = [source for source in SOURCES if source.with_name(FILE).exists()]
TERMS = [f"{os.environ['MINIGRAD_CAMPAIGN_SEED']}-{k}" for k in range(100 if GRAPHS >= 3_000 else 2)]
MANY, FEW = ("03", "04", "06", "16"), 30  # the others have fewer draws, and one answer of theirs is much like another

each = pytest.mark.parametrize("source", [pytest.param(source, id=source.parent.name) for source in VARIED])


OURS = frozenset(TABLE)


@pytest.fixture(autouse=True)
def rows_in_python(monkeypatch):
    """Python computes the rows that answers make. To compile one takes half a second; test_exercises.py does so."""

    def ufunc(name, expression, inputs, compiled=jit.ufunc):
        return compiled(name, expression, inputs) if name in OURS else jit._python_ufunc(expression, inputs)

    monkeypatch.setattr(jit, "ufunc", ufunc)


def rehearsal_of(variant, folder):
    return read_rehearsal(variant.write(folder))


def answers_of(notebook):
    return {grade_id(cell): cell["source"] for cell in notebook["cells"] if kind(cell) == "solution"}


def points(sheet, outcomes):
    return sum(row.points or 0.0 for row in sheet.rows(outcomes))


def names_read(source):
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def asked_of(source, answer):
    """The tests behind an answer; where its mistakes cost more than these are worth, those of answers that use it."""
    notebook = as_it_stands(source)
    tests, cells = points_of(notebook, [answer]), answers_of(notebook)
    costs = [entry.elts[1].value for entry in entries(source.with_name("wrong.py").read_text(encoding="utf-8"), answer)]
    if max(costs) > sum(tests.values()):
        names = names_bound(cells[answer])
        tests |= points_of(notebook, [one for one in cells if one != answer and names_read(cells[one]) & names])
    return tests


def entries(table, answer):
    """The entries of a wrong.py that are for an answer."""
    return [entry for entry in ast.parse(table).body[-1].value.elts if entry.elts[0].value == answer]


@functools.cache
def needed(source, answer):
    """The cells without which an answer cannot be graded, by their numbers: its tests, and what binds their names."""
    notebook = as_it_stands(source)
    tests, names, kept = asked_of(source, answer), set(), set()
    for number, cell in reversed(list(enumerate(notebook["cells"]))):
        if cell["cell_type"] == "code" and kind(cell) != "plain":
            asked = grade_id(cell) in tests or grade_id(cell) == answer
            if asked or (kind(cell) != "test" and names_bound(cell["source"]) & names):
                names |= names_read(cell["source"])
                kept.add(number)
    return kept


as_it_stands = functools.cache(read_exercise)


def sources_of(variant):
    """The cells of a variant's exercise.py."""
    return [cell.strip("\n") for cell in re.split(r"^# %%.*\n", variant.texts["exercise.py"], flags=re.MULTILINE)[1:]]


def graded_alone(source, variant, answer, folder):
    """One answer's rehearsal, its sheet, and its points. Terms in which the answer is the same share one."""
    cells = [cell for number, cell in enumerate(sources_of(variant)) if number in needed(source, answer)]
    lines = variant.texts["wrong.py"].split("\n")
    table = entries(variant.texts["wrong.py"], answer)
    wrong = ",\n".join("\n".join(lines[entry.lineno - 1 : entry.end_lineno]).rstrip(",") for entry in table)
    return rehearsed(source, answer, tuple(cells), f"WRONG = [\n{wrong}\n]", folder)


@functools.lru_cache(maxsize=128)
def rehearsed(source, answer, cells, table, folder):
    full = copy.deepcopy(as_it_stands(source))
    full["cells"] = [cell for number, cell in enumerate(full["cells"]) if number in needed(source, answer)]
    for cell, text in zip(full["cells"], cells, strict=True):
        cell["source"] = text
    (folder / "wrong.py").write_text(table, encoding="utf-8")
    rehearsal = Rehearsal(source.parent.name, full, read_wrong(folder / "wrong.py", answers_of(full)))
    sheet = rehearsal.sheet(public=False, slips=False)
    solved = sheet.rows(rehearsal.outcomes())
    assert [(row.test, row.feedback) for row in solved if not row.passed] == []
    assert points(sheet, perform(release(full))) == 0
    for entry in rehearsal.wrong:
        rows = sheet.rows(rehearsal.outcomes({answer: entry.source}))
        missed = sum(row.of - (row.points or 0.0) for row in rows)
        assert list(complaints_about(entry, rows, missed, answers_of(full)[answer])) == [], entry.source
    return rehearsal, sheet, sum(row.of for row in solved)


@each
@pytest.mark.parametrize("drawn", [pytest.param(TERMS, id=f"{len(TERMS)} terms")])
def test_a_variant_is_graded_as_the_exercise_is(source, drawn, tmp_path, count):
    if source.parent.name[:2] not in MANY:
        drawn = with_other_draws(source, drawn)[:FEW]
    graded_for(source, drawn, tmp_path)
    count("variants of exercises", len(drawn))


def with_other_draws(source, terms):
    """Those of the terms in which something is drawn that was not drawn for a term before."""
    firsts = {}
    for term in terms:
        firsts.setdefault(vary(source, term).texts["exercise.py"], term)
    return list(firsts.values())


def graded_for(source, drawn, tmp_path):
    """And the answers to the plain exercise lose at least half of the points; of each second term, those to the term
    before it as well."""
    plain = answers_of(as_it_stands(source))
    last = plain
    for number, term in enumerate(drawn):
        before = [drawn[number - 1]] if number % 2 else []
        variant = vary(source, term, before)
        right, of, lost = {}, 0.0, {"plain": 0.0, "last": 0.0}
        for answer in variant.answers:
            rehearsal, sheet, worth = graded_alone(source, variant, answer, tmp_path)
            right |= answers_of(rehearsal.full)
            for name, copied in (("plain", plain), ("last", last if before else plain)):
                lost[name] += worth - points(sheet, rehearsal.outcomes({answer: copied[answer]}))
            of += worth
        assert min(lost.values()) >= of / 2, (term, before, lost)
        last = right


@pytest.mark.thorough
@pytest.mark.turns
@each
def test_all_of_a_variant_is_fit_for_learners(source, tmp_path):
    """The answers that do not vary, too; and as the build reads them."""
    variant = vary(source, TERMS[0])
    rehearsal = rehearsal_of(variant, tmp_path)
    read = zip(rehearsal.full["cells"], sources_of(variant), strict=True)
    assert all(cell["source"] == text for cell, text in read if cell["cell_type"] == "code" and kind(cell) != "plain")
    seen = list(review(rehearsal))
    assert [f"{what} {complaint}" for what, _, complaints in seen for complaint in complaints] == []
    earned = {what: sum(row.points for row in rows) for what, rows, _ in seen}
    assert earned["the solution, all tests"] == sum(row.of for row in seen[0][1])
    assert earned["the empty exercise"] == 0


@each
def test_nothing_changes_without_a_term(source):
    variant = vary(source, PLAIN_TERM)
    assert variant.texts["exercise.py"] == source.read_text(encoding="utf-8")
    assert not variant.answers
    maker = variation._maker(source.with_name(FILE))
    for name, pieces in (("exercise.py", maker.exercise), ("wrong.py", maker.wrong)):
        text = source.with_name(name).read_text(encoding="utf-8")
        assert replaced(text, pieces(maker.PLAIN), pieces(maker.PLAIN), name) == text


@pytest.mark.parametrize("term", TERMS[:3])
def test_the_tables_numbers_are_the_programs(term):
    """Exercises 03 and 04: what stands in the text is what the program computes."""
    for source in VARIED:
        if source.parent.name[:2] in ("03", "04"):
            text = vary(source, term).texts["exercise.py"]
            program = re.search(r"^def program\(x, y\):\n(?:    .*\n)+", text, re.MULTILINE)[0]
            names = {}
            exec(program, names)
            inputs = [float(number) for number in re.search(r"trace\(program, (.*?), (.*?)\)", text).groups()]
            rows = trace(names["program"], *inputs).forward("x")
            lines = re.findall(r"^# \| \d \| `v(\d) = (.*?)` \| (?:\$v_\d = (.*?)\$)?", text, re.MULTILINE)
            assert len(lines) == 5
            for number, expression, value in lines:
                assert f"= {expression}\n" in program or f"return {expression}\n" in program
                assert not value or float(value) == rows[1 + int(number)].primal_value, (term, number)
            assert f"$x = {inputs[0]:g}$, $y = {inputs[1]:g}$" in text


# The maker of variants, with an exercise of two answers.

MAKER = """
ANSWERS = ("double",)
PLAIN = 2
def drawn(random):
    return random.randint(2, 9)
def exercise(p):
    return [f"return {p} * x", f"(double(3), {3 * p}, ", f"(double(-1), {-p}, "]
def wrong(p):
    square = "x * x * x" if p == 3 else "x * x"
    others = [f"x + {3 * p - 2}", f"x + {3 * p - 3}", f"x * {3 * p + 1} / 3", square]
    return [piece for other in others for piece in (f"{p} * x", other)]
def says(p):
    return f"{p} x"
"""


@pytest.fixture
def course(tmp_path):
    """A course of one exercise, `double`, whose factor varies."""
    folder = make_course(tmp_path / "course")
    put(folder)
    return folder


def put(folder, old="", new=""):
    """Write the maker, with a change in it."""
    source = folder / "sources" / "exercises" / "01_doubling"
    (source / FILE).write_text(MAKER.replace(old, new, 1), encoding="utf-8")
    variation._maker.cache_clear()
    return source / "exercise.py"


def test_a_term_gives_the_same_exercise_everywhere(course):
    """On every Python: a term's name is all that the draws come from."""
    source = put(course)
    assert [vary(source, term).says for term in ("2026F", "2027S", "2027F", "2028S")] == ["9 x", "7 x", "7 x", "7 x"]
    assert vary(source, "").says == ""


def test_answers_of_an_earlier_term_do_not_serve(course):
    source = put(course)
    factors = [vary(source, term, ["2026F", "2027S"][:k]).says for k, term in enumerate(["2026F", "2027S", "2027F"])]
    assert len(set(factors)) == 3
    assert "2 x" not in factors


def test_the_course_of_a_term_is_a_course(course, tmp_path, monkeypatch, capsys):
    """Its exercises are graded in it, and packed for students; the course that it was made from stays as it was."""
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    (course / "README.md").write_text("the course")
    monkeypatch.chdir(course)
    assert (
        cli.main(["class", "variants", "--term", "2027S", "--after", "2026F", "--folder", str(tmp_path / "terms")]) == 0
    )
    assert "01_doubling    3 of 4  7 x" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in before} == before
    made = tmp_path / "terms" / "2027S"
    assert made.parent.stat().st_mode & 0o077 == 0
    assert not (made / "sources").exists()
    assert "return 7 * x" in (made / "solutions" / "01_doubling" / "01_doubling.ipynb").read_text(encoding="utf-8")
    assert Sheet.load(made / "exercises" / "01_doubling" / "tests.json").tests["test_double"].hints
    monkeypatch.chdir(made)
    assert cli.main(["class", "course", str(tmp_path / "course.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "course.zip") as packed:
        notebook = packed.read("minigrad/exercises/01_doubling/01_doubling.ipynb").decode()
    assert "double(3), 21" in notebook
    assert "return 7 * x" not in notebook
    for term, message in (("../x", "cannot be a term's name"), ("2027S", "exercise.py is missing")):
        assert cli.main(["class", "variants", "--term", term]) == 2
        assert message in capsys.readouterr().err
