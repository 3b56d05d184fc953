"""What a picture is painted on where there is no Graphviz: SVG, written here, or a PNG, painted with matplotlib.

Places are in pixels from the upper left corner.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

from minigrad.viz.layers import Point
from minigrad.viz.looks import FONT


class Svg:
    """A canvas that writes SVG."""

    def __init__(self, width: float, height: float):
        self.size = (width, height)
        self.parts: list[str] = []

    def rect(
        self, x: float, y: float, w: float, h: float, radius: float, fill: str, line: str, width: float, dashed: bool
    ) -> None:
        dash = ' stroke-dasharray="5,3"' if dashed else ""
        place = f'x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{radius:g}"'
        self.parts.append(f'<rect {place} fill="{fill}" stroke="{line}" stroke-width="{width:g}"{dash}/>')

    def curve(self, points: Sequence[Point], colour: str, width: float, dashed: bool) -> None:
        dash = ' stroke-dasharray="5,3"' if dashed else ""
        start, *rest = (f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<path d="M{start}C{" ".join(rest)}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}/>'
        )

    def triangle(self, points: Sequence[Point], colour: str) -> None:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{corners}" fill="{colour}" stroke="{colour}"/>')

    def text(self, x: float, y: float, text: str, size: float, colour: str, anchor: str, style: str = "") -> None:
        looks = {"bold": ' font-weight="bold"', "italic": ' font-style="italic"'}.get(style, "")
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="{colour}"'
        self.parts.append(f'<text {place} font-family="{FONT}"{looks}>{escape(text, quote=False)}</text>')

    def open(self, name: str, classes: str, title: str) -> None:
        self.parts.append(f'<g id="{name}" class="{classes}">\n<title>{escape(title, quote=False)}</title>')

    def close(self) -> None:
        self.parts.append("</g>")

    def result(self) -> bytes:
        width, height = self.size
        head = f'<svg width="{width:.0f}pt" height="{height:.0f}pt"\n viewBox="0 0 {width:.0f} {height:.0f}"'
        corners = f"0,{height:.0f} 0,0 {width:.0f},0 {width:.0f},{height:.0f} 0,{height:.0f}"
        panel = f'<polygon fill="white" stroke="none" points="{corners}"/>'
        body = "\n".join(['<g id="graph0" class="graph">', panel, *self.parts, "</g>"])
        return f'{head} xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'.encode()


class Png:
    """A canvas that paints a PNG with matplotlib. scale: pixels of the PNG for each unit."""

    def __init__(self, width: float, height: float, scale: float):
        from matplotlib.figure import Figure

        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72 * scale, facecolor="white")
        self.axes: Any = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self.axes.axis("off")

    def rect(
        self, x: float, y: float, w: float, h: float, radius: float, fill: str, line: str, width: float, dashed: bool
    ) -> None:
        from matplotlib.patches import FancyBboxPatch

        corners = f"round,pad=0,rounding_size={max(radius, 0.01)}"
        style = (0, (5, 3)) if dashed else "solid"
        patch = FancyBboxPatch((x, y), w, h, corners, fc=fill, ec=line, linewidth=width, linestyle=style)
        self.axes.add_patch(patch)

    def curve(self, points: Sequence[Point], colour: str, width: float, dashed: bool) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        path = Path(points, [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1))
        style = (0, (5, 3)) if dashed else "solid"
        self.axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, linewidth=width, linestyle=style))

    def triangle(self, points: Sequence[Point], colour: str) -> None:
        from matplotlib.patches import Polygon

        self.axes.add_patch(Polygon(points, facecolor=colour, edgecolor=colour, linewidth=1))

    def text(self, x: float, y: float, text: str, size: float, colour: str, anchor: str, style: str = "") -> None:
        side = {"start": "left", "middle": "center", "end": "right"}[anchor]
        looks = {"bold": {"weight": "bold"}, "italic": {"style": "italic"}}.get(style, {})
        self.axes.text(x, y, text, size=size, color=colour, ha=side, va="baseline", parse_math=False, **looks)

    def open(self, name: str, classes: str, title: str) -> None:
        """Nothing to name in a PNG."""

    def close(self) -> None:
        """Nothing to name in a PNG."""

    def result(self) -> bytes:
        file = io.BytesIO()
        with warnings.catch_warnings():  # a letter that its fonts do not have becomes an empty box
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            self.figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()
