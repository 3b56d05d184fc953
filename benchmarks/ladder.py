"""The ladder: one network, from a graph that is built anew in every step to a program in shards; what each rung brings.

    python -m benchmarks.ladder [--quick] [--networks rnn,cnn,autoencoder,gpt] [--passes]

These are papers A's and B's chapters on making it fast, measured: float32 throughout, the graph built once, elementwise
work fused, arrays made in advance, a compiled program; then shards of the batch on several cores. `--passes` takes one
pass of the compiler away at a time.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine, report, workloads
from benchmarks.race import RESULTS, Plan, prepare, run

# What each pass is about; a rung has the passes of those before it as well.
GROUPS = {
    "fused": ("simplify", "dead", "fuse"),
    "arrays shared": ("reuse_buffers",),
}
# Rounds of 0.2 s and more on the fastest rung: in shorter ones shards wait for their cores to wake up.
FULL = {
    "rnn": Plan(500, 7, 7, 30), "cnn": Plan(80, 7, 7, 10), "autoencoder": Plan(2000, 5, 5, 100),
    "gpt": Plan(10, 5, 5, 3),
}  # fmt: skip
QUICK = {
    "rnn": Plan(50, 5, 5, 15), "cnn": Plan(10, 5, 5, 5), "autoencoder": Plan(100, 5, 5, 50), "gpt": Plan(3, 3, 3, 2),
}  # fmt: skip


def rungs() -> list[tuple[str, str]]:
    """(name, mode of the minigrad engine), slowest first, all of them on one core."""
    from minigrad.compiler.passes import PASSES

    modes = [
        ("interpreted, float64", "interpreted64"),
        ("interpreted, float32", "interpreted"),
        ("graph built once, run again in its own arrays", "replayed"),
        ("compiled, no pass", mode_without(PASSES)),
    ]
    on: set[str] = set()
    for name, passes in GROUPS.items():
        on |= set(passes)
        modes.append((f"compiled, {name}", mode_without([name for name in PASSES if name not in on])))
    return [*modes, ("compiled, all passes", "compiled")]


def mode_without(passes: Sequence[str]) -> str:
    """The mode of a program without these passes."""
    return " ".join(["compiled", *(f"-{name}" for name in passes)])


def one_pass_less() -> list[tuple[str, str]]:
    """The compiled program, and what it is without each of its passes."""
    from minigrad.compiler.passes import PASSES

    return [("all passes", "compiled"), *((f"without {name}", mode_without([name])) for name in PASSES)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--networks", default="", help="rnn, cnn, autoencoder, gpt, by commas")
    parser.add_argument("--passes", action="store_true", help="take one pass away at a time")
    options = parser.parse_args(arguments)
    networks = options.networks.split(",") if options.networks else ["rnn"] if options.quick else list(FULL)
    if unknown := set(networks) - set(FULL):
        parser.error(f"unknown network {', '.join(sorted(unknown))}; there is {', '.join(FULL)}")
    settings, _ = machine.best_blas()
    title, arrays = workloads.load_data()
    tables = []
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as name:
        folder = Path(name)
        prepare(arrays, folder, rounds=9)
        for network in networks:
            plan = (QUICK if options.quick else FULL)[network]
            climbed = climb(network, one_pass_less() if options.passes else rungs(), 1, plan, folder, arrays, settings)
            if not options.passes and machine.cores() > 1 and climbed["batch"] > 1:
                count = min(machine.cores(), climbed["batch"])  # each shard has a row at least
                shards = [(f"compiled, {count} shards", "compiled")]
                sharded = climb(network, shards, machine.cores(), plan, folder, arrays, settings)
                climbed["rows"] += sharded["rows"]
                climbed["left_out"] += sharded["left_out"]
            tables.append(climbed)
            print("\n" + text(climbed), flush=True)
    out = RESULTS / "quick" if options.quick else RESULTS
    out.mkdir(parents=True, exist_ok=True)
    file = out / ("passes.json" if options.passes else "ladder.json")
    results = {"machine": machine.describe(), "data": title, "ladders": tables}
    file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    file.with_suffix(".md").write_text(markdown(results), encoding="utf-8")
    print(f"\nSaved: {file}, and as {file.with_suffix('.md').name}.")


def climb(
    network: str, rungs: Sequence[tuple[str, str]], threads: int, plan: Plan, folder: Path, arrays: Any, settings: Any
) -> dict[str, Any]:
    """A race of minigrad against itself, each row with the name of its rung."""
    racers = [("minigrad", mode) for _, mode in rungs]
    names = {mode: name for name, mode in rungs}
    race = run(network, racers, threads, plan, folder, arrays, settings, thorough=False)
    for row in race["rows"]:
        row["rung"] = names[row["mode"]]
    return race


HEAD = (
    "rung",
    "steps/s",
    "times the first",
    "min to max",
    "bytes/step",
    "allocations/step",
    "peak bytes",
    "differs by",
)


def table(race: dict[str, Any]) -> list[tuple[str, ...]]:
    """The rungs as text, in their order."""
    rows = []
    for row in race["rows"]:
        speed, counted = report.steps_per_second(row, race), row.get("count", {})
        known = "bytes_per_step" in counted
        rows.append(
            (
                row["rung"],
                f"{speed:,.0f}",
                f"{speed / report.steps_per_second(race['rows'][0], race):.2f}",
                f"{race['steps'] / max(row['seconds']):,.0f} to {race['steps'] / min(row['seconds']):,.0f}",
                f"{max(0.0, counted['bytes_per_step']):,.0f}" if known else "not counted",
                f"{max(0.0, counted['allocations_per_step']):,.1f}" if known else "not counted",
                f"{counted['peak_bytes']:,}" if known else "not counted",
                f"{row['difference']:.0e}",
            )
        )
    return rows


def text(race: dict[str, Any]) -> str:
    """One ladder for the terminal."""
    return "\n".join([report.heading(race), report.aligned(HEAD, table(race)), *race["left_out"]])


def markdown(results: dict[str, Any]) -> str:
    """All ladders."""
    parts = [f"# The ladder\n\nData: {results['data']}.  \n" + report.machine_text(results["machine"])]
    for race in results["ladders"]:
        parts += [f"## {report.heading(race)}", report.grid(HEAD, table(race)), *race["left_out"]]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
