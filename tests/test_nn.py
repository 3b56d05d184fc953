"""Layers: PyTorch's names, shapes, outputs and gradients."""

import copy

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training.checkpoint import generators

rng = np.random.default_rng(7)


def numpy_state(module):
    return {name: tensor.detach().numpy() for name, tensor in module.state_dict().items()}


def assert_same_gradients(ours, theirs, tolerance):
    result = {name: variable.grad for name, variable in ours.named_parameters()}
    wanted = {name: tensor.grad.numpy() for name, tensor in theirs.named_parameters()}
    assert result.keys() == wanted.keys()
    for name in wanted:
        np.testing.assert_allclose(result[name], wanted[name], rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-10)])
def test_linear_equals_pytorch(dtype, tolerance):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    theirs = torch.nn.Linear(5, 3).to(getattr(torch, np.dtype(dtype).name))
    ours = nn.Linear(5, 3, dtype=dtype)
    ours.load_state_dict(numpy_state(theirs))
    x = rng.standard_normal((4, 5)).astype(dtype)
    y, z = ours(mg.Constant(x)), theirs(torch.from_numpy(x))
    np.testing.assert_allclose(y.value, z.detach().numpy(), rtol=tolerance, atol=tolerance)
    mg.sum(y * y).backward()
    (z * z).sum().backward()
    assert_same_gradients(ours, theirs, tolerance)


KINDS = {"RNN": {}, "RNN relu": {"nonlinearity": "relu"}, "GRU": {}, "LSTM": {}}


@pytest.mark.turns
@pytest.mark.parametrize("checkpoint", [None, "everything", "states", 2])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("dtype", "tolerance", "batch_first"), [(np.float32, 1e-5, False), (np.float64, 1e-10, True)])
def test_recurrent_layers_equal_pytorch(kind, batch_first, checkpoint, dtype, tolerance):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    name = kind.split()[0]
    for layers in (1, 3):
        options = {"num_layers": layers, "batch_first": batch_first, **KINDS[kind]}
        theirs = getattr(torch.nn, name)(4, 6, **options).to(getattr(torch, np.dtype(dtype).name))
        ours = getattr(nn, name)(4, 6, **options, checkpoint=checkpoint, dtype=dtype)
        ours.load_state_dict(numpy_state(theirs))
        x = rng.standard_normal((3, 5, 4)).astype(dtype)
        parts = [rng.standard_normal((layers, 3 if batch_first else 5, 6)).astype(dtype) for _ in range(ours.states)]
        value = tuple(parts) if len(parts) > 1 else parts[0]
        as_tensors = tuple(map(torch.from_numpy, parts)) if len(parts) > 1 else torch.from_numpy(parts[0])
        for own, reference in ((None, None), (value, as_tensors)):
            ours.zero_grad()
            theirs.zero_grad()
            y, last = ours(mg.Constant(x), own)
            z, end = theirs(torch.from_numpy(x), reference)
            np.testing.assert_allclose(y.value, z.detach().numpy(), rtol=tolerance, atol=tolerance)
            lasts, ends = (last, end) if len(parts) > 1 else ((last,), (end,))
            for result, wanted in zip(lasts, ends, strict=True):
                np.testing.assert_allclose(result.value, wanted.detach().numpy(), rtol=tolerance, atol=tolerance)
            (mg.sum(y * y) + sum(mg.sum(mg.sin(part)) for part in lasts)).backward()
            ((z * z).sum() + sum(part.sin().sum() for part in ends)).backward()
            assert_same_gradients(ours, theirs, tolerance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("checkpoint", ["everything", "states", 2])
def test_a_checkpointed_layer_computes_in_the_same_dtypes(kind, checkpoint):
    """Data of float32 or small integers and weights of float64, or a state of float64: as NumPy promotes them."""
    make, options = getattr(nn, kind.split()[0]), KINDS[kind]
    for weights, data, start in (("f8", "f4", None), ("f4", "u1", None), ("f4", "f4", "f8"), ("f8", "f4", "f4")):
        x = mg.Constant((3 * rng.random((5, 2, 3))).astype(data))
        plain, kept = (make(3, 4, 2, checkpoint=c, rng=0, dtype=weights, **options) for c in (None, checkpoint))
        state = None if start is None else tuple(np.full((2, 2, 4), 0.1, start) for _ in range(plain.states))
        results = []
        for layer in (plain, kept):
            y, last = layer(x, state if state is None or layer.states > 1 else state[0])
            mg.sum(y * y).backward()
            results.append([y, *(last if layer.states > 1 else (last,)), *layer.parameters()])
        for ours, other in zip(*results, strict=True):
            assert ours.dtype == other.dtype
            digits = 1e-5 if ours.dtype == np.float32 else 1e-12
            pairs = [(ours.value, other.value)] + ([(ours.grad, other.grad)] if isinstance(ours, mg.Variable) else [])
            for a, b in pairs:
                np.testing.assert_allclose(b, a, rtol=digits, atol=digits)


def test_parameters_are_named_like_pytorchs():
    class Net(nn.Module):
        def __init__(self):
            self.rnn = nn.RNN(3, 2, rng=0)
            self.dense = nn.Linear(2, 1, rng=0)

    names = [name for name, _ in Net().named_parameters()]
    assert names == [
        "rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0", "dense.weight", "dense.bias",
    ]  # fmt: skip
    assert [variable.name for variable in Net().parameters()] == names


def test_a_shared_variable_is_a_parameter_once():
    class Tied(nn.Module):
        def __init__(self):
            self.first = nn.Linear(3, 3, rng=0)
            self.second = nn.Linear(3, 3, rng=1)
            self.second.weight = self.first.weight

    assert len(Tied().parameters()) == 3


def test_loading_weights_is_all_or_nothing():
    layer = nn.Linear(2, 3, rng=0)
    before = layer.state_dict()
    with pytest.raises(KeyError, match=r"missing \['bias'\], unknown \['scale'\]"):
        layer.load_state_dict({"weight": np.zeros((3, 2)), "scale": np.ones(3)})
    with pytest.raises(ValueError, match=r"bias has shape \(3,\), got \(4,\)"):
        layer.load_state_dict({"weight": np.zeros((3, 2)), "bias": np.zeros(4)})
    for name, value in layer.state_dict().items():
        np.testing.assert_array_equal(value, before[name])


def test_glorot_keeps_to_its_range_and_variance():
    weights = nn.init.glorot_uniform((300, 200), rng=0)
    limit = np.sqrt(6 / 500)
    assert weights.dtype == np.float32
    assert abs(weights).max() <= limit
    np.testing.assert_allclose(weights.var(), limit**2 / 3, rtol=0.02)
    np.testing.assert_array_equal(weights, nn.init.glorot_uniform((300, 200), rng=0))


def test_dropout_draws_a_new_mask_each_run():
    x = mg.Variable(np.ones((200, 50), np.float32))
    y = nn.Dropout(0.25, rng=0)(x)
    graph = mg.Graph(mg.sum(y))
    first = y.value.copy()
    assert set(np.unique(first)) == {np.float32(0), np.float32(1 / 0.75)}
    assert (first == 0).mean() == pytest.approx(0.25, abs=0.02)
    graph.forward()
    assert not np.array_equal(first, y.value)
    graph.backward()
    np.testing.assert_array_equal(x.grad, y.value)  # the backward pass uses the mask of its forward pass


def test_dropout_does_nothing_in_evaluation():
    net = nn.Sequential(nn.Linear(3, 3, rng=0), nn.Dropout(0.9, rng=0)).eval()
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(net(mg.Constant(x)).value, net[0](mg.Constant(x)).value)


def test_saved_weights_come_back(tmp_path):
    net, other = nn.LSTM(3, 4, rng=0), nn.LSTM(3, 4, rng=1)
    net.save(tmp_path / "weights.npz")
    other.load(tmp_path / "weights.npz")
    for name, value in net.state_dict().items():
        np.testing.assert_array_equal(value, other.state_dict()[name])
    assert [path.name for path in tmp_path.iterdir()] == ["weights.npz"]


@pytest.mark.parametrize("failing", ["numpy.savez", "os.fsync", "os.replace"])
def test_weights_that_cannot_be_written_leave_the_file(tmp_path, monkeypatch, failing):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    path = tmp_path / "weights.npz"
    nn.Linear(3, 4, rng=0).save(path)
    before = path.read_bytes()
    monkeypatch.setattr(failing, full)
    with pytest.raises(OSError, match="No space left"):
        nn.Linear(3, 4, rng=1).save(path)
    assert path.read_bytes() == before
    assert [left.name for left in tmp_path.iterdir()] == ["weights.npz"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nn.LSTM(3, 2)(np.ones((4, 5, 3), np.float32), np.zeros((1, 5, 2))), "2 array"),
        (lambda: nn.RNN(3, 2)(np.ones((0, 5, 3), np.float32)), "at least one step"),
        (lambda: nn.Linear(3, 2)(mg.Constant(np.ones((4, 5), np.float32))), r"takes \(\.\.\., 3\), got shape \(4, 5\)"),
        (lambda: nn.RNN(3, 2)(mg.Constant(np.ones((4, 3), np.float32))), r"takes \(steps, n, input\)"),
        (lambda: nn.RNN(3, 2, nonlinearity="sine"), "tanh"),
        (lambda: nn.init.glorot_uniform((3,)), "both sides"),
    ],
)
def test_wrong_shapes_are_told_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# Layers in lists and dicts ----------------------------------------------------------------------------------------


class Tower(nn.Module):
    """Layers as a list, as one writes them in a loop; two heads as a dict."""

    def __init__(self):
        self.layers = [nn.Linear(3, 3, rng=k) for k in range(2)]
        self.layers.append(nn.Dropout(0.5, rng=0))
        self.heads = {"left": nn.Linear(3, 2, rng=8), "right": (nn.Linear(3, 2, bias=False, rng=9),)}
        self.scales = [mg.Variable(1.0)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.heads["left"](x) * self.scales[0] + self.heads["right"][0](x)


def test_layers_in_lists_and_dicts_are_found():
    """They used to be left out silently: such a model did not learn."""
    model = Tower()
    assert sorted(model.state_dict()) == [
        "heads.left.bias", "heads.left.weight", "heads.right.0.weight", "layers.0.bias", "layers.0.weight",
        "layers.1.bias", "layers.1.weight", "scales.0",
    ]  # fmt: skip
    assert model.layers[0].weight.name == "layers.0.weight"
    assert [name for name, _ in model.children()] == ["layers.0", "layers.1", "layers.2", "heads.left", "heads.right.0"]
    assert not model.eval().layers[2].training
    before = model.state_dict()
    mg.nn.cross_entropy(model(np.ones((2, 3), np.float32)), np.array([0, 1])).backward()
    mg.optim.SGD(0.1).step(model.parameters())
    after = model.state_dict()
    assert all(not np.array_equal(before[name], after[name]) for name in before if not name.startswith("heads.right"))
    model.load_state_dict(before)
    assert all(np.array_equal(array, before[name]) for name, array in model.state_dict().items())


class Part(nn.Module):
    """A module that knows the one it is in."""

    def __init__(self, whole):
        self.whole, self.weight, self.drop = whole, nn.Linear(2, 3, rng=0), nn.Dropout(0.5, rng=1)

    def forward(self, x):
        return self.drop(self.weight(x))


class Whole(nn.Module):
    def __init__(self):
        self.first, self.others = Part(self), [Part(self)]

    def forward(self, x):
        return self.first(x)


def test_a_module_may_know_its_parent():
    whole = Whole()
    names = ["first.weight.weight", "first.weight.bias", "others.0.weight.weight", "others.0.weight.bias"]
    assert [name for name, _ in whole.named_parameters()] == [variable.name for variable in whole.parameters()] == names
    assert not whole.eval().others[0].drop.training
    assert whole(np.ones((1, 2))).shape == (1, 3)
    assert len(list(generators(whole))) == 2
    other = copy.deepcopy(whole)
    assert other.first.whole is other
    other.load_state_dict(whole.state_dict())
