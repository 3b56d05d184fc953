"""Layers with memory: the same weights at every step of a sequence, and a state that is handed on."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import rules
from minigrad.graph import Variable
from minigrad.nn.init import generator, glorot_uniform
from minigrad.nn.module import Module
from minigrad.ops.shape import dtype_of, shape_of, stack


class RNN(Module):
    """The Elman network: h_t = tanh(x_t @ W_ih.T + b_ih + h_{t-1} @ W_hh.T + b_hh), in each of `num_layers` layers.

    Names, shapes and equations are PyTorch's: weight_ih_l0 (hidden, input), weight_hh_l0 (hidden, hidden), bias_ih_l0
    and bias_hh_l0 (hidden,); l1, l2, ... for the layers above. x: (steps, n, input_size), or (n, steps, input_size)
    with batch_first. Elman, "Finding structure in time", 1990.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        batch_first: bool = False,
        *,
        rng: int | np.random.Generator | None = None,
        dtype: Any = np.float32,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f'RNN knows nonlinearity="tanh" and "relu", got {nonlinearity!r}')
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.nonlinearity, self.batch_first = nonlinearity, batch_first
        rng = generator(rng)
        for layer in range(num_layers):
            size = input_size if layer == 0 else hidden_size
            first = {
                "weight_ih": glorot_uniform((hidden_size, size), rng, dtype),
                "weight_hh": glorot_uniform((hidden_size, hidden_size), rng, dtype),
                "bias_ih": np.zeros(hidden_size, dtype),
                "bias_hh": np.zeros(hidden_size, dtype),
            }
            for name, value in first.items():
                setattr(self, f"{name}_l{layer}", Variable(value, name=f"{name}_l{layer}"))

    def forward(self, x: Any, h0: Any = None) -> tuple[Any, Any]:
        """The states of the last layer at every step, laid out as x is, and the last states (layers, n, hidden_size).

        h0: the first states (layers, n, hidden_size); zeros if not given.
        """
        shape = shape_of(x)
        if len(shape) != 3 or shape[2] != self.input_size:
            layout = "(n, steps, input)" if self.batch_first else "(steps, n, input)"
            raise ValueError(f"this RNN takes {layout} with input size {self.input_size}, got shape {shape}")
        time, batch = (1, 0) if self.batch_first else (0, 1)
        if h0 is None:
            h0 = np.zeros((self.num_layers, shape[batch], self.hidden_size), dtype_of(x))
        steps = [x[:, t] if self.batch_first else x[t] for t in range(shape[time])]
        last = []
        for layer in range(self.num_layers):
            steps = self._layer(layer, steps, h0[layer])
            last.append(steps[-1])
        return stack(steps, axis=time), stack(last)

    def _layer(self, layer: int, steps: list[Any], h: Any) -> list[Any]:
        w_ih, w_hh, b_ih, b_hh = (
            getattr(self, f"{name}_l{layer}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        activation = rules.tanh if self.nonlinearity == "tanh" else rules.relu
        states = []
        for x in steps:
            h = activation(x @ w_ih.T + b_ih + (h @ w_hh.T + b_hh))
            states.append(h)
        return states
