"""Training: the same again from the same seed, safe to stop, and written down. (Beside PyTorch: test_workloads.py.)"""

from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import optim, train
from tests.made_up_workloads import RowReader, made_up_digits


def test_training_learns_and_the_history_tells():
    data = made_up_digits(1000, 200)
    history = train.fit(RowReader(), data, epochs=3, batch_size=100, optimizer=optim.SGD(0.1), rng=0, progress=False)
    assert [e.epoch for e in history.epochs] == [1, 2, 3]
    assert len(history.losses) == len(history.accuracies) == 24
    assert history.epochs[-1].test_accuracy > 0.9
    assert history.epochs[-1].train_loss == pytest.approx(np.mean(history.losses[-8:]))
    assert "test accuracy" in repr(history)
    assert history._repr_html_().count("<tr>") == 4


class Column(nn.Linear):
    """One number for each row, along one axis."""

    def forward(self, x):
        return super().forward(x)[:, 0]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("model", "labels"),
    [(Column(8, 1, rng=0), np.float32), (Column(8, 1, rng=0), np.int64), (nn.Linear(8, 1, rng=0), np.float32),
     (nn.Linear(8, 3, rng=0), np.float32), (nn.Linear(8, 3, rng=0), bool)],
)  # fmt: skip
def test_numbers_that_are_no_classes_have_no_accuracy(model, labels, compiled):
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((30, 8)).astype(np.float32), rng.integers(0, 2, 30).astype(labels)
    data = SimpleNamespace(train_x=x[:20], train_y=y[:20], test_x=x[20:], test_y=y[20:])

    def loss(output, y):
        return ((output.sum() - y.sum()) ** 2).mean() * 1e-3

    history = train.fit(model, data, 1, 8, optim.SGD(0.01), loss=loss, rng=0, progress=False, compiled=compiled)
    assert np.isnan(history.accuracies).all()
    assert np.isnan([history.epochs[0].train_accuracy, history.epochs[0].test_accuracy]).all()
    assert "nan" not in repr(history)


class Prior(nn.Module):
    """The same output for each row: a parameter."""

    def __init__(self):
        self.b = mg.Variable(np.array([0.1, 0.1001, 0.1002]))

    def forward(self, x):
        return mg.broadcast_to(self.b, (x.shape[0], 3))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_batchs_accuracy_precedes_its_update(compiled):
    x, y = np.zeros((6, 2)), np.array([0, 0, 0, 0, 1, 2])
    data = SimpleNamespace(train_x=x, train_y=y, test_x=x, test_y=y)
    history = train.fit(Prior(), data, 2, 6, optim.SGD(1.0), rng=0, progress=False, compiled=compiled)
    assert history.accuracies == [1 / 6, 4 / 6]
    history = train.fit(Prior(), data, 1, 4, optim.SGD(1e-9), rng=1, progress=False, compiled=compiled)
    assert history.accuracies == [0, 1 / 2], "of four rows, and of the two that are left"


@pytest.mark.parametrize("options", [{}, {"compiled": True}, {"compiled": True, "shards": 2}], ids=str)
def test_on_batch_is_called_after_each_update(options):
    """Its changes take effect from the next batch on, and training stops where it stops; the last batch is smaller."""
    data, optimizer, seen = made_up_digits(407, 200), optim.SGD(0.1), []

    def on_batch(k, loss):
        seen.append(optimizer.steps)
        optimizer.lr = 0.1 / (1 + k)
        if k == 15:
            raise KeyboardInterrupt

    def trained(**options):
        optimizer.lr, optimizer.steps = 0.1, 0
        model = nn.Linear(784, 10, rng=0)
        return train.fit(model, data, 2, 20, optimizer, rng=0, progress=False, on_batch=on_batch, **options)

    expected, history = trained(), trained(**options)
    np.testing.assert_allclose(history.losses, expected.losses, rtol=1e-4)
    np.testing.assert_array_equal(history.accuracies, expected.accuracies)
    assert seen == 2 * list(range(1, 16))


def test_clipping_is_applied_before_each_step():
    model, data = RowReader(), made_up_digits(300, 200)
    largest = []

    def clip(parameters):
        optim.clip_by_value(parameters, 1e-3)
        largest.append(max(abs(p.grad).max() for p in parameters))

    train.fit(model, data, 1, 100, optim.SGD(0.1), rng=0, progress=False, clip=clip)
    assert largest
    assert max(largest) <= np.float32(1e-3)


def test_a_batchs_gradients_replace_the_last_ones():
    data, model = made_up_digits(300, 200), RowReader()
    step = train.Step(model, nn.cross_entropy, data.train_x[:20], data.train_y[:20])
    gradients = []
    for _ in range(2):
        step.run(data.train_x[:20], data.train_y[:20])
        gradients.append(model.dense.weight.grad.copy())
    np.testing.assert_array_equal(*gradients)


@pytest.mark.parametrize("training", [True, False])
def test_predicting_leaves_a_model_as_it_was(training):
    model = nn.Sequential(nn.Linear(3, 2, rng=0), nn.Dropout(0.5, rng=0)).train(training)
    assert np.array_equal(train.predict(model, np.ones((4, 3))), train.predict(model, np.ones((4, 3))))
    assert [model.training, model[1].training] == [training, training]
