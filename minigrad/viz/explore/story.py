"""All that the browser is told about a record, once, as one JSON object: from here on nobody asks Python again.

The eight walks (each of the three rules kept or left out) are all made here and sent along, so that a switch in the
browser acts at once. In formulas ⟨x⟩ stands for the adjoint of x.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np

from minigrad.graph import Constant, Node, Variable
from minigrad.viz.explore.buffers import lives
from minigrad.viz.explore.layout import layout
from minigrad.viz.explore.program import (
    filled,
    forward_formula,
    forward_line,
    identifiers,
    is_number,
    node_at,
    share_formula,
)
from minigrad.viz.explore.record import Record
from minigrad.viz.explore.walk import Event, Rules, Share, Truth, number, same, shares, walks

KINDS = ("reset", "seed", "share", "done")
CHARACTER, LINE, MARGIN = 7.2, 16, 8  # pixels
LONGEST = 16  # characters of a name or a number in a box


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
    kind = "input" if node in record.inputs else "constant" if isinstance(node, Constant) else "operator"
    if isinstance(node, Variable) and kind != "input":
        kind = "constant"
    told = {
        "name": record.names[node],
        "kind": kind,
        "value": number(node._value),
        "shape": list(node.shape),
        "line": record.line(node),
        "inputs": [place[x] for x in node.inputs],
        "number": is_number(node),
        "moving": node in record.moving,
    }
    if node.op is not None:
        formula = forward_formula(node)
        told |= {
            "symbol": node.op.symbol or node.op.name,
            "formula": filled(formula, lambda p: _bracketed(record.names[node_at(p, node)])),
            "numbers": _numbers(formula, lambda p: node_at(p, node)._value, node.inputs),
            "code": forward_line(node, called),
        }
    return told


def _bracketed(name: str) -> str:
    return f"({name})" if name.startswith("-") else name


def _numbers(formula: str, value: Any, nodes: Any) -> str:
    """The formula with numbers put in; empty where they are arrays, or where there is nothing to compute."""
    if any(node.shape for node in nodes):
        return ""
    return re.sub(r"\((\(-[^()]*\))\)", r"\1", filled(formula, lambda p: _bracketed(number(value(p)))))


def _share(share: Share, record: Record, place: dict[Node, int], called: dict[Node, str]) -> dict[str, Any]:
    source, formula = share.source, share_formula(share)

    def put(p: str) -> str:
        return f"⟨{record.names[source]}⟩" if p == "adjoint_" else _bracketed(record.names[node_at(p, source)])

    def code(p: str) -> str:
        return f"{called[source]}_bar" if p == "adjoint_" else called[node_at(p, source)]

    return {
        "from": place[source],
        "to": place[share.target],
        "formula": filled(formula, put),
        "code": [f"{called[share.target]}_bar", filled(formula, code)],
    }


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
            share, source = event.share, event.share.source

            def value(p: str, source: Node = source, has: Any = event.adjoint) -> Any:
                return has if p == "adjoint_" else node_at(p, source)._value

            told[3] = way[share]
            told[4] = _numbers(share_formula(share), value, [source, *source.inputs])
            told[5] = number(event.amount)
        rows.append(told)
    return rows


def _size(node: dict[str, Any], longest: int) -> tuple[float, float]:
    """Width and height of a node's box: a title, its value, and its adjoint if it can have one."""
    if node["number"]:
        return max(34.0, len(node["name"][:LONGEST]) * 8.5 + 2 * MARGIN), 28
    title = len(node["name"][:LONGEST]) + (len(node["symbol"][:LONGEST]) + 2 if "symbol" in node else 0)
    characters = max(title, longest + 6)
    return characters * CHARACTER + 2 * MARGIN, (3 if node["moving"] else 2) * LINE + MARGIN
