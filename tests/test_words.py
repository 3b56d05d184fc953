"""Docstrings begin with a verb or a noun, and names say what they hold: see the glossary in docs/authors.md."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
OBEYING = ["minigrad", "minigrad_course", "class", "tools", "benchmarks", "docs", "tests", "sources"]
QUESTIONS = {"What", "Who", "Whose", "Where", "Whether", "How"}
NAMES = {"found", "said", "told", "there", "mine", "given"}


def offences(tree):
    nodes = [*ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    fields = {part.target for node in classes for part in node.body if isinstance(part, ast.AnnAssign)}
    for node in nodes:
        if node in fields:
            continue
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from QUESTIONS & {*(ast.get_docstring(node) or "").split()[:1]}
        elif isinstance(node, ast.ExceptHandler) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            yield from NAMES & {node.name if isinstance(node, ast.ExceptHandler) else node.id}
        elif isinstance(node, ast.arg):
            yield from NAMES & {node.arg}


def test_no_docstring_asks_and_every_name_says_something():
    files = [path for folder in OBEYING for path in sorted((ROOT / folder).rglob("*.py"))]
    words = {str(path.relative_to(ROOT)): [*offences(ast.parse(path.read_text(encoding="utf-8")))] for path in files}
    assert {file: bad for file, bad in words.items() if bad} == {}


LIBRARIES = ["minigrad", "minigrad_course", "class", "tools", "benchmarks"]
POSITIONAL = 7  # at most, beside self
FORMS = {"__init__.py", "__main__.py", "conftest.py"}


def positional(function):
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[names[:1] in (["self"], ["cls"]) :]


def test_no_function_takes_more_than_seven_positional_parameters():
    """Kernels do, in minigrad/native: numba's tuples cost time in each call."""
    files = [path for folder in LIBRARIES for path in sorted((ROOT / folder).rglob("*.py"))]
    long = [
        f"{path.relative_to(ROOT)}, line {node.lineno}"
        for path in files
        if ROOT / "minigrad/native" not in path.parents
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and len(positional(node)) > POSITIONAL
    ]
    assert long == []


def test_no_two_files_of_python_have_one_name():
    """Those in folders of one form excepted: each exercise has its exercise.py, variants.py and wrong.py."""
    folders = [*LIBRARIES, "tests", "tab", "docs"]
    names = Counter(path.name for folder in folders for path in (ROOT / folder).rglob("*.py"))
    assert sorted(name for name, count in names.items() if count > 1 and name not in FORMS) == []


def test_a_tests_name_has_at_most_eight_words():
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    assert [name for name in re.findall(r"^ *def test_(\w+)", text, re.MULTILINE) if name.count("_") > 7] == []
