"""Defer Ctrl-C, or the stop button, until nothing is half done: neither a step of training nor a compiler's work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType


class Held:
    """Signals that wait: their handlers in Python are called by `call` or `release`, and not when a signal comes.

    To be used by the main thread, the only one that Python interrupts.
    """

    def __init__(self) -> None:
        self._handlers: dict[int, signal._HANDLER] = {}
        self._heard: dict[int, FrameType | None] = {}

    def hold(self, signals: Iterable[int]) -> None:
        """Let those of these signals wait that Python handles."""
        try:
            for number in signals:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._hear)
        except BaseException:  # by a signal that did not wait yet
            self.release()
            raise

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self._heard.setdefault(number, frame)

    def call(self) -> None:
        """Call the handlers of all signals that have come; they may raise. More signals wait again."""
        if self._heard:
            number, frame = self._heard.popitem()
            handler = self._handlers[number]
            assert callable(handler)
            try:
                handler(number, frame)
            finally:
                self.call()

    def release(self) -> None:
        """Handle signals as before, and those that have come."""
        try:
            self._restore()
        except BaseException:  # by a signal that does not wait any more
            self._restore()
            raise
        self.call()

    def _restore(self) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)


def is_main_thread() -> bool:
    """Tell whether this is the thread that Python interrupts."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer an interrupt inside to the end."""
    if not is_main_thread():
        yield
        return
    held = Held()
    held.hold([signal.SIGINT])
    try:
        yield
    finally:
        held.release()
