"""Attention between letters: a text whose letters light up by the share that one position gives each of them.

`looks` shows the shares of attention, (heads, steps, steps), over the text that they belong to, a row for each head.
Point at a letter, or move with the arrow keys, and each row shows where its head looks from there.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.viz import plots

if TYPE_CHECKING:
    from minigrad.core.arrays import ArrayLike

RGB = tuple(int(plots.BLUE[k : k + 2], 16) for k in (1, 3, 5))


def shown(letter: str) -> str:
    """Return a letter in visible form: spaces and line breaks have signs of their own."""
    return {" ": "␣", "\n": "↵"}.get(letter, letter)


class Looks:
    """The shares of attention over a text. Shows itself: alive in a page, and as a still picture elsewhere.

    letters: a text, or a word for each position. shares: (heads, steps, steps) or (steps, steps); row i says how much
    position i takes from each position. The last one looks at first. Raises ValueError where shapes do not match, or a
    row does not add up to 1.
    """

    def __init__(self, letters: Sequence[str], shares: ArrayLike):
        self.letters = list(letters)
        shares = np.asarray(getattr(shares, "value", shares), dtype=float)
        self.shares = shares[None] if shares.ndim == 2 else shares
        n = len(self.letters)
        if self.shares.ndim != 3 or self.shares.shape[1:] != (n, n) or not n:
            raise ValueError(f"{n} letters have shares of shape (heads, {n}, {n}), got {shares.shape}")
        if not np.allclose(self.shares.sum(axis=2), 1, atol=1e-3):
            raise ValueError("the shares that a position gives to all positions add up to 1, and these do not")

    def sentence(self, position: int) -> str:
        """Describe in words where each head attends most from a position, counted from 0; -1 is the last."""
        position %= len(self.letters)
        parts = []
        for k, head in enumerate(self.shares, 1):
            most = int(head[position].argmax())
            back = position - most
            place = "itself" if back == 0 else f"{abs(back)} {'back' if back > 0 else 'ahead'}"
            parts.append(f"head {k}: “{shown(self.letters[most])}”, {place} ({100 * head[position, most]:.0f} %)")
        return f"From letter {position + 1}, “{shown(self.letters[position])}”, looks most at: {'; '.join(parts)}."

    def __repr__(self) -> str:
        return self.sentence(-1)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"text/html": self.html, "image/png": self.picture, "text/plain": repr(self)}

    @property
    def picture(self) -> bytes:
        """Draw all shares at once: a square for each head, a row for each querying position."""
        n, heads = len(self.letters), len(self.shares)
        figure = plots.sheet(max(2.6 * heads, 4.0), 3.0)
        with plots.style():
            for k, axes in enumerate(np.atleast_1d(figure.subplots(1, heads))):
                axes.imshow(self.shares[k], cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
                axes.grid(False)
                axes.set(title=f"head {k + 1}", xlabel="is looked at")
                if n <= 40:
                    marks = [shown(letter) for letter in self.letters]
                    axes.set_xticks(range(n), marks, fontsize=6)
                    axes.set_yticks(range(n), marks, fontsize=6)
            figure.axes[0].set_ylabel("looks")
        return plots.png(figure)

    def _row(self, head: int) -> str:
        cells = []
        for k, letter in enumerate(self.letters):
            share = self.shares[head, -1, k]
            edge = "outline:2px solid #D55E00;" if k == len(self.letters) - 1 else ""
            cells.append(
                f'<span data-k="{k}" style="display:inline-block;min-width:.8em;padding:2px 1px;text-align:center;'
                f'cursor:pointer;{edge}background:{self._colour(share)}">{escape(shown(letter))}</span>'
            )
        return f'<div class="head"><b>head {head + 1}</b> {"".join(cells)}</div>'

    @staticmethod
    def _colour(share: float) -> str:
        return f"rgba({RGB[0]},{RGB[1]},{RGB[2]},{min(1.0, share) ** 0.5 * 0.75:.3f})"

    @property
    def html(self) -> str:
        """Return the rows as self-contained HTML; without scripts it shows the first position."""
        name = f"looks{uuid.uuid4().hex[:12]}"
        shares = json.dumps(np.round(self.shares, 3).tolist())
        sentences = json.dumps([self.sentence(k) for k in range(len(self.letters))])
        script = f"""(() => {{
const box = document.getElementById("{name}"), shares = {shares}, said = {sentences};
const rows = [...box.querySelectorAll(".head")].map((row) => [...row.querySelectorAll("span")]);
const words = box.querySelector("p");
let now = said.length - 1;
function look(i) {{
  now = Math.max(0, Math.min(said.length - 1, i));
  rows.forEach((row, h) => row.forEach((cell, k) => {{
    const strength = (Math.sqrt(Math.min(1, shares[h][now][k])) * 0.75).toFixed(3);
    cell.style.background = `rgba({RGB[0]},{RGB[1]},{RGB[2]},${{strength}})`;
    cell.style.outline = k === now ? "2px solid #D55E00" : "none";
  }}));
  words.textContent = said[now];
}}
box.addEventListener("pointerover", (event) => {{
  if (event.target.dataset.k !== undefined) look(Number(event.target.dataset.k));
}});
box.addEventListener("keydown", (event) => {{
  const step = {{ArrowLeft: -1, ArrowRight: 1}}[event.key];
  if (step) {{ look(now + step); event.preventDefault(); event.stopPropagation(); }}
}});
}})();"""
        rows = "".join(self._row(head) for head in range(len(self.shares)))
        return (
            f'<div id="{name}" tabindex="0" role="group" data-lm-suppress-shortcuts="true" '
            'aria-label="attention, letter by letter; arrow keys move" '
            f'style="font-family:monospace;line-height:2;padding:6px">{rows}'
            '<p aria-live="polite" style="font-family:sans-serif;line-height:1.4">'
            f"{escape(self.sentence(-1))}</p></div>"
            f"<script>{script}</script>"
        )


looks = Looks  # as a lesson calls it
