"""Infinity, nan, ties and corners: pinned on a page of the documentation, and compared with PyTorch."""

import os

import numpy as np
import pytest

import minigrad as mg

from .special_values import DEVIATIONS, PAGE, SECOND_DEVIATIONS, page, same, table, unusual

TABLE = list(table())


def test_the_page_is_what_minigrad_computes():
    """docs/special_values.md is computed from the table, to the letter."""
    if os.environ.get("MINIGRAD_WRITE_DOCS"):
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page(), "run this test with MINIGRAD_WRITE_DOCS=1, and read what changed"


@pytest.mark.torch
def test_special_values_are_those_of_pytorch(count):
    """Values and both derivatives, except where the page says why not; at least 100 with a nan or an infinity."""
    torch = pytest.importorskip("torch")
    different = [
        f"{special.key}: {special.values()}, and PyTorch {special.torch_values(torch)}"
        for special in TABLE
        if not same(DEVIATIONS.get(special.key, [special.values()])[0], special.torch_values(torch))
    ]
    different += [
        f"second derivative of {special.key}: {special.second()}, and PyTorch {special.torch_second(torch)}"
        for special in TABLE
        if not same(SECOND_DEVIATIONS.get(special.key, [special.second()])[0], special.torch_second(torch))
    ]
    count("special values compared with PyTorch", len(TABLE))
    assert different == []


def test_there_are_enough_special_values(count):
    """At least 100 with a nan or an infinity; the deviations are of points in the table, and real."""
    with_nan_or_inf = sum(map(unusual, TABLE))
    count("special values with nan or inf", with_nan_or_inf)
    assert with_nan_or_inf >= 100
    points = {special.key: special for special in TABLE}
    assert len(points) == len(TABLE)
    assert all(not same(points[key].values(), theirs) for key, (theirs, _) in DEVIATIONS.items())
    assert all(not same(points[key].second(), theirs) for key, (theirs, _) in SECOND_DEVIATIONS.items())


def test_forward_mode_gives_the_same_at_finite_inputs():
    """At a corner, a tie, or where the derivative is infinite: both modes agree."""
    finite = [s for s in TABLE if all(np.all(np.isfinite(x)) for x in s.inputs)]
    assert len(finite) >= 40
    assert [s.key for s in finite if not same(s.values()[1:], s.forward_mode())] == []
    assert [s.key for s in finite if not same(s.second(), s.second_in_forward_mode())] == []


def test_sums_of_float32_are_pairwise():
    """Ten million times 0.1 in float32 is within 1 of a million; added one by one it would be off by 8 %."""
    assert abs(float(mg.sum(np.full(10_000_000, 0.1, np.float32))) - 1_000_000) < 1
    assert abs(mg.sum(mg.Variable(np.full(10_000_000, 0.1, np.float32))).value - 1_000_000) < 1


def test_float32_with_float64_is_float64():
    """And each gradient has the dtype of its variable; a number of Python takes part in either."""
    a, b = mg.Variable(np.ones(3, np.float32)), mg.Variable(np.ones(3))
    product = mg.sum(a * b * 2.0)
    product.backward()
    assert (product.dtype, a.grad.dtype, b.grad.dtype) == (np.float64, np.float32, np.float64)
    assert (2.0 * a + 1).dtype == np.float32


def test_stop_gradient_stops():
    """x * stop_gradient(x) has the derivative x: the second factor counts as a constant. So it is in both modes."""
    assert mg.grad(lambda x: x * mg.stop_gradient(x))(3.0) == 3.0
    assert mg.derivative(lambda x: x * mg.stop_gradient(x), 3.0) == 3.0
