"""The workloads: three networks of the papers and lesson 16's GPT, their first weights, their data, and the arithmetic
of one step.

Nothing here belongs to an engine. Weights carry PyTorch's names and shapes, which are minigrad's too; every engine
starts from these very arrays and sees these very batches. What comes out is judged here as well, in plain NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks import gpt as small_gpt

Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Workload:
    """A network to train with plain SGD. `sizes` are those of an RNN or a GPT; the other two networks have none."""

    network: str  # "rnn", "cnn", "autoencoder" or "gpt": which of the networks in engines/
    title: str
    batch: int
    lr: float
    epochs: int  # as many as the paper trains
    shapes: Mapping[str, tuple[int, ...]]  # of the weights, by name
    products: tuple[tuple[str, int, int], ...]  # (what, FLOP of one product, how many of them in a step)
    sizes: Mapping[str, int] = field(default_factory=dict)
    # So many first steps must have the same losses in all engines.
    compared: int = 300

    @property
    def flop(self) -> int:
        """Floating-point operations of the matrix products in one training step: 2 m n k each.

        Forward, and backward for what is needed: no product for the gradient of the pictures, none with the first
        hidden state, which is zero. Everything elementwise is left out (1 to 2 % of it), so a share of the peak that
        is computed from this is a little too low, never too high.
        """
        return sum(flop * times for _, flop, times in self.products)

    @property
    def inputs(self) -> int:
        """Numbers in a row of x."""
        return self.sizes["steps"] * self.sizes.get("inputs", 1) if self.sizes else 784

    def first_weights(self, seed: int = 0) -> Weights:
        """Float32: Glorot's rule, biases 0; in the autoencoder normal with standard deviation 0.1, as in the essay."""
        rng = np.random.default_rng(seed)
        return {name: self._first(name, shape, rng) for name, shape in self.shapes.items()}

    def _first(self, name: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        if self.network == "gpt":
            return small_gpt.first(name, shape, rng)
        if self.network == "autoencoder":
            return (0.1 * rng.standard_normal(shape)).astype(np.float32)
        if len(shape) == 1:
            return np.zeros(shape, np.float32)
        limit = math.sqrt(6 / ((shape[0] + shape[1]) * math.prod(shape[2:])))
        return rng.uniform(-limit, limit, shape).astype(np.float32)


def rnn(
    steps: int = 4, inputs: int = 196, hidden: int = 64, layers: int = 1, batch: int = 100, lr: float = 0.015
) -> Workload:
    """Paper B: tanh layers that read a picture in 4 strips of 196, a dense layer on the last state, cross-entropy.

    With other sizes it is the stacked Elman network of thesis D.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    products = []
    below = inputs
    for layer in range(layers):
        of = f"l{layer}"
        shapes |= {f"rnn.weight_ih_{of}": (hidden, below), f"rnn.weight_hh_{of}": (hidden, hidden)}
        shapes |= {f"rnn.bias_ih_{of}": (hidden,), f"rnn.bias_hh_{of}": (hidden,)}
        # value, gradient of the weights, and above the first layer the gradient of what came from below
        products.append((f"input to layer {layer}", 2 * steps * batch * below * hidden, 2 if layer == 0 else 3))
        products.append((f"state of layer {layer}", 2 * batch * hidden * hidden, 3 * (steps - 1)))
        below = hidden
    shapes |= {"dense.weight": (10, hidden), "dense.bias": (10,)}
    products.append(("dense", 2 * batch * hidden * 10, 3))
    sizes = {"steps": steps, "inputs": inputs, "hidden": hidden, "layers": layers}
    return Workload("rnn", "RNN (paper B)", batch, lr, 5, shapes, tuple(products), sizes)


def cnn(batch: int = 100) -> Workload:
    """Paper C: two convolutions 3x3 (6 and 16 channels) with ReLU and pooling, dense 84 and 10, cross-entropy."""
    shapes = {
        "0.weight": (6, 1, 3, 3), "0.bias": (6,), "3.weight": (16, 6, 3, 3), "3.bias": (16,),
        "7.weight": (84, 400), "7.bias": (84,), "9.weight": (10, 84), "9.bias": (10,),
    }  # fmt: skip
    products = (
        ("convolution 1", 2 * batch * 26 * 26 * 6 * 9, 2),
        ("convolution 2", 2 * batch * 11 * 11 * 16 * 54, 3),
        ("dense 84", 2 * batch * 400 * 84, 3),
        ("dense 10", 2 * batch * 84 * 10, 3),
    )
    # Two pixels of a window may be within rounding of each other. Sooner or later engines take different ones, and
    # train on different paths from there: after 300 steps PyTorch eager and torch.compile are 1e-3 apart.
    return Workload("cnn", "CNN (paper C)", batch, 0.01, 5, shapes, products, compared=100)


def autoencoder(batch: int = 1) -> Workload:
    """Essay E: 784-300-100-784, sigmoid everywhere, biases in the encoder only, sum of squares, one picture a step."""
    shapes = {
        "0.weight": (300, 784),
        "0.bias": (300,),
        "2.weight": (100, 300),
        "2.bias": (100,),
        "4.weight": (784, 100),
    }
    products = (
        ("784 to 300", 2 * batch * 784 * 300, 2),
        ("300 to 100", 2 * batch * 300 * 100, 3),
        ("100 to 784", 2 * batch * 100 * 784, 3),
    )
    return Workload("autoencoder", "Autoencoder (essay E)", batch, 0.02, 4, shapes, products)


def gpt(
    steps: int = 64, size: int = 64, blocks: int = 3, heads: int = 4, batch: int = 32, lr: float = 0.05
) -> Workload:
    """Lesson 16 in full size: three blocks of attention with four heads on 64 letters, cross-entropy of the next."""
    sizes = {"steps": steps, "size": size, "blocks": blocks, "heads": heads}
    products = small_gpt.products(sizes, batch)
    return Workload("gpt", "GPT (lesson 16)", batch, lr, 1, small_gpt.shapes(sizes), products, sizes)


WORKLOADS = {"rnn": rnn, "cnn": cnn, "autoencoder": autoencoder, "gpt": gpt}


# Data ------------------------------------------------------------------------------------------------------------


def load_data() -> tuple[str, dict[str, np.ndarray]]:
    """Real MNIST if its files are here (nothing is downloaded), else pictures of its shape. A title, and the arrays."""
    from minigrad_course.data import mnist, originals

    if originals.missing_files(originals.data_folder(originals.MNIST)):
        return "made-up pictures of MNIST's shape (MNIST is not on this machine)", made_up(60_000, 10_000)
    data = mnist()
    return "MNIST", {name: getattr(data, name) for name in ("train_x", "train_y", "test_x", "test_y")}


def made_up(train: int, test: int, inputs: int = 784) -> dict[str, np.ndarray]:
    """Rows of which a fifth is not 0, as in MNIST, and ten classes that can be told apart."""
    rng = np.random.default_rng(0)
    x = rng.random((train + test, inputs), dtype=np.float32)
    x *= rng.random((train + test, inputs), dtype=np.float32) < 0.2
    y = rng.integers(0, 10, train + test)
    width = max(1, inputs // 12)
    for k in range(10):
        x[y == k, k * width : (k + 1) * width] += np.float32(0.5)
    return {"train_x": x[:train], "train_y": y[:train], "test_x": x[train:], "test_y": y[train:]}


def data_of(workload: Workload, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return a network's training data: pictures, or for a GPT as many pieces of text, with 64 letters to guess in
    each.
    """
    if workload.network != "gpt":
        return arrays
    return small_gpt.pieces(len(arrays["train_x"]), min(1000, len(arrays["test_x"])), workload.sizes["steps"])


def save_data(arrays: Mapping[str, np.ndarray], folder: Path) -> None:
    """One file for each array, for the engines' processes."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


# Judging ---------------------------------------------------------------------------------------------------------


def judge(workload: Workload, weights: Weights, x: np.ndarray, y: np.ndarray) -> float:
    """The fraction of test pictures, or of next letters, that are right; for the autoencoder the mean sum of squares.
    In plain NumPy."""
    if not len(x):
        return math.nan
    output = np.concatenate([_FORWARD[workload.network](workload, weights, part) for part in _parts(x)])
    if workload.network == "autoencoder":
        return float(np.square(output - x, dtype=np.float64).sum() / len(x))
    return float((output.argmax(axis=-1) == y).mean())


def _parts(x: np.ndarray) -> list[np.ndarray]:
    return [x[k : k + 500] for k in range(0, len(x), 500)]


def _rnn_output(workload: Workload, w: Weights, x: np.ndarray) -> np.ndarray:
    below = x.reshape(len(x), workload.sizes["steps"], -1).swapaxes(0, 1)
    for layer in range(workload.sizes["layers"]):
        of = f"l{layer}"
        state = np.zeros((len(x), workload.sizes["hidden"]), np.float32)
        states = []
        for row in below:
            state = np.tanh(
                row @ w[f"rnn.weight_ih_{of}"].T + w[f"rnn.bias_ih_{of}"]
                + state @ w[f"rnn.weight_hh_{of}"].T + w[f"rnn.bias_hh_{of}"]
            )  # fmt: skip
            states.append(state)
        below = np.stack(states)
    return below[-1] @ w["dense.weight"].T + w["dense.bias"]


def _cnn_output(workload: Workload, w: Weights, x: np.ndarray) -> np.ndarray:
    pictures = x.reshape(len(x), 1, 28, 28)
    for layer in ("0", "3"):
        windows = np.lib.stride_tricks.sliding_window_view(pictures, (3, 3), axis=(2, 3))
        filtered = np.tensordot(windows, w[f"{layer}.weight"], ((1, 4, 5), (1, 2, 3))) + w[f"{layer}.bias"]
        n, height, width, channels = filtered.shape
        halves = filtered[:, : height // 2 * 2, : width // 2 * 2].reshape(n, height // 2, 2, width // 2, 2, channels)
        pictures = np.maximum(halves.max(axis=(2, 4)), 0).transpose(0, 3, 1, 2)
    hidden = np.maximum(pictures.reshape(len(x), -1) @ w["7.weight"].T + w["7.bias"], 0)
    return hidden @ w["9.weight"].T + w["9.bias"]


def _autoencoder_output(workload: Workload, w: Weights, x: np.ndarray) -> np.ndarray:
    def sigmoid(a: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-a))

    hidden = sigmoid(x @ w["0.weight"].T + w["0.bias"])
    return sigmoid(sigmoid(hidden @ w["2.weight"].T + w["2.bias"]) @ w["4.weight"].T)


def _gpt_output(workload: Workload, w: Weights, x: np.ndarray) -> np.ndarray:
    return small_gpt.output(workload.sizes, w, x)


_FORWARD = {"rnn": _rnn_output, "cnn": _cnn_output, "autoencoder": _autoencoder_output, "gpt": _gpt_output}
