"""Draw the pictures of the README and the documentation anew, into docs/pictures.

    python tools/draw_pictures.py

They are committed. Graphviz measures text with the fonts of the computer, so another one may move things by a pixel.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad_course.viz import Picture

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"


def expression() -> mg.Node:
    """f(x, y) = 2x + x y^3 + sin x at (3, 5), after backward: df/dx = 126.01, df/dy = 225."""
    x, y = mg.Variable(3.0, name="x"), mg.Variable(5.0, name="y")
    f = 2 * x + x * y**3 + mg.sin(x)
    f.name = "f"
    f.backward()
    return f


def adjoint_graph() -> list[mg.Node]:
    """The adjoints of x and y in sin(x y)."""
    x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
    return mg.adjoints(mg.sin(x * y), [x, y])


class Convolutional(nn.Module):
    """A small LeNet."""

    def __init__(self) -> None:
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 3, rng=0), nn.Conv2d(6, 16, 3, rng=1)
        self.pool = nn.MaxPool2d(2)
        self.dense1, self.dense2 = nn.Linear(400, 84, rng=2), nn.Linear(84, 10, rng=3)

    def forward(self, x: mg.Node) -> mg.Node:
        x = self.pool(mg.relu(self.conv1(x)))
        x = self.pool(mg.relu(self.conv2(x)))
        return self.dense2(mg.relu(self.dense1(mg.reshape(x, x.shape[0], -1))))


def loss_of(network: nn.Module, shape: tuple[int, ...]) -> mg.Node:
    """The loss of a network on noise, after backward."""
    images = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    loss = nn.cross_entropy(network(mg.Constant(images, name="images")), np.arange(shape[0]) % 10)
    loss.name = "loss"
    loss.backward()
    return loss


def pictures() -> dict[str, Picture]:
    return {
        "graph": mg.draw(expression()),
        "adjoints": mg.draw(adjoint_graph()),
        "lenet": mg.draw(loss_of(Convolutional(), (10, 1, 28, 28)), fold=True),
    }


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        print("wrote", picture.save(FOLDER / f"{name}.svg"))


if __name__ == "__main__":
    main()
