"""The pictures of the results: docs/pictures/race.svg (for the README) and ladder.svg.

    python -m benchmarks.chart [--results FOLDER] [--to FOLDER]

Drawn from the saved figures. Colours are Okabe and Ito's, which colour-blind readers can tell apart; bars carry their
names and figures, lines their own markers. The ground is transparent and the text a grey that reads on white and on
black pages.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

from benchmarks import ladder, report
from benchmarks.engines import ENGINES
from benchmarks.race import RESULTS

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
GREY = "#7a7f87"
COLOURS = {"minigrad": "#D55E00", "jax": "#0072B2", "torch_compile": "#009E73", "pytorch": "#CC79A7"}
STYLE = {
    "font.size": 10, "font.family": "sans-serif", "text.color": GREY, "axes.labelcolor": GREY, "axes.edgecolor": GREY,
    "xtick.color": GREY, "ytick.color": GREY, "axes.spines.top": False, "axes.spines.right": False,
    "svg.fonttype": "path", "svg.hashsalt": "minigrad", "savefig.transparent": True,
    "figure.constrained_layout.use": True,
}  # fmt: skip


def race(results: dict[str, Any]) -> Any:
    """Bars: a row of panels for each number of cores, a panel for each network, a bar for each engine."""
    races = results["races"]
    threads = list(dict.fromkeys(r["threads"] for r in races))
    networks = list(dict.fromkeys(r["network"] for r in races))
    size = (4.0 * len(networks), 1.75 * len(threads) + 0.2)
    figure, panels = plt.subplots(len(threads), len(networks), figsize=size, squeeze=False)
    for panel in panels.flat:
        panel.set_visible(False)
    for one in races:
        panel = panels[threads.index(one["threads"]), networks.index(one["network"])]
        panel.set_visible(True)
        best: dict[str, float] = {}
        for row in one["rows"]:
            best[row["engine"]] = max(best.get(row["engine"], 0.0), report.steps_per_second(row, one))
        order = sorted(best, key=lambda engine: best[engine])
        bars = panel.barh(
            [ENGINES[e].title for e in order], [best[e] for e in order], color=[COLOURS[e] for e in order], height=0.7
        )
        panel.bar_label(bars, [f"{best[e]:,.0f}" for e in order], padding=3, color=GREY)
        panel.set_xlim(0, 1.25 * max(best.values(), default=1))
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        panel.tick_params(left=False)
        panel.set_title(f"{one['title']}, {report.cores(one['threads'])}", fontsize=10)
    figure.supxlabel("training steps per second: longer is faster", fontsize=9)
    return figure


def rungs(results: dict[str, Any]) -> Any:
    """Bars: one panel for each network, one bar for each rung."""
    ladders = results["ladders"]
    figure, panels = plt.subplots(len(ladders), 1, figsize=(8, 2.9 * len(ladders)), squeeze=False)
    for panel, one in zip(panels[:, 0], ladders, strict=True):
        names = [row["rung"] for row in one["rows"]][::-1]
        speeds = [report.steps_per_second(row, one) for row in one["rows"]][::-1]
        sizes = [dict(zip(ladder.HEAD, line, strict=True))["bytes/step"] for line in ladder.table(one)][::-1]
        bars = panel.barh(names, speeds, color=COLOURS["minigrad"], height=0.7)
        labels = [f"{speed:,.0f} steps/s, {size} bytes a step" for speed, size in zip(speeds, sizes, strict=True)]
        panel.bar_label(bars, labels, padding=3, color=GREY)
        panel.set_xlim(0, 1.9 * max(speeds))
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        panel.set_title(f"{one['title']}, batch {one['batch']}", fontsize=10)
        panel.tick_params(left=False)
    return figure


DRAWN = {"race": race, "ladder": rungs}


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw what there are results of."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chart", description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder with race.json and so on")
    parser.add_argument("--to", type=Path, default=PICTURES, help="the folder to draw into")
    parser.add_argument("--png", action="store_true", help="PNG instead of SVG, on white")
    options = parser.parse_args(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWN.items():
        file = options.results / f"{name}.json"
        if not file.exists():
            print(f"{name}: not drawn, there is no {file}.")
            continue
        with plt.rc_context(STYLE):
            figure = draw(json.loads(file.read_text(encoding="utf-8")))
            target = options.to / f"{name}.{'png' if options.png else 'svg'}"
            if options.png:
                figure.savefig(target, dpi=100, transparent=False)
            else:
                figure.savefig(target, metadata={"Date": None})
            plt.close(figure)
        print(f"wrote {target}")


if __name__ == "__main__":
    main()
