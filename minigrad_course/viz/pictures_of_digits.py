"""Pictures of a data set with captions, and the confusion matrix of a classifier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad_course.viz import plots

if TYPE_CHECKING:
    import numpy.typing as npt


def digits(pictures: npt.ArrayLike, captions: Sequence[object], sentence: str, columns: int = 10) -> None:
    """Show square pictures (n, pixels), dark ink on white, with a caption below each.

    sentence: what they show, for the text under them. columns: so many in a row.
    """
    pictures = np.asarray(pictures)
    n, side = len(pictures), math.isqrt(pictures.shape[1])
    rows = -(-n // columns)
    figure = plots.sheet(0.86 * columns, 1.15 * rows)
    for k, (picture, caption) in enumerate(zip(pictures, captions, strict=True), 1):
        axes = figure.add_subplot(rows, columns, k)
        axes.imshow(picture.reshape(side, side), cmap="gray_r", vmin=0, vmax=1)
        axes.set(xticks=[], yticks=[])
        axes.set_xlabel(str(caption), fontsize=10, color=plots.BLACK)
        for spine in axes.spines.values():
            spine.set(visible=True, color=plots.GAP)
    plots.show(figure, sentence)


def confusion_matrix(truth: object, guess: object) -> np.ndarray:
    """Count how often digit i was taken for digit j, at [i, j]. truth, guess: labels (n,)."""
    counts = np.zeros((10, 10), np.int64)
    np.add.at(counts, (np.asarray(truth), np.asarray(guess)), 1)
    return counts


def confusion(truth: object, guess: object) -> None:
    """Show the confusion matrix: a row for each true digit, a column for each guess; mistakes are coloured."""
    counts = confusion_matrix(truth, guess)
    wrong = counts * (1 - np.eye(10, dtype=np.int64))
    figure = plots.sheet(5.4, 4.7)
    with plots.style():
        axes = figure.subplots()
    axes.imshow(np.where(wrong, wrong, np.nan), cmap="Oranges", vmin=0, vmax=max(1.6 * wrong.max(), 1))
    for i, j in np.ndindex(counts.shape):
        if counts[i, j]:
            bold, ink = ("normal", plots.GREY) if i == j else ("bold", plots.BLACK)
            axes.text(j, i, f"{counts[i, j]:,}", ha="center", va="center", fontsize=9, color=ink, fontweight=bold)
    axes.grid(False)
    axes.set(xticks=range(10), yticks=range(10))
    axes.set(xlabel="what the network says", ylabel="what it is", title="Right on the diagonal, mistakes beside it")
    plots.show(figure, _in_words(wrong, len(np.asarray(truth))))


def _in_words(wrong: np.ndarray, n: int) -> str:
    total = int(wrong.sum())
    if not total:
        return f"All {n:,} were right."
    often = np.argsort(wrong, axis=None, kind="stable")[::-1][:3]
    pairs = [(*np.unravel_index(k, wrong.shape), int(wrong.flat[k])) for k in often if wrong.flat[k] > 1]
    frequent = ", ".join(f"{i} taken for {j} ({count})" for i, j, count in pairs) or "each occurs once"
    return f"{total:,} of {n:,} were wrong. The most frequent mistakes: {frequent}."
