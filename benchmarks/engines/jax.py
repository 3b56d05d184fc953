"""The networks in JAX, compiled by XLA: "scan" runs a whole epoch in one call, "step" one step a call. "gathered": the
rows of all batches are gathered before the loop. "hoisted": the RNN's input products of all steps in one.

The CNN: "conv" is lax.conv_general_dilated; "slices" is nine shifted slices and one matrix product, several times
faster on a CPU. Its pooling has a gradient without XLA's slow select-and-scatter; among equal maxima it splits the
adjoint where the others give it to the first, but after ReLU such maxima are zeros, where the gradient is zero anyway.
"""

from __future__ import annotations

import os
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from benchmarks.workloads import Weights, Workload


def cross_entropy(logits: Any, y: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))


def loss_function(workload: Workload, mode: str) -> Any:
    """(parameters by name, x, y) -> loss."""
    return {"rnn": _rnn, "cnn": _cnn, "autoencoder": _autoencoder, "gpt": _gpt}[workload.network](workload, mode)


def _rnn(workload: Workload, mode: str) -> Any:
    steps, hidden, layers = (workload.sizes[name] for name in ("steps", "hidden", "layers"))
    long = steps * layers > 50  # unrolled, it would compile for minutes

    def loss(p: Any, x: Any, y: Any) -> Any:
        below = x.reshape(len(x), steps, -1).swapaxes(0, 1)
        for layer in range(layers):
            w, u = p[f"rnn.weight_ih_l{layer}"], p[f"rnn.weight_hh_l{layer}"]
            b = p[f"rnn.bias_ih_l{layer}"] + p[f"rnn.bias_hh_l{layer}"]
            h = jnp.zeros((len(x), hidden), x.dtype)
            if long:

                def cell(h: Any, from_input: Any, u: Any = u) -> Any:
                    h = jnp.tanh(from_input + h @ u)
                    return h, h

                h, below = lax.scan(cell, h, below @ w + b)
                continue
            states = []
            from_input = below @ w + b if "hoisted" in mode else None
            for t in range(steps):
                h = jnp.tanh((below[t] @ w + b if from_input is None else from_input[t]) + h @ u)
                states.append(h)
            below = jnp.stack(states) if layer + 1 < layers else below
        return cross_entropy(h @ p["dense.weight"] + p["dense.bias"], y)

    return loss


def _cnn(workload: Workload, mode: str) -> Any:
    def slices(x: Any, w: Any, b: Any) -> Any:
        h, v = x.shape[1] - 2, x.shape[2] - 2
        windows = jnp.concatenate([x[:, i : i + h, j : j + v] for i in range(3) for j in range(3)], -1)
        return windows @ w.transpose(2, 3, 1, 0).reshape(-1, w.shape[0]) + b

    def conv(x: Any, w: Any, b: Any) -> Any:
        return lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NHWC", "OIHW", "NHWC")) + b

    def pool(x: Any) -> Any:
        n, h, w, c = x.shape
        return x[:, : h // 2 * 2, : w // 2 * 2].reshape(n, h // 2, 2, w // 2, 2, c).max((2, 4))

    layer = slices if "slices" in mode else conv

    def loss(p: Any, x: Any, y: Any) -> Any:
        x = x.reshape(-1, 28, 28, 1)
        x = pool(jax.nn.relu(layer(x, p["0.weight"], p["0.bias"])))
        x = pool(jax.nn.relu(layer(x, p["3.weight"], p["3.bias"])))
        x = x.transpose(0, 3, 1, 2).reshape(len(x), -1)
        x = jax.nn.relu(x @ p["7.weight"] + p["7.bias"])
        return cross_entropy(x @ p["9.weight"] + p["9.bias"], y)

    return loss


def _autoencoder(workload: Workload, mode: str) -> Any:
    def loss(p: Any, x: Any, y: Any) -> Any:
        h = jax.nn.sigmoid(x @ p["0.weight"] + p["0.bias"])
        h = jax.nn.sigmoid(h @ p["2.weight"] + p["2.bias"])
        return jnp.sum((jax.nn.sigmoid(h @ p["4.weight"]) - x) ** 2)

    return loss


def _gpt(workload: Workload, mode: str) -> Any:
    heads, blocks = workload.sizes["heads"], workload.sizes["blocks"]

    def loss(p: Any, x: Any, y: Any) -> Any:
        def norm(name: str, h: Any) -> Any:
            apart = h - h.mean(-1, keepdims=True)
            root = lax.rsqrt((apart * apart).mean(-1, keepdims=True) + 1e-5)
            return apart * root * p[f"{name}.weight"] + p[f"{name}.bias"]

        def linear(name: str, h: Any) -> Any:
            return h @ p[f"{name}.weight"] + p[f"{name}.bias"]

        n, steps = x.shape
        h = p["letters.weight"][x] + p["places.weight"][:steps]
        later = jnp.triu(jnp.ones((steps, steps), bool), 1)
        for k in range(blocks):
            block, attention = f"blocks.{k}", f"blocks.{k}.self_attn"
            qkv = norm(f"{block}.norm1", h) @ p[f"{attention}.in_proj_weight"] + p[f"{attention}.in_proj_bias"]
            q, key, value = qkv.reshape(n, steps, 3, heads, -1).transpose(2, 0, 3, 1, 4)
            scores = q @ key.swapaxes(2, 3) / q.shape[-1] ** 0.5
            attended = jax.nn.softmax(jnp.where(later, -jnp.inf, scores)) @ value
            h = h + linear(f"{attention}.out_proj", attended.transpose(0, 2, 1, 3).reshape(h.shape))
            inner = jax.nn.gelu(linear(f"{block}.linear1", norm(f"{block}.norm2", h)), approximate=False)
            h = h + linear(f"{block}.linear2", inner)
        logits = norm("norm", h) @ p["scores.weight"]
        return cross_entropy(logits.reshape(n * steps, -1), y.ravel())

    return loss


def turned(name: str, weight: np.ndarray) -> np.ndarray:
    """Weights of dense layers as (inputs, outputs), which XLA multiplies by without copying them in every step."""
    table = name in ("letters.weight", "places.weight")
    return np.ascontiguousarray(weight.T) if weight.ndim == 2 and not table else weight


class Engine:
    """See engines/__init__.py."""

    version = f"JAX {jax.__version__}"

    def __init__(self, workload: Workload, weights: Weights, arrays: dict[str, np.ndarray], mode: str, threads: int):
        self.workload, self.mode = workload, mode
        self.x, self.y = jnp.asarray(arrays["train_x"]), jnp.asarray(arrays["train_y"].astype(np.int32))
        self.load(weights)
        loss = loss_function(workload, mode)

        def train(p: Any, x: Any, y: Any) -> Any:
            value, slopes = jax.value_and_grad(loss)(p, x, y)
            return {name: p[name] - workload.lr * slopes[name] for name in p}, value

        def step(p: Any, x: Any, y: Any, rows: Any) -> Any:
            return train(p, x[rows], y[rows])

        def epoch(p: Any, x: Any, y: Any, order: Any) -> Any:
            if "gathered" in mode:
                rows = order.ravel()
                xs, ys = x[rows].reshape(*order.shape, -1), y[rows].reshape(*order.shape, *y.shape[1:])
                return lax.scan(lambda p, xy: train(p, *xy), p, (xs, ys))
            return lax.scan(lambda p, rows: step(p, x, y, rows), p, order)

        self.run_step = jax.jit(step, donate_argnums=0)
        self.run_epoch = jax.jit(epoch, donate_argnums=0)

    def epoch(self, rows: np.ndarray) -> np.ndarray:
        order = rows.reshape(-1, self.workload.batch).astype(np.int32)
        if "scan" in self.mode:
            self.p, losses = self.run_epoch(self.p, self.x, self.y, order)
            return np.asarray(jax.block_until_ready((self.p, losses))[1])
        losses = []
        for batch in order:
            self.p, loss = self.run_step(self.p, self.x, self.y, batch)
            losses.append(loss)
        jax.block_until_ready(self.p)
        return np.array(losses, np.float32)

    def load(self, weights: Weights) -> None:
        self.p = {name: jnp.array(turned(name, value)) for name, value in weights.items()}

    def weights(self) -> Weights:
        return {name: turned(name, np.array(value)) for name, value in self.p.items()}
