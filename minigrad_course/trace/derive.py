"""The rows of both tables: the chain rule, one node at a time, with the formulas behind the numbers.

The numbers come from the operations' own jvp and vjp, on this run's values. The formula of an elementwise operation is
its row of the derivative table. The formula of an array operation is read off its jvp or vjp: these are written in
operations too, so on nodes they leave a small graph.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.errors import Line
from minigrad.core.fit import fit, to
from minigrad.core.graph import Constant, Node
from minigrad.core.operation import plain
from minigrad.core.rules import Rule
from minigrad_course.trace.formula import Equation, Symbol
from minigrad_course.trace.seed import Choice, directions, weights
from minigrad_course.trace.style import BAR, DOT
from minigrad_course.trace.template import (
    Template,
    adjoint_template,
    call,
    input_names,
    operation_template,
    parse,
    put,
    tangent_template,
)
from minigrad_course.trace.trace_table import Row, Table
from minigrad_course.trace.tracer import Input, Trace

LONGEST = 6  # operations in the formula of an array's derivative; of longer ones only the name is shown


def forward_table(trace: Trace, seed: Choice) -> Table:
    moves = directions(trace, seed)
    tangents: dict[Node, Any] = {}
    rows = []
    for node in trace.nodes:
        note: list[str] = []
        derivative = None
        if node in moves:
            tangents[node] = moves[node]
            derivative = Equation(_symbol(trace, node, DOT, tangents[node]), "=", None, {}, plain(tangents[node]))
            note.append("seed")
        elif node in trace.moving and node.dtype.kind == "f":
            tangents[node], template, symbols = _tangent(trace, node, tangents)
            left = _symbol(trace, node, DOT, tangents[node])
            derivative = Equation(left, "=", template, symbols, plain(tangents[node]))
        rows.append(_row(trace, node, derivative, node, note))
    return Table(rows, "forward", [_symbol(trace, x, DOT, move) for x, move in moves.items()], trace)


def _tangent(trace: Trace, node: Node, tangents: Mapping[Node, Any]) -> tuple[Any, Template | None, dict[str, Symbol]]:
    """Compute the tangent of a node, and its formula; 0 where nothing flows through the operation."""
    op = node.op
    assert op is not None
    moving = tuple(i for i, x in enumerate(node.inputs) if x in tangents)
    names = input_names(op, len(node.inputs))
    symbols = {name: trace.symbols[x] for name, x in zip(names, node.inputs, strict=True)}
    symbols["v"] = trace.symbols[node]
    symbols |= {f"t{i}": _symbol(trace, node.inputs[i], DOT, tangents[node.inputs[i]]) for i in moving}
    if isinstance(op, Rule):
        values = [x._value for x in node.inputs]
        tangent = op.pushforward({i: tangents[node.inputs[i]] for i in moving}, node._value, *values)
        template = tangent_template(op, moving, _values(symbols)) if tangent is not None else None
    else:
        leaves = {name: Constant(np.asarray(symbol.value)) for name, symbol in symbols.items()}
        seeds = {i: leaves[f"t{i}"] for i in moving}
        result = op.pushforward(seeds, leaves["v"], *(leaves[name] for name in names))
        generic = call(f"jvp of {op.name}", *(_name(f"t{i}") for i in moving))
        tangent, template = _read_off(result, leaves, generic)
    if tangent is None:
        return np.zeros(node.shape, node.dtype)[()], None, {}
    return to(tangent, node.shape, node.dtype)[()], template, symbols


def reverse_table(trace: Trace, output: Choice) -> Table:
    weighted = weights(trace, output)
    adjoints: dict[Node, Any] = {}
    below: list[Row] = []  # from the last row of the table to the first
    for (y, weight), variable in reversed(list(zip(weighted, trace.variables, strict=True))):
        sign = "+=" if y in adjoints else "="
        sum_so_far = adjoints[y] + weight if y in adjoints else weight
        start = Equation(_symbol(trace, y, BAR, weight), sign, None, {}, plain(weight), _total(sign, sum_so_far))
        below.append(_row(trace, y, start, y, ["seed"], f"output {variable or ''}".strip()))
        if np.any(weight):  # an output with weight 0 sends nothing back
            adjoints[y] = sum_so_far
    for node in reversed(trace.nodes):
        has = adjoints.get(node)
        if node.op is None:
            derivative = None
            if node in trace.moving:
                result = np.zeros(node.shape, node.dtype) if has is None else has
                derivative = Equation(_symbol(trace, node, BAR, result), "=", None, {}, plain(result))
            below.append(_row(trace, node, derivative, node, ["the result"] if derivative else []))
        elif has is None or node not in trace.moving:
            derivative, note = None, []
            if node in trace.moving and node.dtype.kind == "f":
                zero = np.zeros(node.shape, node.dtype)
                derivative = Equation(_symbol(trace, node, BAR, zero), "=", None, {}, plain(zero))
                note = ["does not reach the output"]
            below.append(_row(trace, node, derivative, node, note))
        else:
            below += _contributions(trace, node, has, adjoints)
    for step, row in enumerate(below):
        row.step = step
    return Table(below[::-1], "reverse", [_symbol(trace, y, BAR, weight) for y, weight in weighted], trace)


def _contributions(trace: Trace, node: Node, has: np.ndarray, adjoints: dict[Node, Any]) -> list[Row]:
    """Make a row for each share that a node passes to its inputs; last input first, because the table is read
    upwards.
    """
    rows = []
    for i, amount, template, symbols in reversed(_adjoints(trace, node, has)):
        x = node.inputs[i]
        sign = "+=" if x in adjoints else "="
        adjoints[x] = adjoints[x] + amount if x in adjoints else amount
        left = _symbol(trace, x, BAR, amount)
        derivative = Equation(left, sign, template, symbols, plain(amount), _total(sign, adjoints[x]))
        rows.append(_row(trace, node, derivative, x, []))
    return rows or [_row(trace, node, None, node, ["nothing flows back"])]


def _adjoints(trace: Trace, node: Node, has: np.ndarray) -> list[tuple[int, Any, Template | None, dict[str, Symbol]]]:
    """Return (input, contribution, formula, symbols) for each input that receives a share."""
    op = node.op
    assert op is not None
    needed = [i for i, x in enumerate(node.inputs) if x in trace.moving and x.dtype.kind == "f"]
    names = input_names(op, len(node.inputs))
    symbols = {name: trace.symbols[x] for name, x in zip(names, node.inputs, strict=True)}
    symbols |= {"v": trace.symbols[node], "y": _symbol(trace, node, BAR, has)}
    if isinstance(op, Rule):
        amounts: list[Any] = op.pullback(needed, has, node._value, *(x._value for x in node.inputs))
        at = _values(symbols)
        pairs = [(amount, adjoint_template(op, i, at)) for i, amount in zip(needed, amounts, strict=True)]
    elif op.part is not None:
        whole = np.zeros(node.inputs[0].shape, node.inputs[0].dtype)
        op.value(whole)[...] = has
        pairs = [(whole, call("back into its part of the whole", _name("y")))]
    else:
        leaves = {name: Constant(np.asarray(symbol.value)) for name, symbol in symbols.items()}
        seed: Any = leaves["y"]
        if parts := trace.parts.get(node):  # several results in one array: an adjoint for each
            seed = {part.part: part(leaves["y"]) for part in parts}
        results = op.pullback(needed, seed, leaves["v"], *(leaves[name] for name in names))
        pairs = [_read_off(result, leaves, call(f"vjp of {op.name}", _name("y"))) for result in results]
    rows = []
    for i, (amount, template) in zip(needed, pairs, strict=True):
        if amount is None:
            continue
        x = node.inputs[i]
        if template is not None and np.shape(amount) != x.shape:
            template = call("sum", template)  # the copies made by broadcasting
        rows.append((i, np.asarray(fit(amount, x)), template, symbols))
    return rows


def _read_off(result: object, leaves: Mapping[str, Node], generic: Template) -> tuple[Any, Template | None]:
    """Return the value that a jvp or vjp computed from `leaves`, and its graph as a formula if it is small."""
    if result is None:
        return None, None
    if not isinstance(result, Node):
        return result, generic
    known: dict[Node, Template] = {leaf: _name(name) for name, leaf in leaves.items()}
    count = 0

    def write(node: Node) -> Template | None:
        nonlocal count
        if node in known:
            return known[node]
        if node.op is None:
            return parse(str(plain(node._value))) if node.shape == () else None
        count += 1
        parts = [write(x) for x in node.inputs] if count <= LONGEST and not hasattr(node.op, "parts") else [None]
        if any(part is None for part in parts):
            return None
        names = input_names(node.op, len(parts))
        return put(operation_template(node.op, len(parts)), {n: p for n, p in zip(names, parts, strict=True) if p})

    return result._value, write(result) or generic


def _row(trace: Trace, node: Node, derivative: Equation | None, target: Node, note: list[str], output: str = "") -> Row:
    computed = "operation" if node in trace.runs else "constant"
    kind = "output" if output else "input" if isinstance(node, Input) else computed
    notes = [_decided(d.went, d.line, node.line) for d in trace.decided.get(node, ())]
    template, symbols = None, {}
    if kind == "operation" and node.op is not None:
        template = operation_template(node.op, len(node.inputs))
        names = input_names(node.op, len(node.inputs))
        symbols = {name: trace.symbols[x] for name, x in zip(names, node.inputs, strict=True)}
    return Row(
        kind=kind,
        label=output or {"input": "input", "constant": "from outside"}.get(kind, ""),
        line=node.line if kind == "operation" else None,
        run=trace.runs.get(node, 0) if kind == "operation" else 0,
        name=trace.names[node],
        node=node,
        primal=Equation(trace.symbols[node], "=", template, symbols, trace.symbols[node].value),
        target=target,
        derivative=derivative,
        note="; ".join([*note, *notes]),
    )


def _decided(went: bool, line: Line | None, made: Line | None) -> str:
    place = f" in line {line.number}" if line is not None and line != made else ""
    return f"decided{place}: {'true' if went else 'false'}"


def _symbol(trace: Trace, node: Node, accent: str, value: object) -> Symbol:
    return Symbol(trace.names[node], accent, plain(value))


def _values(symbols: Mapping[str, Symbol]) -> dict[str, Any]:
    return {name: symbol.value for name, symbol in symbols.items()}


def _name(name: str) -> Template:
    return ast.Name(name)


def _total(sign: str, value: object) -> ArrayLike | None:
    return plain(value) if sign == "+=" else None
