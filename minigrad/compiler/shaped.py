"""`shaped(a, (400, 196))`: a.reshape((400, 196)) for contiguous arrays, which numba compiles almost instantly.

NumPy's reshape checks, copies if necessary, and infers sizes that are -1. In a program all of that is known: the array
is contiguous and the sizes are given. So only a new shape for the same memory remains.
"""

from __future__ import annotations

import math

from minigrad.compiler.compiled import PURE_PYTHON


def in_python(a, shape):
    """`a` under another shape; as many entries, or only the first of them."""
    return a.reshape(-1)[: math.prod(shape)].reshape(shape)


if PURE_PYTHON:
    shaped = in_python

    def whole_row(a, i):
        return a[i]

else:
    from minigrad.compiler.machine_code import shaped, whole_row  # noqa: F401
