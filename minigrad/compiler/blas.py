"""Which BLAS kernels run. OpenBLAS looks at the processor's name, and takes 2013's kernels for names it does not know.

On a processor with AVX-512 that is younger than the library this halves the speed of matrix products. So, before
SciPy's BLAS is loaded (it is what compiled programs call), its own switch OPENBLAS_CORETYPE is set to SKYLAKEX where
the processor has what these kernels need and OpenBLAS chose otherwise. Set OPENBLAS_CORETYPE yourself, before Python
starts, to decide otherwise, and for NumPy's products as well.
"""

from __future__ import annotations

import os
import sys

NEEDED = ("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "fma")  # by OpenBLAS's SkylakeX kernels


def features() -> set[str]:
    """What this processor can, in LLVM's words."""
    import llvmlite.binding as llvm

    return {name for name, has in llvm.get_host_cpu_features().items() if has}


def prepare() -> None:
    """Choose the kernels of SciPy's BLAS, if it is not loaded yet, and let each call of it use one thread."""
    if "OPENBLAS_CORETYPE" not in os.environ and "scipy.linalg.cython_blas" not in sys.modules and wants_help():
        os.environ["OPENBLAS_CORETYPE"] = "SKYLAKEX"
        try:
            import scipy.linalg.cython_blas
        finally:
            del os.environ["OPENBLAS_CORETYPE"]  # programs started from here decide for themselves
    import scipy.linalg.cython_blas  # noqa: F401


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
