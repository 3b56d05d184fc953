"""Break down a step's time: each network's compiled step, part by part, on one core.

python -m benchmarks.parts [--quick] [--networks rnn,cnn]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine, registers, report, workloads
from benchmarks.race import RESULTS, names
from minigrad_course.measure.parts import Parts, parts

ROWS = 6000  # of the data: a few batches are enough


def measure(network: str, quick: bool = False) -> Parts:
    """The parts of one network's step."""
    from benchmarks.engines.minigrad import Engine

    workload = workloads.WORKLOADS[network]()
    _, arrays = workloads.load_data()
    arrays = workloads.data_of(workload, {name: array[:ROWS] for name, array in arrays.items()})
    engine = Engine(workload, workload.first_weights(), arrays, "compiled 1", 1)
    steps = max(1, round((2e8 if quick else 2e9) / workload.flop))
    return parts(engine.program, engine.x, engine.y, steps=steps, rounds=5 if quick else 15)


def markdown(tables: dict[str, Parts], about: str, peak: float) -> str:
    """The tables, for people. peak: operations a second of multiply-adds whose numbers are in registers already."""
    texts = [
        f"# Where a step's time goes\n\n{about}\n\n"
        f"At least: by multiply-adds whose numbers are in registers already, {peak / 1e9:,.0f} GFLOP/s here."
    ]
    for network, table in tables.items():
        least = [1e6 * row.operations / peak for row in table.rows]
        rows = [[*row, f"{us:,.1f}" if us else ""] for row, us in zip(table.cells(), least, strict=True)]
        grid = report.grid([*table.head, "at least"], rows)
        share = sum(least) / 1e6 / table.seconds
        total = f"The products take at least {sum(least):,.1f} microseconds, {share:.0%} of the step."
        texts.append(f"## {workloads.WORKLOADS[network]().title}\n\n{grid}\n\n{table.note()} {total}")
    return "\n\n".join(texts) + "\n"


def main(arguments: Sequence[str] | None = None) -> dict[str, Parts]:
    """Measure, print and save; returns the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.parts", description="Where a step's time goes.")
    add = parser.add_argument
    add("--quick", action="store_true", help="few steps")
    add("--networks", type=names(list(workloads.WORKLOADS)), default=list(workloads.WORKLOADS), help="which, by commas")
    add("--out", type=Path, help="folder for the result")
    options = parser.parse_args(arguments)
    tables = {}
    for network in options.networks:
        tables[network] = measure(network, options.quick)
        print(f"\n{workloads.WORKLOADS[network]().title}, one core\n{tables[network]!r}", flush=True)
    folder = options.out or (RESULTS / "quick" if options.quick else RESULTS)
    folder.mkdir(parents=True, exist_ok=True)
    about = report.machine_text(machine.describe()).replace("\n", "  \n")
    text = markdown(tables, about, 1e9 * registers.gflops())
    (folder / "parts.md").write_text(text, encoding="utf-8")
    print(f"\nSaved: {folder / 'parts.md'}.")
    return tables


if __name__ == "__main__":
    main()
