"""Training watched as it goes: what is drawn, how often, at what cost; what is said in words; what is refused."""

import io
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import optim

pytest.importorskip("matplotlib")
from minigrad_course.viz import live_screen
from minigrad_course.viz.live_curve import Curve

rng = np.random.default_rng(0)


class Recorder:
    """A screen that nobody looks at: it has each picture made, counts them, and keeps the last."""

    each_epoch, slow_start = False, False

    def __init__(self):
        self.pictures, self.last, self.ended = 0, b"", False

    def show(self, view, important):
        self.pictures += 1
        view._up_to_date()

    def end(self, view):
        self.ended, self.last = True, view.png()


@pytest.fixture
def screen(monkeypatch):
    """Live views show themselves here."""
    recorder = Recorder()
    monkeypatch.setattr("minigrad_course.viz.live.find_screen", lambda: recorder)
    return recorder


@pytest.fixture
def hurry(monkeypatch):
    """A picture is drawn whenever one could be."""
    monkeypatch.setattr("minigrad_course.viz.live.SECONDS_BETWEEN_PICTURES", 0)
    monkeypatch.setattr("minigrad_course.viz.live.DRAWING_SHARE", 1)


def some_digits(n=200):
    x = rng.random((n, 16)).astype(np.float32)
    y = x[:, :3].argmax(axis=1)
    return SimpleNamespace(train_x=x[:-50], train_y=y[:-50], test_x=x[-50:], test_y=y[-50:])


def classifier():
    return nn.Sequential(nn.Linear(16, 8, rng=0), nn.Tanh(), nn.Linear(8, 3, rng=1))


class Reader(nn.Module):
    """Reads 16 pixels in 8 steps."""

    def __init__(self, cell=nn.RNN, **options):
        self.memory = cell(2, 5, batch_first=True, rng=0, **options)
        self.dense = nn.Linear(5, 3, rng=1)

    def forward(self, x):
        states, _ = self.memory(x.reshape(x.shape[0], 8, 2))
        return self.dense(states[:, -1])


def pixels(png):
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


# A long row of numbers in little memory.


def test_a_curve_keeps_every_number():
    numbers = rng.random(1000)
    curve = Curve(numbers[:10], points=10)
    assert curve.span == 1
    assert curve.x.tolist() == list(range(1, 11))
    assert np.allclose(curve.mean, numbers[:10])
    curve = Curve(numbers, points=16)
    assert len(curve) <= 16
    assert curve.span == 64
    parts = [numbers[k : k + 64] for k in range(0, 1000, 64)]
    assert np.allclose(curve.mean, [part.mean() for part in parts])
    assert curve.low.tolist() == [part.min() for part in parts]
    assert curve.high.tolist() == [part.max() for part in parts]
    assert (curve.x[0], curve.x[-1]) == (32.5, (961 + 1000) / 2)


# While it trains.


def test_fit_shows_how_it_stands(screen, hurry):
    view = mg.viz.Live()
    for _ in range(2):
        screen.pictures, screen.ended = 0, False
        history = mg.fit(classifier(), some_digits(), 3, 50, optim.SGD(0.5), rng=0, live=view)
        assert screen.pictures >= 9
        assert screen.ended
        assert view.steps == view.losses.count == len(history.losses) == 9
        assert [steps for steps, _ in view.tested] == [3, 6, 9]
        assert [accuracy for _, accuracy in view.tested] == [e.test_accuracy for e in history.epochs]


def test_watching_changes_nothing_that_is_learned(screen, hurry):
    data, losses = some_digits(), []
    for watched in (False, True):
        model = Reader()
        panels = [mg.viz.GradientNorms(model, data.test_x, data.test_y), mg.viz.Weights(model.dense)]
        view = mg.viz.Live(*panels) if watched else False
        losses.append(mg.fit(model, data, 3, 20, optim.SGD(0.5), rng=0, progress=False, live=view).losses)
    assert losses[0] == losses[1]


def test_drawing_is_not_counted_as_training(screen, hurry, clock):
    def draw(view, important):
        screen.pictures += 1
        clock.now += 2

    def loss(output, target):  # called when a graph is built: once, as batches have one size
        clock.now += 3
        return nn.cross_entropy(output, target)

    screen.show = draw
    view = mg.viz.Live()
    history = mg.fit(classifier(), some_digits(), 1, 50, optim.SGD(0.1), loss=loss, rng=0, live=view)
    assert screen.pictures >= 3
    assert view.seconds == 2 * screen.pictures
    assert history.epochs[0].seconds == 3


def test_a_picture_is_drawn_five_times_a_second(screen, clock):
    view = mg.viz.Live()
    view.start(None)
    for step in range(1, 1001):
        clock.now += 0.001
        view(step, 1.0)
    view.end()
    assert screen.pictures == 1 + 5  # the first, and five


def test_a_custom_loop_is_watched_by_calls(screen, hurry):
    """Losses that are no numbers are drawn as well."""
    view = mg.viz.Live()
    for step in range(1, 6):
        view(step, 3.0 / step)
    view.end()
    assert screen.ended
    assert "Loss over 5 batches: the first 3, the last 1 at 0.6 on average." in view.sentence()
    for loss in (np.nan, np.inf, 2.0):
        view.losses.append(loss)
    assert view.png()
    assert "Loss over 8 batches" in view.sentence()


def test_stopping_is_said_below_the_picture(screen):
    def stop(step, loss):
        if step == 2:
            raise KeyboardInterrupt

    view = mg.viz.Live()
    mg.fit(classifier(), some_digits(), 2, 50, optim.SGD(0.1), rng=0, live=view, on_batch=stop)
    assert screen.ended
    assert "Stopped in epoch 1" in view.sentence()


# Where it is shown.


def test_outside_notebooks_each_epoch_prints_a_line(capsys):
    mg.fit(classifier(), some_digits(), 2, 50, optim.SGD(0.1), rng=0, live=True)
    lines = capsys.readouterr().out.splitlines()
    assert "batch 4 of 6" in lines[0]
    assert "epoch 1: test accuracy" in lines[0]
    assert lines[-2].startswith("batch 6 of 6")
    assert lines[-1].startswith("Loss over 6 batches: the first ")


@pytest.fixture
def notebook(monkeypatch):
    """Everything that is displayed, as if a notebook were there."""
    pytest.importorskip("IPython")
    shown = []

    class Handle:
        def update(self, data, metadata=None, raw=False):
            shown[0] = (data, metadata)

    def display(data, metadata=None, raw=False, display_id=None):
        shown.append((data if raw else data._repr_markdown_(), metadata))
        return Handle()

    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr("IPython.display.display", display)
    return shown


def test_in_a_notebook_a_picture_replaces_the_widget(notebook):
    anywidget = pytest.importorskip("anywidget")
    from ipywidgets.widgets.widget import _instances

    before = len(_instances)
    view = mg.viz.Live()
    view.start(None, 2)
    assert live_screen.WIDGET in notebook[0][0]
    assert "image/png" in notebook[0][0], "for pages without widgets"
    view(1, 2.0)
    view(2, 1.0)
    view.end()
    (data, about), (words, _) = notebook
    assert set(data) == {"image/png", "text/plain"}
    assert about["image/png"]["alt"] == data["text/plain"] == view.sentence()
    assert words["text/markdown"] == f"*{view.sentence()}*"
    assert len(_instances) == before, "no widget is left behind"
    assert anywidget


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mg.viz.Live(nn.Linear(2, 3)), "a panel is such as mg.viz.Weights"),
        (lambda: mg.viz.Live(beside={"theirs": 3.0}), "a History or a row of losses"),
        (lambda: mg.viz.Live(beside={str(k): [1.0] for k in range(4)}), "at most 3"),
        (lambda: mg.viz.Weights(classifier()), "give one of its layers"),
        (lambda: mg.viz.Weights(np.zeros((4, 6)), shape=(2, 2)), "no images of shape"),
        (lambda: mg.viz.Weights("w"), "a layer, a Variable or an array"),
        (lambda: mg.viz.GradientNorms(classifier(), np.zeros((1, 16)), np.zeros(1, int)), "no RNN, GRU or LSTM"),
        (lambda: mg.viz.Reconstructions(classifier(), np.zeros((2, 15))), "of a square"),
        (lambda: mg.viz.Reconstructions(classifier(), np.zeros((2, 16), np.float32)).outputs(), "shape of its input"),
        (lambda: mg.viz.HeatStrips({"a": [1.0], "b": [1.0, 2.0]}), "of one length"),
        (lambda: mg.viz.spectral_radius(np.zeros((2, 3))), "square matrix"),
        (lambda: mg.viz.spectral_radius(nn.GRU(2, 3)), "3 matrices"),
        (lambda: mg.fit(classifier(), some_digits(), 1, 9, optim.SGD(0.1), live=3), "live is True, False or"),
    ],
)
def test_what_cannot_be_shown_is_refused(make, words):
    with pytest.raises((ValueError, TypeError), match=words):
        make()


# Weights and activations.


def test_weights_are_those_of_the_moment():
    layer = nn.Linear(16, 6, rng=0)
    panel = mg.viz.Weights(layer, name="first layer")
    layer.weight.value = np.full((6, 16), -0.5, np.float32)
    assert panel.sentence() == ("First layer as 6 images of 4 by 4, from -0.5 (blue) over 0 (white) to -0.5 (orange).")
    view = mg.viz.Live(panel)
    before = pixels(view.png())
    layer.weight.value = np.full((6, 16), 0.5, np.float32)
    assert not np.array_equal(before, pixels(view.png()))


def test_feature_maps_are_shown_for_one_picture():
    part = nn.Sequential(nn.Conv2d(1, 4, 3, rng=0), nn.ReLU(), nn.Dropout(0.5, rng=0))
    panel = mg.viz.Activations(part, np.ones((3, 1, 8, 8), np.float32))
    assert panel.numbers().shape == (4, 6, 6)
    assert np.array_equal(panel.numbers(), panel.numbers()), "no dropout where we only look"
    assert part.training
    assert part[2].training


# How far the gradient travels.


@pytest.mark.parametrize("cell", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize("checkpoint", [None, "states"])
def test_gradient_norms_are_those_of_the_states(cell, checkpoint, monkeypatch):
    monkeypatch.setattr(cell, "written_out", 3)  # of 8 steps: left to itself the layer is a loop
    data = some_digits()
    model = Reader(cell, checkpoint=checkpoint)
    norms = mg.viz.gradient_norms(model, data.test_x, data.test_y)
    assert norms.shape == (8,)
    assert model.memory.checkpoint == checkpoint

    # The last state by finite differences: it alone goes into the dense layer.
    states, _ = model.memory(mg.Constant(data.test_x.reshape(-1, 8, 2)))
    last = mg.Variable(states.value[:, -1].astype(np.float64))
    nn.cross_entropy(model.dense(last), data.test_y).backward()
    assert norms[-1] == pytest.approx(np.linalg.norm(last.grad), rel=1e-5)


def test_the_norm_falls_by_the_radius_each_step():
    model = Reader(nonlinearity="relu")
    model.memory.weight_hh_l0.value = 0.5 * np.eye(5)
    model.memory.bias_ih_l0.value = np.full(5, 10.0)  # far on the slope 1
    model.dense.reader, model.memory = model, vars(model).pop("memory")  # a child that knows its parent comes first
    data = some_digits()
    norms = mg.viz.gradient_norms(model, data.test_x, data.test_y)
    assert np.allclose(norms[1:] / norms[:-1], 2, rtol=1e-4)
    assert mg.viz.spectral_radius(model.memory) == 0.5
