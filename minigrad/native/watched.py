"""Look after many arrays in one call: copy them, and look for a nan or an infinity.

NumPy takes a microsecond for each array, which is more than a step of a small network.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.jit import njit
from minigrad.native.machine_code import numbers_at


@njit(error_model="numpy", nogil=True, no_cfunc_wrapper=True)
def look_after(arrays: np.ndarray, exponent: np.unsignedinteger, copying: bool) -> int:
    """Copy the arrays; or return the number of the first with an entry that is not finite, -1 if there is none.

    arrays: of each its address, that of its copy, and its size. exponent: the bits of an infinity, which are those of
    the exponent, as an unsigned integer of the entries' size.
    """
    for k in range(len(arrays)):
        address, copy, size = arrays[k]
        now: np.ndarray = numbers_at(address, size, exponent)  # type: ignore[call-arg]
        then: np.ndarray = numbers_at(copy, size, exponent)  # type: ignore[call-arg]
        spoilt = False
        if copying:
            for i in range(size):
                then[i] = now[i]
        else:
            for i in range(size):
                spoilt |= now[i] & exponent == exponent
        if spoilt:
            return k
    return -1
