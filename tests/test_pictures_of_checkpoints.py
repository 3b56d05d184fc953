"""Schedules of a loop's walk back: what is held, and how often a step is computed."""

import math

import numpy as np
import pytest

from minigrad_course.viz.pictures_of_checkpoints import AGAIN, BACK, CHECKPOINT, EMPTY, schedule


@pytest.mark.parametrize("steps", [9, 36, 100])
def test_every_square_root_computes_less_than_twice(steps):
    root = math.isqrt(steps)
    one = schedule(steps, root)
    assert one.peak == 2 * root - 1
    assert one.calls == 2 * steps - root
    assert one.peak <= min(schedule(steps, k).peak for k in range(1, steps + 1))


@pytest.mark.parametrize(("steps", "every"), [(1, 1), (7, 3), (10, 4), (10, 10), (10, 99), (5, None)])
def test_each_step_is_walked_back_over_once(steps, every):
    moments = schedule(steps, every).moments
    walked = [int(np.flatnonzero(row == BACK)[0]) for row in moments if (row == BACK).any()]
    assert walked == list(reversed(range(steps)))
    assert np.isin(moments[:, 0], [CHECKPOINT, BACK, 3]).all(), "the first state is never let go before its turn"
    assert not ((moments == AGAIN).any() and every == 1)
    assert (moments[-1] == EMPTY).sum() == steps - 1
