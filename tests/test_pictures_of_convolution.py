"""A filter that slides, and the outputs that met a pixel: what the pictures say is what `conv2d` computes."""

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.viz import pictures_of_convolution as pictures


def test_the_sum_under_the_picture_is_conv2ds(shown):
    rng = np.random.default_rng(0)
    x, w = rng.random((6, 8)), rng.standard_normal((3, 2))
    pictures.sliding(x, w, 2, 5, "A filter.")
    expected = np.asarray(mg.conv2d(x[None, None], w[None, None]))[0, 0, 2, 5]
    assert shown[0][1] == (
        f"A filter. Window at row 2, column 5: the products add up to {expected:+.2f}, which becomes the output's "
        "entry (2, 5)."
    )


@pytest.mark.parametrize("pixel", [(3, 3), (0, 0), (0, 4), (6, 5)])
def test_the_letters_are_the_adjoint_of_conv2d(pixel):
    weights = dict(zip("abcdefghi", np.arange(1.0, 10.0), strict=True))
    x = mg.Variable(np.zeros((1, 1, 7, 7)))
    y = mg.conv2d(x, np.arange(1.0, 10.0).reshape(1, 1, 3, 3))
    names = pictures.met_by(*pixel)
    for r in range(5):
        for q in range(5):
            (adjoint,) = mg.adjoints(y[0, 0, r, q], [x])
            assert adjoint.value[0, 0][pixel] == (weights[names[r][q]] if names[r][q] else 0)
