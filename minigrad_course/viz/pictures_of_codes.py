"""An autoencoder's pictures: the inputs, and its outputs below them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.live_panel import Panel
from minigrad_course.viz.pictures_of_weights import output, tiles

GAP = 2  # pixels between pictures


class Reconstructions(Panel):
    """A panel: pictures above, the model's reconstructions below, and their distance.

    model: a module or a function of a node, from (n, height * width) to the same shape. pictures: such rows, or (n,
    height, width); the first ten are shown. The error is the sum of squares over the pixels of a picture. name: for the
    title. Raises ValueError for rows that are not square pictures, or an output whose size differs from the input's.
    """

    height = 2.6

    def __init__(self, model: Callable[[Any], Any], pictures: Any, name: str = "reconstructions"):
        pictures = np.asarray(pictures)[:10]
        if pictures.ndim not in (2, 3) or not len(pictures):
            raise ValueError(f"pictures are (n, pixels) or (n, height, width), at least one; got {pictures.shape}")
        side = math.isqrt(math.prod(pictures.shape[1:]))
        self._shape = pictures.shape[1:] if pictures.ndim == 3 else (side, side)
        if math.prod(self._shape) != math.prod(pictures.shape[1:]):
            raise ValueError(f"{pictures.shape[1]} pixels are no square: give the pictures as (n, height, width)")
        self._name = name
        self._model, self._inputs = model, pictures.reshape(len(pictures), -1)

    def outputs(self) -> np.ndarray:
        """Compute the model's current reconstructions: (n, pixels)."""
        made = output(self._model, self._inputs)
        if made.shape != self._inputs.shape:
            raise ValueError(f"a reconstruction has the shape of its input {self._inputs.shape}, got {made.shape}")
        return made

    def start(self, figure: Any) -> None:
        from matplotlib import colormaps

        paper = colormaps["gray_r"].with_extremes(bad=plots.GAP)
        (height, width), n = self._shape, len(self._inputs)
        self._axes = figure.subplots()
        self._axes.grid(False)
        self._axes.spines[:].set_visible(False)
        self._axes.tick_params(length=0)
        self._axes.set_title(f"{self._name[:1].upper()}{self._name[1:]}")
        self._axes.set_xlabel("error: the sum of squares over a picture's pixels")
        self._axes.set_yticks([height / 2 - 0.5, 1.5 * height + GAP - 0.5], ["input", "output"])
        self._places = [width / 2 - 0.5 + k * (width + GAP) for k in range(n)]
        blank = np.zeros((2 * n, height, width))
        self._image = self._axes.imshow(tiles(blank, n, GAP), cmap=paper, vmin=0, vmax=1, interpolation="nearest")

    def refresh(self, view: Any) -> bool:
        made = self.outputs()
        pairs = np.concatenate([self._inputs, made]).reshape(-1, *self._shape)
        self._image.set_data(tiles(pairs, len(made), GAP))
        self._axes.set_xticks(self._places, [f"{error:.1f}" for error in self._errors(made)])
        return False

    def _errors(self, made: np.ndarray) -> np.ndarray:
        return np.square(made - self._inputs).sum(axis=1)

    def sentence(self, view: Any = None) -> str:
        errors = self._errors(self.outputs())
        name = f"{self._name[:1].upper()}{self._name[1:]}"
        return (
            f"{name}: {len(errors)} pictures above, and below each its copy; the sum of the "
            f"squared differences over {self._inputs.shape[1]} pixels is {errors.mean():.1f} on average, "
            f"from {errors.min():.1f} to {errors.max():.1f}."
        )
