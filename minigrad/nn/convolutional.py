"""Layers for pictures: convolution and pooling over (n, channels, height, width)."""

from __future__ import annotations

import numpy as np

from minigrad.core.arrays import Array, DTypeLike
from minigrad.core.graph import Variable
from minigrad.guards.settings import size
from minigrad.nn.init import Rng, glorot_uniform
from minigrad.nn.module import Module
from minigrad.ops.conv import Pair, conv2d, pair
from minigrad.ops.pool import avg_pool2d, max_pool2d
from minigrad.ops.shape import shape_of


class Conv2d(Module):
    """PyTorch's convolution: y[n, o] = sum over c of weight[o, c] slid over x[n, c], plus bias[o].

    weight: (out_channels, in_channels, kernel height, kernel width), Glorot's rule; bias: (out_channels,), at 0.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Pair,
        stride: Pair = 1,
        padding: Pair = 0,
        dilation: Pair = 1,
        bias: bool = True,
        *,
        rng: Rng = None,
        dtype: DTypeLike = np.float32,
    ):
        channels = size("Conv2d", "out_channels", out_channels), size("Conv2d", "in_channels", in_channels)
        shape = (*channels, *pair("Conv2d", "kernel_size", kernel_size))
        for name, value, least in (("stride", stride, 1), ("padding", padding, 0), ("dilation", dilation, 1)):
            pair("Conv2d", name, value, least)
        self.stride, self.padding, self.dilation = stride, padding, dilation
        self.weight = Variable(glorot_uniform(shape, rng, dtype), name="weight")
        self.bias = Variable(np.zeros(out_channels, dtype), name="bias") if bias else None

    def forward(self, x: Array) -> Array:
        return conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation)

    def _sizes(self) -> str:
        shape = shape_of(self.weight)
        return f"{' to '.join(map(str, shape[1::-1]))}, {' x '.join(map(str, shape[2:]))}"


class Pooling(Module):
    """The base of pooling layers: windows and their stride. Rows and columns that fill no window are dropped."""

    def __init__(self, kernel_size: Pair, stride: Pair | None = None):
        for name, value in (("kernel_size", kernel_size), ("stride", kernel_size if stride is None else stride)):
            pair(type(self).__name__, name, value)
        self.kernel_size, self.stride = kernel_size, stride

    def _sizes(self) -> str:
        size = self.kernel_size
        return " x ".join(map(str, size if isinstance(size, tuple | list) else (size, size)))


class MaxPool2d(Pooling):
    """The largest entry of each window."""

    def forward(self, x: Array) -> Array:
        return max_pool2d(x, self.kernel_size, self.stride)


class AvgPool2d(Pooling):
    """The mean of each window."""

    def forward(self, x: Array) -> Array:
        return avg_pool2d(x, self.kernel_size, self.stride)
