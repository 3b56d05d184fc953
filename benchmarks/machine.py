"""Describe the machine: processor, versions, and the kernels that its BLAS chose."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.field import Worker, WorkerError

AVX512 = ("avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl")
PACKAGES = ("minigrad", "numpy", "scipy", "numba", "torch", "jax", "jaxlib", "memray")


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe() -> dict[str, Any]:
    """Processor, system, Python and packages."""
    about = _cpuinfo()
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version({"minigrad": "minigrad-course"}.get(package, package))
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "processor": about.get("model name") or platform.processor() or platform.machine(),
        "cores": cores(),
        "AVX-512": has_avx512(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "packages": versions,
    }


def has_avx512() -> bool:
    """Tell whether the processor has all instructions that OpenBLAS's SkylakeX kernels need."""
    return set(AVX512) <= set(_cpuinfo().get("flags", "").split())


def _cpuinfo() -> dict[str, str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(re.findall(r"^([\w ]+?)\s*: (.*)$", text.split("\n\n")[0], re.M))


def best_blas() -> tuple[dict[str, str | None], dict[str, float]]:
    """Settings under which OpenBLAS multiplies fastest on one core, and the GFLOP/s of each that was tried.

    OpenBLAS looks at the processor's model and takes kernels made for it. A model that it does not know gets older
    ones; and OPENBLAS_CORETYPE, where it is set, decides instead. So: measure.
    """
    candidates: dict[str, dict[str, str | None]] = {"as OpenBLAS chooses": {"OPENBLAS_CORETYPE": None}}
    if chosen := os.environ.get("OPENBLAS_CORETYPE"):
        candidates[f"OPENBLAS_CORETYPE={chosen}, as set here"] = {}
    if has_avx512():
        candidates["OPENBLAS_CORETYPE=SkylakeX (AVX-512)"] = {"OPENBLAS_CORETYPE": "SkylakeX"}
    figures = {name: gflops("blas", 1, environment) for name, environment in candidates.items()}
    # Figures within 3 % are the same: then the first will do, which needs no setting.
    best = next(name for name in candidates if figures[name] >= 0.97 * max(figures.values()))
    return candidates[best], figures


def gflops(mode: str, threads: int, settings: dict[str, str | None]) -> float:
    """The best of five rounds of large square products."""
    with peak_folder() as folder, Worker(Path(folder), Path(folder), peak_task(mode, threads), settings) as worker:
        worker.ask("start", steps=1)
        return max(worker.ask("train", round=0, steps=1)["losses"][0] for _ in range(5))


def peak_task(mode: str, threads: int) -> dict[str, Any]:
    """The task of a worker that only multiplies matrices."""
    return {"engine": "multiplier", "mode": mode, "network": "rnn", "sizes": {}, "threads": threads}


def peak_folder() -> tempfile.TemporaryDirectory:
    """A folder with as much data as a worker asks for that needs none."""
    import numpy as np

    folder = tempfile.TemporaryDirectory(prefix="minigrad-bench-")
    for name, array in {"train_x": np.zeros(1), "train_y": np.zeros(1), "orders": np.zeros((1, 100))}.items():
        np.save(Path(folder.name, f"{name}.npy"), array)
    return folder


__all__ = ["WorkerError", "best_blas", "cores", "describe", "gflops", "has_avx512", "peak_folder", "peak_task"]
