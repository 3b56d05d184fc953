"""While numba compiles, signals wait for a moment at which nothing is half done, and the garbage collector pauses.

LLVM calls back into Python, and what is raised there is printed and forgotten: a Ctrl-C that came at such a moment left
a library without its machine code. Anywhere else it could leave a symbol without an address, or numba's tables with a
part of their entries. So a signal waits for the next step of the compiler, as its own errors do, or for its end.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
import uuid
from collections.abc import Iterator
from typing import Any

from numba.core import event

from minigrad.interrupts import Held, is_main_thread


class _Compiling(event.Listener):  # type: ignore[misc]
    """Hears when a thread asks for numba's lock, and when it has given it back. It may do so again before that."""

    def __init__(self) -> None:
        self.compiling, self.paused, self.lock = 0, False, threading.Lock()
        self.held, self.depth = Held(), 0  # of the main thread

    def on_start(self, event: Any) -> None:
        if is_main_thread():
            if self.depth == 0:
                self.held = Held()
                self.held.hold(signal.valid_signals())
            self.depth += 1
        with self.lock:  # nearly all of numba's objects stay, and scanning them took about a tenth of the time
            self.compiling += 1
            if self.compiling == 1 and gc.isenabled():
                self.paused = True
                gc.disable()

    def on_end(self, event: Any) -> None:
        with self.lock:
            self.compiling -= 1
            if self.compiling == 0 and self.paused:
                self.paused = False
                gc.enable()
        if is_main_thread():
            self.depth -= 1
            if self.depth == 0:
                self.held.release()


class _Steps(event.Listener):  # type: ignore[misc]
    """Hears when the compiler begins with one of its passes over a function: it may fail there, and so end there."""

    def on_start(self, event: Any) -> None:
        if COMPILING.depth and is_main_thread():
            COMPILING.held.call()

    def on_end(self, event: Any) -> None:
        """Do nothing: what comes behind a pass belongs to it."""


COMPILING = _Compiling()
event.register("numba:compiler_lock", COMPILING)
event.register("numba:run_pass", _Steps())


@contextlib.contextmanager
def open_for_write(path: str) -> Iterator[Any]:
    """Open a file that replaces the one at `path` when it is complete. numba's own function left a part of it behind
    where something else than an `Exception` ended it.
    """
    part = f"{path}.tmp.{uuid.uuid4().hex[:16]}"
    try:
        with open(part, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
