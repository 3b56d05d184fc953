"""Shards of a batch that need not be equal: the same bits for a number of shards, on however many threads."""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.compiler.optional import shards as sharding
from minigrad.compiler.training import Recipe
from minigrad.training import optim
from tests.test_compiler import Deep, Small, plain_python, rows, small_step  # noqa: F401 (a fixture)


def squares(output, target):
    return ((output - target) ** 2).sum()


@pytest.mark.parametrize(("batch", "shards"), [(9, 3), (100, 20), (5, 5), (8, 4)])
@pytest.mark.parametrize("loss", ["mean", "sum"])
def test_shards_compute_what_one_program_computes(batch, shards, loss):
    """In float64, where orders of summing differ in the last digits alone."""
    rng = np.random.default_rng(0)
    x, labels = rng.standard_normal((3 * batch, 6)), rng.integers(0, 3, 3 * batch)
    y = labels if loss == "mean" else rng.standard_normal((3 * batch, 3))
    function, rate = (nn.cross_entropy, 0.1) if loss == "mean" else (squares, 0.001)
    result = []
    for n in (1, shards):
        model = Small(np.float64)
        step = mg.compile(model, function, optim.SGD(rate, momentum=0.9), x[:batch], y[:batch], shards=n)
        result.append((step.epoch(x, y, np.arange(3 * batch)), model.state_dict()))
    np.testing.assert_allclose(result[1][0], result[0][0], rtol=1e-12)
    for name, array in result[0][1].items():
        np.testing.assert_allclose(result[1][1][name], array, rtol=1e-9, atol=1e-12)


@pytest.mark.compiled
def test_bits_depend_on_the_number_of_shards():
    x, y = rows(0, n=84)
    result = []
    for threads in (1, 2, 3, 3):
        model, step = Small(), None
        step = mg.compile(model, nn.cross_entropy, optim.Adam(0.01), x[:12], y[:12], shards=3, threads=threads)
        result.append([step.epoch(x, y, np.arange(84)), *model.state_dict().values()])
    for arrays in result[1:]:
        for ours, first in zip(arrays, result[0], strict=True):
            np.testing.assert_array_equal(ours, first)


def test_accuracies_count_every_row_once():
    x, y = rows(0)
    counts = []
    for shards in (1, 4):
        _, step = small_step(shards=shards)
        counts.append(step.run(*step.checked(x, y), np.arange(24), np.zeros(3, np.float32)).copy())
    np.testing.assert_array_equal(counts[0], counts[1])
    assert counts[0].sum() > 0


@pytest.mark.parametrize("shards", [2, 3, 6])
def test_a_mean_is_told_from_a_sum(shards):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((6, 6)).astype(np.float32)
    model = nn.Linear(6, 6, rng=0)

    def weight_by(loss):
        recipe = Recipe(model, loss, optim.SGD(0.1), x, x, shards, 1, None, (), "linear")
        return sharding.weight_of_shard(recipe)

    assert weight_by(nn.mse) == 1 / shards
    assert weight_by(squares) == 1
    with pytest.raises(ValueError, match="mean or a sum over the rows"):
        weight_by(lambda o, t: squares(o, t) ** 2)


class Penalized(nn.Linear):
    """Its output, and a parameter on which no row depends."""

    def __init__(self):
        super().__init__(6, 3, rng=0)
        self.u = mg.Variable(np.array(0.1, np.float32))

    def forward(self, x):
        return super().forward(x), self.u


class OverTheBatch(nn.Module):
    """Normalized over the rows, before weights that are 0: each part of a batch has the loss log 3."""

    def __init__(self):
        self.first, self.last = nn.Linear(6, 5, rng=0), nn.Linear(5, 3, rng=1)
        self.last.weight.value = np.zeros((3, 5))

    def forward(self, x):
        h = self.first(x)
        return self.last(mg.tanh((h - mg.mean(h, 0)) / mg.sqrt(mg.var(h, 0) + 1e-5)))


@pytest.mark.parametrize("shards", [2, 4])
def test_gradients_that_mix_rows_are_found(shards):
    x, y = rows(0)
    targets = 30 * np.eye(3, dtype=np.float32)[y[:8]]
    for model, loss, target in (
        (Penalized(), lambda output, y: squares(output[0], y) + output[1] ** 2, targets),
        (OverTheBatch(), nn.cross_entropy, y[:8]),
    ):
        with pytest.raises(ValueError, match="mean or a sum over the rows of a batch, and so must its gradients"):
            mg.compile(model, loss, optim.SGD(0.1), x[:8], target, shards=shards)


@pytest.mark.parametrize("where", ["the model", "the loss", "a loop"])
def test_random_numbers_are_not_drawn_in_shards(where):
    """The threads would draw from one generator, in turns that depend on timing."""
    x, y = rows(0)
    dropout = nn.Dropout(0.5, rng=0)
    zeros = nn.Linear(5, 3, rng=1)
    zeros.weight.value = np.zeros((3, 5))  # so that the mask does not show in the loss
    model = nn.Sequential(nn.Linear(6, 5, rng=0), *([dropout] if where == "the model" else []), zeros)

    def loss(output, y):
        if where == "a loop":
            output, _ = mg.scan(lambda h, t: (dropout(h), t), np.zeros(2, np.float32), output)
        return nn.cross_entropy(dropout(output) if where == "the loss" else output, y)

    with pytest.raises(ValueError, match="nothing may draw random numbers, as Dropout does"):
        mg.compile(model, loss, optim.SGD(0.1), x[:8], y[:8], shards=2)
    dropout.eval()
    assert np.isfinite(mg.compile(model, loss, optim.SGD(0.1), x[:8], y[:8], shards=2)(x[:8], y[:8]))


def test_a_mean_stays_a_mean_without_a_loss():
    """A hinge that nobody touches any more, when the model changes: what was known of the loss is still known."""

    class Hinge(nn.Linear):
        factor = 1.0

        def forward(self, x):
            return super().forward(x) * self.factor

    x, _ = rows(0)
    x, model = x[:8], Hinge(6, 1, bias=False, rng=0)
    y = np.sign(x @ np.ones(6, np.float32))
    step = mg.compile(model, lambda output, y: mg.mean(mg.relu(1 - output[:, 0] * y)), optim.SGD(0.1), x, y, shards=4)
    assert step(x, y) > 0
    model.weight.value, model.factor = np.full((1, 6), 1e4), 2.0
    assert step(x, y) == 0


@pytest.mark.parametrize("shards", [1, 2])
def test_the_example_batch_is_the_steps_own(shards):
    """A buffer that its owner fills with other rows: the program that is made later reads what it was."""
    x, y = rows(0)
    buffer = y[:8].copy()
    model = Small()
    step = mg.compile(model, nn.cross_entropy, optim.SGD(0.1), x[:8], buffer, shards=shards)
    buffer[:] = -77
    setattr(model, "1", nn.ReLU())
    assert np.isfinite(step(x[:8], y[:8]))


@pytest.mark.parametrize("loss", [lambda output, y: (mg.mean(output), 1), lambda output, y: None])
@pytest.mark.parametrize("shards", [1, 2])
def test_shards_word_a_nan_loss_alike(loss, shards):
    x, y = rows(0)
    with pytest.raises(ValueError, match="the loss is a single number made from the model's output, got"):
        mg.compile(Small(), loss, optim.SGD(0.1), x[:8], y[:8], shards=shards)


NAMES = ["w", "at", "x_rows", "update_0", "update_1", "step_part_1", "gradients_part_1", "w²", "θ"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shards", [1, 3])
def test_parameters_may_have_any_names_or_none(name, shards):
    """Names that the program has for something else, also in two updates."""
    rng = np.random.default_rng(0)
    x, y, result = rng.standard_normal((6, 6, 3)), np.ones((6, 1)), []
    for named in (False, True):
        model = Deep()
        parameters = model.parameters()
        for k, parameter in enumerate(parameters if named else ()):
            parameter.name = name + k // 2 * "_at" if k else None
        names = [parameter.name for parameter in parameters]
        step = mg.compile(model, mg.mse, optim.Adam(0.05), x, y, shards=shards)
        losses = [step(x, y) for _ in range(3)]
        assert [parameter.name for parameter in parameters] == names
        result.append([*losses, *(parameter.value for parameter in parameters)])
    for one, two in zip(*result, strict=True):
        np.testing.assert_array_equal(one, two)
