"""The compile clock: how many seconds numba spent compiling while something was measured.

numba broadcasts an event when it starts and when it ends compiling. Compiling one function can compile others inside,
so events nest: the clock runs from the first start to the last end, and no second counts twice.

Two kinds of events count. `numba:compile` is sent by `njit` functions only; `vectorize`, `guvectorize`,
`cfunc` and the loading of compiled code from numba's cache only take the compiler's lock (`numba:compiler_lock`).
"""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minigrad.guards import capabilities

if TYPE_CHECKING:
    from minigrad_course.measure.arrays import ArrayCounter

_KINDS = ("numba:compile", "numba:compiler_lock")


class CompileClock:
    """Adds up the seconds that numba compiles between start() and stop(); does not import numba itself."""

    def __init__(self) -> None:
        #: Told when numba compiles in the measuring thread, so that it leaves out the compiler's own bytes.
        self.counter: ArrayCounter | None = None
        self.seconds = 0.0
        self.import_seconds = 0.0
        self.in_other_thread = False
        self._thread = threading.get_ident()
        self._depth, self._since = 0, 0.0
        self._paused: ArrayCounter | None = None
        self._listener: Any = None
        self._finder: _NumbaFinder | None = None

    def start(self) -> None:
        """Listen to numba now if it is loaded, else as soon as it is."""
        if "numba" in sys.modules:
            self._listen()
        elif capabilities.has("numba"):  # asked before the finder stands in the way of the question
            self._finder = _NumbaFinder(self._numba_came)
            sys.meta_path.insert(0, self._finder)

    def stop(self) -> None:
        """Stop listening."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        if self._listener is not None:
            from numba.core import event

            for kind in _KINDS:
                event.unregister(kind, self._listener)
            self._listener = None

    def _listen(self) -> None:
        from numba.core import event

        class Listener(event.Listener):
            on_start, on_end = staticmethod(self._on_start), staticmethod(self._on_end)

        self._listener = Listener()
        for kind in _KINDS:
            event.register(kind, self._listener)

    def _numba_came(self, import_seconds: float) -> None:
        self.import_seconds += import_seconds
        self._listen()
        if self.counter is not None:
            self.counter.numba_arrived()

    def _on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._since = time.perf_counter()
            if threading.get_ident() != self._thread:
                self.in_other_thread = True
            elif self.counter is not None:
                self._paused = self.counter
                self._paused.pause()
        self._depth += 1

    def _on_end(self, event: Any) -> None:
        if self._depth == 0:
            return  # the end of something that began earlier
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._since
            if self._paused is not None:
                self._paused.resume()
                self._paused = None


class _NumbaFinder:
    """Stands first in sys.meta_path and waits for `import numba`, to call `then(seconds)` when that is done."""

    def __init__(self, then: Callable[[float], None]) -> None:
        self._then = then

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "numba":
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_tell(module: Any) -> None:
            since = time.perf_counter()
            execute(module)
            self._then(time.perf_counter() - since)

        spec.loader.exec_module = execute_and_tell  # type: ignore[method-assign]
        return spec
