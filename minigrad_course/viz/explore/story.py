"""Everything the browser needs about a record, as one JSON object; the browser does not call Python again.

All eight walks (each of the three rules kept or left out) are made here and sent along, so that a switch in the browser
acts at once. Formulas are the trace's own, as HTML.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.graph import Node
from minigrad.core.operation import plain
from minigrad_course import short
from minigrad_course.trace import BAR, DOT, Equation
from minigrad_course.trace.style import Html
from minigrad_course.viz.explore import forward
from minigrad_course.viz.explore.layout import layout
from minigrad_course.viz.explore.listing import code, forward_line, identifiers
from minigrad_course.viz.explore.record import Record
from minigrad_course.viz.explore.walk import Event, Rules, Share, Truth, number, same, shares, walks

KINDS = ("reset", "seed", "share", "done")
CHARACTER, LINE, MARGIN = 7.2, 16, 8  # pixels
LONGEST = 16  # characters of a name or a number in a box


class Views(Html):
    """The trace's formulas, with derivatives as HTML elements of their own: coloured, and read aloud as derivatives."""

    def symbol(self, name: str, accent: str) -> str:
        plain_symbol = super().symbol(name, "")
        if accent == DOT:
            dotted = super().symbol(name, DOT)
            return f'<span class="mgx-dot" role="img" aria-label="tangent of {escape(name)}">{dotted}</span>'
        if accent != BAR:
            return plain_symbol
        return f'<span class="mgx-bar" role="img" aria-label="adjoint of {escape(name)}">{plain_symbol}</span>'

    def number(self, text: str) -> str:
        """Write the numbers in a text in as few digits as the views have."""
        return super().number(re.sub(r"\d+\.\d+(e-?\d+)?", lambda match: number(float(match[0])), text))


VIEWS = Views()


def story(record: Record, mode: str = "reverse") -> dict[str, Any]:
    """The record as JSON data: source, nodes, arrows, and the walks back; in forward mode the passes forward."""
    data = _passes(record) if mode == "forward" else _walks(record)
    place = {node: k for k, node in enumerate(record.nodes)}
    called = identifiers(record)
    nodes = [_node(record, node, place, called) for node in record.nodes]
    sizes = [
        _size(node, min(max(len(node["value"]), longest), LONGEST))
        for node, longest in zip(nodes, data.pop("widest"), strict=True)
    ]
    drawn = layout(record.nodes, sizes)
    arrows = [(place[x], k, i) for k, node in enumerate(record.nodes) for i, x in enumerate(node.inputs)]
    way = data.pop("way")
    return {
        "mode": mode,
        "title": record.title,
        "source": [list(line) for line in record.source],
        "nodes": nodes,
        "inputs": [place[x] for x in record.inputs],
        "outputs": [place[y] for y in record.outputs],
        "calls": [called[node] for node in record.nodes],
        "forward": [place[node] for node in record.nodes if node.op is not None],
        "graph": {
            "size": [round(drawn.width), round(drawn.height)],
            "boxes": [
                [round(x - w / 2, 1), round(y - h / 2, 1), round(w, 1), h]
                for (x, y), (w, h) in zip(drawn.centres, sizes, strict=True)
            ],
            "arrows": [
                [tail, head, way(record.nodes[head], i), path]
                for (tail, head, i), path in zip(arrows, drawn.paths, strict=True)
            ],
        },
        **data,
    }


def _passes(record: Record) -> dict[str, Any]:
    """Describe the passes of forward mode. way: the step that each arrow leads to."""
    place = {node: k for k, node in enumerate(record.nodes)}
    events = forward.events_as_data(record, place, VIEWS)
    widest = [0] * len(record.nodes)
    for kind, _, k, *_, amount, _ in events:
        if kind == forward.STEP:
            widest[k] = max(widest[k], len(amount))
    step = {node: k for k, node in enumerate(node for node in record.nodes if node.op is not None)}
    return {
        "shares": forward.steps_as_data(record, place, VIEWS),
        "resets": {},
        "walks": {"111": {"events": events}},
        "widest": widest,
        "way": lambda node, i: step[node] if node.inputs[i] in record.moving else -1,
    }


def _walks(record: Record) -> dict[str, Any]:
    """Describe the walks back: a walk for each set of rules. way: the share on each arrow."""
    called = identifiers(record)
    place = {node: k for k, node in enumerate(record.nodes)}
    ways = shares(record)
    way = {share: k for k, share in enumerate(ways)}
    truth = Truth(record)
    walks_of = {}
    widest = [0] * len(record.nodes)
    for kept in itertools.product((True, False), repeat=3):
        events = walks(record, Rules(*kept), truth)
        rows = _rows(record, events, truth, place, way)
        for row in rows:
            if row[0] == KINDS.index("share"):
                widest[row[2]] = max(widest[row[2]], len(row[6]))
        walks_of["".join("01"[rule] for rule in kept)] = {"events": rows}
    return {
        "shares": [_share(share, record, place, called) for share in ways],
        "resets": {place[y]: [f"{called[x]}_bar" for x in _cleared(record, y)] for y in record.outputs},
        "walks": walks_of,
        "widest": widest,
        "way": lambda node, i: way.get(Share(node, i), -1),
    }


def _cleared(record: Record, output: Node) -> list[Node]:
    reached = set(record.backwards(output))
    return [node for node in record.nodes if node in reached] or [output]


def _node(record: Record, node: Node, place: dict[Node, int], called: dict[Node, str]) -> dict[str, Any]:
    kind = "input" if node in record.inputs else "constant" if node.op is None else "operator"
    name = record.names[node]
    data = {
        "name": name,
        "called": record.called.get(node, name),
        "html": VIEWS.symbol(name, "") if not short.is_literal(node) else VIEWS.number(name),
        "bar": VIEWS.symbol(name, BAR),
        "dot": VIEWS.symbol(name, DOT),
        "kind": kind,
        "value": number(node._value),
        "shape": list(node.shape),
        "line": record.line(node),
        "inputs": [place[x] for x in node.inputs],
        "number": short.is_literal(node),
        "moving": node in record.moving,
    }
    if node.op is not None:
        equation = record.equations[0][node]
        data |= {
            "symbol": node.op.symbol or node.op.name,
            "formula": equation.written(VIEWS, False),
            "numbers": equation.written(VIEWS, True),
            "text": equation.formula,
            "code": forward_line(node, called),
        }
    return data


def _share(share: Share, record: Record, place: dict[Node, int], called: dict[Node, str]) -> dict[str, Any]:
    equation = record.equations[1].get((share.source, share.place))
    return {
        "from": place[share.source],
        "to": place[share.target],
        "formula": equation.written(VIEWS, False) if equation else "",
        "text": equation.formula if equation else "",
        "code": [f"{called[share.target]}_bar", code(equation, record, called)],
    }


def _with_numbers(equation: Equation, adjoint: ArrayLike) -> str:
    """Write the formula of a share with numbers, for an adjoint that may be wrong."""
    has = plain(adjoint)
    symbols = {name: s._replace(value=has) if s.accent else s for name, s in equation.symbols.items()}
    return replace(equation, symbols=symbols).written(VIEWS, True)


def _rows(
    record: Record, events: list[Event], truth: Truth, place: dict[Node, int], way: dict[Share, int]
) -> list[list[Any]]:
    """List each event as [kind, walk, node, share, substituted numbers, amount, adjoint afterwards, error]."""
    rows: list[list[Any]] = []
    adjoint: dict[Node, Any] = {}
    for event in events:
        entry = [KINDS.index(event.kind), event.number, place[event.node], -1, "", "", "", event.wrong]
        if event.kind == "reset":
            adjoint = {}
        elif event.kind == "done":
            row = [adjoint.get(x, np.zeros(x.shape)) for x in record.inputs]
            entry[5] = [number(a) for a in row]
            right = truth.adjoints[event.node]
            entry[6] = [not same(a, right.get(x, np.zeros(x.shape))) for x, a in zip(record.inputs, row, strict=True)]
        else:
            adjoint[event.node] = event.after
            entry[6] = number(event.after)
        if event.share is not None:
            share = event.share
            entry[3] = way[share]
            entry[4] = _with_numbers(record.equations[1][share.source, share.place], event.adjoint)
            entry[5] = number(event.amount)
        rows.append(entry)
    return rows


def _size(node: dict[str, Any], longest: int) -> tuple[float, float]:
    """Return the width and height of a node's box, with a title, its value, and its adjoint if it can have one."""
    if node["number"]:
        return max(34.0, len(node["name"][:LONGEST]) * 8.5 + 2 * MARGIN), 28
    name = node["name"] if node["called"] == node["name"] else f"{node['called']} = {node['name']}"
    title = len(name[:LONGEST]) + (len(node["symbol"][:LONGEST]) + 2 if "symbol" in node else 0)
    characters = max(title, longest + 6)
    return characters * CHARACTER + 2 * MARGIN, (3 if node["moving"] else 2) * LINE + MARGIN
