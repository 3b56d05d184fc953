"""A long row of numbers in little memory: a curve of at most so many points, however long the training takes.

Each point stands for some batches in a row, and keeps their mean, their smallest and their largest value. When the
points are used up, neighbours join, and from then on each stands for twice as many batches.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

POINTS = 512  # more than a picture has room for


class Curve:
    """Numbers that arrive one after another, as up to `points` means with their ranges.

    span: how many numbers a point stands for. count: how many have arrived. last: the last of them.
    """

    def __init__(self, numbers: Iterable[float] = (), points: int = POINTS):
        if points < 2 or points % 2:
            raise ValueError(f"a Curve joins its points in pairs, so it needs an even number of them, got {points}")
        self._points, self.span, self.count, self.last = points, 1, 0, float("nan")
        self._sum, self._low, self._high = np.zeros(points), np.full(points, np.inf), np.full(points, -np.inf)
        for number in numbers:
            self.append(number)

    def append(self, number: float) -> None:
        if self.count == self._points * self.span:
            self._join()
        k = self.count // self.span
        self.last = float(number)
        self._sum[k] += self.last
        self._low[k], self._high[k] = min(self._low[k], self.last), max(self._high[k], self.last)
        self.count += 1

    def _join(self) -> None:
        half = self._points // 2
        for array, join, rest in (
            (self._sum, np.add, 0.0),
            (self._low, np.minimum, np.inf),
            (self._high, np.maximum, -np.inf),
        ):
            array[:half] = join(array[::2], array[1::2])
            array[half:] = rest
        self.span *= 2

    @property
    def x(self) -> np.ndarray:
        """Where the points lie: the middle of the batches that each stands for, which are counted from 1."""
        return np.arange(len(self)) * self.span + (self._sizes() + 1) / 2

    @property
    def mean(self) -> np.ndarray:
        return self._sum[: len(self)] / self._sizes()

    @property
    def low(self) -> np.ndarray:
        return self._low[: len(self)]

    @property
    def high(self) -> np.ndarray:
        return self._high[: len(self)]

    def smooth(self, window: int) -> np.ndarray:
        """The mean of each point and its neighbours, `window` points (an odd number) in all.

        At the beginning, where losses fall steeply, as few on the right as on the left; at the end what there is.
        """
        total = np.concatenate([[0.0], np.cumsum(self._sum[: len(self)])])
        sizes = np.concatenate([[0], np.cumsum(self._sizes())])
        k = np.arange(len(self))
        reach = np.minimum(window // 2, k)
        start, end = k - reach, np.minimum(k + reach + 1, len(self))
        return (total[end] - total[start]) / (sizes[end] - sizes[start])

    def recent(self, window: int) -> tuple[float, int]:
        """The mean of the numbers in the last `window` points, and how many these are."""
        size = int(self._sizes()[-window:].sum())
        return float(self._sum[max(len(self) - window, 0) : len(self)].sum() / size), size

    def _sizes(self) -> np.ndarray:
        """How many numbers each point stands for: `span`, but the last may have fewer."""
        sizes = np.full(len(self), self.span)
        if len(self):
            sizes[-1] = self.count - (len(self) - 1) * self.span
        return sizes

    def __len__(self) -> int:
        return -(-self.count // self.span)
