"""The counting functions in machine code: they call the previous allocator, and count.

Written in LLVM's assembly language and compiled in memory by llvmlite, which numba brings along: that takes some ten
milliseconds (the same with numba's `cfunc`: nearly a second). `i8*` is a pointer, `i64` a size or a counter. All sums
are atomic, because numba's threads allocate side by side.
"""

from __future__ import annotations

import ctypes as C
import enum
import functools
from string import Template
from typing import Any

from minigrad_course.measure.result import Unavailable


class Slot(enum.IntEnum):
    """Indices into `counters`."""

    NUMPY_N = 0
    NUMPY_BYTES = 1
    NUMBA_N = 2
    NUMBA_BYTES = 3
    OTHER_N = 4  # of CPython's raw allocator, not requested by numba
    OTHER_BYTES = 5
    HELD = 6  # bytes of NumPy's and numba's not yet freed
    PEAK = 7  # the maximum of HELD; must directly follow it
    UNSIZED = 8  # blocks of unknown size


def keep_for_good(thing: Any) -> Any:
    """Never free `thing`: arrays may outlive this module, and giving back their memory runs our code and counts."""
    C.pythonapi.Py_IncRef(C.py_object(thing))
    return thing


counters = keep_for_good((C.c_int64 * len(Slot))())

_COUNT = """
define internal void @add(i64 %counter, i64 %n) {
  %at = getelementptr i64, i64* inttoptr (i64 $counters to i64*), i64 %counter
  %old = atomicrmw add i64* %at, i64 %n monotonic
  ret void
}
define internal void @hold(i64 %n) {
  %held = getelementptr i64, i64* inttoptr (i64 $counters to i64*), i64 $HELD
  %old = atomicrmw add i64* %held, i64 %n monotonic
  %now = add i64 %old, %n
  %peak = getelementptr i64, i64* %held, i64 1
  %highest = atomicrmw max i64* %peak, i64 %now monotonic
  ret void
}
"""

# The C library knows the size of a block (a few bytes more than requested). Where it cannot be asked, count the
# failures: a peak that needs the size is then unknown.
_SIZE_KNOWN = """
define internal i64 @size_of(i8* %block) {
  %n = call i64 inttoptr (i64 $size_of to i64 (i8*)*)(i8* %block)
  ret i64 %n
}
"""
_SIZE_UNKNOWN = """
define internal i64 @size_of(i8* %block) {
  call void @add(i64 $UNSIZED, i64 1)
  ret i64 0
}
"""

# `returnaddress` is the caller's address in the machine code.
_ALLOCATE = """
declare i8* @llvm.returnaddress(i32)
define i8* @malloc(i8* %context, i64 %n) {
  %caller = call i8* @llvm.returnaddress(i32 0)
  %block = call i8* inttoptr (i64 $malloc to i8* (i8*, i64)*)(i8* %context, i64 %n)
  call void @made(i8* %caller, i8* %block, i64 %n, i64 0)
  ret i8* %block
}
define i8* @calloc(i8* %context, i64 %items, i64 %size) {
  %caller = call i8* @llvm.returnaddress(i32 0)
  %block = call i8* inttoptr (i64 $calloc to i8* (i8*, i64, i64)*)(i8* %context, i64 %items, i64 %size)
  %n = mul i64 %items, %size
  call void @made(i8* %caller, i8* %block, i64 %n, i64 0)
  ret i8* %block
}
define i8* @realloc(i8* %context, i8* %old, i64 %n) {
  %caller = call i8* @llvm.returnaddress(i32 0)
  %was = call i64 @size_of(i8* %old)
  %block = call i8* inttoptr (i64 $realloc to i8* (i8*, i8*, i64)*)(i8* %context, i8* %old, i64 %n)
  call void @made(i8* %caller, i8* %block, i64 %n, i64 %was)
  ret i8* %block
}
"""

# NumPy passes the size of a block when it frees it.
_NUMPY = """
define internal void @made(i8* %caller, i8* %block, i64 %n, i64 %was) {
  %failed = icmp eq i8* %block, null
  br i1 %failed, label %done, label %count
count:
  %more = sub i64 %n, %was
  call void @add(i64 $NUMPY_N, i64 1)
  call void @add(i64 $NUMPY_BYTES, i64 %n)
  call void @hold(i64 %more)
  br label %done
done:
  ret void
}
define void @free(i8* %context, i8* %block, i64 %n) {
  %less = sub i64 0, %n
  call void @add(i64 $HELD, i64 %less)
  call void inttoptr (i64 $free to void (i8*, i8*, i64)*)(i8* %context, i8* %block, i64 %n)
  ret void
}
"""

# CPython's raw allocator serves numba and Python alike. numba's runtime is the one whose code lies from $first on.
_RAW = """
define internal i1 @is_numba(i8* %caller) {
  %at = ptrtoint i8* %caller to i64
  %offset = sub i64 %at, $first
  %inside = icmp ult i64 %offset, $length
  ret i1 %inside
}
define internal void @made(i8* %caller, i8* %block, i64 %n, i64 %was) {
  %failed = icmp eq i8* %block, null
  br i1 %failed, label %done, label %count
count:
  %inside = call i1 @is_numba(i8* %caller)
  br i1 %inside, label %numba, label %other
numba:
  %size = call i64 @size_of(i8* %block)
  %more = sub i64 %size, %was
  call void @add(i64 $NUMBA_N, i64 1)
  call void @add(i64 $NUMBA_BYTES, i64 %n)
  call void @hold(i64 %more)
  br label %done
other:
  call void @add(i64 $OTHER_N, i64 1)
  call void @add(i64 $OTHER_BYTES, i64 %n)
  br label %done
done:
  ret void
}
define void @free(i8* %context, i8* %block) {
  %caller = call i8* @llvm.returnaddress(i32 0)
  %inside = call i1 @is_numba(i8* %caller)
  br i1 %inside, label %numba, label %done
numba:
  %size = call i64 @size_of(i8* %block)
  %less = sub i64 0, %size
  call void @add(i64 $HELD, i64 %less)
  br label %done
done:
  call void inttoptr (i64 $free to void (i8*, i8*)*)(i8* %context, i8* %block)
  ret void
}
"""

FUNCTIONS = ("malloc", "calloc", "realloc", "free")


@functools.cache
def counting_functions(
    who: str, old: tuple[int, ...], size_of: int, numba_code: tuple[int, int] = (0, 0)
) -> tuple[int, ...]:
    """Addresses of counting malloc, calloc, realloc and free around the `old` ones.

    who: "numpy" or "raw". size_of: address of a C function that tells the size of a block, or 0. numba_code: first
    address and length of the machine code of numba's runtime.
    """
    try:
        import llvmlite.binding as llvm
    except ImportError as error:
        raise Unavailable(f"Array bytes are not counted: that needs llvmlite, a part of numba ({error}).") from error

    text = _COUNT + (_SIZE_KNOWN if size_of else _SIZE_UNKNOWN) + _ALLOCATE + {"numpy": _NUMPY, "raw": _RAW}[who]
    numbers = dict(zip(FUNCTIONS, old, strict=True), counters=C.addressof(counters), size_of=size_of)
    numbers["first"], numbers["length"] = numba_code
    numbers.update((slot.name, slot.value) for slot in Slot)
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(Template(text).substitute(numbers)), machine)
        engine.finalize_object()
    except RuntimeError as error:
        raise Unavailable(f"Array bytes are not counted: LLVM could not compile the counter ({error}).") from error
    keep_for_good(engine)  # which owns the machine code
    return tuple(engine.get_function_address(name) for name in FUNCTIONS)
