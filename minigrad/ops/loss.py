"""Losses: the cross-entropy of classes as one stable operation; that of yes and no, and the mean squared error."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.operation import Operation
from minigrad.ops.reduce import mean, softmax, sum
from minigrad.ops.shape import array_like, cast, dtype_of, floats, shape_of
from minigrad.ops.workspace import float_dtype


class _OfLabels(Operation):
    """An operation on logits (n, classes) that looks up one of each row: labels (n,) are integers below `classes`."""

    def demand(self, logits: np.ndarray, labels: np.ndarray) -> None:
        """Raise the error for the first label out of range."""
        classes = logits.shape[1]
        if labels.size and not (labels.min() >= 0 and labels.max() < classes):
            row = int(np.argmax((labels < 0) | (labels >= classes)))
            raise self.outside(1, int(labels[row]), row, logits, labels)

    def limits(self, i: int, logits: Array, labels: Array) -> tuple[int, int] | None:
        return (0, shape_of(logits)[1] - 1) if i == 1 else None

    def outside(self, i: int, number: int, row: int, logits: ArrayLike, labels: ArrayLike) -> Exception:
        classes = shape_of(logits)[1]
        return ValueError(
            f"The label in row {row} is {number}. Labels are integers from 0 to {classes - 1}, because the logits have "
            f"{classes} columns"
        )


class SoftmaxCrossEntropy(_OfLabels):
    """The mean over rows of -log softmax(logits)[label]: logits (n, classes), labels (n,) integers.

    Fused, because apart it fails: softmax rounds to 0 and its logarithm is infinite. Together it is
    log(sum(exp(z - max z))) - (z[label] - max z), and its derivative is (softmax - one_hot) / n.
    """

    name = "softmax_cross_entropy"
    symbol = "cross-entropy"

    def value(self, logits: np.ndarray, labels: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        self.demand(logits, labels)
        out = np.empty((), logits.dtype) if out is None else out
        out[()] = _kernels().cross_entropy(logits, labels)
        return out

    def blank(self, logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
        self.demand(logits, labels)
        return np.empty((), logits.dtype)

    def jvp(self, i: int, tangent: Array, v: Array, logits: Array, labels: Array) -> Array | None:
        return sum(tangent * CrossEntropySlope()(logits, labels)) if i == 0 else None

    def vjp(self, i: int, adjoint: Array, v: Array, logits: Array, labels: Array) -> Array | None:
        return adjoint * CrossEntropySlope()(logits, labels) if i == 0 else None

    def lower(self, to: Lowering, node: Node, logits: Value, labels: Value) -> Value:
        return to.call(node, "cross_entropy", [to.cast(logits, node.dtype), labels])


class CrossEntropySlope(_OfLabels):
    """(softmax(logits) - one_hot(labels)) / n: the derivative of the cross-entropy by its logits.

    Its own derivative is the softmax's, which is symmetric: with p the softmax, t goes to p (t - sum(p t)) / n.
    """

    name = "cross_entropy_slope"
    symbol = "softmax - 1 at the label"

    def value(self, logits: np.ndarray, labels: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        self.demand(logits, labels)
        out = np.empty(logits.shape, logits.dtype) if out is None else out
        _kernels().cross_entropy_slope(logits, labels, out)
        return out

    def blank(self, logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
        self.demand(logits, labels)
        return np.empty(logits.shape, logits.dtype)

    def jvp(self, i: int, tangent: Array, v: Array, logits: Array, labels: Array) -> Array | None:
        if i != 0:
            return None
        p = softmax(logits)
        return p * (tangent - sum(p * tangent, -1, keepdims=True)) / shape_of(logits)[0]

    vjp = jvp  # type: ignore[assignment]

    def lower(self, to: Lowering, node: Node, logits: Value, labels: Value) -> Value:
        return to.call(node, "cross_entropy_slope", [logits, labels])


def _kernels() -> ModuleType:
    from minigrad.native import kernels  # brings numba: only where a loss is computed

    return kernels


def softmax_cross_entropy(logits: ArrayLike, labels: ArrayLike) -> Array:
    """The mean of -log softmax(logits)[label] over n rows: a scalar.

    logits: (n, classes) floats, any size: 1e4 is no trouble. labels: (n,) integers from 0 to classes - 1.
    """
    logits, labels = _floats("softmax_cross_entropy", logits), array_like(labels)
    rows, names = shape_of(logits), shape_of(labels)
    if len(rows) != 2 or names != rows[:1] or dtype_of(labels).kind not in "iu":
        raise ValueError(
            f"softmax_cross_entropy needs logits (n, classes) and n integer labels, "
            f"got logits of shape {rows} and {dtype_of(labels)} labels of shape {names}"
        )
    if rows[0] == 0:
        raise ValueError("softmax_cross_entropy: the mean over no rows is not defined; the batch is empty")
    return SoftmaxCrossEntropy()(logits, labels)


def binary_cross_entropy_with_logits(logits: ArrayLike, targets: ArrayLike) -> Array:
    """The mean of -t log sigmoid(z) - (1 - t) log(1 - sigmoid(z)) over all entries: a scalar.

    logits z: floats of any shape and size: 1e4 is no trouble. targets t: the same shape, from 0 to 1. The logarithms
    are softplus(-z) and softplus(z), which neither overflow nor round to 0 where a sigmoid does.
    """
    logits, targets = _floats("binary_cross_entropy_with_logits", logits), array_like(targets)
    shape = shape_of(logits)
    if shape_of(targets) != shape:
        raise ValueError(
            f"binary_cross_entropy_with_logits needs two equal shapes, got {shape} logits, {shape_of(targets)} targets"
        )
    if 0 in shape:
        raise ValueError(f"binary_cross_entropy_with_logits of no numbers: the shape is {shape}")
    if dtype_of(targets).kind in "iub":  # classes 0 and 1, or a condition: they decide nothing about the dtype
        targets = cast(targets, dtype_of(logits))
    targets = _floats("binary_cross_entropy_with_logits", targets)
    return mean(targets * rules.softplus(-logits) + (1 - targets) * rules.softplus(logits))


def mse(prediction: ArrayLike, target: ArrayLike) -> Array:
    """The mean of (prediction - target)^2 over all entries. Shapes must be equal: broadcasting here hides mistakes."""
    prediction, target = array_like(prediction), array_like(target)
    if shape_of(prediction) != shape_of(target):
        raise ValueError(f"mse needs two equal shapes, got {shape_of(prediction)} and {shape_of(target)}")
    difference = prediction - target
    return mean(difference * difference)


def _floats(who: str, x: ArrayLike) -> Array:
    """`x` with a shape, in float32 or float64; integers become float64, because a learner may write [1, 2]."""
    x = floats(array_like(x))
    float_dtype(who, dtype_of(x))
    return x
