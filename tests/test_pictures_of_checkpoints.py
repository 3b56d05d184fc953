"""Schedules of a loop's walk back: what is held, and how often a step is computed."""

import math

import numpy as np
import pytest

from minigrad_course.viz.pictures_of_checkpoints import AGAIN, BACK, CHECKPOINT, EMPTY, checkpoints, schedule, trade_off


def test_all_states_kept_computes_nothing_twice():
    one = schedule(12, 1)
    assert (one.calls, one.peak) == (12, 12)


def test_nothing_kept_computes_each_state_from_the_beginning():
    one = schedule(12, None)
    assert one.calls == 12 + sum(range(12))
    assert one.peak == 2


@pytest.mark.parametrize("steps", [9, 36, 100])
def test_every_square_root_holds_two_square_roots_and_computes_less_than_twice(steps):
    root = math.isqrt(steps)
    one = schedule(steps, root)
    assert one.peak == 2 * root - 1
    assert one.calls == 2 * steps - root
    assert one.peak <= min(schedule(steps, k).peak for k in range(1, steps + 1))


@pytest.mark.parametrize(("steps", "every"), [(1, 1), (7, 3), (10, 4), (10, 10), (10, 99), (5, None)])
def test_each_step_is_walked_back_over_once_from_the_last_to_the_first_with_its_state_at_hand(steps, every):
    moments = schedule(steps, every).moments
    walked = [int(np.flatnonzero(row == BACK)[0]) for row in moments if (row == BACK).any()]
    assert walked == list(reversed(range(steps)))
    assert np.isin(moments[:, 0], [CHECKPOINT, BACK, 3]).all(), "the first state is never let go before its turn"
    assert not ((moments == AGAIN).any() and every == 1)
    assert (moments[-1] == EMPTY).sum() == steps - 1


def test_steps_that_cannot_be():
    with pytest.raises(ValueError, match="every >= 1, got 5 and 0"):
        schedule(5, 0)


def test_the_picture_says_in_words_what_it_shows(shown):
    checkpoints(9, [1, 3, None])
    assert shown[0][1] == (
        "A loop of 9 steps, forwards and then backwards. every 1: 9 steps computed, at most 9 states held; "
        "every 3: 15 steps computed, at most 5 states held; nothing kept: 45 steps computed, at most 2 states held."
    )


def test_the_trade_off_says_what_a_number_of_checkpoints_costs(shown):
    trade_off(3, 9)
    trade_off(4, 9)  # no four are equally far apart in nine steps
    assert [words for _, words in shown] == ["3 checkpoints in 9 steps: at most 5 states held, 15 steps computed."] * 2
