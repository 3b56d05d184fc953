"""Keeps things out of an answer's reach: a counter is no use if the code that it counts can reset it."""

from __future__ import annotations

from typing import Any


def outside(thing: object, *names: str) -> Any:
    """Return `thing`, such as a counter that the test reads afterwards. Answers may use its `names`, or call it.

    Without `names`, those in its class's `crosses`.

    When a class is graded it stays outside the submission's process, which gets a stand-in, so that no answer can
    reset a counter (minigrad_class/remote_objects.py).
    """
    return thing
