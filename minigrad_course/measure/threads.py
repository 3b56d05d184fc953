"""Count the threads that each loaded library would use, without loading a library or starting a thread."""

from __future__ import annotations

import sys

from minigrad.guards import capabilities

# The names of the query in OpenBLAS (of the wheels, with 64-bit integers or without; of conda) and MKL.
_BLAS_NAMES = (
    "scipy_openblas_get_num_threads64_", "scipy_openblas_get_num_threads", "openblas_get_num_threads64_",
    "openblas_get_num_threads", "MKL_Get_Max_Threads",
)  # fmt: skip


def thread_counts() -> dict[str, int]:
    """Return, for example, {"BLAS": 4, "SciPy's BLAS": 4, "numba": 4, "torch": 4}; libraries without a query are left
    out.
    """
    counts = {}
    for name, module in (("BLAS", "numpy._core._multiarray_umath"), ("SciPy's BLAS", "scipy.linalg.cython_blas")):
        number = _blas_threads(module)
        if number is not None:
            counts[name] = number
    parallel = sys.modules.get("numba.np.ufunc.parallel")
    if parallel is not None and getattr(parallel, "_is_initialized", False):
        counts["numba"] = parallel.get_num_threads()
    elif "numba.core.config" in sys.modules:  # its threads start when the first parallel function runs
        counts["numba"] = sys.modules["numba.core.config"].NUMBA_NUM_THREADS
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "get_num_threads"):
        counts["torch"] = torch.get_num_threads()
    return counts


def _blas_threads(module: str) -> int | None:
    """Ask the BLAS that a loaded extension module is linked to. None where it has no such function (Accelerate)."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or sys.platform == "win32":  # Windows does not search the libraries behind a library
        return None
    if not capabilities.has("ctypes"):
        return None
    import ctypes as C

    library = C.CDLL(file)
    for name in _BLAS_NAMES:
        if hasattr(library, name):
            return int(getattr(library, name)())
    return None
