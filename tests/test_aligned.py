"""Arrays that begin at cache lines are as independent of each other as any."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler import build
from minigrad.native import aligned, compiled


def at_a_line(array):
    return array.__array_interface__["data"][0] % aligned.LINE == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(300, 784), (17,), (16, 1), (1, 128, 1, 2), (0, 3), (), (3,)])
def test_a_parameter_is_an_array_of_its_own(shape, dtype):
    rng = np.random.default_rng(0)
    values = [rng.standard_normal(shape).astype(dtype) for _ in range(3)]
    variables = [mg.Variable(v) for v in values]
    for v, value in zip(variables, values, strict=True):
        assert all(v._value.flags[name] for name in ("C_CONTIGUOUS", "WRITEABLE", "ALIGNED"))
        assert at_a_line(v._value) or value.nbytes < aligned.LINE
        assert not np.shares_memory(v._value, value)
        np.testing.assert_array_equal(v.value, value)
    variables[1]._value[...] = 7
    for k in (0, 2):
        np.testing.assert_array_equal(variables[k].value, values[k])
    for twin in (copy.deepcopy(variables[0]), pickle.loads(pickle.dumps(variables[0]))):
        assert not np.shares_memory(twin._value, variables[0]._value)
        np.testing.assert_array_equal(twin.value, values[0])


@pytest.mark.parametrize("optimizer", [mg.optim.SGD(0.1, momentum=0.9), mg.optim.Adam(0.1)])
def test_every_array_of_a_program_is_aligned(optimizer, monkeypatch):
    of_program: list[dict[str, np.ndarray]] = []

    def by_name(arrays):
        of_program.append(arrays)
        return compiled.by_name(arrays)

    monkeypatch.setattr(build, "by_name", by_name)
    rng = np.random.default_rng(0)
    model = mg.nn.Sequential(mg.nn.Linear(7, 33, rng=0), mg.nn.Tanh(), mg.nn.Linear(33, 3, rng=0))
    for size in range(5, 13):  # NumPy's arrays begin at a line one time in four
        x, y = rng.standard_normal((size, 7)).astype(np.float32), rng.integers(0, 3, size)
        mg.compile(model, mg.nn.cross_entropy, optimizer, x, y)
        arrays = [array for array in of_program[-1].values() if array.nbytes >= aligned.LINE]
        assert len(arrays) > 8
        assert [array.shape for array in arrays if not at_a_line(array)] == []
