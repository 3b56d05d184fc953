"""The result of `draw`: a picture that notebooks show, screen readers read, and files store."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import textwrap
import weakref
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from minigrad.core.graph import Node
from minigrad_course.viz.dot import dot_text
from minigrad_course.viz.page import DARK_PAGE, LIGHT_PAGE, picture_in_page
from minigrad_course.viz.render import PictureError, render
from minigrad_course.viz.sketch import Sketch

SHARPNESS = 2  # pixels of a PNG for each pixel of the SVG: for screens of high resolution
LARGEST_PNG = 4000  # pixels along a side
FARTHEST = 1200  # layers that all arrows cross together: up to here Graphviz took under 0.5 s, at 2,400 ten seconds
# Beyond that, arrows are straight and behind the boxes, and Graphviz optimises less: under a second at 2,400.
IN_HASTE = "splines=line outputorder=edgesfirst nslimit=1 nslimit1=1 mclimit=0.1"

# Around the boxes, which stay light, a picture is light or dark: it follows JupyterLab's theme inside the page, else
# the page's or the computer's preference. Where styles are not understood it is light.
LIGHT = "--mg-panel:#fff;--mg-line:#6b7280;--mg-word:#5f6b7a;--mg-back:#a84300;--mg-cut:#6b7280;--mg-cut-width:1.2"
DARK = "--mg-panel:#1b2129;--mg-line:#a3afbd;--mg-word:#b6c0cc;--mg-back:#f2a071;--mg-cut:#1b2129;--mg-cut-width:3"
THEMES = f"""
.minigrad-graph{{{LIGHT}}}
@media screen and (prefers-color-scheme:dark){{.minigrad-graph{{{DARK}}}}}
:is({",".join(LIGHT_PAGE)}) .minigrad-graph{{{LIGHT}}}
:is({",".join(DARK_PAGE)}) .minigrad-graph{{{DARK}}}
.minigrad-graph .panel{{fill:var(--mg-panel)}}
.minigrad-graph .edge>path{{stroke:var(--mg-line)}}
.minigrad-graph .edge>polygon{{fill:var(--mg-line);stroke:var(--mg-line)}}
.minigrad-graph .back>path{{stroke:var(--mg-back)}}
.minigrad-graph .back>polygon{{fill:var(--mg-back);stroke:var(--mg-back)}}
.minigrad-graph .constant>polygon{{stroke:var(--mg-cut);stroke-width:var(--mg-cut-width)}}
.minigrad-graph .cluster>path{{fill:none;stroke:var(--mg-word)}}
.minigrad-graph :is(.edge,.cluster,.graph,.line)>text{{fill:var(--mg-word)}}
.minigrad-graph .cluster.backward>path{{stroke:var(--mg-back)}}
.minigrad-graph .cluster.backward>text{{fill:var(--mg-back)}}
.minigrad-graph .words>text{{paint-order:stroke;stroke:var(--mg-panel);stroke-width:4px;stroke-linejoin:round}}
"""


class Picture:
    """A drawn graph, fixed at the moment of drawing. In a notebook it shows itself.

    text: all of it as lines of text. dot: DOT text, for other tools. svg: text. png: bytes.
    """

    def __init__(self, sketch: Sketch, direction: str, groups: Sequence[Sequence[Node]] = ()):
        self.sketch, self.direction = sketch, direction
        self._groups = [[weakref.ref(node) for node in group] for group in groups]  # a picture keeps no graph alive

    @cached_property
    def _page(self) -> str:
        """The prefix of this picture's element ids, which must differ from those of other pictures on the page."""
        return "mg" + hashlib.sha256(repr((self.sketch, self.direction)).encode()).hexdigest()[:8]

    @property
    def text(self) -> str:
        """One line for each box, inputs before results: how it is computed, its shape, value and adjoint."""
        return self.sketch.text

    @cached_property
    def dot(self) -> str:
        """The picture in DOT, the language of Graphviz. Raises ImportError without the package graphviz."""
        return dot_text(self.sketch, self.direction)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG, on a panel of its own, light or dark as the page wants it, with its text inside.

        Where there is no Graphviz, it shows the lines of the text.
        """
        try:
            svg = self._rendered("svg")
        except (PictureError, ImportError) as error:
            svg = _lines_of_text(self.sketch, str(error))
        return _accessible(svg.decode(), self.sketch, self._page)

    @cached_property
    def png(self) -> bytes:
        """The picture as PNG, at twice the resolution of the SVG if that is not too large.

        Raises PictureError, or ImportError, where there is no Graphviz.
        """
        scale = min(SHARPNESS, LARGEST_PNG / max(*self.size, 1))
        return self._rendered("png", f"dpi={72 * scale:.4g}")

    def _rendered(self, form: str, options: str = "") -> bytes:
        """Render with Graphviz. Raises PictureError or ImportError where it is missing."""
        if self.sketch.reach() > FARTHEST:
            options += f" {IN_HASTE}"
        return render(self.dot.replace("{", f"{{\n\tgraph [{options}]", 1), form)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels, as in the SVG."""
        match = re.search(r'<svg width="(\d+)" height="(\d+)"', self.svg)
        assert match is not None
        return int(match[1]), int(match[2])

    def marked(self, node: Node, reason: str) -> Picture:
        """Return the same picture with a node's box marked as wrong, by colour, outline and ✗.

        reason: such as "grad: expected 3, got 6". Raises ValueError for a node that is not shown.
        """
        shown = [k for k, refs in enumerate(self._groups) if any(ref() is node for ref in refs)]
        if not shown:
            raise ValueError("a node that is to be marked must be in the picture")
        what, expected, numbers = reason.partition(": expected ")
        rows = [(f"✗ {what}", "")]
        if expected:
            rows += zip(("expected", "got"), numbers.split(", got ", 1), strict=False)
        boxes = list(self.sketch.boxes)
        box = boxes[shown[0]]
        boxes[shown[0]] = replace(box, wrong=tuple(rows), text=f"{box.text}   ✗ {reason}")
        picture = Picture(replace(self.sketch, boxes=tuple(boxes)), self.direction)
        picture._groups = self._groups
        return picture

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to a file whose suffix says how: .svg, .png, .dot or .txt. Returns the path.

        Raises ValueError for another suffix, PictureError, OSError.
        """
        path = Path(path).expanduser()
        forms = {".svg": "svg", ".png": "png", ".dot": "dot", ".txt": "text"}
        form = forms.get(path.suffix.lower())
        if form is None:
            raise ValueError(
                f"a picture is saved as {', '.join(forms)}: the end of the name says which; got {path.name!r}"
            )
        content: str | bytes = getattr(self, form)
        path.write_bytes(content if isinstance(content, bytes) else content.encode() + b"\n")
        return path

    def __repr__(self) -> str:
        return f"<Picture: {self.sketch.summary} See .text, .svg, .png, .dot, .save(path)>"

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the SVG in HTML, a PNG and text, for the notebook to choose from; no PNG without Graphviz."""
        data: dict[str, Any] = {"text/plain": self.text, "text/html": picture_in_page(self.svg, self.sketch.summary)}
        metadata: dict[str, Any] = {}
        with contextlib.suppress(PictureError, ImportError):
            data["image/png"] = self.png
            width, height = self.size
            metadata["image/png"] = {"width": width, "height": height, "alt": self.sketch.summary}
        wanted = [form for form in data if (not include or form in include) and form not in (exclude or ())]
        return {form: data[form] for form in wanted}, {form: metadata[form] for form in wanted if form in metadata}


def _lines_of_text(sketch: Sketch, why: str) -> bytes:
    """Draw the picture's text as SVG, in Graphviz's form: a group for each box; below it why there is no more."""
    lines = [*sketch.lines(), ("", None), *((line, None) for line in textwrap.wrap(why, 100))]
    width, height = round(20 + 7.3 * max(len(line) for line, _ in lines)), 20 + 18 * len(lines)
    svg = (
        f'<svg width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">'
    )
    svg += '<g id="graph0" class="graph" font-family="monospace" font-size="12">'
    svg += f'<polygon fill="white" stroke="none" points="0,{height} 0,0 {width},0 {width},{height}"/>'
    for k, (line, box) in enumerate(lines):
        text = f'<text x="10" y="{24 + 18 * k}" xml:space="preserve">{escape(line, quote=False)}</text>'
        if box is not None:
            text = f'<g id="node_{box}" class="node {sketch.boxes[box].kind} line"><title></title>{text}</g>'
        svg += text + "\n"
    return f"{svg}</g></svg>".encode()


def _accessible(svg: str, sketch: Sketch, page: str) -> str:
    """Prepare an SVG for pages: sizes in pixels, unique ids, a rounded panel, two themes, text for screen readers.

    A screen reader reads the first title and desc; those of the boxes show when a mouse rests on them.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r'width="([\d.]+)pt" height="([\d.]+)pt"', _pixels, svg, count=1)
    svg = re.sub(r'<g id="node_(\d+)"', r'<g data-node="\1" id="node-\1"', svg)
    svg = re.sub(r'(<g [^>]*?\bid=")', rf"\g<1>{page}-", svg)
    svg = re.sub(
        r'(<g data-node="(\d+)"[^>]*>\s*<title>).*?(</title>)',
        lambda match: match[1] + escape(sketch.boxes[int(match[2])].text, quote=False) + match[3],
        svg,
    )
    svg = _words_above_arrows(svg)
    svg = re.sub(
        r'<polygon fill="white" stroke="(?:none|transparent)" '  # older Graphviz: transparent
        r'points="([-\d.]+),([-\d.]+) [-\d.]+,([-\d.]+) ([-\d.]+),.*?/>',
        _panel,
        svg,
        count=1,
    )
    about = f'<title id="{page}-title">{escape(sketch.summary, quote=False)}</title>\n'
    about += f'<desc id="{page}-desc">{escape(sketch.text, quote=False)}</desc>\n'
    head, body = svg.split(">", 1)
    about += f"<style>{THEMES}</style>\n"
    head += ' style="max-width:100%;height:auto"'
    head += f' class="minigrad-graph" role="img" aria-labelledby="{page}-title" aria-describedby="{page}-desc"'
    return f"{head}>\n{about}{body.lstrip()}"


def _words_above_arrows(svg: str) -> str:
    """Move the titles of frames and the words at arrows to the end, so that no arrow crosses them out."""
    moved = []

    def without(match: re.Match[str]) -> str:
        words = re.findall(r"<text .*?</text>", match[3], flags=re.DOTALL)
        if words:
            moved.append(f'<g class="words {match[2]}">\n' + "\n".join(words) + "\n</g>\n")
        return match[1] + re.sub(r"<text .*?</text>\n?", "", match[3], flags=re.DOTALL) + "</g>"

    svg = re.sub(r'(<g [^>]*class="((?:edge|cluster)\b[^"]*)"[^>]*>)(.*?)</g>', without, svg, flags=re.DOTALL)
    body, end = svg.rsplit("</g>", 1)
    return body + "".join(moved) + "</g>" + end


def _pixels(size: re.Match[str]) -> str:
    return f'width="{round(float(size[1]))}" height="{round(float(size[2]))}"'


def _panel(corners: re.Match[str]) -> str:
    left, bottom, top, right = (float(x) for x in corners.groups())
    size = f'width="{right - left:g}" height="{bottom - top:g}" rx="10"'
    return f'<rect class="panel" fill="white" x="{left:g}" y="{top:g}" {size}/>'
