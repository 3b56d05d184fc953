"""Neural networks: layers that hold variables, with the names, shapes and equations of PyTorch."""

from minigrad.nn import init
from minigrad.nn.attention import Embedding, MultiheadAttention, TransformerBlock
from minigrad.nn.convolutional import AvgPool2d, Conv2d, MaxPool2d
from minigrad.nn.layers import GELU, Dropout, Flatten, LayerNorm, Linear, ReLU, Sequential, Sigmoid, Tanh
from minigrad.nn.module import Module
from minigrad.nn.recurrent import GRU, LSTM, RNN
from minigrad.ops.loss import binary_cross_entropy_with_logits, mse
from minigrad.ops.loss import softmax_cross_entropy as cross_entropy

__all__ = [
    "GELU", "GRU", "LSTM", "RNN", "AvgPool2d", "Conv2d", "Dropout", "Embedding", "Flatten", "LayerNorm",
    "Linear", "MaxPool2d", "Module", "MultiheadAttention", "ReLU", "Sequential", "Sigmoid", "Tanh",
    "TransformerBlock", "binary_cross_entropy_with_logits", "cross_entropy", "init", "mse",
]  # fmt: skip
