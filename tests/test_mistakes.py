"""Errors in a notebook: ours in a sentence with the learner's line, all others as IPython shows them."""

import io
import re
import subprocess
import sys
import traceback
from contextlib import redirect_stdout

import pytest

from minigrad_course import mistakes
from minigrad_course.grading.checks import Mismatch
from minigrad_course.measure import magic

PLAIN = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def shell(monkeypatch):
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.run_cell("import minigrad as mg, numpy as np")
    magic.load_ipython_extension(shell)
    mistakes.tell_in_words(shell)
    yield shell
    shell.history_manager.end_session()


def say(shell, cell):
    """Return a cell's output, and the error that its kernel reports."""
    with redirect_stdout(io.StringIO()) as text:
        result = shell.run_cell(cell)
    return PLAIN.sub("", text.getvalue()).strip().splitlines(), result.error_in_exec


def test_an_error_of_ours_is_its_sentence(shell):
    shown, error = say(shell, "x = mg.Variable(1.0)\ny = 2\nx if x > 0 else -x")
    assert isinstance(error, TypeError)
    assert shown[0] == f"TypeError: {error}"
    assert "x if x > 0 else -x" in "\n".join(shown)
    assert "minigrad/" not in "\n".join(shown)
    assert len(shown) <= 3
    assert "%tb" in shown[-1]


def test_a_failed_check_is_one_line(shell):
    """The line of the check is none of the learner's, and the way through our source leads nowhere."""
    words = "from minigrad_course.grading import check_close\ncheck_close(2.0, 3, 'f at 1')"
    shown, error = say(shell, words)
    assert isinstance(error, Mismatch)
    assert shown == ["✗ f at 1: expected 3, got 2"]


def test_endless_recursion_is_a_sentence(shell, monkeypatch):
    """Which IPython formats twice, to show and to keep them: two seconds of the processor."""
    monkeypatch.setattr(shell.InteractiveTB, "structured_traceback", None)
    shown, error = say(shell, "def f(x):\n    return f(x)\n\nf(3)")
    assert isinstance(error, RecursionError)
    assert shown[0] == "RecursionError: `f` calls itself without end, or once for each step of a long way"
    assert "return f(x)" in shown[1]
    assert len(shown) == 2


def test_a_long_traceback_is_made_short(shell):
    """A search for a line or a name goes over the ends alone."""
    _, error = say(shell, "def f(x):\n    return f(x)\n\nf(3)")
    assert len([*traceback.walk_tb(error.__traceback__)]) == 2 * mistakes.ENDS
    assert mistakes.calls_itself(error) == "f"


OTHERS = {
    "1 / 0": "ZeroDivisionError",
    "np.zeros(2) @ np.zeros(3)": "ValueError",
    "raise NotImplementedError('soon')": "soon",
    "mg.derivative(lambda x: unknown, 1.0)": "NameError",
    "mg.grad(lambda x: np.linalg.inv(np.zeros((2, 2))).sum())(1.0)": "LinAlgError",
    "exec('x = )')": "SyntaxError",
    "eval('  x', {'f': 1 +})": "SyntaxError",
    "raise SyntaxError('mine')": "mine",
}
# Of these cells no line runs.
NO_PYTHON = {
    "def f(x):\n    return x)": "SyntaxError",
    "x = (1,\n": "incomplete input" if sys.version_info >= (3, 13) else "SyntaxError",  # of a kind with its own name
    "def f(x):\nreturn x": "IndentationError",
    "if True:\n    x = 1\n  y = 2": "IndentationError",
    "if True:\n\tx = 1\n        y = 2": "TabError",
    "print 'x'": "SyntaxError",
    "return 1": "'return' outside function",
    "x = 'a\0b'": "null",
    "x = " + "-" * 100_000 + "1": "Error",
    "f'{x'": "SyntaxError",
    "x = 1 if": "SyntaxError",
}


@pytest.mark.parametrize("cell", [*OTHERS, *NO_PYTHON], ids=lambda cell: cell[:30])
def test_other_errors_look_as_ever(shell, cell):
    shown, _ = say(shell, cell)
    assert (OTHERS | NO_PYTHON)[cell] in "\n".join(shown)
    if cell in NO_PYTHON:
        assert "interactiveshell.py" not in "\n".join(shown), "the learner has no business there"
    shell.set_custom_exc((), None)
    assert shown == say(shell, cell)[0]


@pytest.mark.parametrize("word", ["%%measure", "%%measure -o taken", "%%time"])
@pytest.mark.parametrize("cell", ["x = )", "if True:\nx = 1", "return 1"])
def test_a_cell_below_another_magic_is_pointed_at(shell, word, cell):
    shown, error = say(shell, f"{word}\n{cell}")
    assert isinstance(error, SyntaxError)
    assert "interactiveshell.py" not in "\n".join(shown)
    assert len(shown) <= 4
    assert shown[-1].startswith(type(error).__name__)


def test_a_fault_of_ours_is_seen_whole(shell, monkeypatch):
    import minigrad.core.graph

    monkeypatch.setattr(minigrad.core.graph, "adjoint_nodes", None)
    shown, error = say(shell, "mg.Variable(1.0).backward()")
    assert isinstance(error, TypeError)
    assert "Traceback (most recent call last)" in "\n".join(shown)
    assert "graph.py" in "\n".join(shown)


def test_an_unwritten_answer_is_a_short_error(shell):
    shown, error = say(shell, "def answer():\n    # YOUR CODE HERE\n    raise NotImplementedError()\n\nanswer()")
    assert shown[0] == "✎ Not written yet: raise NotImplementedError() stands where your answer belongs."
    assert "Traceback" not in "\n".join(shown)
    assert isinstance(error, NotImplementedError)


def test_nothing_is_told_while_a_notebook_is_graded(monkeypatch):
    monkeypatch.setenv("MINIGRAD_LIVE", "off")
    assert mistakes.tell_in_words() is None


def test_to_import_minigrad_in_a_notebook_is_enough():
    pytest.importorskip("IPython")
    program = (
        "from IPython.core.interactiveshell import InteractiveShell as Shell; shell = Shell.instance(); "
        "shell.run_cell('import minigrad as mg'); assert 'measure' in shell.magics_manager.magics['cell']; "
        "assert shell.custom_exceptions == (Exception,)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
