"""Count the bytes of NumPy and numba arrays while the code runs, almost for free.

NumPy lets us replace the four functions that fetch and give back the memory of arrays (NEP 49, `PyDataMem_SetHandler`).
numba fetches the memory of its arrays from CPython's raw allocator, which may be wrapped too (`PyMem_SetAllocator`).
Our functions call the ones that were there before, and count. They are machine code (llvm.py), because numba
allocates without the interpreter, and because Python functions would cost more than the arrays.

What this sees: every block of every NumPy array, exactly, also those under 1,024 bytes that NumPy keeps in a cache of
its own; and every block of numba's: its arrays, each with 112 bytes of header and alignment, and 48 bytes for each
array that is passed to a compiled function.
What it does not see: PyTorch, JAX, BLAS, Python's own objects; NumPy arrays made in threads that were started before
the measured block (NumPy uses its default functions there).
"""

from __future__ import annotations

import ctypes as C
import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from minigrad_course.measure.llvm import FUNCTIONS, Slot, counters, counting_functions, keep_for_good
from minigrad_course.measure.result import Count, Unavailable

_NAME = b"minigrad_course.measure"  # the name of our handler in NumPy
_RAW_DOMAIN = 0  # PYMEM_DOMAIN_RAW
SET_HANDLER, GET_HANDLER = 304, 305  # indices in NumPy's table of C functions, numpy/__multiarray_api.h


class _Allocator(C.Structure):
    """Four functions and their first argument. NumPy and CPython use the same layout."""

    _fields_ = [("context", C.c_void_p), *((name, C.c_void_p) for name in FUNCTIONS)]

    def functions(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in FUNCTIONS)


class _Handler(C.Structure):
    """NumPy's PyDataMem_Handler, version 1."""

    _fields_ = [("name", C.c_char * 127), ("version", C.c_uint8), ("allocator", _Allocator)]


class ArrayCounter:
    """Counts from start() to stop(). Counters may be nested; each sees all that happens inside it.

    While numba compiles, between pause() and resume(), nothing counts: those bytes are the compiler's.
    """

    method = (
        "NumPy's data-allocator hook (NEP 49), and CPython's raw allocator for numba's arrays. Exact for arrays; blind "
        "to PyTorch, JAX, BLAS, Python's own objects, and to NumPy in threads that were started before the block."
    )

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []
        self._nrt: Any = None  # numba's runtime, once numba is loaded
        self._nrt_begin = self._nrt_paused = 0
        self._notes: tuple[str, ...] = ()

    def start(self) -> None:
        """Install the counting functions. Raises Unavailable where that is impossible."""
        self._undo.append(_wrap_numpy())
        if "numba" in sys.modules:
            try:
                nrt = importlib.import_module("numba.core.runtime._nrt_python")
                nrt.memsys_enable_stats()  # numba then counts its blocks (not their bytes); this may stay on
                self._undo.append(_wrap_raw(nrt))
                self._nrt, self._nrt_begin = nrt, nrt.memsys_get_stats_alloc()
            except (ImportError, AttributeError, Unavailable) as error:
                self._notes = (f"numba's arrays are not counted ({error}).",)
        self._begin = list(counters)
        self._outer_peak = counters[Slot.PEAK]
        counters[Slot.PEAK] = counters[Slot.HELD]

    def pause(self) -> None:
        """Pause while numba compiles."""
        self._paused = list(counters)
        self._nrt_paused = self._made_by_numba()

    def resume(self) -> None:
        """Restore the figures of pause(): numba has compiled."""
        counters[:] = self._paused
        self._nrt_begin += self._made_by_numba() - self._nrt_paused

    def stop(self) -> Count:
        """Remove the counting functions and return their counts."""
        end = list(counters)
        by_numba = self._made_by_numba()
        while self._undo:
            self._undo.pop()()
        counters[Slot.PEAK] = max(end[Slot.PEAK], self._outer_peak)

        change = {slot: end[slot] - self._begin[slot] for slot in Slot}
        number = change[Slot.NUMPY_N] + change[Slot.NUMBA_N]
        total = change[Slot.NUMPY_BYTES] + change[Slot.NUMBA_BYTES]
        peak = end[Slot.PEAK] - self._begin[Slot.HELD]
        missed = by_numba - change[Slot.NUMBA_N]
        others = change[Slot.OTHER_N] - missed
        if missed <= 0:
            if not change[Slot.UNSIZED]:
                return Count(total, number, peak, self._notes)
            note = "The peak is not known: malloc could not be asked how large a block is."
            return Count(total, number, None, (*self._notes, note))
        # numba made more blocks than were attributed to its code: they are among the others, or uncounted.
        if others < 0:
            return Count(notes=("Not counted: CPython's allocator was exchanged in the measured block.",))
        note = f"Includes {others:,} blocks of Python's own, not to be told from numba's; so the peak is not known."
        return Count(total + change[Slot.OTHER_BYTES], number + missed, None, (note,))

    def _made_by_numba(self) -> int:
        return self._nrt.memsys_get_stats_alloc() - self._nrt_begin if self._nrt else 0


def _wrap_numpy() -> Callable[[], object]:
    """Make NumPy count in this thread and in threads that start from now on. Returns the undo function."""
    get_handler, set_handler = _numpy_functions()
    old = get_handler()
    handler = _Handler.from_address(_pointer(old, b"mem_handler"))
    if handler.name == _NAME:
        return lambda: None  # a counter around this one already does
    size_of = _size_of() if handler.name == b"default_allocator" else 0
    capsule = _counting_handler(handler.allocator.context, handler.allocator.functions(), size_of)
    profile = threading.getprofile()

    def enter_thread(_frame: object, event: str, _argument: object) -> None:
        """Called in a new thread, where NumPy would use its default functions, until the thread's own function begins.

        Not before: from Python 3.14 on only that one has the thread's context, where NumPy keeps its functions.
        """
        if event == "call":
            set_handler(capsule)
            sys.setprofile(profile)

    def undo() -> None:
        set_handler(old)
        if threading.getprofile() is enter_thread:
            threading.setprofile(profile)  # type: ignore[arg-type]

    set_handler(capsule)
    threading.setprofile(enter_thread)
    return undo


def _wrap_raw(nrt: Any) -> Callable[[], object]:
    """Make CPython's raw allocator, which numba uses, count. Returns the undo function."""
    get, put = C.pythonapi.PyMem_GetAllocator, C.pythonapi.PyMem_SetAllocator
    old, now = _Allocator(), _Allocator()
    get(_RAW_DOMAIN, C.byref(old))
    if old.malloc in _raw_ours:
        return lambda: None
    # Only malloc itself knows the size of a block; Python's debugging allocators wrap it.
    plain = old.context is None and os.environ.get("PYTHONMALLOC", "default") in ("", "default", "malloc", "pymalloc")
    functions = counting_functions("raw", old.functions(), _size_of() if plain else 0, _code_of(nrt))
    _raw_ours.add(functions[0])
    put(_RAW_DOMAIN, C.byref(_Allocator(old.context, *functions)))

    def undo() -> None:
        get(_RAW_DOMAIN, C.byref(now))
        if now.malloc == functions[0]:  # otherwise another wrapper (tracemalloc) is around ours, and it has to stay
            put(_RAW_DOMAIN, C.byref(old))

    return undo


_raw_ours: set[int] = set()


@functools.cache
def _numpy_functions() -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """PyDataMem_GetHandler and PyDataMem_SetHandler, from NumPy's table of C functions."""
    if sys.implementation.name != "cpython" or C.sizeof(C.c_void_p) != 8:
        raise Unavailable("Array bytes are not counted: that needs a 64-bit CPython.")
    api = importlib.import_module("numpy._core._multiarray_umath")._ARRAY_API
    table = C.cast(_pointer(api, None), C.POINTER(C.c_void_p))
    return C.PYFUNCTYPE(C.py_object)(table[GET_HANDLER]), C.PYFUNCTYPE(C.py_object, C.py_object)(table[SET_HANDLER])


@functools.cache
def _counting_handler(context: int | None, functions: tuple[int, ...], size_of: int) -> Any:
    """Make the capsule that NumPy wants. It is never freed: arrays made with it keep its address."""
    handler = keep_for_good(_Handler(_NAME, 1, _Allocator(context, *counting_functions("numpy", functions, size_of))))
    name = keep_for_good(C.create_string_buffer(b"mem_handler"))
    new = C.PYFUNCTYPE(C.py_object, C.c_void_p, C.c_void_p, C.c_void_p)(("PyCapsule_New", C.pythonapi))
    return new(C.addressof(handler), C.addressof(name), None)


def _pointer(capsule: object, name: bytes | None) -> int:
    get = C.PYFUNCTYPE(C.c_void_p, C.py_object, C.c_char_p)(("PyCapsule_GetPointer", C.pythonapi))
    return get(capsule, name)


def _code_of(nrt: Any) -> tuple[int, int]:
    """Return the start and the length of the machine code of numba's runtime."""
    addresses = nrt.c_helpers.values()
    return min(addresses), max(addresses) - min(addresses) + 512


def _size_of() -> int:
    """Return the address of the C function that tells the size of a malloc block, or 0 if there is none."""
    name = {"linux": "malloc_usable_size", "darwin": "malloc_size"}.get(sys.platform)
    function = getattr(C.CDLL(None), name, None) if name else None
    return C.cast(function, C.c_void_p).value or 0 if function else 0
