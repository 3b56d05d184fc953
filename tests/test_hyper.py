"""Every setting is looked at when it is given: one table for all public constructors, and a sentence for each mistake.

The table names all parameters of all layers, optimizers and schedules: a new one without a row fails.
"""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import optim, schedules

NAN, INF = float("nan"), float("inf")
SIZE = (0, -1, 2.0, 2.5, NAN, INF, True, "3", [])
PAIR = (0, -1, 2.5, NAN, True, "3", (1, 2, 3), (1, 0), (1, True))
POSITIVE = (0, -0.1, NAN, INF, True, "0.1", [])
NOT_NEGATIVE = (-0.1, NAN, INF, -INF, True, "0.1", [])
SHARE = (-0.1, 1, 1.5, NAN, INF, True, "0.5", [])
LIMIT = (0, -1, NAN, True, "1")
BETAS = ((0.9,), 0.9, (0.9, 1.0), (-0.1, 0.9), (NAN, 0.9), "ab")

# What is called with the other settings of a row, and for each setting: the numbers that it refuses.
ROWS = {
    nn.Linear: ({"in_features": 2, "out_features": 3}, {"in_features": SIZE, "out_features": SIZE}),
    nn.Dropout: ({}, {"p": SHARE}),
    nn.LayerNorm: ({"normalized_shape": 3}, {"normalized_shape": (*SIZE[:-1], (2, 0), (2.5,)), "eps": NOT_NEGATIVE}),
    nn.Conv2d: (
        {"in_channels": 1, "out_channels": 2, "kernel_size": 3},
        {"in_channels": SIZE, "out_channels": SIZE, "kernel_size": PAIR, "stride": PAIR, "dilation": PAIR,
         "padding": (-1, 0.5, True, "same", (0, -1))},
    ),
    nn.MaxPool2d: ({"kernel_size": 2}, {"kernel_size": PAIR, "stride": PAIR}),
    nn.AvgPool2d: ({"kernel_size": 2}, {"kernel_size": PAIR, "stride": PAIR}),
    **{kind: ({"input_size": 2, "hidden_size": 3},
              {"input_size": SIZE, "hidden_size": SIZE, "num_layers": SIZE})
       for kind in (nn.RNN, nn.GRU, nn.LSTM)},
    nn.Embedding: ({"num_embeddings": 3, "embedding_dim": 2}, {"num_embeddings": SIZE, "embedding_dim": SIZE}),
    nn.MultiheadAttention: ({"embed_dim": 4, "num_heads": 2}, {"embed_dim": SIZE, "num_heads": SIZE, "dropout": SHARE}),
    nn.TransformerBlock: (
        {"d_model": 4, "nhead": 2},
        {"d_model": SIZE, "nhead": SIZE, "dim_feedforward": SIZE, "dropout": SHARE, "layer_norm_eps": NOT_NEGATIVE},
    ),
    optim.SGD: ({"lr": 0.1}, {"lr": POSITIVE, "momentum": SHARE}),
    optim.Adam: ({}, {"lr": POSITIVE, "betas": BETAS, "eps": NOT_NEGATIVE}),
    optim.AdamW: ({}, {"lr": POSITIVE, "betas": BETAS, "eps": NOT_NEGATIVE, "weight_decay": NOT_NEGATIVE}),
    optim.cosine: ({"lr": 0.1, "steps": 9}, {"lr": POSITIVE, "steps": SIZE, "last": NOT_NEGATIVE}),
    optim.warmup: ({"lr": 0.1, "steps": 9}, {"lr": POSITIVE, "steps": SIZE}),
    optim.warmup_cosine: (
        {"lr": 0.1, "warm": 2, "steps": 9},
        {"lr": POSITIVE, "warm": (-1, 9, 1.5, True, "2"), "steps": SIZE, "last": NOT_NEGATIVE},
    ),
}  # fmt: skip
# Parameters that are no numbers: a choice among a few, or anything that Python takes as true or false.
OTHERS = {"bias", "rng", "dtype", "elementwise_affine", "batch_first", "checkpoint", "nonlinearity", "approximate",
          "modules", "options"}  # fmt: skip
WORDS = {
    "nhead": "num_heads",
    "d_model": "embed_dim",
    "layer_norm_eps": "eps",
    "lr": "lr|learning rate",
    "dropout": "p",
}


def settings():
    for make, (others, refused) in ROWS.items():
        for name, values in refused.items():
            for value in values:
                yield pytest.param(make, others, name, value, id=f"{make.__name__}-{name}-{value}")


@pytest.mark.parametrize(("make", "others", "name", "value"), settings())
def test_a_setting_that_cannot_be_is_named(make, others, name, value):
    with pytest.raises((ValueError, TypeError), match=rf"^\w+:? .*\b({WORDS.get(name, name)})\b") as error:
        make(**{**others, name: value})
    assert "\n" not in str(error.value)
    assert "got" in str(error.value)


def test_every_public_constructors_parameter_has_a_row():
    layers = [thing for thing in vars(nn).values() if inspect.isclass(thing) and issubclass(thing, nn.Module)]
    optimizers = [kind for kind in vars(optim).values() if inspect.isclass(kind) and issubclass(kind, optim.Optimizer)]
    rates = [optim.cosine, optim.warmup, optim.warmup_cosine]
    public = [name for name in vars(schedules) if not name.startswith("_") and name not in vars(optim)]
    assert set(public) <= {"annotations", "number", "size", "partial", "Callable"}
    for make in [*layers, *optimizers, *rates]:
        if make in (nn.Module, optim.Optimizer):
            continue
        parameters = list(inspect.signature(make).parameters)
        if "options" in parameters:  # RNN's go on to Recurrent
            parameters += inspect.signature(nn.GRU).parameters
        if make.__init__ is nn.Module.__init__ or make.__init__ is object.__init__:
            continue
        missing = {*parameters} - OTHERS - {*ROWS.get(make, ({}, {}))[1]}
        assert not missing, f"{make.__name__}: {missing}"


@pytest.mark.parametrize("limit", LIMIT)
@pytest.mark.parametrize("clip", [optim.clip_by_norm, optim.limited_to_norm])
def test_a_norm_to_clip_to(clip, limit):
    v = mg.Variable([1.0])
    with pytest.raises((ValueError, TypeError), match=f"{clip.__name__}: the limit is a .*number above 0, got"):
        clip([v], limit)


@pytest.mark.parametrize("limits", [(NAN,), ("1",), (True,), (0, NAN), (1, -1), (-1,)])
def test_values_to_clip_to(limits):
    with pytest.raises((ValueError, TypeError), match="clip_by_value: "):
        optim.clip_by_value([mg.Variable([1.0])], *limits)


def rows(kind=np.array):
    x, y = np.random.default_rng(0).random((8, 3)).tolist(), [0, 1, 2, 0, 1, 2, 0, 1]
    return SimpleNamespace(train_x=kind(x), train_y=kind(y), test_x=kind(x), test_y=kind(y))


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in ("batch_size", "shards") for value in SIZE]
    + [("epochs", value) for value in (-1, 1.5, NAN, INF, True, "3")],
)
def test_settings_of_fit(name, value):
    options = {"epochs": 1, "batch_size": 4, name: value}
    with pytest.raises((ValueError, TypeError), match=f"fit: {name} is an int of at least"):
        mg.fit(nn.Linear(3, 3, rng=0), rows(), optimizer=optim.SGD(0.1), progress=False, **options)


@pytest.mark.parametrize("value", [-0.1, NAN, INF, True, "0.1", None])
def test_a_schedules_rate_is_checked_in_its_step(value):
    optimizer = optim.SGD(lambda step: 0.1 if step == 0 else value)
    w = mg.Variable([1.0])
    w.grad = [1.0]
    optimizer.step([w])
    with pytest.raises(
        (ValueError, TypeError), match="SGD: the learning rate of step 1 is a finite number from 0, got"
    ):
        optimizer.step([w])
    assert w.value.tolist() == [0.9]
    assert optimizer.steps == 1


# ---------------------------------------------------------------- lists, and a pair that is handed on


def test_lists_are_taken_as_data():
    plain = mg.fit(nn.Linear(3, 3, rng=0), rows(), 1, 4, optim.SGD(0.1), rng=0, progress=False)
    lists = mg.fit(nn.Linear(3, 3, rng=0), rows(list), 1, 4, optim.SGD(0.1), rng=0, progress=False)
    assert plain.losses == lists.losses
    made = mg.data.Data(*vars(rows(list)).values(), name="mine")
    assert made.train_x.shape == (8, 3)
    assert mg.fit(nn.Linear(3, 3, rng=0), made, 1, 4, optim.SGD(0.1), rng=0, progress=False).losses == plain.losses
    assert "8 training" in repr(made)
    model, x, y = nn.Linear(3, 3, rng=0), rows(list).train_x, rows(list).train_y
    assert mg.train.predict(model, x).shape == (8, 3)
    assert 0 <= mg.train.accuracy(model, x, y) <= 1
    assert [a.shape for a, _ in mg.data.batches(x, y, 4, np.random.default_rng(0))] == [(4, 3), (4, 3)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [([[1.0], [1.0, 2.0]], "rows of unequal lengths"),
     (["a", "b"], "an array of real numbers"), (3.0, "an array of numbers"),
     (None, "an array of real numbers"), ([None, 1], "an array of real numbers")],
)  # fmt: skip
def test_data_that_are_no_numbers_are_named(wrong, words):
    with pytest.raises((ValueError, TypeError), match=f"train_x is .*{words}|{words}"):
        mg.data.Data(wrong, [0, 1], np.zeros((1, 1)), [0], name="mine")
    with pytest.raises((ValueError, TypeError), match=f"fit: train_x is .*{words}|{words}"):
        mg.fit(nn.Linear(1, 2), SimpleNamespace(**{**vars(rows()), "train_x": wrong}), 1, 1, optim.SGD(0.1))


def test_a_pair_that_is_handed_on_is_told():
    x, y = np.zeros((2, 4, 2)), np.zeros((2, 3))
    for layer in (nn.RNN(2, 3), nn.GRU(2, 3), nn.LSTM(2, 3), nn.MultiheadAttention(2, 1)):
        name = type(layer).__name__
        with pytest.raises(
            TypeError, match=rf"Sequential hands one array on, and number 0, .*{name}.*2 things.*outputs, state"
        ):
            nn.Sequential(layer, nn.Linear(3, 1))(x)
        with pytest.raises(TypeError, match=rf"{name} gives 2 things, as an RNN .* the loss takes one array"):
            mg.compile(layer, nn.mse, optim.SGD(0.1), x, y)
        data = SimpleNamespace(train_x=x, train_y=y, test_x=x, test_y=y)
        with pytest.raises(TypeError, match=rf"{name} gives 2 things"):
            mg.fit(layer, data, 1, 2, optim.SGD(0.1), loss=nn.mse, progress=False)
    assert nn.Sequential(nn.Linear(2, 2), nn.RNN(2, 3))(x)[0].shape == (2, 4, 3)  # as the last one it may
