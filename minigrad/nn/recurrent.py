"""Layers with memory: the same weights at every step of a sequence, and a state that is carried from step to step.

RNN, GRU and LSTM differ in one method, `cell`: the new state from the old one and the input. Everything else, the
stacked layers, the steps, the names of the weights, is the same for all three.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, DTypeLike, Tree
from minigrad.core.block import block
from minigrad.core.graph import Variable
from minigrad.guards.settings import size
from minigrad.loops.scan import Policy, scan
from minigrad.nn.init import Rng, generator, glorot_uniform
from minigrad.nn.module import Module
from minigrad.ops.shape import cast, dtype_of, reshape, shape_of, stack, transpose


class Recurrent(Module):
    """Shared by RNN, GRU and LSTM; names, shapes and equations are PyTorch's.

    Layer k has weight_ih_l{k} (gates * hidden, input), weight_hh_l{k} (gates * hidden, hidden), bias_ih_l{k} and
    bias_hh_l{k} (gates * hidden,). Weights start by Glorot's rule, gate by gate, biases at 0. x: (steps, n,
    input_size), or (n, steps, input_size) with batch_first. checkpoint: a policy of `minigrad.scan` makes the loop one
    node. None writes short sequences into the graph step by step, good for pictures: all layers together up to
    `written_out` steps. For longer ones it is "everything".
    """

    gates = 1
    states = 1  # the number of arrays in a layer's state
    written_out = 8  # as many steps go into the graph one by one; compiling a loop takes as long for 1,000 as for one

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        batch_first: bool = False,
        *,
        checkpoint: Policy | None = None,
        rng: Rng = None,
        dtype: DTypeLike = np.float32,
    ):
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            size(type(self).__name__, name, value)
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.batch_first, self.checkpoint = batch_first, checkpoint
        rng = generator(rng)
        for layer in range(num_layers):
            below = input_size if layer == 0 else hidden_size
            for name, columns in (("weight_ih", below), ("weight_hh", hidden_size)):
                blocks = [glorot_uniform((hidden_size, columns), rng, dtype) for _ in range(self.gates)]
                self._set(name, layer, np.concatenate(blocks))
            for name in ("bias_ih", "bias_hh"):
                self._set(name, layer, np.zeros(self.gates * hidden_size, dtype))

    def _set(self, name: str, layer: int, value: np.ndarray) -> None:
        setattr(self, f"{name}_l{layer}", Variable(value, name=f"{name}_l{layer}"))

    def _sizes(self) -> str:
        return f"{self.input_size} to {self.hidden_size}"

    def cell(self, from_input: Array, state: tuple[Array, ...], w_hh: Array, b_hh: Array) -> tuple[Array, ...]:
        """The new state, a tuple. from_input: x_t @ W_ih.T + b_ih, of shape (n, gates * hidden)."""
        raise TypeError(f"{type(self).__name__} has no cell()")

    def output(self, state: tuple[Array, ...]) -> Array:
        """Return a layer's output: the hidden state, the first part of the state."""
        return state[0]

    def forward(self, x: Array, state: Tree = None) -> tuple[Any, Any]:
        """(outputs of the last layer at every step, laid out as x is; last states, (layers, n, hidden) each).

        state: the first states in the form of the last ones; zeros if not given.
        """
        shape = shape_of(x)
        if len(shape) != 3 or shape[2] != self.input_size:
            layout = "(n, steps, input)" if self.batch_first else "(steps, n, input)"
            raise ValueError(
                f"this {type(self).__name__} takes {layout} with input size {self.input_size}, got shape {shape}"
            )
        time, n = (1, shape[0]) if self.batch_first else (0, shape[1])
        if shape[time] == 0:
            raise ValueError(f"this {type(self).__name__} needs at least one step, got shape {shape}")
        start = self._start(state, n, dtype_of(x))
        long = shape[time] * self.num_layers > self.written_out
        policy = "everything" if self.checkpoint is None and long else self.checkpoint
        swapped = policy is not None and self.batch_first  # a loop goes along the first axis
        x, last = transpose(x, (1, 0, 2)) if swapped else x, []
        for layer in range(self.num_layers):
            x, end = self._layer(layer, x, start[layer], time, policy)
            last.append(end)
        ends = tuple(stack(parts) for parts in zip(*last, strict=True))
        return transpose(x, (1, 0, 2)) if swapped else x, ends if self.states > 1 else ends[0]

    def _layer(
        self, layer: int, x: Array, state: tuple[Array, ...], time: int, policy: Policy | None
    ) -> tuple[Array, tuple[Array, ...]]:
        w_ih, w_hh, b_ih, b_hh = (
            getattr(self, f"{name}_l{layer}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        # What does not depend on the state is one large product for all steps.
        first, second, width = shape_of(x)
        from_input = reshape(reshape(x, first * second, width) @ w_ih.T + b_ih, first, second, -1)

        def step(state: tuple[Array, ...], from_input: Array) -> tuple[tuple[Array, ...], Array]:
            state = self.cell(from_input, state, w_hh, b_hh)
            return state, self.output(state)

        if policy is not None:
            # A state keeps its dtype in a scan. Without one, the first step turns it into that of input and weights.
            dtype = np.result_type(dtype_of(from_input), w_hh.dtype, *map(dtype_of, state))
            state, ys = scan(step, from_input, tuple(cast(part, dtype) for part in state), policy)
            return ys, state
        outputs = []
        for t in range(shape_of(x)[time]):
            with block("step", t):
                state, y = step(state, from_input[:, t] if time == 1 else from_input[t])
            outputs.append(y)
        return stack(outputs, axis=time), state

    def _start(self, state: Tree, n: int, dtype: DTypeLike) -> list[tuple[Any, ...]]:
        """The first state of each layer."""
        wanted = (self.num_layers, n, self.hidden_size)
        state = (np.zeros(wanted, dtype),) * self.states if state is None else state
        parts: tuple[Any, ...] = state if isinstance(state, tuple) else (state,)
        if len(parts) != self.states or any(shape_of(part) != wanted for part in parts):
            raise ValueError(
                f"the first state of this {type(self).__name__} is {self.states} array(s) of shape {wanted}, "
                f"got {[shape_of(part) for part in parts]}"
            )
        return [tuple(part[layer] for part in parts) for layer in range(self.num_layers)]

    def _gate(self, values: Array, k: int) -> Array:
        return values[:, k * self.hidden_size : (k + 1) * self.hidden_size]


class RNN(Recurrent):
    """h_t = tanh(x_t @ W_ih.T + b_ih + h_{t-1} @ W_hh.T + b_hh). Elman, "Finding structure in time", 1990.

    nonlinearity: "tanh" or "relu". See `Recurrent` for the rest.
    """

    written_out = 32  # 28 steps of 256 units take 3 % less time written out than as a loop

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        batch_first: bool = False,
        **options: Any,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f'RNN knows nonlinearity="tanh" and "relu", got {nonlinearity!r}')
        super().__init__(input_size, hidden_size, num_layers, batch_first, **options)
        self.nonlinearity = nonlinearity

    def cell(self, from_input: Array, state: tuple[Array, ...], w_hh: Array, b_hh: Array) -> tuple[Array, ...]:
        activation = rules.tanh if self.nonlinearity == "tanh" else rules.relu
        return (activation(from_input + (state[0] @ w_hh.T + b_hh)),)


class GRU(Recurrent):
    """The gated recurrent unit of Cho and others, 2014, with PyTorch's place for the reset gate:

    r, z = sigmoid(...) of input and state;  n = tanh(from input + r * from state);  h_t = (1 - z) * n + z * h_{t-1}.
    The blocks of the weights are r, z, n.
    """

    gates = 3

    def cell(self, from_input: Array, state: tuple[Array, ...], w_hh: Array, b_hh: Array) -> tuple[Array, ...]:
        from_state = state[0] @ w_hh.T + b_hh
        reset = rules.sigmoid(self._gate(from_input, 0) + self._gate(from_state, 0))
        update = rules.sigmoid(self._gate(from_input, 1) + self._gate(from_state, 1))
        new = rules.tanh(self._gate(from_input, 2) + reset * self._gate(from_state, 2))
        return ((1 - update) * new + update * state[0],)


class LSTM(Recurrent):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers and others, 2000):

    i, f, o = sigmoid(...), g = tanh(...);  c_t = f * c_{t-1} + i * g;  h_t = o * tanh(c_t).
    The blocks of the weights are i, f, g, o; the state is the pair (h, c).
    """

    gates = 4
    states = 2

    def cell(self, from_input: Array, state: tuple[Array, ...], w_hh: Array, b_hh: Array) -> tuple[Array, ...]:
        h, c = state
        total = from_input + (h @ w_hh.T + b_hh)
        enter, forget, leave = (rules.sigmoid(self._gate(total, k)) for k in (0, 1, 3))
        c = forget * c + enter * rules.tanh(self._gate(total, 2))
        return leave * rules.tanh(c), c
