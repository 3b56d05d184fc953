"""Layers: PyTorch's names, shapes, outputs and gradients."""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn

rng = np.random.default_rng(7)


def numpy_state(module):
    return {name: tensor.detach().numpy() for name, tensor in module.state_dict().items()}


def assert_same_gradients(ours, theirs, tolerance):
    found = {name: variable.grad for name, variable in ours.named_parameters()}
    wanted = {name: tensor.grad.numpy() for name, tensor in theirs.named_parameters()}
    assert found.keys() == wanted.keys()
    for name in wanted:
        np.testing.assert_allclose(found[name], wanted[name], rtol=tolerance, atol=tolerance, err_msg=name)


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


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-10)])
def test_rnn_equals_pytorch(layers, batch_first, nonlinearity, dtype, tolerance):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    options = {"num_layers": layers, "nonlinearity": nonlinearity, "batch_first": batch_first}
    theirs = torch.nn.RNN(4, 6, **options).to(getattr(torch, np.dtype(dtype).name))
    ours = nn.RNN(4, 6, **options, dtype=dtype)
    ours.load_state_dict(numpy_state(theirs))
    x = rng.standard_normal((3, 5, 4)).astype(dtype)
    h0 = rng.standard_normal((layers, 3 if batch_first else 5, 6)).astype(dtype)
    for start in (None, h0):
        ours.zero_grad()
        theirs.zero_grad()
        y, h = ours(mg.Constant(x), start)
        z, g = theirs(torch.from_numpy(x), None if start is None else torch.from_numpy(start))
        np.testing.assert_allclose(y.value, z.detach().numpy(), rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(h.value, g.detach().numpy(), rtol=tolerance, atol=tolerance)
        (mg.sum(y * y) + mg.sum(mg.sin(h))).backward()
        ((z * z).sum() + g.sin().sum()).backward()
        assert_same_gradients(ours, theirs, tolerance)


def test_parameters_are_named_like_pytorchs():
    class Net(nn.Module):
        def __init__(self):
            self.rnn = nn.RNN(3, 2, rng=0)
            self.dense = nn.Linear(2, 1, rng=0)

    names = [name for name, _ in Net().named_parameters()]
    assert names == [
        "rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0", "dense.weight", "dense.bias",
    ]  # fmt: skip


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


def test_loaded_weights_are_seen_by_a_graph_built_before():
    layer = nn.Linear(2, 1, rng=0)
    y = layer(mg.Constant(np.ones((1, 2), np.float32)))
    layer.load_state_dict({"weight": [[1.0, 2.0]], "bias": [3.0]})
    mg.Graph(y).forward()
    assert y.value.item() == 6.0


def test_glorot_keeps_to_its_range_and_variance():
    weights = nn.init.glorot_uniform((300, 200), rng=0)
    limit = np.sqrt(6 / 500)
    assert weights.dtype == np.float32
    assert abs(weights).max() <= limit
    np.testing.assert_allclose(weights.var(), limit**2 / 3, rtol=0.02)
    np.testing.assert_array_equal(weights, nn.init.glorot_uniform((300, 200), rng=0))


def test_sequential_runs_its_modules_in_order():
    net = nn.Sequential(nn.Linear(4, 3, rng=0), nn.ReLU(), nn.Flatten(), nn.Linear(3, 2, rng=1), nn.Sigmoid())
    x = rng.standard_normal((5, 4)).astype(np.float32)
    hidden = np.maximum(x @ net[0].weight.value.T + net[0].bias.value, 0)
    expected = 1 / (1 + np.exp(-(hidden @ net[3].weight.value.T + net[3].bias.value)))
    np.testing.assert_allclose(net(mg.Constant(x)).value, expected, rtol=1e-5)
    assert [name for name, _ in net.named_parameters()] == ["0.weight", "0.bias", "3.weight", "3.bias"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nn.Linear(3, 2)(mg.Constant(np.ones((4, 5), np.float32))), r"takes \(\.\.\., 3\), got shape \(4, 5\)"),
        (lambda: nn.RNN(3, 2)(mg.Constant(np.ones((4, 3), np.float32))), r"takes \(steps, n, input\)"),
        (lambda: nn.RNN(3, 2, nonlinearity="sine"), "tanh"),
        (lambda: nn.init.glorot_uniform((3,)), "both sides"),
    ],
)
def test_wrong_shapes_are_told_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
