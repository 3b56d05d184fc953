"""Compiled code from the disk: found again, and made anew where its files are damaged."""

import contextlib
import os
import time
from pathlib import Path

import damage
import numpy as np
import pytest
from numba import config

from minigrad.guards.files import save_arrays
from minigrad.native import jit
from tests.fresh import ROOT, caches, printed, run

pytestmark = pytest.mark.slow

USE = """
import numpy as np, minigrad as mg
print(mg.sigmoid(np.array([0.0, 2.0]))[0], mg.softmax_cross_entropy(np.zeros((1, 2)), np.array([0])) > 0.69)
"""


def used(folder, program=USE):
    """The output of a program that keeps its machine code in a folder."""
    return printed(program, **caches(folder))


def cache_file(folder, function, stamp):
    """The file in which numba, with what minigrad changes in it, keeps the machine code of a function."""
    jit.numba()
    from numba.core.caching import IndexDataCacheFile

    return IndexDataCacheFile(str(folder), function, stamp)


@pytest.mark.turns
@pytest.mark.parametrize("turn", [0, 11])
def test_damaged_files_are_made_anew(tmp_path, turn):
    """Each file in another way: a changed byte of machine code was a segmentation fault."""
    assert used(tmp_path) == "0.5 True\n"
    files = sorted(file for file in tmp_path.rglob("*") if file.suffix in (".nbi", ".nbc", ".py"))
    assert {file.suffix for file in files} == {".nbi", ".nbc", ".py"}
    kinds = [*damage.KINDS.values()]
    for k, file in enumerate(files):
        kinds[(k + turn) % len(kinds)]([file])
    assert used(tmp_path) == "0.5 True\n"


@pytest.mark.parametrize("suffix", ["*.nbc", "*.nbi"])
@pytest.mark.parametrize("kind", damage.KINDS)
def test_no_damaged_machine_code_is_loaded(tmp_path, kind, suffix):
    """Of three functions for two dtypes. What is loaded is what was kept, or nothing; and then it is kept again."""

    def each():
        for function in ("one-1.py311", "two-2.py311", "three-3.py311"):
            for dtype in ("float32", "float64"):
                yield cache_file(tmp_path, function, "stamp"), dtype, f"{function} {dtype} " + "code" * 999

    for cache, dtype, code in each():
        cache.save(dtype, code)
    damage.KINDS[kind](sorted(tmp_path.glob(suffix)))
    for cache, dtype, _ in each():
        with contextlib.suppress(OSError):  # which numba is told to go on after, by _guarded
            assert cache.load(dtype) is None
    if "folder" in kind and suffix == "*.nbi":
        return  # nothing can be kept there
    for cache, dtype, code in each():
        with contextlib.suppress(OSError):
            cache.save(dtype, code)
            assert cache.load(dtype) == code
    assert all(cache.load(dtype) == code for cache, dtype, code in each())


@pytest.mark.turns
def test_numba_alone_reads_what_is_kept(tmp_path):
    """A seal stands behind what numba looks at: what minigrad's process kept of a kernel is not damaged."""
    (tmp_path / "own.py").write_text("import numba\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n")
    for first in ("from minigrad.native import jit; jit.numba()", "pass"):
        program = f"{first}; import own; print(own.twice(2.0))"
        done = run(program, NUMBA_CACHE_DIR=tmp_path, NUMBA_OPT=0, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert done.stdout == "4.0\n", done.stderr


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python has no machine code")
def test_machine_code_of_tiles_is_that_of_their_dtype(tmp_path, monkeypatch):
    """That of another dtype in its place ended the process."""
    from minigrad.native import tile

    monkeypatch.setattr(tile, "cache_folder", lambda: tmp_path)
    for bits in (32, 64):
        tile._loaded.__wrapped__(bits)
    files = sorted(tmp_path.glob("*.o"))
    whole = [file.read_bytes() for file in files]
    damage.KINDS["exchanged"](files)
    for bits in (32, 64):
        assert tile._loaded.__wrapped__(bits).get_function_address(f"minigrad_tile_f{bits // 8}")
    assert [file.read_bytes() for file in files] == whole


@pytest.mark.parametrize("kind", damage.KINDS)
def test_a_seal_tells_damage(tmp_path, kind):
    """Such as `tile` puts on its machine code."""
    files = [tmp_path / "one.o", tmp_path / "two.o"]
    for file in files:
        file.write_bytes(jit.sealed(file.name, file.name.encode() * 999))
        assert jit.unsealed(file) == file.name.encode() * 999
    damage.KINDS[kind](files)
    for file in files:
        with contextlib.suppress(OSError):
            assert jit.unsealed(file) is None


def test_a_cache_folder_that_cannot_be_written_is_replaced_by_a_temporary_one(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MINIGRAD_CACHE_DIR", str(tmp_path / "file"))
    jit.cache_folder.cache_clear()
    jit._not_kept.cache_clear()
    try:
        with pytest.warns(RuntimeWarning, match="compiled code cannot be kept on disk .* MINIGRAD_CACHE_DIR chooses"):
            assert jit.cache_folder().is_dir()
        assert jit.cache_folder() != tmp_path / "file"
    finally:
        jit.cache_folder.cache_clear()


def test_a_temporary_folder_goes_with_its_process(tmp_path):
    (tmp_path / "file").write_text("in the way")
    program = "from minigrad.native import jit; print(jit.cache_folder().is_dir())"
    done = run(program, MINIGRAD_CACHE_DIR=tmp_path / "file", TMPDIR=tmp_path)
    assert done.stdout == "True\n"
    assert done.stderr.count("RuntimeWarning: compiled code cannot be kept on disk") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_expression_becomes_a_ufunc_of_both_dtypes():
    twice = jit.ufunc("twice_plus_one", "a * 2 + b", ("a", "b"))
    for dtype in (np.float32, np.float64):
        a = np.arange(6, dtype=dtype).reshape(2, 3)
        out = np.empty((2, 3), dtype)
        assert twice(a, dtype(1), out=out) is out
        np.testing.assert_array_equal(out, a * 2 + 1)
        assert twice(a, dtype(1)).dtype == dtype


@pytest.mark.parametrize(
    "place", ["native/kernels.py", "compiler/optional/one_walk.py", "ops/pool.py", "native/numba_internals.py"]
)
def test_machine_code_on_disk_belongs_to_the_kernels_of_all_folders(tmp_path, monkeypatch, place):
    monkeypatch.setattr(jit, "HOUSE", str(tmp_path))
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    stamps = set()
    for text in ("one", "another"):
        (tmp_path / place).write_text(text)
        stamps.add(jit.kernels_stamp.__wrapped__())
    assert len(stamps) == 2


ANOTHER = """
import numba
from numba.core import {module}
del {module}.{name}
numba.__version__ = "0.99"
from minigrad.native import jit
try:
    print(jit.plain_python())
except ImportError as error:
    print(error)
"""


@pytest.mark.turns
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("caching", "IndexDataCacheFile._load_index"), ("cgutils", "for_range"), ("registry", "CPUDispatcher"),
        ("codegen", "CPUCodeLibrary._finalize_dynamic_globals"),
    ],
)  # fmt: skip
def test_another_numba_is_refused_in_a_sentence(module, name):
    """numba's own parts may change without notice. In plain Python they are not needed."""
    for off, says in (
        ("0", "minigrad uses the inside of numba 0.68, and that of numba 0.99 is another one"),
        ("1", "True"),
    ):
        done = run(ANOTHER.format(module=module, name=name), NUMBA_DISABLE_JIT=off)
        assert done.stdout.startswith(says), done.stdout + done.stderr
        assert off == "1" or (name.rpartition(".")[2] in done.stdout and 'pip install "numba==0.68.*"' in done.stdout)


def test_the_numba_whose_inside_is_known_is_the_one_that_is_installed():
    fixed = (Path(__file__).parents[1] / "constraints.txt").read_text()
    assert f"\nnumba=={jit.TRIED}." in fixed


def test_no_other_file_uses_the_inside_of_numba():
    folder = Path(jit.HOUSE)
    users = {file.name for file in folder.rglob("*.py") if "numba.core" in file.read_text()}
    assert users == {"numba_internals.py"}


CALLER = """
from minigrad.native import jit
from minigrad.native.jit import njit
from callee import inner
jit.HOUSE = {folder!r}
jit.kernels_stamp = lambda: open({folder!r} + "callee.py").read()

@njit()
def outer(x):
    return inner(x)

print(outer(1.0))
"""
CALLEE = "from minigrad.native.jit import njit\n\n@njit()\ndef inner(x):\n    return x + {}\n"


@pytest.mark.turns
def test_a_kernel_is_compiled_anew_when_one_that_it_calls_has_changed(tmp_path):
    """numba looks at the caller's own file alone, and went on with what it had made of the callee."""
    (tmp_path / "caller.py").write_text(CALLER.format(folder=f"{tmp_path}{os.sep}"))
    for number in (1, 2):
        (tmp_path / "callee.py").write_text(CALLEE.format(number))
        # Python's own cache goes by the second, too: within one, it would go on with the first callee.
        done = run(["-B", tmp_path / "caller.py"], NUMBA_OPT=0, NUMBA_CACHE_DIR=tmp_path / "cache")
        assert done.stdout == f"{1.0 + number}\n", done.stderr


def test_two_processes_that_keep_a_kernel_at_once_do_not_mix_up_their_machine_code(tmp_path):
    """Of which the index names the last one; the other is compiled anew. numba gave both files one number."""

    class Meanwhile(type(cache_file(tmp_path, "kernel-1.py311", "stamp"))):
        """Another process keeps machine code for other dtypes, having read the index when this one did."""

        def _save_data(self, name, data):
            other = cache_file(tmp_path, "kernel-1.py311", "stamp")
            other._load_index = dict
            other.save("of float64", "code for float64")
            super()._save_data(name, data)

    Meanwhile(str(tmp_path), "kernel-1.py311", "stamp").save("of float32", "code for float32")
    reader = cache_file(tmp_path, "kernel-1.py311", "stamp")
    result = {dtype: reader.load(f"of {dtype}") for dtype in ("float32", "float64")}
    assert set(result.items()) <= {("float32", "code for float32"), ("float64", "code for float64"), ("float64", None)}
    for dtype in result:
        reader.save(f"of {dtype}", f"code for {dtype}")
    assert [reader.load(f"of {dtype}") for dtype in result] == ["code for float32", "code for float64"]


def test_machine_code_of_an_older_source_is_deleted(tmp_path):
    for stamp in ("old", "new"):
        cache_file(tmp_path, "kernel-1.py311", stamp).save("of float32", stamp)
        cache_file(tmp_path, "kernel-12.py311", "its own").save("of float32", "another kernel's")
    assert cache_file(tmp_path, "kernel-1.py311", "new").load("of float32") == "new"
    assert len(list(tmp_path.glob("*.nbc"))) == 2


def test_machine_code_of_another_numba_is_not_loaded(tmp_path):
    old, new = (cache_file(tmp_path, "kernel-1.py311", "stamp") for _ in range(2))
    old._version = "0.1"
    old.save("of float32", "old")
    assert new.load("of float32") is None
    new.save("of float32", "new")
    assert new.load("of float32") == "new"
    assert len(list(tmp_path.glob("*.nbc"))) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), MemoryError])
def test_what_ends_in_the_middle_of_writing_leaves_no_part(tmp_path, monkeypatch, error):
    cache = cache_file(tmp_path, "kernel-1.py311", "stamp")
    cache.save("of float32", "code")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def end(*_):
        raise error

    monkeypatch.setattr(os, "replace", end)
    with pytest.raises(error if isinstance(error, type) else OSError):
        cache.save("of float64", "code")
    with pytest.raises(error if isinstance(error, type) else OSError):
        jit._written(tmp_path / "program.py", b"text")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_parts_that_a_killed_process_left_are_removed_a_day_later(tmp_path, monkeypatch):
    """Of machine code, of programs, and of files such as a checkpoint. Until then somebody may be writing them."""
    parts = [tmp_path / name for name in ("kernel-1.py311.nbi.tmp.0a", "kernel-1.py311.0b.nbc.tmp.0c", ".a.py-0d.tmp")]
    for age, left in ((3600, 3), (25 * 3600, 0)):
        for part in parts:
            part.write_bytes(b"half")
            os.utime(part, (time.time() - age, time.time() - age))
        cache_file(tmp_path, "kernel-1.py311", "stamp").save("of float32", "code")
        monkeypatch.setenv("MINIGRAD_CACHE_DIR", str(tmp_path))
        assert jit.cache_folder.__wrapped__() == tmp_path
        assert sum(part.exists() for part in parts) == left
        weights = tmp_path / "weights"
        weights.mkdir(exist_ok=True)
        parts_of_weights = weights / ".w.npz-0e.tmp"
        parts_of_weights.write_bytes(b"half")
        os.utime(parts_of_weights, (time.time() - age, time.time() - age))
        save_arrays(weights / "w.npz", {"w": np.zeros(1)})
        assert parts_of_weights.exists() == bool(left)


MEANWHILE = """
import os, shutil, warnings
import numpy as np, minigrad as mg
for turn in range(2):
    x = mg.Variable(np.arange(3.0 + turn), name="x")
    program = mg.compile_graph([mg.sum(mg.sin(x) * x)])
    print(f"{program(np.ones(3 + turn)):.4f}", mg.sigmoid(np.zeros(1))[0])
    if turn == 0:
        shutil.rmtree(os.environ["MINIGRAD_CACHE_DIR"])
"""


def test_a_cache_that_is_deleted_meanwhile_is_missed_by_nobody(tmp_path):
    assert used(tmp_path / "a", MEANWHILE) == "2.5244 0.5\n3.3659 0.5\n"
