"""A row of the derivative table as an expression of a program: letters become entries, numbers get a dtype."""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any

import numpy as np

from minigrad.compiler.names import Names, kind_name
from minigrad.compiler.text import named
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
    """Substitutes known numbers into an expression and folds the results, in the dtype of the computation."""

    def __init__(self, known: dict[str, Any], dtype: np.dtype):
        self.known, self.dtype = known, dtype

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(self.known[node.id]) if node.id in self.known else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.AST) -> ast.AST:
        node = self.generic_visit(node)
        if any(isinstance(x, ast.Name | ast.Call) for x in ast.walk(node)):
            return node
        tree = ast.Expression(ast.fix_missing_locations(Typed().visit(copy.deepcopy(node))))
        with np.errstate(all="ignore"):
            number = eval(compile(tree, "", "eval"), {"__builtins__": {}, "typed": self.dtype.type})
        return ast.Constant(number.item())

    visit_UnaryOp = visit_Compare = visit_BinOp


class Typed(ast.NodeTransformer):
    """Writes typed(2) for each number 2."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Call(ast.Name("typed", ast.Load()), [node], [])


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
    # They are evaluated before they are written: in a ** (3 - 1), and in a condition. -0.0 differs from 0.0.
    known = tuple((letter, repr(number), number) for letter, number in numbers if number is not None)
    spelled = [_spelled(text) for text in operands]
    shapes = tuple(zip(member.letters, (shape for _, shape in spelled), strict=True))
    pieces, functions = _pattern(expression, known, shapes, dtype, names.dtype)
    names.functions.update(functions)
    texts = {letter: text for letter, (text, _) in zip(member.letters, spelled, strict=True)}
    text = "".join([texts[piece] if k % 2 else piece for k, piece in enumerate(pieces)])
    # numba counts with 64 bits whatever comes in; NumPy's small integers overflow.
    return f"{kind_name(dtype)}({text})" if member.out.dtype.kind in "iu" and member.out.dtype.itemsize < 8 else text


HOLE = "hole"


@functools.lru_cache(4096)
def _pattern(
    expression: str, known: tuple[Any, ...], shapes: tuple[tuple[str, str], ...], dtype: np.dtype, own: np.dtype
) -> tuple[list[str], dict[str, str]]:
    """Return an expression of the table as text pieces: at odd places stands the letter of an operand.

    Also returns the functions that it calls. The same few expressions occur in every program, on ever new operands.
    own: the dtype of the program's named numbers.
    """
    names = Names(own, (), str)
    holes = {letter: shape.replace(HOLE, named(letter)) for letter, shape in shapes}
    folded = Fold({letter: number for letter, _, number in known}, dtype).visit(ast.parse(expression, mode="eval"))
    text = ast.unparse(ast.fix_missing_locations(Put(names, dtype, holes).visit(folded)))
    for letter, hole in holes.items():
        text = text.replace(hole, f"\0{letter}\0")
    return text.split("\0"), names.functions


@functools.lru_cache(1024)
def _spelled(operand: str) -> tuple[str, str]:
    """Return an operand as Python writes it, and its outermost operation between HOLEs, which decides about
    brackets.
    """
    tree = ast.parse(operand, mode="eval").body
    shape = ast.Name(HOLE)
    if not isinstance(tree, ast.Name | ast.Call | ast.Subscript | ast.Attribute | ast.Constant):
        for field, value in ast.iter_fields(outermost := copy.copy(tree)):
            if isinstance(value, ast.expr):
                setattr(outermost, field, shape)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                setattr(outermost, field, [shape for _ in value])
        return ast.unparse(tree), ast.unparse(outermost)
    return ast.unparse(tree), HOLE


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
