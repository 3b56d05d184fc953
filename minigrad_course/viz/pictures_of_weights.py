"""Weights and activations as images: a tile for each unit, blue below zero, white at zero, orange above.

The unit of a Linear layer has one weight for each pixel of its input, so its weights are a picture of the same size:
what it looks for. A filter of a Conv2d is a small picture, one for each channel of its input.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.graph import Constant, Node
from minigrad.nn.module import Module
from minigrad_course.viz import plots
from minigrad_course.viz.live_panel import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHAPE = 3.2  # a sheet of tiles is about this many times as wide as it is high


def tiles(images: np.ndarray, columns: int | None = None, gap: int | None = None) -> np.ndarray:
    """Arrange images (n, height, width) in rows and columns as one image, with nan between them, in float64.

    columns: by default such that the sheet is about three times as wide as high. gap: pixels between tiles.
    """
    images = np.asarray(images)
    n, height, width = images.shape
    gap = max(1, min(height, width) // 12) if gap is None else gap
    if columns is None:
        rows = max(1, round(n / math.sqrt(SHAPE * n * height / width)))
        columns = -(-n // rows)  # fill the last row as far as the others
    rows = -(-n // columns)
    sheet = np.full((rows, height + gap, columns, width + gap), np.nan)
    for k, image in enumerate(images):
        sheet[k // columns, :height, k % columns, :width] = image
    return sheet.reshape(rows * (height + gap), columns * (width + gap))[: -gap or None, : -gap or None]


def as_images(array: ArrayLike, shape: tuple[int, int] | None = None) -> np.ndarray:
    """Weights or activations as images (n, height, width).

    array: (n, height * width) as rows of a matrix, `shape` says how a row becomes an image, a square if not said;
    (out, in, height, width) of a convolution, as out * in images; or (n, height, width). A matrix whose rows make no
    square is one image; so is a single row. Raises ValueError for other shapes.
    """
    array = np.asarray(array)
    if array.ndim == 1:
        array = array[None]
    if array.ndim == 2:
        side = math.isqrt(array.shape[1])
        if shape is None and side * side == array.shape[1] and side > 1:
            shape = side, side
        if shape is None:
            return array[None]
        if math.prod(shape) != array.shape[1]:
            raise ValueError(f"rows of {array.shape[1]} numbers make no images of shape {shape}")
        return array.reshape(-1, *shape)
    if array.ndim in (3, 4):
        return array.reshape(-1, *array.shape[-2:])
    raise ValueError(f"images are made of 1 to 4 axes, got an array of shape {array.shape}")


class Images(Panel):
    """A panel of tiles on a scale that is symmetric around 0. Weights and Activations provide the numbers."""

    def __init__(self, shape: tuple[int, int] | None, count: int, name: str):
        if count < 1:
            raise ValueError(f"{type(self).__name__} shows at least one tile, got count={count}")
        self._shape, self._count, self._name = shape, count, name
        self._limit = 0.0

    @property
    def height(self) -> float:  # type: ignore[override]
        """In inches: as high as its tiles need when they are as wide as they may be."""
        rows, columns = tiles(self.images()[0], self.columns()).shape
        return 0.6 + min(max(7.5 * rows / columns, 0.6), 3.2)

    def numbers(self) -> np.ndarray:
        """Return the current array."""
        raise NotImplementedError

    def images(self) -> tuple[np.ndarray, int]:
        """Return the displayed images and their total number."""
        images = as_images(self.numbers(), self._shape)
        return images[: self._count], len(images)

    def columns(self) -> int | None:
        """Return the number of tiles in a row, or None if it does not matter."""
        return None

    def start(self, figure: Figure) -> None:
        from matplotlib.ticker import FuncFormatter

        self._limit = 0.0
        self._axes = figure.subplots()
        plots.bare(self._axes)
        self._axes.set_anchor("W")
        images, n = self.images()
        shown = f"{n}" if n == len(images) else f"the first {len(images)} of {n}"
        size = f"{images.shape[1]} × {images.shape[2]}"
        self._axes.set_title(f"{self._name[:1].upper()}{self._name[1:]}: {f'{shown}, each ' if n > 1 else ''}{size}")
        self._image = self._axes.imshow(tiles(images, self.columns()), cmap=plots.signed(), interpolation="nearest")
        bar = figure.colorbar(
            self._image, ax=self._axes, aspect=12, shrink=0.9, pad=0.02, anchor=(0, 0.5), panchor=(0, 0.5)
        )
        bar.outline.set_visible(False)
        bar.formatter = FuncFormatter(lambda x, _: f"{x:+.2g}" if x else "0")
        self._bar = bar

    def refresh(self, view: object) -> bool:
        images, _ = self.images()
        self._image.set_data(tiles(images, self.columns()))
        largest = plots.signed_limits(images)
        if self._limit / 2 < largest <= self._limit:
            return False
        self._limit = 1.25 * largest if view is not None else largest  # with room, so that colours rarely change
        self._image.set_clim(-self._limit, self._limit)
        self._bar.set_ticks([-self._limit, 0, self._limit])
        return True

    def sentence(self, view: object = None) -> str:
        images, n = self.images()
        finite = images[np.isfinite(images)]
        low, high = (finite.min(), finite.max()) if finite.size else (math.nan, math.nan)
        some = "" if n == len(images) else f", of which {len(images)} are shown"
        many = "an image" if n == 1 else f"{n} images"
        return (
            f"{self._name[:1].upper()}{self._name[1:]} as {many} of {images.shape[1]} by {images.shape[2]}{some}, "
            f"from {low:+.2g} (blue) over 0 (white) to {high:+.2g} (orange)."
        )


class Weights(Images):
    """The current weights of a layer as images.

    of: a module with a `weight` (Linear, Conv2d) or a `weight_ih_l0` (RNN, GRU, LSTM), a Variable, or an array. shape:
    of an image, such as (7, 28) for a strip of seven rows. count: at most so many units or
    outputs. name: for the title. Raises TypeError for what has no weights, ValueError for shapes that make no images.
    """

    def __init__(self, of: object, shape: tuple[int, int] | None = None, count: int = 64, name: str = "weights"):
        super().__init__(shape, count, name)
        self._of = _weight_of(of)
        self.images()

    def numbers(self) -> np.ndarray:
        return self._of._value if isinstance(self._of, Node) else np.asarray(self._of)

    def images(self) -> tuple[np.ndarray, int]:
        array = self.numbers()
        if self.columns() is None:
            return super().images()
        return as_images(array[: self._count].swapaxes(0, 1)), array.shape[0] * array.shape[1]

    def columns(self) -> int | None:
        """For a convolution over several channels: a column for each output, a row for each channel."""
        shape = self.numbers().shape
        return min(shape[0], self._count) if len(shape) == 4 and shape[1] > 1 else None


class Activations(Images):
    """The output of a part of a network for a picture: feature maps, or the outputs of units.

    part: a module or a function of a node, such as `mg.nn.Sequential(model[0], model[1])`. picture: the input, with the
    axis of the batch; of several pictures the first is shown. Raises ValueError where the output makes no images.
    """

    def __init__(self, part: Callable[[Any], Any], picture: object, name: str = "activations"):
        super().__init__(None, 64, name)
        self._part, self._picture = part, np.asarray(picture)[:1]

    def numbers(self) -> np.ndarray:
        return output(self._part, self._picture)[0]


def output(part: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    """Apply a module (in evaluation mode) or a function of a node to x; return an array."""
    learning = part if isinstance(part, Module) and part.training else None
    if learning is not None:
        learning.eval()
    try:
        y = part(Constant(x))
    finally:
        if learning is not None:
            learning.train()
    return y._value if isinstance(y, Node) else np.asarray(y)


def _weight_of(of: object) -> Any:
    if isinstance(of, Module):
        for name in ("weight", "weight_ih_l0"):
            if hasattr(of, name):
                return getattr(of, name)
        inside = ", ".join(f"{name!r}" for name, _ in of.named_parameters()) or "no parameters at all"
        raise TypeError(
            f"{type(of).__name__} has no weight of its own to show, but inside it {inside}: give one of its layers"
        )
    if isinstance(of, Node) or np.asarray(of).dtype.kind in "fiu":
        return of
    raise TypeError(f"weights are shown of a layer, a Variable or an array of numbers, got a {type(of).__name__}")
