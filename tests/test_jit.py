"""Compiled code from the disk: found again, and made anew where its files are damaged."""

import contextlib
import os
import time
from pathlib import Path

import damage
import numpy as np
import pytest

from minigrad.guards.files import save_arrays
from minigrad.native import jit
from tests.fresh import caches, printed, run

pytestmark = pytest.mark.slow

USE = """
import numpy as np, minigrad as mg
print(mg.sigmoid(np.array([0.0, 2.0]))[0], mg.softmax_cross_entropy(np.zeros((1, 2)), np.array([0])) > 0.69)
"""


def used(folder, program=USE):
    """The output of a program that keeps its machine code in a folder."""
    return printed(program, **caches(folder))


def cache_file(folder, function, stamp):
    """The files in which minigrad keeps the machine code of a function."""
    from minigrad.native.code_cache import CodeFiles

    return CodeFiles(folder, function, stamp)


@pytest.mark.turns
@pytest.mark.parametrize("turn", [0, 11])
def test_damaged_files_are_made_anew(tmp_path, turn):
    """Each file in another way: a changed byte of machine code was a segmentation fault."""
    assert used(tmp_path) == "0.5 True\n"
    files = sorted(file for file in tmp_path.rglob("*") if file.suffix in (".nbc", ".py"))
    assert {file.suffix for file in files} == {".nbc", ".py"}
    kinds = [*damage.KINDS.values()]
    for k, file in enumerate(files):
        kinds[(k + turn) % len(kinds)]([file])
    assert used(tmp_path) == "0.5 True\n"


@pytest.mark.parametrize("kind", damage.KINDS)
def test_no_damaged_machine_code_is_loaded(tmp_path, kind):
    """Of three functions for two dtypes. What is loaded is what was kept, or nothing; and then it is kept again."""

    def each():
        for function in ("one-1.py311", "two-2.py311", "three-3.py311"):
            for dtype in ("float32", "float64"):
                yield cache_file(tmp_path, function, "stamp"), dtype, f"{function} {dtype} ".encode() + b"code" * 999

    for cache, dtype, code in each():
        cache.save(dtype, code)
    damage.KINDS[kind](sorted(tmp_path.glob("*.nbc")))
    for cache, dtype, _ in each():
        with contextlib.suppress(OSError):  # `if_possible` warns of it
            assert cache.load(dtype) is None
    if "folder" in kind:
        return  # nothing can be kept there
    for cache, dtype, code in each():
        with contextlib.suppress(OSError):
            cache.save(dtype, code)
            assert cache.load(dtype) == code
    assert all(cache.load(dtype) == code for cache, dtype, code in each())


PROGRAM = """
import numpy as np, minigrad as mg
x = np.ones((4, 3), np.float32)
step = mg.compile(mg.nn.Linear(3, 2, rng=0), mg.nn.cross_entropy, mg.optim.Adam(0.1), x, np.array([0, 1, 0, 1]))
step(x, np.array([0, 1, 0, 1]))
mg.tanh(x)
"""


LEFT_ALONE = """
import sys, numba, numpy as np
{first}

def things():
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "numba" and module is not None:
            for key, thing in vars(module).items():
                yield (name, key), thing
                if isinstance(thing, type):
                    yield from (((name, key, part), x) for part, x in [*vars(thing).items()])

KINDS = type, dict, list, set, type(sys), property, staticmethod, classmethod, type(len), type(things)
NAMES_OF_PYTHON = "__annotations__", "__warningregistry__"
before = {{key: thing for key, thing in things() if key[-1] not in NAMES_OF_PYTHON}}
{program}
after = dict(things())
print(*(key for key, thing in before.items() if isinstance(thing, KINDS) and after.get(key) is not thing))
print(*(key for key, thing in after.items() if str(getattr(thing, "__module__", "")).startswith("minigrad")))
"""


@pytest.mark.turns
@pytest.mark.parametrize("first", ["numba.njit(lambda x: np.dot(x, x).sum())(np.ones((2, 2)))", ""])
def test_nothing_of_numba_is_replaced(tmp_path, first):
    """Neither where it was at work before, nor where minigrad imports it."""
    script = LEFT_ALONE.format(first=first, program=PROGRAM)
    assert printed(script, **caches(tmp_path)).split("\n")[:2] == ["", ""]


@pytest.mark.parametrize("kind", damage.KINDS)
def test_a_seal_tells_damage(tmp_path, kind):
    """Such as each file of machine code ends with."""
    files = [tmp_path / "one.o", tmp_path / "two.o"]
    for file in files:
        file.write_bytes(jit.sealed(file.name, file.name.encode() * 999))
        assert jit.unsealed(file) == file.name.encode() * 999
    damage.KINDS[kind](files)
    for file in files:
        with contextlib.suppress(OSError):
            assert jit.unsealed(file) is None


def test_a_temporary_cache_replaces_an_unwritable_one(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MINIGRAD_CACHE_DIR", str(tmp_path / "file"))
    jit.cache_folder.cache_clear()
    jit.warn_uncached.cache_clear()
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
def test_machine_code_belongs_to_all_folders_kernels(tmp_path, monkeypatch, place):
    monkeypatch.setattr(jit, "PACKAGE_DIR", str(tmp_path))
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
        ("caching", "FunctionCache"), ("cgutils", "for_range"), ("registry", "CPUDispatcher"),
        ("codegen", "CPUCodeLibrary._optimize_functions"),
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


def test_the_installed_numba_is_the_known_one():
    fixed = (Path(__file__).parents[1] / "constraints.txt").read_text()
    assert f"\nnumba=={jit.TRIED}." in fixed


def test_no_other_file_uses_the_inside_of_numba():
    folder = Path(jit.PACKAGE_DIR)
    users = {file.name for file in folder.rglob("*.py") if "numba.core" in file.read_text()}
    assert users == {"numba_internals.py", "code_cache.py"}


CALLER = """
from minigrad.native import jit
from minigrad.native.jit import njit
from callee import inner
from minigrad.native import code_cache
code_cache.PACKAGE_DIR = {folder!r}
jit.kernels_stamp = lambda: open({folder!r} + "callee.py").read()

@njit()
def outer(x):
    return inner(x)

print(outer(1.0))
"""
CALLEE = "from minigrad.native.jit import njit\n\n@njit()\ndef inner(x):\n    return x + {}\n"


@pytest.mark.turns
def test_a_kernel_is_compiled_anew(tmp_path):
    """numba looks at the caller's own file alone, and went on with what it had made of the callee."""
    (tmp_path / "caller.py").write_text(CALLER.format(folder=f"{tmp_path}{os.sep}"))
    for number in (1, 2):
        (tmp_path / "callee.py").write_text(CALLEE.format(number))
        # Python's own cache goes by the second, too: within one, it would go on with the first callee.
        done = run(["-B", tmp_path / "caller.py"], NUMBA_OPT=0, NUMBA_CACHE_DIR=tmp_path / "cache")
        assert done.stdout == f"{1.0 + number}\n", done.stderr


def test_machine_code_of_another_numba_is_not_loaded(monkeypatch):
    import numba

    from minigrad.native.code_cache import CodeCache

    stamp = CodeCache(cache_file).files.stamp
    assert stamp == CodeCache(cache_file).files.stamp
    monkeypatch.setattr(numba, "__version__", "0.1")
    assert stamp != CodeCache(cache_file).files.stamp


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), MemoryError])
def test_an_interrupted_write_leaves_no_part(tmp_path, monkeypatch, error):
    cache = cache_file(tmp_path, "kernel-1.py311", "stamp")
    cache.save("float32", b"code")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def end(*_):
        raise error

    monkeypatch.setattr(os, "replace", end)
    with pytest.raises(error if isinstance(error, type) else OSError):
        cache.save("float64", b"code")
    with pytest.raises(error if isinstance(error, type) else OSError):
        jit._written(tmp_path / "program.py", b"text")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_parts_of_a_killed_process_are_removed_later(tmp_path, monkeypatch):
    """Of machine code, of programs, and of files such as a checkpoint. Until then somebody may be writing them."""
    parts = [tmp_path / name for name in (".kernel-1.py311.stamp.0b.nbc-0c.tmp", ".a.py-0d.tmp")]
    for age, left in ((3600, 2), (25 * 3600, 0)):
        for part in parts:
            part.write_bytes(b"half")
            os.utime(part, (time.time() - age, time.time() - age))
        cache_file(tmp_path, "kernel-1.py311", "stamp").save("float32", b"code")
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


def test_a_deleted_cache_is_missed_by_nobody(tmp_path):
    assert used(tmp_path / "a", MEANWHILE) == "2.5244 0.5\n3.3659 0.5\n"
