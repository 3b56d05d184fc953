"""Says where an answer stopped with an error: the learner's own line, and the sizes of what stands in it.

All is read from the traceback, and nothing of the learner's runs again: names are looked up, and of arrays and whole
numbers slices, shapes and sums are taken, as in `w[i + 1:]`. So each sentence states what was there, and no cause.
"""

from __future__ import annotations

import ast
import itertools
import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import add, mul, sub
from types import FrameType
from typing import Any

import numpy as np

MOST = 5  # things that are described
LONGEST = 90  # letters of a line that is quoted
RAISED = "A line of yours raises it: "
ELSEWHERE = "No line of yours stopped, but one that takes what your answer returned or left: is it as the task asks?"
OPERATORS: dict[type, Callable[[int, int], int]] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)  # without a frame of their own from Python 3.12 on
OF_RESULTS = (LookupError, TypeError, ValueError, AttributeError)  # what a wrong result may end with elsewhere


@dataclass(frozen=True)
class Place:
    """A frame of a traceback, the number of its line, and the part of it: first line, last line, first byte, last byte.

    The part is known from Python 3.11 on.
    """

    frame: FrameType
    line: int
    part: tuple[int | None, ...] | None = None

    @property
    def file(self) -> str:
        """Return the name of its file, under which linecache has the source."""
        return self.frame.f_code.co_filename


def place_of(error: BaseException, is_learners: Callable[[FrameType], bool]) -> str:
    """Describe where the learner's own code was when `error` came; empty if nothing is known.

    `is_learners` is asked whether a frame runs code of an answer.
    """
    places = [place for place in _places(error) if is_learners(place.frame)]
    if not places:
        return ELSEWHERE if isinstance(error, OF_RESULTS) and "argument" not in str(error) else ""
    last, first = places[-1], places[0]
    node = None if isinstance(error, RecursionError) else _node(last)
    if node is None:
        return ""
    if isinstance(node, ast.Raise):
        return f"{RAISED}`{_quoted(node)}`."
    things = _things(node, last.frame, _bound_elsewhere(node, _tree(last)))
    call = _node(first) if first.file != last.file else None
    called = f" (called by `{_quoted(call)}`)" if call is not None else ""
    return f"It stops at `{_quoted(node)}`{called}{f', where {_listed(things)}' if things else ''}."


def _places(error: BaseException) -> list[Place]:
    """List the places of a traceback, from the outermost on."""
    places, entry = [], error.__traceback__
    while entry is not None:
        code, part = entry.tb_frame.f_code, None
        if hasattr(code, "co_positions") and entry.tb_lasti >= 0:
            part = next(itertools.islice(code.co_positions(), entry.tb_lasti // 2, None), None)
        places.append(Place(entry.tb_frame, entry.tb_lineno, part))
        entry = entry.tb_next
    return places


def _tree(place: Place) -> Any:
    """Parse the source of a place; an empty module if there is none."""
    try:
        return ast.parse("".join(linecache.getlines(place.file)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _node(place: Place) -> Any:
    """Find the expression that failed, or else the simple statement of its line; None if there is no source."""
    line: Any = None
    for node in ast.walk(_tree(place)):
        if not isinstance(node, (ast.expr, ast.stmt)):
            continue
        if (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == place.part:
            return node
        simple = isinstance(node, ast.stmt) and not hasattr(node, "body")
        if simple and node.lineno <= place.line <= (node.end_lineno or 0):
            line = node
    return line


def _bound_elsewhere(node: Any, tree: Any) -> set[str]:
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


def _quoted(node: Any) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _listed(things: list[str]) -> str:
    *more, last = things
    return f"{', '.join(more)} and {last}" if more else last


def _things(node: Any, frame: FrameType, unknown: set[str]) -> list[str]:
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
    try:
        return _value(node, names)
    except (TypeError, ValueError, LookupError, ArithmeticError):
        return None


def _value(node: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and type(names.get(node.id)) in (int, np.ndarray):
        return names[node.id]
    if isinstance(node, ast.Attribute) and node.attr in ("T", "shape", "ndim"):
        return getattr(_of_type(np.ndarray, node.value, names), node.attr)
    if isinstance(node, ast.Tuple):
        return tuple(_value(entry, names) for entry in node.elts)
    if isinstance(node, ast.Slice):
        return slice(*(None if part is None else _value(part, names) for part in (node.lower, node.upper, node.step)))
    if isinstance(node, ast.Subscript):
        return _value(node.value, names)[_value(node.slice, names)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_of_type(int, node.operand, names)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](_of_type(int, node.left, names), _of_type(int, node.right, names))
    raise TypeError


def _of_type(kind: type, node: Any, names: Mapping[str, Any]) -> Any:
    value = _value(node, names)
    if type(value) is not kind:
        raise TypeError
    return value
