"""What a picture is painted on where there is no Graphviz: SVG, written here, or a PNG, painted with matplotlib.

Places are in pixels from the upper left corner.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from minigrad_course.viz.layers import Point
from minigrad_course.viz.looks import FONT

UNREADABLE = 4.0  # pixels: smaller letters are left out of a PNG, since painting thousands of them takes seconds


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
    """A canvas that paints a PNG with matplotlib's renderer. scale: pixels of the PNG for each unit.

    Without figures and axes around it, because these take seconds for the texts of 300 boxes.
    """

    def __init__(self, width: float, height: float, scale: float):
        from matplotlib.backends.backend_agg import RendererAgg

        self.scale = scale
        self.agg: Any = RendererAgg(round(width * scale), round(height * scale), 72 * scale)
        self.fonts: dict[tuple[float, str], Any] = {}
        self.rect(0, 0, width, height, 0, "white", "white", 0, False)

    def rect(
        self, x: float, y: float, w: float, h: float, radius: float, fill: str, line: str, width: float, dashed: bool
    ) -> None:
        r, right, bottom = radius, x + w, y + h
        corners = [
            (x + r, y), (right - r, y), (right, y), (right, y + r), (right, bottom - r), (right, bottom),
            (right - r, bottom), (x + r, bottom), (x, bottom), (x, bottom - r), (x, y + r), (x, y), (x + r, y),
        ]  # fmt: skip
        codes = ["MOVETO"] + ["LINETO", "CURVE3", "CURVE3"] * 4
        self._path(corners, codes, line, width, None if fill == "none" else fill, dashed)

    def curve(self, points: Sequence[Point], colour: str, width: float, dashed: bool) -> None:
        self._path(points, ["MOVETO"] + ["CURVE4"] * (len(points) - 1), colour, width, None, dashed)

    def triangle(self, points: Sequence[Point], colour: str) -> None:
        self._path([*points, points[0]], ["MOVETO"] + ["LINETO"] * 3, colour, 1, colour, False)

    def text(self, x: float, y: float, text: str, size: float, colour: str, anchor: str, style: str = "") -> None:
        from matplotlib.font_manager import FontProperties

        if size * self.scale < UNREADABLE:
            return
        if (size, style) not in self.fonts:
            font = self.fonts[size, style] = FontProperties(family="DejaVu Sans", size=size)
            font.set_style("italic" if style == "italic" else "normal")
            font.set_weight("bold" if style == "bold" else "normal")
        font = self.fonts[size, style]
        with warnings.catch_warnings():  # a letter that the font does not have becomes an empty box
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            left = x * self.scale
            if anchor != "start":
                width, _, _ = self.agg.get_text_width_height_descent(text, font, False)
                left -= width if anchor == "end" else width / 2
            self.agg.draw_text(self._pen(colour, 1), left, y * self.scale, text, font, 0)

    def _path(
        self, points: Sequence[Point], codes: Sequence[str], line: str, width: float, fill: str | None, dashed: bool
    ) -> None:
        from matplotlib.colors import to_rgb
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        pen = self._pen(line, width * self.scale)
        if dashed:
            pen.set_dashes(0, [5 * self.scale, 3 * self.scale])
        path = Path(points, [getattr(Path, code) for code in codes])
        turned: Any = Affine2D().scale(self.scale, -self.scale).translate(0, self.agg.height)
        self.agg.draw_path(pen, path, turned, None if fill is None else to_rgb(fill))

    def _pen(self, colour: str, width: float) -> Any:
        pen = self.agg.new_gc()
        pen.set_foreground(colour)
        pen.set_linewidth(width)
        return pen

    def open(self, name: str, classes: str, title: str) -> None:
        """Nothing to name in a PNG."""

    def close(self) -> None:
        """Nothing to name in a PNG."""

    def result(self) -> bytes:
        from PIL import Image  # comes with matplotlib

        file = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(np.asarray(self.agg.buffer_rgba())[..., :3])).save(file, "PNG")
        return file.getvalue()
