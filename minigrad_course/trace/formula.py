"""One equation of a trace table, with symbols and with numbers, as text and as HTML."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad_course.trace.style import COMPARED, HTML, TEXT, Style, number_text, value_text
from minigrad_course.trace.template import Template

_ATOM, _POWER, _NEGATIVE, _PRODUCT, _SUM, _COMPARE = 6, 5, 4, 3, 2, 1  # precedence of an expression


class Symbol(NamedTuple):
    """A name in a formula. accent: "", DOT or BAR. fixed: a constant, always written as its number."""

    name: str
    accent: str
    value: Any
    fixed: bool = False


@dataclass(frozen=True, eq=False)
class Equation:
    """One cell of a trace table: `v2 = x1·x2 = 3·4 = 12`.

    left: the symbol that gets a value. sign: "=", or "+=" where the value is added to an earlier one. template,
    symbols: the formula, and the meanings of its names; no template if there is only a value. value: the result of the
    formula, a number or an array. total: for "+=", the new value of `left`.
    """

    left: Symbol
    sign: str
    template: Template | None
    symbols: Mapping[str, Symbol]
    value: Any
    total: Any = None

    @cached_property
    def formula(self) -> str:
        """The right side with symbols, as text; "" where there is only a value."""
        return self.written(TEXT, False)

    @cached_property
    def numbers(self) -> str:
        """The right side with the numbers put in, as text."""
        return self.written(TEXT, True)

    def __str__(self) -> str:
        return self.line(TEXT)

    @property
    def html(self) -> str:
        return self.line(HTML)

    def written(self, style: Style, numbers: bool) -> str:
        """Write the right side in a style, with symbols or with numbers."""
        if self.template is None:
            return ""
        return _Writer(style, self.symbols, numbers).write(self.template)[0]

    def _side(self, style: Style, numbers: bool) -> str:
        side = self.written(style, numbers)
        return style.bracket(side) if isinstance(self.template, ast.Compare) else side

    def line(self, style: Style) -> str:
        """Write the whole equation, without steps that repeat the previous one."""
        parts = [self._side(style, False), self._side(style, True), style.number(value_text(self.value))]
        shown = [part for k, part in enumerate(parts) if part and (k == 2 or part != parts[k + 1])]
        left = style.symbol(self.left.name, self.left.accent)
        total = "" if self.total is None else style.sum(value_text(self.total))
        return f"{left} {self.sign} {style.steps(shown)}{total}"


class _Writer:
    """Writes a template in one style. Each piece carries its precedence, so that brackets go where they are needed."""

    def __init__(self, style: Style, symbols: Mapping[str, Symbol], numbers: bool):
        self.style, self.symbols, self.numbers = style, symbols, numbers

    def write(self, x: ast.expr) -> tuple[str, int]:
        folded = self._fixed(x)
        if folded is not None:
            return self._number(folded)
        if isinstance(x, ast.Name):
            return self._symbol(self.symbols[x.id]) if x.id in self.symbols else (self.style.text(x.id), _ATOM)
        if isinstance(x, ast.BinOp):
            return self._binary(x)
        if isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.USub):
            text, tight = self.write(x.operand)
            clear = tight == _PRODUCT or tight > _NEGATIVE  # not - -a, nor - a + b
            return self.style.minus + (text if clear else self.style.bracket(text)), _NEGATIVE
        if isinstance(x, ast.Compare) and len(x.ops) == 1 and type(x.ops[0]) in COMPARED:
            sign = self.style.text(COMPARED[type(x.ops[0])])
            return f"{self._inside(x.left, _SUM)} {sign} {self._inside(x.comparators[0], _SUM)}", _COMPARE
        if isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and not x.keywords:
            written = [self.write(argument) for argument in x.args]
            simple = all(tight >= _POWER for _, tight in written)
            tight = _POWER if x.func.id in ("exp", "sqrt") else _ATOM  # HTML writes them as a power and with √
            return self.style.call(x.func.id, [text for text, _ in written], simple), tight
        if isinstance(x, ast.Attribute) and x.attr == "T":
            return self.style.transposed(self._inside(x.value, _ATOM)), _POWER
        return self._as_python(x), _ATOM if isinstance(x, ast.Subscript | ast.Attribute | ast.Call) else _COMPARE

    def _symbol(self, symbol: Symbol) -> tuple[str, int]:
        if self.numbers or symbol.fixed:
            return self._number(symbol.value)
        return self.style.symbol(symbol.name, symbol.accent), _ATOM

    def _number(self, x: ArrayLike) -> tuple[str, int]:
        text = number_text(x)
        return self.style.number(text), _NEGATIVE if text.startswith("-") else _ATOM

    def _fixed(self, x: ast.expr) -> float | None:
        """Return the number that an expression of constants is, such as the 3 - 1 in the slope of x^3."""
        if isinstance(x, ast.Constant) and isinstance(x.value, int | float):
            return x.value
        if isinstance(x, ast.Name) and x.id in self.symbols:
            symbol = self.symbols[x.id]
            return float(symbol.value) if symbol.fixed and np.ndim(symbol.value) == 0 else None
        if isinstance(x, ast.BinOp) and isinstance(x.op, ast.Sub | ast.Add | ast.Mult):
            left, right = self._fixed(x.left), self._fixed(x.right)
            if left is not None and right is not None:
                return {ast.Sub: left - right, ast.Add: left + right, ast.Mult: left * right}[type(x.op)]
        return None

    def _inside(self, x: ast.expr, least: int) -> str:
        text, tight = self.write(x)
        return text if tight >= least else self.style.bracket(text)

    def _binary(self, x: ast.BinOp) -> tuple[str, int]:
        style, op = self.style, x.op
        if isinstance(op, ast.Pow):
            exponent, tight = self.write(x.right)
            return style.power(self._inside(x.left, _ATOM), exponent, tight == _ATOM), _POWER
        if isinstance(op, ast.Add | ast.Sub):
            sign = "+" if isinstance(op, ast.Add) else style.minus
            left, right = self._inside(x.left, _SUM), self._inside(x.right, _PRODUCT)
            return f"{left} {sign} {self._no_sign_first(right)}", _SUM
        one, other = self.write(x.left), self.write(x.right)
        # A quotient inside a product gets brackets: a / b · c can be misread.
        quotient = isinstance(x.left, ast.BinOp) and isinstance(x.left.op, ast.Div) and not isinstance(op, ast.Div)
        first = style.bracket(one[0]) if one[1] < _PRODUCT or quotient else one[0]
        second = style.bracket(other[0]) if other[1] <= _NEGATIVE else other[0]
        if isinstance(op, ast.Mult):
            if isinstance(x.right, ast.BinOp) and isinstance(x.right.op, ast.Mult) and other[1] == _PRODUCT:
                second = other[0]  # a · (b · c) needs none
            return f"{first}·{second}", _PRODUCT
        if isinstance(op, ast.Div):
            return f"{first}/{second}", _PRODUCT
        if isinstance(op, ast.MatMult):
            sign = " @ " if self.numbers else style.at
            return f"{first}{sign}{second}", _PRODUCT
        if isinstance(op, ast.Mod | ast.FloorDiv):
            return f"{first} {'%' if isinstance(op, ast.Mod) else '//'} {second}", _PRODUCT
        return self._as_python(x), _COMPARE

    def _no_sign_first(self, text: str) -> str:
        return self.style.bracket(text) if text.startswith(self.style.minus) else text

    def _as_python(self, x: ast.expr) -> str:
        """Write anything else as Python does, with the symbols substituted."""
        source = ast.unparse(x)
        if not self.symbols:
            return self.style.text(source)
        names = re.compile(rf"\b({'|'.join(map(re.escape, self.symbols))})\b")
        pieces = names.split(source)
        return "".join(
            self._symbol(self.symbols[piece])[0] if k % 2 else self.style.text(piece) for k, piece in enumerate(pieces)
        )
