"""A row of the derivative table as an expression of a program: letters become entries, numbers get a dtype."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from minigrad.compiler.names import Names, kind_name
from minigrad.compiler.values import Elementwise, literal

FUNCTIONS = {"max": "maximum", "min": "minimum"}  # Python's min and max treat nan differently
# Rows whose text is a kernel's, for all floats or for one dtype: under a name that says more, or in fewer operations.
KERNELS: dict[str | tuple[str, str], str] = {
    "step": "relu_slope",
    **{(name, "f4"): name for name in ("gelu", "normal_cdf", "normal_pdf")},
}
SIGN = "1 if a > 0 else -1 if a < 0 else 0 if a == 0 else a"  # numba's sign of an unsigned number may be -1

# What the operators and functions of the derivative table are between conditions: NumPy's + is "or".
OF_BOOLS = {
    "a + b": "a or b", "a * b": "a and b", "a * a": "a", "maximum(a, b)": "a or b", "minimum(a, b)": "a and b",
    "abs(a)": "a", "min(max(a, b), c)": "(a or b) and c",
}  # fmt: skip
# Of signed integers, where machine code says something else than NumPy: its fmod, and the least number divided by -1.
OF_INTEGERS = {
    "fmod(a, b)": "a % b if a % b == 0 or (a < 0) == (b < 0) else a % b - b",
    "a // b": "-a if b == -1 else a // b",
    "a ** b": "integer_power(a, b)",
}


class Fold(ast.NodeTransformer):
    """Substitutes known numbers into an expression, with their signs, and chooses by conditions that are known."""

    def __init__(self, known: dict[str, Any]):
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(self.known[node.id]) if node.id in self.known else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(operand, ast.Constant) and isinstance(operand.value, float):
            return ast.Constant(-operand.value)
        return ast.UnaryOp(node.op, operand)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if any(isinstance(x, ast.Name | ast.Call) for x in ast.walk(test)):
            return self.generic_visit(node)
        holds = eval(compile(ast.fix_missing_locations(ast.Expression(test)), "", "eval"), {"__builtins__": {}})
        return self.visit(node.body if holds else node.orelse)


def expression(names: Names, member: Elementwise, operands: list[str]) -> str:
    """The rule's expression with its letters replaced by operands and its numbers given a dtype.

    All its inputs have the dtype that it is computed in; only what `where` asks is a condition.
    """
    if member.rule == "copy":
        return converted(names, operands[0], member.inputs[0].dtype, member.out.dtype)
    dtype = member.inputs[-1].dtype
    expression = member.expression
    if dtype.kind == "b":
        expression = OF_BOOLS.get(expression, expression)
    if dtype.kind == "i" and not (expression == "a ** b" and literal(member.inputs[1]) is not None):
        expression = OF_INTEGERS.get(expression, expression)
    kernel = KERNELS.get(member.rule) or KERNELS.get((member.rule, kind_name(dtype)))
    if dtype.kind == "f" and kernel is not None:
        expression = f"{kernel}({', '.join(member.letters)})"
    numbers = zip(member.letters, map(literal, member.inputs), strict=True)
    known = {letter: number for letter, number in numbers if number is not None}
    folded = Fold(known).visit(ast.parse(expression, mode="eval"))
    filled = Put(names, dtype, dict(zip(member.letters, operands, strict=True))).visit(folded)
    text = ast.unparse(ast.fix_missing_locations(filled))
    # numba counts with 64 bits whatever comes in; NumPy's small integers overflow.
    return f"{kind_name(dtype)}({text})" if member.out.dtype.kind in "iu" and member.out.dtype.itemsize < 8 else text


class Put(ast.NodeTransformer):
    """Replaces letters by operands and numbers by numbers of a dtype; calls functions by their names in the program."""

    def __init__(self, names: Names, dtype: np.dtype, operands: dict[str, str]):
        self.names, self.dtype, self.operands = names, dtype, operands

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.parse(self.operands[node.id], mode="eval").body if node.id in self.operands else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        number = repr(node.value) if isinstance(node.value, bool) else self.names.number(node.value, self.dtype)
        return ast.parse(number, mode="eval").body

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        arguments = [self.visit(x) for x in node.args]
        if node.func.id == "sign":
            spelled = ast.parse(SIGN, mode="eval").body
            return Put(self.names, self.dtype, {"a": ast.unparse(arguments[0])}).visit(spelled)
        function = FUNCTIONS.get(node.func.id, node.func.id)
        if function != "abs":
            function = self.names.suffixed(function, self.dtype)
        return ast.Call(ast.Name(function), arguments, [])


def converted(names: Names, text: str, old: np.dtype, new: np.dtype) -> str:
    """Convert a number from one dtype to another."""
    if old == new:
        return text
    return f"({text} != {names.number(0, old)})" if new.kind == "b" else f"{kind_name(new)}({text})"
