"""The papers' networks beside PyTorch: the same outputs, gradients and losses from the same weights.

RNN: 4 steps of 196 pixels, 64 hidden units. CNN: two convolutions with pooling, dense 84 and 10. Autoencoder:
784-300-100-784, sigmoid, the error a sum of squares, one picture at a time.
"""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn, optim, train

torch = pytest.importorskip("torch", reason="compares with PyTorch")


class RowReader(nn.Module):
    def __init__(self, dtype):
        self.rnn = nn.RNN(196, 64, batch_first=True, rng=0, dtype=dtype)
        self.dense = nn.Linear(64, 10, rng=1, dtype=dtype)

    def forward(self, x):
        states, _ = self.rnn(x.reshape(x.shape[0], 4, 196))
        return self.dense(states[:, -1])


class TorchRowReader(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.dense = torch.nn.RNN(196, 64, batch_first=True), torch.nn.Linear(64, 10)

    def forward(self, x):
        return self.dense(self.rnn(x.reshape(len(x), 4, 196))[0][:, -1])


class Pictures(nn.Sequential):
    """Rows of 784 as pictures, then the layers."""

    def forward(self, x):
        return super().forward(x.reshape(x.shape[0], 1, 28, 28))


def lenet(dtype):
    return Pictures(
        nn.Conv2d(1, 6, 3, rng=0, dtype=dtype), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 3, rng=1, dtype=dtype), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 84, rng=2, dtype=dtype), nn.ReLU(), nn.Linear(84, 10, rng=3, dtype=dtype),
    )  # fmt: skip


class TorchPictures(torch.nn.Sequential):
    def forward(self, x):
        return super().forward(x.reshape(len(x), 1, 28, 28))


def torch_lenet():
    t = torch.nn
    return TorchPictures(
        t.Conv2d(1, 6, 3), t.ReLU(), t.MaxPool2d(2), t.Conv2d(6, 16, 3), t.ReLU(), t.MaxPool2d(2), t.Flatten(),
        t.Linear(400, 84), t.ReLU(), t.Linear(84, 10),
    )  # fmt: skip


def autoencoder(dtype):
    return nn.Sequential(
        nn.Linear(784, 300, rng=0, dtype=dtype), nn.Sigmoid(), nn.Linear(300, 100, rng=1, dtype=dtype), nn.Sigmoid(),
        nn.Linear(100, 784, bias=False, rng=2, dtype=dtype), nn.Sigmoid(),
    )  # fmt: skip


def torch_autoencoder():
    t = torch.nn
    return t.Sequential(
        t.Linear(784, 300), t.Sigmoid(), t.Linear(300, 100), t.Sigmoid(), t.Linear(100, 784, bias=False), t.Sigmoid()
    )


def squares(output, target):
    return ((output - target) ** 2).sum()


# ours, theirs, our loss, their loss, batch, learning rate, labels or pictures as the target
WORKLOADS = {
    "RNN": (RowReader, TorchRowReader, nn.cross_entropy, torch.nn.functional.cross_entropy, 100, 0.015, "labels"),
    "CNN": (lenet, torch_lenet, nn.cross_entropy, torch.nn.functional.cross_entropy, 100, 0.01, "labels"),
    "autoencoder": (autoencoder, torch_autoencoder, squares, squares, 1, 0.02, "pictures"),
}


def pair_of_models(name, dtype):
    ours, theirs = WORKLOADS[name][0](dtype), WORKLOADS[name][1]().to(getattr(torch, np.dtype(dtype).name))
    theirs.load_state_dict({key: torch.from_numpy(value) for key, value in ours.state_dict().items()})
    return ours, theirs


def batch_of(name, rng, dtype):
    n = WORKLOADS[name][4]
    labels = rng.integers(0, 10, n)
    x = rng.random((n, 784)) * (rng.random((n, 784)) < 0.2)
    for k in range(10):
        x[labels == k, k * 70 : k * 70 + 40] += 0.5
    x = x.astype(dtype)
    return x, labels if WORKLOADS[name][6] == "labels" else x


@pytest.mark.parametrize("name", WORKLOADS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-10)])
def test_outputs_and_every_gradient_equal_pytorch(name, dtype, tolerance):
    ours, theirs = pair_of_models(name, dtype)
    _, _, our_loss, their_loss, *_ = WORKLOADS[name]
    x, target = batch_of(name, np.random.default_rng(0), dtype)
    y, z = ours(mg.Constant(x)), theirs(torch.from_numpy(x))
    np.testing.assert_allclose(y.value, z.detach().numpy(), rtol=tolerance, atol=tolerance)
    our_loss(y, mg.Constant(target)).backward()
    their_loss(z, torch.from_numpy(target)).backward()
    gradients = {key: parameter.grad.numpy() for key, parameter in theirs.named_parameters()}
    for key, variable in ours.named_parameters():
        scale = max(1.0, abs(gradients[key]).max())
        np.testing.assert_allclose(variable.grad, gradients[key], rtol=tolerance, atol=tolerance * scale, err_msg=key)


@pytest.mark.parametrize("name", WORKLOADS)
def test_300_training_steps_agree_to_4_decimals_of_loss(name):
    ours, theirs = pair_of_models(name, np.float32)
    _, _, our_loss, their_loss, _, lr, _ = WORKLOADS[name]
    rng = np.random.default_rng(1)
    step, our_optimizer, their_optimizer = None, optim.SGD(lr), torch.optim.SGD(theirs.parameters(), lr=lr)
    for _ in range(300):
        x, target = batch_of(name, rng, np.float32)
        step = step or train.Step(ours, our_loss, x, target)
        loss = step.run(x, target)
        our_optimizer.step(ours.parameters())
        expected = their_loss(theirs(torch.from_numpy(x)), torch.from_numpy(target))
        their_optimizer.zero_grad()
        expected.backward()
        their_optimizer.step()
        assert loss == pytest.approx(expected.item(), rel=5e-5, abs=5e-5)
