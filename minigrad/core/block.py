"""The part of a program that makes a node: its layer, its step of a loop, forward or backward.

    with block("step", t):
        h = tanh(x[t] @ w + h @ u)      # these nodes belong to step t

Layers do this by themselves. Nothing is computed differently; pictures fold by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(eq=False, repr=False, slots=True)
class Block:
    """A part of a running program: a layer, a step of a loop, a backward pass. Run again, it is another block."""

    name: str
    kind: str
    number: int | None = None
    outer: Block | None = None
    sizes: str | None = None

    def __repr__(self) -> str:
        outer = f"{self.outer!r} / " if self.outer else ""
        return f"{outer}{self.name}{'' if self.number is None else f' {self.number}'}"


BACKWARD = "backward pass"  # the kind of block that holds the reverse part of a graph

current: ContextVar[Block | None] = ContextVar("current", default=None)


@contextmanager
def override(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Inside, the variable has this value; afterwards the one from before."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


@contextmanager
def block(name: str, number: int | None = None, kind: str = "", sizes: str | None = None) -> Iterator[None]:
    """Group the nodes made inside: `mg.draw` frames them, and can show them as one box.

    name: of the part, such as "encoder". number: of a repeated part, such as a step of a loop. kind: such as "RNN"; by
    default the name. sizes: of a layer, such as "784 to 300".
    """
    with override(current, Block(name, kind or name, number, current.get(), sizes)):
        yield


def backward_block(forward: Block, known: dict[Block | None, Block]) -> Block:
    """Return the block of the same name in a backward pass. known: those of this pass; for None that of the pass."""
    if forward not in known:
        outer = known[None] if forward.outer is None else backward_block(forward.outer, known)
        again = forward.kind == BACKWARD  # the derivative of a derivative is no pass within a pass
        known[forward] = outer if again else Block(forward.name, forward.kind, forward.number, outer, forward.sizes)
    return known[forward]
