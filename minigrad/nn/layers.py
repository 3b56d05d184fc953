"""Layers without memory: what goes in decides what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import rules
from minigrad.graph import Variable
from minigrad.nn.init import glorot_uniform
from minigrad.nn.module import Module
from minigrad.ops.shape import reshape, shape_of


class Linear(Module):
    """y = x @ weight.T + bias. x: (n, in_features), weight: (out_features, in_features), bias: (out_features,).

    Weights start by Glorot's rule, the bias at 0. rng: a seed or generator for them.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        *,
        rng: int | np.random.Generator | None = None,
        dtype: Any = np.float32,
    ):
        self.weight = Variable(glorot_uniform((out_features, in_features), rng, dtype), name="weight")
        self.bias = Variable(np.zeros(out_features, dtype), name="bias") if bias else None

    def forward(self, x: Any) -> Any:
        features = self.weight.shape[1]
        if not shape_of(x) or shape_of(x)[-1] != features:
            raise ValueError(f"this Linear layer takes (..., {features}), got shape {shape_of(x)}")
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


class Sequential(Module):
    """Modules one after another; named "0", "1", ... as in PyTorch."""

    def __init__(self, *modules: Module):
        for k, module in enumerate(modules):
            if not isinstance(module, Module):
                raise TypeError(f"Sequential is made of modules, number {k} is a {type(module).__name__}")
            setattr(self, str(k), module)

    def forward(self, x: Any) -> Any:
        for _, module in self.children():
            x = module(x)
        return x

    def __getitem__(self, k: int) -> Module:
        return [module for _, module in self.children()][k]

    def __len__(self) -> int:
        return len(list(self.children()))


class Flatten(Module):
    """(n, ...) as (n, everything else)."""

    def forward(self, x: Any) -> Any:
        return reshape(x, shape_of(x)[0], -1)


class ReLU(Module):
    """max(x, 0)."""

    def forward(self, x: Any) -> Any:
        return rules.relu(x)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, x: Any) -> Any:
        return rules.tanh(x)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, x: Any) -> Any:
        return rules.sigmoid(x)
