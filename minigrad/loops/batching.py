"""Apply an operation to many examples at once, for `vmap`: one rule for each kind of operation.

Each input of an operation either has one axis more, the first, along which the examples lie (where `many` says so),
or is the same for all of them. The result has that first axis. Most rules say which axes are meant now: a sum over
axis 0 of one example is a sum over axis 1 of all. What has no rule here, such as a convolution, is computed example by
example, and stacked.

(A table of such rules is what vectorizes programs in JAX, too: Frostig, Johnson and Leary, "Compiling machine learning
programs via high-level tracing", 2018.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.core.arrays import Array
from minigrad.core.operation import Operation
from minigrad.core.rules import where
from minigrad.like_numpy.linalg import Solve
from minigrad.like_numpy.order import ArgMax, ArgSort, CumSum
from minigrad.ops.along import AddAlong, TakeAlong
from minigrad.ops.loss import CrossEntropySlope, SoftmaxCrossEntropy
from minigrad.ops.matmul import Matmul
from minigrad.ops.reduce import Reduction, log_softmax, mean
from minigrad.ops.shape import (
    BroadcastTo,
    Cast,
    Concatenate,
    Index,
    Reshape,
    Scatter,
    Transpose,
    array_like,
    broadcast_to,
    expand_dims,
    reshape,
    shape_of,
    stack,
    transpose,
)


def of_many(op: Operation, n: int, many: Sequence[bool], *inputs: Array) -> Array:
    """The values of `op` for n examples, along a first axis. many: which inputs have that axis.

    An operation of your own gets a rule by `RULES[Own] = rule`; without one each example is computed by itself.
    """
    if op.elementwise:
        return op(*_lined_up(many, inputs))
    for kind, rule in RULES.items():
        if isinstance(op, kind):
            return rule(op, n, many, *inputs)
    if n == 0:
        raise ValueError(
            f"{op.name} is computed example by example, and there are none: what shape it has for one is not known. "
            "Give vmap at least one example"
        )
    return stack([op(*(x[k] if own else x for x, own in zip(inputs, many, strict=True))) for k in range(n)])


def _lined_up(many: Sequence[bool], inputs: Sequence[Any]) -> list[Any]:
    """The inputs with as many axes behind the first as the longest has, so that they broadcast example by example."""
    rank = max(len(shape_of(x)) - own for x, own in zip(inputs, many, strict=True))
    shapes = [shape_of(x) for x in inputs]
    return [
        reshape(x, (shape[0], *(1,) * (rank + 1 - len(shape)), *shape[1:])) if own else x
        for x, shape, own in zip(inputs, shapes, many, strict=True)
    ]


def _all_own(n: int, many: Sequence[bool], inputs: Sequence[Any]) -> list[Any]:
    """The inputs, of which each example has its own."""
    return [x if own else broadcast_to(array_like(x), (n, *shape_of(x))) for x, own in zip(inputs, many, strict=True)]


def _spread(op: BroadcastTo, n: int, many: Sequence[bool], a: Array) -> Array:
    own = shape_of(a)[1:]
    return broadcast_to(reshape(a, (n, *(1,) * (len(op.shape) - len(own)), *own)), (n, *op.shape))


def _indexed(op: Index, n: int, many: Sequence[bool], a: Array) -> Array:
    if op.copies:  # with several arrays in a key, where the examples would come out is a matter of its own
        shape = shape_of(a)[1:]
        return Index((slice(None), op.places(shape)))(reshape(a, (n, math.prod(shape))))
    return Index(_behind(op.key))(a)


def _scattered(op: Scatter, n: int, many: Sequence[bool], a: Array) -> Array:
    if op.index.copies:
        result = Scatter((slice(None), op.index.places(op.shape)), (n, math.prod(op.shape)))(a)
        return reshape(result, (n, *op.shape))
    return Scatter(_behind(op.key), (n, *op.shape))(a)


def _behind(key: object) -> tuple[Any, ...]:
    return (slice(None), *(key if isinstance(key, tuple) else (key,)))


def _product(op: Matmul, n: int, many: Sequence[bool], a: Array, b: Array) -> Array:
    left, right = shape_of(a), shape_of(b)
    if not many[1] and len(right) == 2:  # the rows of all examples, one below the other, are one matrix
        return reshape(op(reshape(a, (math.prod(left[:-1]), left[-1])), b), (*left[:-1], right[-1]))
    if not many[0] and len(left) == 2 and len(right) == 3 and right[-1] == 1:  # vectors, which may as well be rows
        return reshape(op(reshape(b, right[:-1]), transpose(a)), (n, left[0], 1))
    return op(*_lined_up(many, (a, b)))


def _cross_entropy(op: SoftmaxCrossEntropy, n: int, many: Sequence[bool], logits: Array, labels: Array) -> Array:
    logits, labels = _all_own(n, many, (logits, labels))
    places = where(labels < 0, shape_of(logits)[-1], labels)  # a place below 0 would count from the end
    return -mean(TakeAlong()(log_softmax(logits), expand_dims(places, -1)), (1, 2))


def _slope(op: CrossEntropySlope, n: int, many: Sequence[bool], logits: Array, labels: Array) -> Array:
    logits, labels = _all_own(n, many, (logits, labels))
    rows = math.prod(shape_of(labels))
    result = op(reshape(logits, (rows, shape_of(logits)[-1])), reshape(labels, (rows,)))
    return reshape(result, shape_of(logits)) * n  # each is a mean over its own rows, and not over all


RULES: dict[Any, Callable[..., Array]] = {
    # What works on the last axes, or on no axis in particular, does for many what it does for one.
    Cast | CumSum | ArgSort | ArgMax | TakeAlong | AddAlong | Solve:
        lambda op, n, many, *inputs: op(*_all_own(n, many, inputs)),
    Reshape: lambda op, n, many, a: reshape(a, (n, *op.shape)),
    Transpose: lambda op, n, many, a: transpose(a, (0, *(k + 1 for k in op.axes))),
    Concatenate: lambda op, n, many, *inputs: Concatenate(op.axis + 1)(*_all_own(n, many, inputs)),
    Reduction: lambda op, n, many, a: type(op)(tuple(k + 1 for k in op.axes), op.keepdims)(a),
    BroadcastTo: _spread, Index: _indexed, Scatter: _scattered, Matmul: _product,
    SoftmaxCrossEntropy: _cross_entropy, CrossEntropySlope: _slope,
}  # fmt: skip
