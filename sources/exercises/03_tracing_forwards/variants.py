"""Other numbers for the table and for the tank, and another difference; class/minigrad_class/variation.py says how."""

from fractions import Fraction
from typing import NamedTuple

from minigrad_class.variation import number

ANSWERS = ("blanks", "seed")


class Parameters(NamedTuple):
    """The inputs of the table; the tank's edges, and how fast one grows and another shrinks."""

    x: int
    y: int
    edges: tuple[int, int, int]
    grows: str
    shrinks: str
    speeds: tuple[int, int]


PLAIN = Parameters(2, 3, (2, 3, 5), "x", "z", (1, 2))


def drawn(random):
    x, y = random.randint(2, 7), random.randint(2, 10)
    edges = tuple(random.sample(range(2, 10), 3))
    grows, shrinks, _ = random.sample("xyz", 3)
    p = Parameters(x, y, edges, grows, shrinks, (random.randint(1, 3), random.randint(2, 4)))
    right, wrong = row_values(p), wrong_rows(p)
    first = [next(((k, one[k]) for k in right if one[k] != right[k]), None) for one in wrong]
    changes = [change(p, seed) for seed in (tank_seed(p), *wrong_seeds(p))]
    alike = {line for line in first if line and first.count(line) > 2}
    serves = None not in first and not alike and y not in (1, x) and 0 not in changes
    return p if serves and len(set(changes)) == len(changes) else None


def row_values(p, **wrong):
    """The letters and their numbers; a wrong one is used in the rows below it."""
    x, y, sign = Fraction(p.x), Fraction(p.y), 1 if p.x < p.y else -1
    v = {"A": x * y, "B": y, "C": 2 * x}
    v |= {k: wrong[k] for k in "ABC" if k in wrong}
    v["D"] = sign * (x * y - x * x)
    v["E"] = wrong.get("E", sign * (v["B"] - v["C"]))
    v["F"] = wrong.get("F", v["E"] * y)
    v["G"] = v["F"] / x - v["D"] * y / x**2
    return v


def wrong_rows(p):
    """The mistakes of wrong.py, in its order."""
    right = row_values(p)
    x, y = Fraction(p.x), Fraction(p.y)
    share = right["D"] * y / x**2
    return [
        row_values(p, B=x + y, F=right["D"] + y),
        right | {"G": -share},
        row_values(p, E=right["B"] + right["C"]),
        row_values(p, B=x),
        row_values(p, F=Fraction(0)),
        right | {"G": right["F"] / x},
        right | {"G": right["F"] / x + share},
        right | {"B": Fraction(1)},
        row_values(p, C=x),
        right | {"A": x + y},
        row_values(p, B=x * y),
        right | {"D": -right["D"]},
    ]


def table(values):
    return "{" + ", ".join(f'"{letter}": {number(value)}' for letter, value in values.items()) + "}"


def difference(p):
    """Row 3: the larger one less the smaller."""
    return ("v1", "v2") if p.x < p.y else ("v2", "v1")


def change(p, seed):
    """The speed of the volume, in a pass from this seed."""
    x, y, z = p.edges
    return seed[0] * y * z + seed[1] * x * z + seed[2] * x * y


def tank_seed(p):
    return [p.speeds[0] if edge == p.grows else -p.speeds[1] if edge == p.shrinks else 0 for edge in "xyz"]


def wrong_seeds(p):
    right = tank_seed(p)
    shrinks, still = "xyz".index(p.shrinks), right.index(0)
    moved = list(right)
    moved[shrinks], moved[still] = moved[still], moved[shrinks]
    return [moved, [1, 1, 1], [abs(speed) for speed in right], list(p.edges)]


def numbers(seed):
    return "[" + ", ".join(f"{float(speed)}" for speed in seed) + "]"


def exercise(p):
    right, (one, other) = row_values(p), difference(p)
    x, y, z = p.edges
    still = next(edge for edge in "xyz" if edge not in (p.grows, p.shrinks))
    return [
        f"# This program runs at $x = {p.x}$, $y = {p.y}$, with the seed",
        f"$x = {p.x}$ | $\\dot x = 1$ |",
        f"$y = {p.y}$ | $\\dot y = 0$ |",
        f"$v_2 = {p.x**2}$",
        f"`v3 = {one} - {other}`",
        f"$v_4 = {number(right['D'] * p.y)}$",
        f"$v_5 = {number(right['D'] * p.y / p.x)}$",
        f"return {table(right)}",
        f"v3 = {one} - {other}\n",
        f"trace(program, {float(p.x)}, {float(p.y)})",
        f"At this moment $x = {x}$, $y = {y}$, $z = {z}$. The edge ${p.grows}$ grows by\n"
        f"# {p.speeds[0]} per minute, ${p.shrinks}$ shrinks by {p.speeds[1]} per minute, and ${still}$ stays the same.",
        f"return {numbers(tank_seed(p))}",
        f"Dual({float(x)}, speeds[0]) * Dual({float(y)}, speeds[1]) * Dual({float(z)}, speeds[2])",
        f"check_seed(seed(), {change(p, tank_seed(p))}, {[abs(speed) for speed in tank_seed(p)]})",
    ]


def wrong(p):
    right, rows, (one, other) = row_values(p), wrong_rows(p), difference(p)
    hints = {7: f"y, which is {p.y}, not 1 or {p.x}.", 11: f"values: {one} minus {other}, and not"}
    pieces = []
    for k, row in enumerate(rows):
        pieces += [f"return {table(right)}", f"return {table(row)}", *([hints[k]] if k in hints else [])]
    pieces += [f"return {table(right)}", f"return [{', '.join(number(value) for value in right.values())}]"]
    seed = tank_seed(p)
    x, y, z = p.edges
    named = ", ".join(f'"{edge}": {float(speed)}' for edge, speed in zip("xyz", seed, strict=True))
    moved, ones, grown, lengths = wrong_seeds(p)
    for one in (numbers(moved), f"{{{named}}}", numbers(ones), numbers(grown)):
        pieces += [f"return {numbers(seed)}", f"return {one}"]
    return [
        *pieces,
        f"The edge {p.shrinks} shrinks, and with",
        f"return {numbers(seed)}",
        f"return {numbers(lengths)}",
        f"{x}, {y} and {z} are the lengths",
    ]


def says(p):
    return f"the table at x = {p.x}, y = {p.y} with v3 = {' - '.join(difference(p))}; another tank"
