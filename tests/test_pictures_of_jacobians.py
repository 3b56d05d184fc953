"""The pictures of lessons 03 and 04: a square that a Jacobian moves, and what both modes cost."""

import numpy as np
import pytest

from minigrad_course.viz.pictures_of_jacobians import mode_costs, moved_square


def test_the_arrows_are_the_columns(shown):
    moved_square(lambda x, y: (2 * x * y, 2 * (x + y)), (3.0, 4.0), [[8, 6], [2, 2]], step=1.0)
    figure, sentence = shown[0]
    right = figure.axes[1]
    words = {text.get_text() for text in right.texts}
    assert {"(8, 2)", "(6, 2)"} <= words
    x, y = right.lines[0].get_data()
    assert (x.max(), y.max()) == (40, 18)  # f(4, 5), where the straight shape ends at (38, 18)
    assert np.allclose(right.patches[0].get_xy().max(axis=0), (38, 18))
    assert "(3, 4)" in sentence


@pytest.mark.parametrize(
    ("inputs", "outputs", "walk", "verdict", "tiles"),
    [
        (30, 8, 1.0, "reverse mode is cheaper. The lines cross at 8 inputs", 8),
        (30, 8, 4.0, "forward mode is cheaper. The lines cross at 32 inputs", 30),
        (8, 8, 1.0, "both cost the same", 8),
    ],
)
def test_the_cheaper_mode_counts_passes_and_walks(shown, inputs, outputs, walk, verdict, tiles):
    mode_costs(inputs, outputs, walk)
    figure, sentence = shown[0]
    assert verdict in sentence
    assert len(figure.axes[0].patches) == tiles  # as many as the passes, or walks, that fill the Jacobian
