"""The backward pass one share at a time, correct or with a rule left out, for `explore` to step through.

A share is what one node passes to one of its inputs: adjoint times partial derivative. The walk is actually computed,
with the operations' own vjp, so a broken walk shows the wrong numbers that such a program would compute.

A number is reported at the moment it goes wrong. The correct walk knows every share, so a sum is right as long as it is
the sum of the correct shares that have arrived.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.fit import fit
from minigrad.core.graph import Node
from minigrad_course import short
from minigrad_course.viz.explore.record import Record

DIGITS = 4  # of a number
MOST_ENTRIES = 64  # of an array that is written out


@dataclass(frozen=True)
class Rules:
    """The three rules of a backward pass; False leaves one out."""

    order: bool = True  # a node passes on its adjoint only after all of its shares have arrived
    add: bool = True  # shares add up: += and not =
    reset: bool = True  # a new walk starts from zero


@dataclass(frozen=True)
class Share:
    """An arrow, walked backwards: the share that `source` passes to its input number `place`."""

    source: Node
    place: int

    @property
    def target(self) -> Node:
        return self.source.inputs[self.place]


@dataclass(frozen=True)
class Event:
    """One line of the reverse program, carried out.

    kind: "reset", "seed", "share" or "done" (a row of the Jacobian is complete). number: of the walk. adjoint: of the
    share's source. amount: the share. after: the adjoint of `node` from now on. wrong: "" or an explanation of the
    error.
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
    """Return the shares on all paths that lead to an input."""
    moving = record.moving
    return [Share(node, i) for node in record.nodes if node in moving for i, x in enumerate(node.inputs) if x in moving]


class Truth:
    """The correct shares of a walk from each output, and the adjoints they add up to."""

    def __init__(self, record: Record):
        self.shares = {output: _right_shares(record, output) for output in dict.fromkeys(record.outputs)}
        self.adjoints = {output: _added_up(output, shares) for output, shares in self.shares.items()}


def walks(record: Record, rules: Rules, truth: Truth | None = None) -> list[Event]:
    """Walk back once for each output; without the reset, twice for a single output, so that something is left over."""
    truth = truth or Truth(record)
    outputs = list(record.outputs) * (1 if rules.reset or len(record.outputs) > 1 else 2)
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
    """Explain why a share, or the sum it was added to, is wrong; "" if it is right.

    source: the adjoint passed on, its final value, and the part that had arrived. target: the adjoint before and
    afterwards, and the sum of the correct shares that have arrived.
    """
    has, final, arrived = source
    before, after, right = target
    node, x = names[share.source], names[share.target]
    if not same(has, final):
        if not rules.order and same(has, arrived):
            return f"{node} did not wait for the rest of its adjoint, which is {number(final)}"
        return f"the adjoint of {node} is {number(has)} already, and not {number(final)}"
    if same(after, right):
        return ""
    if not rules.add:
        return f"the {number(before)} that had arrived before is lost"
    if not rules.reset:
        return f"added to the {number(before)} that was left by the walk before"
    return f"an earlier share of {x} was wrong"


def number(x: ArrayLike) -> str:
    """Format a number in at most DIGITS digits, or an array by its entries, as all views show it.

    An array of more than MOST_ENTRIES, or of more than two axes, is described in a few words.
    """
    array = np.asarray(x)
    if array.ndim == 0:
        return short.number(array.item(), DIGITS)
    if array.dtype.kind == "f" and 0 < array.size <= MOST_ENTRIES and array.ndim <= 2:
        entries = np.vectorize(lambda entry: short.number(entry, 3), otypes=[object])(array)
        return str(entries.tolist()).replace("'", "")
    return short.value(array)


def _passed_on(node: Node, adjoint: Array, record: Record) -> list[tuple[int, Any]]:
    """Return (input number, share) for each input of `node` that receives a share."""
    if node.op is None:
        return []
    needed = [i for i, x in enumerate(node.inputs) if x in record.moving]
    shares = node.op.pullback(needed, adjoint, node._value, *(x._value for x in node.inputs))
    return [(i, np.asarray(fit(a, node.inputs[i]))) for i, a in zip(needed, shares, strict=True) if a is not None]


def _right_shares(record: Record, output: Node) -> dict[Share, Any]:
    """Compute every share of a correct walk."""
    adjoint: dict[Node, Any] = {output: np.ones(output.shape)}
    amounts = {}
    for node in record.backwards(output):
        if node in adjoint:
            for i, amount in _passed_on(node, adjoint[node], record):
                x = node.inputs[i]
                amounts[Share(node, i)] = amount
                adjoint[x] = adjoint[x] + amount if x in adjoint else amount
    return amounts


def _added_up(output: Node, shares: dict[Share, Any]) -> dict[Node, Any]:
    adjoint: dict[Node, Any] = {output: np.ones(output.shape)}
    for share, amount in shares.items():
        adjoint[share.target] = adjoint[share.target] + amount if share.target in adjoint else amount
    return adjoint


def same(a: Array, b: Array) -> bool:
    """Tell whether two numbers or arrays agree up to rounding."""
    if np.ndim(a) == np.ndim(b) == 0:
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12) or (a != a and b != b)
    return np.allclose(a, b, rtol=1e-6, atol=1e-12, equal_nan=True)
