"""The papers' networks beside PyTorch: the same outputs, gradients and losses from the same weights."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.training import optim, train
from tests.made_up_workloads import WORKLOADS, batch_of

pytestmark = pytest.mark.torch


@pytest.fixture
def torch():
    """Loaded here, not above, where every process that collects tests would load it."""
    return pytest.importorskip("torch", reason="compares with PyTorch")


def in_pytorch(torch, name, ours, dtype):
    """PyTorch's network with our weights, its loss, and the names of its parameters by ours."""
    from minigrad_course.peers.pytorch_networks import NETWORKS, renamed

    weights = ours.state_dict()
    theirs = NETWORKS[name.lower()](weights).to(getattr(torch, np.dtype(dtype).name))
    names = renamed(theirs, weights)
    theirs.load_state_dict({names[key]: torch.from_numpy(value) for key, value in weights.items()})
    return theirs, getattr(theirs, "loss", torch.nn.functional.cross_entropy), names


@pytest.mark.parametrize("name", WORKLOADS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-10)])
def test_outputs_and_every_gradient_equal_pytorch(torch, name, dtype, tolerance):
    ours = WORKLOADS[name].make(dtype)
    theirs, their_loss, names = in_pytorch(torch, name, ours, dtype)
    x, target = batch_of(name, np.random.default_rng(0), dtype)
    y, z = ours(mg.Constant(x)), theirs(torch.from_numpy(x))
    np.testing.assert_allclose(y.value, z.detach().numpy(), rtol=tolerance, atol=tolerance)
    WORKLOADS[name].loss(y, mg.Constant(target)).backward()
    their_loss(z, torch.from_numpy(target)).backward()
    gradients = {key: parameter.grad.numpy() for key, parameter in theirs.named_parameters()}
    for key, variable in ours.named_parameters():
        expected = gradients[names[key]]
        scale = max(1.0, abs(expected).max())
        np.testing.assert_allclose(variable.grad, expected, rtol=tolerance, atol=tolerance * scale, err_msg=key)


@pytest.mark.thorough
@pytest.mark.parametrize("name", WORKLOADS)
def test_training_steps_agree_to_8_decimals_of_loss(torch, name):
    """300, or 100 of the CNN, in float64: training enlarges differences, and 300 steps of the CNN make 1e-4 of a
    rounding in float32. How far float32 is from float64, tests/test_compiler.py measures."""
    ours, our_loss, lr = WORKLOADS[name].make(np.float64), WORKLOADS[name].loss, WORKLOADS[name].lr
    theirs, their_loss, _ = in_pytorch(torch, name, ours, np.float64)
    rng = np.random.default_rng(1)
    step, our_optimizer, their_optimizer = None, optim.SGD(lr), torch.optim.SGD(theirs.parameters(), lr=lr)
    for _ in range(100 if name == "CNN" else 300):
        x, target = batch_of(name, rng, np.float64)
        step = step or train.Step(ours, our_loss, x, target)
        loss = step.run(x, target)
        our_optimizer.step(ours.parameters())
        expected = their_loss(theirs(torch.from_numpy(x)), torch.from_numpy(target))
        their_optimizer.zero_grad()
        expected.backward()
        their_optimizer.step()
        assert loss == pytest.approx(expected.item(), rel=1e-8, abs=1e-8)
