"""Slips of place: a right line that stands in the wrong spot, and a right formula with the wrong thing in it.

A reset that happens once where it belongs into each round, a step that stands after the loop instead of in it, two
lines exchanged, an intermediate result in place of the final one. slips.py makes each of them in an author's answer,
together with the slips of the pen that are its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

Node = Any  # of the ast module, whose classes do not say what they hold
Change = tuple[str, Callable[[Node], Node | None]]

FRESH = {"zeros", "zeros_like", "empty", "empty_like", "ones", "ones_like", "dict", "list", "set", "count"}
PLACES = (  # where one value may stand for another
    ast.BinOp, ast.Call, ast.Subscript, ast.Compare, ast.Tuple, ast.Attribute, ast.keyword, ast.Assign, ast.AugAssign,
    ast.FormattedValue,
)  # fmt: skip
ORDER = "with two lines in the other order"
INNER = "with an intermediate result in place of another value"
RETURNED = "when an intermediate result is returned"
ONE_LINE = "with one line (or one case) left out"


def changes(node: Node, parents: list[Node]) -> Iterator[Change]:
    """Yield the slips of place that can happen at this node."""
    if isinstance(node, (ast.FunctionDef, ast.For)):
        yield from _exchanged(node)
    if isinstance(node, ast.For):
        yield from _around(node, parents)
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Tuple):
        for name in _locals(parents) - _names(node.value):
            yield RETURNED, _returning(name)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _again(node, parents):
        yield ONE_LINE, lambda n: None
    elif isinstance(node, ast.Slice) and node.upper is not None and node.step is None:
        yield "with a slice that ends one place too early", _ending(ast.Sub())
        yield "with a slice that goes one place too far", _ending(ast.Add())
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from _named(node, parents)


def _exchanged(node: Node) -> Iterator[Change]:
    for k, (one, two) in enumerate(zip(node.body, node.body[1:], strict=False)):
        if not any(isinstance(line, (ast.Return, ast.FunctionDef)) or _is_text(line) for line in (one, two)):
            yield ORDER, _swapping(k)


def _around(node: Node, parents: list[Node]) -> Iterator[Change]:
    """Move a reset from before a loop into it, or its first line before it, or its last line after it."""
    body = getattr(parents[-1], "body", [])
    place = next((k for k, line in enumerate(body) if line is node), 0)
    for line in body[:place]:
        if isinstance(line, ast.Assign) and _is_fresh(line.value):
            yield "when something is set back in each round of a loop", _resetting(line)
    if len(node.body) > 1 and isinstance(node.body[0], ast.Assign) and _is_fresh(node.body[0].value):
        yield (
            "when something is set back only once, before a loop, and not in each of its rounds",
            lambda n: ast.If(ast.Constant(True), [n.body[0], ast.For(n.target, n.iter, n.body[1:], n.orelse)], []),
        )
    if len(node.body) > 1 and not isinstance(node.body[-1], (ast.If, ast.For)):
        yield (
            "when the last line of a loop stands after it",
            lambda n: ast.If(ast.Constant(True), [ast.For(n.target, n.iter, n.body[:-1], n.orelse), n.body[-1]], []),
        )


def _named(node: Node, parents: list[Node]) -> Iterator[Change]:
    above, names, rounds = parents[-1], _locals(parents), _of_rounds(parents)
    if not isinstance(above, PLACES) or node is getattr(above, "func", None):
        return
    if node.id in names or (node.id in _parameters(parents) and isinstance(above, (ast.BinOp, ast.Call))):
        for other in sorted(names - {node.id}):
            yield INNER, _always(other)
        for other in _parameters(parents) if node.id in names and isinstance(above, (ast.Call, ast.Tuple)) else ():
            yield f"with `{other}` where another name belongs", _always(other)
    if node.id in rounds:
        for other in sorted(rounds - {node.id}):
            yield f"with `{other}` where another name belongs", _always(other)


def _is_fresh(value: Node) -> bool:
    """True for what a variable starts from: a number, an empty list, an array of zeros."""
    if isinstance(value, ast.Call):
        return getattr(value.func, "attr", getattr(value.func, "id", "")) in FRESH
    if isinstance(value, ast.Tuple):
        return all(_is_fresh(entry) for entry in value.elts)
    return isinstance(value, (ast.Constant, ast.List, ast.Dict))


def _is_text(line: Node) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _swapping(k: int) -> Callable[[Node], Node]:
    def change(node: Node) -> Node:
        node.body[k : k + 2] = node.body[k : k + 2][::-1]
        return node

    return change


def _resetting(line: Node) -> Callable[[Node], Node]:
    return lambda n: ast.For(n.target, n.iter, [ast.parse(ast.unparse(line)).body[0], *n.body], n.orelse)


def _ending(op: Node) -> Callable[[Node], Node]:
    return lambda n: ast.Slice(n.lower, ast.BinOp(n.upper, op, ast.Constant(1)), n.step)


def _returning(name: str) -> Callable[[Node], Node]:
    return lambda n: ast.Return(ast.Name(name, ast.Load()))


def _always(name: str) -> Callable[[Node], Node]:
    return lambda n: ast.Name(name, ast.Load())


def _function(parents: list[Node]) -> Node | None:
    return next((p for p in reversed(parents) if isinstance(p, ast.FunctionDef)), None)


def _parameters(parents: list[Node]) -> list[str]:
    function = _function(parents)
    return [a.arg for a in function.args.args] if function else []


def _locals(parents: list[Node]) -> set[str]:
    """Return the names that the function around a node assigns, without those of its loops."""
    function = _function(parents)
    assigned = [line for line in ast.walk(function) if isinstance(line, ast.Assign)] if function else []
    targets = [t for line in assigned for target in line.targets for t in getattr(target, "elts", [target])]
    return {t.id for t in targets if isinstance(t, ast.Name)}


def _of_rounds(parents: list[Node]) -> set[str]:
    """Return the names that the loops around a node give to what comes in each round."""
    loops = [loop for p in parents for loop in getattr(p, "generators", [p]) if hasattr(loop, "target")]
    return {n.id for loop in loops if hasattr(loop, "iter") for n in ast.walk(loop.target) if isinstance(n, ast.Name)}


def _names(node: Node) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _again(node: Node, parents: list[Node]) -> bool:
    """True if the name that is assigned here had a value before."""
    function = _function(parents)
    if function is None:
        return False
    name = node.targets[0].id
    earlier = (line for line in ast.walk(function) if isinstance(line, ast.Assign) and line.lineno < node.lineno)
    targets = [t for line in earlier for target in line.targets for t in getattr(target, "elts", [target])]
    return name in _parameters(parents) or any(isinstance(t, ast.Name) and t.id == name for t in targets)
