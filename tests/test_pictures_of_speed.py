"""Pictures of what makes a program fast: what their sentences say, and what they refuse."""

import pytest

pytest.importorskip("matplotlib")

from minigrad_course.measure import Measurement
from minigrad_course.viz import pictures_of_speed


def measured(seconds, compiling=0.0, size=0):
    return Measurement(seconds, compiling, size, 1, method="by hand")


def test_a_ladder_tells_time_bytes(shown):
    rungs = {"Python": (measured(2.0), 1000), "NumPy": (measured(0.1, size=8_000_000), 1000),
             "numba": (measured(0.01, 0.5), 1000)}  # fmt: skip
    pictures_of_speed.ladder(rungs, "a point", "Down.")
    figure, words = shown[0]
    assert words == (
        "Down. For a point: Python: 2.00 ms, 0; NumPy: 100 µs, 8.0 kB; numba: 10.0 µs after 500 ms of compiling, 0."
    )
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["2.00 ms", "100 µs   20×", "10.0 µs   10×"]


def test_a_tile_counts_its_loads_and_its_sums(shown):
    pictures_of_speed.tile(4, 2)
    figure, words = shown[0]
    assert "4 numbers of a, 2 vectors of b, 6 loads" in words
    assert "8 vectors of sums" in words
    assert len(figure.axes[0].patches) == 4 + 8 + 4 * 8
