"""The packages: the list in each names all of its modules, no module imports from one below it, the library none of the
course, and neither of them minigrad_class."""

import ast
import re
import sys
from pathlib import Path

import pytest

import minigrad
import minigrad_class
import minigrad_course
from minigrad_course import cli, grading

PACKAGES = (minigrad, minigrad_course)
FILES = [
    (root, path)
    for root in PACKAGES
    for path in sorted(Path(root.__file__).parent.rglob("*.py"))
    if path != Path(root.__file__)
]


def modules_of(root):
    lines = re.findall(r"^    ([a-z, ]+?)  ", root.__doc__, re.MULTILINE)
    return [module.strip() for line in lines for module in line.split(",")]


def module_of(root, path):
    return path.relative_to(Path(root.__file__).parent).parts[0].removesuffix(".py")


def imports(path):
    """Packages and modules that a file imports when it is imported itself (what is inside a function comes later)."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom):
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
        elif isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            continue
        yield from (tuple(f"{name}.".split(".")[:2]) for name in names if name.split(".")[0].startswith("minigrad"))


@pytest.mark.parametrize("root", PACKAGES, ids=lambda root: root.__name__)
def test_every_module_is_on_the_list(root):
    assert set(modules_of(root)) == {module_of(root, path) for other, path in FILES if other is root}


def test_every_module_of_grading_is_on_its_list():
    modules = {path.stem for path in Path(grading.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(re.findall(r"^    (\w+)\.py ", grading.__doc__, re.MULTILINE)) == modules


@pytest.mark.parametrize(("root", "module"), [(root, module) for root in PACKAGES for module in modules_of(root)])
def test_a_module_imports_only_modules_above_it(root, module):
    own, modules = root.__name__, modules_of(root)
    above = set(modules[: modules.index(module) + 1])
    result = {
        (path.name, package, other)
        for where, path in FILES
        if where is root and module_of(root, path) == module
        for package, other in imports(path)
    }
    assert {(name, other) for name, package, other in result if package == own and other in {*modules} - above} == set()
    assert "minigrad_class" not in {package for _, package, _ in result}
    if root is minigrad:
        assert {name for name, package, _ in result if package != own} == set()


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
