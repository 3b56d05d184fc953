"""Pictures of what makes a program fast: what their sentences say, and what they refuse."""

import pytest

pytest.importorskip("matplotlib")

from minigrad_course.measure import Measurement
from minigrad_course.viz import pictures_of_speed


def measured(seconds, compiling=0.0, size=0):
    return Measurement(seconds, compiling, size, 1, method="by hand")


def test_a_ladder_tells_time_bytes_and_compiling_of_one_unit(shown):
    rungs = {"Python": (measured(2.0), 1000), "NumPy": (measured(0.1, size=8_000_000), 1000),
             "numba": (measured(0.01, 0.5), 1000)}  # fmt: skip
    pictures_of_speed.ladder(rungs, "a point", "Down.")
    figure, words = shown[0]
    assert words == (
        "Down. For a point: Python: 2.00 ms, 0; NumPy: 100 µs, 8.0 kB; numba: 10.0 µs after 500 ms of compiling, 0."
    )
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["2.00 ms", "100 µs   20×", "10.0 µs   10×"]


def test_a_slower_rung_says_so(shown):
    pictures_of_speed.ladder({"one": (measured(1.0), 1), "two": (measured(1.3), 1)}, "a step", "Down.")
    figure, _ = shown[0]
    assert figure.axes[0].texts[1].get_text() == "1.30 s   1.3× slower"


def test_unknown_bytes_are_not_zero(shown):
    pictures_of_speed.ladder({"one": (measured(1.0, size=None), 1)}, "a step", "Down.")
    assert shown[0][1] == "Down. For a step: one: 1.00 s, not known."


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (0.01, "0"), (40, "40 B"), (999, "999 B"), (5_800_000, "5.8 MB"), (None, "not known")],
)
def test_bytes_in_three_digits(number, text):
    assert pictures_of_speed.short_bytes(number) == text


def test_walks_are_counted(shown):
    steps = [("r = x + y", "xy", "r"), ("r = r r", "r", "r"), ("sum(r)", "r", "")]
    pictures_of_speed.walks(steps, "NumPy.")
    assert shown[0][1] == "NumPy. 3 steps: 4 walks to read an array, 2 to write one, 6 in all."


def test_turns_have_medians_and_extremes(shown):
    pictures_of_speed.turns({"a": [100.0, 300.0, 110.0], "b": [50.0]}, "RNN", {})
    words = "RNN: median steps a second, slowest and fastest round: a 110 (100 to 300); b 50 (50 to 50)."
    assert shown[0][1] == words


def test_nothing_to_show_is_said():
    with pytest.raises(ValueError, match="at least one measurement"):
        pictures_of_speed.ladder({}, "a step", "")
    with pytest.raises(ValueError, match="there are none for 'x'"):
        pictures_of_speed.ladder({"x": (Measurement(), 1)}, "a step", "")
    with pytest.raises(ValueError, match="at least one step"):
        pictures_of_speed.walks([], "")
    with pytest.raises(ValueError, match="at least one round"):
        pictures_of_speed.turns({"a": []}, "", {})


def test_a_tile_counts_its_loads_and_its_sums(shown):
    pictures_of_speed.tile(4, 2)
    figure, words = shown[0]
    assert "4 numbers of a, 2 vectors of b, 6 loads" in words
    assert "8 vectors of sums" in words
    assert len(figure.axes[0].patches) == 4 + 8 + 4 * 8
    with pytest.raises(ValueError, match="at least one row"):
        pictures_of_speed.tile(0, 2)
