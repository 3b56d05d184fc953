"""The still picture that `explore` leaves in a notebook for readers without widgets, as text, plain HTML and PNG."""

from __future__ import annotations

import base64
import secrets
from contextlib import suppress
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from minigrad.compiler.tables import as_html, as_lines
from minigrad_course.viz.drawing import draw
from minigrad_course.viz.explore import forward
from minigrad_course.viz.explore.listing import program_lines
from minigrad_course.viz.explore.record import Record, lent
from minigrad_course.viz.explore.walk import Rules, walks
from minigrad_course.viz.picture import Picture
from minigrad_course.viz.render import PictureError


class Still:
    """The trace at its end: a table for each correct walk back, or for each pass of forward mode."""

    def __init__(self, record: Record, mode: str):
        self.record, self.forward = record, mode == "forward"
        self.key = f"minigrad-still-{secrets.token_hex(4)}"  # the live views find and hide it by this
        passes = [table for _, table in forward.passes(record)] if self.forward else []
        self.tables = passes or list(record.reverse_tables.values())

    @cached_property
    def _jacobian(self) -> list[list[str]]:
        record, names, outputs = self.record, self.record.names, dict.fromkeys(self.record.outputs)
        if self.forward:
            rows = list(zip(*(forward.column(record, table) for table in self.tables), strict=True))
        else:
            slopes = [record.reverse_tables[y].derivatives if y in record.reverse_tables else {} for y in outputs]
            rows = [tuple(of.get(names[x], np.zeros(x.shape)) for x in record.inputs) for of in slopes]
        head = ["", *(f"∂/∂{names[x]}" for x in record.inputs)]
        called = [record.called.get(y, names[y]) for y in outputs]
        return [head, *([y, *map(forward.shown, row)] for y, row in zip(called, rows, strict=True))]

    @cached_property
    def _program(self) -> list[str]:
        return forward.program_lines(self.record) if self.forward else [line for line, _ in program_lines(self.record)]

    @cached_property
    def text(self) -> str:
        """Write the source, tables, Jacobian and program one below the other."""
        parts = [self.record.title]
        if self.record.source:
            parts.append("\n".join(f"{number:4d}  {line}" for number, line in self.record.source))
        parts += [table.text(None) for table in self.tables]
        parts.append("\n  ".join(["Jacobian", *as_lines(self._jacobian)]))
        parts.append("\n  ".join(["Program", *self._program]))
        return "\n\n".join(parts)

    @cached_property
    def picture(self) -> Picture:
        """Draw the graph, with adjoints after a walk from one output."""
        if self.forward or len(self.record.outputs) > 1:
            return self._drawn(adjoints=False)
        events = walks(self.record, Rules())
        adjoints = {event.node: event.after for event in events if event.kind in ("seed", "share")}
        with lent(self.record.nodes, adjoints):
            return self._drawn()

    def _drawn(self, **options: Any) -> Picture:
        """Draw the graph with the tables' names."""
        names = {node: self.record.names[node] for node in self.record.nodes if node.op is not None and not node.name}
        try:
            for node, name in names.items():
                called = self.record.called.get(node, name)
                node.name = name if called == name else f"{called} = {name}"
            return draw(*self.record.outputs, **options)
        finally:
            for node in names:
                node.name = None

    @cached_property
    def html(self) -> str:
        """A page without scripts."""
        parts = [f"<p><b>{escape(self.record.title)}</b></p>"]
        if self.record.source:
            lines = "\n".join(f"{number:4d}  {escape(line)}" for number, line in self.record.source)
            parts.append(f"<pre>{lines}</pre>")
        try:
            kind, image = "png", self.picture.png
        except (PictureError, ImportError):  # a tab draws SVG alone, and without Graphviz that is lines of text
            kind, image = "svg+xml", self.picture.svg.encode()
        parts.append(
            f'<p><img src="data:image/{kind};base64,{base64.b64encode(image).decode()}" '
            f'width="{self.picture.size[0]}" style="max-width:100%" alt="{escape(self.picture.text)}"></p>'
        )
        parts += [f'<div style="margin-top:1em">{table.html(None)}</div>' for table in self.tables]
        caption = '<caption style="text-align:left;font-weight:bold">Jacobian</caption>'
        parts.append(as_html(self._jacobian[0], self._jacobian[1:], "text-align:left;padding:1px 10px", caption))
        lines = "\n".join(escape(line) for line in self._program)
        parts.append(f"<details><summary>Program</summary><pre>{lines}</pre></details>")
        return f'<div class="minigrad-still {self.key}">{"".join(parts)}</div>'

    def bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the notebook's data: HTML, text, and the graph as a PNG if it can be rendered."""
        data: dict[str, Any] = {"text/plain": self.text, "text/html": self.html}
        metadata: dict[str, Any] = {}
        with suppress(PictureError, ImportError):  # without Graphviz the page and the text show the same
            data["image/png"] = base64.b64encode(self.picture.png).decode()
            metadata["image/png"] = dict(zip(("width", "height"), self.picture.size, strict=True))
        return data, metadata
