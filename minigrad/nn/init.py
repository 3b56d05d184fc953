"""Initial weights and random generators. By too large ones a signal explodes, by too small ones it vanishes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from minigrad.core.arrays import DTypeLike
from minigrad.core.block import override

Rng = int | np.random.Generator | None  # a seed (always the same numbers), a generator, or None (different each time)


def generator(rng: Rng) -> np.random.Generator:
    """Return a generator for a seed, a generator or None."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)


# For each generator used inside `drawing_again`, its previous state.
_before: ContextVar[dict[np.random.Generator, Any] | None] = ContextVar("before", default=None)


@contextmanager
def drawing_again() -> Iterator[None]:
    """Restore random generators afterwards: building a graph must not change a training."""
    before: dict[np.random.Generator, Any] = {}
    try:
        with override(_before, before):
            yield
    finally:
        for source, state in before.items():
            source.bit_generator.state = state


def drawn_from(rng: np.random.Generator) -> np.random.Generator:
    """Return the generator, after saving its state for `drawing_again`."""
    before = _before.get()
    if before is not None and rng not in before:
        before[rng] = rng.bit_generator.state
    return rng


def glorot_uniform(shape: Sequence[int], rng: Rng = None, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Uniform in +-sqrt(6 / (fan_in + fan_out)): keeps the variance of signals and of gradients alike.

    shape: (fan_out, fan_in), or (out, in, kernel height, kernel width) of a convolution. Glorot and Bengio,
    "Understanding the difficulty of training deep feedforward neural networks", 2010.
    """
    if len(shape) < 2:
        raise ValueError(f"Glorot's range needs the sizes on both sides of the weights, got the shape {tuple(shape)}")
    window = math.prod(shape[2:])
    limit = math.sqrt(6 / ((shape[0] + shape[1]) * window))
    return generator(rng).uniform(-limit, limit, shape).astype(dtype)


def normal(shape: Sequence[int], std: float, rng: Rng = None, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Normal with mean 0 and standard deviation `std`."""
    return (generator(rng).standard_normal(shape) * std).astype(dtype)
