"""Drag in a plane of codes, and the picture morphs as the decoder sees those two numbers.

The pad is a piece of HTML with its script inside (live_code.js). It brings a sheet of decoded pictures, a grid over the
plane, and blends the four around the point. So it works in a saved notebook and in an exported page, without a
kernel and without a network. In a running notebook the kernel decodes the very code, and its picture takes the
place of the blend. Where no script may run, the sheet is there to look at.
"""

from __future__ import annotations

import base64
import contextlib
import io
import itertools
import json
import math
import uuid
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.live_screen import in_notebook
from minigrad_course.viz.page import FIGURE_STYLE
from minigrad_course.viz.pictures_of_weights import output

HINT = "Drag in the plane, or focus it and use the arrow keys (Shift: larger steps, Home: the middle)."
MOST_NAMES = 150  # codes of known pictures that are labelled in the plane
CLASSES = (  # each readable on white, and as distinct from the others as possible
    "#0072B2", "#A84300", "#00704F", "#9C2A7A", "#8A6100", "#1F2933", "#B00040", "#5B3FBF", "#3E6600", "#00707A",
)  # fmt: skip
SCRIPT = Path(__file__).with_name("live_code.js")

# The kernel's end: a model without a view. The page sees three events: listening, a question, and its answer.
LINK = """
export default {
  initialize({ model }) {
    const pad = model.get("pad");
    const ask = ({ detail }) => { if (detail.pad === pad) model.send(detail); };
    document.addEventListener("minigrad-code-asked", ask);
    model.on("msg:custom", (answer, buffers) => {
      const view = buffers[0], greys = new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength);
      document.dispatchEvent(new CustomEvent("minigrad-code-answered", { detail: { ...answer, pad, greys } }));
    });
    document.dispatchEvent(new CustomEvent("minigrad-code-listening", { detail: { pad } }));
    return () => document.removeEventListener("minigrad-code-asked", ask);
  },
};
"""

STYLE = """
.mg-pad { color: var(--jp-content-font-color1, inherit); font: 14px/1.4 var(--jp-ui-font-family, sans-serif); }
.mg-pad .mg-row { display: flex; flex-wrap: wrap; gap: 24px; align-items: center; padding: 4px; }
.mg-pad .mg-plane { position: relative; width: 390px; max-width: 100%; aspect-ratio: 1;
  cursor: crosshair; touch-action: none; user-select: none; background: white; border-radius: 4px; }
.mg-pad .mg-plane:focus-visible { outline: 3px solid #E69F00; outline-offset: 2px; }
.mg-pad .mg-plane img { width: 100%; height: 100%; margin: 0; display: block; opacity: .2; pointer-events: none; }
.mg-pad .mg-name { position: absolute; transform: translate(-50%, -50%); font-weight: bold; font-size: 14px;
  text-shadow: 0 0 2px white, 0 0 2px white; pointer-events: none; }
.mg-pad .mg-marker { position: absolute; width: 18px; height: 18px; margin: -12px 0 0 -12px; border: 3px solid #D55E00;
  border-radius: 50%; box-shadow: 0 0 0 2px white, inset 0 0 0 2px white; pointer-events: none; }
.mg-pad canvas:not([hidden]) { width: 224px; height: 224px; image-rendering: pixelated; background: white;
  border: 1px solid #888; }
.mg-pad .mg-spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
"""


class CodePad:
    """A plane of codes to drag in, and beside it the picture that `decode` makes of the code. Shows itself.

    decode: a module or a function of a node, from codes (n, 2) to pictures (n, pixels) or (n, height, width), 0 for
    paper and 1 for ink. low, high: the corners of the plane, a number or a pair; those of `codes` if not said, else -3
    and 3. codes, labels: codes (n, 2) of known pictures and what they are; they are written into the plane, at most
    150, and the text says which is nearest. grid: the sheet has grid x grid pictures. kernel: False to do without.

    Pointer: press and drag. Keys, when the plane has the focus: arrows, with Shift in larger steps; Home: the middle.
    Raises ImportError without matplotlib, ValueError for shapes that do not fit.
    """

    def __init__(
        self,
        decode: Callable[[Any], Any],
        low: float | Sequence[float] | None = None,
        high: float | Sequence[float] | None = None,
        *,
        codes: Any = None,
        labels: Sequence[Any] | None = None,
        grid: int = 15,
        kernel: bool = True,
    ):
        plots.need_matplotlib()
        self.codes = np.empty((0, 2)) if codes is None else np.asarray(codes, dtype=np.float64)
        if self.codes.ndim != 2 or self.codes.shape[1] != 2:
            raise ValueError(f"codes are pairs of numbers, an array (n, 2); got the shape {self.codes.shape}")
        self.labels = [] if labels is None else [str(label) for label in labels]
        if len(self.codes) != len(self.labels):
            raise ValueError(f"each code needs a label: got {len(self.codes)} codes and {len(self.labels)} labels")
        if grid < 2:
            raise ValueError(f"the sheet has at least 2 x 2 pictures, got grid={grid}")
        self.low, self.high = _corner(low, self.codes, np.min, -3.0), _corner(high, self.codes, np.max, 3.0)
        if not (self.low < self.high).all():
            raise ValueError(f"the plane reaches from low to high, got low={low} and high={high}")
        self._decode, self._kernel, self._link = decode, kernel, None
        self._pad = f"pad{uuid.uuid4().hex[:12]}"
        across, down = (np.linspace(a, b, grid) for a, b in zip(self.low, self.high, strict=True))
        points = np.stack(np.meshgrid(across, down[::-1]), axis=-1).reshape(-1, 2)
        pictures = self.decode(points)
        self.sheet = pictures.reshape(grid, grid, *pictures.shape[1:])

    def decode(self, codes: Any) -> np.ndarray:
        """Decode codes (n, 2) to pictures (n, height, width) in [0, 1]."""
        codes = np.asarray(codes, dtype=np.float32)
        made = output(self._decode, codes)
        if made.ndim == 2 and math.isqrt(made.shape[1]) ** 2 == made.shape[1]:
            made = made.reshape(len(made), math.isqrt(made.shape[1]), -1)
        if made.ndim != 3 or len(made) != len(codes):
            raise ValueError(
                f"decode takes codes (n, 2) to square pictures (n, pixels) or to (n, height, width); "
                f"of codes {codes.shape} it made {made.shape}"
            )
        return np.clip(np.nan_to_num(made), 0, 1)

    @property
    def png(self) -> bytes:
        """Return the sheet of decoded pictures: the first number of the code from left to right, the second upwards."""
        from PIL import Image

        grid, _, height, width = self.sheet.shape
        sheet = _greys(self.sheet).transpose(0, 2, 1, 3).reshape(grid * height, grid * width)
        file = io.BytesIO()
        Image.fromarray(sheet).save(file, "png", optimize=True)
        return file.getvalue()

    def sentence(self) -> str:
        """Describe the picture in words."""
        low, high = (f"({x:.3g}, {y:.3g})" for x, y in (self.low, self.high))
        grid = len(self.sheet)
        known = f" Known codes written into it: {len(self.codes)}." if len(self.codes) else ""
        return (
            f"{grid} by {grid} pictures decoded from codes between {low}, at the lower left, and {high}, "
            f"at the upper right.{known}"
        )

    @property
    def html(self) -> str:
        """Return the pad as self-contained HTML."""
        numbers = {
            "pad": self._pad, "low": self.low.tolist(), "high": self.high.tolist(), "grid": len(self.sheet),
            "shape": self.sheet.shape[2:], "codes": self.codes.round(4).tolist(), "labels": self.labels,
            "names": self._names(), "hint": HINT,
        }  # fmt: skip
        script = SCRIPT.read_text(encoding="utf-8").replace("__NUMBERS__", json.dumps(numbers).replace("<", "\\u003c"))
        source = f"data:image/png;base64,{base64.b64encode(self.png).decode()}"
        height, width = self.sheet.shape[2:]
        return (
            f'<div class="mg-pad" data-minigrad-pad="{self._pad}"><style>{STYLE}{FIGURE_STYLE}</style>'
            '<div class="mg-row">'
            f'<div class="mg-plane" tabindex="0" role="application" aria-label="A plane of codes. {HINT}" '
            f'data-lm-suppress-shortcuts="true"><img width="390" src="{source}" alt="{escape(self.sentence())}">'
            '<span class="mg-marker"></span></div>'
            f'<canvas width="{width}" height="{height}" role="img" aria-label="The decoded picture" hidden></canvas>'
            "</div>"
            f'<div class="mg-words">{escape(self.sentence())}</div><div class="mg-hint"></div>'
            '<div class="mg-spoken" aria-live="polite"></div></div>'
            f"<script>{script}</script>"
        )

    def _names(self) -> list[tuple[str, float, float, str]]:
        """Return labels, the positions of their codes in percent from the left and the top, and their classes' colours.

        A selection if there are too many.
        """
        colours = dict(zip(sorted(set(self.labels)), itertools.cycle(CLASSES)))
        picked = np.linspace(0, len(self.codes) - 1, min(len(self.codes), MOST_NAMES)).astype(int)
        grid = len(self.sheet)
        places = ((self.codes[picked] - self.low) / (self.high - self.low) * (grid - 1) + 0.5) / grid * 100
        return [
            (name, round(x, 1), round(100 - y, 1), colours[name])
            for (x, y), name in zip(places, (self.labels[k] for k in picked), strict=True)
            if 0 <= x <= 100 and 0 <= y <= 100
        ]

    def __repr__(self) -> str:
        return f"<CodePad: {self.sentence()}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self._kernel and self._link is None and in_notebook():
            with contextlib.suppress(ImportError):  # without anywidget the pad keeps blending
                self._link = self._listen()
        return {"text/html": self.html, "image/png": self.png, "text/plain": repr(self)}

    def _listen(self) -> Any:
        import anywidget
        import traitlets

        class Link(anywidget.AnyWidget):
            _esm = LINK
            pad = traitlets.Unicode(self._pad).tag(sync=True)

        link = Link()
        link.on_msg(self._answer)
        return link

    def _answer(self, link: Any, question: dict[str, Any], buffers: Any) -> None:
        greys = _greys(self.decode([question["code"]]))[0]
        link.send({"question": question["question"], "code": question["code"]}, [greys.tobytes()])


def _greys(ink: np.ndarray) -> np.ndarray:
    return np.round(255 * (1 - ink)).astype(np.uint8)


def _corner(value: Any, codes: np.ndarray, extreme: Callable[..., Any], default: float) -> np.ndarray:
    if value is None:
        value = extreme(codes, axis=0) if len(codes) else default
    corner = np.broadcast_to(np.asarray(value, dtype=np.float64), (2,))
    return np.array(corner)
