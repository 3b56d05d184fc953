"""The gradient's way back through time: its norm at each step of a recurrent layer.

The adjoint of the state h_t measures how the loss would change with this state. It reaches h_{t-1} through one more
W_hh and one more slope. So over many steps its norm shrinks or grows like a power of the spectral radius of W_hh, the
largest absolute value among its eigenvalues: the gradient vanishes, or explodes (Bengio, Simard and Frasconi, "Learning
long-term dependencies with gradient descent is difficult", 1994; Pascanu, Mikolov and Bengio, "On the difficulty of
training recurrent neural networks", 2013).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.graph import Constant, Graph, Node, adjoints
from minigrad.nn.module import Module
from minigrad.nn.recurrent import Recurrent
from minigrad.ops.loss import softmax_cross_entropy
from minigrad_course.viz import plots
from minigrad_course.viz.live_panel import Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from minigrad_course.viz.live import Live

# The scale of colours, in powers of ten of the last step's norm: the narrow one, if all values are on it.
NARROW = {-3: "a thousandth", -2: "a hundredth", -1: "a tenth", 0: "as at the end", 1: "10 times", 2: "100 times",
          3: "1,000 times"}  # fmt: skip
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
WIDE = {-6: "a millionth", -3: "a thousandth", 0: "as at the end", 3: "1,000 times", 6: "a million times"}


def spectral_radius(of: object) -> float:
    """The largest absolute value among the eigenvalues of a square matrix, or of the W_hh of an RNN's last layer.

    nan if an entry is not finite. Raises ValueError for a matrix that is not square, TypeError for a GRU or an LSTM,
    which have several W_hh.
    """
    if isinstance(of, Recurrent):
        if of.gates != 1:
            raise TypeError(f"a {type(of).__name__} has {of.gates} matrices W_hh, one for each gate: give one of them")
        of = getattr(of, f"weight_hh_l{of.num_layers - 1}")
    matrix = np.asarray(of._value if isinstance(of, Node) else of)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"only a square matrix has a spectral radius, got the shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        return math.nan
    return float(np.abs(np.linalg.eigvals(matrix)).max())


def gradient_norms(
    model: Module, x: ArrayLike, y: ArrayLike, loss: Callable[[Any, Any], Node] = softmax_cross_entropy
) -> np.ndarray:
    """The 2-norm of the loss's adjoint at each hidden state h_t of a recurrent layer, over the batch: shape (steps,).

    x, y: a batch as the model takes it. The layer is the first RNN, GRU or LSTM inside the model; of several levels the
    last counts. The gradients of the parameters stay as they are. Raises ValueError if the model has no recurrent
    layer, or does not use it.
    """
    return _Norms(model, x, y, loss).now()


class _Norms:
    """The graph from the states to their adjoints, built once and replayed with the current weights."""

    def __init__(self, model: Module, x: ArrayLike, y: ArrayLike, loss: Callable[[Any, Any], Node]):
        layer = next((part for _, part in model._modules() if isinstance(part, Recurrent)), None)
        if layer is None:
            raise ValueError(f"there is no RNN, GRU or LSTM inside this {type(model).__name__}")
        self.layer = layer
        states: list[Node] = []
        checkpoint, output, learns = layer.checkpoint, layer.output, model.training

        def spy(state: tuple[Array, ...]) -> Array:
            states.append(output(state))
            return states[-1]

        layer.checkpoint, layer.written_out = None, sys.maxsize  # each step is in the graph: its nodes can be read
        layer.output = spy  # type: ignore[method-assign]
        model.eval()
        try:
            total = loss(model(Constant(x)), Constant(y))
        finally:
            model.train(learns)
            del layer.output, layer.written_out
            layer.checkpoint = checkpoint
        if not states:
            raise ValueError(f"the model does not use its {type(layer).__name__}, so there is no gradient in it")
        last = states[-(len(states) // layer.num_layers) :]
        self._adjoints = adjoints(total, last)
        self._graph = Graph(*self._adjoints)

    def now(self) -> np.ndarray:
        self._graph.forward()
        return np.array([np.linalg.norm(adjoint._value.astype(np.float64)) for adjoint in self._adjoints])


class _Strip:
    """An image of norms, a row for each sequence, with its scale of colours in words."""

    def __init__(self, figure: Figure, axes: Axes):
        self._image = axes.imshow([[0.0]], aspect="auto", cmap=plots.signed(), interpolation="nearest")
        axes.grid(False)
        self._bar = figure.colorbar(self._image, ax=axes, extend="both", pad=0.03, aspect=14)
        self._bar.outline.set_visible(False)
        self._words: dict[int, str] = {}

    def update(self, rows: np.ndarray, extent: tuple[float, float, float, float]) -> bool:
        """Show new norms (rows, steps). Returns whether the scale changed."""
        with np.errstate(all="ignore"):  # -inf where a norm is 0, nan where it is undefined
            values = np.log10(rows / rows[..., -1:])
        self._image.set_extent(extent)
        finite = np.abs(values[np.isfinite(values)])
        words = NARROW if not finite.size or finite.max() <= max(NARROW) else WIDE
        self._image.set_data(np.nan_to_num(values, nan=np.nan, neginf=min(WIDE), posinf=max(WIDE)))
        if words is self._words:
            return False
        self._words = words
        self._image.set_clim(min(words), max(words))
        self._bar.set_ticks(list(words), labels=list(words.values()))
        return True


class HeatStrips(Panel):
    """A panel: one strip of the gradient's norm by time step for each name."""

    def __init__(self, strips: Mapping[str, Sequence[float]], title: str = "Gradient norm by time step"):
        lengths = {len(sizes) for sizes in strips.values()}
        if len(lengths) != 1 or 0 in lengths:
            raise ValueError(f"heat strips are of one length, and there is at least one; got lengths {sorted(lengths)}")
        self._strips, self._title = {name: np.asarray(sizes, float) for name, sizes in strips.items()}, title
        (self._steps,) = lengths
        self.height = 1.5 + 0.3 * len(strips)

    def start(self, figure: Any) -> None:
        axes = figure.subplots()
        n = len(self._strips)
        _Strip(figure, axes).update(np.array(list(self._strips.values())), (0.5, self._steps + 0.5, n - 0.5, -0.5))
        axes.set_yticks(range(n), list(self._strips))
        axes.set(xlabel="time step (the loss is at the end, on the right)", title=self._title)
        axes.xaxis.get_major_locator().set_params(integer=True)

    def refresh(self, view: object) -> bool:
        return False

    def sentence(self, view: object = None) -> str:
        parts = [f"{_times(sizes)} as large with {name}" for name, sizes in self._strips.items()]
        return f"The gradient at the first of {self._steps} steps, compared with that at the last: {', '.join(parts)}."


class GradientNorms(Panel):
    """A panel: how far the gradient reaches back through time, and how that changes during training.

    From left to right the time steps of the sequence, from top to bottom the training. Blue: the gradient's norm is
    smaller than at the last step, it vanishes on the way; orange: it is larger, it explodes. Beside it, for an RNN, the
    spectral radius of W_hh. It is measured some `samples` times in all, on one batch (x, y) that stays the same, so
    that only the weights change. loss: see `gradient_norms`.
    """

    height = 3.2

    def __init__(
        self,
        model: Module,
        x: ArrayLike,
        y: ArrayLike,
        loss: Callable[[Any, Any], Node] = softmax_cross_entropy,
        samples: int = 50,
    ):
        if samples < 1:
            raise ValueError(f"GradientNorms measures at least once, got samples={samples}")
        self._norms, self.samples = _Norms(model, x, y, loss), samples
        self.rows: list[tuple[int, np.ndarray, float]] = []  # updates so far, norms (steps,), spectral radius or nan

    def measure(self, step: int) -> None:
        if self.rows and step <= self.rows[-1][0]:  # measured again, or a new training has begun
            del self.rows[-1 if step == self.rows[-1][0] else 0 :]
        layer = self._norms.layer
        self.rows.append((step, self._norms.now(), spectral_radius(layer) if layer.gates == 1 else math.nan))

    def start(self, figure: Any) -> None:
        gates = self._norms.layer.gates
        axes = figure.subplots(1, 2, sharey=True, width_ratios=(4, 1.2)) if gates == 1 else [figure.subplots()]
        self._axes, self._beside = axes[0], axes[1] if gates == 1 else None
        self._strip = _Strip(figure, self._axes)
        self._axes.set(ylabel="batch", title="Gradient norm by time step")
        self._axes.set_xlabel("time step (the loss is at the end, on the right)")
        self._axes.xaxis.get_major_locator().set_params(integer=True)
        if self._beside is not None:
            self._beside.set(xlabel="spectral radius\nof W_hh")
            self._beside.axvline(1, color=plots.GREY, lw=1)
            (self._line,) = self._beside.plot([], [], color=plots.BLUE)
        self._frame: tuple[Any, ...] = ()

    def refresh(self, view: Live | None) -> bool:
        if not self.rows:
            self.measure(0)
        steps, norms, radii = zip(*self.rows, strict=True)
        bottom = max((view.batches if view is not None else 0) or 0, steps[-1], 1)
        lines = np.linspace(0, bottom, 200)
        rows = np.array(norms)[np.searchsorted(steps, lines, side="right") - 1]
        rows[lines > steps[-1] + bottom / 100] = np.nan  # not trained yet
        changed = self._strip.update(rows, (0.5, rows.shape[1] + 0.5, bottom, 0))
        frame: tuple[Any, ...] = (bottom,)
        if self._beside is not None:
            self._line.set_data(radii, steps)
            finite = [radius for radius in radii if math.isfinite(radius)] or [1.0]
            low, high = min(0.9, *finite), max(1.1, *finite)
            low, high = math.floor(low * 10) / 10, math.ceil(high * 10) / 10
            self._beside.set_xlim(low, high)
            frame = (bottom, low, high)
        changed, self._frame = changed or frame != self._frame, frame
        return changed

    def sentence(self, view: object = None) -> str:
        if not self.rows:
            return ""
        (_, first, radius), (step, last, radius_now) = self.rows[0], self.rows[-1]
        text = f"At the first of {len(last)} time steps there arrives {_times(first)} the gradient of the last step"
        text += f" at the beginning, {_times(last)} after {step:,} batches." if len(self.rows) > 1 else "."
        if math.isfinite(radius_now):
            text += f" The spectral radius of W_hh went from {radius:.2f} to {radius_now:.2f}."
        return text


def _times(norms: np.ndarray) -> str:
    with np.errstate(all="ignore"):
        mantissa, _, power = f"{np.float64(norms[0]) / norms[-1]:.2g}".partition("e")
    if power:
        mantissa += f" × 10{str(int(power)).translate(RAISED)}"
    return f"{mantissa} times"
