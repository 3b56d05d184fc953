"""Shapes and dtypes of numbers, arrays and traced values; and broadcasting, undone in one place for all operations.

Where differentiating moves numbers, it does so in NumPy's words (np.stack, np.broadcast_to, x.sum, x.astype). Given
traced values they arrive at the operations of `minigrad.ops` (see operand.py), and can be differentiated again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core.errors import numberless, unmasked


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an array, a number, a dual number or a node."""
    try:
        return x.shape
    except AttributeError:
        if nothing := numberless(x):
            raise TypeError(f"expected a number or an array of numbers, got {nothing}") from None
        return np.shape(x)


def dtype_of(x: Any) -> np.dtype:
    """The dtype of an array, a number, a dual number or a node."""
    try:
        return x.dtype
    except AttributeError:
        return np.asarray(x).dtype


def array_like(x: Any) -> Any:
    """`x` with a shape: a number or a list as an array; arrays, dual numbers and nodes as they are."""
    x = unmasked(x) if hasattr(x, "shape") else np.asarray(x)
    return x.astype(x.dtype.newbyteorder("=")) if isinstance(x, np.ndarray) and not x.dtype.isnative else x


def to(x: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """`x` copied along new axes and along its axes of size 1, and converted: itself where it is so already."""
    x = x if shape_of(x) == shape else np.broadcast_to(x, shape)
    return x if dtype_of(x) == dtype else array_like(x).astype(dtype)


def sum_to(a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of broadcasting: `a` summed over the axes along which `shape` was copied. `shape` is the result's."""
    actual = shape_of(a)
    if actual == shape:
        return a
    new = len(actual) - len(shape)
    if new < 0 or any(size not in (1, full) for size, full in zip(shape, actual[new:], strict=True)):
        raise ValueError(f"a vjp gave a derivative of shape {actual} for an input of shape {shape}")
    copied = [k for k, size in enumerate(actual) if k < new or (shape[k - new] == 1 and size != 1)]
    return a.sum(tuple(copied), keepdims=True).reshape(shape)


def fit(contribution: Any, like: Any) -> Any:
    """A derivative contribution in the shape and the floating dtype of the input it belongs to."""
    contribution, dtype = sum_to(contribution, shape_of(like)), dtype_of(like)
    fits = dtype.kind != "f" or dtype_of(contribution) == dtype
    return contribution if fits else array_like(contribution).astype(dtype)
