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
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.operation import Operation
from minigrad.core.rules import Rule

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


def partial_template(rule: Rule, i: int, values: Mapping[str, Any]) -> Template:
    """Return the partial derivative by input i, at these values of the inputs and of `v`."""
    return _Decided(values).visit(ast.parse(rule.partials[i], mode="eval")).body


class _Decided(ast.NodeTransformer):
    """Replaces a helper row that is 0 in its first case, such as safe_div or preference, by the case of these values.

    Where the entries of arrays are of different cases, the row stays a call by its name.
    """

    def __init__(self, values: Mapping[str, Any]):
        self.values = values

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        row = rules.TABLE.get(node.func.id) if isinstance(node.func, ast.Name) else None
        case = parse(row.expression) if row is not None else None
        if row is None or not isinstance(case, ast.IfExp) or _literal(case.body) != 0:
            return node
        arguments = dict(zip(row.inputs, node.args, strict=True))
        while isinstance(case, ast.IfExp):
            holds = self._evaluate(put(case.test, arguments))
            if np.any(holds) and not np.all(holds):
                return node
            case = case.body if np.all(holds) else case.orelse
        return put(case, arguments)

    def _evaluate(self, condition: Template) -> Any:
        code = compile(ast.fix_missing_locations(ast.Expression(condition)), "<condition>", "eval")
        with np.errstate(all="ignore"):
            return eval(code, dict(rules.TABLE), dict(self.values))


def put(template: Template, expressions: Mapping[str, Template]) -> Template:
    """Replace the names in `template` by expressions."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return expressions.get(node.id, node)

    return Put().visit(copy.deepcopy(template))


def tangent_template(rule: Rule, moving: tuple[int, ...], values: Mapping[str, Any]) -> Template | None:
    """Return partial * tangent, summed over the moving inputs; the tangent of input k is called `t0`, `t1`, ..."""
    total: Template | None = None
    for i in moving:
        term = _product(partial_template(rule, i, values), ast.Name(f"t{i}"), partial_first=True)
        if term is not None:
            total = term if total is None else _added(total, term)
    return total


def adjoint_template(rule: Rule, i: int, values: Mapping[str, Any]) -> Template | None:
    """Return adjoint * partial; the adjoint of the value is called `y`."""
    return _product(partial_template(rule, i, values), ast.Name("y"), partial_first=False)


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
