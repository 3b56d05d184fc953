"""A change that a program cannot follow is noticed before the next step, and the program compiled anew.

Each case changes something in the middle of a training, in the same way for a compiled step, for `fit` and for graphs
that are built anew in each step; the losses must be the same.
"""

import copy
import itertools
import pickle
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.core.rules import Rule
from minigrad.guards.snapshots import Snapshot
from minigrad.training import optim
from tests.test_compiler import Small, plain_python, rows, small_step  # noqa: F401 (a fixture)


class Leaky(nn.Module):
    """A layer with a number that forward reads."""

    def __init__(self, slope):
        self.slope = slope

    def forward(self, x):
        return mg.leaky_relu(x, self.slope)


class Settings(nn.Module):
    """Attributes of many kinds, all of which forward reads."""

    def __init__(self):
        self.first = nn.Linear(6, 5, rng=0)
        self.act = Leaky(0.1)
        self.last = nn.Linear(5, 3, rng=1)
        self.factor, self.pair, self.names = 1.5, (1.0, 2.0), ["a", "b"]
        self.table = {"a": 1.0, "b": [0.5]}
        self.mask = np.ones(5, np.float32)
        self.shift = mg.Constant(np.zeros(5, np.float32))
        self.weights = mg.Constant(np.linspace(1, 2, 5, dtype=np.float32))
        self.flag = None
        self.steps, self.lr, self.rows, self.zero = 1, 1.5, [0, 1], 0.0  # names of an optimizer's, too
        self.square = mg.Constant(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))

    def forward(self, x):
        h = self.act(self.first(x)) * self.mask * self.factor * self.weights + self.shift
        h = h * self.pair[1] + len(self.names) * self.table["b"][0] * self.table["a"]
        for _ in range(self.steps):
            h = h * self.lr
        h = h + mg.sum(self.square[self.rows]) + np.copysign(np.float32(1), self.zero)  # two rows, or one entry
        return self.last(-h if self.flag else h)


def set_to(path, value):
    def change(model, optimizer):
        *way, last = path.split(".")
        part = model
        for name in way:
            part = getattr(part, name)
        setattr(part, last, value() if callable(value) else value)

    return change


def replace_weight(model, optimizer):
    model.first.weight = mg.Variable(np.full((5, 6), 0.1, np.float32))


def insert_layer(model, optimizer):
    model.first = nn.Sequential(nn.Linear(6, 4, rng=5), nn.Tanh(), nn.Linear(4, 5, rng=6))


CHANGES = {
    "a slope": set_to("act.slope", 0.7),
    "a number": set_to("factor", -2.0),
    "a number that was an integer": set_to("factor", 2),
    "a number called steps": set_to("steps", 3),
    "a number called lr": set_to("lr", 0.5),
    "a list that becomes a tuple": set_to("rows", (0, 1)),
    "a zero that becomes negative": set_to("zero", -0.0),
    "None": set_to("flag", True),
    "a tuple": set_to("pair", (1.0, 3.0)),
    "a list, in place": lambda model, optimizer: model.names.append("c"),
    "a dict, in place": lambda model, optimizer: model.table.update(a=2.0),
    "a list in a dict": lambda model, optimizer: model.table["b"].__setitem__(0, -1.0),
    "an array, in place": lambda model, optimizer: model.mask.__setitem__(2, 0.0),
    "an array": set_to("mask", lambda: np.arange(5, dtype=np.float32)),
    "a constant's value": lambda model, optimizer: setattr(model.shift, "value", np.arange(5)),
    "the value of a constant of many numbers": lambda model, optimizer: setattr(model.weights, "value", np.arange(5)),
    "a constant's value, in place": lambda model, optimizer: model.weights.value.__setitem__(2, 0.0),
    "an activation": set_to("act", nn.Tanh),
    "a layer": set_to("last", lambda: nn.Linear(5, 3, rng=9)),
    "more layers": insert_layer,
    "a Variable": replace_weight,
    "no bias": set_to("first.bias", None),
    "a Variable's value": lambda model, optimizer: setattr(model.first.weight, "value", np.full((5, 6), 0.1)),
    "a state": lambda model, optimizer: model.load_state_dict({k: v + 1 for k, v in model.state_dict().items()}),
    "momentum": lambda model, optimizer: setattr(optimizer, "momentum", 0.5),
    "the learning rate": lambda model, optimizer: setattr(optimizer, "lr", 0.01),
    "a schedule": lambda model, optimizer: setattr(optimizer, "lr", lambda step: 0.1 * 0.5**step),
    "Adam's betas": lambda model, optimizer: setattr(optimizer, "betas", (0.5, 0.9)),
    "Adam's eps": lambda model, optimizer: setattr(optimizer, "eps", 0.1),
}


def optimizer_for(name):
    return optim.Adam(0.01) if name.startswith("Adam") else optim.SGD(0.1, momentum=0.9)


def eager_losses(model, optimizer, batches, change):
    """A new graph for each batch."""
    losses = []
    for k, (x, y) in enumerate(batches):
        if k == 2:
            change(model, optimizer)
        loss = nn.cross_entropy(model(mg.Constant(x)), y)
        model.zero_grad()
        loss.backward()
        optimizer.step(model.parameters())
        losses.append(loss.value)
    return losses


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("shards", [1, 2])
def test_a_step_follows_or_is_compiled_anew(name, shards):
    x, y = rows(0, n=40)
    batches = [(x[k : k + 8], y[k : k + 8]) for k in range(0, 40, 8)]
    expected = eager_losses(Settings(), optimizer_for(name), batches, CHANGES[name])
    model, optimizer = Settings(), optimizer_for(name)
    step = mg.compile(model, nn.cross_entropy, optimizer, *batches[0], shards=shards)
    losses = [step(*batch) for batch in batches[:2]]
    CHANGES[name](model, optimizer)
    losses += [step(*batch) for batch in batches[2:]]
    np.testing.assert_allclose(losses, expected, rtol=1e-5)
    assert optimizer.steps == 5


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("then", [[1, 2], [1, 1], [0, 0]], ids=str)
def test_constants_of_a_program_are_frozen(then, dtype):
    x, c, one = mg.Variable(np.ones(2)), mg.Constant(np.array(then, dtype)), mg.Constant(np.array(then[0], dtype))
    program = mg.compile_graph([x * c, x + one], [x])
    c.value, one.value = np.array([5, 6]), 7
    product, total = program(np.ones(2))
    np.testing.assert_array_equal(product, then)
    np.testing.assert_array_equal(total, np.full(2, 1 + then[0]))


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("numbers", [[1, 2, 3], [2, 2, 2]], ids=str)
def test_unnoticeable_constants_of_a_step_are_frozen(numbers, shards):
    x, y = rows(0)

    def losses(change):
        scale = mg.Constant(np.array(numbers, np.float32))

        def loss(out, labels):
            return nn.cross_entropy(out * scale, labels)

        step = mg.compile(Small(), loss, optim.SGD(0.1), x[:8], y[:8], shards=shards)
        if change:
            scale.value = np.arange(3)
        return [step(x[:8], y[:8]) for _ in range(2)]

    assert losses(True) == losses(False)


def test_what_is_followed_is_not_compiled_anew():
    x, y = rows(0)
    model, step = small_step(optim.SGD(0.1, momentum=0.9))
    built = step._built
    step(x[:8], y[:8])
    step.optimizer.lr = 0.01
    model.load_state_dict({k: v + 1 for k, v in model.state_dict().items()})
    model[0].bias.value = np.ones(5)
    model.train()
    mg.train.accuracy(model, x, y)  # through eval() and back
    step(x[:8], y[:8])
    assert step._built is built


def test_a_way_back_is_not_compiled_again():
    x, y = rows(0)
    model = nn.Sequential(nn.Linear(6, 5, rng=0), nn.Dropout(0.5, rng=1), nn.Linear(5, 3, rng=2))
    step = mg.compile(model, nn.cross_entropy, optim.SGD(0.1), x[:8], y[:8])
    built = []
    for training in (True, False, True, False):
        model.train(training)
        step(x[:8], y[:8])
        assert ("dropout_mask" in step.source) is training
        built.append(step._built)
    assert built[0] is built[2]
    assert built[1] is built[3]
    assert len(step._remembered) == 2


def test_a_parameter_of_another_dtype_makes_another_program():
    x, y = rows(0)
    model, step = small_step()
    step(x[:8], y[:8])
    for layer in (model[0], model[2]):
        layer.weight = mg.Variable(layer.weight.value.astype(np.float64))
        layer.bias = mg.Variable(layer.bias.value.astype(np.float64))
    x, y = x.astype(np.float64), y
    losses = step.epoch(x, y, np.arange(16))
    assert losses.dtype == step.loss_dtype == np.float64
    assert np.isfinite(losses).all()


def test_labels_are_checked_against_the_present_layers():
    x, y = rows(0)
    model, step = small_step()
    y[2] = 3
    model[2].weight, model[2].bias = mg.Variable(np.zeros((4, 5), "f4")), mg.Variable(np.zeros(4, "f4"))
    assert step(x[:8], y[:8]) == pytest.approx(np.log(4), rel=1e-6)
    y[2] = 4
    with pytest.raises(ValueError, match=r"The label in row 2 is 4\. Labels are integers from 0 to 3"):
        step(x[:8], y[:8])


def test_what_does_not_compile_any_more_says_why():
    x, y = rows(0)
    model, step = small_step()
    before = model[2].weight.value.copy()
    first = model[0].weight
    model[0].weight = mg.Variable(np.zeros((5, 7), np.float32))
    with pytest.raises(ValueError, match=r"this Linear layer takes \(..., 7\)"):
        step(x[:8], y[:8])
    np.testing.assert_array_equal(model[2].weight.value, before)
    model[0].weight = first
    assert np.isfinite(step(x[:8], y[:8]))


@pytest.mark.parametrize("options", [{}, {"compiled": True}], ids=str)
@pytest.mark.parametrize("name", ["a slope", "a layer", "momentum", "an array, in place"])
def test_fit_follows_as_well(name, options):
    """A callback changes the model in the middle of an epoch; the graphs of `fit` are built anew."""
    x, y = rows(0, n=40)
    data = type("Data", (), {"train_x": x, "train_y": y, "test_x": x, "test_y": y})
    order = np.random.default_rng(0).permutation(40)
    batches = [(x[order[k : k + 8]], y[order[k : k + 8]]) for k in range(0, 40, 8)]
    expected = eager_losses(Settings(), optim.SGD(0.1, momentum=0.9), batches, CHANGES[name])
    model, optimizer = Settings(), optim.SGD(0.1, momentum=0.9)

    def on_batch(step, loss):
        if step == 2:
            CHANGES[name](model, optimizer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mg.train._Compiled, "SECONDS", 0)  # one batch a call
        history = mg.fit(model, data, 1, 8, optimizer, rng=0, progress=False, on_batch=on_batch, **options)
    np.testing.assert_allclose(history.losses, expected, rtol=1e-5)


# ---------------------------------------------------------------- snapshots


def test_a_snapshot_holds_while_contents_are_the_same():
    model = Settings()
    model.nan, model.layers = np.array([np.nan]), [nn.Linear(2, 2, rng=0)]
    snapshot = Snapshot(model, optim.Adam())
    assert snapshot.holds()
    model.mask, model.names, model.pair = model.mask.copy(), ["a", "b"], (1.0, 2.0)
    model.factor = float("1.5")
    assert snapshot.holds(), "equal numbers, texts and arrays"
    model.names.append("c")
    assert not snapshot.holds(), "the new list is looked at as the old one was"
    model.names.pop()
    assert snapshot.holds()
    shift, model.shift = model.shift, mg.Constant(np.zeros(5, np.float32))
    assert not snapshot.holds(), "another constant with equal numbers"
    model.shift = shift
    assert snapshot.holds()
    model.layers[0].bias = None
    assert not snapshot.holds(), "modules in lists are looked at too"


def test_layers_in_another_order_are_another_model():
    model = nn.Sequential(nn.Tanh(), nn.ReLU())
    snapshot = Snapshot(model)
    first = vars(model).pop("0")
    vars(model)["0"] = first
    assert not snapshot.holds()


# ---------------------------------------------------------------- threads, pickles


def in_four_threads(function):
    threads = [threading.Thread(target=function, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.compiled
@pytest.mark.parametrize("shards", [1, 2])
def test_calls_from_several_threads_take_turns(shards):
    """Rows that are all the same: in any order of calls the losses are those of as many steps."""
    x, y = np.tile(rows(0)[0][:1], (8, 1)), np.zeros(8, int)
    _, step = small_step(shards=shards)
    expected = [step(x, y) for _ in range(80)]
    _, step = small_step(shards=shards)
    result = []

    def train(_):
        for _ in range(20):
            result.append(step(x, y))

    in_four_threads(train)
    assert sorted(result, reverse=True) == expected
    assert step.optimizer.steps == 80


@pytest.mark.compiled
def test_programs_may_be_called_from_several_threads():
    x = mg.Variable(np.zeros(200), name="x")
    program = mg.compile_graph(mg.sin(x) * mg.exp(mg.sum(x)))
    wrong = []

    def call(k):
        array = np.full(200, k / 1000)
        for _ in range(200):
            if not np.allclose(program(array), np.sin(array) * np.exp(array.sum()), rtol=1e-12):
                wrong.append(k)

    in_four_threads(call)
    assert not wrong


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_compiled_programs_say_that_they_cannot_be_copied(take):
    x = mg.Variable(3.0, name="x")
    for compiled in (small_step()[1], mg.compile_graph(x * x)):
        with pytest.raises(TypeError, match=r"cannot be pickled or copied\. Pickle the model and the optimizer"):
            take(compiled)


@pytest.mark.parametrize("shards", [1, 2])
def test_an_epoch_hears_an_interrupt_before_its_end(shards, monkeypatch):
    """Between two calls of its program; what was trained until then stays, whole batches of it."""
    from minigrad.compiler import training

    x, y = rows(0, 40)
    (model, step), (other, short) = (small_step(shards=shards) for _ in range(2))
    calls, run = [], training.Built._batches

    def interrupted(built, arguments, first, last):
        result = run(built, arguments, first, last)
        calls.append((first, last))
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(training, "time", SimpleNamespace(perf_counter=itertools.count(step=0.05).__next__))
    monkeypatch.setattr(training.Built, "_batches", interrupted)
    with pytest.raises(KeyboardInterrupt):
        step.epoch(x, y, np.arange(40))
    assert calls == ([(0, 1), (1, 2)] if training.PURE_PYTHON else [(0, 1), (1, 3)])
    monkeypatch.setattr(training.Built, "_batches", run)
    short.epoch(x, y, np.arange(8 * calls[-1][1]))
    for name, array in model.state_dict().items():
        np.testing.assert_array_equal(array, other.state_dict()[name])


class Decides(nn.Sequential):
    """A forward that reads a value on its way, keeps a node, and has a derivative of numbers in it."""

    def forward(self, x):
        h = mg.sigmoid(self[0](x))
        self.__dict__["hidden"] = h  # not an attribute that a program follows
        factor = 2.0 if h.value.mean() > 0.3 else 1.0
        slope = mg.grad(lambda a: mg.sum(mg.gelu(a)))(h.value)
        return self[1](h * factor + slope)


def test_a_value_read_in_forward_is_current():
    """Values are postponed while a step's graph is built; then what is asked for is computed."""
    x, y = rows(0)
    losses = []
    for compiled in (False, True):
        model = Decides(nn.Linear(6, 5, rng=0), nn.Linear(5, 3, rng=1))
        expected = mg.sigmoid(model[0](x)).value
        if compiled:
            losses.append(mg.compile(model, nn.cross_entropy, optim.SGD(0.1), x, y)(x, y))
        else:
            losses.append(nn.cross_entropy(model(mg.Constant(x)), y).value)
        np.testing.assert_array_equal(model.hidden.value, expected)
        assert repr(model.hidden) == "<Operator of shape (24, 5), float32>"
        assert pickle.loads(pickle.dumps(model.hidden)).shape == (24, 5)
    np.testing.assert_allclose(*losses, rtol=1e-5)


def test_compiling_computes_nothing_that_nobody_asks_for(monkeypatch):
    computed, value = set(), Rule.value

    def watched(self, *inputs, out=None):
        computed.add(self.name)
        return value(self, *inputs, out=out)

    monkeypatch.setattr(Rule, "value", watched)
    x, y = rows(0)
    for layer in (nn.GELU(), nn.Sigmoid()):
        model = nn.Sequential(nn.Linear(6, 5, rng=0), layer, nn.Linear(5, 3, rng=1))
        mg.compile(model, nn.cross_entropy, optim.Adam(0.1), x, y)
    assert not {"gelu", "normal_cdf", "normal_pdf", "sigmoid"} & computed
