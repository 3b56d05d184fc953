"""Shapes and dtypes of numbers, arrays and traced values; and broadcasting, undone in one place for all operations.

Where differentiating moves numbers, it does so in NumPy's words (np.stack, np.broadcast_to, x.sum, x.astype). Given
traced values they arrive at the operations of `minigrad.ops` (see operand.py), and can be differentiated again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.errors import numberless, unmasked


def shape_of(x: ArrayLike) -> tuple[int, ...]:
    """The shape of an array, a number, a dual number or a node."""
    try:
        return x.shape  # type: ignore[union-attr]
    except AttributeError:
        if nothing := numberless(x):
            raise TypeError(f"expected a number or an array of numbers, got {nothing}") from None
        return np.shape(x)  # type: ignore[arg-type]


def dtype_of(x: ArrayLike) -> np.dtype:
    """The dtype of an array, a number, a dual number or a node."""
    try:
        return x.dtype  # type: ignore[union-attr]
    except AttributeError:
        return np.asarray(x).dtype


def array_like(x: Any) -> Array:
    """`x` with a shape: a number or a list as an array; arrays, dual numbers and nodes as they are."""
    array: Any = unmasked(x) if hasattr(x, "shape") else np.asarray(x)
    foreign = isinstance(array, np.ndarray) and not array.dtype.isnative
    return array.astype(array.dtype.newbyteorder("=")) if foreign else array


def to(x: Any, shape: tuple[int, ...], dtype: np.dtype) -> Array:
    """`x` copied along new axes and along its axes of size 1, and converted: itself where it is so already."""
    x = x if shape_of(x) == shape else np.broadcast_to(x, shape)
    return x if dtype_of(x) == dtype else array_like(x).astype(dtype)


def sum_to(a: Array, shape: tuple[int, ...]) -> Array:
    """The adjoint of broadcasting: `a` summed over the axes along which `shape` was copied. `shape` is the result's."""
    actual = shape_of(a)
    if actual == shape:
        return a
    new = len(actual) - len(shape)
    if new < 0 or any(size not in (1, full) for size, full in zip(shape, actual[new:], strict=True)):
        raise ValueError(f"a vjp gave a derivative of shape {actual} for an input of shape {shape}")
    copied = [k for k, size in enumerate(actual) if k < new or (shape[k - new] == 1 and size != 1)]
    return a.sum(tuple(copied), keepdims=True).reshape(shape)


def fit(contribution: Array, like: ArrayLike) -> Array:
    """A derivative contribution in the shape and the floating dtype of the input it belongs to."""
    contribution, dtype = sum_to(contribution, shape_of(like)), dtype_of(like)
    fits = dtype.kind != "f" or dtype_of(contribution) == dtype
    return contribution if fits else array_like(contribution).astype(dtype)
