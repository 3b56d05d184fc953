"""Learning rates that change: functions of the step, which counts from 0. Give one to an optimizer as its lr."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from minigrad.guards.settings import number, size

Rate = float | Callable[[int], float]  # a learning rate, or one for each step: steps count from 0


def cosine(lr: float, steps: int, last: float = 0.0) -> Callable[[int], float]:
    """From `lr` down to `last` over `steps` steps along half a cosine, then `last` (Loshchilov and Hutter, 2017)."""
    number("cosine", "lr", lr, 0, above=True)
    return partial(_cosine, lr, size("cosine", "steps", steps), number("cosine", "last", last, 0))


def warmup(lr: Rate, steps: int) -> Callable[[int], float]:
    """`lr` (a number or a schedule), scaled up from lr / steps to lr over the first `steps` steps."""
    if not callable(lr):
        number("warmup", "lr", lr, 0, above=True)
    return partial(_warmup, lr, size("warmup", "steps", steps))


def warmup_cosine(lr: float, warm: int, steps: int, last: float = 0.0) -> Callable[[int], float]:
    """Up in a straight line to `lr` over `warm` steps, then down to `last` along half a cosine until step `steps`."""
    number("warmup_cosine", "lr", lr, 0, above=True)
    number("warmup_cosine", "last", last, 0)
    if not 0 <= size("warmup_cosine", "warm", warm, 0) < size("warmup_cosine", "steps", steps):
        raise ValueError(f"warmup_cosine warms up for 0 <= warm < steps, got warm={warm} and steps={steps}")
    return partial(_warmup_cosine, lr, warm, steps, last)


# The schedules themselves. As functions of a module they can be pickled with their optimizer.


def _cosine(lr: float, steps: int, last: float, step: int) -> float:
    return last + (lr - last) * 0.5 * (1 + math.cos(math.pi * min(step / steps, 1.0)))


def _warmup(lr: Rate, steps: int, step: int) -> float:
    return (lr(step) if callable(lr) else lr) * min((step + 1) / steps, 1.0)


def _warmup_cosine(lr: float, warm: int, steps: int, last: float, step: int) -> float:
    return lr * (step + 1) / warm if step < warm else _cosine(lr, steps - warm, last, step - warm)
