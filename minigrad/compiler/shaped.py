"""`shaped(a, (400, 196))`: a.reshape((400, 196)) for arrays in one piece, which numba compiles in no time.

NumPy's reshape checks, copies where it must, and works out sizes that are -1. In a program all of that is known: the
array is whole and the sizes are written down. So nothing is left but another shape on the same memory.
"""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from minigrad.compiler.kernels import PURE_PYTHON


@intrinsic
def _shaped(typing_context, array, shape):
    result = types.Array(array.dtype, len(shape), "C", aligned=array.aligned)

    def write(context, builder, signature, arguments):
        old = context.make_array(signature.args[0])(context, builder, arguments[0])
        new = context.make_array(result)(context, builder)
        sizes = cgutils.unpack_tuple(builder, arguments[1], len(shape))
        step = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array.dtype)))
        strides = []
        total = context.get_constant(types.intp, 1)
        for size in reversed(sizes):
            strides.insert(0, builder.mul(total, step))
            total = builder.mul(total, size)
        context.populate_array(
            new, data=old.data, shape=cgutils.pack_array(builder, sizes), strides=cgutils.pack_array(builder, strides),
            itemsize=old.itemsize, meminfo=old.meminfo, parent=old.parent,
        )  # fmt: skip
        # The caller keeps the array alive: no reference is counted.
        value = new._getvalue()
        context.nrt.incref(builder, result, value)
        return value

    return result(array, shape), write


if PURE_PYTHON:

    def shaped(a, shape):
        """`a` under another shape."""
        size = 1
        for n in shape:
            size *= n
        return a.reshape(-1)[:size].reshape(shape)

else:
    from minigrad.compiler.kernels import inlined

    @inlined
    def shaped(a, shape):
        """`a` under another shape; as many entries, or only the first of them."""
        return _shaped(a, shape)
