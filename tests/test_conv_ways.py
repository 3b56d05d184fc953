"""Convolution by loops, by a matrix product and by the Fourier transform: the same numbers."""

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.measure.conv_ways import WAYS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("dtype", "near"), [(np.float32, 1e-5), (np.float64, 1e-12)])
@pytest.mark.parametrize(
    "shapes", [((2, 1, 7, 6), (3, 1, 3, 3)), ((1, 4, 5, 9), (2, 4, 1, 4)), ((3, 2, 4, 4), (1, 2, 4, 4))]
)
def test_all_ways_agree_with_conv2d(way, dtype, near, shapes):
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype(dtype) for shape in shapes)
    y = WAYS[way](x, w)
    assert y.dtype == dtype
    np.testing.assert_allclose(y, mg.conv2d(x, w), rtol=near, atol=10 * near)


@pytest.mark.parametrize("way", WAYS)
def test_filters_that_do_not_fit_get_a_sentence(way):
    with pytest.raises(ValueError, match="the filters expect 2"):
        WAYS[way](np.zeros((1, 1, 5, 5)), np.zeros((1, 2, 3, 3)))
