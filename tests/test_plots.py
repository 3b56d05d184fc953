"""The style of the lessons' figures: words that would lie on each other are moved apart, and stay with their lines."""

import itertools

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from minigrad_course.viz import plots


def boxes(figure):
    figure.canvas.draw()
    return [text.get_window_extent() for axes in figure.axes for text in axes.texts]


def overlapping(figure):
    return sum(
        min(one.x1, other.x1) > max(one.x0, other.x0) + 1 and min(one.y1, other.y1) > max(one.y0, other.y0) + 1
        for one, other in itertools.combinations(boxes(figure), 2)
    )


@pytest.fixture
def figure():
    import matplotlib.pyplot as plt

    figure, axes = plots.canvas(8, 3, columns=2)
    axes[0].plot([1, 20], [1, 100])
    axes[0].set(yscale="log")
    yield figure
    plt.close(figure)


@pytest.mark.parametrize("kind", ["data", "axes", "beside a point", "annotated"])
def test_words_are_moved_apart_in_any_units(figure, kind):
    axes = figure.axes[0]
    for k in range(4):
        name, height = f"way {k}", 50 * 1.02**k
        if kind == "data":
            axes.text(5, height, name)
        elif kind == "axes":
            axes.text(0.5, 0.5 + 0.01 * k, name, transform=axes.transAxes)
        elif kind == "beside a point":
            axes.annotate(name, (5, height), (6, 4), textcoords="offset points")
        else:
            axes.annotate(name, (5, height), va="center")
    before = boxes(figure)
    assert overlapping(figure) == 6
    plots.apart(figure)
    assert overlapping(figure) == 0
    after = boxes(figure)
    heights = [box.y0 for box in after]
    assert heights == sorted(heights), "in the order in which they stood"
    assert np.allclose([box.x0 for box in after], [box.x0 for box in before], atol=1)
    assert np.mean(heights) == pytest.approx(np.mean([box.y0 for box in before]), abs=2)
