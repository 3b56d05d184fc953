"""Pickles and copies of nodes. What a node leads to comes before it, so that a chain of any length does not recurse."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from minigrad.core import node as nodes
from minigrad.core.node import Node, is_view


class _Copying(threading.local):
    """In each thread: the nodes that are being pickled or copied."""

    def __init__(self) -> None:
        self.nodes: set[Node] = set()


_copying = _Copying()


class _Before:
    """The nodes that a node leads to, inputs first: a list in its pickle, so that a long chain does not recurse.

    It lives as long as the pickler that has met it, which does not need these nodes again.
    """

    def __init__(self, node: Node):
        self.order: list[Node] = []
        self.met, seen, stack = _copying.nodes, set[Node](), [(node, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                self.order.append(node)
            elif node not in seen and node not in self.met:
                seen.add(node)
                stack += [(node, True), *((x, False) for x in (*node.inputs, *node.adjoint_of))]
        self.met |= seen

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (), None, iter(self.order)

    def __del__(self) -> None:
        self.met.difference_update(self.order)


def _reduced(self: Node, protocol: object) -> Any:
    """Pickle or copy what the node leads to first; and no numbers of a view, so that it is a view again."""
    reduced: Any = object.__reduce_ex__(self, 2)
    make, arguments, (_, slots) = reduced[:3]
    if is_view(self):
        del slots["_value"]
    if self not in _copying.nodes:
        slots = {"_before": _Before(self), **slots}
    return make, arguments, (None, slots)


def _restore(self: Node, state: tuple[None, dict[str, Any]]) -> None:
    """Restore a pickled or copied node; only its moment is new, because it counts in this process."""
    state[1].pop("_before", None)
    for slot, content in state[1].items():
        setattr(self, slot, content)
    if "_value" not in state[1]:  # of a view
        assert self.op is not None
        self._value = np.asarray(self.op.value(*(x._value for x in self.inputs)))
    self.moment = nodes._changes


Node.__reduce_ex__ = _reduced  # type: ignore[assignment]
Node.__setstate__ = _restore  # type: ignore[attr-defined]
