"""Compile kernels and the functions of a program. Without numba, or with NUMBA_DISABLE_JIT=1, they stay in plain
Python.
"""

from __future__ import annotations

import functools
import math as standard_math
from types import SimpleNamespace

import numpy as np

from minigrad.native import ieee
from minigrad.native.jit import plain_python

PURE_PYTHON = plain_python()
math = ieee if PURE_PYTHON else standard_math

# exact      compiled once, and called at its address
# filling    the same; its result lies apart from what it reads: numbers that were read need not be read again
# summing    as filling; a * b + c may be rounded once, and sums may be added up in another order: several lanes at once
# inlined, inlined_sum    become part of what calls them
# program    Python calls it, and gives it arrays
# main       the loop over batches: Python calls it, and gets nothing back
# apart      others of its program call it, with arguments that lie apart
# part       as `apart`, but the arguments may lie in one array
# by_types   a decorator of the function that chooses, by types, what is compiled in place of another one
# on_stack   an array of so many numbers of the type of `zero`, until the function returns that asks for it
# shaped     a.reshape(shape) of a contiguous array, or of its first entries, which numba compiles almost instantly:
#            NumPy's reshape checks, copies and infers sizes that are -1, and in a program all of that is known
# by_name    arrays as one argument, `at`, of `main`, which reads the one called x as at.x. Their shapes are known to
#            numba, so that `apart` and `part` are given addresses: its time for a function grows with what it is given
# at_once    a decorator with the same by NumPy, on whole arrays, which takes the place of the loops in plain Python
# fetch      start to load an array that is needed soon
# barrier    shards meet here inside compiled code, without Python's lock


def shaped_in_python(a, shape):
    """`a` under another shape; as many entries, or only the first of them."""
    return a.reshape(-1)[: standard_math.prod(shape)].reshape(shape)


if PURE_PYTHON:

    def _as_it_is(function):
        return function

    def _quiet(function):
        """A function of a program: as in machine code, nothing warns of an infinity or a nan."""

        @functools.wraps(function)
        def run(*arguments):
            with np.errstate(all="ignore"):
                return function(*arguments)

        return run

    exact = filling = summing = inlined = inlined_sum = apart = part = _as_it_is
    program = main = _quiet

    def by_types(function):
        return _as_it_is

    def at_once(function):
        def decorate(loops):
            function.loops = loops  # in which the tests plant mistakes
            return function

        return decorate

    def on_stack(count, zero):
        return np.full(count, zero)

    def fetch(row):
        pass

    def barrier(counter, total):  # one thread runs all shards
        counter[0] += 1

    def by_name(arrays):
        return SimpleNamespace(**arrays)

    shaped = shaped_in_python

else:
    from minigrad.native.machine_code import (  # noqa: F401
        apart,
        barrier,
        by_name,
        by_types,
        exact,
        fetch,
        filling,
        inlined,
        inlined_sum,
        main,
        on_stack,
        part,
        program,
        shaped,
        summing,
    )

    def at_once(function):
        return lambda loops: loops
