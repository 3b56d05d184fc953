"""A time limit for cells of an open notebook, from inside their own kernel.

A loop in Python is interrupted. A loop inside compiled code never looks for an interrupt, and may hold the lock that
every thread of Python waits for; then nothing written in Python runs any more, and all that is left is to end the
kernel. `faulthandler` does that from a thread that needs no lock. JupyterLab then starts a new kernel by itself.
"""

from __future__ import annotations

import _thread
import faulthandler
import signal
import threading
from typing import IO

from minigrad.guards import capabilities

GRACE = 5.0  # seconds that an interrupted cell has to stop


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
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=file)
        self._timer = threading.Timer(seconds, self._interrupt)
        self._timer.daemon = True
        self._timer.start()

    def _interrupt(self) -> None:
        self.passed = True
        _thread.interrupt_main()

    def stop(self) -> None:
        """Call when the cell has ended."""
        if self._timer is not None:
            self._timer.cancel()
            faulthandler.cancel_dump_traceback_later()
