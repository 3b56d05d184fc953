"""Other numbers for the table, and another difference; class/minigrad_class/variation.py says how."""

from fractions import Fraction
from typing import NamedTuple

from minigrad_class.variation import number

ANSWERS = ("blanks",)


class Parameters(NamedTuple):
    """The inputs of the table."""

    x: int
    y: int


PLAIN = Parameters(2, 3)


def drawn(random):
    p = Parameters(random.choice([2, 4, 5, 8, 10]), random.randint(2, 12))
    right, wrong = adjoints(p), wrong_adjoints(p)
    first = [next(((k, one[k]) for k in right if one[k] != right[k]), None) for one in wrong]
    serves = None not in first and max(map(first.count, first)) < 3 and p.y != p.x
    return p if serves else None


def turned(p):
    """Tell whether row 3 is v2 - v1: the larger one less the smaller."""
    return p.x > p.y


def adjoints(p, **wrong):
    """The letters and their numbers; a wrong one is taken for all that follow from it."""
    x, y, sign = Fraction(p.x), Fraction(p.y), -1 if turned(p) else 1
    v3 = sign * (x * y - x * x)
    v = {"A": wrong.get("A", 1 / x)}
    v["B"] = wrong.get("B", v["A"] * y)
    v["C"] = sign * v["B"]
    v["D"] = wrong.get("D", -sign * v["B"])
    v["E"] = v["C"] * y + 2 * v["D"] * x - v3 * y / x**2
    v["F"] = v["C"] * x + v["A"] * v3
    return v


def wrong_adjoints(p):
    """The mistakes of wrong.py, in its order."""
    right = adjoints(p)
    x, y = Fraction(p.x), Fraction(p.y)
    from_row_5 = right["E"] - right["C"] * y - 2 * right["D"] * x
    return [
        right | {"E": from_row_5},
        adjoints(p, A=x),
        adjoints(p, A=1 / y),
        right | {"E": right["C"] * y, "F": right["C"] * x},
        adjoints(p, D=-right["D"]),
        adjoints(p, B=right["A"] * x),
        right | {"B": right["A"]},
        right | {"E": right["E"] - from_row_5},
        right | {"E": right["E"] - right["D"] * x},
        right | {"A": right["A"] * x},
        right | {"C": right["C"] * x},
        right | {"F": right["C"] * x},
    ]


def table(values):
    return "{" + ", ".join(f'"{letter}": {number(value)}' for letter, value in values.items()) + "}"


def exercise(p):
    x, y, one, other = p.x, p.y, *(("v2", "v1") if turned(p) else ("v1", "v2"))
    v3 = x * x - x * y if turned(p) else x * y - x * x
    return [
        f"# This program ran at $x = {x}$, $y = {y}$. We care",
        f"$x = {x}$ | $\\bar x",
        f"$y = {y}$ | $\\bar y",
        f"$v_1 = {x * y}$",
        f"$v_2 = {x * x}$",
        f"`v3 = {one} - {other}` | $v_3 = {v3}$",
        f"$v_4 = {v3 * y}$",
        f"$v_5 = {number(Fraction(v3 * y, x))}$",
        f"return {table(adjoints(p))}",
        f"v3 = {one} - {other}\n",
        f"trace(program, {float(x)}, {float(y)})",
    ]


def wrong(p):
    right, rows = table(adjoints(p)), wrong_adjoints(p)
    subtracted = "v1" if turned(p) else "v2"
    hints = {
        1: f"1/x, and x is {p.x}.",
        4: f"Row 3 subtracts {subtracted}. If {subtracted} grows, the result gets smaller: with which sign does row 3 "
        f"pass on its adjoint to {subtracted}?",
        10: f"on to v1 times {-1 if turned(p) else 1}:",
        9: f"by the value {p.x} or",
    }
    pieces = []
    for k, row in enumerate(rows):
        pieces += [f"return {right}", f"return {table(row)}", *([hints[k]] if k in hints else [])]
    return pieces


def says(p):
    return f"the table at x = {p.x}, y = {p.y} with v3 = {'v2 - v1' if turned(p) else 'v1 - v2'}"
