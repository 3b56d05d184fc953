"""Gradient descent seen from above: a loss of two numbers, and paths down it, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.film import Film, arrow, number

MAP, FRAME, SIDE = 330.0, 26.0, 234.0  # pixels: the map, what is around it, the curve beside it
LEVELS = 12
MOST = 60  # steps of one path


def animate_descent(
    f: Callable[[Any, Any], Any], paths: Mapping[str, Sequence[Any]], box: tuple[float, float, float, float]
) -> Film:
    """Animate paths down `f`, a function of two numbers: where each step leads, and how low it gets.

    f: the function to minimise; it is evaluated at 41 x 41 places of the map, and at each point of a path. paths: name
    -> points (a, b), from the start on. box: left, right, bottom, top of the map. A path may leave the map. Raises
    ValueError for a path of fewer than two points or more than 60 steps, ImportError without matplotlib.
    """
    plots.need_matplotlib()  # imports the library that draws the contours
    lines = {name: np.array(points, dtype=float) for name, points in paths.items()}
    for name, line in lines.items():
        if line.ndim != 2 or line.shape[1] != 2 or not 2 <= len(line) <= MOST + 1:
            raise ValueError(f"a way is 2 to {MOST + 1} points of two numbers; {name!r} has the shape {line.shape}")
    left, right, bottom, top = box
    heights = {name: [float(f(*point)) for point in line] for name, line in lines.items()}
    film = Film(f"Steps down, seen from above: {', '.join(lines)}", 2 * FRAME + MAP + 30 + SIDE, MAP + 2 * FRAME + 8)

    # The map: the lower, the bluer. Each patch covers everything below one height, and the patches overlap.
    across, up = np.linspace(left, right, 41), np.linspace(bottom, top, 41)
    ground = np.array([[float(f(a, b)) for a in across] for b in up])
    film.add("rect", x=FRAME, y=FRAME, width=MAP, height=MAP, of="edge")
    for patch in _below(ground):
        film.add("path", d=patch, of="value full", fill_opacity=0.075, stroke_opacity=0.28, fill_rule="evenodd")
    film.add("text", of="grey small", x=FRAME + MAP / 2, y=MAP + 2 * FRAME - 8, text="a →")
    film.add(
        "text",
        of="grey small",
        x=0,
        y=0,
        transform=f"translate({FRAME / 2:g} {FRAME + MAP / 2:g}) rotate(-90)",
        text="b →",
    )

    def place(point: Sequence[float]) -> tuple[float, float]:
        """Return a point's position on the map; beyond its edge, the nearest point on the edge."""
        x = FRAME + MAP * (point[0] - left) / (right - left)
        y = FRAME + MAP * (top - point[1]) / (top - bottom)
        return min(max(x, FRAME), FRAME + MAP), min(max(y, FRAME), FRAME + MAP)

    # The curve: the height of the point after each step, clipped at the map's maximum.
    at_left, steps = 2 * FRAME + MAP + 44, max(len(line) for line in lines.values()) - 1
    low = min(float(ground.min()), *(min(values) for values in heights.values()))
    high = max(float(ground.max()), *(values[0] for values in heights.values()))
    wide, high_up = SIDE - 20, 0.62 * MAP

    def spot(step: int, height: float) -> tuple[float, float]:
        share = (min(max(height, low), high) - low) / (high - low or 1.0)
        return at_left + wide * step / steps, FRAME + 30 + high_up * (1 - share)

    base = FRAME + 30 + high_up
    film.add("line", x1=at_left, y1=base, x2=at_left + wide, y2=base, of="edge")
    film.add("line", x1=at_left, y1=base - high_up, x2=at_left, y2=base, of="edge")
    film.add("text", of="start bold", x=at_left, y=FRAME + 8, text="height after each step")
    film.add("text", of="small grey end", x=at_left - 6, y=base, text=number(low))
    film.add("text", of="small grey end", x=at_left - 6, y=base - high_up, text=number(high))
    film.add("text", of="small grey end", x=at_left + wide, y=base + 16, text=f"step {steps}")
    film.add("text", "now", "value bold start", x=at_left, y=base + 48, text="")
    for kind in ("trail", "curve"):
        film.add("polyline", kind, "thick round", points="", stroke_linejoin="round")
    film.add("path", "step", "adjoint full thick", d=arrow(FRAME, FRAME, FRAME, FRAME))
    film.add("circle", "point", "value full", cx=FRAME, cy=FRAME, r=6)

    for name, line in lines.items():
        film.chapter(name)
        values = heights[name]
        for k, point in enumerate(line):
            x, y = place(point)
            # The same number of corners at each step, so that a film can move them; later ones lie at the current
            # point.
            trail = [place(line[min(j, k)]) for j in range(len(line))]
            curve = [spot(min(j, k), values[min(j, k)]) for j in range(len(line))]
            to = place(line[k + 1]) if k + 1 < len(line) else (x, y)
            off = not (left <= point[0] <= right and bottom <= point[1] <= top)
            film.step(
                _sentence(k, point, values) + (" It has left the map." if off else ""),
                trail={"points": _corners(trail)},
                curve={"points": _corners(curve)},
                step={"d": arrow(x, y, *to)},
                point={"cx": x, "cy": y, "class": "wrong full" if off else "value full"},
                now={"text": f"{name}: {number(values[k], 4)}"},
            )
    return film


def _sentence(k: int, point: Sequence[float], values: Sequence[float]) -> str:
    where = f"a = {number(point[0])}, b = {number(point[1])}"
    height = number(values[k], 4)
    if k == 0:
        return f"The start: {where}, height {height}. The arrow is the first step, against the gradient."
    way = "lower than" if values[k] < values[k - 1] else "higher than" if values[k] > values[k - 1] else "as high as"
    return f"After step {k}: {where}, height {height}, {way} before."


def _corners(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _below(ground: np.ndarray) -> list[str]:
    """Return a path around the region below each of several heights, chosen so that each adds the same area."""
    from contourpy import FillType, contour_generator

    levels = np.quantile(ground, np.linspace(0, 1, LEVELS + 1)[1:-1])
    side = np.linspace(FRAME, FRAME + MAP, len(ground))
    maker = contour_generator(side, side[::-1], ground, fill_type=FillType.OuterOffset)
    paths = []
    for level in np.unique(levels):
        rings = []
        for points, offsets in zip(*maker.filled(float(ground.min()) - 1.0, float(level)), strict=True):
            for start, end in pairwise(offsets):
                rings.append("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points[start : end - 1]) + "Z")
        paths.append("".join(rings))
    return paths
