"""Docstrings begin with a verb or a noun, and names say what they hold: see the glossary in docs/authors.md."""

import ast
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


def test_no_docstring_is_a_question_and_no_name_says_nothing():
    files = [path for folder in OBEYING for path in sorted((ROOT / folder).rglob("*.py"))]
    words = {str(path.relative_to(ROOT)): [*offences(ast.parse(path.read_text(encoding="utf-8")))] for path in files}
    assert {file: bad for file, bad in words.items() if bad} == {}
