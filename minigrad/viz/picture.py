"""What `draw` hands out: a picture that a notebook shows, that a screen reader reads, and that saves itself."""

from __future__ import annotations

import hashlib
import os
import re
import weakref
from collections.abc import Sequence
from functools import cached_property
from html import escape, unescape
from pathlib import Path
from typing import Any

from minigrad.graph import Node
from minigrad.viz.dot import box_keys, dot_text
from minigrad.viz.render import PictureError, render
from minigrad.viz.sketch import Sketch

SHARPNESS = 2  # pixels of a PNG for each pixel of the SVG: for screens of high resolution
LARGEST_PNG = 4000  # pixels along a side


class Picture:
    """A drawn graph, fixed at the moment of drawing. In a notebook it shows itself.

    text: all of it as lines of text. dot: DOT text, for other tools. svg: text. png: bytes. ids: where the nodes are
    in the SVG.
    """

    def __init__(self, sketch: Sketch, direction: str, groups: Sequence[Sequence[Node]] = ()):
        self.sketch, self.direction = sketch, direction
        self._groups = [[weakref.ref(node) for node in group] for group in groups]  # a picture keeps no graph alive

    @cached_property
    def _page(self) -> str:
        """What the ids of this picture's elements begin with: those of two pictures on one page must differ."""
        return "mg" + hashlib.sha256(repr((self.sketch, self.direction)).encode()).hexdigest()[:8]

    @property
    def ids(self) -> dict[Node, str]:
        """The id of the SVG element that shows each node; nodes that were folded share one.

        The element is a `<g class="node" data-node="k">`, with k the place of its box among `sketch.boxes`.
        """
        alive = ((ref(), k) for k, refs in enumerate(self._groups) for ref in refs)
        return {node: f"{self._page}-node-{k}" for node, k in alive if node is not None}

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
        """The picture as SVG, on a white panel of its own, with its text inside. Raises PictureError."""
        svg = render(self.dot, "svg").decode()
        return _accessible(svg, self.sketch, self._page)

    @cached_property
    def png(self) -> bytes:
        """The picture as PNG, at twice the resolution of the SVG if that is not too large. Raises PictureError."""
        scale = min(SHARPNESS, LARGEST_PNG / max(*self.size, 1))
        return render(self.dot.replace("{", f"{{\n\tgraph [dpi={72 * scale:.4g}]", 1), "png")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as the SVG has them."""
        found = re.search(r'<svg width="(\d+)" height="(\d+)"', self.svg)
        assert found is not None
        return int(found[1]), int(found[2])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to a file whose suffix says how: .svg, .png, .dot or .txt. Returns the path.

        The file is written whole or not at all. Raises ValueError for another suffix, PictureError, OSError.
        """
        path = Path(path).expanduser()
        forms = {".svg": "svg", ".png": "png", ".dot": "dot", ".txt": "text"}
        form = forms.get(path.suffix.lower())
        if form is None:
            raise ValueError(
                f"a picture is saved as {', '.join(forms)}: the end of the name says which; got {path.name!r}"
            )
        if not path.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {str(path.parent)!r} to save {path.name!r} in. Make it first")
        content: str | bytes = getattr(self, form)
        beside = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            beside.write_bytes(content if isinstance(content, bytes) else content.encode() + b"\n")
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
        return path

    def __repr__(self) -> str:
        return f"<Picture: {self.sketch.summary} See .text, .svg, .png, .dot, .save(path)>"

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """SVG, PNG and text, for the notebook to choose from; only text, and what to do, where nothing can render.

        Both pictures are there because a notebook that is not trusted shows a stored PNG, but no SVG.
        """
        data: dict[str, Any] = {"text/plain": self.text}
        metadata: dict[str, Any] = {}
        try:
            data["image/svg+xml"] = self.svg
            data["image/png"] = self.png
            metadata["image/png"] = dict(zip(("width", "height"), self.size, strict=True))
        except (PictureError, ImportError) as error:
            if "image/svg+xml" not in data:
                data["text/plain"] = f"(No picture, only its text. {error}.)\n\n{self.text}"
        wanted = [form for form in data if (not include or form in include) and form not in (exclude or ())]
        return {form: data[form] for form in wanted}, {form: metadata[form] for form in wanted if form in metadata}


def _accessible(svg: str, sketch: Sketch, page: str) -> str:
    """Graphviz's SVG, made ready for pages: sizes in pixels, its own ids, a rounded panel, and text for who cannot see.

    The first title and desc are what a screen reader says; those of the boxes show when a mouse rests on them.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r'width="([\d.]+)pt" height="([\d.]+)pt"', _pixels, svg, count=1)
    svg = re.sub(r'<g id="node_(\d+)"', r'<g data-node="\1" id="node-\1"', svg)
    svg = re.sub(r'(<g [^>]*?\bid=")', rf"\g<1>{page}-", svg)
    lines = dict(zip(box_keys(sketch), (box.text for box in sketch.boxes), strict=True))
    svg = re.sub(
        r'(class="node[^"]*">\s*<title>)(.*?)(</title>)',
        lambda m: m[1] + escape(lines.get(unescape(m[2]), ""), quote=False) + m[3],
        svg,
    )
    svg = re.sub(
        r'<polygon fill="white" stroke="none" points="([-\d.]+),([-\d.]+) [-\d.]+,([-\d.]+) ([-\d.]+),.*?/>',
        _panel,
        svg,
        count=1,
    )
    about = f'<title id="{page}-title">{escape(sketch.summary, quote=False)}</title>\n'
    about += f'<desc id="{page}-desc">{escape(sketch.text, quote=False)}</desc>\n'
    head, body = svg.split(">", 1)
    return f'{head} role="img" aria-labelledby="{page}-title" aria-describedby="{page}-desc">\n{about}{body.lstrip()}'


def _pixels(size: re.Match[str]) -> str:
    return f'width="{round(float(size[1]))}" height="{round(float(size[2]))}"'


def _panel(corners: re.Match[str]) -> str:
    left, bottom, top, right = (float(x) for x in corners.groups())
    size = f'width="{right - left:g}" height="{bottom - top:g}" rx="10"'
    return f'<rect class="panel" fill="white" x="{left:g}" y="{top:g}" {size}/>'
