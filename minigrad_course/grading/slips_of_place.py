"""Slips of place: a right line that stands in the wrong spot, and a right formula with the wrong thing in it.

A reset that happens once where it belongs into each round, a step that stands after the loop instead of in it, two
lines exchanged, an intermediate result in place of the final one. slips.py makes each of them in an author's answer,
together with the slips of the pen that are its own.
"""

from __future__ import annotations

import ast
import math
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
        for name in _assigned(parents) - _names(node.value):
            yield RETURNED, always(ast.Return(ast.Name(name, ast.Load())))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _again(node, parents):
        yield ONE_LINE, lambda n: None
    elif isinstance(node, ast.Slice) and node.upper is not None and node.step is None:
        for words, op in (("ends one place too early", ast.Sub()), ("goes one place too far", ast.Add())):
            yield (
                f"with a slice that {words}",
                always(ast.Slice(node.lower, ast.BinOp(node.upper, op, ast.Constant(1)))),
            )
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
            again = ast.parse(ast.unparse(line)).body[0]
            loop = ast.For(node.target, node.iter, [again, *node.body], node.orelse)
            yield "when something is set back in each round of a loop", always(loop)
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
    above, names, rounds = parents[-1], _assigned(parents), _of_rounds(parents)
    if not isinstance(above, PLACES) or node is getattr(above, "func", None):
        return
    if node.id in names or (node.id in parameters(parents) and isinstance(above, (ast.BinOp, ast.Call))):
        for other in sorted(names - {node.id}):
            yield INNER, always(ast.Name(other, ast.Load()))
        for other in parameters(parents) if node.id in names and isinstance(above, (ast.Call, ast.Tuple)) else ():
            yield f"with `{other}` where another name belongs", always(ast.Name(other, ast.Load()))
    if node.id in rounds:
        for other in sorted(rounds - {node.id}):
            yield f"with `{other}` where another name belongs", always(ast.Name(other, ast.Load()))


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


def always(new: Node) -> Callable[[Node], Node]:
    """Put a node in the place of another. What it shares with that one is copied before the next change."""
    return lambda n: new


def _function(parents: list[Node]) -> Node | None:
    return next((p for p in reversed(parents) if isinstance(p, ast.FunctionDef)), None)


def parameters(parents: list[Node]) -> list[str]:
    """List the parameters of the function around a node."""
    function = _function(parents)
    return [a.arg for a in function.args.args] if function else []


def _assigned(parents: list[Node], before: float = math.inf) -> set[str]:
    """Return the names that the function around a node assigns before some line, without those of its loops."""
    function = _function(parents)
    lines = [line for line in ast.walk(function) if isinstance(line, ast.Assign)] if function else []
    targets = [t for x in lines if x.lineno < before for y in x.targets for t in getattr(y, "elts", [y])]
    return {t.id for t in targets if isinstance(t, ast.Name)}


def _of_rounds(parents: list[Node]) -> set[str]:
    """Return the names that the loops around a node give to what comes in each round."""
    loops = [loop for p in parents for loop in getattr(p, "generators", [p]) if hasattr(loop, "target")]
    return {n.id for loop in loops if hasattr(loop, "iter") for n in ast.walk(loop.target) if isinstance(n, ast.Name)}


def _names(node: Node) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _again(node: Node, parents: list[Node]) -> bool:
    """True if the name that is assigned here had a value before."""
    return node.targets[0].id in {*parameters(parents), *_assigned(parents, node.lineno)}
