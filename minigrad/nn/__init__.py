"""Neural networks: layers that hold variables, with the names, shapes and equations of PyTorch."""

from minigrad.nn import init
from minigrad.nn.layers import Dropout, Flatten, Linear, ReLU, Sequential, Sigmoid, Tanh
from minigrad.nn.module import Module
from minigrad.nn.recurrent import GRU, LSTM, RNN
from minigrad.ops.loss import mse
from minigrad.ops.loss import softmax_cross_entropy as cross_entropy

__all__ = [
    "GRU", "LSTM", "RNN", "Dropout", "Flatten", "Linear", "Module", "ReLU", "Sequential", "Sigmoid", "Tanh",
    "cross_entropy", "init", "mse",
]  # fmt: skip
