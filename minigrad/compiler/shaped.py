"""`shaped(a, (400, 196))`: a.reshape((400, 196)) for contiguous arrays, which numba compiles almost instantly.

NumPy's reshape checks, copies if necessary, and infers sizes that are -1. In a program all of that is known: the array
is contiguous and the sizes are given. So only a new shape for the same memory remains.
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


def _whole_row(typing_context, a, i):
    result = types.Array(a.dtype, 1, "C", aligned=a.aligned)

    def write(context, builder, signature, arguments):
        old = context.make_array(signature.args[0])(context, builder, arguments[0])
        size = cgutils.unpack_tuple(builder, old.shape, 2)[1]
        start = builder.mul(arguments[1], cgutils.unpack_tuple(builder, old.strides, 2)[0])
        row = builder.gep(builder.bitcast(old.data, cgutils.voidptr_t), [start])
        return array_over(context, builder, result, [size], builder.bitcast(row, old.data.type))

    return result(a, types.intp), write


def in_python(a, shape):
    """`a` under another shape; as many entries, or only the first of them."""
    return a.reshape(-1)[: math.prod(shape)].reshape(shape)


shaped = in_python if PURE_PYTHON else intrinsic(_shaped)
whole_row = (lambda a, i: a[i]) if PURE_PYTHON else intrinsic(_whole_row)
