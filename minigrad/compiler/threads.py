"""Synchronise the shards of a step inside compiled code, without Python's lock."""

from __future__ import annotations

import sys

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from minigrad.compiler.compiled import PURE_PYTHON, inlined

SPINS = 4000  # spins before yielding the CPU


def _address(context, builder, array_type, array):
    fields = context.make_array(array_type)(context, builder, array)
    return builder.bitcast(fields.data, ir.IntType(64).as_pointer())


@intrinsic
def add_one(typing_context, counter):
    """Atomically compute counter[0] += 1; return the new number."""

    def write(context, builder, signature, arguments):
        address = _address(context, builder, signature.args[0], arguments[0])
        one = ir.Constant(ir.IntType(64), 1)
        return builder.add(builder.atomic_rmw("add", address, one, "seq_cst"), one)

    return types.int64(counter), write


@intrinsic
def atomic_load(typing_context, counter):
    """Atomically load counter[0]."""

    def write(context, builder, signature, arguments):
        return builder.load_atomic(_address(context, builder, signature.args[0], arguments[0]), "seq_cst", 8)

    return types.int64(counter), write


@intrinsic
def yield_cpu(typing_context):
    """Yield the CPU to another thread."""

    def write(context, builder, signature, arguments):
        if sys.platform != "win32":
            yields = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield")
            builder.call(yields, [])
        return context.get_dummy_value()

    return types.none(), write


@inlined
def barrier(counter, total):
    """Go on when `total` arrivals have been counted. Every thread calls it with the same totals in the same order."""
    if add_one(counter) < total:
        spins = 0
        while atomic_load(counter) < total:
            spins += 1
            if spins > SPINS:
                yield_cpu()


if PURE_PYTHON:  # then one thread runs all shards

    def barrier(counter, total):
        counter[0] += 1
