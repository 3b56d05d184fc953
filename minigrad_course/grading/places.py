"""Says where an answer stopped with an error: the learner's own line, and the sizes of what stands in it.

All is read from the traceback, and nothing of the learner's runs again: names are looked up, and of arrays and whole
numbers slices, shapes and sums are taken, as in `w[i + 1:]`. So each sentence states what was there, and no cause.
"""

from __future__ import annotations

import ast
import itertools
import linecache
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any

import numpy as np

MOST = 5  # things that are described
LONGEST = 90  # letters of a line that is quoted
RAISED = "A line of yours raises it: "
ELSEWHERE = "No line of yours stopped, but one that takes what your answer returned or left: is it as the task asks?"
PLAIN = (  # of expressions: indices, attributes, and arithmetic of whole numbers
    ast.Constant, ast.Name, ast.Load, ast.Attribute, ast.Tuple, ast.Slice, ast.Subscript, ast.UnaryOp, ast.USub,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult,
)  # fmt: skip
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)  # without a frame of their own from Python 3.12 on
OF_RESULTS = (LookupError, TypeError, ValueError, AttributeError)  # what a wrong result may end with elsewhere


def place_of(error: BaseException, is_learners: Callable[[FrameType], bool]) -> str:
    """Describe where the learner's own code was when `error` came; empty if nothing is known.

    `is_learners` is asked whether a frame runs code of an answer.
    """
    entries, entry = [], error.__traceback__
    while entry is not None:
        entries += [entry] * is_learners(entry.tb_frame)
        entry = entry.tb_next
    if not entries:
        return ELSEWHERE if isinstance(error, OF_RESULTS) and "argument" not in str(error) else ""
    first, last = entries[0], entries[-1]
    node = None if isinstance(error, RecursionError) else _node(last)
    if node is None:
        return ""
    if isinstance(node, ast.Raise):
        return f"{RAISED}`{_quoted(node)}`."
    things = _things(node, last.tb_frame, _bound_elsewhere(node, _tree(last)))
    call = _node(first) if first.tb_frame.f_code.co_filename != last.tb_frame.f_code.co_filename else None
    called = f" (called by `{_quoted(call)}`)" if call is not None else ""
    return f"It stops at `{_quoted(node)}`{called}{f', where {_listed(things)}' if things else ''}."


def _tree(entry: TracebackType) -> ast.AST:
    """Parse the source of a traceback's entry; an empty module if there is none."""
    try:
        return ast.parse("".join(linecache.getlines(entry.tb_frame.f_code.co_filename)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _node(entry: TracebackType) -> ast.expr | ast.stmt | None:
    """Find the expression that failed, or else (before Python 3.11) the simple statement of its line; None if there is
    no source."""
    code, part, line = entry.tb_frame.f_code, None, None
    if hasattr(code, "co_positions") and entry.tb_lasti >= 0:
        part = next(itertools.islice(code.co_positions(), entry.tb_lasti // 2, None), None)
    for node in ast.walk(_tree(entry)):
        if isinstance(node, (ast.expr, ast.stmt)):
            if (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == part:
                return node
            simple = isinstance(node, ast.stmt) and not hasattr(node, "body")
            if simple and node.lineno <= entry.tb_lineno <= (node.end_lineno or 0):
                line = node
    return line


def _bound_elsewhere(node: ast.AST, tree: ast.AST) -> set[str]:
    """List the names in a node that its frame does not know, or knows as something else.

    Those of comprehensions and lambdas inside of it; and those of list, set and dict comprehensions around it, which
    are gone with the error, or hold again what they held before (from Python 3.12 on: PEP 709).
    """
    inside = [part for part in ast.walk(node) if isinstance(part, (*COMPREHENSIONS, ast.GeneratorExp, ast.Lambda))]
    around = [part for part in ast.walk(tree) if isinstance(part, COMPREHENSIONS) and _holds(part, node)]
    names = set()
    for part in (*inside, *around):
        targets = [part.args] if isinstance(part, ast.Lambda) else [loop.target for loop in part.generators]
        bound = [one for target in targets for one in ast.walk(target)]
        names |= {
            one.arg if isinstance(one, ast.arg) else one.id for one in bound if isinstance(one, (ast.arg, ast.Name))
        }
    return names


def _holds(outer: Any, inner: Any) -> bool:
    start, end = (outer.lineno, outer.col_offset), (outer.end_lineno, outer.end_col_offset)
    return start <= (inner.lineno, inner.col_offset) and (inner.end_lineno, inner.end_col_offset) <= end


def _quoted(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _listed(things: list[str]) -> str:
    *more, last = things
    return f"{', '.join(more)} and {last}" if more else last


def _things(node: ast.AST, frame: FrameType, unknown: set[str]) -> list[str]:
    """Describe the values of the names, and the shapes of the slices, that stand in a node: slices and arrays first."""
    names = {name: value for name, value in {**frame.f_globals, **frame.f_locals}.items() if name not in unknown}
    things: dict[str, tuple[bool, str]] = {}
    for part in ast.walk(node):
        text = ast.unparse(part) if isinstance(part, (ast.Name, ast.Subscript)) else ""
        value = names.get(text) if isinstance(part, ast.Name) else _computed(part, names) if text else None
        known = text in names if isinstance(part, ast.Name) else value is not None
        if known and len(text) <= LONGEST and (words := _described(value)):
            things.setdefault(text, ("of shape" not in words, f"{text} is {words}"))
    return [words for _, words in sorted(things.values(), key=lambda thing: thing[0])][:MOST]


def _described(value: Any) -> str:
    """Describe a value in a few words that hold for it whatever it is used for; empty for functions and modules."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return f"{value}"
    if type(value) is int or isinstance(value, np.integer):
        return f"{int(value)}" if abs(int(value)) < 10**9 else "a very large number"
    if type(value) is float or isinstance(value, np.floating):
        return f"{float(value):.4g}"
    if type(value) is str:
        return repr(value[:30])
    if type(value) is dict:
        keys = [repr(key) for key in value if type(key) in (str, int)][:6]
        return f"a dict with the keys {', '.join(keys)}{', …' * (len(value) > len(keys))}" if keys else "a dict"
    if type(value) in (list, tuple):
        return f"a {type(value).__name__} of {len(value)} {'entry' if len(value) == 1 else 'entries'}"
    name, module = str(type(value).__name__)[:40], str(type(value).__module__)
    if type(value) is np.ndarray:
        return f"of shape {value.shape}"
    if module.split(".")[0] == "minigrad" and getattr(value, "shape", None):
        return f"a {name} of shape {value.shape}"
    return "" if callable(value) or name == "module" else f"of type {name}"


def _computed(node: Any, names: Mapping[str, Any]) -> Any:
    """Compute what slices, shapes, and sums and products of whole numbers make of arrays; None for all else."""
    parts = list(ast.walk(node))
    used = {part.id: names.get(part.id) for part in parts if isinstance(part, ast.Name)}
    values = [
        *used.values(),
        *(part.value for part in parts if isinstance(part, ast.Constant) and part.value is not None),
    ]
    plain = all(isinstance(part, PLAIN) and getattr(part, "attr", "T") in ("T", "shape", "ndim") for part in parts)
    if not plain or not all(type(value) in (int, np.ndarray) for value in values):
        return None
    try:
        return eval(compile(ast.Expression(node), "<place>", "eval"), {"__builtins__": {}}, used)
    except (TypeError, ValueError, LookupError, ArithmeticError):
        return None
