"""Operators whose value is computed when somebody asks for it: a graph that is only compiled needs shapes and dtypes.

with override(postponing, postpone):
    graph = build()  # computes nothing
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core.graph import topological_order
from minigrad.core.node import Node, Operator
from minigrad.core.operation import Operation, evaluate

_slot: Any = vars(Node)["_value"]  # holds a node's value, or an array like it


class _Operator(Operator):
    """An operator with an array like its value, until somebody asks for the value."""

    __slots__ = ()
    shape = property(lambda self: _slot.__get__(self).shape)
    dtype = property(lambda self: _slot.__get__(self).dtype)
    _value = property(lambda self: _computed(self)._value, _slot.__set__)  # type: ignore[assignment]

    def __repr__(self) -> str:
        return Node.__repr__(_computed(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _computed(self).__reduce_ex__(protocol)


def _computed(operator: Node) -> Node:
    """Compute a postponed value, and those that it depends on: each becomes an operator like any other."""
    for node in topological_order(operator):
        if isinstance(node, _Operator):
            assert node.op is not None
            value = np.asarray(evaluate(node.op, [x._value for x in node.inputs], node.line))
            node.__class__ = Operator  # type: ignore[assignment]
            node._value = value
    return operator


def postpone(operator: Operator) -> np.ndarray | None:
    """Put off a new operator's value, and return an array like it; None if the value is to be computed now."""
    op = operator.op
    assert op is not None
    known = all(not isinstance(node, _Operator) for node in operator.inputs)
    if type(op).blank is Operation.blank and (known or not type(op).__module__.startswith("minigrad.")):
        return None
    with np.errstate(all="ignore"):
        try:
            blank = np.asarray(op.blank(*map(_slot.__get__, operator.inputs)))
        except Exception:  # for the arrays' sake, or for that of the values, which will say so
            return None
    operator.__class__ = _Operator  # type: ignore[assignment]
    return blank
