"""The page of an engine: what it can do, how it trains beside minigrad and PyTorch, and its graph, in one HTML file."""

from __future__ import annotations

import ast
import copy
import html
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import minigrad as mg
from minigrad_course import data
from minigrad_course.grading.report import as_html
from minigrad_course.project.engine import Engine, load
from minigrad_course.project.judge import judge
from minigrad_course.project.milestones import GRAPHS, TIMES, percent_right
from minigrad_course.project.see import draw
from minigrad_course.viz import plots

EPOCHS, BATCH, RATE = 5, 50, 0.3
STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
svg { max-width: 100%; height: auto; } .numbers { display: flex; flex-wrap: wrap; gap: 2em; }
.numbers b { display: block; font-size: 1.8em; }"""

Run = tuple[list[float], float, float]  # the loss of each step, percent of the test digits, steps per second


def write(source: Path, target: Path) -> Path:
    """Judge an engine, train with it, and write the page."""
    verdict = judge(source)
    text = source.read_text(encoding="utf-8")
    done = all(row.passed for row in verdict.rows if row.test.split()[0] in "1234567")
    training, picture = "<p>Once milestone 7 is done, this page shows how it trains.</p>", ""
    if done:
        engine = load(source)
        training, picture = _training(compete(engine)), _graph(engine)
    tried = [int(row.test.split()[0]) for row in verdict.rows if row.passed and row.test.endswith("random graphs")]
    campaign = GRAPHS * sum(TIMES[milestone] for milestone in tried)
    numbers = {
        "points": f"{verdict.points:g} of {verdict.of:g}",
        "lines of code": str(lines_of_code(text)),
        "random graphs passed": f"{campaign:,}",
    }
    shown = "".join(f"<div><b>{value}</b>{name}</div>" for name, value in numbers.items())
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>My own engine</title><style>{STYLE}</style>'
        f'<h1>My own engine</h1><div class="numbers">{shown}</div>{training}{picture}'
        f"<h2>Its tests</h2>{as_html(verdict)}</html>\n"
    )
    target.write_text(page, encoding="utf-8")
    return target


def lines_of_code(text: str) -> int:
    """Lines that do something: neither empty, nor a comment, nor part of a docstring."""
    said: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            said |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for k, line in lines if k not in said and line.strip() and not line.strip().startswith("#"))


def compete(engine: Engine, epochs: int = EPOCHS) -> dict[str, Run]:
    """The same two layers, first weights and batches: in the learner's engine, minigrad and, where there, PyTorch."""
    digits = data.digits()
    x, y = digits.train_x.astype(float), digits.train_y
    rng = np.random.default_rng(0)
    first, last = engine.Linear(784, 32, rng), engine.Linear(32, 10, rng)
    parameters = [*first.parameters, *last.parameters]
    weights = [np.array(p.value) for p in parameters]
    order = copy.deepcopy(rng)
    orders = [order.permutation(len(x)) for _ in range(epochs)]
    batches = [rows[k : k + BATCH] for rows in orders for k in range(0, len(x), BATCH)]

    def network(x: Any) -> Any:
        return last(engine.relu(first(x)))

    start = time.perf_counter()
    losses = engine.fit(network, engine.SGD(parameters, RATE), x, y, epochs=epochs, batch=BATCH, rng=rng)
    speed = len(losses) / (time.perf_counter() - start)
    test = digits.test_x.astype(float)
    runs = {"your engine": (losses, percent_right(network(test).value, digits.test_y), speed)}
    for name, trainer in (("minigrad", _minigrad), ("PyTorch", _pytorch)):
        try:
            step, predict = trainer(weights)
        except ImportError:
            continue
        start = time.perf_counter()
        losses = [step(x[rows], y[rows]) for rows in batches]
        speed = len(losses) / (time.perf_counter() - start)
        runs[name] = (losses, percent_right(predict(test), digits.test_y), speed)
    return runs


def _minigrad(weights: list[np.ndarray]) -> tuple[Callable[..., float], Callable[..., Any]]:
    w, b, u, c = (mg.Variable(x) for x in weights)

    def network(x: Any) -> Any:
        return mg.relu(x @ w + b) @ u + c

    def step(x: Any, y: Any) -> float:
        loss = mg.nn.cross_entropy(network(x), y)
        loss.backward()
        for p in (w, b, u, c):
            p.value = p.value - RATE * p.grad
            p.zero_grad()
        return float(loss.value)

    return step, lambda x: network(x).value


def _pytorch(weights: list[np.ndarray]) -> tuple[Callable[..., float], Callable[..., Any]]:
    import torch

    w, b, u, c = (torch.tensor(x, requires_grad=True) for x in weights)
    optimizer = torch.optim.SGD([w, b, u, c], RATE)

    def network(x: Any) -> Any:
        return torch.relu(torch.from_numpy(x) @ w + b) @ u + c

    def step(x: Any, y: Any) -> float:
        loss = torch.nn.functional.cross_entropy(network(x), torch.from_numpy(y).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step, lambda x: network(x).detach().numpy()


def _training(runs: dict[str, Run]) -> str:
    """The loss curves, one on the other, and a table."""
    figure, axis = plots.canvas(7, 3.2)
    for (name, (losses, _, _)), style in zip(runs.items(), ("-", "--", ":"), strict=False):
        axis.plot(losses, style, label=name)
    axis.set(xlabel="step", ylabel="loss", yscale="log")
    axis.legend()
    svg = io.StringIO()
    figure.savefig(svg, format="svg")
    rows = "".join(
        f"<tr><td>{html.escape(name)}<td>{percent:.1f} %<td>{losses[-1]:.4f}<td>{speed:,.0f}"
        for name, (losses, percent, speed) in runs.items()
    )
    curve = svg.getvalue()[svg.getvalue().index("<svg") :]
    return (
        f"<h2>It trains</h2><p>Two layers, {EPOCHS} epochs of the embedded digits, from the same weights.</p>"
        f"{curve}<table cellpadding=6><tr><th>engine<th>test digits read<th>last loss<th>steps per second"
        f"</tr>{rows}</table>"
    )


def _graph(engine: Engine) -> str:
    """The graph of one training step, as the engine built it."""
    rng = np.random.default_rng(0)
    first, last = engine.Linear(4, 3, rng), engine.Linear(3, 2, rng)
    loss = engine.cross_entropy(last(engine.relu(first(np.eye(4)[:2]))), np.array([0, 1]))
    engine.backward(loss)
    return f"<h2>Its graph</h2><p>Two small layers and their loss, with values and gradients.</p>{draw(loss).svg}"
