"""Arrays that an operation keeps from run to run, so that a graph which runs again allocates nothing."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from minigrad.core.operation import Operation


class Working(Operation):
    """Shared by operations that keep arrays from run to run."""

    workspace = cached_property(lambda self: Workspace())


class Workspace:
    """Scratch arrays by name. Each operation has its own; what is in them means nothing between two runs."""

    def __init__(self) -> None:
        self._arrays: dict[str, np.ndarray] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """The array kept under `name`; a new one of zeros if there is none of this shape and dtype."""
        kept = self._arrays.get(name)
        if kept is None or kept.shape != shape or kept.dtype != dtype:
            kept = self._arrays[name] = np.zeros(shape, dtype)
        return kept

    def solid(self, name: str, a: np.ndarray, dtype: np.dtype | None = None) -> np.ndarray:
        """`a` in one piece (row-major, writeable, of `dtype`): itself if it is so already, else a copy kept here.

        Compiled kernels take only such arrays. Otherwise each layout would be compiled anew.
        """
        dtype = a.dtype if dtype is None else dtype
        if a.flags.carray and a.dtype == dtype:
            return a
        copy = self.array(name, a.shape, dtype)
        np.copyto(copy, a)
        return copy


def float_dtype(name: str, *inputs: Any) -> np.dtype:
    """The dtype that the inputs have together: float32 or float64; for others a sentence what to do."""
    dtype = np.result_type(*inputs)
    if dtype not in (np.float32, np.float64):
        raise TypeError(f"{name} computes in float32 or float64, not in {dtype}. Try .astype(np.float32)")
    return dtype
