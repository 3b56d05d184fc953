"""Another difference for the best h, and another loop; class/minigrad_class/variation.py says how."""

import math
from fractions import Fraction
from typing import NamedTuple

from minigrad_class.variation import number, times

ANSWERS = ("bound", "best", "beside")
OTHER = {"sin": "cos", "cos": "sin"}  # the derivative, which has a minus for the cosine


class Parameters(NamedTuple):
    """The steps that the difference goes to each side; the first y of the loop, and y = x wave(y) + y or - y."""

    steps: int
    first: float
    wave: str
    sign: str


PLAIN = Parameters(1, 1.0, "sin", "+")
TWO_ROUNDS = "[1.915116484968269, 1.8931322038514513]"  # as it stands: another processor's sine may end otherwise


def drawn(random):
    p = Parameters(random.randint(2, 9), random.choice([0.5, 1.0, 1.5, 2.0]), random.choice(["sin", "cos"]), "+")
    p = p._replace(sign=random.choice("+-"))
    return p if p[1:] != PLAIN[1:] else None


def rounds(p, x, count):
    """The loop of task 6: y, and its derivative."""
    wave, slope = (math.sin, math.cos) if p.wave == "sin" else (math.cos, lambda y: -math.sin(y))
    sign = 1 if p.sign == "+" else -1
    y, dy = p.first, 0.0
    for _ in range(count):
        y, dy = x * wave(y) + sign * y, wave(y) + x * slope(y) * dy + sign * dy
    return [y, dy]


def truncation(p):
    return f"{times(p.steps**2, 'h**2')} / 6 * abs(f3)"


def rounding(p):
    return f"eps * abs(f) / ({2 * p.steps} * h)"


def below(p):
    return f"({2 * p.steps**3} * abs(f3))"


def cube(p):
    return f"3 * eps * abs(f) / {below(p)}"


def inner(p):
    """The share of y in the derivative, without dy, and its sign."""
    return "-" if p.wave == "cos" else "+", f"x * math.{OTHER[p.wave]}(y)"


def derivative(p):
    """One round's dy, as Python."""
    sign, text = inner(p)
    return f"math.{p.wave}(y) {sign} {text} * dy {p.sign} dy"


def value(p, module="math"):
    return f"x * {module}.{p.wave}(y) {p.sign} y"


def bounds(p):
    """The bounds of the tests: h² f''' / 6 and ε f / 2h, with other steps."""
    pairs = [(Fraction(1, 2), 1), (Fraction(1, 8), 2), (Fraction(1, 200), Fraction(1, 10))]
    return [number(one * p.steps**2 + Fraction(other) / p.steps) for one, other in pairs]


def exercise(p):
    m, first, wave, sign = p
    mm, far = m * m, times(m, "h", "")
    one, other, hidden = bounds(p)
    central = f"the central one over {m} steps to each side, $(f(x+{far}) - f(x-{far})) / ({2 * m}h)$"
    at = number(first)
    two = TWO_ROUNDS if p == PLAIN else str(rounds(p, 0.5, 2))
    power = f"np.cbrt(1.5 * eps * abs(f0 / f3)){'' if m == 1 else f' / {m}'}"
    return [
        f"Now do the same for {'the central one' if m == 1 else central}. Its error has",
        f"\\frac{{{times(mm, 'h^2', '')}}}{{6}}\\,|f'''| \\qquad\\qquad",
        f"\\frac{{\\epsilon\\,|f|}}{{{2 * m}h}}$$\n",
        f"and their difference is divided by ${2 * m}h$. That $x + {far}$ is rounded",
        f"return {truncation(p)} + {rounding(p)}\n",
        f"bound(0.5, 4.0, 12.0, 0.25), {one}, ",
        f"bound(0.25, -4.0, -12.0, 0.25), {other}, ",
        f"bound(0.1, -1.0, 3.0, 0.02), {hidden}, ",
        f"return ({cube(p)}) ** (1 / 3)",
        f"of the bound is  {'' if m == 1 else f'{mm} '}h |f'''| / 3  minus  ε |f| / ({2 * m} h²).",
        f'best_h({16.0 * m**3}, 3.0, 1.0), 2, "the best h for f = {16 * m**3}, f',
        f'best_h({16.0 * m**3}, -3.0, 0.001), 0.2, "the best h for f = {16 * m**3}, f',
        f"eps), {power}, f",
        f"errors of *your* `central`{'' if m == 1 else f', with {far} for h,'} for $\\sin$",
        f"central(np.sin, number(1), number({times(m, 'h')}))",
        f"#     y = {first}\n",
        f"y = x * {wave}(y) {sign} y\n",
        f"y, dy = {first}, 0.0\n",
        f"y, dy = {value(p)}, {derivative(p)}\n",
        f"differentiate x {wave}(y) by the product rule, with dy for y', and {'add' if sign == '+' else 'subtract'} dy.",
        f"value_and_slope(0.5, 0), [{at}, 0], ",
        one_round := f"[{'-' if sign == '-' else ''}{at} + 0.5 * math.{wave}({at}), math.{wave}({at})], ",
        f"wanted = {two}\n",
        f"    y = {first}\n",
        f"y = {value(p, 'np')}\n",
        one_round,
    ]


def wrong(p):
    m, first, wave, sign = p
    t, r = truncation(p), rounding(p)
    right = f"return {t} + {r}"
    best = f"return ({cube(p)}) ** (1 / 3)"
    inner_sign, inner_text = inner(p)
    minus = "-" if inner_sign == "-" else ""
    square = times(m * m, "h**2")
    return [
        right,
        f"return abs({square} / 6 * f3 + eps * f / ({2 * m} * h))",
        right,
        f"return {square} / 6 * f3 + eps * f / ({2 * m} * h)",
        right,
        f"return {t}, {r}",
        right,
        f"return h / 2 * abs(f3) + {r}",
        best,
        f"return (3 * eps * f / ({2 * m**3} * f3)) ** (1 / 3)",
        best,
        best,
        f"return ({cube(p)}) ** (1 // 3)",
        f"y = {value(p)}\n",
        f'"y, dy = {value(p)}, {derivative(p)}", """\n     y = {value(p)}\n     dy = {derivative(p)}\n',
        f'"{derivative(p)}", "{minus}{inner_text} {sign} 1"',
        f"You differentiated x {wave}(y) as",
        f'"y, math.{wave}(y) {inner_sign} x *", "y, {minus}x *"',
        f'In x {wave}(y) the first factor changes with x as well, and that "\n     "gives {wave}(y).',
        best,
        f"np.cbrt(3 * eps * f / {below(p)})",
    ]


def says(p):
    far = times(p.steps, "h", "")
    return (
        f"the best h of a difference from x - {far} to x + {far}; y = x {p.wave}(y) {p.sign} y from {number(p.first)}"
    )
