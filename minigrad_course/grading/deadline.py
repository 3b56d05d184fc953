"""A time limit for cells of an open notebook, from inside their own kernel.

It counts seconds of the processor, so that a busy computer ends nobody's cell; by the clock a cell that waits has a few
times as long. A loop in Python is interrupted. A loop inside compiled code never looks for an interrupt, and may hold
the lock that every thread of Python waits for; then nothing written in Python runs any more, and all that is left is to
end the kernel. `faulthandler` does that from a thread that needs no lock. JupyterLab then starts a new one by itself.
"""

from __future__ import annotations

import _thread
import faulthandler
import signal
import threading
import time
from typing import IO

from minigrad.guards import capabilities

GRACE = 5.0  # seconds that an interrupted cell has to stop
WAITING = 4  # times its limit, by the clock, for a cell that waits
SHORTEST = 0.05  # seconds between two looks at the processor's time


class Deadline:
    """One cell's time limit, from `Deadline(...)` to `stop()`. Last words of a kernel that is ended go to `file`.

    Without threads there is none: whoever runs the kernel has to end it.
    """

    def __init__(self, seconds: float, file: IO[str]) -> None:
        self.passed = False  # whether the cell was interrupted
        self._timer: threading.Timer | None = None
        if not capabilities.has("threads"):
            return
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # inherited from a shell's background job
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self._file, self._lock = file, threading.Lock()
        self._computed, self._clock = time.process_time() + seconds, time.monotonic() + WAITING * seconds
        self._look_in(seconds)

    def _look_in(self, seconds: float) -> None:
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=self._file)
        self._timer = threading.Timer(seconds, self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        """Interrupt the cell if its time is over, or look again later."""
        with self._lock:
            left = min(self._computed - time.process_time(), self._clock - time.monotonic())
            if self._timer is not None and left > 0:
                self._look_in(max(left, SHORTEST))
            elif self._timer is not None:
                self.passed = True
                _thread.interrupt_main()

    def stop(self) -> None:
        """Call when the cell has ended."""
        if self._timer is not None:
            with self._lock:
                self._timer.cancel()
                self._timer = None
                faulthandler.cancel_dump_traceback_later()
