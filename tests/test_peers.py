"""PyTorch in a process of its own: the same run as ours, and figures that mean what they say."""

from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

from minigrad import nn, ops
from minigrad.core import rules
from minigrad.training import optim, train
from minigrad_course import peers
from minigrad_course.peers import torch_process
from tests.made_up_workloads import RowReader, made_up_digits

pytestmark = pytest.mark.thorough

EPOCHS, BATCH, LR = 3, 50, 0.05  # of 330 rows: six batches of 50, and one of 30

# Not importorskip: that would load PyTorch here, which takes longer than a test.
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="compares with PyTorch")
needs_memray = pytest.mark.skipif(find_spec("memray") is None, reason="counts with memray")


def small():
    return RowReader(hidden=16)


def ask_pytorch(weights=None, data=None, **settings):
    settings = {"epochs": EPOCHS, "batch_size": BATCH, "lr": LR, "rng": 1, "count": False, **settings}
    return peers.train_in_pytorch("rnn", weights or small().state_dict(), data or made_up_digits(), **settings)


@pytest.fixture(scope="module")
def ours():
    model = small()
    history = train.fit(model, made_up_digits(), EPOCHS, BATCH, optim.SGD(LR), rng=1, progress=False)
    return SimpleNamespace(history=history, weights=model.state_dict())


@pytest.fixture(scope="module")
def theirs():
    if find_spec("torch") is None:
        pytest.skip("compares with PyTorch")
    return ask_pytorch(count=True)


def test_losses_of_all_batches_agree_to_4_decimals(ours, theirs):
    assert len(theirs.history.losses) == EPOCHS * 7
    assert theirs.history.losses == pytest.approx(ours.history.losses, abs=5e-5)


def test_accuracies_and_weights_are_as_ours(ours, theirs):
    assert theirs.history.accuracies == pytest.approx(ours.history.accuracies, abs=0.021)  # one picture in a batch
    for own, other in zip(ours.history.epochs, theirs.history.epochs, strict=True):
        assert other.epoch == own.epoch
        assert other.train_loss == pytest.approx(own.train_loss, abs=5e-5)
        assert other.train_accuracy == pytest.approx(own.train_accuracy, abs=0.01)
        assert other.test_accuracy == pytest.approx(own.test_accuracy, abs=0.021)
        assert other.seconds > 0
    assert theirs.weights.keys() == ours.weights.keys()
    for name, value in ours.weights.items():
        assert theirs.weights[name] == pytest.approx(value, abs=1e-5), name
        assert not np.array_equal(theirs.weights[name], small().state_dict()[name]), f"{name} was not trained"


@needs_memray
def test_every_epoch_is_counted_in_full(theirs):
    pictures = 330 * (784 * 4 + 8)  # what picking the batches out of the data takes at the very least
    assert len(theirs.allocated_bytes) == len(theirs.allocations) == EPOCHS
    assert min(theirs.allocated_bytes) > pictures
    assert max(theirs.allocated_bytes) < 20 * pictures
    assert min(theirs.allocations) > 7 * 10
    assert "memray" in theirs.method


@needs_torch
def test_what_went_wrong_there_is_told_here():
    weights = small().state_dict()
    with pytest.raises(peers.PeerError, match="there is no network 'nonsense'"):
        peers.take_turns({}, {"a": weights}, "nonsense", made_up_digits(), batch_size=BATCH, lr=LR)
    weights["dense.colour"] = weights["dense.bias"]
    with pytest.raises(peers.PeerError, match=r"PyTorch could not do the run.*dense\.colour"):
        ask_pytorch(weights)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *((lambda s=s: ask_pytorch(**s), "epochs, batch_size and threads are 1 or more")
          for s in ({"epochs": 0}, {"batch_size": 0}, {"threads": 0})),
        (lambda: ask_pytorch(optimizer="magic"), r'"sgd", "adam" or "adamw", got \'magic\''),
        (lambda: peers.train_several_in_pytorch("cnn", [], made_up_digits(), epochs=1, batch_size=BATCH, lr=LR),
         "no weights to start from"),
        (lambda: peers.take_turns({"a": list}, {"a": {}}, "rnn", made_up_digits(), batch_size=BATCH, lr=LR),
         "a name of its own"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


class PaperC(nn.Module):
    """Paper C's layers, on fewer filters."""

    def __init__(self, rng):
        rng = np.random.default_rng(rng)
        self.conv1, self.conv2 = nn.Conv2d(1, 2, 3, rng=rng), nn.Conv2d(2, 3, 3, rng=rng)
        self.dense1, self.dense2 = nn.Linear(75, 12, rng=rng), nn.Linear(12, 10, rng=rng)

    def forward(self, x):
        x = ops.pool.max_pool2d(rules.relu(self.conv1(x.reshape(x.shape[0], 1, 28, 28))), 2)
        x = ops.pool.max_pool2d(rules.relu(self.conv2(x)), 2)
        return self.dense2(rules.relu(self.dense1(x.reshape(x.shape[0], 75))))


@needs_torch
def test_several_runs_are_as_ours():
    data = made_up_digits()
    settings = {"epochs": 2, "batch_size": BATCH, "lr": LR}
    starts = [(PaperC(seed).state_dict(), 10 + seed) for seed in (0, 1)]
    theirs = peers.train_several_in_pytorch("cnn", starts, data, count=False, **settings)
    assert len(theirs) == 2
    for seed, run in enumerate(theirs):
        model = PaperC(seed)
        ours = train.fit(model, data, 2, BATCH, optim.SGD(LR), rng=10 + seed, progress=False)
        assert run.history.losses == pytest.approx(ours.losses, abs=5e-5)
        assert run.weights["conv2.weight"] == pytest.approx(model.state_dict()["conv2.weight"], abs=1e-5)
        assert run.allocated_bytes is None
    assert theirs[0].history.losses != theirs[1].history.losses


class Autoencoder(nn.Module):
    """784-6-784, sigmoid, a bias in the encoder only."""

    def __init__(self):
        self.encoder = nn.Sequential(nn.Linear(784, 6, rng=0), nn.Sigmoid())
        self.decoder = nn.Sequential(nn.Linear(6, 784, bias=False, rng=1), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Sequences(nn.Module):
    """A recurrent layer over 5 steps of 3 numbers, and one number from its last state."""

    def __init__(self, kind):
        self.layer = kind(3, 4, batch_first=True, checkpoint="states", rng=0)
        self.dense = nn.Linear(4, 1, rng=1)

    def forward(self, x):
        return self.dense(self.layer(x)[0][:, -1])


def sum_of_squares(output, y):
    return ((output - y) ** 2).sum()


def sequences():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((40, 5, 3)).astype(np.float32), rng.standard_normal((40, 1)).astype(np.float32)
    return SimpleNamespace(train_x=x, train_y=y, test_x=x, test_y=y)


def first_gradients(model, loss, data, n):
    order = np.random.default_rng(1).permutation(len(data.train_x))[:n]
    train.Step(model, loss, data.train_x[order], data.train_y[order]).run(data.train_x[order], data.train_y[order])
    return {name: variable.grad for name, variable in model.named_parameters()}


def assert_same_gradients(theirs, ours):
    assert theirs.keys() == ours.keys()
    for name, gradient in ours.items():
        np.testing.assert_allclose(theirs[name], gradient, rtol=1e-4, atol=1e-6, err_msg=name)


@needs_torch
def test_an_autoencoder_learns_the_same():
    digits = made_up_digits(60, 10)
    data = SimpleNamespace(train_x=digits.train_x, train_y=digits.train_x, test_x=digits.test_x, test_y=digits.test_x)
    weights = Autoencoder().state_dict()
    run = peers.train_in_pytorch("autoencoder", weights, data, epochs=2, batch_size=1, lr=0.02, rng=1, count=5)
    model = Autoencoder()
    history = train.fit(model, data, 2, 1, optim.SGD(0.02), loss=sum_of_squares, rng=1, progress=False)
    assert run.history.losses == pytest.approx(history.losses, rel=1e-4)
    assert np.isnan(run.history.epochs[0].test_accuracy)
    assert_same_gradients(run.first_gradients, first_gradients(Autoencoder(), sum_of_squares, data, 1))
    if find_spec("memray"):
        assert len(run.allocations) == 1
        assert 5 * 10 < run.allocations[0] < 5 * 500


@needs_torch
def test_rnn_gru_and_lstm_learn_the_same():
    data, kinds = sequences(), (nn.RNN, nn.GRU, nn.LSTM)
    starts = [(Sequences(kind).state_dict(), 1) for kind in kinds]
    settings = {"epochs": 2, "batch_size": 8, "lr": 0.01, "count": False, "optimizer": "adam"}
    for kind, run in zip(kinds, peers.train_several_in_pytorch("sequences", starts, data, **settings), strict=True):
        assert_same_gradients(run.first_gradients, first_gradients(Sequences(kind), nn.mse, data, 8))
        history = train.fit(Sequences(kind), data, 2, 8, optim.Adam(0.01), loss=nn.mse, rng=1, progress=False)
        assert run.history.losses == pytest.approx(history.losses, rel=1e-4)


class GPT(nn.Module):
    """Lesson 16's, with 7 letters, 5 places and two blocks."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.letters, self.places = nn.Embedding(7, 8, rng=rng), nn.Embedding(5, 8, rng=rng)
        self.blocks = [nn.TransformerBlock(8, 4, 12, batch_first=True, rng=rng) for _ in range(2)]
        self.norm, self.scores = nn.LayerNorm(8), nn.Linear(8, 7, bias=False, rng=rng)

    def forward(self, x):
        h = self.letters(x) + self.places.weight[: x.shape[1]]
        for block in self.blocks:
            h = block(h, is_causal=True)
        return self.scores(self.norm(h))


def next_letter(output, y):
    return nn.cross_entropy(output.reshape(-1, 7), y.reshape(-1))


@needs_torch
def test_a_gpt_learns_the_same():
    text = np.random.default_rng(0).integers(0, 7, (24, 6))
    x, y = np.ascontiguousarray(text[:, :-1]), np.ascontiguousarray(text[:, 1:])
    data = SimpleNamespace(train_x=x, train_y=y, test_x=x[:0], test_y=y[:0])
    settings = {"epochs": 3, "batch_size": 8, "lr": 0.01, "count": False, "optimizer": "adamw"}
    run = peers.train_in_pytorch("gpt", GPT().state_dict(), data, rng=1, **settings)
    assert_same_gradients(run.first_gradients, first_gradients(GPT(), next_letter, data, 8))
    history = train.fit(GPT(), data, 3, 8, optim.AdamW(0.01), loss=next_letter, rng=1, progress=False)
    assert run.history.losses == pytest.approx(history.losses, rel=1e-4)
    assert np.isnan(run.history.epochs[0].test_accuracy)


@needs_torch
def test_one_process_is_asked_until_it_ends(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")  # as in a notebook
    (tmp_path / "json.py").write_text("raise SystemExit('the learner has a json.py')")
    torch_process.end()
    with pytest.raises(peers.PeerError, match=r"AttributeError: .*'what'"):
        torch_process.ask(1, "what")
    pool = torch_process._running[1]
    for process in pool._processes.values():
        process.kill()
    with pytest.raises(peers.PeerError, match="its process ended"):
        torch_process.ask(1, "what")
    with pytest.raises(peers.PeerError, match=r"AttributeError: .*'what'"):
        torch_process.ask(2, "what")
    assert list(torch_process._running) == [2]
    assert torch_process._running[2] is not pool
    torch_process.end()
    assert not torch_process._running
