"""Measure the growth of time and bytes with the work: hidden units, length of the sequence, batch, and thesis D's deep
network.

    python -m benchmarks.scaling [--quick] [--axes hidden,batch] [--engines minigrad,jax]

Each point is a race of its own on one core, with made-up rows. Thesis D: 25 steps, 20 layers, 50 series, and as many
hidden units as inputs; the products of a step grow with their square, and the thesis expected the time to do so too.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import machine, report, workloads
from benchmarks.engines import ENGINES
from benchmarks.race import RESULTS, Plan, prepare, run

MODES = {"minigrad": "compiled", "pytorch": "modules", "jax": "hoisted scan"}


@dataclass(frozen=True)
class Axis:
    """An axis of growth: the quantity that grows, its values, and the fixed ones."""

    title: str
    values: tuple[int, ...]
    fixed: dict[str, int]
    grows: tuple[str, ...]  # the sizes of the network that are set to the value


AXES = {
    "hidden": Axis("hidden units", (16, 32, 64, 128, 256, 512), {}, ("hidden",)),
    "sequence": Axis("steps of the sequence", (4, 8, 16, 32, 64), {"inputs": 49}, ("steps",)),
    "batch": Axis("rows in a batch", (1, 10, 100, 1000), {}, ("batch",)),
    "thesis": Axis(
        "inputs and hidden units (25 steps, 20 layers, 50 series)", (8, 16, 32, 64, 128),
        {"steps": 25, "layers": 20, "batch": 50}, ("inputs", "hidden"),
    ),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="every other value, few steps")
    parser.add_argument("--axes", default=",".join(AXES), help="which, by commas")
    parser.add_argument("--engines", default=",".join(MODES), help="which, by commas")
    options = parser.parse_args(arguments)
    axes, engines = options.axes.split(","), options.engines.split(",")
    if unknown := [*(set(axes) - set(AXES)), *(set(engines) - set(MODES))]:
        parser.error(f"unknown: {', '.join(unknown)}; there is {', '.join([*AXES, *MODES])}")
    settings, _ = machine.best_blas()
    missing = [sentence for name in engines if (sentence := ENGINES[name].missing())]
    engines = [name for name in engines if not ENGINES[name].missing()]
    results: dict[str, Any] = {"machine": machine.describe(), "left_out": missing, "axes": []}
    for name in axes:
        axis = AXES[name]
        points = []
        for value in axis.values[:: 2 if options.quick else 1]:
            points.append(measure(axis, value, engines, settings, options.quick))
            print(point_text(axis, points[-1]), flush=True)
        results["axes"].append({"name": name, "title": axis.title, "fixed": axis.fixed, "points": points})
    print("\n" + "\n\n".join(axis_text(axis) for axis in results["axes"]))
    out = RESULTS / "quick" if options.quick else RESULTS
    out.mkdir(parents=True, exist_ok=True)
    (out / "scaling.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (out / "scaling.md").write_text(markdown(results), encoding="utf-8")
    print(f"\nSaved: {out / 'scaling.json'} and scaling.md beside it.")


def measure(axis: Axis, value: int, engines: Sequence[str], settings: Any, quick: bool) -> dict[str, Any]:
    """One point: seconds and bytes of a step in every engine."""
    sizes = {**axis.fixed, **dict.fromkeys(axis.grows, value)}
    workload = workloads.rnn(**sizes)
    # As many steps as take some 0.05 s at 30 GFLOP/s: rounds long enough to time, short enough to repeat.
    steps = max(4, min(400, int((0.02 if quick else 0.05) * 30e9 / workload.flop)))
    plan = Plan(steps, 3 if quick else 7, 1, max(2, steps // 4))
    arrays = workloads.made_up(steps * workload.batch, 0, workload.inputs)
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as name:
        prepare(arrays, Path(name), plan.rounds)
        racers = [(engine, MODES[engine]) for engine in engines]
        race = run("rnn", racers, 1, plan, Path(name), arrays, settings, sizes=sizes, thorough=False)
    return {"value": value, "race": race}


def seconds(point: dict[str, Any], engine: str) -> float | None:
    """Of a step, the median."""
    rows = [row for row in point["race"]["rows"] if row["engine"] == engine]
    return 1 / report.steps_per_second(rows[0], point["race"]) if rows else None


def bytes_(point: dict[str, Any], engine: str) -> float | None:
    """Allocated in a step."""
    rows = [row for row in point["race"]["rows"] if row["engine"] == engine]
    return rows[0].get("count", {}).get("bytes_per_step") if rows else None


def exponent(values: Sequence[float], figures: Sequence[float]) -> float:
    """k where figures grow like values**k: the slope in the logarithms, by least squares. nan for fewer than two."""
    if len(values) < 2 or min(figures) <= 0:
        return math.nan
    return float(np.polyfit(np.log(values), np.log(figures), 1)[0])


def point_text(axis: Axis, point: dict[str, Any]) -> str:
    """One line while it runs."""
    times = [
        f"{row['title']} {1e3 * (seconds(point, row['engine']) or math.nan):.3f} ms" for row in point["race"]["rows"]
    ]
    return f"{axis.title} {point['value']}: " + ", ".join([*times, *point["race"]["left_out"]])


def table(axis: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Head and rows: a row for each value, three columns for each engine, and what they grow like in the end."""
    engines = list(dict.fromkeys(row["engine"] for point in axis["points"] for row in point["race"]["rows"]))
    head = [axis["title"], "MFLOP"]
    for engine in engines:
        head += [f"{ENGINES[engine].title} ms", "bytes", "compile s"]
    rows = []
    for point in axis["points"]:
        line = [str(point["value"]), f"{point['race']['flop'] / 1e6:,.1f}"]
        for engine in engines:
            time, size = seconds(point, engine), bytes_(point, engine)
            row = next((row for row in point["race"]["rows"] if row["engine"] == engine), None)
            line += ["-" if time is None else f"{1e3 * time:.3f}", "-" if size is None else f"{max(0.0, size):,.0f}"]
            line.append(f"{report.compile_seconds(row):.1f}" if row else "-")
        rows.append(line)
    last = ["grows like n to the", ""]
    for engine in engines:
        for of in (seconds, bytes_):
            known = [(p["value"], figure) for p in axis["points"] if (figure := of(p, engine)) is not None][-3:]
            slope = exponent(*zip(*known, strict=True)) if known else math.nan
            last.append("-" if math.isnan(slope) else f"{slope:.2f}")
        last.append("")
    return head, [*rows, last]


def axis_text(axis: dict[str, Any]) -> str:
    """One axis for the terminal."""
    return report.aligned(*table(axis))


def markdown(results: dict[str, Any]) -> str:
    """All axes."""
    parts = [
        "# Time and bytes as the work grows\n\n" + report.machine_text(results["machine"]),
        "One core. Milliseconds are medians of a training step, bytes what it allocates besides its loss (memray, in "
        "rounds that are not timed). The last line is fitted to the last three values.",
        *results["left_out"],
    ]
    for axis in results["axes"]:
        left_out = [f"At {p['value']}: {reason}" for p in axis["points"] for reason in p["race"]["left_out"]]
        parts += [f"## {axis['title']}", report.grid(*table(axis)), *left_out]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
