"""Know what this Python has of what not every Python has: numba, SciPy, ctypes, threads, processes.

A Python in a browser has few of them, and a new Python has no numba for its first months. What computes with NumPy
alone works everywhere. All else asks here, when it is called and never at an import: `has`, where there is another way;
`demand`, where there is none.
"""

from __future__ import annotations

import functools
import importlib.util
import sys

IN_A_BROWSER = ("emscripten", "wasi")  # sys.platform
# Of each part: the modules that it consists of, and what to do without it on a computer.
MODULES = {"numba": ("numba", "llvmlite"), "SciPy": ("scipy",), "ctypes": ("_ctypes",)}
ADVICE = {
    "numba": "`{}` brings it, if there is a build of it for this Python and kind of computer",
    "SciPy": "`{}` brings it",
    "ctypes": "it was built without the library libffi, and another Python has it",
}


class Missing(RuntimeError):
    """This Python lacks what was asked for. The message says what, and what to do."""


@functools.cache
def has(part: str) -> bool:
    """Tell whether this Python has "numba", "SciPy", "ctypes", "threads" or "processes", without importing any.

    A tab has SciPy for those who import it, which takes a download; minigrad does not ask for that.
    """
    if part == "SciPy" and sys.platform in IN_A_BROWSER:
        return False
    if part == "processes":
        return sys.platform not in IN_A_BROWSER
    if part == "threads":
        emscripten = getattr(sys, "_emscripten_info", None)
        return emscripten.pthreads if emscripten else sys.platform not in IN_A_BROWSER
    return all(importlib.util.find_spec(name) is not None for name in MODULES[part])


def without(part: str) -> str:
    """Say what is missing and what to do, for a sentence about what comes of it."""
    if sys.platform in IN_A_BROWSER:
        return f"Python in a browser has no {part}; the course on a computer does"
    from minigrad.guards.installation import install  # which asks this module where it is

    return f"this Python has no {part}; {ADVICE.get(part, 'another one does').format(install(part.lower()))}"


def demand(part: str, what: str) -> None:
    """Raise Missing if this Python lacks the part that `what` needs."""
    if not has(part):
        raise Missing(f"{what} needs {part}: {without(part)}")
