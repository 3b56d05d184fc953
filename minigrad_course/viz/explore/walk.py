"""The walk back, one share at a time, right or with a rule left out: what `explore` steps through.

A share is what one node passes on to one of its inputs: adjoint times partial derivative. The walk is really made,
with the operations' own vjp, so that the wrong numbers of a broken walk are what such a program would compute.
(`walk_back` in walk_back.py tells such a walk node by node, for single numbers.)

What makes a number wrong is told at the moment it goes wrong. The right walk knows every share; so a sum is right as
long as it is the sum of the right shares that have arrived.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.graph import Node
from minigrad.ops.shape import fit
from minigrad_course.trace import short
from minigrad_course.viz.explore.record import Record


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


class Truth:
    """What is right: for each output all shares of a walk that keeps the rules, and the adjoints they add up to."""

    def __init__(self, record: Record):
        self.shares = {output: _right_shares(record, output) for output in dict.fromkeys(record.outputs)}
        self.adjoints = {output: _added_up(output, found) for output, found in self.shares.items()}


def walks(record: Record, rules: Rules, truth: Truth | None = None, passes: int = 0) -> list[Event]:
    """One walk for each output; of a single output two where the reset is left out, or nothing would be left over.

    passes: how many walks instead, if it is said.
    """
    truth = truth or Truth(record)
    outputs = list(record.outputs) * (passes or (1 if rules.reset or len(record.outputs) > 1 else 2))
    events: list[Event] = []
    adjoint: dict[Node, Any] = {}
    for number, output in enumerate(outputs):
        if rules.reset:
            adjoint = {}
            events.append(Event("reset", number, output))
        events += _walk(record, output, number, rules, adjoint, truth)
    return events


def _walk(
    record: Record, output: Node, number: int, rules: Rules, adjoint: dict[Node, Any], truth: Truth
) -> Iterator[Event]:
    if output not in record.moving:
        yield Event("done", number, output)
        return
    right, final, names = truth.shares[output], truth.adjoints[output], record.names
    adjoint[output] = np.ones(output.shape)
    arrived = {output: np.ones(output.shape)}
    yield Event("seed", number, output, after=adjoint[output])
    for node in record.backwards(output) if rules.order else record.as_reached(output):
        has = adjoint.get(node)
        if has is None:
            continue
        for i, amount in _passed_on(node, has, record):
            share = Share(node, i)
            x = share.target
            before = adjoint.get(x)
            arrived[x] = arrived.get(x, np.zeros(x.shape)) + right.get(share, 0.0)
            adjoint[x] = amount if before is None or not rules.add else before + amount
            before = np.zeros(x.shape) if before is None else before
            wrong = _wrong(rules, names, share, (has, final[node], arrived[node]), (before, adjoint[x], arrived[x]))
            yield Event("share", number, x, share, has, amount, adjoint[x], wrong)
    ends = [(adjoint.get(x, np.zeros(x.shape)), final.get(x, np.zeros(x.shape))) for x in record.inputs]
    yield Event("done", number, output, wrong="" if all(same(*pair) for pair in ends) else "not the derivatives")


def _wrong(rules: Rules, names: dict[Node, str], share: Share, source: tuple[Any, ...], target: tuple[Any, ...]) -> str:
    """Why a share, or the sum that it made, is wrong, in words; "" if nothing is.

    source: the adjoint that was passed on, what it is in the end, and what of it had arrived. target: the adjoint
    before, afterwards, and the sum of the right shares that have arrived.
    """
    has, final, there = source
    before, after, right = target
    node, x = names[share.source], names[share.target]
    if not same(has, final):
        if not rules.order and same(has, there):
            return f"{node} did not wait for the rest of its adjoint, which is {number(final)}"
        return f"the adjoint of {node} is {number(has)} already, and not {number(final)}"
    if same(after, right):
        return ""
    if not rules.add:
        return f"the {number(before)} that had arrived before is lost"
    if not rules.reset:
        return f"added to the {number(before)} that was left by the walk before"
    return f"an earlier share of {x} was wrong"


def number(x: Any) -> str:
    """A number, or a few words about an array, as all views show it."""
    array = np.asarray(x)
    return short.number(array.item()) if array.ndim == 0 else short.value(array)


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


def _added_up(output: Node, shares: dict[Share, Any]) -> dict[Node, Any]:
    adjoint: dict[Node, Any] = {output: np.ones(output.shape)}
    for share, amount in shares.items():
        adjoint[share.target] = adjoint[share.target] + amount if share.target in adjoint else amount
    return adjoint


def same(a: Any, b: Any) -> bool:
    """Whether two numbers or arrays agree but for rounding."""
    if np.ndim(a) == np.ndim(b) == 0:
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12) or (a != a and b != b)
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
