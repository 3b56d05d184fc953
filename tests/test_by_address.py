"""Kernels are compiled once, and programs call them at their addresses: in this process, and in the next one."""

import pytest

from minigrad.native.compiled import PURE_PYTHON
from tests.fresh import printed

pytestmark = pytest.mark.skipif(PURE_PYTHON, reason="there is no machine code")

SCRIPT = """
import numpy as np
import minigrad as mg
from minigrad.native import products

rng = np.random.default_rng(0)
a, b = (mg.Variable(rng.random((5, 5)), name=name) for name in "ab")
program = mg.compile_graph([mg.sum(a @ b @ a)])
x, y = rng.random((2, 5, 5))
assert np.isclose(program(x, y), (x @ y @ x).sum(), rtol=1e-12)
for kernel in (products.matmul, products._product):
    print(len(kernel.overloads), sum(kernel.stats.cache_misses.values()))
"""


def run(folder, script=SCRIPT):
    """Run the script; return a line for each kernel: its number of versions, and of compiled ones."""
    return printed(script, MINIGRAD_CACHE_DIR=folder / "programs", NUMBA_CACHE_DIR=folder / "numba").splitlines()


def files(folder, name):
    return [file for file in (folder / "numba").rglob(f"{name}*") if file.suffix == ".nbc"]


@pytest.mark.thorough
def test_machine_code_finds_its_kernels_again(tmp_path):
    assert run(tmp_path) == ["1 1", "1 1"]  # compiled once each, for all products
    assert run(tmp_path) == ["1 0", "1 0"]  # the second process compiles nothing: all is on disk
    for file in [*files(tmp_path, "products.matmul"), *files(tmp_path, "products._product")]:
        file.unlink()
    assert files(tmp_path, "graph")
    assert run(tmp_path) == ["1 1", "1 1"]  # the program is there and its kernels are not: they are made first


def test_programs_compile_after_other_numba_code(tmp_path):
    """numba asks types in the order in which they were registered, but those for one kind of processor first."""
    script = """
import numba
import numpy as np

assert numba.njit(lambda x: x + 1)(1) == 2

import minigrad as mg

x = np.ones((1, 3), np.float32)
step = mg.compile(mg.nn.Linear(3, 3, rng=0), lambda a, b: mg.sum((a - b) ** 2), mg.optim.SGD(0.1), x, x)
print(step(x, x) > step(x, x))
"""
    assert printed(script, MINIGRAD_CACHE_DIR=tmp_path) == "True\n"


def test_numbers_in_a_text_compile_no_kernel_anew():
    from numba import types

    from minigrad.native.jit import njit
    from minigrad.native.numba_internals import Kernel, Pipeline

    @njit(kind=Kernel, pipeline_class=Pipeline)
    def count(n):
        total = 0
        for k in range(n):
            total += k
        return total

    @njit(pipeline_class=Pipeline)
    def caller():
        return count(4) + count(5)

    assert caller() == 6 + 10
    assert list(count.overloads) == [(types.int64,)]
    assert {callee.function for callee in caller.overloads[()].reload_init} == {count.py_func.__qualname__}


def test_what_a_callee_raises_arrives(tmp_path):
    from minigrad.native.jit import njit
    from minigrad.native.numba_internals import Kernel, Pipeline

    @njit(kind=Kernel, pipeline_class=Pipeline)
    def refuse(n):
        if n > 1:
            raise ValueError("too many")
        return n

    @njit(pipeline_class=Pipeline)
    def caller(n):
        return refuse(n)

    assert caller(1) == 1
    with pytest.raises(ValueError, match="too many"):
        caller(2)


@pytest.mark.thorough
def test_python_finds_the_way_to_a_kernel_again(tmp_path):
    """Made anew in each process, it took most of an eager network's first step."""
    script = """
import numpy as np
from minigrad.native import products

products.turn(np.ones((5, 7)), np.zeros((7, 5)))
kept = products.turn.from_python
print(len(kept.overloads), sum(kept.stats.cache_misses.values()))
"""
    assert run(tmp_path, script) == ["1 1"]
    assert run(tmp_path, script) == ["1 0"]
    for file in files(tmp_path, "products.turn-"):
        file.unlink()
    assert run(tmp_path, script) == ["1 0"], "the kernel is made first"
