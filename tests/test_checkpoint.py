"""A training on disk: killed and continued, it ends with the same bits as one that nothing happened to."""

import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import checkpoint, optim
from minigrad.training.checkpoint import CheckpointError


class Network(nn.Module):
    """Two layers, and dropout, which draws random numbers of its own."""

    def __init__(self, rng=0, hidden=6, p=0.0, dtype=np.float32):
        rng = np.random.default_rng(rng)
        self.first, self.second = (nn.Linear(*sizes, rng=rng, dtype=dtype) for sizes in ((8, hidden), (hidden, 3)))
        self.dropout = nn.Dropout(p, rng=7) if p else nn.Flatten()

    def forward(self, x):
        return self.second(self.dropout(mg.tanh(self.first(x))))


def data(n=110):
    """90 rows to train on: with batches of 20 the last has 10."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, 8)).astype(np.float32)
    y = x[:, :3].argmax(axis=1)
    return SimpleNamespace(train_x=x[:90], train_y=y[:90], test_x=x[90:], test_y=y[90:])


class RandomLoss(nn.Module):
    """A loss with Dropout of its own."""

    def __init__(self):
        self.dropout = nn.Dropout(0.4, rng=4)

    def forward(self, output, y):
        return nn.cross_entropy(self.dropout(output), y)


TRAININGS = {
    "plain": lambda: {"optimizer": optim.SGD(0.1)},
    "momentum": lambda: {"optimizer": optim.SGD(0.1, momentum=0.9)},
    "adam, cosine": lambda: {"optimizer": optim.Adam(optim.cosine(0.01, 20))},
    "compiled": lambda: {"compiled": True},
    "dropout": lambda: {"model": Network(p=0.4)},
    "random numbers of the loss": lambda: {"loss": RandomLoss()},
    "random numbers of a compiled loss": lambda: {"loss": RandomLoss(), "compiled": True},
}


def train(path, epochs=4, model=None, optimizer=None, rows=None, batch_size=20, rng=5, **options):
    model = model or Network()
    history = mg.fit(
        model, rows or data(), epochs, batch_size, optimizer or optim.Adam(0.01), rng=rng, progress=False,
        checkpoint=path, **options,
    )  # fmt: skip
    return model, history


def assert_same_bits(one, other):
    (model, history), (model_2, history_2) = one, other
    for name, value in model.state_dict().items():
        assert np.array_equal(value, model_2.state_dict()[name]), name
    assert history.losses == history_2.losses
    assert history.accuracies == history_2.accuracies
    for ours, other_row in zip(history.epochs, history_2.epochs, strict=True):
        assert {**vars(ours), "seconds": 0} == {**vars(other_row), "seconds": 0}


def interrupt_at(batch, error=KeyboardInterrupt):
    def on_batch(k, loss):
        if k == batch:
            raise error

    return on_batch


@pytest.mark.parametrize("kind", TRAININGS)
def test_interrupted_and_continued_is_bit_equal_to_uninterrupted(tmp_path, kind):
    whole = train(None, **TRAININGS[kind]())
    _, stopped = train(tmp_path / "run", **TRAININGS[kind](), on_batch=interrupt_at(12))
    assert "Stopped in epoch 3" in stopped.stopped
    assert_same_bits(train(tmp_path / "run", **TRAININGS[kind]()), whole)
    assert [path.name for path in tmp_path.iterdir()] == ["run"], "nothing else is left"


@pytest.mark.parametrize("source", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_a_custom_generator_continues_where_it_was(tmp_path, source):
    ours, interrupted, again = (np.random.Generator(source(3)) for _ in range(3))
    whole = train(None, rng=ours)
    train(tmp_path / "run", rng=interrupted, on_batch=interrupt_at(12))
    assert_same_bits(train(tmp_path / "run", rng=again), whole)
    assert again.random() == ours.random()


def test_a_model_that_went_on_is_brought_back(tmp_path):
    """The same objects in the same notebook: the cell is run once more after the stop button."""
    whole, model, optimizer = train(None), Network(), optim.Adam(0.01)
    train(tmp_path / "run", model=model, optimizer=optimizer, on_batch=interrupt_at(13))
    assert_same_bits(train(tmp_path / "run", model=model, optimizer=optimizer), whole)


def test_more_epochs_go_on_where_it_ended(tmp_path):
    """Batches are counted on."""
    train(tmp_path / "run", epochs=2)
    seen = []
    continued = train(tmp_path / "run", epochs=4, on_batch=lambda k, loss: seen.append(k))
    assert_same_bits(continued, train(None, epochs=4))
    assert seen == list(range(11, 21))


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from test_checkpoint import train

def die(k, loss):
    if k == 13:
        os.kill(os.getpid(), signal.{by})

train({path!r}, on_batch=die)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills a process as Linux and macOS do")
@pytest.mark.parametrize("by", ["SIGKILL", pytest.param("SIGTERM", marks=pytest.mark.slow)])
def test_a_killed_kernel_goes_on_in_the_next(tmp_path, by):
    path = tmp_path / "a run, with spaces"
    code = KILLED.format(tests=os.path.dirname(__file__), path=str(path), by=by)
    assert subprocess.run([sys.executable, "-c", code]).returncode == -getattr(signal, by)
    assert path.exists()
    assert_same_bits(train(path), train(None))


def test_a_kill_while_writing_leaves_the_epoch_before(tmp_path, monkeypatch):
    train(tmp_path / "run", epochs=1)
    before = (tmp_path / "run").read_bytes()

    def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint.os, "replace", die)
    _, history = train(tmp_path / "run")
    assert history.stopped
    assert (tmp_path / "run").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"], "no half file beside it"


def test_a_full_disk_is_a_warning_while_training(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    train(tmp_path / "run", epochs=1)
    before = (tmp_path / "run").read_bytes()
    monkeypatch.setattr(checkpoint.np, "savez", full)
    with pytest.warns(RuntimeWarning, match=r"run was not written after epoch 2 .*No space left.*Training goes on"):
        result = train(tmp_path / "run", epochs=2)
    assert_same_bits(result, train(None, epochs=2))
    assert (tmp_path / "run").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_no_folder_is_said_before_any_training(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        train(tmp_path / "nowhere" / "run", on_batch=interrupt_at(1, AssertionError("trained")))


class Fewer(optim.Optimizer):
    """Called Adam, as that in the file, and keeping one array where that keeps two."""

    arrays = 1

    def equations(self, value, grad, rates, kept):
        return value - rates[0] * grad, {}


Fewer.__name__ = "Adam"


OTHERS = {
    "batch_size is 30 here and 20 in the file": {"batch_size": 30},
    "rng is 6 here and 5 in the file": {"rng": np.int64(6)},
    "optimizer is 'SGD' here and 'Adam' in the file": {"optimizer": optim.SGD(0.1)},
    r"parameter first.weight is \[9, 8\] here and \[6, 8\] in the file": {"model": Network(hidden=9)},
    r"random generators is \['PCG64', 'PCG64'\] here and \['PCG64'\] in the file": {"model": Network(p=0.5)},
    "data is '.*' here and '.*' in the file": {"rows": data(111)},
    "it has 2 epochs, and 1 are asked for": {"epochs": 1},
    r"parameter first.weight is \[6, 8, 'float64'\] here and \[6, 8\] in": {"model": Network(dtype=np.float64)},
    r"kept 1.first.weight is 'not there' here and \[6, 8\] in the file": {"optimizer": Fewer(0.01)},
}


@pytest.mark.parametrize("words", OTHERS)
def test_the_file_of_another_training_is_not_continued(tmp_path, words):
    train(tmp_path / "run", epochs=2)
    if words.startswith("data"):
        OTHERS[words]["rows"].train_x[0, 0] += 1
    with pytest.raises(CheckpointError, match=f"belongs to another training: {words}.*Delete it"):
        train(tmp_path / "run", **OTHERS[words])
