"""The compile clock: how many seconds numba spent compiling while something was measured.

numba broadcasts an event when it starts and when it ends compiling. Compiling one function can compile others inside,
so events nest: the clock runs from the first start to the last end, and no second counts twice.

Two kinds of events count: `numba:compile`, sent by `njit` functions only, and the compiler's lock, which `vectorize`,
`cfunc` and the loading of compiled code take as well.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any

from minigrad.guards import capabilities

if TYPE_CHECKING:
    from minigrad_course.measure.array_counter import ArrayCounter

_KINDS = ("numba:compile", "numba:compiler_lock")


class CompileClock:
    """Adds up the seconds that numba compiles in this thread between start() and stop()."""

    def __init__(self) -> None:
        #: Paused while numba compiles, so that it leaves out the compiler's own bytes.
        self.counter: ArrayCounter | None = None
        self.seconds = 0.0
        self._thread = threading.get_ident()
        self._depth, self._since = 0, 0.0
        self._listener: Any = None

    def start(self) -> None:
        """Listen to numba, which is imported where this Python has it."""
        if not capabilities.has("numba"):
            return
        with contextlib.suppress(ImportError):  # of a numba that is broken, and compiles nothing
            from numba.core import event

            class Listener(event.Listener):
                on_start, on_end = staticmethod(self._on_start), staticmethod(self._on_end)

            self._listener = Listener()
            for kind in _KINDS:
                event.register(kind, self._listener)

    def stop(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            from numba.core import event

            for kind in _KINDS:
                event.unregister(kind, self._listener)
            self._listener = None

    def _on_start(self, event: object) -> None:
        if threading.get_ident() != self._thread:
            return
        if self._depth == 0:
            self._since = time.perf_counter()
            if self.counter is not None:
                self.counter.pause()
        self._depth += 1

    def _on_end(self, event: object) -> None:
        if self._depth == 0 or threading.get_ident() != self._thread:
            return  # the end of something that began earlier, or elsewhere
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._since
            if self.counter is not None:
                self.counter.resume()
