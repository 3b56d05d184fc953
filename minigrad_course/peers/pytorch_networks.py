"""The course's networks in PyTorch. Only the process that trains them imports this file.

Each is built from its initial weights, which give its size. Their names are those of its minigrad twin, or else they
stand in the order of its layers (`renamed`). One with a `loss` of its own is trained by that, the others by the
cross-entropy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch


class Autoencoder(torch.nn.Module):
    """The essay's network: linear layers and sigmoids, in the encoder with biases, in the decoder without."""

    def __init__(self, weights: Mapping[str, np.ndarray]):
        super().__init__()
        layers: dict[bool, list[torch.nn.Module]] = {True: [], False: []}
        for name in [name for name in weights if name.endswith("weight")]:
            outputs, inputs = weights[name].shape
            bias = name.replace("weight", "bias") in weights
            layers[bias] += [torch.nn.Linear(inputs, outputs, bias=bias), torch.nn.Sigmoid()]
        self.encoder, self.decoder = (torch.nn.Sequential(*layers[bias]) for bias in (True, False))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decoder(self.encoder(x))

    @staticmethod
    def loss(output: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (output - y).square().sum()


class CNN(torch.nn.Module):
    """Paper C's network: convolution, ReLU and max pooling, twice; then two dense layers."""

    def __init__(self, weights: Mapping[str, np.ndarray]):
        super().__init__()
        one, two, three, four = (value.shape for value in weights.values() if value.ndim > 1)
        self.conv1 = torch.nn.Conv2d(one[1], one[0], one[2:])
        self.conv2 = torch.nn.Conv2d(two[1], two[0], two[2:])
        self.dense1, self.dense2 = torch.nn.Linear(*three[::-1]), torch.nn.Linear(*four[::-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.reshape(-1, 1, 28, 28)
        x = torch.nn.functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = torch.nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.dense2(torch.relu(self.dense1(x.flatten(1))))


class RNN(torch.nn.Module):
    """Paper B's network: a picture read in strips by recurrent layers (tanh), and a dense layer on the last state."""

    def __init__(self, weights: Mapping[str, np.ndarray]):
        super().__init__()
        hidden, self.strip = weights["rnn.weight_ih_l0"].shape
        layers = sum(name.startswith("rnn.weight_hh") for name in weights)
        self.rnn = torch.nn.RNN(self.strip, hidden, layers, batch_first=True)
        self.dense = torch.nn.Linear(hidden, len(weights["dense.bias"]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        states, _ = self.rnn(x.reshape(len(x), -1, self.strip))
        return self.dense(states[:, -1])


class MLP(torch.nn.Sequential):
    """Linear layers with tanh between them, named "0", "2", ... as in a Sequential."""

    def __init__(self, weights: Mapping[str, np.ndarray]):
        shapes = [weights[f"{k}.weight"].shape for k in range(0, len(weights), 2)]
        layers: list[torch.nn.Module] = []
        for outputs, inputs in shapes:
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.Tanh()]
        super().__init__(*layers[:-1])


class Sequences(torch.nn.Module):
    """A recurrent layer and a dense layer on its last state, trained with a mean squared error.

    The layer is an RNN, a GRU or an LSTM, by the number of row blocks in its weights: one, three or four.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]):
        super().__init__()
        rows, hidden = weights["layer.weight_hh_l0"].shape
        kind = {1: torch.nn.RNN, 3: torch.nn.GRU, 4: torch.nn.LSTM}[rows // hidden]
        self.layer = kind(weights["layer.weight_ih_l0"].shape[1], hidden, batch_first=True)
        self.dense = torch.nn.Linear(hidden, len(weights["dense.bias"]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        states, _ = self.layer(x)
        return self.dense(states[:, -1])

    @staticmethod
    def loss(output: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.mse_loss(output, y)


class GPT(torch.nn.Module):
    """Lesson 16's network: embeddings of letters and positions, causal attention blocks, a score for each next letter.

    The number of heads does not show in the shapes of the weights: there are four, as in the lesson.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]):
        super().__init__()
        letters, size = weights["letters.weight"].shape
        self.letters = torch.nn.Embedding(letters, size)
        self.places = torch.nn.Embedding(len(weights["places.weight"]), size)
        blocks: list[torch.nn.Module] = []
        while f"blocks.{len(blocks)}.linear1.bias" in weights:
            inner = len(weights[f"blocks.{len(blocks)}.linear1.bias"])
            blocks.append(
                torch.nn.TransformerEncoderLayer(size, 4, inner, 0.0, "gelu", batch_first=True, norm_first=True)
            )
        self.blocks = torch.nn.ModuleList(blocks)
        self.norm = torch.nn.LayerNorm(size)
        self.scores = torch.nn.Linear(size, letters, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        steps = x.shape[1]
        later = torch.ones(steps, steps, dtype=torch.bool).triu(1)
        h = self.letters(x) + self.places.weight[:steps]
        for block in self.blocks:
            h = block(h, src_mask=later, is_causal=True)
        return self.scores(self.norm(h))

    @staticmethod
    def loss(output: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(output.flatten(0, 1), y.flatten())


NETWORKS: dict[str, Any] = {
    "autoencoder": Autoencoder, "cnn": CNN, "gpt": GPT, "mlp": MLP, "rnn": RNN, "sequences": Sequences,
}  # fmt: skip


def renamed(model: torch.nn.Module, weights: Mapping[str, Any]) -> dict[str, str]:
    """Map the names of weights to those of the model: the same ones, or else those in the same order."""
    names = list(model.state_dict())
    return {name: name for name in names} if set(names) == set(weights) else dict(zip(weights, names, strict=True))
