"""Layers without memory: each output depends only on its input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, DTypeLike, Lowering, Node, Value
from minigrad.core.errors import kind_of
from minigrad.core.graph import Operator, Variable
from minigrad.core.operation import Operation
from minigrad.guards.settings import number, size
from minigrad.nn.init import Rng, drawn_from, generator, glorot_uniform
from minigrad.nn.module import Module
from minigrad.ops.reduce import normalize
from minigrad.ops.shape import dtype_of, reshape, shape_of

if TYPE_CHECKING:
    from minigrad.core.node import Node


class Linear(Module):
    """y = x @ weight.T + bias. x: (n, in_features), weight: (out_features, in_features), bias: (out_features,).

    Weights start by Glorot's rule, the bias at 0. rng: a seed or generator for them.
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, *, rng: Rng = None, dtype: DTypeLike = np.float32
    ):
        shape = size("Linear", "out_features", out_features), size("Linear", "in_features", in_features)
        self.weight = Variable(glorot_uniform(shape, rng, dtype), name="weight")
        self.bias = Variable(np.zeros(out_features, dtype), name="bias") if bias else None

    def forward(self, x: Array) -> Array:
        features = self.weight.shape[1]
        if not shape_of(x) or shape_of(x)[-1] != features:
            raise ValueError(f"this Linear layer takes (..., {features}), got shape {shape_of(x)}")
        y = linear(x, self.weight)
        return y if self.bias is None else y + self.bias

    def _sizes(self) -> str:
        return " to ".join(map(str, shape_of(self.weight)[::-1]))


def linear(x: Array, weight: Array) -> Array:
    """x @ weight.T; of more than two axes, all but the last count rows of one product."""
    shape = shape_of(x)
    if len(shape) <= 2:
        return x @ weight.T
    rows = reshape(x, math.prod(shape[:-1]), shape[-1])
    return reshape(rows @ weight.T, *shape[:-1], shape_of(weight)[0])


class Sequential(Module):
    """Modules one after another; named "0", "1", ... as in PyTorch."""

    def __init__(self, *modules: Module):
        for k, module in enumerate(modules):
            if not isinstance(module, Module):
                raise TypeError(f"Sequential is made of modules, number {k} is {kind_of(module)}")
            setattr(self, str(k), module)

    def forward(self, x: Array) -> Array:
        for k, (_, module) in enumerate(self.children()):
            if k and isinstance(x, tuple | list):
                before = kind_of(self[k - 1])
                raise TypeError(
                    f"Sequential hands one array on, and number {k - 1}, {before}, gives {len(x)} things, as an RNN "
                    f"gives (outputs, state). Write a Module whose forward chooses one: outputs, state = layer(x)"
                )
            x = module(x)
        return x

    def __getitem__(self, k: int) -> Module:
        """Return a module, or for a slice a Sequential of several."""
        chosen = [module for _, module in self.children()][k]
        return Sequential(*chosen) if isinstance(k, slice) else chosen

    def __len__(self) -> int:
        return len(list(self.children()))


class Flatten(Module):
    """(n, ...) as (n, everything else)."""

    def forward(self, x: Array) -> Array:
        if not shape_of(x):
            raise ValueError("Flatten takes (n, ...), and a single number has no rows")
        return reshape(x, shape_of(x)[0], math.prod(shape_of(x)[1:]))


class _Mask(Operation):
    """Random zeros and 1 / (1 - p)s, drawn again each time the graph runs."""

    name = "dropout_mask"
    rng: np.random.Generator

    def __init__(self, shape: tuple[int, ...], p: float, rng: np.random.Generator, dtype: np.dtype):
        self.shape, self.p, self.rng, self.dtype = shape, p, rng, dtype

    def value(self, out: np.ndarray | None = None) -> np.ndarray:
        out = np.empty(self.shape, self.dtype) if out is None else out
        drawn_from(self.rng).random(out=out, dtype=self.dtype)
        np.greater_equal(out, self.p, out=out, casting="unsafe")
        return np.multiply(out, 1 / (1 - self.p), out=out)

    def lower(self, to: Lowering, node: Node) -> Value:
        return to.call(node, "dropout_mask", [to.generator(self.rng)], (float(self.p),))


class Dropout(Module):
    """While training, sets each entry to 0 with probability p and scales the others by 1 / (1 - p); else nothing.

    Srivastava and others, "Dropout: a simple way to prevent neural networks from overfitting", 2014. Another mask each
    time a graph runs forward. rng: a seed or generator.
    """

    def __init__(self, p: float = 0.5, rng: Rng = None):
        self.p, self.rng = number("Dropout", "p", p, 0, 1), generator(rng)

    def forward(self, x: Array) -> Array:
        if not self.training or self.p == 0:
            return x
        if dtype_of(x) not in (np.float32, np.float64):
            raise TypeError(
                f"dropout sets entries to 0 and scales the others by {1 / (1 - self.p):g}, so it needs float32 or "
                f"float64, got {dtype_of(x)} of shape {shape_of(x)}. Convert first: mg.cast(x, np.float32)"
            )
        return x * Operator(_Mask(shape_of(x), self.p, self.rng, dtype_of(x)), [])


class ReLU(Module):
    """max(x, 0)."""

    def forward(self, x: Array) -> Array:
        return rules.relu(x)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, x: Array) -> Array:
        return rules.tanh(x)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, x: Array) -> Array:
        return rules.sigmoid(x)


class GELU(Module):
    """x times the share of a normal distribution below x (Hendrycks and Gimpel, 2016).

    approximate: "none" is exact, "tanh" the form with a tanh that they gave as well, as GPT-2 has it.
    """

    def __init__(self, approximate: str = "none"):
        if approximate not in ("none", "tanh"):
            raise ValueError(f'GELU knows approximate="none" and "tanh", got {approximate!r}')
        self.approximate = approximate

    def forward(self, x: Array) -> Array:
        if self.approximate == "none":
            return rules.gelu(x)
        return 0.5 * x * (1 + rules.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))  # sqrt(2 / pi)


class LayerNorm(Module):
    """Each position by itself, over its last axes: (x - mean) / sqrt(variance + eps) * weight + bias.

    normalized_shape: the sizes of these axes, one number or several. weight starts at 1, bias at 0; neither is there
    without elementwise_affine. Ba, Kiros and Hinton, "Layer normalization", 2016.
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        *,
        dtype: DTypeLike = np.float32,
    ):
        sizes = normalized_shape if isinstance(normalized_shape, tuple | list) else (normalized_shape,)
        shape = tuple(size("LayerNorm", "normalized_shape", n) for n in sizes)
        self.normalized_shape, self.eps = shape, number("LayerNorm", "eps", eps, 0)
        self.weight = Variable(np.ones(shape, dtype), name="weight") if elementwise_affine else None
        self.bias = Variable(np.zeros(shape, dtype), name="bias") if elementwise_affine and bias else None

    def forward(self, x: Array) -> Array:
        n = len(self.normalized_shape)
        if shape_of(x)[-n:] != self.normalized_shape:
            sizes = ", ".join(map(str, self.normalized_shape))
            raise ValueError(f"this LayerNorm takes (..., {sizes}), got shape {shape_of(x)}")
        y = normalize(x, n, self.eps)
        y = y if self.weight is None else y * self.weight
        return y if self.bias is None else y + self.bias
