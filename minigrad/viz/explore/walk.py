"""The walk back, one share at a time, right or with a rule left out: what `explore` steps through.

A share is what one node passes on to one of its inputs: adjoint times partial derivative. The walk is really made, with
the operations' own vjp, so that the wrong numbers of a broken walk are what such a program would compute. (`walk_back` in
stepper.py tells the same story node by node, for single numbers.)

What makes a number wrong is told at the moment it goes wrong. The right walk knows every share; so a sum is right as
long as it is the sum of the right shares that have arrived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.graph import Node
from minigrad.ops.shape import fit
from minigrad.viz.explore.record import Record


@dataclass(frozen=True)
class Rules:
    """The three rules of a walk back; False leaves one out."""

    order: bool = True  # a node passes on what it has only after all of it has arrived
    add: bool = True  # shares add up: += and not =
    reset: bool = True  # a new walk starts from zero


@dataclass(frozen=True)
class Share:
    """An arrow, walked backwards: what `source` passes on to its input number `place`."""

    source: Node
    place: int

    @property
    def target(self) -> Node:
        return self.source.inputs[self.place]


@dataclass(frozen=True)
class Event:
    """One line of the reverse program, carried out.

    kind: "reset", "seed", "share" or "done" (a row of the Jacobian is there). number: which walk it belongs to.
    adjoint: what the share was made from. amount: the share. after: the adjoint of `node` from now on.
    wrong: "" or why the number is wrong, in words.
    """

    kind: str
    number: int
    node: Node
    share: Share | None = None
    adjoint: Any = None
    amount: Any = None
    after: Any = None
    wrong: str = ""


def shares(record: Record) -> list[Share]:
    """Every way back that matters: those that lead to an input."""
    moving = record.moving
    return [Share(node, i) for node in record.nodes if node in moving for i, x in enumerate(node.inputs) if x in moving]


def walks(record: Record, rules: Rules) -> list[Event]:
    """One walk for each output; of a single output two where the reset is left out, or nothing would be left over."""
    outputs = list(record.outputs)
    if not rules.reset and len(outputs) == 1:
        outputs *= 2
    events: list[Event] = []
    adjoint: dict[Node, Any] = {}
    for number, output in enumerate(outputs):
        if rules.reset:
            adjoint = {}
            events.append(Event("reset", number, output))
        events += _walk(record, output, number, rules, adjoint)
    return events


def _walk(record: Record, output: Node, number: int, rules: Rules, adjoint: dict[Node, Any]) -> Iterator[Event]:
    right = _right_shares(record, output)
    arrived: dict[Node, Any] = {node: np.zeros(node.shape) for node in record.nodes}
    final = {node: sum((right[s] for s in right if s.target is node), np.zeros(node.shape)) for node in record.nodes}
    names = record.names
    if output not in record.moving:
        yield Event("done", number, output)
        return
    final[output] = arrived[output] = np.ones(output.shape)
    adjoint[output] = np.ones(output.shape)
    yield Event("seed", number, output, after=adjoint[output])
    for node in record.backwards(output) if rules.order else record.as_reached(output):
        has = adjoint.get(node)
        if has is None:
            continue
        for i, amount in _passed_on(node, has, record):
            share = Share(node, i)
            x = share.target
            before = adjoint.get(x)
            arrived[x] = arrived[x] + right.get(share, 0.0)
            adjoint[x] = amount if before is None or not rules.add else before + amount
            wrong = ""
            if not _same(has, final[node]):
                waits = not rules.order and not _same(arrived[node], final[node])
                wrong = f"{names[node]} did not wait for the rest of its adjoint" if waits else (
                    f"the adjoint of {names[node]} is wrong already"
                )  # fmt: skip
            elif not _same(adjoint[x], arrived[x]):
                left_over = rules.add and not rules.reset
                wrong = "added to what the walk before had left" if left_over else "what had arrived before is lost"
                if rules.add and rules.reset:
                    wrong = f"an earlier share of {names[x]} was wrong"
            yield Event("share", number, x, share, has, amount, adjoint[x], wrong)
    wrong = any(not _same(adjoint.get(x, np.zeros(x.shape)), final[x]) for x in record.inputs)
    yield Event("done", number, output, wrong="not the derivatives" if wrong else "")


def _passed_on(node: Node, adjoint: Any, record: Record) -> list[tuple[int, Any]]:
    """(which input, share) for each input of `node` that anything flows back to."""
    if node.op is None:
        return []
    needed = [i for i, x in enumerate(node.inputs) if x in record.moving]
    found = node.op.pullback(needed, adjoint, node._value, *(x._value for x in node.inputs))
    return [(i, np.asarray(fit(a, node.inputs[i]))) for i, a in zip(needed, found, strict=True) if a is not None]


def _right_shares(record: Record, output: Node) -> dict[Share, Any]:
    """What every share is in a walk that keeps all rules."""
    adjoint: dict[Node, Any] = {output: np.ones(output.shape)}
    found = {}
    for node in record.backwards(output):
        if node in adjoint:
            for i, amount in _passed_on(node, adjoint[node], record):
                x = node.inputs[i]
                found[Share(node, i)] = amount
                adjoint[x] = adjoint[x] + amount if x in adjoint else amount
    return found


def _same(a: Any, b: Any) -> bool:
    return np.allclose(a, b, rtol=1e-6, atol=1e-12, equal_nan=True)


def jacobian(record: Record, events: Sequence[Event]) -> list[list[Any]]:
    """The adjoints of the inputs at the end of each walk: one row for each output, the last walk's if there are two."""
    rows: dict[Node, list[Any]] = {}
    adjoint: dict[Node, Any] = {}
    for event in events:
        if event.kind == "reset":
            adjoint = {}
        elif event.kind == "done":
            rows[event.node] = [adjoint.get(x, np.zeros(x.shape)) for x in record.inputs]
        else:
            adjoint[event.node] = event.after
    return list(rows.values())
