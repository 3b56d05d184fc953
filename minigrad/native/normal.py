"""The normal distribution in float32, which GELU is made of; a loop over it vectorises.

The density is exp(-x**2 / 2) / sqrt(2 pi). A rounding of x * x would be a hundred times as large in it. So x is split:
the square of its first 12 bits is exact, and what the rest adds is small, and added where the exponent is reduced.
The distribution function is the same exp times a function that falls slowly: a polynomial in t = 1 / (1 + 0.3 |x|),
fitted for |x| up to 13.2, where the smallest float32 of full precision is met. Beyond it numbers lose their digits one
by one, and are made 2**32 times as large meanwhile, as in exp32; beyond 14.45 they are 0.
Largest relative errors, found by trying a million numbers: 1e-7 for exp(-x**2 / 2), 5e-7 for the distribution function.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.compiled import inlined
from minigrad.native.kernels import BACK, LN2_HIGH, LN2_LOW, UP, exp_of_rest, f4_0, f4_1, f4_half, polynomial

f4 = np.float32
FULL, END, SLOWLY = f4(13.2), f4(14.45), f4(0.3)
FIRST_BITS = np.int32(-4096)
ROUND = f4(1.5 * 2**23)  # so large that what is added to it is rounded to an integer, in the last bits
MINUS_HALF_LOG2E, ONE_BY_ROOT_2PI = f4(-0.7213475204444817), f4(0.3989422804014327)
FALLING = tuple(
    f4(c) for c in (0.036036230623722076, -0.15871331095695496, 0.20896407961845398, -0.05609544739127159,
                    0.12984320521354675, 0.09952312707901001, 0.12081688642501831, 0.11962517350912094)
)  # fmt: skip


@inlined
def _bell(x):
    """exp(-x**2 / 2): with n = round(-x**2 / (2 ln 2)), 2**n times a polynomial in what is left, as in exp32."""
    size = np.float32(abs(x))  # in float64 nothing would be rounded
    z = END if size > END else size  # nan stays
    first = np.int32(np.float32(z).view(np.int32) & FIRST_BITS).view(np.float32)
    rest = z - first
    rounded = z * z * MINUS_HALF_LOG2E + ROUND
    n = rounded - ROUND
    r = -(f4_half * first * first) - n * LN2_HIGH
    r = r - n * LN2_LOW
    r = r - rest * (first + f4_half * rest)
    y = exp_of_rest(r)
    rounded = rounded if size <= FULL else rounded + UP
    times = np.float32(rounded).view(np.int32) << np.int32(23)  # n, where a float has its exponent
    y = np.int32(np.float32(y).view(np.int32) + times).view(np.float32)
    y = y * (f4_1 if size <= FULL else BACK if size <= END else f4_0)
    return y if x == x else x


@inlined
def normal_pdf(x):
    """The density of the normal distribution."""
    return ONE_BY_ROOT_2PI * _bell(x)


@inlined
def normal_cdf(x):
    """The distribution function of the normal distribution: how likely something below x is."""
    t = f4_1 / (f4_1 + SLOWLY * abs(x))
    y = t * polynomial(t, FALLING) * _bell(x)
    return f4_1 - y if x >= f4_0 else y


@inlined
def gelu(x):
    """x * normal_cdf(x)."""
    return x * normal_cdf(x)
