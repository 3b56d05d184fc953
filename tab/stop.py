"""End what runs for too long, in a Python that has no threads and no signals."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable

BETWEEN_LOOKS = 0.5  # seconds between two questions whether to stop
STEPS_BETWEEN = 2000  # jumps and calls between two looks at the clock


class Stop:
    """Interrupt what runs `with` it, as Ctrl-C would, once `wanted()` says so.

    Nobody can reach a Python that computes in a tab. So, while it does, it counts its own jumps and calls, looks at the
    clock now and then, and asks. The handler of SIGINT raises KeyboardInterrupt, or lets it wait until nothing is half
    done (minigrad/guards/interrupts.py).
    """

    TOOL = sys.monitoring.PROFILER_ID if sys.version_info >= (3, 12) else 0

    def __init__(self, wanted: Callable[[], bool]) -> None:
        self.wanted, self.steps, self.asked = wanted, STEPS_BETWEEN, 0.0
        events = sys.monitoring.events
        self.events = events.JUMP | events.PY_START
        sys.monitoring.use_tool_id(self.TOOL, "minigrad-tab")
        sys.monitoring.register_callback(self.TOOL, events.JUMP, self.step)
        sys.monitoring.register_callback(self.TOOL, events.PY_START, self.step)

    def __enter__(self) -> None:
        self.asked = time.monotonic()
        sys.monitoring.set_events(self.TOOL, self.events)

    def __exit__(self, *_: object) -> None:
        sys.monitoring.set_events(self.TOOL, 0)

    def step(self, *_: object) -> None:
        self.steps -= 1
        if self.steps > 0:
            return
        self.steps = STEPS_BETWEEN
        now = time.monotonic()
        if now - self.asked < BETWEEN_LOOKS:
            return
        self.asked = now
        handler = signal.getsignal(signal.SIGINT)
        if self.wanted() and callable(handler):
            handler(signal.SIGINT, sys._getframe(1))
