"""The still picture that `explore` leaves in a notebook for readers without widgets, as text, plain HTML and PNG."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from html import escape
from typing import Any

from minigrad.compiler.text_table import as_html, as_lines
from minigrad_course.trace import BAR, DOT, TEXT, Equation
from minigrad_course.viz.drawing import draw
from minigrad_course.viz.explore import forward
from minigrad_course.viz.explore.listing import program_lines
from minigrad_course.viz.explore.record import Record, lent
from minigrad_course.viz.explore.story import put_in
from minigrad_course.viz.explore.walk import Rules, jacobian, number, walks
from minigrad_course.viz.picture import Picture
from minigrad_course.viz.render import PictureError

Row = tuple[str, str, str, str]  # line, formula, formula with numbers, result


class Still:
    """The trace at its end: the correct walk, with the adjoints of the last output."""

    head: Row = ("line", "computed", "with numbers", "result")

    def __init__(self, record: Record, story: dict[str, Any]):
        self.record, self.data = record, story
        self.key = f"minigrad-still-{secrets.token_hex(4)}"  # the live views find and hide it by this

    @cached_property
    def _tables(self) -> list[tuple[str, list[Row]]]:
        nodes, shares = self.data["nodes"], self.data["shares"]
        primal, passed = self.record.equations
        forward: list[Row] = []
        for k in [*self.data["inputs"], *self.data["forward"]]:
            node = nodes[k]
            how = f"{node['name']} = {node['text']}" if "text" in node else f"{node['name']}"
            equation = primal.get(self.record.nodes[k])
            forward.append((str(node["line"] or ""), how, equation.numbers if equation else "", node["value"]))
        tables = [("Forward", forward)]
        events = walks(self.record, Rules())
        for event, (kind, walk, k, share, *_, after, _) in zip(
            events, self.data["walks"]["111"]["events"], strict=True
        ):
            bar = TEXT.symbol(nodes[k]["name"], BAR)
            while len(tables) < walk + 2:
                tables.append((f"Backward from {nodes[k]['called']}", []))
            rows = tables[walk + 1][1]
            if kind == 1:
                rows.append(("", f"{bar} = 1", "", after))
            elif event.share is not None:
                line = str(nodes[shares[share]["from"]]["line"] or "")
                equation = passed[event.share.source, event.share.place]
                rows.append((line, f"{bar} += {equation.formula}", put_in(equation, event.adjoint, TEXT), after))
        return tables

    @cached_property
    def _jacobian(self) -> list[list[str]]:
        names = self.record.names
        rows = jacobian(self.record, walks(self.record, Rules()))
        head = ["", *(f"∂/∂{names[x]}" for x in self.record.inputs)]
        outputs = [self.record.called.get(y, names[y]) for y in dict.fromkeys(self.record.outputs)]
        return [head, *([y, *map(number, row)] for y, row in zip(outputs, rows, strict=True))]

    @cached_property
    def _program(self) -> list[str]:
        return [line for line, _ in program_lines(self.record)]

    @cached_property
    def text(self) -> str:
        """Write the source, tables, Jacobian and program one below the other."""
        parts = [self.record.title]
        if self.record.source:
            parts.append("\n".join(f"{number:4d}  {line}" for number, line in self.record.source))
        for name, rows in self._tables:
            parts.append(f"{name}\n" + _columns([self.head, *rows]))
        parts.append("Jacobian\n" + _columns(self._jacobian))
        parts.append("Program\n" + "\n".join(f"  {line}" for line in self._program))
        return "\n\n".join(parts)

    @cached_property
    def picture(self) -> Picture:
        """Draw the graph, with adjoints if there is one output."""
        outputs = self.record.outputs
        if len(outputs) > 1:
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
        for name, rows in self._tables:
            parts.append(_table(name, [self.head, *rows]))
        parts.append(_table("Jacobian", self._jacobian))
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


class StillPasses(Still):
    """The still picture of forward mode: values once, the tangents of each pass, and a graph without derivatives."""

    head = ("line", "value", "tangent", "result")

    @cached_property
    def _tables(self) -> list[tuple[str, list[Row]]]:
        tables = []
        for count, (x, table) in enumerate(forward.passes(self.record), 1):
            rows = [
                (
                    "" if row.line is None else str(self.record.line(row.node) or ""),
                    str(row.primal),
                    "" if row.derivative is None else _halves(row.derivative),
                    "" if row.derivative is None else forward.shown(row.derivative.value),
                )
                for row in table.rows
                if row.kind != "constant"
            ]
            tables.append((f"Pass {count}: {TEXT.symbol(self.record.names[x], DOT)} = 1", rows))
        return tables

    @cached_property
    def _jacobian(self) -> list[list[str]]:
        names = self.record.names
        columns = [forward.column(self.record, table) for _, table in forward.passes(self.record)]
        head = ["", *(f"∂/∂{names[x]}" for x in self.record.inputs)]
        outputs = [self.record.called.get(y, names[y]) for y in dict.fromkeys(self.record.outputs)]
        return [head, *([y, *(forward.shown(c[k]) for c in columns)] for k, y in enumerate(outputs))]

    @cached_property
    def _program(self) -> list[str]:
        return forward.program_lines(self.record)

    @cached_property
    def picture(self) -> Picture:
        return self._drawn(adjoints=False)


def _halves(equation: Equation) -> str:
    """Split an equation into its parts, without the result, which has a column of its own."""
    return str(equation).rpartition(" = ")[0] if equation.template is not None else str(equation)


def _columns(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"  {line}" for line in as_lines(rows))


def _table(name: str, rows: Sequence[Sequence[str]]) -> str:
    caption = f'<caption style="text-align:left;font-weight:bold">{escape(name)}</caption>'
    return as_html(rows[0], rows[1:], "text-align:left;padding:1px 10px", caption)
