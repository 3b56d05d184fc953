"""Training watched as it goes: what is drawn, how often, at what cost; what is said in words; what is refused."""

import gc
import io
import itertools
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import optim
from minigrad.training.train import History

pytest.importorskip("matplotlib")
from minigrad_course.viz import live_screen, plots
from minigrad_course.viz.live_curve import Curve
from minigrad_course.viz.pictures_of_digits import confusion, confusion_matrix, digits
from minigrad_course.viz.pictures_of_weights import as_images, tiles

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


@pytest.fixture
def patience(monkeypatch):
    """No picture is drawn because of the time."""
    monkeypatch.setattr("minigrad_course.viz.live.SECONDS_BETWEEN_PICTURES", 1e9)


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


def test_a_curve_keeps_every_number_while_there_is_room_and_then_joins_neighbours_by_mean_and_extremes():
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


def test_a_running_mean_weighs_each_number_alike():
    numbers = rng.random(90)
    curve = Curve(numbers, points=16)  # points of 8, the last of 2
    assert curve.smooth(3)[5] == pytest.approx(numbers[32:56].mean())
    assert curve.smooth(3)[0] == pytest.approx(numbers[:8].mean())
    assert curve.recent(2) == (pytest.approx(numbers[80:].mean()), 10)


# While it trains.


def test_fit_shows_how_it_stands_and_leaves_a_last_picture_and_a_second_training_begins_anew(screen, hurry):
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


@pytest.mark.thorough
def test_ten_thousand_updates_neither_grow_nor_flicker(screen, patience):
    import matplotlib.pyplot as plt

    figures, shapes, things = len(plt.get_fignums()), set(), {}
    screen.show = lambda view, important: shapes.add(pixels(view.png()).shape)
    view = mg.viz.Live(mg.viz.Weights(classifier()[0]))
    view.start(None)
    for step in range(1, 10_001):
        if step % 500 == 0:
            view._next_picture = 0  # now
        view(step, 1 / step)
        if step in (2_000, 10_000):
            gc.collect()
            things[step] = len(gc.get_objects())
    view.end()
    assert view.steps == view.losses.count == 10_000
    assert things[10_000] - things[2_000] < 200, "objects that 8,000 updates and 16 pictures left behind"
    assert len(view.losses) <= 512
    assert len(plt.get_fignums()) == figures
    assert len(shapes) == 1, "all pictures have one size"


def test_a_picture_is_drawn_at_most_five_times_a_second(screen, clock):
    view = mg.viz.Live()
    view.start(None)
    for step in range(1, 1001):
        clock.now += 0.001
        view(step, 1.0)
    view.end()
    assert screen.pictures == 1 + 5  # the first, and five


def test_drawing_takes_a_tenth_of_the_time(screen, clock):
    def draw(view, important):
        screen.pictures += 1
        clock.now += 0.1

    screen.show = draw
    view = mg.viz.Live()
    view.start(None)
    began, step = clock.now, 0
    while clock.now - began < 10:
        step += 1
        clock.now += 0.001
        view(step, 1.0)
    view.end()
    assert view.seconds == pytest.approx(0.1 * screen.pictures)
    assert 0.09 < 0.1 * (screen.pictures - 1) / 10 <= 0.11


def test_a_loop_of_ones_own_is_watched_by_a_call_for_each_step(screen, hurry):
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


def test_away_from_notebooks_there_is_a_line_for_each_epoch(capsys):
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


def test_in_a_notebook_the_widget_makes_way_for_a_picture_with_its_words(notebook):
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


def test_without_widgets_the_output_itself_is_replaced(notebook, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    view = mg.viz.Live()
    view.start(None)
    view(1, 2.0)
    assert len(notebook) == 1
    view.end()
    assert len(notebook) == 2


def test_without_matplotlib_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        mg.fit(classifier(), some_digits(), 1, 50, optim.SGD(0.1), live=True)


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
        (lambda: mg.viz.Reconstructions(classifier(), np.zeros((2, 15))), "no square"),
        (lambda: mg.viz.Reconstructions(classifier(), np.zeros((2, 16), np.float32)).outputs(), "shape of its input"),
        (lambda: mg.viz.HeatStrips({"a": [1.0], "b": [1.0, 2.0]}), "of one length"),
        (lambda: mg.viz.spectral_radius(np.zeros((2, 3))), "square matrix"),
        (lambda: mg.viz.spectral_radius(nn.GRU(2, 3)), "3 matrices"),
        (lambda: mg.fit(classifier(), some_digits(), 1, 9, optim.SGD(0.1), live=3), "live is True, False or"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(make, words):
    with pytest.raises((ValueError, TypeError), match=words):
        make()


# Curves of other runs beside ours.


def test_another_run_lies_beside_ours_by_name_with_losses_and_accuracies(screen):
    theirs = History(losses=[2.0, 1.0, 0.5], accuracies=[0.2, 0.5, 0.9])
    view, alone = mg.viz.Live(beside={"PyTorch": theirs, "a list": [2.0, 1.5]}), mg.viz.Live()
    for each in (view, alone):
        each.start(History(losses=[2.0, 1.1, 0.4]))
    figure = view._up_to_date()
    texts = [text.get_text() for axes in figure.subfigs[0].axes for text in axes.texts]
    assert "PyTorch (wide)" in texts
    assert "a list (wide)" in texts
    assert not np.array_equal(pixels(view.png()), pixels(alone.png()))


# Weights and activations.


def test_rows_become_square_images_and_filters_stay_what_they_are():
    assert as_images(np.zeros((5, 16))).shape == (5, 4, 4)
    assert as_images(np.zeros((5, 12)), (3, 4)).shape == (5, 3, 4)
    assert as_images(np.zeros((5, 12))).shape == (1, 5, 12)
    assert as_images(np.zeros((6, 2, 3, 3))).shape == (12, 3, 3)
    assert as_images(np.zeros(9)).shape == (1, 3, 3)


def test_tiles_lie_in_rows_as_full_as_can_be_with_a_gap_between():
    sheet = tiles(np.arange(3.0)[:, None, None] * np.ones((1, 2, 2)), columns=2)
    assert sheet.shape == (5, 5)
    assert (sheet[0, 0], sheet[0, 3], sheet[3, 0]) == (0, 1, 2)
    assert np.isnan(sheet[2]).all()
    assert np.isnan(sheet[3:, 3:]).all()
    assert tiles(np.zeros((6, 5, 5)), gap=1).shape == (5, 6 * 6 - 1)
    assert tiles(np.zeros((32, 5, 5)), gap=1).shape == (3 * 6 - 1, 11 * 6 - 1)


def test_filters_over_channels_have_a_column_for_each_output():
    layer = nn.Conv2d(2, 5, 3, rng=0)
    panel = mg.viz.Weights(layer, count=4)
    images, n = panel.images()
    assert (len(images), n, panel.columns()) == (8, 10, 4)
    assert np.array_equal(images[1], layer.weight.value[1, 0])  # the second output's, over the first channel
    assert np.array_equal(images[4], layer.weight.value[0, 1])


def test_zero_is_white_and_signs_have_colours_that_all_can_tell_apart():
    scale = plots.signed()
    assert scale(0.5)[:3] == pytest.approx((1, 1, 1), abs=0.01)
    below, above = np.array(scale(0.25)), np.array(scale(0.75))
    assert below[2] > below[0]  # blue
    assert above[0] > above[2]  # orange
    assert plots.signed_limits(np.array([-3.0, 1.0, np.nan])) == 3
    assert plots.signed_limits(np.zeros(2)) == 1


def test_weights_are_those_of_the_moment():
    layer = nn.Linear(16, 6, rng=0)
    panel = mg.viz.Weights(layer, name="first layer")
    layer.weight.value = np.full((6, 16), -0.5, np.float32)
    assert panel.sentence() == ("First layer as 6 images of 4 by 4, from -0.5 (blue) over 0 (white) to -0.5 (orange).")
    view = mg.viz.Live(panel)
    before = pixels(view.png())
    layer.weight.value = np.full((6, 16), 0.5, np.float32)
    assert not np.array_equal(before, pixels(view.png()))


def test_feature_maps_are_shown_for_one_picture_and_training_mode_is_kept():
    part = nn.Sequential(nn.Conv2d(1, 4, 3, rng=0), nn.ReLU(), nn.Dropout(0.5, rng=0))
    panel = mg.viz.Activations(part, np.ones((3, 1, 8, 8), np.float32))
    assert panel.numbers().shape == (4, 6, 6)
    assert np.array_equal(panel.numbers(), panel.numbers()), "no dropout where we only look"
    assert part.training
    assert part[2].training


# How far the gradient travels.


@pytest.mark.parametrize("cell", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize("checkpoint", [None, "states"])
def test_gradient_norms_are_those_of_the_adjoints_of_the_states(cell, checkpoint):
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


def test_without_slopes_the_norm_falls_by_the_radius_at_each_step():
    model = Reader(nonlinearity="relu")
    model.memory.weight_hh_l0.value = 0.5 * np.eye(5)
    model.memory.bias_ih_l0.value = np.full(5, 10.0)  # far on the slope 1
    model.dense.reader, model.memory = model, vars(model).pop("memory")  # a child that knows its parent comes first
    data = some_digits()
    norms = mg.viz.gradient_norms(model, data.test_x, data.test_y)
    assert np.allclose(norms[1:] / norms[:-1], 2, rtol=1e-4)
    assert mg.viz.spectral_radius(model.memory) == 0.5


def test_the_strip_is_measured_evenly_over_the_training(screen):
    model, data = Reader(), some_digits()
    strip = mg.viz.GradientNorms(model, data.test_x, data.test_y, samples=5)
    mg.fit(model, data, 2, 5, optim.SGD(0.5), rng=0, live=mg.viz.Live(strip))
    steps = [step for step, _, _ in strip.rows]
    assert steps == [0, 12, 24, 36, 48, 60]
    assert not np.array_equal(strip.rows[0][1], strip.rows[-1][1])
    assert "At the first of 8 time steps" in strip.sentence()
    assert f"to {mg.viz.spectral_radius(model.memory):.2f}" in strip.sentence()


def test_a_strip_counts_whole_steps_and_says_its_numbers_in_words():
    """A gradient that vanished altogether, or grew beyond all numbers, has a colour and a word, too."""
    strips = mg.viz.HeatStrips({"radius 1.25": [1.9e-7, 0.1, 0.5, 1.0], "radius 0.9": [0.2, 0.3, 0.5, 1.0]})
    assert strips.sentence() == (
        "The gradient at the first of 4 steps, compared with that at the last: "
        "1.9 × 10⁻⁷ times as large with radius 1.25, 0.2 times as large with radius 0.9."
    )
    figure = plots.sheet(6, 2)
    strips.start(figure)
    ticks = figure.axes[0].get_xticks()
    assert len(ticks) > 2
    assert all(tick == round(tick) for tick in ticks)
    panel = mg.viz.HeatStrips({"gone": [0.0, 1.0], "lost": [np.nan, 1.0], "grown": [np.inf, 1.0]})
    assert "0 times as large with gone" in panel.sentence()
    figure = plots.sheet(8, panel.height)
    panel.start(figure)
    assert plots.png(figure)


# Autoencoders.


def test_an_autoencoder_is_trained_by_fit_and_its_reconstructions_are_shown(screen):
    data = some_digits()
    pictures = SimpleNamespace(train_x=data.train_x, train_y=data.train_x, test_x=data.test_x, test_y=data.test_x)
    model = nn.Sequential(nn.Linear(16, 8, rng=0), nn.Sigmoid(), nn.Linear(8, 16, rng=1))
    panel = mg.viz.Reconstructions(model, data.test_x[:4])
    before = np.square(panel.outputs() - data.test_x[:4]).sum()
    history = mg.fit(model, pictures, 5, 10, optim.SGD(0.5), loss=nn.mse, rng=0, live=mg.viz.Live(panel))
    after = np.square(panel.outputs() - data.test_x[:4]).sum()
    assert after < before
    assert f"{after / 4:.1f} on average" in panel.sentence()
    assert np.isnan(history.epochs[-1].test_accuracy)
    assert history.cells()[-1][2:4] == ("–", "–"), "there is nothing to be accurate about"


# Still pictures.


def test_each_picture_can_be_shown_on_its_own_with_its_sentence(notebook):
    model = nn.Sequential(nn.Linear(16, 16, rng=0))
    mg.viz.Weights(model[0]).show()
    mg.viz.Activations(model, np.ones((1, 16), np.float32)).show()
    mg.viz.Reconstructions(model, np.ones((3, 16), np.float32)).show()
    mg.viz.HeatStrips({"radius 0.9": [0.1, 1.0]}).show()
    pictures, words = notebook[::2], notebook[1::2]
    assert len(pictures) == len(words) == 4
    for (data, about), (text, _) in zip(pictures, words, strict=True):
        assert pixels(data["image/png"]).shape[1] > 1000
        assert text["text/markdown"] == "*" + about["image/png"]["alt"] + "*"


# Pictures with words below them.


def test_the_confusion_matrix_counts_pairs_and_confusions_are_said_in_words(capsys):
    pairs = [0, 1, 1, 2, 2, 2], [0, 1, 2, 2, 1, 1]
    assert confusion_matrix(*pairs)[:3, :3].tolist() == [[1, 0, 0], [0, 1, 1], [0, 2, 1]]
    confusion(*pairs)
    printed = capsys.readouterr().out
    assert "3 of 6 were wrong" in printed
    assert "2 taken for 1 (2), 1 taken for 2 (1)" in printed
    confusion([0, 1], [0, 1])
    assert "All 2 were right." in capsys.readouterr().out


def test_pictures_have_a_caption_each(capsys):
    digits(np.eye(4, dtype=np.float32), "abcd", "Four dots.", columns=3)
    assert "Four dots." in capsys.readouterr().out
    with pytest.raises(ValueError, match="got 4 pictures and 3 captions"):
        digits(np.eye(4), "abc", "")


def test_the_first_batches_are_shown_slowly_and_that_is_no_time_of_training(screen, patience, monkeypatch):
    from minigrad_course.viz import live

    waited, shown, ticks = [], [], itertools.count(0.0, live.LOOK / 20)  # a clock that no other work can hurry on
    clock = SimpleNamespace(sleep=waited.append, perf_counter=lambda: next(ticks))
    monkeypatch.setattr(live, "time", clock)
    screen.show = lambda view, important: shown.append(view.steps)
    screen.slow_start = True
    view = mg.viz.Live()
    mg.fit(classifier(), some_digits(), 3, 50, optim.SGD(0.5), rng=0, live=view)
    assert shown[:5] == [0, 1, 2, 4, 8]
    assert len(waited) >= 4
    assert all(0 < seconds <= live.LOOK for seconds in waited)
    assert view.seconds >= sum(waited)


@pytest.mark.parametrize("classes", [True, False])
def test_the_layout_is_that_of_all_pictures_from_the_first_on(screen, hurry, classes):
    layouts = []

    def look(view, important):
        view.png()
        layouts.append([axes.get_visible() for axes in view._figure.subfigs[0].axes])

    screen.show = look
    data, view = some_digits(), mg.viz.Live()
    if not classes:
        data.train_y, data.test_y = data.train_x[:, :3], data.test_x[:, :3]
    model, loss = (
        (classifier(), nn.cross_entropy) if classes else (mg.nn.Linear(data.train_x.shape[1], 3, rng=0), nn.mse)
    )
    mg.fit(model, data, 2, 50, optim.SGD(0.01), loss=loss, rng=0, live=view)
    assert layouts[0] == [True, classes]
    assert all(layout == layouts[0] for layout in layouts)
