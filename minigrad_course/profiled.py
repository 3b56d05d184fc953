"""Watch the calls of a block by Python's profiling hook, beside a profiler that is there already, such as %prun's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def profiled(note: Callable[[FrameType, str, Any], None]) -> Iterator[None]:
    """Call note(frame, event, argument) at each call and return of the block, as sys.setprofile() does.

    Another profiler misses the block, and goes on after it.
    """
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        # Up to Python 3.11, sys.getprofile() returns cProfile's profiler itself, which cannot be called.
        if before is None or callable(before):
            sys.setprofile(before)
        else:
            sys.setprofile(None)
            before.enable()
