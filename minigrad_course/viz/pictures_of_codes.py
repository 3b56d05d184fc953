"""An autoencoder's pictures: the inputs, and its outputs below them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.live_panel import Panel
from minigrad_course.viz.pictures_of_weights import output, tiles

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.figure import Figure

GAP = 2  # pixels between pictures


class Reconstructions(Panel):
    """A panel: pictures above, the model's reconstructions below, and their distance.

    model: a module or a function of a node, from (n, pixels) to the same shape. pictures: such rows, of square
    pictures; the first ten are shown. The error is the sum of squares over the pixels of a picture. name: for the
    title. Raises ValueError for other rows, or an output whose size differs from the input's.
    """

    height = 2.6

    def __init__(self, model: Callable[[Any], Any], pictures: npt.ArrayLike, name: str = "reconstructions"):
        self._model, self._inputs, self._name = model, np.asarray(pictures)[:10], f"{name[:1].upper()}{name[1:]}"
        self._side = math.isqrt(self._inputs.shape[-1])
        if self._inputs.ndim != 2 or self._side**2 != self._inputs.shape[1]:
            raise ValueError(f"pictures are rows of the pixels of a square, got {self._inputs.shape}")

    def outputs(self) -> np.ndarray:
        """Compute the model's current reconstructions: (n, pixels)."""
        made = output(self._model, self._inputs)
        if made.shape != self._inputs.shape:
            raise ValueError(f"a reconstruction has the shape of its input {self._inputs.shape}, got {made.shape}")
        return made

    def start(self, figure: Figure) -> None:
        from matplotlib import colormaps

        paper = colormaps["gray_r"].with_extremes(bad=plots.GAP)
        side, n = self._side, len(self._inputs)
        self._axes = figure.subplots()
        self._axes.grid(False)
        self._axes.spines[:].set_visible(False)
        self._axes.tick_params(length=0)
        self._axes.set_title(self._name)
        self._axes.set_xlabel("error: the sum of squares over a picture's pixels")
        self._axes.set_yticks([side / 2 - 0.5, 1.5 * side + GAP - 0.5], ["input", "output"])
        self._places = [side / 2 - 0.5 + k * (side + GAP) for k in range(n)]
        blank = np.zeros((2 * n, side, side))
        self._image = self._axes.imshow(tiles(blank, n, GAP), cmap=paper, vmin=0, vmax=1, interpolation="nearest")

    def refresh(self, view: object) -> bool:
        made = self.outputs()
        pairs = np.concatenate([self._inputs, made]).reshape(-1, self._side, self._side)
        self._image.set_data(tiles(pairs, len(made), GAP))
        self._axes.set_xticks(self._places, [f"{error:.1f}" for error in self._errors(made)])
        return False

    def _errors(self, made: np.ndarray) -> np.ndarray:
        return np.square(made - self._inputs).sum(axis=1)

    def sentence(self, view: object = None) -> str:
        errors = self._errors(self.outputs())
        return (
            f"{self._name}: {len(errors)} pictures above, and below each its copy; the sum of the "
            f"squared differences over {self._inputs.shape[1]} pixels is {errors.mean():.1f} on average, "
            f"from {errors.min():.1f} to {errors.max():.1f}."
        )
