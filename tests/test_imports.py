"""The packages: the list in each names all of its modules, no module imports from one below it, not even inside of a
function, the library nothing of the course, and neither of them minigrad_class."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad
import minigrad_class
import minigrad_course
from minigrad import hooks
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


def statements(tree):
    """All statements of a file, those inside of functions too, but for those that only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from statements(node)


def imports(path):
    """Packages and modules that a file imports, and whether it does so when it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for statement in statements(tree):
        if isinstance(statement, ast.ImportFrom):
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
        elif isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            continue
        for name in names:
            if name.split(".")[0].startswith("minigrad"):
                yield *f"{name}.".split(".")[:2], statement in tree.body


def lines_of(root):
    return [line.split(", ") for line in re.findall(r"^    ([a-z_, ]+?)  ", root.__doc__, re.MULTILINE)]


@pytest.mark.parametrize("root", PACKAGES, ids=lambda root: root.__name__)
def test_every_module_is_on_the_list(root):
    assert set(modules_of(root)) == {module_of(root, path) for other, path in FILES if other is root}


def test_every_module_of_grading_is_on_its_list():
    modules = {path.stem for path in Path(grading.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(re.findall(r"^    (\w+)\.py ", grading.__doc__, re.MULTILINE)) == modules


# Exercises and the project are built, graded and put back by the same commands.
BUILT_TOGETHER = {("build.py", "project"), ("command.py", "project"), ("untouched.py", "project")}


@pytest.mark.parametrize(("root", "module"), [(minigrad_course, module) for module in modules_of(minigrad_course)])
def test_a_module_imports_only_modules_above_it(root, module):
    """Modules on one line of the list may import one another inside of functions."""
    own, modules = root.__name__, modules_of(root)
    above = set(modules[: modules.index(module) + 1])
    beside = next({*line} for line in lines_of(root) if module in line)
    result = {
        (path.name, package, other, at_once)
        for where, path in FILES
        if where is root and module_of(root, path) == module
        for package, other, at_once in imports(path)
    }
    below = {
        (name, other)
        for name, package, other, at_once in result
        if package == own and other in {*modules} - above and (at_once or other not in beside)
    }
    assert below - BUILT_TOGETHER == set()
    assert "minigrad_class" not in {package for _, package, *_ in result}


def test_the_library_imports_nothing_else_of_the_house():
    result = {(path.name, package) for root, path in FILES if root is minigrad for package, *_ in imports(path)}
    assert {package for _, package in result} == {"minigrad"}


def test_the_library_names_the_course_in_its_hook_alone():
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


@pytest.mark.parametrize("path", [path for _, path in FILES], ids=lambda path: "/".join(path.parts[-3:]))
def test_a_file_begins_by_saying_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_the_list_of_minigrad_class_names_all_of_its_files():
    files = {path.name for path in Path(minigrad_class.__file__).parent.glob("*.py")} - {"__init__.py"}
    assert {*re.findall(r"^    (\w+\.py) ", minigrad_class.__doc__, re.MULTILINE)} == files


def test_without_minigrad_class_its_commands_say_how_to_have_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "minigrad_class", None)
    for name in [name for name in sys.modules if name.startswith("minigrad_class.")]:
        monkeypatch.delitem(sys.modules, name)
    for words in (["class", "grade", "05", "--again", "ann"], ["project", "class", "mine.py"]):
        assert cli.main(words) == 2
        assert "make class" in capsys.readouterr().err
