"""Count every allocation of the process with memray: NumPy, numba, PyTorch, BLAS and Python alike.

memray stands in for malloc and mmap in every loaded library and writes each call into a file. That slows Python
(three to seven times where functions call functions), so it must not run while something is timed; it costs some 15 ms
to begin and to end. Not on Windows.
Besides the arrays it sees Python's lists and dictionaries over 512 bytes, arenas of smaller objects, numba's compiler,
and (Python 3.11) a table of line numbers for each function that runs under memray for the first time. So run the code
once before, under memray too.
"""

from __future__ import annotations

import os

from minigrad.guards.installation import install
from minigrad_course.measure.result import Count, Unavailable


class ProcessCounter:
    """Counts from start() to stop(). There can be only one at a time in a process."""

    method = (
        "memray: every malloc and mmap of the process, in all threads. It slows Python, so it must not run while "
        "timing. Blind to NumPy blocks under 1,024 bytes out of NumPy's own cache and to Python objects up to 512 "
        "bytes. Includes some of Python's own and, at a process's first matmul, 32 MiB of BLAS work space."
    )

    def start(self) -> None:
        """Begin to record. Raises Unavailable where memray is missing or already at work."""
        try:
            import memray
            from memray._memray import compute_statistics  # what `memray stats` prints
        except ImportError as error:
            raise Unavailable(
                "Bytes of the whole process are not counted: that needs memray, which there is for Linux and macOS "
                f"({error}): {install('memray')}"
            ) from error
        import tempfile

        self._statistics = compute_statistics
        self._folder = tempfile.TemporaryDirectory(prefix="minigrad-measure-")
        try:
            self._file = os.path.join(self._folder.name, "allocations")
            # Compressing the file takes longer than reading it.
            self._tracker = memray.Tracker(destination=memray.FileDestination(self._file, compress_on_exit=False))
            self._tracker.__enter__()
        except (RuntimeError, OSError) as error:
            self._folder.cleanup()
            raise Unavailable(f"Bytes of the whole process are not counted: {error}.") from error

    def stop(self) -> Count:
        """Stop recording and add up."""
        try:
            self._tracker.__exit__(None, None, None)
            statistics = self._statistics(self._file)
        finally:
            self._folder.cleanup()
        return Count(
            statistics.total_memory_allocated, statistics.total_num_allocations, statistics.peak_memory_allocated
        )
