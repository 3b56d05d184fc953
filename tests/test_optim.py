"""Optimizers: PyTorch's steps, in place, and gradients kept within limits."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import optim

rng = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("ours", "theirs", "options"),
    [
        (lambda: optim.SGD(0.1), "SGD", {"lr": 0.1}),
        (lambda: optim.SGD(0.1, momentum=0.9), "SGD", {"lr": 0.1, "momentum": 0.9}),
        (lambda: optim.Adam(0.01), "Adam", {"lr": 0.01}),
        (lambda: optim.AdamW(0.01, (0.8, 0.95), weight_decay=0.0), "AdamW",
         {"lr": 0.01, "betas": (0.8, 0.95), "weight_decay": 0.0}),
        (lambda: optim.AdamW(0.01, (0.8, 0.95), weight_decay=0.3), "AdamW",
         {"lr": 0.01, "betas": (0.8, 0.95), "weight_decay": 0.3}),
    ],
)  # fmt: skip
def test_thirty_steps_equal_pytorchs(ours, theirs, options):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    start, gradients = rng.standard_normal((4, 3)), rng.standard_normal((30, 4, 3))
    variable, tensor = mg.Variable(start), torch.nn.Parameter(torch.tensor(start))
    optimizer, reference = ours(), getattr(torch.optim, theirs)([tensor], **options)
    for gradient in gradients:
        np.copyto(variable.grad_array(), gradient)
        tensor.grad = torch.tensor(gradient)
        optimizer.step([variable])
        reference.step()
    np.testing.assert_allclose(variable.value, tensor.detach().numpy(), rtol=1e-12, atol=1e-12)


def sgd_by_hand(value, grad, k, kept):
    return value - np.float32(0.1) * grad


def momentum_by_hand(value, grad, k, kept):
    kept["velocity"] = np.float32(0.9) * kept.get("velocity", 0 * value) + grad
    return value - np.float32(0.1) * kept["velocity"]


def adam_by_hand(value, grad, k, kept):
    kept["mean"] = np.float32(0.9) * kept.get("mean", 0 * value) + np.float32(1 - 0.9) * grad
    kept["square"] = np.float32(0.999) * kept.get("square", 0 * value) + np.float32(1 - 0.999) * (grad * grad)
    rate, correction = np.float32(0.01 / (1 - 0.9 ** (k + 1))), np.float32(1 / (1 - 0.999 ** (k + 1)))
    return value - rate * (kept["mean"] / (np.sqrt(kept["square"] * correction) + np.float32(1e-8)))


@pytest.mark.parametrize("shape", [(), (5,), (4, 3), (0, 2)])
@pytest.mark.parametrize(
    ("make", "by_hand"),
    [
        (lambda: optim.SGD(0.1), sgd_by_hand),
        (lambda: optim.SGD(0.1, momentum=0.9), momentum_by_hand),
        (lambda: optim.Adam(0.01), adam_by_hand),
    ],
)
def test_a_step_computes_its_equations_to_the_bit(make, by_hand, shape):
    variable, optimizer, kept = mg.Variable(rng.standard_normal(shape).astype(np.float32)), make(), {}
    expected = variable._value.copy()
    for k in range(20):
        grad = rng.standard_normal(shape).astype(np.float32)
        np.copyto(variable.grad_array(), grad)
        optimizer.step([variable])
        expected = by_hand(expected, grad, k, kept)
        np.testing.assert_array_equal(variable._value, expected)


@pytest.mark.parametrize("make", [lambda: optim.SGD(0.1), lambda: optim.SGD(0.1, 0.9), lambda: optim.Adam(0.01)])
def test_a_step_makes_no_array(make):
    variables, optimizer = [mg.Variable(np.ones((50, 40))), mg.Variable(np.ones(40))], make()
    optimizer.step(variables)
    with mg.measure(bytes="arrays") as result:
        for _ in range(10):
            optimizer.step(variables)
    assert result.allocated_bytes == 0


class Backwards(optim.Optimizer):
    """Goes back half of the way to where it was before: what is kept is the old value itself."""

    def equations(self, value, grad, rates, kept):
        return value - rates[0] * grad + 0.5 * (kept[0] - value), {0: value}


class OfLengthOne(optim.Optimizer):
    """Needs more than elementwise operations, views of the gradient among them."""

    def equations(self, value, grad, rates, kept):
        length = mg.sqrt(mg.sum(mg.reshape(grad, -1) ** 2))
        return value - rates[0] * grad / length + 0 * kept[0].T.T, {0: mg.clip(kept[0], grad, value)}


@pytest.mark.parametrize("kind", [Backwards, OfLengthOne])
def test_a_custom_optimizer_is_its_equations(kind):
    def trained(way):
        model = mg.nn.Sequential(mg.nn.Linear(3, 4, rng=0), mg.nn.Tanh(), mg.nn.Linear(4, 2, rng=1))
        x, y = np.random.default_rng(0).standard_normal((6, 3)).astype(np.float32), np.arange(6) % 2
        optimizer = kind(0.1)
        if way == "compiled":
            step = mg.compile(model, mg.nn.cross_entropy, optimizer, x, y)
            for _ in range(4):
                step(x, y)
        for _ in range(4 if way != "compiled" else 0):
            model.zero_grad()
            mg.nn.cross_entropy(model(x), y).backward()
            if way == "looked at":  # somebody holds the gradient's array, so the next sum is another one
                held.append([parameter.grad for parameter in model.parameters()])
            optimizer.step(model.parameters())
        return list(model.state_dict().values())

    held = []
    for one, two, three in zip(trained("graph"), trained("looked at"), trained("compiled"), strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_allclose(one, three, rtol=1e-5, atol=1e-6)


def test_a_step_changes_the_array():
    x = mg.Variable(2.0)
    graph = mg.Graph(x * x)
    graph.backward()
    optim.SGD(0.25).step([x])
    assert x.value == 1.0
    assert graph.forward() == 1.0


def test_the_rate_may_depend_on_the_step():
    x = mg.Variable(0.0)
    x.grad_array().fill(1.0)
    optimizer = optim.SGD(lambda step: 1.0 / (step + 1))
    for _ in range(3):
        optimizer.step([x])
    assert x.value == pytest.approx(-(1 + 1 / 2 + 1 / 3))


def test_clip_by_value_clamps_each_entry():
    x = mg.Variable(np.zeros(3))
    np.copyto(x.grad_array(), [-3.0, 0.5, 2.0])
    optim.clip_by_value([x], -1.0, 1.5)
    assert x.grad.tolist() == [-1.0, 0.5, 1.5]


def test_clip_by_norm_scales_gradients_alike():
    x, y = mg.Variable(np.zeros(2)), mg.Variable(0.0)
    np.copyto(x.grad_array(), [3.0, 0.0])
    y.grad_array().fill(4.0)
    assert optim.clip_by_norm([x, y], 1.0) == pytest.approx(5.0)
    np.testing.assert_allclose([*x.grad, y.grad], [0.6, 0.0, 0.8])
    assert optim.clip_by_norm([x, y], 2.0) == pytest.approx(1.0)
    np.testing.assert_allclose([*x.grad, y.grad], [0.6, 0.0, 0.8])


class Tied(nn.Sequential):
    """One weight in two layers, and a list of parameters that has it twice."""

    def __init__(self):
        super().__init__(nn.Linear(4, 4, rng=0), nn.Linear(4, 4, rng=1))
        self[1].weight = self[0].weight

    def parameters(self):
        return self[0].parameters() + self[1].parameters()


@pytest.mark.parametrize("mode", ["eager", 1, 2])
def test_a_repeated_parameter_gets_a_sentence(mode):
    model, optimizer, x = Tied(), optim.SGD(0.1), np.ones((4, 4), np.float32)
    before = model.state_dict()

    def step():
        if mode == "eager":
            nn.mse(model(mg.Constant(x)), mg.Constant(x)).backward()
            optimizer.step(model.parameters())
        else:
            mg.compile(model, nn.mse, optimizer, x, x, shards=mode)

    with pytest.raises(ValueError, match=r"0\.weight of shape \(4, 4\) is among the parameters twice"):
        step()
    assert optimizer.steps == 0
    assert all(np.array_equal(before[name], array) for name, array in model.state_dict().items())


def test_a_schedule_without_a_number_gets_a_sentence():
    """By steps that are not compiled: test_hyper.py."""
    model, x = nn.Linear(3, 2, rng=0), np.ones((2, 3), np.float32)
    optimizer = optim.SGD(lambda step: 0.1 if step == 0 else None)
    step = mg.compile(model, nn.mse, optimizer, x, x[:, :2])
    step(x, x[:, :2])
    trained = model.state_dict()["weight"]
    with pytest.raises(TypeError, match="SGD: the learning rate of step 1 is a finite number from 0, got None"):
        step(x, x[:, :2])
    assert optimizer.steps == 1
    np.testing.assert_array_equal(model.weight.value, trained)


def test_schedules_give_the_rate_of_each_step():
    cosine = optim.cosine(2.0, steps=10, last=1.0)
    assert [cosine(0), cosine(5), cosine(10), cosine(99)] == pytest.approx([2.0, 1.5, 1.0, 1.0])
    warm = optim.warmup(lambda step: 0.5 ** (step // 2), steps=4)
    assert [warm(k) for k in range(5)] == [0.25, 0.5, 0.375, 0.5, 0.25]
    both = optim.warmup_cosine(1.0, 2, 6, last=0.2)
    np.testing.assert_allclose([both(k) for k in (0, 1, 2, 4, 6, 9)], [0.5, 1.0, 1.0, 0.6, 0.2, 0.2])


# Kept for later ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [
    lambda: optim.SGD(0.1, momentum=0.9), lambda: optim.Adam(optim.warmup(optim.cosine(0.01, 20), 3)),
    lambda: optim.SGD(optim.warmup_cosine(0.1, 2, 9)),
])  # fmt: skip
@pytest.mark.parametrize("again", [lambda pair: pickle.loads(pickle.dumps(pair)), copy.deepcopy])
def test_a_pickled_training_continues_with_the_same_bits(make, again):
    x, y = rng.standard_normal((8, 3)).astype(np.float32), rng.integers(0, 2, 8)

    def train(model, optimizer, steps):
        for _ in range(steps):
            model.zero_grad()
            mg.nn.cross_entropy(model(x), y).backward()
            optimizer.step(model.parameters())
        return model.state_dict()

    model, optimizer = mg.nn.Sequential(mg.nn.Linear(3, 4, rng=0), mg.nn.Tanh(), mg.nn.Linear(4, 2, rng=1)), make()
    train(model, optimizer, 5)
    other = again((model, optimizer))
    expected, got = train(model, optimizer, 5), train(*other, 5)
    for name, array in expected.items():
        np.testing.assert_array_equal(got[name], array)


def test_adamw_decays_by_the_rate_times_the_decay():
    """Without a gradient nothing else moves a weight."""
    w, optimizer = mg.Variable([2.0]), optim.AdamW(0.1, weight_decay=0.5)
    optimizer.step([w])
    assert w.value.tolist() == [2.0 * (1 - 0.1 * 0.5)]


def test_limited_to_norm_leaves_short_gradients():
    short, long = [mg.Constant([0.3]), mg.Constant([0.4])], [mg.Constant([3.0]), mg.Constant([4.0])]
    assert [g.value.tolist() for g in optim.limited_to_norm(short, 1.0)] == [[0.3], [0.4]]
    np.testing.assert_allclose([g.value for g in optim.limited_to_norm(long, 1.0)], [[0.6], [0.8]])
