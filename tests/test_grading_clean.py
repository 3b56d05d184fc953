"""Clean copies: tests use what the author gave, whatever the answers call their own."""

from types import SimpleNamespace

import pytest

from minigrad_course.grading.clean import Guard, shown, told
from minigrad_course.grading.runner import Plain, Runner

GIVEN = """
import math
from math import isclose
from minigrad_course.grading import check_close

def check(got, want):
    if not isclose(float(got), want):
        raise AssertionError(f"expected {want}, got {got}")

def twice(x):
    return add(x, x)

def add(x, y):
    return x + y
"""


class Course:
    """One namespace, as in a notebook, with a locked cell, answers, and tests."""

    def __init__(self, redefined=()):
        self.guard, self.names = Guard(redefined), {"__name__": "__main__"}
        self.given(GIVEN)

    def given(self, source):
        self.guard.before_given(self.names)
        self.answer(source)
        self.guard.after_given(f"given{len(self.guard.defined)}", source, self.names)

    def answer(self, source):
        exec(source, self.names)

    def test(self, source):
        """None where the test passes, else its error."""
        shell = SimpleNamespace(user_module=None, user_ns=self.names, transform_cell=str)
        cells = Runner(shell, self.guard)
        cells.begins("test")
        try:
            exec(source, shell.user_ns)
            return None
        except Exception as caught:
            return str(caught)
        finally:
            cells.ends(source)


RIGHT, WRONG = None, "expected 4, got 3"


@pytest.mark.parametrize(
    "overwriting",
    [
        "def check(*_): pass",
        "isclose = lambda *_: True",
        "float = lambda x: 4.0",
        "AssertionError = lambda text: None",
        "def print(*_): raise KeyError",
        "del check, isclose, math",
        "__builtins__ = {'float': lambda x: 4.0}",
    ],
)
def test_what_answers_redefine_the_tests_do_not_see(overwriting):
    course = Course()
    course.answer(f"def f(x): return 3\n{overwriting}")
    assert course.test("print(end='')\ncheck(f(2), 4)") == WRONG
    course.answer("def f(x): return 4")
    assert course.test("check(f(2), 4)") == RIGHT


def test_answers_keep_the_names_that_they_chose():
    course = Course()
    course.answer("def sum(x): return x + x\ndef f(x): return sum(x)\ndef add(x, y): return 'mine'")
    assert course.test("check(f(2), 4)") == RIGHT
    assert course.test("check(sum([2, 2]), 4)") == RIGHT  # the test's own sum is Python's
    assert course.test("check(twice(2), 4)") == RIGHT  # a helper finds the helpers that it was written with
    assert course.names["add"](1, 1) == "mine"
    assert course.guard.overwritten(course.names) == ["add"]


def test_requested_names_belong_to_the_answers():
    course = Course(redefined=["add", "abs"])
    course.answer("def add(x, y): return 'mine'\ndef abs(x): return 'mine as well'")
    assert course.test("assert add(1, 1) == 'mine'\nassert abs(1) == 'mine as well'") == RIGHT
    assert course.guard.overwritten(course.names) == []


def test_exceptions_without_a_text_get_a_sentence():
    class Mute(Exception):
        def __str__(self):
            raise KeyError

        __repr__ = __str__

    assert told(Mute()) == "(its text cannot be shown: KeyError in its __str__)"
    assert shown(Mute()) == "(a Mute that cannot be shown: KeyError in its __repr__)"
    assert len(told(ValueError("x" * 10**6))) <= 5000
    with pytest.raises(SyntaxError) as caught:
        compile("def f(x)\n  return 1", "<cell>", "exec")
    assert told(caught.value) == "expected ':' (line 1)"


def test_a_cell_has_limited_processor_seconds():
    cells = Runner(Plain(), Guard())
    for source, status in (("time.sleep(0.3)", "ok"), ("while time.monotonic() < end: pass", "timeout")):
        source = f"import time; end = time.monotonic() + 20\n{source}"
        assert cells.run("plain", status, source, limit=60.0, of_processor=0.2).status == status


LEAVES = """
import time
import numpy as np
from minigrad.core import node

node.postponing.set(True)
np.errstate(all="raise").__enter__()
while {endless}:
    time.sleep(0.01)
"""


@pytest.mark.parametrize("endless", [True, False])
@pytest.mark.parametrize("role", ["plain", "solution", "given", "test"])
def test_an_interrupted_cell_leaves_no_state(endless, role):
    cells = Runner(Plain(), Guard())
    outcome = cells.run(role, "first", LEAVES.format(endless=endless), limit=0.2)
    assert outcome.status == ("timeout" if endless else "ok")
    source = "import numpy as np; from minigrad.core import node; (np.geterr()['divide'], node.postponing.get())"
    assert cells.run("solution", "second", source, limit=5.0).value == "('warn', None)"
