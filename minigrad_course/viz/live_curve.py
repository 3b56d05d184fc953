"""A long series of numbers in little memory: a curve with a bounded number of points, however long the training.

Each point stands for consecutive batches, and keeps their mean, minimum and maximum. When the points are used up,
neighbours merge, and from then on each stands for twice as many batches.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

POINTS = 512  # more than a picture can show


class Curve:
    """Numbers that arrive one by one, kept as up to `points` means with their ranges.

    span: the count of numbers in a point. count: of all numbers so far. last: the latest number.
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
        """Return the positions of the points: the middle of each one's batches, counted from 1."""
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
        """Count the numbers in each point: `span`, though the last may have fewer."""
        sizes = np.full(len(self), self.span)
        if len(self):
            sizes[-1] = self.count - (len(self) - 1) * self.span
        return sizes

    def __len__(self) -> int:
        return -(-self.count // self.span)
