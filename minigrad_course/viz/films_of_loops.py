"""The gradient on its way back through a loop: the states from left to right, their adjoints from right to left, and
the share that each step adds to the weight that all steps use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.core.graph import Operator, Variable
from minigrad.core.rules import tanh
from minigrad_course.viz.film import Film, arrow, number

WIDTH, TOP, BAR = 640.0, 60.0, 110.0  # the drawing, where its bars begin, and the longest of them
MOST = 10


def animate_loop(xs: Sequence[float], w: float, u: float) -> Film:
    """Animate h_t = tanh(w x_t + u h_{t-1}): from 0 forward over `xs`, then back from the last state.

    Bars are values (blue) and adjoints (orange): above the line positive, below negative. The numbers are those of
    minigrad's graph, with a copy of u for each step, so that each share of ū is there to read. Raises ValueError for no
    step, or more than ten.
    """
    if not 1 <= len(xs) <= MOST:
        raise ValueError(f"a film of a loop has 1 to {MOST} steps, got {len(xs)}")
    states, adjoints, shares = _run(xs, w, u)
    n = len(xs)
    wide = (WIDTH - 150) / n
    at = [88 + wide * (t + 0.5) for t in range(n)]  # of state t + 1
    before = [0.0, *states[:-1]]
    factors = [u * (1 - state**2) for state in states]  # from the adjoint of a state to that of the previous one
    largest = {"value": max(np.abs(states).max(), 1e-12), "adjoint": np.abs(adjoints).max()}

    # The baseline of the bars; negative bars hang below it.
    everything = [*(x / largest["value"] for x in states), *(x / largest["adjoint"] for x in adjoints)]
    middle = TOP + BAR * max(0.0, *everything)
    names = middle - BAR * min(0.0, *everything) + 26
    base = names + 78  # of the bar of u's adjoint
    film = Film(
        f"A gradient goes back through {n} step{'s' if n > 1 else ''}, u = {number(u)}", WIDTH, base + 34, pace=1400
    )
    film.add("line", x1=16, y1=middle, x2=WIDTH - 16, y2=middle, of="edge")
    film.add("text", of="start small value", x=16, y=22, text="value h")
    film.add("text", of="start small adjoint", x=16, y=40, text="adjoint h̄")
    film.add("text", of="start small grey", x=16, y=names + 22, text="factor")
    for t in range(n):
        x = at[t]
        if t:
            film.add("path", of="grey", d=arrow(at[t - 1] + 22, middle, x - 22, middle, 7))
        film.add("rect", f"value{t}", "value soft", x=x - 17, y=middle, width=16, height=0)
        film.add("rect", f"adjoint{t}", "adjoint soft", x=x + 1, y=middle, width=16, height=0)
        film.add("text", f"name{t}", "bare grey", x=x, y=names, text=f"h{_low(t + 1)}")
        film.add("text", f"factor{t}", "small adjoint bare", x=x - wide / 2, y=names + 22, text="")
    film.add("circle", "token", "adjoint full", cx=at[-1], cy=middle, r=0)

    # The adjoint of u: a bar for the sum, which grows share by share.
    zero = 88 + (WIDTH - 176) / 2
    sums = np.cumsum([shares[t] for t in reversed(range(n))])  # in the order in which they arrive
    longest = max(np.abs(sums).max(), 1e-12)
    film.add("line", x1=zero, y1=base - 18, x2=zero, y2=base + 18, of="edge")
    film.add("text", of="start bold adjoint", x=16, y=base, text="ū")
    film.add("rect", "sum", "adjoint soft", x=zero, y=base - 11, width=0, height=22)
    film.add("rect", "share", "adjoint full", x=zero, y=base - 11, width=0, height=22, opacity=0)
    film.add("text", "total", "bold adjoint end", x=WIDTH - 16, y=base, text="0")

    def bar(kind: str, t: int, value: float) -> dict[str, Any]:
        high = BAR * value / largest[kind]
        return {"y": middle - max(high, 0), "height": abs(high)}

    film.chapter("Forward")
    for t in range(n):
        sentence = f"h{_low(t + 1)} = tanh(w·x{_low(t + 1)} + u·h{_low(t)}) = tanh({number(w)}·{_held(xs[t])} + "
        sentence += f"{number(u)}·{_held(before[t])}) = {number(states[t], 4)}"
        changes = {f"value{t}": bar("value", t, states[t])}
        film.step(f"{sentence}.", **changes, **{f"name{t}": {"class": "bare bold"}})
    film.chapter("Backward")
    film.step(
        f"Only the last state counts: its adjoint is h̄{_low(n)} = 1.",
        token={"r": 7, "cx": at[-1]},
        **{f"adjoint{n - 1}": bar("adjoint", n - 1, 1.0)},
    )
    width = (WIDTH - 176) / 2
    for k, t in enumerate(reversed(range(n))):
        old, new = (sums[k - 1] if k else 0.0), sums[k]
        low, high = sorted((old, new))
        place, step = _low(t + 1), t + 1
        film.step(
            f"Step {step} leaves its share with u: h̄{place}·(1 − h{place}²)·h{_low(t)} = "
            f"{number(adjoints[t], 4)}·{number(1 - states[t] ** 2, 4)}·{_held(before[t], 4)} = {number(shares[t], 4)}. "
            f"ū is now {number(new, 4)}.",
            sum={"x": zero + width * min(new, 0) / longest, "width": width * abs(new) / longest},
            share={"x": zero + width * low / longest, "width": width * (high - low) / longest, "opacity": 0.55},
            total={"text": number(new, 4)},
        )
        if t:
            film.step(
                f"One step back: h̄{_low(t)} = u·(1 − h{place}²)·h̄{place} = {number(factors[t], 4)}·"
                f"{number(adjoints[t], 4)} = {number(adjoints[t - 1], 4)}. "
                + ("It has become smaller." if abs(factors[t]) < 1 else "It has not become smaller."),
                token={"cx": at[t - 1]},
                share={"opacity": 0},
                **{f"adjoint{t - 1}": bar("adjoint", t - 1, adjoints[t - 1])},
                **{f"factor{t}": {"text": f"× {number(factors[t], 2)}"}},
            )
    return film


def _run(xs: Sequence[float], w: float, u: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute states, their adjoints, and the shares of ū with the graph."""
    copies = [Variable(float(u)) for _ in xs]
    state: Any = Variable(0.0)
    states: list[Operator] = []
    for x, copy in zip(xs, copies, strict=True):
        state = tanh(float(w) * float(x) + copy * state)
        states.append(state)
    states[-1].backward()
    results = [[one.value for one in states], [one.adjoint for one in states], [copy.grad for copy in copies]]
    values, adjoints, shares = (np.array(one, dtype=float) for one in results)
    return values, adjoints, shares


def _held(value: float, digits: int = 3) -> str:
    """Format a number as a factor, in brackets if it is negative."""
    return f"({number(value, digits)})" if value < 0 else number(value, digits)


def _low(k: int) -> str:
    return str(k).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
