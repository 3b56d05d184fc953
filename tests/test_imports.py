"""The packages: the contracts in pyproject.toml hold, and the list in each package names all of its modules."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import minigrad
import minigrad_course
from minigrad import hooks
from minigrad.guards import installation
from minigrad_course import cli, grading

PACKAGES = (minigrad, minigrad_course)
FILES = [
    (root, path)
    for root in PACKAGES
    for path in sorted(Path(root.__file__).parent.rglob("*.py"))
    if path != Path(root.__file__)
]


def modules_of(root):
    return [module for line in lines_of(root) for module in line]


def module_of(root, path):
    return path.relative_to(Path(root.__file__).parent).parts[0].removesuffix(".py")


def lines_of(root):
    return [line.split(", ") for line in re.findall(r"^    ([a-z_, ]+?)  ", root.__doc__, re.MULTILINE)]


@pytest.mark.parametrize("root", PACKAGES, ids=lambda root: root.__name__)
def test_every_module_is_on_the_list(root):
    assert set(modules_of(root)) == {module_of(root, path) for other, path in FILES if other is root}


def test_every_module_of_grading_is_on_its_list():
    modules = {path.stem for path in Path(grading.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(re.findall(r"^    (\w+)\.py ", grading.__doc__, re.MULTILINE)) == modules


def test_no_import_breaks_a_contract():
    done = subprocess.run([Path(sys.executable).parent / "lint-imports", "--no-cache"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# Exercises and the project are built, graded and put back by the same commands.
BUILT_TOGETHER = {f"minigrad_course.grading.{name}" for name in ("make_notebooks", "grade_command", "untouched")}


def test_the_course_imports_only_modules_above():
    """Modules on one line of the list may import one another."""
    graph = grimp.build_graph("minigrad_course", cache_dir=None)
    for module in BUILT_TOGETHER:
        for other in graph.find_modules_directly_imported_by(module):
            if other.startswith("minigrad_course.project"):
                graph.remove_import(importer=module, imported=other)
    layers = [grimp.Layer(*line, independent=False) for line in reversed(lines_of(minigrad_course))]
    assert not graph.find_illegal_dependencies_for_layers(layers=layers, containers={"minigrad_course"})


# Python imports minigrad itself before minigrad.core: here it is a folder and no more.
HEART = """
import sys, types
package = sys.modules["minigrad"] = types.ModuleType("minigrad")
package.__path__ = [sys.argv[1]]
from minigrad.core.dual import derivative
from minigrad.core.functional import grad
from minigrad.core.node import Variable
from minigrad.core.rules import cos, sin
import numpy as np
x = Variable(2.0)
f = x * x + sin(x)
f.backward()
assert np.isclose(f.value, 4 + np.sin(2)) and np.isclose(x.grad, 4 + np.cos(2))
assert np.allclose([derivative(lambda x: x * x + sin(x), 2.0), grad(lambda x: x * x + sin(x))(2.0)], x.grad)
a = Variable([0.0, 1.0, 2.0])
(a * a + sin(a)).backward(np.ones(3))
assert np.allclose(a.grad, 2 * a.value + np.cos(a.value))
assert not [name for name in sys.modules if name.startswith("minigrad.") and name[:13] != "minigrad.core"]
assert not {"numba", "scipy", "minigrad_course"} & set(sys.modules)
"""


def test_the_heart_works_with_numpy_alone():
    subprocess.run([sys.executable, "-c", HEART, str(Path(minigrad.__file__).parent)], check=True)


def test_only_the_hook_names_the_course():
    """No import by name either."""
    library = Path(minigrad.__file__).parent
    naming = {
        path.name
        for path in library.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and re.match(r"minigrad_(course|class)\b", str(node.value))
    }
    assert naming == {"hooks.py"}
    assert {place.partition(".")[0] for place in hooks.NAMES.values()} == {"minigrad", "minigrad_course"}


def test_without_the_course_the_library_is_whole():
    """Names of the course are refused in a sentence; all else works."""
    lines = """
import sys
sys.modules["minigrad_course"] = None  # an import of it fails, and the hook sees that it is not there
import minigrad as mg
x = mg.Variable(2.0)
(x * x).backward()
assert x.grad == 4.0 and callable(mg.compile)
assert not hasattr(mg, "draw") and "draw" not in dir(mg)
from minigrad.training.train import _view
try:
    _view(True)
except ImportError as error:
    assert "live=True" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", lines], check=True)


def test_commands_without_minigrad_class_say_how_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "minigrad_class", None)
    for name in [name for name in sys.modules if name.startswith("minigrad_class.")]:
        monkeypatch.delitem(sys.modules, name)
    for words in (["class", "grade", "05", "--again", "ann"], ["project", "class", "mine.py"]):
        assert cli.main(words) == 2
        assert installation.install("minigrad-class") in capsys.readouterr().err
