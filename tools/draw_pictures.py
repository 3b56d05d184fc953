"""Draw the pictures of the README and the documentation anew, into docs/pictures.

    python tools/draw_pictures.py

They are committed. Graphviz measures text with the fonts of the computer, so another one may move things by a pixel.
"""

from __future__ import annotations

from pathlib import Path

import minigrad as mg

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"


def expression() -> mg.Node:
    """f(x, y) = 2x + x y^3 + sin x at (3, 5), after backward: df/dx = 126.01, df/dy = 225."""
    x, y = mg.Variable(3.0, name="x"), mg.Variable(5.0, name="y")
    f = 2 * x + x * y**3 + mg.sin(x)
    f.name = "f"
    f.backward()
    return f


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    print("wrote", mg.draw(expression()).save(FOLDER / "graph.svg"))


if __name__ == "__main__":
    main()
