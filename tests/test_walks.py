"""The walks in docs/architecture.md: each goes through the functions that it names, in that order, and few files."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
from toy_course import make_course, notebook_path

import minigrad as mg
from minigrad import nn
from minigrad.training import optim
from minigrad.training.train import _Replayed
from minigrad_course.grading import watch

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^\*\*(A[^*]+|The same[^*]+)\*\*.*\n\n((?:- .*\n)+)", TEXT, re.MULTILINE))
MOST = {"A batch": 7, "The same": 8, "An adjoint": 7, "A cell": 7}  # files

X = np.random.default_rng(0).standard_normal((8, 5)).astype(np.float32)
Y = np.arange(8) % 3


def named(walk):
    """(file, function) for each function that a walk names, in its order."""
    for line in WALKS[walk].splitlines():
        path = (ROOT / "docs" / re.match(r"- \[[^]]*\]\(([^)]*)\)", line)[1]).resolve()
        names = re.findall(r"`(\w[\w.]*)`", line.partition(":")[2])
        assert names, f"no function is named in {line!r}"
        yield from ((path, name) for name in names)


@cache
def functions(path):
    """The functions of a file by the line on which each begins."""
    result = {}

    def look(parent, prefix):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.ClassDef):
                look(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.FunctionDef):
                result[min([child.lineno, *(d.lineno for d in child.decorator_list)])] = prefix + child.name

    look(ast.parse(Path(path).read_text(encoding="utf-8")), "")
    return result


def entered(walk):
    """(file, function) for each function of the two packages that a call goes through, each once, as they begin."""
    result = {}

    def look(frame, event, _):
        code = frame.f_code
        if event == "call" and "minigrad" in code.co_filename:
            result.setdefault((code.co_filename, code.co_firstlineno))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        walk()
    finally:
        sys.setprofile(before)
    paths = [(Path(file).resolve(), line) for file, line in result if Path(file).is_file()]
    return [(path, functions(path)[line]) for path, line in paths if line in functions(path)]


def network():
    return nn.Sequential(nn.Linear(5, 4, rng=0), nn.Tanh(), nn.Linear(4, 3, rng=1))


def batch():
    trainer = _Replayed(network(), nn.cross_entropy, optim.SGD(0.1, momentum=0.9), None, X, Y)
    trainer.run(np.arange(8), 8)  # builds the graph
    return entered(lambda: trainer.run(np.arange(8), 8))


def compiled():
    return entered(lambda: mg.compile(network(), nn.cross_entropy, optim.SGD(0.1), X, Y)(X, Y))


def adjoint():
    loss = nn.cross_entropy(network()(mg.Constant(X)), Y)
    return entered(loss.backward)


@pytest.fixture
def cell(tmp_path, monkeypatch):
    shells = pytest.importorskip("IPython.core.interactiveshell", reason="runs cells")
    notebook = notebook_path(make_course(tmp_path))
    monkeypatch.chdir(notebook.parent)
    cells = {cell.id: cell.source for cell in nbformat.read(notebook, 4).cells}
    shell = shells.InteractiveShell.instance()
    shell.run_cell(cells["given"], cell_id="given")
    shell.run_cell("def double(x):\n    return x * x", cell_id="double")
    yield lambda: entered(lambda: shell.run_cell(cells["test_double"], cell_id="test_double"))
    watch.stop()
    shells.InteractiveShell.clear_instance()


def goes_along(walk, way):
    expected = list(named(walk))
    assert [(path.name, name) for path, name in expected if (path, name) not in way] == []
    assert sorted(expected, key=way.index) == expected
    files = {path for path, _ in expected}
    assert len(files) <= next(most for beginning, most in MOST.items() if walk.startswith(beginning))


def test_the_page_has_four_walks():
    assert [" ".join(walk.split()[:2]).strip(",") for walk in WALKS] == list(MOST)


@pytest.mark.parametrize(("beginning", "way"), [("A batch", batch), ("The same", compiled), ("An adjoint", adjoint)])
def test_a_walk_goes_through_the_functions_that_it_names(beginning, way):
    (walk,) = (walk for walk in WALKS if walk.startswith(beginning))
    goes_along(walk, way())


def test_a_cell_goes_through_the_functions_that_are_named(cell):
    (walk,) = (walk for walk in WALKS if walk.startswith("A cell"))
    goes_along(walk, cell())
