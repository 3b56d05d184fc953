"""The page of an engine: its points, its training beside minigrad and PyTorch, and its graph, in one HTML file."""

from __future__ import annotations

import ast
import html
import io
from pathlib import Path

import numpy as np

from minigrad_course.grading.report import as_html
from minigrad_course.project.engine import Engine, load
from minigrad_course.project.judge import Verdict, judge
from minigrad_course.project.milestones import GRAPHS, TIMES
from minigrad_course.project.race import EPOCHS, Run, race
from minigrad_course.project.see import draw
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
    runs: dict[str, Run] = {}
    if set(range(1, 8)) <= done:
        runs = race(source)
        training = _training(runs) if "your engine" in runs else "<p>Its process ended while it trained.</p>"
        picture = _graph(load(source))
    numbers = {
        "points": f"{verdict.points:g} of {verdict.of:g}",
        "lines of code": str(lines_of_code(text)),
        "random graphs passed": f"{GRAPHS * sum(TIMES[k] for k in TIMES if k in done):,}",
    }
    if "your engine" in runs:
        numbers["of the test digits read"] = f"{runs['your engine'].percent:.1f} %"
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


def _training(runs: dict[str, Run]) -> str:
    """Draw the loss curves on top of each other, and a table."""
    figure, axis = plots.canvas(7, 3.2)
    for (name, run), style in zip(runs.items(), ("-", "--", ":"), strict=False):
        axis.plot(run.losses, style, label=name)
    axis.set(xlabel="step", ylabel="loss", yscale="log")
    axis.legend()
    svg = io.StringIO()
    figure.savefig(svg, format="svg")
    reference = np.array(runs["your engine"].losses)
    rows = "".join(
        f"<tr><td>{html.escape(name)}<td>{run.percent:.1f} %<td>{run.losses[-1]:.4f}"
        f"<td>{np.abs(np.array(run.losses) - reference).max():.1g}<td>{run.speed:,.0f}"
        for name, run in runs.items()
    )
    words = (
        f"Loss by step: {', '.join(f'{name} from {r.losses[0]:.3g} to {r.losses[-1]:.3g}' for name, r in runs.items())}"
    )
    curve = svg.getvalue()[svg.getvalue().index("<svg") :]
    curve = curve.replace("<svg", f'<svg role="img" aria-label="{html.escape(words)}"', 1)
    return (
        f"<h2>It trains</h2><p>Two layers, {EPOCHS} epochs of the embedded digits, with the same first weights and the "
        "same batches for all. They took turns, an epoch each, each in a process of its own with one thread; the speed "
        f"is the median of the {EPOCHS}. (The test below takes the batches in another order, and so reads a few more "
        "or a few less.)</p>"
        f'<div class="figure">{curve}</div>'
        "<table><tr><th>engine<th>test digits read<th>last loss<th>losses differ from yours by at most"
        f"<th>steps per second</tr>{rows}</table>"
    )


def _graph(engine: Engine) -> str:
    """Draw the graph of one training step, as the engine built it."""
    rng = np.random.default_rng(0)
    first, last = engine.Linear(4, 3, rng), engine.Linear(3, 2, rng)
    loss = engine.cross_entropy(last(engine.relu(first(np.eye(4)[:2]))), np.array([0, 1]))
    engine.backward(loss)
    return f"<h2>Its graph</h2><p>Two small layers and their loss, with values and gradients.</p>{draw(loss).svg}"
