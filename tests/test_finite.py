"""A finite loss whose gradient is not: nothing changes, in every mode, and a sentence says which parameter."""

import re
from contextlib import nullcontext

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.guards.finite import Before
from minigrad.native.compiled import PURE_PYTHON
from minigrad.training import optim
from minigrad.training.train import Step
from minigrad_course.anomaly import AnomalyError
from tests.fresh import printed
from tests.test_checkpoint import train as train_with_checkpoint

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of infinities in a graph


class Scaled(nn.Module):
    """Two parameters, one of which has a gradient of nan where a row is 0: loss sqrt(sum |x w|)**2."""

    def __init__(self, dtype=np.float64):
        self.w = mg.Variable(np.array([0.5, -0.25], dtype))
        self.b = mg.Variable(np.array(0.5, dtype))

    def forward(self, x):
        return mg.sqrt(mg.sum(mg.absolute(x * self.w), 1)) ** 2 + self.b


def loss(output, y):
    return mg.mean((output - y) ** 2)


def data(bad=9, n=12, dtype=np.float64):
    """Rows of which one is 0, where the loss is finite and its gradient is nan."""
    x = np.random.default_rng(0).random((n, 2)).astype(dtype) + 1
    x[bad] = 0
    y = np.ones(n, dtype)
    return mg.data.Data(x, y, x[:2], y[:2], name="made up")


OPTIMIZERS = {
    "SGD": lambda: optim.SGD(0.01), "momentum": lambda: optim.SGD(0.01, 0.9), "Adam": lambda: optim.Adam(0.01),
    "AdamW": lambda: optim.AdamW(0.01), "a schedule": lambda: optim.Adam(optim.cosine(0.01, 9)),
}  # fmt: skip
MODES = {"eager": {}, "compiled": {"compiled": True}, "shards": {"compiled": True, "shards": 2}}


def state(model, optimizer):
    kept = [array.copy() for v in model.parameters() for array in optimizer.kept(v)]
    return [*model.state_dict().values(), *kept, np.array(optimizer.steps)]


def the_batch(seed, row, size):
    """The number of the batch in which fit trains a row in its first epoch, from 1."""
    return int(np.flatnonzero(np.random.default_rng(seed).permutation(12) == row)[0]) // size + 1


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("mode", "kind"), [*(("eager", kind) for kind in OPTIMIZERS), ("compiled", "momentum"), ("shards", "AdamW")]
)
def test_fit_ends_before_the_step(mode, kind):
    """The weights, what the optimizer keeps and its count are those of a training of the batches before it."""
    dtype = np.float32 if kind == "momentum" else np.float64
    batch = the_batch(3, 9, 4)
    assert batch > 1
    model, optimizer = Scaled(dtype), OPTIMIZERS[kind]()
    words = rf"before batch {batch} of epoch 1: .*the gradient of w is -?nan at entry \[0\].*as before"
    with pytest.raises(FloatingPointError, match=words):
        mg.fit(model, data(dtype=dtype), 2, 4, optimizer, loss=loss, rng=3, progress=False, **MODES[mode])
    other, theirs = Scaled(dtype), OPTIMIZERS[kind]()
    order, rows = np.random.default_rng(3).permutation(12), data(dtype=dtype)
    for k in range(batch - 1):
        step = Step(other, loss, *(a[order[4 * k : 4 * k + 4]] for a in (rows.train_x, rows.train_y)))
        step.graph.backward()
        theirs.step(other.parameters())
        other.zero_grad()
    for now, then in zip(state(model, optimizer), state(other, theirs), strict=True):
        np.testing.assert_allclose(now, then, rtol=1e-5, atol=1e-7)


@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "shards", "limited"), [("Adam", 1, False), ("momentum", 2, False), ("SGD", 1, True)])
def test_a_compiled_step_and_an_epoch_change_nothing(kind, shards, limited):
    model, optimizer, rows = Scaled(), OPTIMIZERS[kind](), data()
    x, y = rows.train_x, rows.train_y
    change = (lambda gs: optim.limited_to_norm(gs, 1.0)) if limited else None
    step = mg.compile(model, loss, optimizer, x[:4], y[:4], shards=shards, gradients=change)
    step(x[:4], y[:4])
    before, losses = state(model, optimizer), np.zeros(3)
    with pytest.raises(
        FloatingPointError, match=r"batch 1, with a loss of .*gradient of w .*w would become -?nan"
    ) as one:
        step(x[8:], y[8:])
    assert one.value.batch == 0
    for now, then in zip(state(model, optimizer), before, strict=True):
        np.testing.assert_array_equal(now, then)
    with pytest.raises(FloatingPointError, match="batch 3, with a loss") as third:
        step.epoch(x, y, np.arange(12), out=losses)
    assert third.value.batch == 2
    assert optimizer.steps == 3
    assert np.isfinite(losses).all(), "the third loss is finite as well"
    after = state(model, optimizer)
    assert not np.array_equal(before[0], after[0])
    step.epoch(x, y, np.arange(8))  # and on it goes
    assert not np.array_equal(after[0], model.w.value)


def test_every_optimizer_and_mode_in_plain_python():
    """There a program costs nothing to compile, so that all of them can be asked."""
    if PURE_PYTHON:
        for kind in OPTIMIZERS:
            for mode in MODES:
                test_fit_ends_before_the_step(mode, kind)
            for shards in (1, 2):
                test_a_compiled_step_and_an_epoch_change_nothing(kind, shards, shards == 1)
        return
    printed("import tests.test_finite as t; t.test_every_optimizer_and_mode_in_plain_python()", NUMBA_DISABLE_JIT=1)


@pytest.mark.compiled
def test_repeated_batches_draw_the_same_random_numbers():
    """The batches before the bad one are trained twice, the second time one at a time, with the same dropout."""

    class Dropping(Scaled):
        def __init__(self):
            super().__init__()
            self.dropout = nn.Dropout(0.5, rng=1)

        def forward(self, x):
            return super().forward(x + self.dropout(np.ones(x.shape) * 0.01) * (mg.sum(x, 1, keepdims=True) > 0))

    def trained(batches):
        model, rows = Dropping(), data(bad=11, n=16)
        step = mg.compile(model, loss, optim.SGD(0.01), rows.train_x[:2], rows.train_y[:2])
        with nullcontext() if batches == 5 else pytest.raises(FloatingPointError, match="batch 6, with a loss"):
            step.epoch(rows.train_x, rows.train_y, np.arange(2 * batches))
        return model.w.value.copy(), model.dropout.rng.bit_generator.state

    (w, drawn), (w_5, drawn_5) = trained(8), trained(5)
    np.testing.assert_array_equal(w, w_5)
    assert drawn == drawn_5


def test_an_optimizer_names_the_parameter_and_changes_none():
    for make in OPTIMIZERS.values():
        first, second = mg.Variable(np.ones(2), name="first"), mg.Variable(np.ones((2, 2)), name="second")
        optimizer = make()
        first.grad, second.grad = [1.0, 2.0], [[1.0, 2.0], [np.inf, 3.0]]
        with pytest.raises(FloatingPointError, match=r"the gradient of second is inf at entry \[1, 0\].*find_anomaly"):
            optimizer.step([first, second])
        assert optimizer.steps == 0
        for v in (first, second):
            assert np.all(v.value == 1)
            assert not np.any(optimizer.kept(v))
        second.grad = np.ones((2, 2))
        optimizer.step([first, second])
        assert optimizer.steps == 1


def test_a_step_too_large_is_taken_back():
    w = mg.Variable(np.float32([1e38, 1]), name="w")
    w.grad = [-3e38, 1]
    with pytest.raises(FloatingPointError, match=r"gradients are finite, but by this step w would become inf at entry"):
        optim.SGD(10.0).step([w])
    assert w.value.tolist() == np.float32([1e38, 1]).tolist()


def test_what_was_infinite_before_is_no_reason():
    """A mask among the parameters, say."""
    w = mg.Variable([0.5, -np.inf], name="w")
    w.grad = [1.0, 0.0]
    optim.SGD(0.1).step([w])
    assert w.value.tolist() == [0.4, -np.inf]


@pytest.mark.skipif(PURE_PYTHON, reason="there is no machine code")
@pytest.mark.parametrize("sizes", [(1,), (0, 7), (3, 64, 1001), (33, 5)])
@pytest.mark.parametrize("dtypes", [("f4",), ("f8",), ("f4", "f8")])
def test_machine_code_finds_what_numpy_finds(sizes, dtypes):
    """Each entry in turn: not finite before, or after, or both; what was kept comes back."""
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(n).astype(dtypes[k % len(dtypes)]) for k, n in enumerate(sizes)]
    for array in arrays:
        array[:1] = np.finfo(array.dtype).max  # sums overflow, numbers do not
    plain, watched = Before(arrays), Before(arrays)
    watched.watch()
    for k, array in enumerate(arrays):
        for i in {0, len(array) // 2, len(array) - 1} if len(array) else ():
            for before, after in [(1, np.nan), (1, -np.inf), (np.inf, np.nan), (np.nan, 2), (-0.0, 5e-324)]:
                original = [a.copy() for a in arrays]
                array[i] = before
                kept = [a.copy() for a in arrays]
                plain.keep(), watched.keep()
                array[i] = after
                expected = (k, (i,)) if np.isfinite(before) and not np.isfinite(after) else None
                assert plain.spoilt() == watched.spoilt() == expected
                watched.bring_back()
                assert all(a.tobytes() == b.tobytes() for a, b in zip(arrays, kept, strict=True))
                for a, b in zip(arrays, original, strict=True):
                    a[:] = b


def test_limits_on_gradients_do_not_hide_it():
    w, v = mg.Variable([1.0, 2.0], name="w"), mg.Variable([3.0], name="v")
    for number in (np.nan, np.inf, -np.inf):
        w.grad, v.grad = [1.0, number], [1.0]
        with pytest.raises(FloatingPointError, match=rf"clip_by_norm: the gradient of w is {number} at entry \[1\]"):
            optim.clip_by_norm([v, w], 1.0)
        assert v.grad.tolist() == [1.0]
        np.testing.assert_array_equal(w.grad, [1.0, number])
    w.grad = [np.nan, np.inf]
    optim.clip_by_value([w], 2.0)
    with pytest.raises(FloatingPointError, match=r"the gradient of w is nan at entry \[0\]"):
        optim.SGD(0.1).step([w])
    w.grad = [1.0, np.inf]  # clamped, that is a number
    optim.clip_by_value([w], 2.0)
    optim.SGD(0.1).step([w])
    assert w.value.tolist() == [0.9, 1.8]


def test_a_norm_whose_squares_overflow_is_a_number():
    w = mg.Variable(np.float32([0, 0]))
    w.grad = [3e30, 4e30]
    with np.errstate(over="ignore"):
        assert optim.clip_by_norm([w], 1.0) == pytest.approx(5e30, rel=1e-6)
    np.testing.assert_allclose(w.grad, [0.6, 0.8], rtol=1e-6)


@pytest.mark.compiled
@pytest.mark.parametrize("mode", MODES)
def test_inside_detect_anomaly_the_operation_is_named(mode):
    for rows, batch in ((data(), 4), (data(bad=0), 12)):
        with (
            pytest.raises(AnomalyError, match=r"`a / b` gave inf at entry \[\d\], where a is 0.5, b is 0.0"),
            mg.detect_anomaly(),
        ):
            mg.fit(Scaled(), rows, 1, batch, optim.SGD(0.01), loss=loss, rng=3, progress=False, **MODES[mode])
    model = Scaled()
    x = rows.train_x
    step = mg.compile(model, loss, optim.SGD(0.01), x[:4], rows.train_y[:4])
    with pytest.raises(AnomalyError, match=r"derivative|gave|sqrt"), mg.detect_anomaly():
        step(x[:4], rows.train_y[:4])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.compiled
def test_the_checkpoint_is_that_of_the_epoch_before(tmp_path, mode):
    """The bad row comes late: a first epoch without it is on disk, and stays there."""
    path, model = tmp_path / "run", Scaled()
    x, y = data(bad=[]).train_x, data().train_y

    def poison(k, value):
        if k == 3:  # the last of the first epoch
            model.w.value = [0.0, 0.0]

    with pytest.raises(FloatingPointError, match="before batch 1 of epoch 2"):
        mg.fit(
            model, mg.data.Data(x, y, x[:2], y[:2], name="made up"), 2, 4, optim.SGD(0.01), loss=loss, rng=3,
            progress=False, checkpoint=path, on_batch=poison, **MODES[mode],
        )  # fmt: skip
    with np.load(path) as file:
        assert np.isfinite(file["parameter.w"]).all()
        assert len(file["losses"]) == 3
    assert model.w.value.tolist() == [0.0, 0.0]


# ---------------------------------------------------------------- what is in the data


@pytest.mark.compiled
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("where", "number", "words"),
    [(("x", (5, 1)), np.nan, "train_x holds nan at row 5, column 1"),
     (("x", (6, 0)), np.inf, "train_x holds inf at row 6, column 0"),
     (("y", (7,)), -np.inf, "train_y holds -inf at row 7")],
)  # fmt: skip
def test_a_nan_in_the_data_is_named(mode, where, number, words):
    rows = data(bad=[])
    (rows.train_x if where[0] == "x" else rows.train_y)[where[1]] = number
    with pytest.raises(FloatingPointError, match=re.escape(words)) as error:
        mg.fit(Scaled(), rows, 1, 4, optim.SGD(0.01), loss=loss, rng=3, progress=False, **MODES[mode])
    assert "learning rate" not in str(error.value)


def test_a_nan_in_the_example_is_named():
    rows = data(bad=[])
    rows.train_x[1, 1] = np.inf
    with pytest.raises(ValueError, match=r"with shards, the example batch .* its x holds inf at row 1, column 1"):
        mg.fit(Scaled(), rows, 1, 4, optim.SGD(0.01), loss=loss, progress=False, compiled=True, shards=2)


# ---------------------------------------------------------------- the mean over rows, all of the data


@pytest.mark.compiled
@pytest.mark.parametrize("mode", ["eager", "compiled"])
def test_the_loss_of_an_epoch_averages_over_rows(mode):
    """Batches of 4 rows and of 1: a loss of 0 on four rows, and of 100 on the fifth, is 20."""

    class Same(nn.Module):
        def __init__(self):
            self.w = mg.Variable(np.array(1.0))

        def forward(self, x):
            return x[:, 0] * self.w

    last = np.random.default_rng(0).permutation(5)[-1]
    y = np.where(np.arange(5) == last, 10.0, 0.0)
    rows = mg.data.Data(np.zeros((5, 1)), y, np.zeros((1, 1)), y[:1], name="made up")
    history = mg.fit(Same(), rows, 1, 4, optim.SGD(0.1), loss=loss, rng=0, progress=False, **MODES[mode])
    assert history.losses == [0.0, 100.0]
    assert history.epochs[0].train_loss == 20.0


@pytest.mark.parametrize("part", ["train_x", "train_y", "test_x", "test_y"])
@pytest.mark.parametrize("row", [0, -1])
def test_a_checkpoint_belongs_to_all_of_its_data(tmp_path, part, row):
    rng = np.random.default_rng(0)

    def rows():
        x = rng.standard_normal((330, 8)).astype(np.float32)
        return mg.data.Data(x[:300], np.arange(300) % 3, x[300:], np.arange(30) % 3, name="made up")

    first = rows()
    train_with_checkpoint(tmp_path / "run", epochs=1, rows=first)
    train_with_checkpoint(tmp_path / "run", epochs=1, rows=first)
    array = getattr(first, part)
    array[row] = array[row] + 1 if part.endswith("x") else (array[row] + 1) % 3
    which = "data" if part.startswith("train") else "test data"
    with pytest.raises(ValueError, match=f"belongs to another training: {which} is"):
        train_with_checkpoint(tmp_path / "run", epochs=1, rows=first)
