"""A data set: four arrays and their source. And shuffled minibatches of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from minigrad.guards.settings import as_rows, size


class DataError(RuntimeError):
    """A data set is unavailable. The message says what was wrong, where, and what to do."""


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """Images and labels, split into a part to train on and a part to test on.

    train_x, test_x   float32, shape (N, 784), in [0, 1]: one row per image, the 28 pixel rows one after another.
                      To look at image i: `train_x[i].reshape(28, 28)`.
    train_y, test_y   int64, shape (N,): the class of each image, 0 to 9.
    name              "mnist", "fashion_mnist" or "digits".
    source, licence   where the images are from, and on which terms.

    The arrays are C-contiguous, aligned and your own: each call loads fresh ones. (They are not marked read-only:
    PyTorch warns about such arrays, and numba compiles every kernel once more for them.)

    Raises ValueError if images and labels do not pair up.

    >>> mg.data.Data(np.eye(2), np.array([0, 1]), np.eye(2), np.array([0, 1]), "units", "made up", "none").name
    'units'
    """

    train_x: np.ndarray
    train_y: np.ndarray
    test_x: np.ndarray
    test_y: np.ndarray
    name: str
    source: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        for name in ("train_x", "train_y", "test_x", "test_y"):
            object.__setattr__(self, name, as_rows("mg.data.Data", name, getattr(self, name)))
        for part, x, y in (("train", self.train_x, self.train_y), ("test", self.test_x, self.test_y)):
            if len(x) != len(y):
                raise ValueError(
                    f"{part}_x has {len(x)} images but {part}_y has {len(y)} labels: each needs the other."
                )

    def describe(self) -> str:
        """Describe the data in one line: name, size, shape and dtype, source, licence."""
        values = int(np.prod(self.train_x.shape[1:]))
        parts = [
            f"{self.name}: {len(self.train_x):,} training and {len(self.test_x):,} test images",
            f"each {values} numbers ({self.train_x.dtype}), labels {self.train_y.dtype}",
        ]
        parts += [self.source] if self.source else []
        parts += [f"licence: {self.licence}"] if self.licence else []
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Data {self.describe()}>"


def batches(
    x: np.ndarray, y: np.ndarray, batch_size: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """One epoch: every image once, in random order, as pairs of arrays (batch_size, ...) and (batch_size,).

    Each call draws a new permutation from `rng`, so each epoch has its own order, and the same seed gives the same run:

        rng = np.random.default_rng(0)
        for epoch in range(5):
            for x, y in batches(data.train_x, data.train_y, 100, rng):
                ...

    The last batch holds what is left, and may be smaller. Raises ValueError if x and y differ in length or batch_size
    is not positive, TypeError if `rng` is not a numpy Generator.

    >>> data, rng = mg.data.digits(), np.random.default_rng(0)
    >>> [len(x) for x, y in mg.data.batches(data.train_x, data.train_y, 500, rng)]
    [500, 500, 297]
    """
    x, y = as_rows("batches", "x", x), as_rows("batches", "y", y)
    if len(x) != len(y):
        raise ValueError(f"x has {len(x)} rows but y has {len(y)}: each image needs one label.")
    size("batches", "batch_size", batch_size)
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng is {rng!r}, but must be a generator that lives across epochs, such as np.random.default_rng(0): "
            "a bare seed would repeat the same order in every epoch."
        )
    order = rng.permutation(len(x))
    chosen = (order[start : start + batch_size] for start in range(0, len(x), batch_size))
    return ((x[rows], y[rows]) for rows in chosen)
