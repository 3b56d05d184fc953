"""The page of an engine: its points, its training and its graph, in one HTML file."""

from __future__ import annotations

import ast
import html
import io
from pathlib import Path

import numpy as np

from minigrad_course.grading.points_table import as_html
from minigrad_course.project.learner_engine import Engine, load
from minigrad_course.project.milestones import GRAPHS, TIMES
from minigrad_course.project.see import draw
from minigrad_course.project.verdict import Verdict, judge, train
from minigrad_course.viz import plots

STYLE = """:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
svg { max-width: 100%; height: auto; } .numbers { display: flex; flex-wrap: wrap; gap: 2em; }
.numbers b { display: block; font-size: 1.8em; } td, th { padding: 2px 12px 2px 0; text-align: left; }
@media screen and (prefers-color-scheme: dark) { .figure { filter: invert(1) hue-rotate(180deg); } }"""


def write(source: Path, target: Path) -> Path:
    """Judge an engine, train with it, and write the page."""
    verdict = judge(source)
    text = source.read_text(encoding="utf-8")
    done = _done(verdict)
    training, picture = "<p>Once milestone 7 is done, this page shows how it trains.</p>", ""
    trained = None
    if set(range(1, 8)) <= done:
        trained = train(source)
        training = _training(*trained) if trained else "<p>Its process ended while it trained.</p>"
        picture = _graph(load(source))
    numbers = {
        "points": f"{verdict.points:g} of {verdict.of:g}",
        "lines of code": str(lines_of_code(text)),
        "random graphs passed": f"{GRAPHS * sum(TIMES[k] for k in TIMES if k in done):,}",
    }
    if trained:
        numbers["of the test digits read"] = f"{trained[0]:.1f} %"
    shown = "".join(f"<div><b>{value}</b>{name}</div>" for name, value in numbers.items())
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>My own engine</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body><main>'
        f'<h1>My own engine</h1><div class="numbers">{shown}</div>{training}{picture}'
        f"<h2>Its tests</h2>{as_html(verdict)}</main></body></html>\n"
    )
    target.write_text(page, encoding="utf-8")
    return target


def _done(verdict: Verdict) -> set[int]:
    """Return the milestones whose tests have all passed."""
    tests = [(int(row.test.split()[0]), row.passed) for row in verdict.rows]
    return {k for k, _ in tests} - {k for k, passed in tests if not passed}


def lines_of_code(text: str) -> int:
    """Count the lines of code: neither empty, nor a comment, nor part of a docstring."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for k, line in lines if k not in documented and line.strip() and not line.strip().startswith("#"))


def _training(percent: float, losses: list[float], seconds: float) -> str:
    """Draw the loss curve, and say how fast it went."""
    figure, axis = plots.canvas(7, 3.2)
    axis.plot(losses)
    axis.set(xlabel="step", ylabel="loss", yscale="log")
    svg = io.StringIO()
    figure.savefig(svg, format="svg")
    words = f"Loss by step: from {losses[0]:.3g} to {losses[-1]:.3g}"
    curve = svg.getvalue()[svg.getvalue().index("<svg") :]
    curve = curve.replace("<svg", f'<svg role="img" aria-label="{html.escape(words)}"', 1)
    return (
        f"<h2>It trains</h2><p>Two layers, {len(losses)} steps on the embedded digits: the loss falls from "
        f"{losses[0]:.3g} to {losses[-1]:.3g}, at {len(losses) / seconds:,.0f} steps per second.</p>"
        f'<div class="figure">{curve}</div>'
    )


def _graph(engine: Engine) -> str:
    """Draw the graph of one training step, as the engine built it."""
    rng = np.random.default_rng(0)
    first, last = engine.Linear(4, 3, rng), engine.Linear(3, 2, rng)
    loss = engine.cross_entropy(last(engine.relu(first(np.eye(4)[:2]))), np.array([0, 1]))
    engine.backward(loss)
    return f"<h2>Its graph</h2><p>Two small layers and their loss, with values and gradients.</p>{draw(loss).svg}"
