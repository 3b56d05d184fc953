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

import llvmlite.binding as llvm

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


def keep_for_good(thing: object) -> Any:
    """Never free `thing`: arrays may outlive this module, and giving back their memory runs our code and counts."""
    C.pythonapi.Py_IncRef(C.py_object(thing))
    return thing


counters = keep_for_good((C.c_int64 * len(Slot))())

# `returnaddress` is the caller's address: CPython's raw allocator serves numba and Python alike, and the code of
# numba's runtime lies from $first on.
_CODE = """
declare i8* @llvm.returnaddress(i32)

define internal void @add(i64 %counter, i64 %n) {
  %at = getelementptr i64, i64* inttoptr (i64 $counters to i64*), i64 %counter
  %old = atomicrmw add i64* %at, i64 %n monotonic
  ret void
}
define internal i64 @size_of(i8* %block) {
  $size_of
  ret i64 %n
}
define internal i1 @is_counted(i8* %caller) {
  %at = ptrtoint i8* %caller to i64
  %offset = sub i64 %at, $first
  %inside = icmp ult i64 %offset, $length
  ret i1 %inside
}
define internal void @made(i8* %caller, i8* %block, i64 %n, i64 %was) {
  %failed = icmp eq i8* %block, null
  br i1 %failed, label %done, label %count
count:
  %counted = call i1 @is_counted(i8* %caller)
  %number = select i1 %counted, i64 $N, i64 $OTHER_N
  %bytes = add i64 %number, 1
  call void @add(i64 %number, i64 1)
  call void @add(i64 %bytes, i64 %n)
  br i1 %counted, label %hold, label %done
hold:
  %size = $size
  %more = sub i64 %size, %was
  %held = getelementptr i64, i64* inttoptr (i64 $counters to i64*), i64 $HELD
  %old = atomicrmw add i64* %held, i64 %more monotonic
  %now = add i64 %old, %more
  %peak = getelementptr i64, i64* %held, i64 1
  %highest = atomicrmw max i64* %peak, i64 %now monotonic
  br label %done
done:
  ret void
}
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
define void @free(i8* %context, i8* %block$with_n) {
  %caller = call i8* @llvm.returnaddress(i32 0)
  %counted = call i1 @is_counted(i8* %caller)
  br i1 %counted, label %give_back, label %done
give_back:
  %size = $size
  %less = sub i64 0, %size
  call void @add(i64 $HELD, i64 %less)
  br label %done
done:
  call void inttoptr (i64 $free to void (i8*, i8*$with_type)*)(i8* %context, i8* %block$with_n)
  ret void
}
"""
# The C library knows the size of a block (a few bytes more than requested). Where it cannot be asked, count the
# failures: a peak that needs the size is then unknown.
_SIZE_KNOWN = "%n = call i64 inttoptr (i64 {} to i64 (i8*)*)(i8* %block)"
_SIZE_UNKNOWN = f"call void @add(i64 {Slot.UNSIZED.value}, i64 1)\n  %n = add i64 0, 0"
_WHO = {  # NumPy passes the size of a block when it frees it
    "numpy": {"N": 0, "size": "add i64 %n, 0", "with_n": ", i64 %n", "with_type": ", i64"},
    "raw": {"N": 2, "size": "call i64 @size_of(i8* %block)", "with_n": "", "with_type": ""},
}
EVERYWHERE = (0, -1)  # the start and the length of the code whose calls are counted

FUNCTIONS = ("malloc", "calloc", "realloc", "free")


@functools.cache
def counting_functions(
    who: str, old: tuple[int, ...], size_of: int, callers: tuple[int, int] = EVERYWHERE
) -> tuple[int, ...]:
    """Addresses of counting malloc, calloc, realloc and free around the `old` ones.

    who: "numpy" or "raw". size_of: address of a C function that tells the size of a block, or 0. callers: first
    address and length of the machine code whose calls are counted, such as numba's runtime.
    """
    names = {slot.name: slot.value for slot in Slot} | dict(zip(FUNCTIONS, old, strict=True)) | _WHO[who]
    names |= {"counters": C.addressof(counters), "first": callers[0], "length": callers[1]}
    names["size_of"] = _SIZE_KNOWN.format(size_of) if size_of else _SIZE_UNKNOWN
    try:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(Template(_CODE).substitute(names)), machine)
        engine.finalize_object()
    except RuntimeError as error:
        raise Unavailable(f"Array bytes are not counted: LLVM could not compile the counter ({error}).") from error
    keep_for_good(engine)  # which owns the machine code
    return tuple(engine.get_function_address(name) for name in FUNCTIONS)
