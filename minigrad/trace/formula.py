"""Formulas of a trace, as text, HTML and LaTeX, with symbols or with the numbers put in.

A `Template` is an expression of Python whose names stand for the symbols of one row: `a`, `b`, `c` or `x0`, `x1`, ...
for the inputs of an operation, `v` for its value. There is no second table of derivatives: that of an elementwise
operation is the text in rules.py; that of an operation on arrays is what its own jvp or vjp does (`derive.py`).
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from minigrad import rules
from minigrad.operation import Operation
from minigrad.rules import Rule

DOT, BAR = "dot", "bar"  # over the symbol of a tangent; over that of an adjoint
Template = ast.expr


class Symbol(NamedTuple):
    """A name in a formula. accent: "", DOT or BAR. fixed: a constant, which is written as its number everywhere."""

    name: str
    accent: str
    value: Any
    fixed: bool = False


# From operations to templates -----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def parse(expression: str) -> Template:
    return ast.parse(expression, mode="eval").body


@lru_cache(maxsize=1024)
def rule_template(rule: Rule) -> Template:
    """The value of a row of the derivative table: with its operator if it is one, else as a call by its name."""
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
    """The partial derivative by input i, without the cases in which the table replaces it by 0."""
    return _Readable().visit(ast.parse(rule.partials[i], mode="eval")).body


class _Readable(ast.NodeTransformer):
    """Rows that exist only to have a value where the formula has none, such as power_slope, as their formula."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        row = rules.TABLE.get(node.func.id) if isinstance(node.func, ast.Name) else None
        meant = parse(row.expression) if row is not None else None
        if row is None or not isinstance(meant, ast.IfExp) or _literal(meant.body) != 0:
            return node
        return put(meant.orelse, dict(zip(row.inputs, node.args, strict=True)))


def put(template: Template, expressions: Mapping[str, Template]) -> Template:
    """`template` with names replaced by expressions."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return expressions.get(node.id, node)

    return Put().visit(ast.parse(ast.unparse(template), mode="eval")).body


@lru_cache(maxsize=4096)
def tangent_template(rule: Rule, moving: tuple[int, ...]) -> Template | None:
    """partial * tangent, summed over the moving inputs; the tangent of input k is called `t0`, `t1`, ..."""
    found: Template | None = None
    for i in moving:
        term = _product(partial_template(rule, i), ast.Name(f"t{i}"), partial_first=True)
        if term is not None:
            found = term if found is None else _added(found, term)
    return found


@lru_cache(maxsize=4096)
def adjoint_template(rule: Rule, i: int) -> Template | None:
    """adjoint * partial; the adjoint of the value is called `y`."""
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
    """The value of any operation, in its inputs `a`, `b`, `c` (a row of the table) or `x0`, `x1`, ..."""
    if isinstance(op, Rule):
        return rule_template(op)
    names = input_names(op, inputs)
    try:
        text = op.text(*names)
    except TypeError:  # an operation that came without a text of its own for these inputs
        text = f"{op.name}({', '.join(names)})"
    try:
        return parse(text)
    except SyntaxError:  # words, such as "scan over 28 steps of (...)"
        return ast.Call(ast.Name(text.partition("(")[0].strip()), [ast.Name(name) for name in names], [])


def input_names(op: Operation, inputs: int) -> tuple[str, ...]:
    return op.inputs if isinstance(op, Rule) else tuple(f"x{k}" for k in range(inputs))


def call(name: str, *arguments: Template) -> Template:
    return ast.Call(ast.Name(name), list(arguments), [])


# Numbers ------------------------------------------------------------------------------------------------------------


def number_text(x: Any) -> str:
    """A number in at most 6 digits, a few in a row by their entries, a larger array by its shape: [2×3]."""
    from minigrad.viz.short import ENTRIES, value

    array = np.asarray(x)
    if array.dtype.kind == "b" and array.ndim == 0:
        return "true" if array else "false"
    if array.size > ENTRIES or array.ndim > 1:
        return f"[{'×'.join(map(str, array.shape))}]"
    return value(array + 0.0)  # a 0 that is negative is shown as 0


def value_text(x: Any) -> str:
    """As number_text, and of larger arrays the range of their entries as well: [2×3] -0.31 … 0.98."""
    from minigrad.viz.short import ENTRIES, value

    if np.ndim(x) == 0:
        return number_text(x)
    whole = np.asarray(x) + 0.0
    return value(whole) if 0 < whole.size <= ENTRIES else f"{number_text(x)} {value(whole)}"


# Three ways to write ------------------------------------------------------------------------------------------------

_COMPARED = {
    ast.Gt: (">", "&gt;", ">"), ast.Lt: ("<", "&lt;", "<"), ast.GtE: ("≥", "≥", r"\ge"), ast.LtE: ("≤", "≤", r"\le"),
    ast.Eq: ("==", "==", "="), ast.NotEq: ("≠", "≠", r"\ne"),
}  # fmt: skip


class Style:
    """Plain text. The other styles say what is different in them."""

    minus, times, at, index = "-", "·", " @ ", 0
    signs: ClassVar = {"=": "=", "+=": "+="}

    def symbol(self, name: str, accent: str) -> str:
        base, rest = _split_name(name)
        if accent == DOT:  # one dot, in the middle
            at = (len(base) + 1) // 2
            base = base[:at] + "\N{COMBINING DOT ABOVE}" + base[at:]
        elif accent == BAR:
            mark = "\N{COMBINING MACRON}" if len(base) == 1 else "\N{COMBINING OVERLINE}"
            base = "".join(letter + mark for letter in base)
        return base + rest

    def text(self, text: str) -> str:
        return text

    def number(self, text: str) -> str:
        return text.replace("-", self.minus)

    def bracket(self, inner: str) -> str:
        return f"({inner})"

    def power(self, base: str, exponent: str, atom: bool) -> str:
        return f"{base}^{exponent if atom else self.bracket(exponent)}"

    def call(self, name: str, arguments: list[str], simple: bool) -> str:
        return f"{self.text(name)}{' ' if ' ' in name else ''}({', '.join(arguments)})"

    def transposed(self, inner: str) -> str:
        return f"{inner}.T"

    def sum(self, total: str) -> str:
        """What stands behind a contribution that was added to others."""
        return f"  (sum {self.number(total)})"


class Html(Style):
    """Of <var>, <sub> and <sup>, which JupyterLab keeps in notebooks that it does not trust. MathML it would remove."""

    minus, at, index = "−", "&thinsp;", 1
    _spelling: ClassVar = {"sigmoid": "σ", "log": "ln"}

    def symbol(self, name: str, accent: str) -> str:
        base, rest = _split_name(name)
        if accent == BAR and len(base) > 1:
            base = f'<span style="text-decoration: overline">{self.text(base)}</span>'
        else:
            base = super().symbol(base, accent)
        return f"<var>{base}</var>" + (f"<sub>{self.text(rest.strip('[]'))}</sub>" if rest else "")

    def text(self, text: str) -> str:
        return html.escape(text)

    def power(self, base: str, exponent: str, atom: bool) -> str:
        return f"{base}<sup>{exponent}</sup>"

    def call(self, name: str, arguments: list[str], simple: bool) -> str:
        if name == "abs":
            return f"|{arguments[0]}|"
        if name == "exp" and simple:
            return f"<var>e</var><sup>{arguments[0]}</sup>"
        if name == "sqrt":
            return f"√{arguments[0] if simple else self.bracket(arguments[0])}"
        return super().call(self._spelling.get(name, name), arguments, simple)

    def transposed(self, inner: str) -> str:
        return f"{inner}<sup>T</sup>"


class Latex(Style):
    """For a document: symbols as \\dot{v}_{1}, functions by the templates of the derivative table."""

    times, at, index = r" \cdot ", r"\,", 2
    signs: ClassVar = {"=": "=", "+=": r"\mathrel{+}="}
    _special: ClassVar = {
        "\\": r"\backslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
        "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "×": r"$\times$", "…": r"\dots{}", "·": r"$\cdot$",
    }  # fmt: skip

    def symbol(self, name: str, accent: str) -> str:
        base, rest = _split_name(name)
        base = base if len(base) == 1 else rf"\mathit{{{base}}}"
        if accent:
            base = rf"\{'dot' if accent == DOT else 'bar' if len(base) == 1 else 'overline'}{{{base}}}"
        subscript = rest.strip("[]").replace("_", r"\_")
        return base + (f"_{{{subscript}}}" if rest else "")

    def text(self, text: str) -> str:
        return rf"\text{{{self.escape(text)}}}" if text.strip() else ""

    def escape(self, text: str) -> str:
        return "".join(self._special.get(letter, letter) for letter in text)

    def number(self, text: str) -> str:
        mantissa, e, exponent = text.partition("e")
        if e and exponent.lstrip("-").isdigit():
            return rf"{mantissa} \cdot 10^{{{exponent}}}"
        words = {"true": r"\text{true}", "false": r"\text{false}", "nan": r"\text{nan}"}
        if text in words:
            return words[text]
        return text.replace("inf", r"\infty").replace("×", r"\times ").replace("…", r"\dots ")

    def bracket(self, inner: str) -> str:
        return rf"\left({inner}\right)"

    def power(self, base: str, exponent: str, atom: bool) -> str:
        return f"{{{base}}}^{{{exponent}}}"

    def call(self, name: str, arguments: list[str], simple: bool) -> str:
        row = rules.TABLE.get(name)
        if row is not None and row.tex is not None and len(arguments) == len(row.inputs):
            put_in = {
                letter: argument if simple or _enclosed(row.tex, letter) else self.bracket(argument)
                for letter, argument in zip(row.inputs, arguments, strict=True)
            }
            return row.tex.format(**put_in)
        return rf"\operatorname{{{self.escape(name)}}}\left({', '.join(arguments)}\right)"

    def transposed(self, inner: str) -> str:
        return rf"{inner}^{{\mathsf T}}"

    def sum(self, total: str) -> str:
        return rf"\quad(\text{{sum }} {self.number(total)})"


def _enclosed(tex: str, letter: str) -> bool:
    """Whether brackets, braces or commas of the template keep the argument apart from what stands beside it."""
    return all(tex[: found.start()].endswith(("(", "{{", "|", ", ")) for found in re.finditer(rf"\{{{letter}\}}", tex))


def _split_name(name: str) -> tuple[str, str]:
    """v12 is v with index 12, W_h is W with index h, x[0] is x with index [0]."""
    found = re.match(r"([^\W\d_]+)_?(\w*)((?:\[.*\])?)$", name)
    if found is None:
        return name, ""
    base, index, entry = found.groups()
    return base, f"{index},{entry.strip('[]')}" if index and entry else index + entry


TEXT, HTML, LATEX = Style(), Html(), Latex()
_ATOM, _POWER, _NEGATIVE, _PRODUCT, _SUM, _COMPARE = 6, 5, 4, 3, 2, 1  # how tightly an expression holds together


@dataclass(frozen=True, eq=False)
class Equation:
    """One cell of a trace table: `v2 = x1·x2 = 3·4 = 12`.

    left: the symbol that gets a value. sign: "=", or "+=" where the value adds to what is there.
    template, symbols: the formula, and what its names stand for; no template where there is only a value.
    value: what the formula computes, a number or an array. total: for "+=", what `left` holds afterwards.
    str() is plain text; `html` and `latex` are the same, LaTeX in mathematics mode without the dollars.
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

    @property
    def latex(self) -> str:
        return self.line(LATEX)

    def written(self, style: Style, numbers: bool) -> str:
        """The right side in a style, with symbols or with numbers."""
        if self.template is None:
            return ""
        return _Writer(style, self.symbols, numbers).write(self.template)[0]

    def _side(self, style: Style, numbers: bool) -> str:
        side = self.written(style, numbers)
        return style.bracket(side) if isinstance(self.template, ast.Compare) else side

    def line(self, style: Style) -> str:
        """The whole equation; steps that say the same twice are left out."""
        parts = [self._side(style, False), self._side(style, True), style.number(value_text(self.value))]
        shown = [part for k, part in enumerate(parts) if part and (k == 2 or part != parts[k + 1])]
        left = style.symbol(self.left.name, self.left.accent)
        return (
            f"{left} {style.signs[self.sign]} "
            + " = ".join(shown)
            + ("" if self.total is None else style.sum(value_text(self.total)))
        )


class _Writer:
    """Writes a template in one style. Each piece comes with how tightly it holds, so that brackets are where needed."""

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
        if isinstance(x, ast.Compare) and len(x.ops) == 1 and type(x.ops[0]) in _COMPARED:
            sign = _COMPARED[type(x.ops[0])][self.style.index]
            return f"{self._inside(x.left, _SUM)} {sign} {self._inside(x.comparators[0], _SUM)}", _COMPARE
        if isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and not x.keywords:
            written = [self.write(argument) for argument in x.args]
            simple = all(tight >= _POWER for _, tight in written)
            return self.style.call(x.func.id, [text for text, _ in written], simple), _ATOM
        if isinstance(x, ast.Attribute) and x.attr == "T":
            return self.style.transposed(self._inside(x.value, _ATOM)), _POWER
        return self._as_python(x), _ATOM

    def _symbol(self, symbol: Symbol) -> tuple[str, int]:
        if self.numbers or symbol.fixed:
            return self._number(symbol.value)
        return self.style.symbol(symbol.name, symbol.accent), _ATOM

    def _number(self, x: Any) -> tuple[str, int]:
        text = number_text(x)
        return self.style.number(text), _NEGATIVE if text.startswith("-") else _ATOM

    def _fixed(self, x: ast.expr) -> float | None:
        """The number that an expression of constants alone is: the 3 - 1 in the slope of x^3."""
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
            return f"{first}{style.times}{second}", _PRODUCT
        if isinstance(op, ast.Div):
            return f"{first}/{second}", _PRODUCT
        if isinstance(op, ast.MatMult):
            sign = " @ " if self.numbers and style is not LATEX else style.at
            return f"{first}{sign}{second}", _PRODUCT
        return self._as_python(x), _ATOM

    def _no_sign_first(self, text: str) -> str:
        return self.style.bracket(text) if text.startswith(self.style.minus) else text

    def _as_python(self, x: ast.expr) -> str:
        """Anything else, as Python writes it, with the symbols in their places."""
        source = ast.unparse(x)
        if not self.symbols:
            return self.style.text(source)
        names = re.compile(rf"\b({'|'.join(map(re.escape, self.symbols))})\b")
        pieces = names.split(source)
        return "".join(
            self._symbol(self.symbols[piece])[0] if k % 2 else self.style.text(piece) for k, piece in enumerate(pieces)
        )
