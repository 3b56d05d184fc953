"""What an autoencoder makes of pictures: the inputs, and below them what came out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.viz import plots
from minigrad.viz.pictures_of_weights import output


class Reconstructions:
    """A panel: pictures above, what the model makes of them below, and how far the two are apart.

    model: a module or a function of a node, from (n, height * width) to the same shape. pictures: such rows, or
    (n, height, width). The error is the sum of squares over the pixels of a picture. Raises ValueError where a picture
    is no square and says no shape of its own, or where what comes out has another size than what goes in.
    """

    height = 2.6
    samples = 0

    def __init__(self, model: Callable[[Any], Any], pictures: Any, count: int = 10):
        pictures = np.asarray(pictures)[:count]
        if pictures.ndim not in (2, 3) or not len(pictures):
            raise ValueError(f"pictures are (n, pixels) or (n, height, width), at least one; got {pictures.shape}")
        side = math.isqrt(math.prod(pictures.shape[1:]))
        self._shape = pictures.shape[1:] if pictures.ndim == 3 else (side, side)
        if math.prod(self._shape) != math.prod(pictures.shape[1:]):
            raise ValueError(f"{pictures.shape[1]} pixels are no square: give the pictures as (n, height, width)")
        self._model, self._inputs = model, pictures.reshape(len(pictures), -1)

    def outputs(self) -> np.ndarray:
        """What the model makes of the pictures now: (n, pixels)."""
        made = output(self._model, self._inputs)
        if made.shape != self._inputs.shape:
            raise ValueError(f"a reconstruction has the shape of its input {self._inputs.shape}, got {made.shape}")
        return made

    def measure(self, step: int) -> None:
        """It looks when it draws."""

    def start(self, figure: Any) -> None:
        self._axes = figure.subplots(2, len(self._inputs), squeeze=False)
        self._images = []
        for column in self._axes.T:
            for axes in column:
                axes.set(xticks=[], yticks=[])
                axes.grid(False)
                axes.spines[:].set_visible(True)
        for axes, picture in zip(self._axes[0], self._inputs, strict=True):
            axes.imshow(picture.reshape(self._shape), cmap="gray_r", vmin=0, vmax=1)
        for axes in self._axes[1]:
            self._images.append(axes.imshow(np.zeros(self._shape), cmap="gray_r", vmin=0, vmax=1))
            axes.set_xlabel("0.0", fontsize=10)
        self._axes[0, 0].set_ylabel("input")
        self._axes[1, 0].set_ylabel("output")
        self._axes[0, 0].set_title("Reconstructions; below each its error, the sum of squares over its pixels")

    def refresh(self, view: Any) -> bool:
        made = self.outputs()
        for axes, image, picture, error in zip(self._axes[1], self._images, made, self._errors(made), strict=True):
            image.set_data(picture.reshape(self._shape))
            axes.set_xlabel(f"{error:.1f}", fontsize=10)
        return False

    def _errors(self, made: np.ndarray) -> np.ndarray:
        return np.square(made - self._inputs).sum(axis=1)

    def sentence(self, view: Any = None) -> str:
        errors = self._errors(self.outputs())
        return (
            f"{len(errors)} pictures above, and below each what the autoencoder makes of it; the sum of the squared "
            f"differences over {self._inputs.shape[1]} pixels is {errors.mean():.1f} on average, "
            f"from {errors.min():.1f} to {errors.max():.1f}."
        )
