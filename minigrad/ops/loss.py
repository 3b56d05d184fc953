"""What training makes small: softmax cross-entropy in one stable piece, and the mean of squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.jit import kernel
from minigrad.operation import Operation
from minigrad.ops.reduce import mean, softmax, sum
from minigrad.ops.shape import dtype_of, shape_of


class OneHot(Operation):
    """Labels (n,) as rows (n, classes): 1 at the label, else 0. A constant: labels have no derivative."""

    name = "one_hot"

    def __init__(self, classes: int, dtype: Any):
        self.classes, self.dtype = classes, np.dtype(dtype)

    def value(self, labels: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if out is None:
            out = np.empty((len(labels), self.classes), self.dtype)
        _one_hot(labels, out)
        return out

    def vjp(self, i: int, adjoint: Any, v: Any, labels: Any) -> None:
        return None


class SoftmaxCrossEntropy(Operation):
    """The mean over rows of -log softmax(logits)[label]: logits (n, classes), labels (n,) integers.

    Fused, because apart it fails: softmax rounds to 0 and its logarithm is infinite. Together it is
    log(sum(exp(z - max z))) - (z[label] - max z), and its derivative is (softmax - one_hot) / n.
    """

    name = "softmax_cross_entropy"
    symbol = "cross-entropy"

    def value(self, logits: np.ndarray, labels: np.ndarray, out: np.ndarray | None = None) -> Any:
        if labels.size and not (0 <= labels.min() and labels.max() < logits.shape[1]):
            raise ValueError(f"labels from {labels.min()} to {labels.max()}")
        if out is None:
            out = np.empty((), logits.dtype)
        _cross_entropy(logits, labels, out)
        return out

    def _slope(self, logits: Any, labels: Any) -> Any:
        rows, classes = shape_of(logits)
        return (softmax(logits) - OneHot(classes, dtype_of(logits))(labels)) / rows

    def jvp(self, i: int, tangent: Any, v: Any, logits: Any, labels: Any) -> Any:
        return sum(tangent * self._slope(logits, labels)) if i == 0 else None

    def vjp(self, i: int, adjoint: Any, v: Any, logits: Any, labels: Any) -> Any:
        return adjoint * self._slope(logits, labels) if i == 0 else None

    def advice(self, logits: Any, labels: Any) -> str:
        classes = np.shape(logits)[1]
        return f"Labels are integers from 0 to {classes - 1}, because the logits have {classes} columns"


@kernel
def _one_hot(labels, rows):
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            rows[i, k] = 0
        rows[i, labels[i]] = 1


@kernel
def _cross_entropy(logits, labels, out):
    rows, classes = logits.shape
    loss = 0.0
    for i in range(rows):
        largest = logits[i, 0]
        for k in range(1, classes):
            largest = max(largest, logits[i, k])
        total = 0.0
        for k in range(classes):
            total += np.exp(logits[i, k] - largest)
        loss += np.log(total) - (logits[i, labels[i]] - largest)
    out[()] = loss / rows


def softmax_cross_entropy(logits: Any, labels: Any) -> Any:
    """The mean of -log softmax(logits)[label] over n rows: a scalar.

    logits: (n, classes) floats, any size: 1e4 is no trouble. labels: (n,) integers from 0 to classes - 1.
    """
    rows, names = shape_of(logits), shape_of(labels)
    if len(rows) != 2 or names != rows[:1] or dtype_of(labels).kind not in "iu":
        raise ValueError(
            f"softmax_cross_entropy needs logits (n, classes) and n integer labels, "
            f"got logits of shape {rows} and {dtype_of(labels)} labels of shape {names}"
        )
    if rows[0] == 0:
        raise ValueError("softmax_cross_entropy: the mean over no rows is not defined; the batch is empty")
    return SoftmaxCrossEntropy()(logits, labels if hasattr(labels, "shape") else np.asarray(labels))


def mse(prediction: Any, target: Any) -> Any:
    """The mean of (prediction - target)^2 over all entries. Shapes must be equal: broadcasting here hides mistakes."""
    if shape_of(prediction) != shape_of(target):
        raise ValueError(f"mse needs two equal shapes, got {shape_of(prediction)} and {shape_of(target)}")
    difference = prediction - target
    return mean(difference * difference)
