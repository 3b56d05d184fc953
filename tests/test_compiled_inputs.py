"""Inputs of compiled steps and programs are checked before they run. (In the words of eager mode, in every mode:
tests/campaign/refusals.py.) And a loss that is no number changes nothing, however the step was compiled.
"""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.compiler.passes import PASSES
from minigrad.core.operation import Operation
from minigrad.guards.bounds import bounds, first_out_of_range
from minigrad.native import kernels
from minigrad.native.compiled import PURE_PYTHON
from minigrad.ops.rows import AddRows
from minigrad.training import optim
from minigrad.training.train import Step
from minigrad_course.anomaly import AnomalyError
from minigrad_course.measure import count_allocations
from tests.fresh import printed
from tests.test_compiler import Small, plain_python, rows, small_step  # noqa: F401 (a fixture)

LABELS = "Labels are integers from 0 to 2, because the logits have 3 columns"


def data_of(x, y):
    return type("Data", (), {"train_x": x, "train_y": y, "test_x": x, "test_y": y})


def unchanged(model, before):
    for name, array in model.state_dict().items():
        np.testing.assert_array_equal(array, before[name])


# ---------------------------------------------------------------- labels


def test_rows_outside_of_the_order_may_hold_anything():
    x, y = rows(0)
    _, step = small_step()
    y[19:] = -1
    assert np.isfinite(step.epoch(x, y, np.arange(16))).all()
    assert len(step.epoch(x, y, np.arange(20))) == 2
    with pytest.raises(ValueError, match="The label in row 19 is -1"):
        step.epoch(x, y, np.arange(24))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("row", [0, 3, 23])
def test_fit_names_label_and_range_before_training(compiled, row):
    x, y = rows(0)
    y[row] = 3
    model, optimizer = Small(), optim.SGD(0.1)
    before = model.state_dict()
    with pytest.raises(ValueError, match=rf"The label in row {row} is 3\. {LABELS}"):
        mg.fit(model, data_of(x, y), 1, 8, optimizer, rng=0, progress=False, compiled=compiled)
    unchanged(model, before)
    assert optimizer.steps == 0


def test_the_example_batch_is_looked_at_as_well():
    x, y = rows(0)
    y[6] = 3
    for shards in (1, 2):
        with pytest.raises(ValueError, match=rf"The label in row 6 is 3\. {LABELS}"):
            mg.compile(Small(), nn.cross_entropy, optim.SGD(0.1), x[:8], y[:8], shards=shards)


def test_inputs_must_fit_into_the_programs_dtype():
    x, y = rows(0)
    step = mg.compile(Small(), nn.cross_entropy, optim.SGD(0.1), x[:8], y[:8].astype(np.uint8))
    other = mg.compile(Small(), nn.cross_entropy, optim.SGD(0.1), x[:8], y[:8])
    assert step(x[:8], y[:8]) == other(x[:8], y[:8]), "int64 labels fit into uint8"
    y[2] = 257  # as uint8 it would be 1
    with pytest.raises(ValueError, match="The label in row 2 is 257"):
        step(x[:8], y[:8])
    pictures = np.arange(48, dtype=np.uint8).reshape(8, 6)
    step = mg.compile(Small(), lambda output, y: nn.cross_entropy(output, y), optim.SGD(0.1), pictures, y[8:16])
    with pytest.raises(TypeError, match="compiled for uint8 as x, and cannot take float32"):
        step(x[:8], y[8:16])
    with pytest.raises(ValueError, match="compiled for uint8 as x, from 0 to 255, and row 3 holds 256"):
        step(np.repeat([[0], [1], [255], [256], [0], [0], [0], [0]], 6, axis=1), y[8:16])
    n = mg.Constant(np.array([3], np.uint8), name="n")
    program = mg.compile_graph(n * n, [n])
    assert program([4]) == 16
    with pytest.raises(ValueError, match="compiled for uint8 as n, from 0 to 255, and row 0 holds 256"):
        program([256])
    with pytest.raises(TypeError, match="n is an array of real numbers, and cannot take"):
        program(["2"])


def test_floats_and_integers_become_the_programs_dtypes():
    x, y = rows(0)
    losses = []
    for convert in (np.float32, np.float64, list, np.asfortranarray, lambda a: a.astype(">f4")):
        _, step = small_step()
        value = convert(x[:8])
        if isinstance(value, list):
            value = [row.tolist() for row in value]
        losses.append(step(value, y[:8].tolist()))
    assert len(set(losses)) == 1


# ---------------------------------------------------------------- orders


def test_an_empty_order_trains_nothing():
    x, y = rows(0)
    _, step = small_step()
    assert step.epoch(x, y, []).shape == (0,)
    assert step.epoch(x, y, np.arange(5)).shape == (0,)
    assert step.epoch(x[:0], y[:0], np.zeros(0, int)).shape == (0,)


# ---------------------------------------------------------------- any operation that looks something up


class Rows(Operation):
    """Rows of a table by their numbers, as an embedding has them."""

    name = "rows"

    def value(self, table, places, out=None):
        return np.take(table, places, axis=0, out=out)

    def limits(self, i, table, places):
        return (0, len(table) - 1) if i == 1 else None

    def vjp(self, i, adjoint, v, table, places):
        return AddRows(len(table))(adjoint, places) if i == 0 else None

    @staticmethod
    def kernel(table, places, out):
        for k in range(places.size):
            for j in range(table.shape[1]):
                out[k, j] = table[places[k], j]


class Words(nn.Module):
    def __init__(self):
        self.table = mg.Variable(np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32))

    def forward(self, x):
        return Rows()(self.table, x.reshape(-1))


def test_an_operation_declares_the_row_numbers():
    x, y = np.array([[0], [4], [2], [1]]), np.array([0, 1, 2, 0])
    step = mg.compile(Words(), nn.cross_entropy, optim.SGD(0.1), x, y)
    first = step(x, y)
    assert step(x, y) < first
    for wrong in (5, -1):
        with pytest.raises(IndexError, match=rf"rows cannot take .* {wrong} in row 2 is out of range.* from 0 to 4"):
            step(np.array([[0], [4], [wrong], [1]]), y)
    model = Words()
    with pytest.raises(IndexError, match="7 in row 6 is out of range"):
        mg.fit(model, data_of(np.array([[0], [4], [2], [1], [0], [0], [7], [0]]), np.tile(y, 2)), 1, 4, optim.SGD(0.1),
               rng=0, progress=False)  # fmt: skip


def test_limits_hold_under_any_shape_and_dtype():
    y = mg.Constant(np.zeros((2, 4), np.int8), name="y")
    z = mg.Variable(np.zeros((8, 3)))
    loss = nn.cross_entropy(z, mg.cast(y.reshape(-1), np.int64))
    (limits,) = bounds(mg.topological_order(loss), [y, z])
    assert (limits.leaf, limits.low, limits.high) == (y, 0, 2)
    assert bounds(mg.topological_order(nn.cross_entropy(z, np.zeros(8, int))), [y, z]) == []


def by_labels(z, y):
    return nn.cross_entropy(z, 2 * y - y)


def by_places(z, y):
    return -mg.mean(mg.log_softmax(z)[np.arange(len(y.value)), 2 * y - y])


def by_rows(z, y):
    return mg.sum(z[2 * y - y] ** 2)


def by_a_counter(z, y):
    return mg.scan(lambda s, row: ((s[0] + 1, s[1] + mg.sum(z[s[0]] * row)), row), z[:7], (mg.max(y), 0.0))[0][1]


@pytest.mark.parametrize("loss", [by_labels, by_places, by_rows, by_a_counter])
def test_computed_labels_are_refused_as_in_eager_mode(loss):
    """Value and adjoints were nan, and 0, or an error of another kind. (In steps: tests/campaign/refusals.py.)"""
    y, numbers = mg.Constant(np.zeros(8, int), name="y"), np.random.default_rng(0).standard_normal((8, 8))
    z = mg.Variable(numbers, name="z")
    f = loss(z, y)
    for outputs in ([f, *mg.adjoints(f, [z])], [f], mg.adjoints(f, [z])):
        program = mg.compile_graph(outputs, [z, y])
        for wrong in (8, -9, 10**9):
            if wrong < 0 and loss is by_a_counter:
                continue  # it begins at the largest label
            labels = np.zeros(8, int)
            labels[3] = wrong
            with pytest.raises((ValueError, IndexError)) as eager:
                loss(mg.Variable(numbers), mg.Constant(labels))
            with pytest.raises((ValueError, IndexError)) as compiled:
                program(numbers, labels)
            assert type(compiled.value) is type(eager.value)
            if f in outputs:
                assert str(compiled.value).split(" At ")[0] == str(eager.value).split(" At ")[0]
    assert np.all(y.value == 0)
    program(numbers, np.zeros(8, int))


def test_the_slope_at_an_impossible_label_is_nan():
    logits, out = np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32)
    kernels.cross_entropy_slope(logits, np.array([-1, 1]), out)
    assert np.isnan(out[0]).all(), "and no other memory is touched"
    np.testing.assert_allclose(out[1], [1 / 6, 1 / 6 - 1 / 2, 1 / 6], rtol=1e-6)


# ---------------------------------------------------------------- nan on demand


@pytest.mark.parametrize("shards", [1, 4])
def test_inside_detect_anomaly_a_nan_is_named(shards):
    x, y = rows(0)
    model, step = small_step(shards=shards)
    x[13, 4] = np.nan
    with mg.detect_anomaly():
        assert np.isfinite(step(x[:8], y[:8]))
        before = model.state_dict()
        for run in (lambda: step.epoch(x, y, np.arange(24)), lambda: step(x[8:16], y[8:16])):
            with pytest.raises(AnomalyError, match=r"the Constant 'x' is given nan at entry \[(13|5), 4\]"):
                run()
            unchanged(model, before)
        assert np.isfinite(step.epoch(x, y, [k for k in range(24) if k != 13])).all(), "row 13 is not in the order"


def test_detect_anomaly_follows_a_nan_to_its_operation():
    x, y = rows(0)
    model = Small()
    step = mg.compile(model, lambda output, y: mg.sum(mg.exp(output * y[0])), optim.SGD(0.1), x[:8], y[:8].astype("f4"))
    before = model.state_dict()
    with mg.detect_anomaly(), pytest.raises(AnomalyError, match=r"^`?exp.*gave inf at entry"):
        step(x[:8], np.full(8, 1e6))
    unchanged(model, before)


@pytest.mark.compiled
def test_inside_detect_anomaly_a_program_names_input():
    x = mg.Variable(np.ones(3), name="x")
    program = mg.compile_graph(mg.log(x))
    assert np.isneginf(program(np.zeros(3))).all()
    with mg.detect_anomaly():
        np.testing.assert_array_equal(program(np.ones(3)), np.zeros(3))
        with pytest.raises(AnomalyError, match=r"the Variable 'x' is given inf at entry \[1\]"):
            program(np.array([1, np.inf, 1]))
        with pytest.raises(FloatingPointError, match=r"output 0 of this program is -inf at entry \[2\]"):
            program(np.array([1, 1, 0]))


# ---------------------------------------------------------------- a loss that is no number


class Scaled(nn.Module):
    """Two layers, and a single number as a parameter."""

    def __init__(self, dtype=np.float32):
        self.first = nn.Linear(6, 5, rng=0, dtype=dtype)
        self.scale = mg.Variable(np.array(0.5, dtype))
        self.last = nn.Linear(5, 3, rng=1, dtype=dtype)

    def forward(self, x):
        return self.last(mg.tanh(self.first(x))) * self.scale


OPTIMIZERS = {
    "SGD": lambda: optim.SGD(0.1),
    "momentum": lambda: optim.SGD(0.1, momentum=0.9),
    "Adam": lambda: optim.Adam(0.01),
    "a schedule": lambda: optim.SGD(optim.cosine(0.2, steps=4)),
}


def kept(model, optimizer):
    return [
        array.copy() for variable in model.parameters() for array in optimizer.kept(variable)[: optimizer.arrays - 1]
    ]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("shards", [1, 2, 4])
def test_a_loss_that_is_no_number_changes_nothing(optimizer, batch, shards):
    """Three batches, the third of them bad, and a fourth: as eager `fit` leaves the weights. With plain SGD the updates
    are part of the products, and of one row of the walk through the matrix."""
    if shards > batch:
        pytest.skip("more shards than rows")
    x, y = rows(0)
    x[2 * batch] = np.nan
    model, ours = Scaled(), OPTIMIZERS[optimizer]()
    step = mg.compile(model, nn.cross_entropy, ours, x[:batch], y[:batch], shards=shards)
    losses = step.epoch(x, y, np.arange(4 * batch))
    other, theirs = Scaled(), OPTIMIZERS[optimizer]()
    good = mg.compile(other, nn.cross_entropy, theirs, x[:batch], y[:batch], shards=shards)
    expected = good.epoch(x, y, np.arange(2 * batch))
    np.testing.assert_array_equal(losses, [*expected, np.nan, np.nan])
    assert ours.steps == theirs.steps == 2
    for k in range(3):  # the same again, one call at a time, and then a batch of numbers
        unchanged(model, other.state_dict())
        for a, b in zip(kept(model, ours), kept(other, theirs), strict=True):
            np.testing.assert_array_equal(a, b)
        if k == 0:
            assert not np.isfinite(step(x[2 * batch : 3 * batch], y[2 * batch : 3 * batch]))
        if k == 1:
            assert step(x[:batch], y[:batch]) == good(x[:batch], y[:batch])
    assert ours.steps == 3


class Trap(Operation):
    """Counts on, and raises for a negative number, as a kernel of one's own may."""

    name = "trap"

    def value(self, a, out=None):
        return np.add(a, 0, out=out)

    def vjp(self, i, adjoint, v, a):
        return adjoint

    @staticmethod
    def kernel(a, out):
        for k in range(a.shape[0]):
            for j in range(a.shape[1]):
                if a[k, j] < -100:
                    raise ValueError("a number below -100")
                out[k, j] = a[k, j]


class TrapForGradients(Operation):
    name = "trap_for_gradients"

    def value(self, a, out=None):
        if np.max(np.abs(a)) > 10:
            raise ValueError("a number beyond 10")
        return np.add(a, 0, out=out)

    @staticmethod
    def kernel(a, out):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if abs(a[i, j]) > 10:
                    raise ValueError("a number beyond 10")
                out[i, j] = a[i, j]


@pytest.mark.compiled
@pytest.mark.turns
@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("optimizer", [lambda: optim.SGD(0.1), lambda: optim.Adam(0.1)], ids=["SGD", "Adam"])
def test_a_raising_kernel_between_updates_changes_nothing(optimizer, shards):
    """The first layer had been updated by then. Earlier batches of an epoch stay trained."""
    x, y = rows(0)

    def made():
        model = nn.Sequential(nn.Linear(6, 4, rng=0), nn.Linear(4, 3, rng=1))

        def trapped(gs):
            return [TrapForGradients()(g) if k == 2 else g for k, g in enumerate(gs)]

        return model, mg.compile(model, nn.cross_entropy, optimizer(), x[:8], y[:8], shards=shards, gradients=trapped)

    (model, step), (other, same) = made(), made()
    bad = x.copy()
    bad[16:] *= 1e4
    runs = (lambda: step(bad[16:], y[16:]), []), (lambda: step.epoch(bad, y, np.arange(24)), np.arange(16))
    for run, order in runs:
        with pytest.raises(ValueError, match="beyond 10"):
            run()
        same.epoch(x, y, order)
        unchanged(model, other.state_dict())
        assert step.optimizer.steps == same.optimizer.steps
    assert np.isfinite(step.epoch(x, y, np.arange(24))).all()


@pytest.mark.compiled
def test_an_error_in_one_shard_ends_all():
    """The others wait for the thread that raised, and must not wait forever; nothing is changed."""
    x, y = rows(0)
    model = nn.Sequential(nn.Linear(6, 3, rng=0))
    step = mg.compile(model, lambda output, y: nn.cross_entropy(Trap()(output), y), optim.SGD(0.1), x[:8], y[:8],
                      shards=4, threads=2)  # fmt: skip
    assert np.isfinite(step(x[:8], y[:8]))
    before = model.state_dict()
    for row in (0, 7):
        bad = x[:8].copy()
        bad[row] = 1e6 * np.sign(model[0].weight.value[0]) * -1
        with pytest.raises(ValueError, match="below -100"):
            step(bad, y[:8])
        unchanged(model, before)
    assert np.isfinite(step(x[:8], y[:8]))


def test_no_pass_moves_a_change_before_the_loss():
    """One after the other switched off, and all of them: nothing changes where the loss is no number."""
    x, y = rows(0)
    for n in (1, 4):
        for off in [(), PASSES, *((name,) for name in PASSES)]:
            for optimizer in (optim.SGD(0.1), optim.Adam(0.1)):
                model = Scaled()
                step = mg.compile(model, nn.cross_entropy, optimizer, x[:n], y[:n], off=off)
                before = model.state_dict()
                assert np.isnan(step(x[:n] * np.nan, y[:n])), off
                unchanged(model, before)
                assert not any(array.any() for array in kept(model, optimizer))
                assert step.source.count("if not math.isfinite(loss):") == 1


def test_a_scalar_parameter_waits_for_a_scalar_loss():
    """Numbers without axes share one line with anything: the loss and the change must not."""

    class Scalars(nn.Module):
        def __init__(self):
            self.a, self.b = mg.Variable(2.0), mg.Variable(3.0)

        def forward(self, x):
            return self.a * self.a + self.b * x.sum()

    model, optimizer = Scalars(), optim.SGD(0.1, momentum=0.5)
    x = np.ones((2, 1))
    step = mg.compile(model, lambda output, y: output * mg.sum(y), optimizer, x, x)
    before = model.state_dict()
    assert np.isnan(step(x * np.nan, x))
    unchanged(model, before)
    assert np.isfinite(step(x, x))
    assert model.a.value != before["a"]


class Weight(nn.Module):
    """Its output is the parameter itself."""

    def __init__(self, value):
        self.w = mg.Variable(np.array(value))

    def forward(self, x):
        return self.w


@pytest.mark.compiled
@pytest.mark.turns
@pytest.mark.parametrize("make", [lambda: optim.SGD(0.1), lambda: optim.SGD(0.1, 0.9), lambda: optim.Adam(0.1)])
@pytest.mark.parametrize("shape", ["an entry", "all of it", "another shape"])
def test_a_loss_that_is_a_parameter_precedes_updates(make, shape):
    value, loss = {
        "an entry": ([1.5, 2.0], lambda output, y: output[0]),
        "all of it": (1.5, lambda output, y: output),
        "another shape": ([1.5], lambda output, y: mg.reshape(output, ())),
    }[shape]
    x = np.zeros((2, 3))
    model, optimizer, expected = Weight(value), make(), []
    for _ in range(3):
        model.zero_grad()
        result = loss(model(mg.Constant(x)), None)
        expected.append(float(result.value))
        result.backward()
        optimizer.step(model.parameters())
    step = mg.compile(Weight(value), loss, make(), x, x)
    assert [step(x, x) for _ in range(3)] == pytest.approx(expected, rel=1e-12)
    if shape == "all of it":
        step = mg.compile(Weight(np.inf), loss, make(), x, x)
        assert step(x, x) == np.inf
        assert step.model.w.value == np.inf
        assert step.optimizer.steps == 0


def test_a_loss_without_a_function_gets_a_sentence():
    x, y = rows(0)
    with pytest.raises(TypeError, match=r"loss is a function, such as .*, got a str"):
        mg.compile(Small(), "mse", optim.SGD(0.1), x[:8], y[:8])
    _, step = small_step(shards=np.int64(2))
    with pytest.raises(ValueError, match="out takes the losses of 1 batches"):
        step.epoch(x[:8], y[:8], np.arange(8), out=[0.0])


@pytest.mark.compiled
@pytest.mark.turns
@pytest.mark.parametrize("options", [{}, {"compiled": True}, {"compiled": True, "shards": 3}], ids=str)
def test_fit_stops_at_the_same_batch(options):
    x, y = rows(0)
    batch = np.random.default_rng(0).permutation(24)
    bad = next(row for row in batch[16:] if row >= 8)  # in the third batch, and not among the rows of the example
    x[bad] = np.nan
    model, optimizer = Scaled(), optim.Adam(0.01)
    with pytest.raises(FloatingPointError, match="the loss became nan at batch 3 of epoch 1"):
        mg.fit(model, data_of(x, y), 2, 8, optimizer, rng=0, progress=False, **options)
    assert optimizer.steps == 2
    other, theirs = Scaled(), optim.Adam(0.01)
    for k in range(2):
        step = Step(other, nn.cross_entropy, x[batch[8 * k : 8 * k + 8]], y[batch[8 * k : 8 * k + 8]])
        step.graph.backward()
        theirs.step(other.parameters())
        other.zero_grad()
    for name, array in model.state_dict().items():
        np.testing.assert_allclose(array, other.state_dict()[name], rtol=1e-5, atol=1e-7)


# ---------------------------------------------------------------- what looking costs


@pytest.mark.turns
@pytest.mark.skipif(PURE_PYTHON, reason="Python allocates as it likes")
@pytest.mark.compiled
def test_looking_through_the_rows_allocates_nothing():
    x, y = rows(0, n=2400)
    _, step = small_step()

    def allocated(n):
        order, losses = np.arange(n), np.zeros(n // 8, np.float32)
        step.epoch(x, y, order, out=losses)
        counts = [count_allocations(lambda: step.epoch(x, y, order, out=losses)) for _ in range(5)]
        return min((m.allocated_bytes, m.allocations) for m in counts)

    assert allocated(2400) == allocated(80)


def test_places_of_numbers():
    a = np.arange(12).reshape(4, 3)
    assert first_out_of_range(a, np.array([0, 2, 1]), 0, 5) == (2, 6)
    assert first_out_of_range(a, np.array([0, 1]), 0, 5) == (-1, 0)
    assert first_out_of_range(a, np.array([1, 0]), 1, 20) == (0, 0)
    assert first_out_of_range(np.zeros((3, 0), int), np.arange(3), 1, 2) == (-1, 0)


FUNCTIONS = """
import sys
from pathlib import Path
import numpy as np, minigrad as mg
from minigrad import nn, optim
model = nn.Sequential(nn.Linear(8, 16, rng=0), nn.ReLU(), nn.Linear(16, 3, rng=1))
x, y = np.ones((32, 8), np.float32), np.arange(32) % 3
step, functions = mg.compile(model, nn.cross_entropy, optim.{}(0.1), x, y), set()
step(x, y)

def note(frame, event, argument):
    if event == "call" and Path(mg.__file__).parent in Path(frame.f_code.co_filename).parents:
        functions.add(frame.f_code.co_filename + frame.f_code.co_name)

sys.setprofile(note)
step(x, y)
sys.setprofile(None)
print(len(functions), any(name.endswith("step.py__call__") for name in functions))
"""


@pytest.mark.compiled
@pytest.mark.parametrize(("optimizer", "limit"), [("SGD", 15), ("Adam", 18)])
def test_a_step_passes_few_functions(optimizer, limit):
    """Around one call of machine code, the search for a label out of range counted in."""
    count, seen = printed(FUNCTIONS.format(optimizer)).split()
    assert seen == "True"
    assert int(count) <= limit
