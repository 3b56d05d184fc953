"""Place the boxes of a graph, with Graphviz as in draw; without it, in layers.

explore draws its boxes itself, because their numbers change at every step. So it needs only positions, in pixels, with
y pointing downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.core.graph import Node
from minigrad_course.viz.render import PictureError, render

GAP_X, GAP_Y, EDGE = 46, 16, 10
INCH = 72
ARROWS_PER_BOX = 3  # Graphviz takes minutes for graphs much denser than that


@dataclass(frozen=True)
class Layout:
    """centres: of the boxes. paths: for each arrow (input, node, place) the SVG path from box to box."""

    width: float
    height: float
    centres: list[tuple[float, float]]
    paths: list[str]


def layout(nodes: Sequence[Node], sizes: Sequence[tuple[float, float]]) -> Layout:
    """Place `nodes`, whose boxes have these widths and heights; arrows are in the order of the nodes' inputs."""
    place = {node: k for k, node in enumerate(nodes)}
    arrows = [(place[x], k) for k, node in enumerate(nodes) for x in node.inputs]
    if len(arrows) <= ARROWS_PER_BOX * len(nodes):
        try:
            return _by_graphviz(sizes, arrows)
        except PictureError:
            pass  # no Graphviz on this computer: use the simpler layout
    return _in_layers(sizes, arrows)


def _by_graphviz(sizes: Sequence[tuple[float, float]], arrows: Sequence[tuple[int, int]]) -> Layout:
    lines = ["digraph { rankdir=LR; nodesep=0.13; ranksep=0.5;", "edge [arrowhead=none];"]
    lines += ["node [shape=box fixedsize=true label=x];"]
    lines += [f"n{k} [width={w / INCH:.3f} height={h / INCH:.3f}];" for k, (w, h) in enumerate(sizes)]
    lines += [f"n{a} -> n{b};" for a, b in arrows]
    rows = [line.split() for line in render("\n".join([*lines, "}"]), "plain").decode().splitlines()]
    width, height = (float(x) * INCH for x in rows[0][2:4])

    def point(x: str, y: str) -> tuple[float, float]:
        return round(float(x) * INCH + EDGE, 1), round(height - float(y) * INCH + EDGE, 1)

    centres = {int(row[1][1:]): point(row[2], row[3]) for row in rows if row[0] == "node"}
    drawn: dict[tuple[int, int], list[str]] = {}
    for row in rows:
        if row[0] == "edge":
            numbers = row[4 : 4 + 2 * int(row[3])]
            points = [point(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
            start, *rest = (f"{x},{y}" for x, y in points)
            drawn.setdefault((int(row[1][1:]), int(row[2][1:])), []).append(f"M{start}C{' '.join(rest)}")
    paths = [drawn[arrow].pop(0) for arrow in arrows]
    return Layout(width + 2 * EDGE, height + 2 * EDGE, [centres[k] for k in range(len(sizes))], paths)


def _in_layers(sizes: Sequence[tuple[float, float]], arrows: Sequence[tuple[int, int]]) -> Layout:
    """Make a column for each distance from the inputs; in it, place each box near the boxes that it reads."""
    column = [0] * len(sizes)
    for tail, head in arrows:  # inputs come first, so one pass is enough
        column[head] = max(column[head], column[tail] + 1)
    columns: list[list[int]] = [[] for _ in range(max(column) + 1)]
    for k, c in enumerate(column):
        columns[c].append(k)
    centres: dict[int, tuple[float, float]] = {}
    left = float(EDGE)
    for members in columns:
        above = {k: [centres[a][1] for a, b in arrows if b == k and a in centres] for k in members}
        members.sort(key=lambda k: sum(above[k]) / len(above[k]) if above[k] else 0.0)
        width, top = max(sizes[k][0] for k in members), float(EDGE)
        for k in members:
            centres[k] = (left + width / 2, top + sizes[k][1] / 2)
            top += sizes[k][1] + GAP_Y
        left += width + GAP_X
    height = max(y + sizes[k][1] / 2 for k, (_, y) in centres.items()) + EDGE
    paths = []
    for tail, head in arrows:
        x0, y0 = centres[tail][0] + sizes[tail][0] / 2, centres[tail][1]
        x1, y1 = centres[head][0] - sizes[head][0] / 2, centres[head][1]
        bend = (x1 - x0) / 2
        paths.append(f"M{x0:.0f},{y0:.0f}C{x0 + bend:.0f},{y0:.0f} {x1 - bend:.0f},{y1:.0f} {x1:.0f},{y1:.0f}")
    return Layout(left - GAP_X + EDGE, height, [centres[k] for k in range(len(sizes))], paths)
