"""Map floats to integers in the same order, whose maximum several lanes of a register can compute at once.

A nan has no place in the order of floats, so that a maximum of floats is computed one by one.
"""

from __future__ import annotations

import numpy as np

from minigrad.kernels.compiled import by_types, inlined

BUT_THE_SIGN4, BUT_THE_SIGN8 = np.int32(2**31 - 1), np.int64(2**63 - 1)  # all bits of a number but one


def place_in_order(x):
    """An integer for a float, the larger, the larger x is; nan is beyond infinity, on either side."""
    integer, mask = (np.int32, BUT_THE_SIGN4) if x.dtype == np.float32 else (np.int64, BUT_THE_SIGN8)
    return _turned(x.view(integer), mask)


@by_types(place_in_order)
def _place_in_order(x):
    if str(x) == "float32":
        return lambda x: np.int32(_turned(np.float32(x).view(np.int32), BUT_THE_SIGN4))
    return lambda x: _turned(np.float64(x).view(np.int64), BUT_THE_SIGN8)


def from_place(place):
    """The float that has this place."""
    kind, mask = (np.float32, BUT_THE_SIGN4) if place.dtype == np.int32 else (np.float64, BUT_THE_SIGN8)
    return _turned(place, mask).view(kind)


@by_types(from_place)
def _from_place(place):
    if str(place) == "int32":
        return lambda place: np.int32(_turned(place, BUT_THE_SIGN4)).view(np.float32)
    return lambda place: np.int64(_turned(place, BUT_THE_SIGN8)).view(np.float64)


@inlined
def _turned(bits, mask):
    """A negative float's bits count from the sign on upwards as it falls; turned over they fall with it."""
    return bits ^ mask if bits < 0 else bits
