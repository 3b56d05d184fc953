"""A test's outside objects: counters that a submission cannot reach, and values that cost a call each."""

import json
import os

import numpy as np
import pytest

from minigrad import Dual
from minigrad_class import repair, sandbox, split
from minigrad_class.assignment import Assignment
from minigrad_class.plain_values import Unreadable
from minigrad_class.remote_objects import Stand, Things
from minigrad_class.supervise import grade_job
from minigrad_course.grading.exercises import course_folder
from minigrad_course.isolation.limits import Limits

pytestmark = pytest.mark.thorough

SANDBOX = not sandbox.missing()
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="Linux only")

FAIR = """
def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
    return [list(row) for row in zip(*columns)]
"""
ONE_CALL_MORE = FAIR.replace("columns = []\n", "columns = []\n    f([Dual(v, 0.0) for v in x])\n")
ENDS = "return [list(row) for row in zip(*columns)]"
ATTACKS = {
    "one call more": ONE_CALL_MORE,
    "the counter set back": ONE_CALL_MORE.replace(ENDS, "f.calls = len(x)\n    " + ENDS),
    "a copy is called": "import copy\n" + ONE_CALL_MORE.replace("    f([", "    copy.copy(f)(["),
    "the function is taken out": FAIR.replace("columns = []\n", "columns = []\n    f = f._function('f')\n"),
    "the counter is asked for": FAIR.replace("columns = []\n", "columns = []\n    f._function('calls')()\n"),
    "the calls are made, the values guessed": FAIR.replace(ENDS, "return [[8, 6], [2, 2]]"),
    "the wire itself": ONE_CALL_MORE.replace(
        "    f([", "    f._ask({'which': 0, 'name': '__init__', 'arguments': [{}], 'gone': [1]})\n    f(["
    ),
    "a class that says what is wanted": FAIR + """
class Stands:
    calls = property(lambda self: 2)
Counted = lambda f: Stands()
jacobian_columns = lambda f, x: [[0.0] * len(x)] * 2
""",
    "nothing is called": "def jacobian_columns(f, x):\n    return [[8, 6], [2, 2]]",
}  # fmt: skip


@pytest.fixture(scope="module")
def assignment():
    result = Assignment.load("03", course_folder())
    return result


def outcome(assignment, source):
    cells = [c for c in assignment.example(solved=True).cells if c["kind"] != "plain"]
    cells = [c | {"source": source} if c["name"] == "columns" else c for c in cells]
    job = assignment.job(repair.Repaired(cells, {}), Limits(cell=10.0, total=60.0), SANDBOX)
    outcomes = grade_job(job)["outcomes"]
    assert outcomes["test_direction"]["status"] == "ok", "what one test does is no matter of another's"
    return outcomes["test_columns"]


@needs_proc
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_counter_is_set_back(assignment, attack):
    assert outcome(assignment, ATTACKS[attack])["status"] != "ok"


@needs_proc
def test_the_honest_line_is_the_learners_own(assignment):
    assert outcome(assignment, ONE_CALL_MORE)["message"] == "calls of f for two inputs: expected 2, got 3"


KEEPS_ALL = """
def gradient(loop, cap):
    states = [loop.first]
    for t in range(loop.T):
        states.append(KEPT(loop.step(t, states[-1])))
    h_bar, total = np.ones(len(loop.first)), 0
    for t in reversed(range(loop.T)):
        h_bar, share = loop.back(t, states[t], h_bar)
        total = total + share
    BEFORE
    return total
"""
MEMORY = {
    "all states kept": KEEPS_ALL.replace("KEPT", "").replace("BEFORE", "pass"),
    "the peak set back": KEEPS_ALL.replace("KEPT", "").replace("BEFORE", "loop.peak = loop.alive = 0"),
    "copies kept, which nobody counts": KEEPS_ALL.replace("KEPT", "np.array").replace("BEFORE", "pass"),
    "said to be gone": KEEPS_ALL.replace("KEPT", "").replace(
        "    h_bar, total", "    loop.__dict__.get('_gone', []).extend(range(100))\n    h_bar, total"
    ).replace("BEFORE", "pass"),
}  # fmt: skip


@needs_proc
@pytest.mark.parametrize("attack", MEMORY)
def test_states_are_held_where_they_are_counted(attack):
    """A state that is said to be gone is gone: the loop that counts it has it no more."""
    twelve = Assignment.load("12", course_folder())
    cells = [c for c in twelve.example(solved=True).cells if c["kind"] != "plain"]
    cells = [c | {"source": MEMORY[attack]} if c["name"] == "gradient" else c for c in cells]
    outcomes = grade_job(twelve.job(repair.Repaired(cells, {}), Limits(cell=10.0, total=60.0), SANDBOX))["outcomes"]
    assert outcomes["test_cap"]["status"] != "ok"


def test_the_submission_sees_neither_function_nor_count():
    test = split.split("t", "c = outside(Counted(lambda x: 9 * x))\ng = f(c)\ncheck_close(c.calls, 2, 'calls')", {"f"})
    assert test.asked == "c = _outside_()\ng = f(c)\n_ask_(0)"
    made, _, asked = test.judged.split("\n")
    assert made == "c = _outside_(Counted(lambda x: 9 * x))"
    assert asked == "_own_(0, lambda c: c.calls, (c,), check_close, 2, 'calls')"
    assert test.remarks == []


def test_what_only_the_submission_can_count_is_named():
    remarks = {t: test.remarks for t, test in Assignment.load("08", course_folder()).tests.items() if test.remarks}
    assert {name for name, text in remarks.items() if "measures beside" in text[-1]} == {"test_allocates", "test_few"}


def test_functions_that_say_what_is_expected_stay_outside():
    assignment = Assignment.load("12", course_folder())
    remarks = [line for test in assignment.tests.values() for line in test.remarks]
    assert not any("which a submission could call" in line for line in remarks)
    for name in ("back_given", "forward_given", "gradient_given"):
        assert "belongs to the tests" in assignment.asked[name]
    assert "imag" not in assignment.asked["back_given"]


class Loop:
    """Makes states, and knows how many of them somebody still has."""

    def __init__(self):
        self.T, self.first, self.secret = 3, np.zeros(2), np.ones(2)

    def step(self, h):
        return h + 1


def pair(*names):
    things = Things([(Loop(), names)])

    def carry(request):
        request = json.loads(json.dumps(request))  # nothing else crosses the wall
        text = things.call(**request) if "name" in request else things.given(request["which"])
        return json.loads(json.dumps(text))

    return things, Stand(0, carry)


def test_an_array_handed_back_is_the_same_array():
    things, loop = pair("T", "first", "step")
    assert loop.T == 3
    assert not hasattr(loop, "secret")
    h = loop.step(loop.first)
    again = loop.step(h)
    np.testing.assert_array_equal(again, [2, 2])
    held = things.arrays
    assert len(held) == 3
    assert any(np.array_equal(array, h) for array in held.values())
    del h
    loop.step(again)
    assert len(held) == 3, "one is gone, one has come"


def test_only_what_is_named_may_be_used():
    _, loop = pair("step")
    with pytest.raises(Unreadable, match="secret is not to be used"):
        loop._function("secret")()


def test_dual_numbers_cross_the_wall():
    things = Things([(lambda x: [x[0] * x[1]], ())])
    stand = Stand(0, lambda r: things.call(**r) if "name" in r else things.given(r["which"]))
    (product,) = stand([Dual(3.0, 1.0), Dual(4.0, 0.0)])
    assert isinstance(product, Dual)
    assert (product.value, product.tangent) == (12.0, 4.0)
