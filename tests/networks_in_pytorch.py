"""The networks of networks.py as PyTorch writes them, with their losses."""

import torch

from tests.networks import squares


class RowReader(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.dense = torch.nn.RNN(196, 64, batch_first=True), torch.nn.Linear(64, 10)

    def forward(self, x):
        return self.dense(self.rnn(x.reshape(len(x), 4, 196))[0][:, -1])


class Pictures(torch.nn.Sequential):
    def forward(self, x):
        return super().forward(x.reshape(len(x), 1, 28, 28))


def lenet():
    t = torch.nn
    return Pictures(
        t.Conv2d(1, 6, 3), t.ReLU(), t.MaxPool2d(2), t.Conv2d(6, 16, 3), t.ReLU(), t.MaxPool2d(2), t.Flatten(),
        t.Linear(400, 84), t.ReLU(), t.Linear(84, 10),
    )  # fmt: skip


def autoencoder():
    t = torch.nn
    return t.Sequential(
        t.Linear(784, 300), t.Sigmoid(), t.Linear(300, 100), t.Sigmoid(), t.Linear(100, 784, bias=False), t.Sigmoid()
    )


NETWORKS = {
    "RNN": (RowReader, torch.nn.functional.cross_entropy),
    "CNN": (lenet, torch.nn.functional.cross_entropy),
    "autoencoder": (autoencoder, squares),
}
