"""A filter slides over a picture, and its adjoint slides back: given out window by window, and collected by the filter
turned round. Both ways lead to the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad_course.viz.film import Film, number

CELL, GAP, FRAME, TOP = 32.0, 34.0, 10.0, 44.0
MOST = 7


def animate_adjoint(x: ArrayLike, w: ArrayLike, y_bar: Any) -> Film:
    """A film of a convolution and its way back: y from x and the filter w, then x̄ from ȳ, in two ways.

    x: (rows, columns), w: a smaller square, y_bar: the adjoint of each output. The first way back gives each ȳ to the
    pixels that it came from; the second collects for each pixel, with the filter turned by half a turn. The numbers
    are worked out here, window by window, and not by `mg.conv2d`, so one can be held against the other. Raises
    ValueError where the shapes do not fit, or would be too small to read.
    """
    x, w, y_bar = (np.asarray(one, dtype=float) for one in (x, w, y_bar))
    rows, columns = x.shape
    side = len(w)
    if w.shape != (side, side) or y_bar.shape != (rows - side + 1, columns - side + 1) or max(rows, columns) > MOST:
        raise ValueError(
            f"a film of a convolution takes x of up to {MOST} by {MOST}, a square filter, an adjoint for each output; "
            f"got {x.shape}, {w.shape} and {y_bar.shape}"
        )
    out_rows, out_columns = y_bar.shape
    pad = side - 1
    lefts = np.cumsum([FRAME, columns * CELL + GAP, side * CELL + GAP])
    width = lefts[2] + (out_columns + 2 * pad) * CELL + FRAME
    high = TOP + (out_rows + 2 * pad) * CELL + FRAME
    middle = high / 2 + TOP / 2 - FRAME / 2
    tops = [middle - k * CELL / 2 for k in (rows, side, out_rows + 2 * pad)]
    film = Film("A convolution, and its adjoint on the way back", width, high, pace=700)

    def cell(grid: int, row: int, column: int) -> tuple[float, float]:
        return lefts[grid] + CELL * column, tops[grid] + CELL * row

    def board(grid: int, name: str, shape: tuple[int, int], of: str, shift: int = 0) -> None:
        for r, q in np.ndindex(shape):
            a, b = cell(grid, r + shift, q + shift)
            film.add("rect", f"{name}box{r},{q}", "edge", x=a, y=b, width=CELL, height=CELL)
        for r, q in np.ndindex(shape):
            a, b = cell(grid, r + shift, q + shift)
            film.add("text", f"{name}{r},{q}", of, x=a + CELL / 2, y=b + CELL / 2, text="")

    frame = range(out_rows + 2 * pad), range(out_columns + 2 * pad)
    for r in frame[0]:
        for q in frame[1]:
            if not (pad <= r < pad + out_rows and pad <= q < pad + out_columns):
                a, b = cell(2, r, q)
                film.add("text", f"zero{r},{q}", "small grey", x=a + CELL / 2, y=b + CELL / 2, text="0", opacity=0)
    board(0, "x", x.shape, "value")
    board(1, "w", w.shape, "bold")
    board(2, "y", y_bar.shape, "value", pad)
    titles = ("left", columns, "x"), ("filter", side, "filter w"), ("right", out_columns + 2 * pad, "y")
    for grid, (name, wide, text) in enumerate(titles):
        a = lefts[grid] + CELL * wide / 2
        film.add("text", f"{name}title", "bold", x=a, y=tops[grid] - 16, text=text)
    for name in ("from", "to"):
        film.add("rect", name, "value thick", x=FRAME, y=TOP, width=CELL, height=CELL, rx=4, opacity=0)

    def window(name: str, grid: int, row: int, column: int, size: int, of: str) -> dict[str, dict[str, Any]]:
        a, b = cell(grid, row, column)
        wide = CELL * size
        return {name: {"x": a, "y": b, "width": wide, "height": wide, "opacity": 1, "class": f"{of} thick"}}

    def numbers(name: str, array: np.ndarray, of: str) -> dict[str, dict[str, Any]]:
        return {f"{name}{r},{q}": {"text": _whole(float(array[r, q])), "class": of} for r, q in np.ndindex(array.shape)}

    outputs = list(np.ndindex(y_bar.shape))
    empty = {f"y{r},{q}": {"text": ""} for r, q in outputs}
    film.chapter("Forward")
    film.step(
        "A picture and a filter. The filter will lie on each window of the picture once.",
        **numbers("x", x, "value"), **numbers("w", w, "bold"), **empty,
    )  # fmt: skip
    for r, q in outputs:
        products = x[r : r + side, q : q + side] * w
        terms = " + ".join(
            f"{_whole(a)}·{_held(b)}" for a, b in zip(x[r : r + side, q : q + side].flat, w.flat, strict=True) if b
        )
        film.step(
            f"The window at ({r}, {q}): {terms} = {_whole(products.sum())}.",
            **window("from", 0, r, q, side, "value"), **window("to", 2, r + pad, q + pad, 1, "value"),
            **{f"y{r},{q}": {"text": _whole(products.sum())}},
        )  # fmt: skip

    nothing = {f"x{r},{q}": {"text": "0", "class": "adjoint"} for r, q in np.ndindex(x.shape)}
    backward = {
        "lefttitle": {"text": "x̄", "class": "bold adjoint"},
        "righttitle": {"text": "ȳ", "class": "bold adjoint"},
    }
    hidden = {"from": {"opacity": 0}, "to": {"opacity": 0}}
    film.chapter("Back: given out")
    film.step(
        "Now each output has an adjoint, ȳ. Each gives it to the pixels that it was made of, times the filter's entry "
        "that lay on them.",
        **nothing, **numbers("y", y_bar, "adjoint"), **backward, **hidden,
    )  # fmt: skip
    x_bar = np.zeros_like(x)
    for r, q in outputs:
        x_bar[r : r + side, q : q + side] += y_bar[r, q] * w
        changed = {f"x{a},{b}": {"text": _whole(x_bar[a, b])} for a in range(r, r + side) for b in range(q, q + side)}
        film.step(
            f"Output ({r}, {q}) gives {_whole(y_bar[r, q])} times the filter to its window, on top of what is there.",
            **window("from", 2, r + pad, q + pad, 1, "adjoint"), **window("to", 0, r, q, side, "adjoint"), **changed,
        )  # fmt: skip
    scattered = x_bar.copy()

    film.chapter("Back: collected")
    turned = w[::-1, ::-1]
    moved = {}
    for r, q in np.ndindex(w.shape):
        a, b = cell(1, side - 1 - r, side - 1 - q)
        moved[f"w{r},{q}"] = {"x": a + CELL / 2, "y": b + CELL / 2}
    film.step(
        "The same from the pixel's side. The filter turns by half a turn, and zeros stand around ȳ.",
        **{f"x{r},{q}": {"text": "", "class": "adjoint"} for r, q in np.ndindex(x.shape)}, **moved,
        **{f"zero{r},{q}": {"opacity": 1} for r in frame[0] for q in frame[1]
           if not (pad <= r < pad + out_rows and pad <= q < pad + out_columns)},
        filtertitle={"text": "w, turned"}, **hidden,
    )  # fmt: skip
    padded = np.pad(y_bar, pad)
    for r, q in np.ndindex(x.shape):
        met = padded[r : r + side, q : q + side]
        total = float((met * turned).sum())
        terms = " + ".join(f"{_whole(a)}·{_held(b)}" for a, b in zip(met.flat, turned.flat, strict=True) if a and b)
        film.step(
            f"Pixel ({r}, {q}) collects {terms or 'nothing'}{' = ' + _whole(total) if terms else ''}"
            + (": the same number as before." if np.isclose(total, scattered[r, q]) else "."),
            **window("from", 2, r, q, side, "adjoint"), **window("to", 0, r, q, 1, "adjoint"),
            **{f"x{r},{q}": {"text": _whole(total)}},
        )  # fmt: skip
    return film


def _whole(value: float) -> str:
    return number(value, 3)


def _held(value: float) -> str:
    return f"({_whole(value)})" if value < 0 else _whole(value)
