"""Find how long each number of a walk is needed, and which numbers can share a buffer.

A value is needed until it is read for the last time, forward or backward; an adjoint until it has been passed on. Then
its buffer is free for the next number of the same size.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.core.graph import Node
from minigrad.core.rules import Rule
from minigrad_course import short
from minigrad_course.viz.explore.record import Record
from minigrad_course.viz.explore.walk import Event
from minigrad_course.viz.pictures_of_programs import packed


@dataclass
class Life:
    """The lifetime of a number: from the step that first writes it to the step that last reads it."""

    what: str  # "value" or "adjoint"
    node: Node
    first: int
    last: int
    row: int = -1  # the buffer it lies in

    @property
    def bytes(self) -> int:
        return self.node._value.nbytes


def lives(record: Record, forward: Sequence[Node], events: Sequence[Event]) -> list[Life]:
    """Compute each number's lifetime. Step 0 has the inputs, step k runs forward[k - 1]; the events follow."""
    alive = {("value", x): Life("value", x, 0, 0) for x in record.inputs}
    last = len(forward) + len(events)
    for step, node in enumerate(forward, 1):
        alive["value", node] = Life("value", node, step, step)
        for x in node.inputs:
            if ("value", x) in alive:
                alive["value", x].last = step
    done: list[Life] = []
    for step, event in enumerate(events, len(forward) + 1):
        if event.kind == "reset":
            done += [alive.pop(key) for key in list(alive) if key[0] == "adjoint"]
        elif event.kind == "done":
            for x in record.inputs:
                if ("adjoint", x) in alive:
                    alive["adjoint", x].last = step
        else:
            life = alive.setdefault(("adjoint", event.node), Life("adjoint", event.node, step, step))
            life.last = step
            if event.share is not None:
                alive["adjoint", event.share.source].last = step
                for x in _values_read(event, record):
                    if ("value", x) in alive:
                        alive["value", x].last = step
    for y in record.outputs:
        if ("value", y) in alive:
            alive["value", y].last = last
    return sorted(packed([*done, *alive.values()]), key=lambda life: (life.row, life.first))


def _values_read(event: Event, record: Record) -> list[Node]:
    """Return the nodes whose values a share is made from."""
    assert event.share is not None
    source = event.share.source
    template = record.equations[1][source, event.share.place].template
    if not isinstance(source.op, Rule) or template is None:
        return [source, *source.inputs]
    nodes = {"v": source, **dict(zip(source.op.inputs, source.inputs, strict=True))}
    read = {part.id for part in ast.walk(template) if isinstance(part, ast.Name)}
    return [node for name, node in nodes.items() if name in read and not short.is_literal(node)]
