"""Hints of learners under a failed test: for their number, for an error, and for the slips that end the same way.

And lists of answers. In sources/exercises/*/wrong.py are the mistakes that an author foresaw (test_exercises.py).
Those in strangers.py were written by people who did not look there: none may pass, and their writers read what helps.
Those in right_answers.py are right, and unlike the solution: all pass.
"""

import ast
import functools
from pathlib import Path

import numpy as np
import pytest
from campaign import PART, PARTS
from right_answers import RIGHT
from strangers import ANSWERS

import minigrad as mg
from minigrad_course.grading import error_words, likeness, rehearse
from minigrad_course.grading import slips as slips_
from minigrad_course.grading.cells import grade_id, kind
from minigrad_course.grading.checks import Mismatch, check_close
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.exercises import find
from minigrad_course.grading.make_notebooks import read_rehearsal
from minigrad_course.grading.outcome import HIDDEN_LINE, Outcome
from minigrad_course.grading.places import ELSEWHERE, RAISED
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.runner import Plain, Runner
from minigrad_course.grading.sheet import NEAR, SMALLEST, Entry, advice, changed, ratio, same_comes_out, symptom
from minigrad_course.grading.slips import is_telling
from minigrad_course.grading.wrong_table import read_wrong, replaced, without_markers

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TABLE = np.array([[1.5, 2.0, 3.25], [4.0, 5.5, 7.0]])
SQUARE = TABLE[:, :2]
ROW = np.array([1.0, 2.5, 4.0, 8.0])


@functools.cache
def rehearsal_of(name):
    return read_rehearsal(ROOT / "sources" / "exercises" / name / "exercise.py")


class Equal:
    """Without a hash, as a @dataclass."""

    __eq__ = object.__eq__


@pytest.mark.parametrize(
    ("act", "line"),
    [
        (lambda: {Equal()}, "unhashable type: 'Equal'"),
        (lambda: {Equal(): 1}, "unhashable type: 'Equal'"),
        (lambda: {1: 1}[Equal()], "unhashable type: 'Equal'"),
        (lambda: {}.get(ROW), "unhashable type: 'numpy.ndarray'"),
        (lambda: set().add([]), "unhashable type: 'list'"),
        (lambda: [0 for one, two in [(1, 2, 3)]], "too many values to unpack (expected 2)"),
        (lambda: [0 for one, two in [{1: 1, 2: 2, 3: 3}]], "too many values to unpack (expected 2)"),
        (lambda: [0 for one, two in [range(5)]], "too many values to unpack (expected 2)"),
    ],
)
def test_errors_read_alike_in_every_python(act, line):
    with pytest.raises((TypeError, ValueError)) as caught:
        act()
    assert error_words.everywhere(str(caught.value)) == line
    assert symptom(Outcome("error", type(caught.value).__name__, str(caught.value))) == f"{caught.typename}: {line}"


@pytest.mark.parametrize("divide", [lambda x: x / 0, lambda x: x // 0, lambda x: x % 0, lambda x: divmod(x, 0)])
@pytest.mark.parametrize("x", [1, 1.0])
def test_divisions_by_zero_read_alike_everywhere(divide, x):
    with pytest.raises(ZeroDivisionError) as error:
        divide(x)
    assert (
        symptom(Outcome("error", "ZeroDivisionError", str(error.value))) == "ZeroDivisionError: float division by zero"
    )


def mismatch(got, expected, tolerance=1e-9):
    with pytest.raises(Mismatch) as caught:
        check_close(got, expected, "here", tolerance)
    return str(caught.value)


@pytest.mark.parametrize(
    ("got", "expected", "note"),
    [
        (TABLE.T, TABLE, "it is the transpose of what is expected"),
        (SQUARE.T, SQUARE, "it is the transpose of what is expected"),
        (-TABLE, TABLE, "the sign of every entry is the opposite"),
        (-1.5, 1.5, "the sign is the opposite"),
        (2 * TABLE, TABLE, "every entry is twice what is expected"),
        (TABLE / 2, TABLE, "every entry is half of what is expected"),
        (0.3 * TABLE, TABLE, "every entry is 0.3 times what is expected"),
        (2.5, 1.25, "that is twice what is expected"),
        (TABLE + 1, TABLE, "every entry is 1 too large"),
        (0 * TABLE, TABLE, "all are 0"),
        (ROW[::-1], ROW, "the right numbers, in reverse order"),
        (np.roll(ROW, 1), ROW, "the right numbers, moved on by one place"),
        (np.append(0, ROW[:-1]), ROW, "nearly all numbers are right, but one place too late"),
        (ROW[[1, 0, 3, 2]], ROW, "the right numbers, in another order"),
        (TABLE[::-1], TABLE, "the two rows are swapped"),
        (TABLE[::-1, ::-1], TABLE, "it is rotated by half a circle"),
        (np.cumsum(ROW), ROW, "each entry has all entries before it added"),
        (np.trunc(TABLE), TABLE, "all digits after the point are lost: is it an array of integers?"),
        (1 / TABLE, TABLE, "that is 1 divided by each expected entry"),
        (0.8, 1.25, "that is 1 divided by what is expected"),
        (TABLE**2, TABLE, "that is the square of each expected entry"),
        (1.5, 2.25, "that is the square root of what is expected"),
        (np.abs(TABLE - 3.9), TABLE - 3.9, "the sizes are right, but not all signs"),
        (12, 12.25, "the digits after the point are lost"),
        (ROW[:, None], ROW, "the numbers are right, only the shape is not"),
        (ROW.sum(), ROW, "the number is their sum"),
        (2.0, np.array([1.0, 1.0, 4.0]), "the number is their mean"),
        (ROW[:-1], ROW, "1 entry too few"),
        (TABLE[0], TABLE, "it is the first row of it"),
        (np.array([TABLE, TABLE - TABLE]), TABLE, "its sum over the first axis would be right"),
        (np.where(np.arange(4) == 3, 0, ROW), ROW, "all other entries are right"),
        (0.33, 1 / 3, "rounded to 2 digits after the point"),
        (1.00000001 * ROW, ROW, "nearly right, but not exactly: is it computed approximately"),
        (np.nan * ROW, ROW, "nan means"),
        (ROW + np.inf, ROW, "inf means"),
        ({"a": 2.5, "b": 1.5}, {"a": 1.5, "b": 2.5}, "that is what b should be"),
        ({"a": 1.5, "b": 9.0, "c": 0.5}, {"a": 1.5, "b": 2.5, "c": 0.5}, "all others are right"),
        ({"a": 0, "b": 0, "c": 0}, {"a": 1.5, "b": 2.5, "c": 0.5}, "all are 0"),
        ({"x": 1.5}, {"a": 1.5}, "it has x"),
        (mg.Dual(1.0, 2.0), 2, "a dual number: one of its parts"),
        (mg.Variable(2.0), 2, "a node: the numbers are in its .value"),
        (len, 2, "a function that was not called"),
        ((n for n in ROW), ROW, "a generator: put list(...) around it"),
        ("2", 2, "this is text"),
        ([1.0, None], [1.0, 2.0], "it holds None"),
        (None, 2, "is a `return` missing?"),
    ],
)
def test_a_relative_of_the_right_answer_is_recognized(got, expected, note):
    with np.errstate(all="ignore"):
        assert note in mismatch(got, expected)


def test_what_is_no_relative_gets_no_note():
    assert mismatch(7.0, 3.0) == "here: expected 3, got 7"
    assert mismatch([7.0, 1.0], [3.0, 4.0]) == "here, entry 0: expected 3, got 7"


def test_as_many_digits_are_shown_as_differ():
    assert mismatch(2.00000001, 2).startswith("here: expected 2, got 2.00000001")
    assert mismatch(np.nextafter(2.0, 3.0), 2, 0).startswith("here: expected 2, got 2.0000000000000004")
    assert mismatch(0.1, 0.25) == "here: expected 0.25, got 0.1"
    assert mismatch(False, True) == "here: expected True, got False"
    assert mismatch(np.True_, 0) == "here: expected 0, got True"


def test_a_sum_of_shares_is_recognized():
    assert likeness.of_sum(-6.5, [4.5, 2.0]) == "the sign is the opposite"
    assert likeness.of_sum(4.5, [4.5, 2.0]) == "one share is missing"
    assert likeness.of_sum(2.5, [4.5, 2.0]) == "one share has the wrong sign"
    assert likeness.of_sum(1.0, [1.0, 2.0, 7.0]) == "that is one share alone"
    assert likeness.of_sum(99.0, [1.0, 2.0]) == ""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("None * 2", "ended without `return`"),
        ("None.x", "ended without `return`"),
        ("[1] * 2.0", "A list takes part in arithmetic"),
        ("len - 1", "A function itself takes part"),
        ("(3)(4)", "Brackets () stand behind something of type int"),
        ("3[0]", "[] stands behind something of type int"),
        ("[1, 2][5]", "An index runs past the end"),
        ("[1, 2][0.5]", "its place belongs"),
        ("{'a': 1}['b']", "The dict has no entry 'b'"),
        ("nowhere", "Python knows no `nowhere`"),
        ("(lambda x: x)()", "other arguments than it takes"),
        ("a, b = 3", "One thing came"),
        ("a, b = 1, 2, 3", "Another number of things"),
        ("(2.0).tangent", "Something of type float has no `.tangent`"),
        ("1 / 0", "divided by 0"),
        ("np.ones(2) @ np.ones(3)", "do not fit together"),
        ("np.ones(2) + np.ones(3)", "do not fit together"),
        ("np.ones(6).reshape(4, 2)", "do not fill such a shape"),
        ("bool(np.ones(2))", "got a whole array"),
        ("z = np.zeros(2, int)\nz += 0.5", "An array of integers cannot take fractions"),
        ("np.linalg.inv(np.zeros((2, 2)))", "The matrix has no inverse"),
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # Python's own opinion of such code
def test_pythons_own_errors_are_put_into_words(code, words):
    with pytest.raises(Exception) as caught:
        exec(code, {"np": np})
    assert words in error_words.in_words(type(caught.value).__name__, str(caught.value))


def shell_with(locked, **answers):
    """A runner that has run a locked cell, and answers by their names."""
    shell = Runner(Plain(), Guard())
    assert shell.run("given", "given", locked, 5.0).status == "ok"
    for name, source in answers.items():
        assert shell.run("solution", name, source, 5.0).status == "ok"
    return shell


def stopped(answer, test="f(np.arange(6.0).reshape(2, 3), np.arange(2), 2)"):
    """Run an answer and a test that ends in an error. Returns the place that the outcome names."""
    locked = "import numpy as np\nimport minigrad as mg\ndef pick(x, k):\n    return x[k]\n"
    outcome = shell_with(locked, f=answer).run("test", "test_f", test, 5)
    assert outcome.status == "error"
    return outcome.place


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("x[k, 0]", "It stops at `x[k, 0]`, where x is of shape (2, 3) and k is 2."),
        ("x * y", "It stops at `x * y`, where x is of shape (2, 3) and y is of shape (2,)."),
        ("x[:, k - 2:] + y", "It stops at `x[:, k - 2:] + y`, where x[:, k - 2:] is of shape (2, 3), y is of shape "
         "(2,), x is of shape (2, 3) and k is 2."),
        ("{'a': 1, 'b': 2}[k]", "It stops at `{'a': 1, 'b': 2}[k]`, where k is 2."),
        ("k.tangent", "It stops at `k.tangent`, where k is 2."),
        ("[k, None][1] + 1", "It stops at `[k, None][1] + 1`, where k is 2."),
        ("mg.Variable(x) @ x", "It stops at `mg.Variable(x) @ x`, where x is of shape (2, 3)."),
        ("pick(x, k)", "It stops at `pick(x, k)`, where x is of shape (2, 3) and k is 2."),
        ("1 / (k - 2.0)", "It stops at `1 / (k - 2.0)`, where k is 2."),
        ("f(x, y, k)", ""),
        ("[row[k] for row in [(1, 2, 3), (4,)]]", "It stops at `row[k]`, where k is 2."),
        ("{k: row[k] for k, row in enumerate([(1, 2, 3), (4,)])}", "It stops at `row[k]`."),
        ("pick([k for k in range(9)], (lambda x: x)(12))",
         "It stops at `pick([k for k in range(9)], (lambda x: x)(12))`."),
        ("sum(row[k] for row in [(1, 2, 3), (4,)])",
         "It stops at `row[k]`, where row is a tuple of 1 entry and k is 2."),
    ],
)  # fmt: skip
def test_an_error_in_an_answer_shows_its_line(body, place):
    source = f"def f(x, y, k):\n    return {body}"
    if hasattr(stopped.__code__, "co_positions"):  # from Python 3.11 on; before that, the whole line
        assert stopped(source) == place
    else:
        assert (not place and stopped(source) == "") or stopped(source).startswith("It stops at `return ")


def test_the_learners_own_error_is_no_stopped_line():
    assert stopped("def f(x, y, k):\n    raise KeyError('no k')") == f"{RAISED}`raise KeyError('no k')`."
    assert stopped("def f(x, y, k):\n    return 1", "a, b = f(1, 2, 3)") == ELSEWHERE
    assert stopped("def f(x):\n    return 1", "f(1, 2, 3)") == ""
    assert stopped("def f(x):\n    return 1", "pick([1], g)") == ""
    assert (
        stopped("def f(x):\n    return x[0]", "f(pick([[]], 0))")
        == "It stops at `x[0]`, where x is a list of 0 entries."
    )
    own = Outcome("error", "KeyError", "'no k'", place=f"{RAISED}`raise KeyError('no k')`.")
    assert Entry(1, False, "", "advice").hint(own) == f"{own.place} advice", "Python's own meaning is not this one's"


@functools.cache
def slips(source):
    """All slips of a function, made once for the tests that look for one of them."""
    return tuple(slips_.slips(source))


SOURCE = '''def f(a, b):
    """Docstring."""
    total = 0.0
    for k in range(1, len(a)):
        total += a[k] * abs(b) / (2 * b) - a[k - 1]
    return total, b
'''


def test_slips_change_one_thing_at_a_time():
    made = dict(slips(SOURCE))
    expected = {
        "with + and - exchanged",
        "with `abs` left out",
        "with brackets left out",
        "with the results in another order",
        "when a loop ends one step too early",
        "with an intermediate result in place of another value",
        "with one factor of a product left out",
    }
    assert expected <= made.keys()
    for source in made.values():
        names = {}
        exec(source, names)
        assert callable(names["f"])
    sources = [source for _, source in slips(SOURCE)]
    assert len(sources) == len(set(sources)) > 30


LOOPS = '''def f(rows, picture):
    """Docstring."""
    total = 0.0
    rows = abs(rows)
    for row in rows:
        part = 0.0
        for k in range(len(row)):
            part = part + row[k:k + 2].sum()
        total = total + part
    return total * picture.shape[0] / len(rows)
'''

PARTS_OF_A_LINE = """def f(rows, k):
    made = []
    for row in rows:
        made.append(2 * k * row.T)
    for n in range(k):
        made[n] = made[n] + float(n)
    return made, k
"""

SEVERAL = """def f(rows, k):
    part, share = abs(rows).sum(axis=1, keepdims=True), 2 * rows.max(axis=1)
    for a in range(k):
        for b in range(k):
            part = part + abs(rows[a, b]) * share[a]
    return {"part": part, "share": [share[b] for b in share if b > k]}
"""

FORMS = """def f(x, y, n):
    s = 1 / (1 + np.exp(-x))
    slope, bend, rest = s * (1 - s), 1 - y * y, x[1:n]
    for a, b in zip(x, y):
        rest = rest + a * b
    for k in range(n):
        for i in range(k):
            slope = slope + bend
    for k, p in enumerate(x):
        rest = rest[::-1] + k * p
    total = sum([p * q for p, q in zip(x, y) if p > 0 and not q])
    made = np.where(x, y, np.zeros(3))
    return {"one": total * y + n, "two": made, "three": list(x)}
"""

# Of each source: a kind of slip, and a line (or lines) of what it makes.
SLIPS = {
    LOOPS: [
        ("when the last line of a loop stands after it", "part + row[k:k + 2].sum()\n        total = total + part"),
        ("with two lines in the other order", "    rows = abs(rows)\n    total = 0.0"),
        ("when an intermediate result is returned", "return part"),
        ("with an intermediate result in place of another value", "total = total + total"),
        ("with the size of the other axis", "picture.shape[1]"),
    ],
    PARTS_OF_A_LINE: [
        ("with two factors of a product left out", "made.append(2)"),
        ("with a list that is made anew in every round", "made = [2 * k * row.T]"),
        ("when a loop leaves the first one out", "for row in list(rows)[1:]"),
        ("when a loop leaves the last one out", "for row in list(rows)[:-1]"),
        ("with the same entry in every round", "made[0] = made[n] + float(n)"),
        ("with `k` where another name belongs", "made[n] + float(k)"),
        ("when only the last result is returned", "return k"),
    ],
    SEVERAL: [
        ("with `b` where another name belongs", ["share[b]\n"]),
        ("with `a` where another name belongs", ["rows[a, a]"]),
        ("with an intermediate result in place of another value", ["part[a]"]),
        ("with an intermediate result in place of another value", ["[part[b] for b in share"]),
    ],
    FORMS: [
        ("with * in place of +", "1 / (1 * np.exp(-x))"),
        ("with + in place of *", "rest + (a + b)"),
        ("with one factor that stands twice", "rest + a * b * a"),
        ("with brackets around too much", "total * (y + n)"),
        ("with brackets around too much", "(rest + a) * b"),
        ("when `return` stands inside the loop, so that the first round is the last", "rest + a * b\n        return\n"),
        ("with a condition turned round", "p > 0 and q]"),
        ("when a loop leaves the last one out", "in list(zip(x, y))[:-1] if"),
        ("with a minus sign too many", "np.where(x, -y, np.zeros(3))"),
        ("with two entries of a dict exchanged", "{'one': made, 'two': total * y + n,"),
        ("with `x` and `n` exchanged throughout", "'one': total * y + x, 'two': made, 'three': list(n)}"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("source", "kind", "lines"), [(source, *row) for source, rows in SLIPS.items() for row in rows], ids=lambda _: ""
)
def test_a_slip_changes_one_thing(source, kind, lines):
    """A right line stands where it does not belong, a part is left out, a name is taken for another, or the right parts
    are put together in another way."""
    lines = [lines] if isinstance(lines, str) else lines
    assert [made for what, made in slips(source) if what == kind and all(line in made for line in lines)], kind


def test_a_slip_divides_by_each_known_count():
    made = [source for what, source in slips("def f(x, y):\n    return x\n") if "number of entries" in what]
    assert [source.split("return ")[1] for source in made] == ["x / len(x)", "x / len(y)"]


@pytest.mark.parametrize(("axis", "other"), [("0", ["x.sum(axis=1)"]), ("1", ["x.sum(axis=0)"]), ("None", [])])
def test_an_axis_is_taken_for_the_other_one(axis, other):
    assert [made for kind, made in slips(f"x.sum(axis={axis})") if kind == "along the other axis"] == other


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            ["a: expected 2, got 3", "+ b, n = 4: expected -0.5, got -0.75 (all)", "c: expected 1, got 7"],
            "2 checks your number is 1.5 times",
        ),
        (["a: expected 2, got 2.82843", "b: expected 10, got 14.1421"], "1.414 (the square root of 2) times"),
        (["a: expected 2, got 3"], ""),
        (["a: expected 2, got -2", "b: expected 4, got -4"], ""),  # likeness.py says so
        (["a: expected 2, got 3", "b: expected 2, got 3"], ""),  # the same check again says nothing new
        (["a: expected 2, got 3", "b: expected 4, got 7"], ""),
        (["a: expected 0, got 3", "b: expected 4, got 7"], ""),
        (["a: expected 2, got [3]", "b: expected 4, got 6"], ""),
    ],
)
def test_a_factor_that_all_numbers_have_is_named(lines, words):
    outcome = Outcome("error", "Mismatch", lines[0], also=tuple(lines[1:]))
    text = ratio(outcome)
    assert words in text if words else text == ""
    assert Entry(1.0, False, "", advice="look").hint(outcome) == f"{text} look".strip()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("the array that was given, afterwards, entry 0: expected 3, got 1", True),
        ("x after the call (is it still the same?), entry 0: expected -2, got 4", True),
        ("f, with plain inputs, it changes x (as in f(x=[1])): x is [2] afterwards; seed 3", True),
        ("the slope: expected 3, got 1 (afterwards)", False),
        ("f, with plain inputs (as in f(x=[1])): expected 3, got 1; seed 3", False),
    ],
)
def test_an_argument_changed_in_place_is_named(line, named):
    hint = Entry(1.0, False, "", advice="look").hint(Outcome("error", "Mismatch", line))
    sentence = changed(Outcome("error", "Mismatch", line))
    assert sentence.startswith("What was handed to your function has changed") == named
    if "seed" in line:
        assert hint == f"{sentence} {SMALLEST}".strip()
    else:
        assert hint == (sentence or "look"), "the advice of a test is about its numbers"


@pytest.mark.parametrize(
    ("lines", "most"),
    [
        ("h: expected 2, got 4", 3),
        ("h: expected 2, got 0", 0),
        ("h: expected 2, got 0\ni: expected 3, got 1 (the other entry is right)\nj: expected 5, got -1", 1),
        ("h: expected True, got False\ni: expected False, got True", 0),
        ("h: expected 2, got inf\ni: expected 2, got inf\nj: expected 2, got nan", 1),
        ("h, entry 0: expected 2, got 0 #0f0f0f0f", 3),
        ("h: expected an array of shape (2, 3), got an array of shape (3,)", 3),
        ("h: expected an array of shape (3,), got a single number (the number is their sum)", 3),
        ("h: expected an array of shape (3,), got a single number\n" * 4, 0),
        ("h: expected list of length 2, got None (is a `return` missing?)\n" * 4, 0),
        ("h: expected list of length 2, got ndarray of length 2\n" * 4, 0),
        ("step(3, h): expected a state that the loop made, got an array of your own\n" * 4, 0),
        ("h: x is missing (it is empty)\n" * 4, 0),
        ("h: expected the cheaper one, got reverse; forward mode costs 3, reverse mode 2\n" * 4, 0),
        ("h: c is missing\ni: c is missing (it has a, b)", 3),
        ("h: expected 'v1 = x * y', got 'v1 = '", 3),
        ("A, the adjoint of v4: -3 is not the sum of the shares from the rows below", 3),
    ],
)
def test_a_slip_is_named_for_numbers(lines, most):
    """Of 0, 1, True and the like it takes three, and a single kind of slip with which they come out."""
    assert max([0, *(kinds for kinds in (1, 2, 3) if is_telling(f"Mismatch: {lines}".strip(), kinds))]) == most


def test_a_hint_is_preferred_to_a_slip():
    entry = Entry(
        1, False, "", "Look again.", hints={"Mismatch: a": "You did b."}, slips={"Mismatch: c": {"with d": ""}}
    )
    assert entry.hint(Outcome("error", "Mismatch", "a")) == "You did b."
    assert entry.hint(Outcome("error", "Mismatch", "c")) == f"{same_comes_out(['with d'])} Look again."
    assert entry.hint(Outcome("error", "Mismatch", "e")) == "Look again."
    assert entry.hint(Outcome("error", "ZeroDivisionError", "")).endswith("Look again.")


def ended(test, answer="def f(x):\n    return x + 1"):
    """Return the outcome of a test for a function whose result is one too large, or for another answer."""
    return shell_with("from minigrad_course.grading import check_close", f=answer).run("test", "test_f", test, 5.0)


def test_a_test_goes_on_after_a_failed_check():
    outcome = ended("""
check_close(f(1), 1, "at 1")
for x in (2, 3):
    check_close(f(x), x, "at two places")
check_close(f(4), 5, "right")
check_close(
    f(0), 1e-9,
    "at 0", 1e-12,
)
1 / 0
check_close(f(5), 5, "after an error")
""")
    assert outcome.message == "at 1: expected 1, got 2"
    assert outcome.also == ("at two places: expected 2, got 3", "at 0: expected 1e-09, got 1", "ZeroDivisionError")
    assert symptom(outcome).split("\n") == [
        f"Mismatch: {outcome.message}",
        "at two places: expected 2, got 3",
        "at 0: ",  # rounding errors, which are others on another machine, are left out
        "ZeroDivisionError",
    ]
    assert ended("1 / 0\ncheck_close(f(5), 5)").also == ()


TRUE, FALSE = ["got True", "at 3, got 0", "x"], ["got False", "b", "x"]


def test_a_hint_is_given_where_most_lines_agree():
    entry = Entry(
        1,
        False,
        "",
        "Look again.",
        hints={
            "Mismatch: a\nb\nc": "B and C.",
            "Mismatch: a\nd": "D.",
            "Mismatch: e\nf": "F.",
            "Mismatch: e\ng": "G.",
            "Mismatch: expected 2, got 1\nb": "Poor.",
            "Mismatch: got True\nat 3, got 0": "Poor as well.",
            "Mismatch: got False\nb": "One line of two.",
        },
        slips={"Mismatch: a\nb": {"with c": ""}},
    )
    text = {
        "".join(lines): entry.hint(Outcome("error", "Mismatch", lines[0], also=lines[1:]))
        for lines in ("abc", "ad", "abx", "ab", "axyz", "ade", "adxyz", "e", "a", ["expected 2, got 1"], TRUE, FALSE)
    }
    assert text == {
        "abc": "B and C.",
        "ad": "D.",
        "abx": f"{NEAR}B and C. Look again.",  # most of it
        "ab": f"{same_comes_out(['with c'])} Look again.",  # all of it
        "axyz": "Look again.",
        "ade": f"{NEAR}D. Look again.",
        "adxyz": f"{NEAR}D. Look again.",
        "e": "Look again.",  # as near to one as to the other
        "a": f"{NEAR}D. Look again.",
        "expected 2, got 1": "Look again.",  # too many mistakes end with a 1
        "".join(TRUE): "Look again.",  # nor do two such lines say more
        "".join(FALSE): f"{NEAR}One line of two. Look again.",
    }


def test_all_numbers_tell_mistakes_apart():
    """The line names one number; its mark stands for all, where two or more are wrong."""
    want = np.array([1.0, 2.0, 3.0])

    def seen(*numbers, expected=want):
        with pytest.raises(Mismatch) as caught:
            check_close(numbers if expected is want else numbers[0], expected, "here")
        return symptom(Outcome("error", "Mismatch", str(caught.value), mark=caught.value.mark))

    assert seen(2, 3, 4.5) != seen(2, 3, 5.5)
    assert seen(2, 3, 4.5) == seen(2, 3 + 1e-12, 4.5 - 1e-12), "what rounding leaves makes no difference"
    assert seen(2, 0, 1e-17) == seen(2, 0, -1e-16)
    assert "#" not in seen(1, 2, 7), "the line says all of it"
    assert "#" not in seen(7, expected=3.0)
    named = {"a": 1.0, "b": 2.0, "c": 3.0}
    assert seen({"a": 2.0, "b": 2.0, "c": 4.0}, expected=named) != seen({"a": 2.0, "b": 2.0, "c": 5.0}, expected=named)
    lines = ["f: expected 2, got 3", "g: expected 2, got 3 #12345678"]
    entry = Entry(1, False, "", "Look again.", hints={f"Mismatch: {lines[0]} #0000abcd\n{lines[1]}": "You did b."})
    marks = {
        mark: entry.hint(Outcome("error", "Mismatch", lines[0], also=lines[1:], mark=mark))
        for mark in ("0000abcd", "1")
    }
    assert marks == {"0000abcd": "You did b.", "1": f"{NEAR}You did b. Look again."}
    alone = Entry(1, False, "", "Look again.", hints={f"Mismatch: {lines[0]} #0000abcd": "You did b."})
    assert alone.hint(Outcome("error", "Mismatch", lines[0], mark="1")) == "Look again.", "nothing else agrees"


def test_the_lines_of_all_tests_decide_between_mistakes():
    shown = "a: expected 1, got 2"
    hidden = [f"{HIDDEN_LINE}{name}: expected 1, got 2" for name in "bcdefgh"]
    public = Entry(1, False, "", hints={f"Mismatch: {shown}": "You did b."})
    known = {"\n".join([f"Mismatch: {shown}", *hidden]): "You did b."}
    entry = Entry(1, True, "", "Look again.", hints=known, public=public)

    def hint(*also, of=entry):
        return of.hint(Outcome("error", "Mismatch", shown, also=also))

    assert hint(*hidden) == "You did b."
    assert hint(*hidden[:2]) == "Look again.", "too few of the lines with which that mistake ends"
    assert hint(*hidden[:2], of=Entry(1, True, "", "Look again.", public=public)) == "You did b.", "not known there"


@pytest.mark.turns
@pytest.mark.parametrize("what", RIGHT)
def test_an_unusual_answer_that_is_right_earns_everything(what):
    exercise, answer, source = RIGHT[what]
    for test, outcome in perform(rehearsal_of(exercise).full, {answer: source}).items():
        assert (outcome.status, outcome.message) == ("ok", ""), test


@functools.cache
def sheet_of(exercise):
    return find([exercise], ROOT)[0].sheet(full=True)


@functools.cache
def answers_of(exercise):
    return {grade_id(c): c["source"] for c in rehearsal_of(exercise).full["cells"] if kind(c) == "solution"}


@pytest.mark.parametrize("exercise", ANSWERS)
def test_no_stranger_stands_in_the_table(exercise):
    """Answers of the table are asked by test_exercises.py; the strangers say what becomes of all others."""
    answers = answers_of(exercise)
    table = read_wrong(ROOT / "sources" / "exercises" / exercise / "wrong.py", answers)
    foreseen = [(wrong.replaces, wrong.source) for wrong in table]
    strangers = [(a, replaced(without_markers(answers[a]), old, new)) for a, old, new, _ in ANSWERS[exercise]]
    seen = set()
    for number, (answer, source) in enumerate([*foreseen, *strangers]):
        code = answer, ast.dump(ast.parse(source))
        assert number < len(table) or code not in seen, f"{answer} is there already:\n{source}"
        seen.add(code)


@pytest.mark.parametrize("exercise", ANSWERS)
def test_what_strangers_write_does_not_pass(exercise, monkeypatch):
    """None passes, none is told of a mistake that it did not make, and half of them read what theirs is.

    (Of 687 from which some of these come, more than four of five did. Those that did not are more than their share
    here.) The middle tier asks a third, in each run others.
    """
    monkeypatch.setattr(rehearse, "LIMIT", 5.0)
    sheet = sheet_of(exercise)
    asked = ANSWERS[exercise][PART::PARTS]
    unhelped, named = [], 0
    for answer, old, new, helps in asked:
        source = replaced(without_markers(answers_of(exercise)[answer]), old, new)
        ended = perform(
            rehearsal_of(exercise).full, {answer: source}, lambda name, o: o.status != "ok" or bool(o.message)
        )
        failed = [row for row in sheet.rows(ended, {answer: source}) if not row.passed]
        if not failed:
            unhelped.append(f"{answer}: {source}: all points")
            continue
        row, outcome = failed[0], ended[failed[0].test]
        words = outcome.place, error_words.in_words(outcome.error, outcome.message), sheet.tests[row.test].advice
        general = " ".join(filter(None, words))
        is_general = row.hint in (general, SMALLEST)
        named += not is_general
        if helps not in f"{row.feedback} {row.hint}" or (not helps and not is_general):
            unhelped.append(f"{answer}: {source}: {helps!r} is not in {row.feedback!r} {row.hint!r}")
    assert unhelped == []
    assert PARTS > 1 or named >= 0.5 * len(asked), f"{named} of {len(asked)}"


@pytest.mark.parametrize(
    ("built", "met"),
    [
        ("At <network>, line 2", "At line 2 of your cell: `return x @ W1`"),
        ("At <test_row>, line 3", "At line 7 of your cell: `row(0)`"),
    ],
)
def test_a_hint_is_found_at_any_line(built, met):
    """The build runs cells under their names, a notebook under numbers."""
    text = "matmul cannot take float64 of shape (2, 3). The inner sizes must be equal."
    assert symptom(Outcome("error", "ValueError", f"{text} {built}")) == f"ValueError: {text}"
    assert symptom(Outcome("error", "ValueError", f"{text} {met}")) == f"ValueError: {text}"


def test_what_a_sheet_makes_of_an_outcome():
    """Endless recursion ends with other words on each machine, and is known by its name; a known line has its hint; in
    a line is no address, which is another one in each run."""
    assert symptom(Outcome("error", "Mismatch", "expected 1, got 2")) == "Mismatch: expected 1, got 2"
    first, second = (symptom(Outcome("error", "TypeError", f"<f at 0x7f{end}>")) for end in ("00", "ff"))
    assert first == second
    for where in ("", " 1", " in f"):
        assert (
            symptom(Outcome("error", "RecursionError", f"maximum recursion depth exceeded{where}")) == "RecursionError"
        )
    assert symptom(Outcome("timeout")) == "timeout"
    for outcome in (Outcome("ok"), Outcome("dead"), Outcome("error", "NotImplementedError")):
        assert symptom(outcome) is None
    entry = Entry(
        1.0, False, "", advice="look again", hints={"ValueError: no": "the hint"}, slips={"ValueError: no": {}}
    )
    assert entry.hint(Outcome("error", "ValueError", "no")) == "the hint"


def test_the_advice_of_a_test_ends():
    source = "# A test.\n# Stuck? Look at x,\n# then at y.\nassert x\n# not this"
    assert advice(source) == "Look at x, then at y."
