"""Reads an answer's text: lines of it that do nothing, and which of several mistakes it is most like.

What comes out wrong often has more than one possible cause. The text of the answer says which of them it can have: an
answer without `//` has no `//` too many. And some lines tell by themselves: a comparison that nobody asks for, a number
that is put into a name and read by nothing, an argument that no line looks at. Each sentence quotes such a line.
"""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any

Node = Any  # of the ast module, whose classes do not say what they hold
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)  # what reading a text may end with
SETS: dict[str, set[str]] = {
    "pure": {  # what returns something and changes nothing
        "abs", "sum", "max", "min", "len", "list", "dict", "set", "tuple", "float", "int", "zip", "map", "sorted",
        "reversed", "copy", "astype", "reshape", "ravel", "flatten", "transpose", "clip", "replace", "format", "strip",
    },
    "changing": {  # of NumPy and minigrad, whose other functions are pure
        "copyto", "put", "place", "putmask", "fill_diagonal", "at", "shuffle", "seed", "check_gradients", "backward",
    },
    "in place": {
        "append", "extend", "insert", "reverse", "sort", "pop", "clear", "update", "fill", "put", "remove",
        "setdefault",
    },
    "same": {"asarray", "ravel", "reshape", "view", "T", "swapaxes", "transpose"},  # may hand back what they are given
    "modules": {"np", "mg", "math"},
}  # fmt: skip


def traits(source: str) -> set[str]:
    """List what a text holds, names of its own aside: operations, what they are done to, and which follows which.

    Empty if it is not Python.
    """
    try:
        return {trait for node in ast.walk(ast.parse(source)) for trait in _traits(node)}
    except NO_PYTHON:
        return set()


def _traits(node: Node) -> set[str]:
    marks: set[str] = set()
    name = type(node).__name__
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        op = f"{name} {type(node.op).__name__}"
        marks |= {op, f"{op} {_head(left)}", f"{op} . {_head(right)}"}
    elif isinstance(node, ast.UnaryOp):
        marks.add(f"{type(node.op).__name__} {_head(node.operand)}")
    elif isinstance(node, ast.Compare):
        marks |= {f"{type(op).__name__} {_head(right)}" for op, right in zip(node.ops, node.comparators, strict=True)}
    elif isinstance(node, ast.Call):
        words = sorted(f"{word.arg}={_head(word.value)}" for word in node.keywords)
        marks |= {f"call {_head(node)} {len(node.args)}", *(f"{_head(node)} {word}" for word in words)}
        marks |= {f"{_head(node)}({k}: {_head(part)})" for k, part in enumerate(node.args)}
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        marks.add(f"{type(node.ctx).__name__} {_head(node)}")
    elif isinstance(node, (ast.For, ast.comprehension)):
        marks.add(f"for {_head(node.target)} in {_head(node.iter)}")
    elif isinstance(node, ast.Return):
        marks.add(f"return {_head(node.value)}")
    elif isinstance(node, ast.Assign):
        marks |= {f"{_head(target)} = {_head(node.value)}" for target in node.targets}
    elif isinstance(node, ast.FunctionDef):
        read = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        marks |= {f"reads {a.arg}" for a in node.args.args if a.arg in read}
        marks |= {f"default {_head(default)}" for default in node.args.defaults}
        marks |= {f"calls itself in {node.name}"} if node.name in read else set()
    elif isinstance(node, (ast.Break, ast.Continue)):
        marks.add(name)
    body = getattr(node, "body", None)
    if isinstance(body, list):
        marks |= {f"{_line(a)}; {_line(b)}" for a, b in pairwise(body)}
        marks |= {f"in {name}: {_line(line)}" for line in body}
    return marks


def _head(node: Node) -> str:
    """Name a node by what it is, without names that an answer chose."""
    if isinstance(node, ast.Constant):
        return "text" if isinstance(node.value, str) else repr(node.value)
    if isinstance(node, ast.Call):
        return _head(node.func) + "()" if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "") + "()"
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return type(node.op).__name__
    if isinstance(node, ast.Subscript):
        names = {n.id for n in ast.walk(node.slice) if isinstance(n, ast.Name)}
        return "[" + re.sub(rf"\b({'|'.join(names) or '0^'})\b", "n", ast.unparse(node.slice)) + "]"
    if isinstance(node, ast.Tuple):
        return f"({', '.join(map(_head, node.elts))})"
    return type(node).__name__


def _line(node: Node) -> str:
    if isinstance(node, ast.Assign):
        return f"{_head(node.targets[0])} ="
    return f"{type(node).__name__} {_head(getattr(node, 'value', None))}"


def difference(wrong: str, right: str) -> list[str]:
    """Return what a wrong answer has and the right one has not, and the other way round: `+` or `-`, and a few letters
    that stand for it, since they lie open beside the exercise."""
    has, had = traits(wrong), traits(right)
    return sorted([f"+{_short(one)}" for one in has - had] + [f"-{_short(one)}" for one in had - has])


def _short(trait: str) -> str:
    return f"{zlib.crc32(trait.encode()) & 0xFFFFF:05x}"


def unlikeness(source: str, known: Iterable[str]) -> float:
    """Return how much of a known difference an answer does not show, from 0 to 1."""
    has = {_short(one) for one in traits(source)}
    parts = [*known]
    against = sum((part[1:] in has) != (part[0] == "+") for part in parts)
    return against / len(parts) if parts else 0.0


def oddity(source: str, outcome: str = "") -> str:
    """Quote a line of an answer that does nothing, or is left too early, in a sentence; empty if there is none.

    outcome: how the test ended, where that decides.
    """
    try:
        nodes = [*ast.walk(ast.parse(source))]
        functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
        idle = (sentence for node in nodes for sentence in _idle(node))
        return next(chain(idle, (sentence for node in functions for sentence in _oddities(node, outcome))), "")
    except NO_PYTHON:
        return ""


def _idle(node: Node) -> Iterator[str]:
    """Quote a line whose result nothing takes."""
    if isinstance(node, ast.Expr) and not isinstance(node.value, (ast.Constant, ast.Await, ast.Yield, ast.YieldFrom)):
        if isinstance(node.value, ast.Compare):
            yield f"`{_quoted(node)}` compares, and nothing is set: == asks, and = sets."
        elif _is_pure(node.value) if isinstance(node.value, ast.Call) else not isinstance(node.value, ast.ListComp):
            yield f"Nothing takes what `{_quoted(node)}` gives: it changes nothing by itself."


def _oddities(node: Node, outcome: str) -> Iterator[str]:
    """Quote what is odd in a function."""
    for name, line in _unread(node):
        yield f"No line reads the `{name}` that `{_quoted(line)}` sets: a new value of a name changes nothing else."
    for loop in ast.walk(node):
        if isinstance(loop, ast.For) and any(isinstance(line, ast.Return) for line in loop.body):
            yield f"`return` stands inside of `{_quoted(loop)}`, so that its first round is the last."
    for default in node.args.defaults:
        if isinstance(default, (ast.List, ast.Dict, ast.Set)) or _head(default) in ("list()", "dict()", "set()"):
            yield f"The default `{_quoted(default)}` of `{node.name}` is made once, and shared by all calls."
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for argument in node.args.args:
        if argument.arg not in read and not _is_stub(node):
            yield f"No line of your `{node.name}` looks at `{argument.arg}`."
    last = node.body[-1]
    if "None" in outcome.partition(", got ")[2][:5] and isinstance(last, (ast.For, ast.If, ast.Try, ast.FunctionDef)):
        yield f"Your `{node.name}` ends without a `return` after its last line."
    arguments = {argument.arg for argument in node.args.args}
    for line in ast.walk(node):
        name = getattr(line.targets[0], "id", "") if isinstance(line, ast.Assign) else ""
        if name in arguments and re.match(rf"{name}\b[^:]*: expected", outcome):
            yield f"`{_quoted(line)}` gives the name to something else: what the caller handed over is not written."


def _is_pure(call: Node) -> bool:
    """Tell whether a call only returns something."""
    function, written = call.func, any(word.arg in ("out", "inplace") for word in call.keywords)
    name = getattr(function, "attr", getattr(function, "id", ""))
    if written or name in SETS["changing"]:
        return False
    of_module = isinstance(function, ast.Attribute) and ast.unparse(function).split(".")[0] in SETS["modules"]
    return name in SETS["pure"] or (of_module and len(call.args) < 3)


def _is_stub(node: Node) -> bool:
    return all(isinstance(line, (ast.Raise, ast.Pass, ast.Expr)) for line in node.body)


def _unread(function: Node) -> Iterator[tuple[str, Node]]:
    """Yield the names that are set and read nowhere, or only to set them anew, each with the last such line."""
    stores: dict[str, Node] = {}
    readers: dict[str, set[str]] = {}
    outer = {name for node in ast.walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    for line in (part for part in ast.walk(function) if isinstance(part, ast.stmt)):
        simple = not hasattr(line, "body")
        target: Node = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
        own = target.id if simple and isinstance(target, ast.Name) else ""
        if own and own not in outer:
            stores[own] = line
        for node in ast.walk(line) if simple else ast.iter_child_nodes(line):
            for part in ast.walk(node) if isinstance(node, ast.expr) else ():
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                    readers.setdefault(part.id, set()).add(own)
    for name, last in stores.items():
        if readers.get(name, set()) <= {name}:
            yield name, last


def writes(source: str) -> str:
    """Quote the lines of an answer that write into its arguments, in a sentence; empty if there is none."""
    try:
        functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
        lines = [line for node in functions for line in _writing(node)]
    except NO_PYTHON:
        return ""
    return f"Is it `{'` or `'.join(dict.fromkeys(lines[:2]))}`?" if lines else ""


def _writing(function: Node) -> Iterator[str]:
    outside = {argument.arg for argument in function.args.args}
    for node in ast.walk(function):
        if isinstance(node, (ast.For, ast.comprehension)) and _root(node.iter) in outside:
            outside |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            same = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)) or _called(value) in SETS["same"]
            outside |= {node.targets[0].id} if same and _root(value) in outside else set()
            outside -= {node.targets[0].id} if not (same and _root(value) in outside) else set()
        if isinstance(node, ast.AugAssign) and _root(node.target) in outside:
            yield _quoted(node)
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Subscript)
            and _root(node.targets[0]) in outside
        ):
            yield _quoted(node)
        if isinstance(node, ast.Call):
            outs = [_root(word.value) for word in node.keywords if word.arg == "out"]
            if {*outs} & outside or (_called(node) in SETS["in place"] and _root(node.func) in outside):
                yield _quoted(node)


def _called(node: Node) -> str:
    function = getattr(node, "func", None)
    return getattr(function, "attr", getattr(function, "id", ""))


def _root(node: Node) -> str:
    """Return the name that an expression begins with; of a call, that of what it is made of."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            node = node.args[0] if node.args else node.func
        else:
            node = getattr(node, "value", None)
        if node is None:
            return ""
    return node.id


def _quoted(node: Node) -> str:
    text = ast.unparse(node).strip().split("\n")[0].rstrip(":")
    return text if len(text) < 70 else f"{text[:69]}…"
