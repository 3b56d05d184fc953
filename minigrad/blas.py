"""Which BLAS kernels run. OpenBLAS looks at the processor's name, and takes 2013's kernels for names it does not know.

On a processor with AVX-512 that is younger than the library this halves the speed of products. So, before SciPy's
BLAS is loaded (compiled programs call it, and numba loads it when it is imported), its own switch OPENBLAS_CORETYPE is
set to SkylakeX where the processor has what these kernels need and OpenBLAS chose otherwise. Who sets OPENBLAS_CORETYPE
before Python starts decides for all of its products, NumPy's too, and is not overruled. MINIGRAD_BLAS=off leaves
everything alone; MINIGRAD_BLAS=SkylakeX (or another name of OpenBLAS's) decides for compiled programs, whatever else is
set.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from typing import Any

NEEDED = ("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "fma")  # by OpenBLAS's SkylakeX kernels


def features() -> set[str]:
    """What this processor can, in LLVM's words."""
    import llvmlite.binding as llvm

    return {name for name, has in llvm.get_host_cpu_features().items() if has}


def prepare() -> None:
    """Load SciPy's BLAS, if that has not happened yet, with the kernels that suit this processor."""
    if "scipy.linalg.cython_blas" in sys.modules:
        return
    before = os.environ.get("OPENBLAS_CORETYPE")
    wanted = os.environ.get("MINIGRAD_BLAS", "auto")
    if wanted == "auto":
        wanted = "SkylakeX" if before is None and wants_help() else "off"
    if wanted != "off":
        os.environ["OPENBLAS_CORETYPE"] = wanted
    try:
        import scipy.linalg.cython_blas  # noqa: F401
    finally:  # programs started from here decide for themselves
        if before is None:
            os.environ.pop("OPENBLAS_CORETYPE", None)
        else:
            os.environ["OPENBLAS_CORETYPE"] = before


def wants_help() -> bool:
    """Whether the processor has AVX-512 and OpenBLAS, as NumPy's copy shows, does not use it."""
    return set(NEEDED) <= features() and "haswell" in (architecture() or "").lower()


def architecture() -> str | None:
    """The kernels that NumPy's OpenBLAS chose; None where that cannot be told."""
    try:
        import threadpoolctl
    except ImportError:
        return None
    found = [lib.get("architecture") for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"]
    return found[0] if found else None


@functools.cache
def _controller() -> Any:
    try:
        import threadpoolctl
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


def one_thread() -> Any:
    """A context in which each product runs on the thread that asks for it, as far as threadpoolctl is installed.

    Products this small gain nothing from being divided, and shards would get into each other's way.
    """
    controller = _controller()
    return contextlib.nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")
