"""Arrays that `node.value` returned to somebody who may write to them: no derivative is to mix old and new numbers.

The bytes of an array are kept when it goes out, and compared when its node is used next, for as long as somebody holds
it. Where nobody has asked for an array, nothing is done.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.core.arrays import Node

lent: dict[int, tuple[weakref.ref[Any], bytes]] = {}  # by id: the node, and the bytes of its array when it went out


def lend(node: Node) -> None:
    """Keep the bytes of a node's array."""
    while node.op is not None and (of := [x for x in node.inputs if np.may_share_memory(node._value, x._value)]):
        node = of[0]  # a view's numbers are those of its input
    if (key := id(node)) not in lent:
        lent[key] = weakref.ref(node, lambda _: lent.pop(key, None)), node._value.tobytes()


def settle(nodes: Iterable[Any], recomputed: bool = False) -> None:
    """Note what was written to arrays of these nodes from outside.

    A leaf counts as changed; a result that was written to is refused, unless it has been `recomputed` since.
    """
    for node in {node for node in nodes if id(node) in lent}:
        written = node._value.tobytes() != lent[id(node)][1] and not recomputed
        if written and node.op is not None:
            at = f" (at {node.line})" if node.line else ""
            raise RuntimeError(
                f"the value of {node.op.name}{at} was written to after it had been computed, and no derivative belongs "
                "to that. Write to a copy: y = node.value.copy()"
            )
        del lent[id(node)]
        if written:
            node.changed()
        if _references(node) > _references(_OWNER if node._value.base is None else _VIEW):  # somebody has it still
            lend(node)


def _references(node: Any) -> int:
    """Count the references to a node's array, and to the one whose memory it shows."""
    base = 0 if node._value.base is None else sys.getrefcount(node._value.base)
    return sys.getrefcount(node._value) + base


_OWNER, _VIEW = SimpleNamespace(_value=np.zeros(1)), SimpleNamespace(_value=np.zeros(2)[:1])  # nobody else has these
