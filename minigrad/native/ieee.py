"""Python's `math` by the rules of IEEE 754, as in machine code, for programs that run in plain Python.

With NUMBA_DISABLE_JIT=1 a debugger steps through the text that numba would compile, and it should meet the same
numbers. Python's own `math` raises for log(0) and exp(1000), and gives a float64 for a float32. The functions here give
-inf and inf, and stay in the dtype that comes in.

    from minigrad.native import ieee as math
    math.log(np.float32(0))       # -inf, a float32
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.guards import capabilities

_IN_NUMPY = {"max": "maximum", "min": "minimum"}  # NumPy has most of them, few under other names: there nothing raises
_IN_SCIPY = {"erf": "erf", "erfc": "erfc", "gamma": "gamma", "lgamma": "gammaln"}

pi, e, inf, nan, tau = math.pi, math.e, math.inf, math.nan, math.tau


def __getattr__(name: str) -> Callable[..., Any]:
    """The function called `name`, looked up when it is asked for."""
    if name in _IN_SCIPY and capabilities.has("SciPy"):  # else Python's own, number by number
        from scipy import special

        return getattr(special, _IN_SCIPY[name])
    ufunc = getattr(np, _IN_NUMPY.get(name, name), None)
    if isinstance(ufunc, np.ufunc):
        return ufunc
    if not hasattr(math, name):
        return getattr(builtins, name)  # an AttributeError says it well enough
    return functools.partial(_guarded, getattr(math, name))


def _guarded(function: Callable[..., Any], *numbers: float) -> float:
    """Call a function that only `math` has, which raises where machine code gives inf and nan."""
    try:
        result = function(*numbers)
    except OverflowError:
        result = math.inf
    except ValueError:
        result = math.nan
    return numbers[0].dtype.type(result) if isinstance(numbers[0], np.floating) else result
