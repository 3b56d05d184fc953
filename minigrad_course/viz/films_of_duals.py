"""The second coordinate of a dual number shown as a speed. Each intermediate value is a point on a line of its own, and
its tangent an arrow at the point. First the lines appear, operation by operation; then x moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad_course.trace import TEXT
from minigrad_course.viz.explore import forward
from minigrad_course.viz.explore.record import record
from minigrad_course.viz.film import Film, arrow, number

LEFT, RIGHT, WIDTH = 128, 474, 620  # where the lines begin and end; the drawing
TOP, HIGH = 46, 62  # the first line, and from line to line
LONGEST = 0.3  # of the lines' range: the longest arrow


def animate_dual(f: Callable[[Any], Any], at: float, moves: Sequence[float] | None = None) -> Film:
    """Animate `f` on the dual number `at` + 1ε: value and tangent of each operation, also while x moves.

    f: a function of one number. moves: the final positions of x; by default from `at` - 1 to `at` + 1. The numbers are
    those of `mg.trace(f, at).forward()`. Raises TypeError for a function of several numbers, ValueError for a result
    that is not a single number.
    """
    moves = list(np.linspace(at - 1, at + 1, 17)) if moves is None else [float(x) for x in moves]
    rows = [_rows(f, x) for x in [float(at), *moves]]
    if len({len(one) for one in rows}) > 1:
        raise ValueError("f takes other steps when x moves; give it moves between which it does the same")
    first = rows[0]
    values = np.array([[value for _, _, value, _, _ in one] for one in rows])
    tangents = np.array([[tangent for _, _, _, tangent, _ in one] for one in rows])
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    room = 0.08 * (high - low or 1.0)
    low, high = low - room, high + room
    size = LONGEST * (high - low) / max(np.abs(tangents).max(), 1e-300)  # of an arrow for the tangent 1

    def place(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (min(max(value, low), high) - low) / (high - low)

    film = Film(f"Dual numbers move: {first[-1][0]} from x = {number(at)}", WIDTH, TOP + HIGH * len(first), pace=1200)
    film.add("line", x1=place(0), y1=12, x2=place(0), y2=TOP + HIGH * (len(first) - 1) + 24, of="edge")
    film.add("text", of="grey small start bare", x=place(0) + 5, y=14, text="0")
    for k, (name, formula, *_) in enumerate(first):
        y = TOP + HIGH * k
        film.add("text", f"name{k}", "start bold", x=12, y=y, text=name if k == 0 else f"{name} = {formula}", opacity=0)
        film.add("line", f"line{k}", "edge", x1=LEFT, y1=y, x2=RIGHT, y2=y, opacity=0)
        film.add("path", f"arrow{k}", "adjoint full thick", d=arrow(place(0), y, place(0), y), opacity=0)
        film.add("circle", f"point{k}", "value full", cx=place(0), cy=y, r=6, opacity=0)
        film.add("text", f"value{k}", "value end bold", x=WIDTH - 86, y=y, text="")
        film.add("text", f"tangent{k}", "adjoint start bold", x=WIDTH - 80, y=y, text="")

    def looks(k: int, value: float, tangent: float) -> dict[str, dict[str, Any]]:
        y, x = TOP + HIGH * k, place(value)
        sign = "+" if tangent >= 0 else "−"
        return {
            f"point{k}": {"cx": x},
            f"arrow{k}": {"d": arrow(x, y, x + size * tangent * (RIGHT - LEFT) / (high - low), y)},
            f"value{k}": {"text": number(value)},
            f"tangent{k}": {"text": f"{sign} {number(abs(tangent))}ε"},
        }

    film.chapter("Compute")
    for k, (name, _, value, tangent, sentence) in enumerate(first):
        changes = looks(k, value, tangent)
        for part in ("name", "line", "point", "arrow"):
            changes.setdefault(f"{part}{k}", {})["opacity"] = 1
        film.step(
            sentence if k else f"{name} = {number(value)} + 1ε: at {number(value)}, and moving with speed 1.", **changes
        )
    film.chapter("Move x")
    for one in rows[1:]:
        everything: dict[str, dict[str, Any]] = {}
        for k, (_, _, value, tangent, _) in enumerate(one):
            everything |= looks(k, value, tangent)
        (x_name, _, x, *_), (name, _, value, tangent, _) = one[0], one[-1]
        film.step(
            f"{x_name} = {number(x)}: {name} is at {number(value)} and moves {number(abs(tangent))} times as fast as "
            f"{x_name}{', the other way' if tangent < 0 else ''}. The arrow is this speed.",
            **everything,
        )
    return film


def _rows(f: Callable[[Any], Any], x: float) -> list[tuple[str, str, float, float, str]]:
    """List the input and each operation: name, formula, value, tangent, sentence."""
    trace = record(f, x)
    if len(trace.inputs) != 1 or len(trace.outputs) != 1 or trace.outputs[0].shape:
        raise ValueError("this film is of a function that makes one number of one number")
    ((_, table),) = forward.passes(trace)
    rows = [(trace.names[trace.inputs[0]], "", x, 1.0, "")]
    for row in forward.operations(trace, table):
        if row.derivative is None:
            tangent, sentence = 0.0, f"{row.primal}. It has no tangent."
        else:
            tangent = float(row.derivative.value)
            sentence = f"{row.primal.line(TEXT)}, and its tangent {row.derivative.line(TEXT)}."
        rows.append((row.name, row.primal.formula, float(row.primal.value), tangent, sentence.replace("-", "−")))
    return rows
