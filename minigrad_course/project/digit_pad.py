"""A pad to draw a digit on: a small network answers during the drawing, with its derivative by each pixel beside it.

The pad is a piece of HTML with its script and the network's weights inside (digit_pad.js), so it needs no kernel once
loaded, answers as fast as the screen is drawn, and works in a saved notebook. Where no script may run, a picture shows
the same for one digit.
"""

from __future__ import annotations

import base64
import json
import uuid
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.page import FIGURE_STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

SCRIPT = Path(__file__).with_name("digit_pad.js")
STYLE = """
.mg-digits { contain: content; color: var(--jp-content-font-color1, inherit);
  font: 14px/1.4 var(--jp-ui-font-family, sans-serif); }
.mg-digits .mg-row { display: flex; flex-wrap: wrap; gap: 20px; align-items: flex-start; padding: 4px; }
.mg-digits canvas { width: 224px; height: 224px; background: white; border: 1px solid #888; border-radius: 4px; }
.mg-digits .mg-paper { touch-action: none; cursor: crosshair; }
.mg-digits .mg-slopes { image-rendering: pixelated; }
.mg-digits .mg-bars { display: flex; flex-direction: column; width: 160px; }
.mg-digits .mg-bars button { display: flex; align-items: center; gap: 8px; height: 22px; padding: 0 4px; border: 0;
  background: none; color: inherit; font: inherit; cursor: pointer; }
.mg-digits .mg-bars i { flex: 1; height: 12px; background: #0072B2; transform: scaleX(0); transform-origin: left; }
.mg-digits .mg-bars .mg-chosen { font-weight: bold; } .mg-digits .mg-bars .mg-chosen i { background: #D55E00; }
.mg-digits .mg-words { min-height: 1.5em; }
"""


class DigitPad:
    """A pad for a network of two layers, x W + b, relu, h U + c, of 784 pixels and ten logits. Shows itself.

    weights: W (784, hidden), b (hidden,), U (hidden, 10), c (10,). pictures, labels: digits that a button puts on the
    pad, at most 20; one of them is in the still picture. Raises ValueError for shapes that do not fit.
    """

    def __init__(self, weights: Sequence[npt.ArrayLike], pictures: npt.ArrayLike, labels: Iterable[int]):
        self.weights = [np.asarray(w, dtype=np.float64) for w in weights]
        shapes = [w.shape for w in self.weights]
        hidden = shapes[0][-1]
        if shapes != [(784, hidden), (hidden,), (hidden, 10), (10,)]:
            raise ValueError(f"the pad takes weights (784, n), (n,), (n, 10) and (10,); got {shapes}")
        self.pictures = np.asarray(pictures, dtype=np.float64).reshape(-1, 784)[:20]
        self.labels = [int(label) for label in labels][:20]
        self._pad = f"digits{uuid.uuid4().hex[:12]}"

    def answer(self, pixels: np.ndarray, label: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The ten probabilities for a picture; the derivative of log p[label], else of the likeliest, by each pixel."""
        w, b, u, c = self.weights
        h = np.maximum(np.asarray(pixels, dtype=np.float64) @ w + b, 0)
        z = h @ u + c
        p = np.exp(z - z.max())
        p /= p.sum()
        k = int(p.argmax()) if label is None else label
        return p, w @ ((h > 0) * (u[:, k] - u @ p))

    @property
    def html(self) -> str:
        """Return the pad as self-contained HTML."""
        scales = [max(float(np.abs(w).max()), 1e-12) / 32767 for w in self.weights]
        whole = [np.round(w / s).astype("<i2") for w, s in zip(self.weights, scales, strict=True)]
        numbers = {
            "pad": self._pad, "shapes": [self.weights[0].shape, self.weights[2].shape], "scales": scales,
            "weights": [_text(w) for w in whole], "labels": self.labels,
            "samples": [_text(np.round(255 * x).astype(np.uint8)) for x in self.pictures],
        }  # fmt: skip
        script = SCRIPT.read_text(encoding="utf-8").replace("__NUMBERS__", json.dumps(numbers))
        still = base64.b64encode(self.png).decode()
        return (
            f'<div class="mg-digits" data-minigrad-digits="{self._pad}"><style>{STYLE}{FIGURE_STYLE}</style>'
            '<div class="mg-row">'
            '<canvas class="mg-paper" width="280" height="280" role="img" aria-label="Draw a digit here"></canvas>'
            '<div class="mg-bars"></div>'
            '<canvas class="mg-slopes" width="28" height="28" role="img" aria-label="What each pixel says"></canvas>'
            '</div><div class="mg-words" aria-live="polite"></div>'
            '<button type="button" class="mg-clear">Clear</button> '
            '<button type="button" class="mg-sample">Somebody else\'s digit</button> '
            '<button type="button" class="mg-more">More ink on orange</button>'
            f'<noscript><img src="data:image/png;base64,{still}" alt="{escape(self.sentence())}"></noscript></div>'
            f"<script>{script}</script>"
        )

    @property
    def png(self) -> bytes:
        """Draw the still picture: a digit, the network's answer, and the derivative by each pixel."""
        import matplotlib.pyplot as plt

        x = self.pictures[0]
        p, g = self.answer(x)
        figure, axes = plots.canvas(8, 2.6, columns=3)
        axes[0].imshow(x.reshape(28, 28), cmap="gray_r")
        axes[1].barh(range(10), p)
        axes[1].set(yticks=range(10), xlim=(0, 1), title="what it says")
        most = np.abs(g).max() or 1.0
        axes[2].imshow(g.reshape(28, 28), cmap=plots.signed(), vmin=-most, vmax=most)
        axes[0].set_title("a digit")
        axes[2].set_title(f"orange: for {p.argmax()}, blue: against")
        for k in (0, 2):
            axes[k].axis("off")
        made = plots.png(figure)
        plt.close(figure)
        return made

    def sentence(self) -> str:
        """Describe the picture in words."""
        p, _ = self.answer(self.pictures[0])
        return (
            f"A handwritten {self.labels[0]}, which the network takes for a {p.argmax()} with {100 * p.max():.0f} %, "
            "and beside it the derivative of that answer with respect to each of the 784 pixels."
        )

    def __repr__(self) -> str:
        return f"<DigitPad: {self.sentence()}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"text/html": self.html, "image/png": self.png, "text/plain": repr(self)}


def _text(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode()
