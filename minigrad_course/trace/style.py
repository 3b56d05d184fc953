"""Two ways to write the pieces of an equation: plain text and HTML.

The HTML consists of <var>, <sub> and <sup>, with accents that are letters: this shows offline, in any browser, and
JupyterLab keeps it in notebooks that it does not trust. (MathML it would remove there, and MathJax is not everywhere.)
"""

from __future__ import annotations

import ast
import html
import re
import unicodedata
from typing import ClassVar

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad_course.short import ENTRIES, value

DOT, BAR = "dot", "bar"  # the accent of a tangent; of an adjoint


def number_text(x: ArrayLike) -> str:
    """Write a number with at most 6 digits, a short vector by its entries, a larger array by its shape: [2×3]."""
    array = np.asarray(x)
    if array.dtype.kind == "b" and array.ndim == 0:
        return "true" if array else "false"
    if array.size > ENTRIES or array.ndim > 1:
        return f"[{'×'.join(map(str, array.shape))}]"
    return value(array + 0.0)  # negative zero is shown as 0


def value_text(x: Array) -> str:
    """Write a value as number_text does, with the range of a larger array's entries: [2×3] -0.31 … 0.98."""
    if np.ndim(x) == 0:
        return number_text(x)
    whole = np.asarray(x) + 0.0
    return value(whole) if 0 < whole.size <= ENTRIES else f"{number_text(x)} {value(whole)}"


COMPARED = {ast.Gt: ">", ast.Lt: "<", ast.GtE: "≥", ast.LtE: "≤", ast.Eq: "==", ast.NotEq: "≠"}


class Style:
    """Plain text. HTML overrides the differences."""

    minus, at = "-", " @ "

    def symbol(self, name: str, accent: str) -> str:
        base, rest = _split_name(name)
        if accent == DOT:  # one dot, in the middle
            at = (len(base) + 1) // 2
            base = base[:at] + "\N{COMBINING DOT ABOVE}" + base[at:]
        elif accent == BAR:
            mark = "\N{COMBINING MACRON}" if len(base) == 1 else "\N{COMBINING OVERLINE}"
            base = "".join(letter + mark for letter in base)
        return unicodedata.normalize("NFC", base) + rest  # fonts draw ẋ better as one letter, where there is one

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

    def steps(self, steps: list[str]) -> str:
        """Join an equation's formula, numbers and result; the result is always present."""
        return " = ".join(steps)

    def sum(self, total: str) -> str:
        """Write the sum after a contribution that was added to others."""
        return f"  (sum {self.number(total)})"


class Html(Style):
    """Of <var>, <sub> and <sup>, which JupyterLab keeps in notebooks that it does not trust. MathML it would remove."""

    minus, at = "−", "\N{THIN SPACE}"
    _spelling: ClassVar = {"sigmoid": "σ", "log": "ln"}

    def symbol(self, name: str, accent: str) -> str:
        base, rest = _split_name(name)
        if accent == BAR and len(base) > 1:
            base = f'<span style="text-decoration: overline">{self.text(base)}</span>'
        else:
            base = self.text(super().symbol(base, accent))
        return f"<var>{base}</var>" + (f"<sub>{self.text(_subscript(rest))}</sub>" if rest else "")

    def text(self, text: str) -> str:
        return html.escape(text)

    def power(self, base: str, exponent: str, atom: bool) -> str:
        return f"{base}<sup>{exponent}</sup>"

    def call(self, name: str, arguments: list[str], simple: bool) -> str:
        if name == "abs":
            return f"|{arguments[0]}|"
        if name == "exp":
            return f"<var>e</var><sup>{arguments[0]}</sup>"
        if name == "sqrt":
            return f"√{arguments[0] if simple else self.bracket(arguments[0])}"
        return super().call(self._spelling.get(name, name), arguments, simple)

    def transposed(self, inner: str) -> str:
        return f"{inner}<sup>T</sup>"

    def steps(self, steps: list[str]) -> str:
        # Where the page is narrow, lines break between the steps, before the next "=".
        first, *others = [*steps[:-1], f"<b>{steps[-1]}</b>"]
        pieces = [first, *(f"= {step}" for step in others)]
        return " ".join(f'<span style="white-space: nowrap">{piece}</span>' for piece in pieces)

    def sum(self, total: str) -> str:
        return f' <span style="white-space: nowrap">(sum {self.number(total)})</span>'


def _split_name(name: str) -> tuple[str, str]:
    """Split a name after its first letters: v12 into v and 12, W_h into W and _h, x[0] into x and [0]."""
    match = re.match(r"[^\W\d_]+", name)
    return (match[0], name[match.end() :]) if match else (name, "")


def _subscript(rest: str) -> str:
    """Turn the rests 12, _h and [0] into the subscripts 12, h and 0; x[0]['w'] has 0,w."""
    parts = re.findall(r"[^\[\]]+", rest)
    return ",".join(part.strip("_'") for part in parts)


TEXT, HTML = Style(), Html()
