"""Compile kernels and the functions of a program. With NUMBA_DISABLE_JIT=1 they stay plain Python."""

from __future__ import annotations

import functools
import math as standard_math

import llvmlite.binding
import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic

from minigrad import ieee
from minigrad.compiler.by_address import Pipeline, by_address
from minigrad.jit import njit

# Loops with many rounds are not written out in part: vectorised ones are as fast without, and where a function that was
# optimised alone becomes part of another, LLVM's search for repeated loads took minutes for loops written out so.
llvmlite.binding.set_option("", "-unroll-allow-partial=false")
# Nor are short loops written out whole, which keeps them from becoming vectors.
llvmlite.binding.set_option("", "-unroll-full-max-count=8")

PURE_PYTHON = bool(config.DISABLE_JIT)
math = ieee if PURE_PYTHON else standard_math

# Division by zero gives infinity, as in NumPy: a check for it would stop loops from vectorising.
_FLOATS = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
# No reference counting (the caller owns the arrays), which shortens compilation.
_OPTIONS = {**_FLOATS, "_nrt": False}


class NoAlias(Pipeline):
    """The same pipeline, told that no two array arguments overlap, so that loops over many arrays vectorise."""

    def define_pipelines(self):
        self.state.flags.noalias = True
        return super().define_pipelines()


def _apart(pipeline=Pipeline, **options):
    """A decorator for functions that are compiled once, and called at their address."""
    if PURE_PYTHON:
        return lambda function: function
    compiler = njit(pipeline_class=pipeline, **_OPTIONS, **options)
    return lambda function: by_address(compiler(function))


exact = _apart()
# The same for functions whose result lies apart from what they read: numbers that were read need not be read again.
filling = _apart(NoAlias)
# a * b + c may be rounded once instead of twice, and sums may be added up in another order: in several lanes at once.
SUMS = {"reassoc", "contract", "nsz"}
summing = _apart(NoAlias, fastmath=SUMS)
inlined = njit(pipeline_class=Pipeline, forceinline=True, fastmath={"contract"}, **_OPTIONS)
inlined_sum = njit(pipeline_class=Pipeline, forceinline=True, fastmath=SUMS, **_OPTIONS)


def _quiet(function):
    """A function of a program in plain Python: as in machine code, nothing warns of an infinity or a nan."""

    @functools.wraps(function)
    def run(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)

    return run


# How a function is compiled that Python calls, and that gives it arrays.
program = _quiet if PURE_PYTHON else njit(pipeline_class=NoAlias, **_FLOATS)
# How the loop over batches is compiled: Python calls it, and gets nothing back.
main = _quiet if PURE_PYTHON else njit(pipeline_class=NoAlias, **_OPTIONS)
# How a function is compiled that others of its program call, with arguments that lie apart.
apart = _apart(NoAlias, no_cpython_wrapper=True)
# As `apart`, but the arguments may lie in one array.
part = _apart(no_cpython_wrapper=True)


def array_over(context, builder, kind, sizes, data, meminfo=None, parent=None):
    """An array of this kind over memory that is there, in row-major order. sizes: how long it is along each axis."""
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides, step = [], itemsize
    for size in reversed(sizes):
        strides.insert(0, step)
        step = builder.mul(step, size)
    array = context.make_array(kind)(context, builder)
    context.populate_array(
        array, data=data, shape=cgutils.pack_array(builder, sizes), strides=cgutils.pack_array(builder, strides),
        itemsize=itemsize, meminfo=meminfo, parent=parent,
    )  # fmt: skip
    return array._getvalue()


if PURE_PYTHON:

    def on_stack(count, zero):
        """An array of so many numbers of the type of `zero`, until the function returns that asks for it."""
        return np.full(count, zero)

else:

    @intrinsic
    def on_stack(typing_context, count, zero):
        """The same, in memory that nobody has to ask for. count: a constant."""
        if not isinstance(count, types.IntegerLiteral):
            raise RequireLiteralValue("on_stack: the count is a constant")
        kind = types.Array(types.unliteral(zero), 1, "C")

        def write(context, builder, signature, arguments):
            size = context.get_constant(types.intp, count.literal_value)
            with builder.goto_entry_block():
                memory = builder.alloca(context.get_data_type(kind.dtype), size)
            memory.align = 64
            return array_over(context, builder, kind, [size], memory)

        return kind(count, zero), write
