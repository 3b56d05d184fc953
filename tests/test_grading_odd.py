"""Odd and hostile answers and notebooks, on the learner's side: each ends, each gets a sentence, and none earns what it
has not earned. An answer's own tests lose their points; `half`, which is right in all of them, keeps its one point.
(A plain loop, one in C that keeps the lock, and os._exit: test_grading.py.)

What still works is at the end of this file: it is known, and the sandbox of a classroom is where it has to be met.
"""

import copy
import json
import shutil

import pytest
from toy_course import answer, graded, make_course, notebook_path

from minigrad_course import cli
from minigrad_course.grading import process
from minigrad_course.grading.cells import grade_id, kind

pytestmark = pytest.mark.slow

BAD = "def double(x):\n    return 0\n"
NEVER = "is there a loop that never ends?"
DIED = "the kernel died"
SIX = "double(3): expected 6, got 0"
CLASS = "class E(Exception):\n    def __str__(self): "

WORTH_NOTHING = {
    "a loop in C without Python's lock": (
        "import hashlib\ndef double(x): return hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
        NEVER,
    ),
    "a loop that swallows interrupts": (
        "def double(x):\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass",
        NEVER,
    ),
    "a loop in its cell": (f"{BAD}while True: pass", SIX),
    "a loop that prints": ("def double(x):\n    while True: print('hello')", NEVER),
    "a signal to itself": ("import os\ndef double(x): os.kill(os.getpid(), 9)", DIED),
    "a segmentation fault": ("import ctypes\ndef double(x): ctypes.string_at(0)", DIED),
    "sys.exit": ("import sys\ndef double(x): sys.exit(0)", "SystemExit"),
    "input": ("def double(x): return float(input('?'))", "your answer asks for input()"),
    "not Python": ("def double(x)\n    return 2 * x", "NameError: name 'double' is not defined"),
    "its own check_close": (f"{BAD}def check_close(*a, **k): pass", SIX),
    "its own float, abs and print": (f"{BAD}def abs(x): return 0\ndef float(x): return 0\nprint = len = None", SIX),
    "no check_close at all": (f"{BAD}del check_close, grading", SIX),
    "another check_close in its module": (
        f"{BAD}import minigrad_course.grading as g\ng.check_close = g.checks = None",
        SIX,
    ),
    "a cell within the test": ("def double(x):\n    get_ipython().run_cell('check_close = None')\n    return 0", SIX),
    "printing the praise itself": (
        f"{BAD}print('✓ test_double: 3 of 3 points (4 of 4 in all)')\nprint('ok')\nprint('All tests passed')",
        SIX,
    ),
    "a table of its own": (
        f"{BAD}from IPython.display import HTML, display\ndisplay(HTML('<table>test_double 3 / 3</table>'))",
        SIX,
    ),
    "an error whose text fails": (f"{CLASS}raise KeyError\ndef double(x): raise E()", "KeyError"),
    "an error whose text is a number": (f"{CLASS}return 7\ndef double(x): raise E()", "TypeError"),
    "an error whose text never ends": (f"{CLASS}\n        while True: pass\ndef double(x): raise E()", NEVER),
    "an error with a wild text": (
        "def double(x): raise ValueError('\\x1b[2Jgone\\nnext\\r' + 'z' * 10**6)",
        "ValueError: gone next zzz",
    ),
    "an error that calls itself a time limit": (
        "def double(x): raise type('TimeLimit', (Exception,), {})('ok')",
        "Time",
    ),
    "an error that calls itself a mismatch": ("def double(x): raise type('Mismatch', (Exception,), {})()", "Mismatch"),
    "a value that cannot be shown": (
        "class X:\n    def __repr__(self): raise ValueError\ndef double(x): return X()",
        "double(3): expected 6, got an object of type X, which cannot be shown",
    ),
    "a value with a huge text": (
        "class X:\n    def __repr__(self): return 'y' * 10**7\ndef double(x): return X()",
        "doub",
    ),
    "an array that says yes to everything": (
        "import numpy as np\nclass X(np.ndarray):\n    def __array_ufunc__(self, *a, **k): return np.array(False)\n"
        "def double(x): return np.zeros(()).view(X)",
        SIX,
    ),
    "everything forgotten": (f"{BAD}get_ipython().run_line_magic('reset', '-f')", "NameError"),
    "too deep": ("def double(x): return double(x)", "RecursionError"),
    "too large": ("def double(x): return [0] * 10**14", "MemoryError"),
    "a number instead of a function": ("double = 6", "TypeError: 'int' object is not callable"),
}

RIGHT_ALL_THE_SAME = {
    "100 MB printed": "print('x' * 100_000_000)\ndef double(x): return 2 * x",
    "its own sum": "def sum(x): return x + x\ndef double(x): return sum(x)",
    "a thread that prints on and on": (
        "import threading, time\ndef noise():\n    while True: print('n', flush=True); time.sleep(0.001)\n"
        "threading.Thread(target=noise).start()\ndef double(x): return 2 * x"
    ),
    "a fork": "import os\ndef double(x):\n    os.fork()\n    return 2 * x",
    "another folder": "import os\nos.chdir('/')\ndef double(x): return 2 * x",
    "odd dunder names": "__builtins__ = {}\n__name__ = 'x'\ndef double(x): return 2 * x",
    "a process left behind": "import subprocess\nsubprocess.Popen(['sleep', '5'])\ndef double(x): return 2 * x",
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "GRACE", 2)
    return make_course(tmp_path)


@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("name", WORTH_NOTHING)
def test_a_worthless_answer_gets_a_sentence(course, name):
    source, sentence = WORTH_NOTHING[name]
    answer(course, double=source)
    points, report = graded(course, full=True, limit=2 if "while True" in source or sentence == NEVER else 15)
    assert points == {"test_double": 0, "test_half": 1}
    text = report.rows[0].feedback
    assert sentence in text
    assert text.isprintable()
    assert len(text) <= 300


@pytest.mark.parametrize("name", RIGHT_ALL_THE_SAME)
def test_an_odd_right_answer_earns_its_points(course, name):
    answer(course, double=RIGHT_ALL_THE_SAME[name])
    points, report = graded(course, full=True, limit=20)
    assert points == {"test_double": 3, "test_half": 1}, report
    assert report.notes == []


# Notebooks that are not as they were given. `double` is wrong in all of them.


def by_id(notebook):
    return {cell["id"]: cell for cell in notebook["cells"]}


def no_names(notebook):
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"] = {}


def other_names(notebook):
    for i, cell in enumerate(notebook["cells"]):
        cell["id"] = f"x{i}"
        cell["metadata"].get("nbgrader", {})["grade_id"] = f"y{i}"


def numbers_for_names(notebook):
    for cell in notebook["cells"]:
        cell["metadata"].get("nbgrader", {})["grade_id"] = 3


def odd_metadata(notebook):
    for cell in notebook["cells"]:
        cell["metadata"]["nbgrader"] = [1]


def into_markdown(name):
    def change(notebook):
        cell = by_id(notebook)[name]
        cell["cell_type"] = "markdown"
        del cell["outputs"], cell["execution_count"]

    return change


CHANGED = {
    "a test deleted": lambda n: n["cells"].remove(by_id(n)["test_double"]),
    "a test emptied": lambda n: by_id(n)["test_double"].update(source="pass"),
    "a test turned into text": into_markdown("test_double"),
    "the answer turned into text": into_markdown("double"),
    "the answer deleted": lambda n: n["cells"].remove(by_id(n)["double"]),
    "the first cell deleted": lambda n: n["cells"].remove(by_id(n)["given"]),
    "the first cell edited": lambda n: by_id(n)["given"].update(source="def check_close(*a): pass"),
    "points edited": lambda n: by_id(n)["test_double"]["metadata"]["nbgrader"].update(points=1000),
    "everything twice": lambda n: n["cells"].extend(copy.deepcopy(n["cells"])),
    "no names": no_names,
    "other names": other_names,
    "numbers for names": numbers_for_names,
    "odd metadata": odd_metadata,
    "another kernel": lambda n: n["metadata"].update(kernelspec={"name": "julia", "display_name": "Julia"}),
    "a poem": lambda n: n["cells"].append({"cell_type": "poem", "source": "O", "metadata": {}, "id": "poem"}),
    "30 MB of old output": lambda n: by_id(n)["double"].update(
        outputs=[{"output_type": "stream", "name": "stdout", "text": "x" * 30_000_000}]
    ),
}


@pytest.fixture(scope="module")
def ended():
    """Return the outcomes of the cells so far."""
    return {}


@pytest.fixture
def each_run_once(monkeypatch, ended):
    """Many of the cases below come to the same cells, which end the same way in any folder."""
    run = process.run

    def run_once(cells, folder, limit, redefined, author):
        key = json.dumps([[kind(cell), grade_id(cell), cell["source"]] for cell in cells] + [limit, *redefined])
        if key not in ended:
            ended[key] = run(cells, folder, limit, redefined, author)
        return ended[key]

    monkeypatch.setattr(process, "run", run_once)


@pytest.mark.turns
@pytest.mark.parametrize("authors", [True, False], ids=["with solutions", "without"])
@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_notebook_is_graded_as_given(course, each_run_once, capsys, name, authors):
    answer(course, double=BAD)
    path = notebook_path(course)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    CHANGED[name](notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    if not authors:
        shutil.rmtree(course / "solutions")
    points, _ = graded(course)
    assert points == {"test_double": 0, "test_half": 1}
    assert capsys.readouterr().err == ""


BROKEN = {
    "nothing": b"",
    "half of it": b'{"cells": [{"cell_type": "code", "sou',
    "a list": b"[1, 2]",
    "bytes": bytes(range(256)),
    "brackets": b"[" * 100_000,
    "no cells": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "cells that are words": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": ["hello"]}',
    "a cell without a text": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code"}]}',
    "another year's format": b'{"nbformat": 9, "nbformat_minor": 0, "metadata": {}, "cells": []}',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_notebook_gets_a_sentence(course, monkeypatch, capsys, name):
    monkeypatch.chdir(course)
    notebook_path(course).write_bytes(BROKEN[name])
    assert cli.main(["grade"]) == 2
    printed = capsys.readouterr().err
    assert "01_doubling.ipynb is not a notebook that can be read" in printed
    assert "an older copy" in printed
    assert printed.count("\n") == 1


def test_files_named_like_modules_do_no_harm(course):
    answer(course, double=BAD)
    for name in ("minigrad", "numpy", "json", "IPython", "symtable"):
        notebook_path(course).with_name(f"{name}.py").write_text("raise ImportError('mine')")
    points, report = graded(course)
    assert points == {"test_double": 0, "test_half": 1}
    assert report.rows[0].feedback == SIX
