"""Choose the data of a lesson. Every lesson runs in two sizes: small (the embedded digits, seconds) and full (real
MNIST).

One switch sets it for all lessons, the environment variable MINIGRAD_SIZE; one argument sets it for a single cell. A
lesson always reports its data and the reason: a figure means nothing without it.
"""

from __future__ import annotations

import os

from minigrad.guards.installation import command
from minigrad_course.data.dataset import Data, DataError
from minigrad_course.data.embedded import digits
from minigrad_course.data.originals import mnist

SIZES = ("small", "full")


def size() -> str:
    """The size in use, "small" or "full": from the environment variable MINIGRAD_SIZE, "small" if it is not set.

    Raises ValueError for any other value.

    >>> mg.data.size() in ("small", "full")
    True
    """
    return _choose(None)[0]


def for_lesson(size: str | None = None) -> Data:
    """The data for a lesson: small is `digits()`, full is `mnist()`. Prints one line that says which it is, and why.

    `size` is "small", "full", or None for the size in use. If MNIST is unavailable, the lesson gets the digits and the
    line says why. Raises ValueError for an unknown size.

    >>> data = mg.data.for_lesson("small")
    Data: the embedded digits, 1,297 training and 500 test images. ...
    """
    chosen, why = _choose(size)
    if chosen == "small":
        data, note = digits(), _other("real MNIST", "full")
    else:
        try:
            data, note = mnist(), _other("quick runs", "small")
        except DataError as error:
            data, note = digits(), f"Not the real MNIST you asked for, because: {error}"
    title = {"digits": "the embedded digits", "mnist": "real MNIST"}[data.name]
    counts = f"{len(data.train_x):,} training and {len(data.test_x):,} test images"
    print(f"Data: {title}, {counts}. Size: {chosen} ({why}). {note}")
    return data


def _other(what: str, size: str) -> str:
    return f'For {what}: for_lesson("{size}") here, or open the course by `{command("lab", "--size", size)}`.'


def _choose(argument: str | None) -> tuple[str, str]:
    """Return the size to use, and the origin of that choice."""
    setting = os.environ.get("MINIGRAD_SIZE")
    if argument is not None:
        chosen, why = argument, "the cell says so"
    elif setting:
        chosen, why = setting, f"MINIGRAD_SIZE={setting}"
    else:
        chosen, why = "small", "the default"
    if chosen not in SIZES:
        raise ValueError(
            f'The size is {chosen!r} ({why}), but must be "small" (embedded digits) or "full" (real MNIST).'
        )
    return chosen, why
