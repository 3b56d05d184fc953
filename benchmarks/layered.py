"""Build a network of untuned.py from its list of layers in one engine, and train it: a process of field.py.

minigrad's modules have PyTorch's names, arguments and weights, so one builder serves both, and PyTorch loads what
minigrad has drawn. JAX has no modules: its functions read the same weights by name.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks.untuned import COMPARED, FIRSTS, NETWORKS, Network

LR, ADAM_LR, BETAS, EPS = 0.01, 1e-3, (0.9, 0.999), 1e-8
Step = Callable[[], Any]  # trains once on the batch, and returns the loss


def data(network: Network) -> tuple[np.ndarray, np.ndarray]:
    """A batch, and its targets: classes, next letters, or numbers."""
    rng = np.random.default_rng(0)
    if network.letters:
        text = rng.integers(0, network.letters, (network.x[0], network.x[1] + 1))
        return text[:, :-1].copy(), text[:, 1:].copy()
    x = rng.standard_normal(network.x).astype(network.dtype)
    return x, 1 / (1 + np.exp(-x)) if network.squares else rng.integers(0, 10, len(x))


def module(nn: Any, network: Network, **options: Any) -> Any:
    """The network, made of the modules of `nn`: minigrad's or PyTorch's."""

    class Residual(nn.Module):
        def __init__(self, layers: Any) -> None:
            super().__init__()
            self.inner = nn.Sequential(*(build(*layer) for layer in layers))

        def forward(self, x: Any) -> Any:
            return x + self.inner(x)

    class Last(nn.Module):
        """The last output of a recurrent layer."""

        def __init__(self, kind: str, *sizes: int) -> None:
            super().__init__()
            self.layer = getattr(nn, kind)(*sizes, batch_first=True, **options)

        def forward(self, x: Any) -> Any:
            return self.layer(x)[0][:, -1]

    class Embed(nn.Module):
        def __init__(self, letters: int, steps: int, size: int) -> None:
            super().__init__()
            self.letters = nn.Embedding(letters, size, **options)
            self.places = nn.Embedding(steps, size, **options)

        def forward(self, x: Any) -> Any:
            return self.letters(x) + self.places.weight

    class Block(nn.Module):
        def __init__(self, size: int, heads: int) -> None:
            super().__init__()
            if hasattr(nn, "TransformerBlock"):
                self.layer = nn.TransformerBlock(size, heads, batch_first=True, **options)
                self.masks: dict[str, Any] = {"is_causal": True}
                return
            self.layer = nn.TransformerEncoderLayer(
                size, heads, 4 * size, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, **options
            )
            mask = nn.Transformer.generate_square_subsequent_mask(network.x[1], **options)
            self.masks = {"src_mask": mask, "is_causal": True}

        def forward(self, x: Any) -> Any:
            return self.layer(x, **self.masks)

    own = {"Residual": Residual, "Embed": Embed, "Block": Block}

    def build(kind: str, *arguments: Any) -> Any:
        if kind in ("RNN", "GRU", "LSTM"):
            return Last(kind, *arguments)
        typed = options if kind in ("Linear", "Conv2d", "LayerNorm") else {}
        return own.get(kind, getattr(nn, kind, None))(*arguments, **typed)

    return nn.Sequential(*(build(*layer) for layer in network.layers))


def first_weights(network: Network) -> dict[str, np.ndarray]:
    """Weights by PyTorch's names: matrices by Glorot's rule, of a normalization 1 and 0, biases 0."""
    from minigrad import nn

    rng, weights = np.random.default_rng(0), {}
    for name, value in module(nn, network, dtype=np.dtype(network.dtype)).state_dict().items():
        limit = np.sqrt(6 / (value.shape[0] + value[0].size))
        drawn = rng.uniform(-limit, limit, value.shape) if value.ndim > 1 else value.mean().round()
        weights[name] = np.broadcast_to(drawn, value.shape).astype(value.dtype)
    return weights


def of_minigrad(
    network: Network, weights: Mapping[str, np.ndarray], x: np.ndarray, y: np.ndarray, *, shards: int = 1
) -> Step:
    import minigrad as mg

    def loss(output: Any, y: Any) -> Any:
        if network.squares:
            return mg.mean((output - y) ** 2)
        return mg.nn.cross_entropy(mg.reshape(output, -1, output.shape[-1]), mg.reshape(y, -1))

    model = module(mg.nn, network, dtype=np.dtype(network.dtype))
    model.load_state_dict(weights)
    optimizer = mg.optim.Adam(ADAM_LR) if network.adam else mg.optim.SGD(LR)
    step = mg.compile(model, loss, optimizer, x, y, shards=min(shards, len(x)))
    return lambda: step(x, y)


def of_torch(
    network: Network, weights: Mapping[str, np.ndarray], x: np.ndarray, y: np.ndarray, *, dtype: str = "",
    compiled: bool = False,
) -> Step:  # fmt: skip
    import torch
    import torch.nn.functional as F

    kind = getattr(torch, dtype or network.dtype)
    model = module(torch.nn, network, dtype=kind)
    model.load_state_dict({name: torch.from_numpy(value).to(kind) for name, value in weights.items()})
    batch, targets = (torch.from_numpy(a) for a in (x, y))
    batch, targets = (a.to(kind) if a.is_floating_point() else a for a in (batch, targets))
    if network.adam:
        optimizer: Any = torch.optim.Adam(model.parameters(), ADAM_LR, BETAS, EPS, fused=True)
    else:
        optimizer = torch.optim.SGD(model.parameters(), LR, fused=True)
    run = torch.compile(model) if compiled else model

    def step() -> Any:
        optimizer.zero_grad(set_to_none=True)
        output = run(batch)
        if network.squares:
            loss = F.mse_loss(output, targets)
        else:
            loss = F.cross_entropy(output.flatten(0, -2), targets.flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def of_jax(network: Network, weights: Mapping[str, np.ndarray], x: np.ndarray, y: np.ndarray) -> Step:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", network.dtype == "float64")
    forward = _forward(network)

    def loss(w: Any, x: Any, y: Any) -> Any:
        output = forward(w, x)
        if network.squares:
            return jnp.mean((output - y) ** 2)
        logs = jax.nn.log_softmax(output.reshape(-1, output.shape[-1]))
        return -jnp.mean(jnp.take_along_axis(logs, y.reshape(-1, 1), 1))

    def update(t: Any, w: Any, slope: Any, mean: Any, square: Any) -> Any:
        if not network.adam:
            return w - LR * slope, mean, square
        mean, square = BETAS[0] * mean + (1 - BETAS[0]) * slope, BETAS[1] * square + (1 - BETAS[1]) * slope**2
        size = jnp.sqrt(square / (1 - BETAS[1] ** t)) + EPS
        return w - ADAM_LR * mean / (1 - BETAS[0] ** t) / size, mean, square

    @jax.jit
    def train(t: Any, state: Any, x: Any, y: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)({name: w for name, (w, *_) in state.items()}, x, y)
        return {name: update(t, of[0], slopes[name], *of[1:]) for name, of in state.items()}, value

    train = jax.jit(train, donate_argnums=1)
    kept = jnp.zeros_like if network.adam else lambda w: 0
    state = {name: (jnp.array(w), kept(w), kept(w)) for name, w in weights.items()}
    batch, targets, t = jnp.asarray(x), jnp.asarray(y), 0

    def step() -> Any:
        nonlocal state, t
        t += 1
        state, value = train(jnp.asarray(t, x.dtype if x.dtype.kind == "f" else "float32"), state, batch, targets)
        return jax.block_until_ready(value)

    return step


def _forward(network: Network) -> Callable[[Any, Any], Any]:
    """The network as a function of weights by PyTorch's names, and x."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    def linear(w: Any, of: str, x: Any) -> Any:
        return x @ w[f"{of}weight"].T + w[f"{of}bias"]

    def norm(w: Any, of: str, x: Any) -> Any:
        apart = x - x.mean(-1, keepdims=True)
        return apart * lax.rsqrt((apart * apart).mean(-1, keepdims=True) + 1e-5) * w[f"{of}weight"] + w[f"{of}bias"]

    def recurrent(kind: str, w: Any, of: str, x: Any) -> Any:
        weight, bias, bias_in = w[f"{of}weight_hh_l0"], w[f"{of}bias_hh_l0"], w[f"{of}bias_ih_l0"]
        from_x = x.swapaxes(0, 1) @ w[f"{of}weight_ih_l0"].T + bias_in
        zero = jnp.zeros((len(x), weight.shape[1]), x.dtype)

        def cell(state: Any, a: Any) -> Any:
            h, c = state
            b = h @ weight.T + bias
            if kind == "RNN":
                return (jnp.tanh(a + b), c), None
            if kind == "GRU":
                (ar, az, an), (br, bz, bn) = jnp.split(a, 3, -1), jnp.split(b, 3, -1)
                z = jax.nn.sigmoid(az + bz)
                return ((1 - z) * jnp.tanh(an + jax.nn.sigmoid(ar + br) * bn) + z * h, c), None
            i, f, g, o = jnp.split(a + b, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        return lax.scan(cell, (zero, zero), from_x)[0][0]

    def block(w: Any, of: str, h: Any, heads: int) -> Any:
        n, steps, size = h.shape
        qkv = norm(w, f"{of}norm1.", h) @ w[f"{of}self_attn.in_proj_weight"].T + w[f"{of}self_attn.in_proj_bias"]
        q, key, value = qkv.reshape(n, steps, 3, heads, -1).transpose(2, 0, 3, 1, 4)
        later = jnp.triu(jnp.ones((steps, steps), bool), 1)
        shares = jax.nn.softmax(jnp.where(later, -jnp.inf, q @ key.swapaxes(2, 3) / (size // heads) ** 0.5))
        h = h + linear(w, f"{of}self_attn.out_proj.", (shares @ value).transpose(0, 2, 1, 3).reshape(h.shape))
        inner = jax.nn.gelu(linear(w, f"{of}linear1.", norm(w, f"{of}norm2.", h)), approximate=False)
        return h + linear(w, f"{of}linear2.", inner)

    def convolution(w: Any, of: str, x: Any, stride: int = 1, padding: int = 0) -> Any:
        pads = [(padding, padding)] * 2
        y = lax.conv_general_dilated(x, w[f"{of}weight"], (stride, stride), pads)
        return y + w[f"{of}bias"][:, None, None]

    functions: dict[str, Callable[..., Any]] = {
        "Linear": lambda w, of, x, *_: linear(w, of, x),
        "LayerNorm": lambda w, of, x, _: norm(w, of, x),
        "ReLU": lambda w, of, x: jax.nn.relu(x),
        "Tanh": lambda w, of, x: jnp.tanh(x),
        "Sigmoid": lambda w, of, x: jax.nn.sigmoid(x),
        "GELU": lambda w, of, x: jax.nn.gelu(x, approximate=False),
        "Flatten": lambda w, of, x: x.reshape(len(x), -1),
        "MaxPool2d": lambda w, of, x, k: lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, k, k), (1, 1, k, k), "VALID"),
        "Conv2d": lambda w, of, x, _in, _out, _size, *where: convolution(w, of, x, *where),
        "Embed": lambda w, of, x, *_: w[f"{of}letters.weight"][x] + w[f"{of}places.weight"],
        "Block": lambda w, of, x, _, heads: block(w, f"{of}layer.", x, heads),
        "Residual": lambda w, of, x, layers: x + sequence(w, f"{of}inner.", layers, x),
        "RNN": lambda w, of, x, *_: recurrent("RNN", w, f"{of}layer.", x),
        "GRU": lambda w, of, x, *_: recurrent("GRU", w, f"{of}layer.", x),
        "LSTM": lambda w, of, x, *_: recurrent("LSTM", w, f"{of}layer.", x),
    }

    def sequence(w: Any, of: str, layers: Any, x: Any) -> Any:
        for number, (kind, *arguments) in enumerate(layers):
            x = functions[kind](w, f"{of}{number}.", x, *arguments)
        return x

    return lambda w, x: sequence(w, "", network.layers, x)


def flop(step: Step) -> int:
    """The arithmetic of the matrix products and convolutions in a step of PyTorch's, forward and backward."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        step()
    return int(counter.get_total_flops())


class Runner:
    """Does what is asked of an engine. Each method is a request."""

    def __init__(self, task: dict[str, Any]):
        self.engine, self.name, self.threads = task["engine"], task["network"], task["threads"]
        if self.engine in ("float64", "torch", "torch_compile"):
            import torch

            torch.set_num_threads(task["threads"])
        elif self.engine == "jax":
            os.environ["JAX_PLATFORMS"] = "cpu"
            import jax  # noqa: F401 - importing an engine is not counted

    def start(self, network: str = "") -> dict[str, Any]:
        """Build the network, and train the first steps. `first`: the processor's seconds before the first loss."""
        self.network = (NETWORKS | FIRSTS)[network or self.name]
        self.weights, self.batch = first_weights(self.network), data(self.network)
        worked = sum(os.times()[:4])
        build = {"minigrad": of_minigrad, "shards": of_minigrad, "jax": of_jax}.get(self.engine, of_torch)
        options: dict[str, Any] = {
            "float64": {"dtype": "float64"}, "torch_compile": {"compiled": True}, "shards": {"shards": self.threads},
        }.get(self.engine, {})  # fmt: skip
        self.step = build(self.network, self.weights, *self.batch, **options)  # type: ignore[operator]
        losses = [float(self.step())]
        worked = sum(os.times()[:4]) - worked
        losses += [float(self.step()) for _ in range(COMPARED - 1)]
        answer = {"first": worked, "losses": losses}
        return answer | ({"flop": flop(self.step)} if self.engine == "float64" else {})

    def train(self, seconds: float) -> dict[str, Any]:
        """Steps for so long; the medians of their seconds, by the clock and of the processor."""
        times, end = [], time.perf_counter() + seconds
        while (since := time.perf_counter()) < end or len(times) < 5:
            worked = time.process_time()
            self.step()
            times.append((time.perf_counter() - since, time.process_time() - worked))
        by_clock, of_processor = np.median(times, axis=0)
        return {"step": float(by_clock), "worked": float(of_processor)}

    def count(self) -> dict[str, Any]:
        """Bytes of NumPy's and numba's arrays in a step, but those of the loss."""
        from minigrad_course.measure import count_allocations

        def steps(count: int) -> None:
            for _ in range(count):
                self.step()

        short, long = (count_allocations(steps, n, bytes="arrays").allocated_bytes for n in (10, 20))
        return {"bytes": None if short is None or long is None else (long - short) / 10}
