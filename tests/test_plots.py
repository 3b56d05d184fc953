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
def test_words_are_moved_apart_in_whatever_units_they_stand(figure, kind):
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


@pytest.mark.parametrize("place", ["left", "center", "right"])
def test_no_title_is_cut_by_the_edge_of_the_figure(figure, place):
    for axes in figure.axes:
        axes.set_title("a title that is longer than its axes are wide, by half", loc=place)
        axes.text(1.05, 0.5, "behind the axes", transform=axes.transAxes)

    def cut():
        figure.canvas.draw()
        words = figure.findobj(lambda artist: hasattr(artist, "get_text") and artist.get_text())
        extents = [word.get_window_extent() for word in words if word.get_visible()]
        return sum(box.x0 < -0.5 or box.x1 > figure.bbox.x1 + 0.5 for box in extents)

    assert cut()
    plots.keep_titles_inside(figure)
    assert not cut()


def test_words_do_not_lie_on_single_points(figure):
    axes = figure.axes[0]
    for x, height in ((5.0, 50), (6.0, 52), (6.5, 55)):
        axes.plot(x, height, "o")
        axes.annotate("a name", (x, height), (6, -4), textcoords="offset points")

    def hidden():
        """By how many pixels a word lies on a point, at most."""
        pairs = itertools.product(boxes(figure), plots._points(figure))
        return max(min(one.y1, other.y1) - max(one.y0, other.y0) for one, other in pairs if one.count_overlaps([other]))

    assert hidden() > 5
    plots.apart(figure)
    assert hidden() < 3  # a tenth of a word's height


def test_words_that_have_room_stay_where_they_are(figure):
    for axes, y in itertools.product(figure.axes, (0.2, 0.8)):
        axes.text(0.5, y, "word", transform=axes.transAxes)
    before = [tuple(box.bounds) for box in boxes(figure)]
    plots.apart(figure)
    assert [tuple(box.bounds) for box in boxes(figure)] == before


def test_the_entries_of_a_matrix_stay_in_their_cells(figure):
    axes = figure.axes[1]
    axes.set(xlim=(0, 8), ylim=(0, 8))
    words = [axes.text(i, j, "12345678", ha="center") for i in range(8) for j in range(8)]
    before = [word.get_position() for word in words]
    plots.apart(figure)
    assert [word.get_position() for word in words] == before
