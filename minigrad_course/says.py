"""A sentence that asserts its numbers: `says("{:.0%} of {} digits", share, n, when=lambda share, n: share > 0.9)`.

The figure that is printed and the figure that is asserted are one value, so that they cannot part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def says(sentence: str, *values: object, when: Callable[..., Any]) -> None:
    """Print a sentence with its values, if it is true: `when` is a function of the same values.

    An AssertionError shows the sentence that is not true. `sentence` is formatted as by `str.format`.
    """
    text = sentence.format(*values)
    if not when(*values):
        raise AssertionError(f"This is not so: “{text}”. Undo what you changed in the cells above, and run them again.")
    print(text)
