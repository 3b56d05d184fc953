"""The right side of an equation, before substitution.

A `Template` is a Python expression whose names stand for the symbols of one row: `a`, `b`, `c` or `x0`, `x1`, ... for
the inputs of an operation, `v` for its value. There is no second table of derivatives: the text of an elementwise
operation is in rules.py, and that of an array operation follows from its own jvp or vjp (`derive.py`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from functools import lru_cache

from minigrad import rules
from minigrad.operation import Operation
from minigrad.rules import Rule

Template = ast.expr


@lru_cache(maxsize=4096)
def parse(expression: str) -> Template:
    return ast.parse(expression, mode="eval").body


@lru_cache(maxsize=1024)
def rule_template(rule: Rule) -> Template:
    """Return the value of a row of the derivative table: with its operator if it is one, else as a call by name."""
    if rule.name in ("square", "identity"):
        return parse("a ** 2" if rule.name == "square" else "a")
    row = parse(rule.expression)
    plain = all(isinstance(x, ast.Name) for x in _operands(row))
    if rule.name == "neg" or (plain and isinstance(row, ast.BinOp | ast.Compare)):
        return row
    return parse(f"{rule.name}({', '.join(rule.inputs)})")


def _operands(row: Template) -> list[ast.expr]:
    if isinstance(row, ast.BinOp):
        return [row.left, row.right]
    return [row.left, *row.comparators] if isinstance(row, ast.Compare) else []


@lru_cache(maxsize=1024)
def partial_template(rule: Rule, i: int) -> Template:
    """Return the partial derivative by input i, without the cases that the table replaces by 0."""
    return _Readable().visit(ast.parse(rule.partials[i], mode="eval")).body


class _Readable(ast.NodeTransformer):
    """Rewrites helper rows that only fill in limits, such as scaled_power, as their formula."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        row = rules.TABLE.get(node.func.id) if isinstance(node.func, ast.Name) else None
        meant = parse(row.expression) if row is not None else None
        if row is None or not isinstance(meant, ast.IfExp) or _literal(meant.body) != 0:
            return node
        return put(meant.orelse, dict(zip(row.inputs, node.args, strict=True)))


def put(template: Template, expressions: Mapping[str, Template]) -> Template:
    """Replace the names in `template` by expressions."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return expressions.get(node.id, node)

    return Put().visit(copy.deepcopy(template))


@lru_cache(maxsize=4096)
def tangent_template(rule: Rule, moving: tuple[int, ...]) -> Template | None:
    """Return partial * tangent, summed over the moving inputs; the tangent of input k is called `t0`, `t1`, ..."""
    total: Template | None = None
    for i in moving:
        term = _product(partial_template(rule, i), ast.Name(f"t{i}"), partial_first=True)
        if term is not None:
            total = term if total is None else _added(total, term)
    return total


@lru_cache(maxsize=4096)
def adjoint_template(rule: Rule, i: int) -> Template | None:
    """Return adjoint * partial; the adjoint of the value is called `y`."""
    return _product(partial_template(rule, i), ast.Name("y"), partial_first=False)


def _product(partial: Template, change: Template, partial_first: bool) -> Template | None:
    number = _literal(partial)
    if number == 0:
        return None
    if number == 1:
        return change
    if number == -1:
        return ast.UnaryOp(ast.USub(), change)
    left, right = (partial, change) if partial_first else (change, partial)
    return ast.BinOp(left, ast.Mult(), right)


def _added(left: Template, right: Template) -> Template:
    if isinstance(right, ast.UnaryOp):
        return ast.BinOp(left, ast.Sub(), right.operand)
    return ast.BinOp(left, ast.Add(), right)


def _literal(x: ast.expr) -> float | None:
    if isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.USub):
        inner = _literal(x.operand)
        return None if inner is None else -inner
    return x.value if isinstance(x, ast.Constant) and isinstance(x.value, int | float) else None


def operation_template(op: Operation, inputs: int) -> Template:
    """Return the value of any operation in its inputs `a`, `b`, `c` (a row of the table) or `x0`, `x1`, ..."""
    if isinstance(op, Rule):
        return rule_template(op)
    names = input_names(op, inputs)
    try:
        text = op.text(*names)
    except TypeError:  # an operation without a text of its own for these inputs
        text = f"{op.name}({', '.join(names)})"
    try:
        return parse(text)
    except SyntaxError:  # words, such as "scan over 28 steps of (...)"
        return ast.Call(ast.Name(text.partition("(")[0].strip()), [ast.Name(name) for name in names], [])


def input_names(op: Operation, inputs: int) -> tuple[str, ...]:
    return op.inputs if isinstance(op, Rule) else tuple(f"x{k}" for k in range(inputs))


def call(name: str, *arguments: Template) -> Template:
    return ast.Call(ast.Name(name), list(arguments), [])
