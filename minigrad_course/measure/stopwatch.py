"""`with measure() as m:`, and the same for functions: run several times, or counted apart from the timing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minigrad.guards import capabilities
from minigrad_course.measure.compiling import CompileClock
from minigrad_course.measure.memray_counter import ProcessCounter
from minigrad_course.measure.result import Count, Measurement, Unavailable

if TYPE_CHECKING:
    from minigrad_course.measure.array_counter import ArrayCounter

SHORTEST = 2e-3  # seconds of a turn: the clock of a browser ticks 10,000 times a second, and no faster
_UNSEEN = {"torch": "PyTorch", "jax": "JAX", "tensorflow": "TensorFlow"}  # by the array counter


def _array_counter() -> ArrayCounter:
    for part in ("ctypes", "numba"):
        if not capabilities.has(part):
            raise Unavailable(f"Array bytes are not counted: {capabilities.without(part)}.")
    from minigrad_course.measure.array_counter import ArrayCounter

    return ArrayCounter()


_COUNTERS: dict[str, Callable[[], Any]] = {"arrays": _array_counter, "process": ProcessCounter}

_lock = threading.Lock()
_running: list[measure] = []
_rehearsed: list[bool] = []


class measure:  # in lower case, as it reads like a verb
    """Measure the block under `with measure() as m:`: seconds, compile seconds, bytes, allocations, peak.

    `m`, a Measurement, is filled in when the block ends, also when an error ends it; the error goes on its way.

    bytes: what to count while the block runs.
        "arrays" (default): NumPy and numba arrays, exactly. Costs some 20 ns an array, so the seconds are good. Blind
            to PyTorch, JAX, BLAS and Python's own objects.
        "process": every allocation of the process, by memray. Slows Python: `m.slowed` says that the seconds are too
            long.
        None: nothing; only the time.

    The first block in a process imports numba, where there is one, before its time begins. Blocks may be nested
    (bytes="process" not in itself). Seconds and bytes are those of the whole process, so two threads cannot measure at
    the same time: RuntimeError. Where a way of counting does not work, its figures are None and `m.notes` says why;
    that is no error. ValueError for an unknown `bytes`.

    >>> with mg.measure() as m:
    ...     x = np.zeros(1000)
    >>> m.seconds < 60
    True
    """

    def __init__(self, bytes: str | None = "arrays") -> None:
        if bytes is not None and bytes not in _COUNTERS:
            raise ValueError(f'measure(bytes={bytes!r}): there is "arrays", "process" and None (only the time).')
        self._bytes = bytes
        self._thread: threading.Thread | None = None
        self._counter: ArrayCounter | ProcessCounter | None = None

    def __enter__(self) -> Measurement:
        if self._bytes == "process" and not _rehearsed:
            _rehearsed.append(True)
            with measure("process"):
                pass  # memray's first run in a process sees some KiB of its own
        self._enter_or_refuse()
        self._m, self._counter, self._why_not = Measurement(), None, ""
        self._clock = CompileClock()
        try:
            self._clock.start()
            if self._bytes is not None:
                counter = _COUNTERS[self._bytes]()
                counter.start()
                self._counter, self._clock.counter = counter, counter if self._bytes == "arrays" else None
        except Unavailable as reason:
            self._why_not = str(reason)
        except BaseException:
            self._clock.stop()
            _running.remove(self)
            raise
        self._older_threads = threading.enumerate() if self._bytes == "arrays" else []
        self._since = time.perf_counter()  # last, so that nothing of the measuring is timed
        return self._m

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        elapsed = time.perf_counter() - self._since  # first, for the same reason
        try:
            count = self._counter.stop() if self._counter else Count()
        finally:
            self._clock.stop()
            _running.remove(self)
        m = self._m
        m.compile_seconds = self._clock.seconds
        m.seconds = max(0.0, elapsed - m.compile_seconds)
        m.times = (m.seconds,)
        m.allocated_bytes, m.allocations, m.peak_bytes = count.allocated_bytes, count.allocations, count.peak_bytes
        m.counted = self._bytes if self._bytes and self._counter else "nothing"
        m.method = self._counter.method if self._counter else self._why_not or "Only the time was measured."
        m.slowed = m.counted == "process"
        m.notes = (*count.notes, *self._remarks(kind))

    def _enter_or_refuse(self) -> None:
        thread = threading.current_thread()
        with _lock:
            if self in _running:
                raise RuntimeError("This measure() already runs: write `with measure()` anew for a block inside it.")
            other = _running[0]._thread if _running else thread
            if other is not thread and other is not None:
                raise RuntimeError(
                    f"measure() is already running in thread {other.name!r}. Seconds and bytes are those of "
                    "the whole process, so two threads cannot measure at once: put one measure() around both."
                )
            self._thread = thread
            _running.append(self)

    def _remarks(self, error: type[BaseException] | None) -> list[str]:
        """Collect the reader's notes on these figures."""
        notes = [self._why_not] if self._why_not else []
        unseen = [name for module, name in _UNSEEN.items() if module in sys.modules]
        if self._m.counted == "arrays" and unseen:
            notes.append(f'{" and ".join(unseen)} not counted: %%measure --all, or bytes="process", counts everything.')
        running = (threading.main_thread(), threading.current_thread())
        older = [t.name for t in self._older_threads if t.is_alive() and not t.daemon and t not in running]
        if self._m.counted == "arrays" and older:
            notes.append(f"What NumPy did in threads that had started before is not counted: {', '.join(older[:3])}.")
        if self._m.counted == "process" and self._clock.seconds:
            notes.append("numba compiled meanwhile: the compiler's allocations are in the count. Run it once before.")
        if error is not None:
            notes.append(f"Ended by {error.__name__}: the figures go up to there.")
        return notes


def repeat(
    function: Callable[..., Any],
    *args: object,
    repeats: int = 5,
    warmup: int = 1,
    bytes: str | None = "arrays",
    **kwargs: Any,
) -> Measurement:
    """Call `function(*args, **kwargs)` warmup + repeats times and measure each call: median seconds and spread.

    The bytes are those of one call. With bytes="process" the timed calls run uncounted, and one further call is
    counted: so the seconds are not slowed. compile_seconds is the sum over all calls. ValueError if repeats < 1.
    """
    __tracebackhide__ = True
    if repeats < 1 or warmup < 0:
        raise ValueError(f"repeat: repeats is {repeats} and warmup {warmup}; there must be 1 or more and 0 or more.")
    runs = []
    for i in range(warmup + repeats):
        # memray must see the code once before it counts; the warm-up is not timed, so do it now.
        with measure(None if bytes == "process" and i >= warmup else bytes) as run:
            function(*args, **kwargs)
        runs.append(run)
    timed = runs[warmup:]
    m = count_allocations(function, *args, warmup=0, **kwargs) if bytes == "process" else timed[-1]
    m.times = tuple(run.seconds or 0.0 for run in timed)
    m.seconds = float(np.median(m.times))
    m.compile_seconds = sum(run.compile_seconds or 0.0 for run in runs)
    counts = [run.allocated_bytes for run in timed if run.allocated_bytes is not None]
    if counts and min(counts) != max(counts):
        m.notes += (f"Bytes of the last run; they went from {min(counts):,} to {max(counts):,} from run to run.",)
    return m


def in_turns(
    jobs: Iterable[Callable[[], Any]], rounds: int = 15, budget: float = 2.0, clock: Callable[[], float] | None = None
) -> np.ndarray:
    """Return the seconds of one call of each job, a row for each round, in which all of them take turns.

    A job that is too short for the clock is called several times in its turn. A first round does not count. No round
    begins after `budget` seconds by the wall, except for the first two that count: so nobody waits long on a slow
    computer. clock: time.process_time leaves out what other programs do; the default is time.perf_counter.
    """
    clock, jobs, began = clock or time.perf_counter, list(jobs), time.perf_counter()
    calls = [1] * len(jobs)
    times: list[list[float]] = []
    while len(times) < 3 or (len(times) <= rounds and time.perf_counter() - began < budget):
        times.append([_turn(k, job, calls, clock) / calls[k] for k, job in enumerate(jobs)])
    return np.array(times[1:])


def _turn(k: int, job: Callable[[], Any], calls: list[int], clock: Callable[[], float]) -> float:
    """Return the seconds of calls[k] calls of a job, and double calls[k] until the clock can tell them."""
    while True:
        start = clock()
        for _ in range(calls[k]):
            job()
        if (seconds := clock() - start) >= SHORTEST:
            return seconds
        calls[k] *= 2


def count_allocations(
    function: Callable[..., Any], *args: object, warmup: int = 1, bytes: str = "process", **kwargs: object
) -> Measurement:
    """Count what `function(*args, **kwargs)` allocates: NumPy, numba and PyTorch alike, by one method, without timing.

    For comparisons: do the timing first, then count with this. Calls the function `warmup` times uncounted, so that
    what happens once (BLAS work space, compilation, caches) is left out, and then once counted. Returns a Measurement
    with seconds None; where nothing can be counted, it calls the function once, and `notes` says why.
    """
    for _ in range(warmup + 1):
        with measure(bytes) as m:
            function(*args, **kwargs)
        if m.counted == "nothing":
            break
    m.seconds, m.compile_seconds, m.times, m.slowed = None, None, (), False
    return m


class PerStep(NamedTuple):
    """The average bytes and blocks of memory of one step; None where they could not be counted."""

    allocated_bytes: float | None
    allocations: float | None


def per_step(run: Callable[[int], Any], few: int, many: int, *, warmup: int = 1, bytes: str = "process") -> PerStep:
    """Count what `run(few)` and `run(many)` allocate, and divide the difference by the steps that lie between.

    run: does as many steps as it is told. Each length runs `warmup` times uncounted, and once counted (not timed).

    What the process does beside the steps is in the difference too: some bytes, so let the steps between be many.
    Where nothing can be counted, `run(few)` runs once. ValueError unless 0 <= few < many.
    """
    if not 0 <= few < many:
        raise ValueError(f"per_step: few is {few} and many is {many}; one step more needs 0 <= few < many.")
    less = count_allocations(run, few, warmup=warmup, bytes=bytes)
    if less.allocated_bytes is None:
        return PerStep(None, None)
    more = count_allocations(run, many, warmup=warmup, bytes=bytes)

    def share(small: int | None, large: int | None) -> float | None:
        return None if small is None or large is None else (large - small) / (many - few)

    return PerStep(share(less.allocated_bytes, more.allocated_bytes), share(less.allocations, more.allocations))
