"""The table from NumPy's functions to ours, which `@as_numpy` fills beside each function.

np.cumsum(x) of a traced value looks np.cumsum up here and calls what it finds; mg.cumsum is the same function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
FUNCTIONS: dict[Any, Callable[..., Any]] = {}  # np.cumsum: cumsum
SURFACE: dict[str, Callable[..., Any]] = {}  # the same by NumPy's name for it: "cumsum", "linalg.solve"


def as_numpy(*names: str) -> Callable[[F], F]:
    """Let np.name of a traced value call the decorated function. A later one takes the place of an earlier one.

    A name that the installed NumPy does not have, being newer, is left out.
    """

    def register(op: F) -> F:
        for name in names:
            if (theirs := numpys_own(name)) is not None:
                FUNCTIONS[theirs] = SURFACE[numpy_name(theirs)] = op
        return op

    return register


def numpys_own(name: str) -> Any:
    """Return NumPy's function of that name, or None."""
    try:
        return functools.reduce(getattr, name.split("."), np)
    except AttributeError:
        return None


def numpy_name(func: Any) -> str:
    """Name a NumPy function as its own code does: cumsum, or linalg.solve."""
    module = getattr(func, "__module__", "numpy").removeprefix("numpy").strip(".")  # NumPy 2.1's ufuncs have none
    return f"{module}.{func.__name__}" if module in ("linalg", "fft") else func.__name__


def numpys(name: str) -> Callable[..., Any] | None:
    """Return minigrad's function for np.name of a traced value, such as cumsum, or None. mg.name is the same."""
    theirs = None if name.startswith("_") else vars(np).get(name)  # getattr would import parts of NumPy
    return FUNCTIONS.get(theirs) if callable(theirs) else None
