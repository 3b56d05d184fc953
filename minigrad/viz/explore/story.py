"""All that the browser is told about a record, once, as one JSON object: from here on nobody asks Python again.

The eight walks (each of the three rules kept or left out) are all made here and sent along, so that a switch in the
browser acts at once. Formulas are the trace's own, as HTML.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from minigrad.graph import Node
from minigrad.operation import plain
from minigrad.trace import BAR, Equation
from minigrad.trace.style import Html, Style
from minigrad.viz.explore.buffers import lives
from minigrad.viz.explore.layout import layout
from minigrad.viz.explore.program import filled, forward_line, identifiers, node_at, share_formula
from minigrad.viz.explore.record import Record, is_number
from minigrad.viz.explore.walk import Event, Rules, Share, Truth, number, same, shares, walks

KINDS = ("reset", "seed", "share", "done")
CHARACTER, LINE, MARGIN = 7.2, 16, 8  # pixels
LONGEST = 16  # characters of a name or a number in a box


class Views(Html):
    """The trace's formulas, with adjoints as elements of their own: coloured, barred, and read out as what they are."""

    def symbol(self, name: str, accent: str) -> str:
        plain_symbol = super().symbol(escape(name), "")
        if accent != BAR:
            return plain_symbol
        return f'<span class="mgx-bar" role="img" aria-label="adjoint of {escape(name)}">{plain_symbol}</span>'


VIEWS = Views()


def story(record: Record) -> dict[str, Any]:
    """The record as JSON data: source, nodes, arrows, and for each set of rules a walk and its buffers."""
    called = identifiers(record)
    forward = [node for node in record.nodes if node.op is not None]
    place = {node: k for k, node in enumerate(record.nodes)}
    ways = shares(record)
    way = {share: k for k, share in enumerate(ways)}
    truth = Truth(record)
    told = {}
    widest = [len(number(node._value)) for node in record.nodes]
    for kept in itertools.product((True, False), repeat=3):
        events = walks(record, Rules(*kept), truth)
        rows = _rows(record, events, truth, place, way)
        for row in rows:
            if row[0] == KINDS.index("share"):
                widest[row[2]] = max(widest[row[2]], len(row[6]))
        told["".join("01"[rule] for rule in kept)] = {
            "events": rows,
            "lives": [
                [life.what == "adjoint", place[life.node], life.first, life.last, life.buffer, life.bytes]
                for life in lives(record, forward, events)
            ],
        }
    nodes = [_node(record, node, place, called) for node in record.nodes]
    sizes = [_size(node, min(longest, LONGEST)) for node, longest in zip(nodes, widest, strict=True)]
    drawn = layout(record.nodes, sizes)
    arrows = [(place[x], k, i) for k, node in enumerate(record.nodes) for i, x in enumerate(node.inputs)]
    return {
        "title": record.title,
        "source": [list(line) for line in record.source],
        "nodes": nodes,
        "inputs": [place[x] for x in record.inputs],
        "outputs": [place[y] for y in record.outputs],
        "calls": [called[node] for node in record.nodes],
        "forward": [place[node] for node in forward],
        "shares": [_share(share, record, place, called) for share in ways],
        "resets": {place[y]: [f"{called[x]}_bar" for x in _cleared(record, y)] for y in record.outputs},
        "graph": {
            "size": [round(drawn.width), round(drawn.height)],
            "boxes": [
                [round(x - w / 2, 1), round(y - h / 2, 1), round(w, 1), h]
                for (x, y), (w, h) in zip(drawn.centres, sizes, strict=True)
            ],
            "arrows": [
                [tail, head, way.get(Share(record.nodes[head], i), -1), path]
                for (tail, head, i), path in zip(arrows, drawn.paths, strict=True)
            ],
        },
        "walks": told,
    }


def _cleared(record: Record, output: Node) -> list[Node]:
    reached = set(record.backwards(output))
    return [node for node in record.nodes if node in reached] or [output]


def _node(record: Record, node: Node, place: dict[Node, int], called: dict[Node, str]) -> dict[str, Any]:
    kind = "input" if node in record.inputs else "constant" if node.op is None else "operator"
    name = record.names[node]
    told = {
        "name": name,
        "called": record.called.get(node, name),
        "html": VIEWS.symbol(name, "") if not is_number(node) else VIEWS.number(name),
        "bar": VIEWS.symbol(name, BAR),
        "kind": kind,
        "value": number(node._value),
        "shape": list(node.shape),
        "line": record.line(node),
        "inputs": [place[x] for x in node.inputs],
        "number": is_number(node),
        "moving": node in record.moving,
    }
    if node.op is not None:
        equation = record.equations[0][node]
        told |= {
            "symbol": node.op.symbol or node.op.name,
            "formula": equation.written(VIEWS, False),
            "numbers": equation.written(VIEWS, True),
            "text": equation.formula,
            "code": forward_line(node, called),
        }
    return told


def _share(share: Share, record: Record, place: dict[Node, int], called: dict[Node, str]) -> dict[str, Any]:
    source, equation = share.source, record.equations[1].get((share.source, share.place))

    def code(p: str) -> str:
        return f"{called[source]}_bar" if p == "adjoint_" else called[node_at(p, source)]

    return {
        "from": place[source],
        "to": place[share.target],
        "formula": equation.written(VIEWS, False) if equation else "",
        "text": equation.formula if equation else "",
        "code": [f"{called[share.target]}_bar", filled(share_formula(share), code)],
    }


def put_in(equation: Equation, adjoint: Any, style: Style) -> str:
    """The formula of a share with its numbers, for an adjoint that need not be the right one."""
    has = plain(adjoint)
    symbols = {name: s._replace(value=has) if s.accent else s for name, s in equation.symbols.items()}
    return replace(equation, symbols=symbols).written(style, True)


def _rows(
    record: Record, events: list[Event], truth: Truth, place: dict[Node, int], way: dict[Share, int]
) -> list[list[Any]]:
    """Each event as [kind, walk, node, share, numbers put in, amount, adjoint afterwards, what is wrong]."""
    rows: list[list[Any]] = []
    adjoint: dict[Node, Any] = {}
    for event in events:
        told = [KINDS.index(event.kind), event.number, place[event.node], -1, "", "", "", event.wrong]
        if event.kind == "reset":
            adjoint = {}
        elif event.kind == "done":
            found = [adjoint.get(x, np.zeros(x.shape)) for x in record.inputs]
            told[5] = [number(a) for a in found]
            right = truth.adjoints[event.node]
            told[6] = [not same(a, right.get(x, np.zeros(x.shape))) for x, a in zip(record.inputs, found, strict=True)]
        else:
            adjoint[event.node] = event.after
            told[6] = number(event.after)
        if event.share is not None:
            share = event.share
            told[3] = way[share]
            told[4] = put_in(record.equations[1][share.source, share.place], event.adjoint, VIEWS)
            told[5] = number(event.amount)
        rows.append(told)
    return rows


def _size(node: dict[str, Any], longest: int) -> tuple[float, float]:
    """Width and height of a node's box: a title, its value, and its adjoint if it can have one."""
    if node["number"]:
        return max(34.0, len(node["name"][:LONGEST]) * 8.5 + 2 * MARGIN), 28
    name = node["name"] if node["called"] == node["name"] else f"{node['called']} = {node['name']}"
    title = len(name[:LONGEST]) + (len(node["symbol"][:LONGEST]) + 2 if "symbol" in node else 0)
    characters = max(title, longest + 6)
    return characters * CHARACTER + 2 * MARGIN, (3 if node["moving"] else 2) * LINE + MARGIN
