"""`shaped(a, (400, 196))`: a.reshape((400, 196)) for arrays in one piece, which numba compiles in no time.

NumPy's reshape checks, copies where it must, and works out sizes that are -1. In a program all of that is known: the
array is whole and the sizes are written down. So nothing is left but another shape on the same memory.
"""

from __future__ import annotations

import math

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from minigrad.compiler.compiled import PURE_PYTHON, array_over


def _shaped(typing_context, array, shape):
    result = types.Array(array.dtype, len(shape), "C", aligned=array.aligned)

    def write(context, builder, signature, arguments):
        old = context.make_array(signature.args[0])(context, builder, arguments[0])
        sizes = cgutils.unpack_tuple(builder, arguments[1], len(shape))
        value = array_over(context, builder, result, sizes, old.data, old.meminfo, old.parent)
        if context.enable_nrt:
            context.nrt.incref(builder, result, value)
        return value

    return result(array, shape), write


def in_python(a, shape):
    """`a` under another shape; as many entries, or only the first of them."""
    return a.reshape(-1)[: math.prod(shape)].reshape(shape)


shaped = in_python if PURE_PYTHON else intrinsic(_shaped)
