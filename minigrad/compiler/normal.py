"""erfc in float32, the tail of the normal distribution, which GELU is made of; a loop over it vectorises.

erfc(z) = exp(-z * z) * q(z), where q falls slowly from 1: a polynomial in t = 1 / (1 + z / 2), fitted for z up to 11,
where erfc is 0 in float32. A rounding of z * z would be a hundred times as large in exp(-z * z). So z is split: the
square of its first 12 bits is exact, and for the small rest exp is a short series. Largest relative error, found by
trying two million numbers: 5e-7.
"""

from __future__ import annotations

import numpy as np

from minigrad.compiler.compiled import inlined
from minigrad.compiler.kernels import exp32, f4_0, f4_1, f4_half, minimum

f4 = np.float32
END, SIXTH, PART, TWO = f4(11), f4(1 / 6), f4(1 / 24), f4(2)
FIRST_BITS = np.int32(-4096)
T9, T8, T7, T6, T5, T4, T3, T2, T1, T0 = (
    f4(c) for c in (0.010664165951311588, -0.11435852944850922, 0.4078495502471924, -0.6418310403823853,
                    0.3979007303714752, -0.08590509742498398, 0.2213359773159027, 0.23951834440231323,
                    0.2827564775943756, 0.2820693850517273)
)  # fmt: skip


@inlined
def erfc32(x):
    """1 - erf(x) in float32."""
    z = minimum(abs(x), END)
    t = f4_1 / (f4_1 + f4_half * z)
    q = T9
    q = q * t + T8
    q = q * t + T7
    q = q * t + T6
    q = q * t + T5
    q = q * t + T4
    q = q * t + T3
    q = q * t + T2
    q = q * t + T1
    q = q * t + T0
    first = np.int32(np.float32(z).view(np.int32) & FIRST_BITS).view(np.float32)
    rest = (z - first) * (z + first)
    y = t * q * exp32(-first * first)
    y = y * (f4_1 - rest * (f4_1 - rest * (f4_half - rest * (SIXTH - rest * PART))))
    return y if x >= f4_0 else TWO - y
