"""Break down a step's time: each network's compiled step, part by part, on one core.

    python -m benchmarks.parts [--quick] [--networks rnn,cnn]

or of a step of yours: `print(parts(step, x, y))`. A part is the code under one heading of the program's text. The same
text is compiled again, with the clock read at every heading and before and after every product, and trains for a while;
then everything is restored.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import machine, registers, report, workloads
from benchmarks.race import RESULTS, names
from minigrad.compiler.build import whole
from minigrad.compiler.step import CompiledStep
from minigrad.compiler.tables import Table
from minigrad.compiler.text import Line, plain
from minigrad.compiler.training import Built
from minigrad.native import jit
from minigrad.native.compiled import PURE_PYTHON
from minigrad.native.products import matmul
from minigrad.training.checkpoint import generators

# Arithmetic operations of a program's calls, by their arguments: two for each product of two numbers. What attention
# computes again on the way back does not count, nor do keys that a query may not see.
OPERATIONS = {
    "matmul": "2 * {3}.size * {1}.shape[1]",
    "add_matmul": "2 * {3}.size * {1}.shape[1]",
    "add_matvec": "2 * {1}.size",
    "add_outer": "2 * {3}.size",
    "vecmat_and_add_outer": "4 * {1}.size",
    "attend": "2 * {6}.size * ({0}.shape[0 if {3} else 1] * (1 if {2} else 2) + {2})",
    "attend_back": "4 * {1}.size * ({0}.shape[0 if {4} else 1] * (1 if {3} else 2) + {3})",
    "conv_y": "2 * {8}.size // {8}.shape[1] * {1}.size",
    "conv_x": "2 * {0}.size // {0}.shape[1] * {1}.size",
    "conv_w": "2 * {1}.size // {1}.shape[1] * {9}.size",
    "conv_x_at": "2 * {0}.shape[0] * {11} * {12} * {1}.size",
    "conv_w_of_winners": "2 * {0}.shape[0] * {11} * {12} * {16}.size",
    "conv_w_at": "2 * {0}.shape[0] * {11} * {12} * {16}.size",
    "conv_pool": "2 * {0}.shape[0] * (({0}.shape[2] - ({1}.shape[2] - 1) * {5} - 1) // {3} + 1)"
    " * (({0}.shape[3] - ({1}.shape[3] - 1) * {6} - 1) // {4} + 1) * {1}.size",
}
MARKED = "# --- "  # headings are
BETWEEN = "between steps: the batch is gathered, and what is right is counted"
ROWS = 6000  # of the data: a few batches are enough


def _clock(typing_context: Any) -> Any:
    """Nanoseconds of the system's clock, read in machine code."""
    from llvmlite import ir
    from numba import types

    from minigrad.native.numba_internals import cgutils

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        long, short = ir.IntType(64), ir.IntType(32)
        place = cgutils.alloca_once(builder, ir.ArrayType(long, 2))
        address = builder.bitcast(place, long.as_pointer())
        ask = ir.FunctionType(short, [short, long.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, ask, "clock_gettime")
        builder.call(function, [ir.Constant(short, time.CLOCK_MONOTONIC), address])
        seconds = builder.mul(builder.load(address), ir.Constant(long, 10**9))
        return builder.add(seconds, builder.load(builder.gep(address, [ir.Constant(short, 1)])))

    return types.int64(), write


clock: Any = time.perf_counter_ns if PURE_PYTHON else jit.numba().extending.intrinsic(_clock)


def mark(ticks: Any, part: int) -> None:
    """Add the time since the last mark to the part named there; from now on, time counts for this part."""
    now = clock()
    if ticks[-1] >= 0:
        ticks[ticks[-1]] += now - ticks[-2]
    ticks[-2] = now
    ticks[-1] = part


if not PURE_PYTHON:
    mark = jit.numba().njit(nogil=True, error_model="numpy")(mark)


@dataclass(frozen=True)
class Part:
    """One heading's share of a step. seconds: in all. in_products: the share of products. operations: theirs."""

    heading: str
    seconds: float
    in_products: float
    operations: float

    @property
    def speed(self) -> float:
        """Operations a second during products."""
        return self.operations / self.in_products if self.in_products else 0.0


class Parts(Table):
    """The parts of a step. rows: as data, in the order of the program; peak: operations a second of large products."""

    head = ("part of a step", "microseconds", "share", "in products", "GFLOP/s", "of peak")

    def __init__(self, rows: Sequence[Part], peak: float):
        self.rows, self.peak = list(rows), peak

    @property
    def seconds(self) -> float:
        """Seconds a step, all parts together."""
        return sum(row.seconds for row in self.rows)

    def cells(self) -> list[Sequence[str]]:
        total = self.seconds
        return [
            (
                row.heading, f"{1e6 * row.seconds:,.1f}", f"{row.seconds / total:.0%}",
                *((f"{1e6 * row.in_products:,.1f}", f"{row.speed / 1e9:,.1f}", f"{row.speed / self.peak:.0%}")
                  if row.operations else ("", "", "")),
            )
            for row in self.rows
        ]  # fmt: skip

    def note(self) -> str:
        inside, operations = sum(r.in_products for r in self.rows), sum(r.operations for r in self.rows)
        return (
            f"A step: {1e6 * self.seconds:,.1f} microseconds, of which {inside / self.seconds:.0%} in products of "
            f"{operations / 1e6:,.2f} MFLOP. Peak: products of 1024 x 1024, {self.peak / 1e9:,.1f} GFLOP/s."
        )


def parts(step: CompiledStep, x: Any, y: Any, *, steps: int = 20, rounds: int = 15) -> Parts:
    """Time a compiled step part by part; return a table of medians over `rounds` rounds of `steps` steps.

    step: the result of `mg.compile`, with shards=1. x, y: data as for `step.epoch`, a batch or more. Nothing is
    trained: weights, optimizer state and random generators are restored. Raises ValueError for a step in shards or less
    than a batch, and FloatingPointError if a loss is nan or infinite.
    """
    if step.shards > 1:
        raise ValueError(f"parts: this step works in {step.shards} shards. Compile one with shards=1")
    if min(len(x), len(y)) < step.batch_size:
        raise ValueError(f"parts: a batch has {step.batch_size} rows, got {len(x)} of x and {len(y)} of y")
    x, y = step.checked(x, y)
    recipe = step._recipe
    recipe = replace(recipe, off=(*recipe.off, "outline"), name=f"{recipe.name}_parts")
    optimizer, variables = recipe.optimizer, recipe.model.parameters()
    drawn = [(source, source.bit_generator.state) for source in generators(recipe.model)]
    before = [(array, array.copy()) for v in variables for array in (v._value, *optimizer.kept(v))]
    done = optimizer.steps
    try:
        built = whole(recipe, ("ticks", "operations"))
        headings, ticks, operations = _with_marks(built)
        built.load()
        size = step.batch_size
        order = np.resize(np.arange(min(len(x), len(y)) // size * size), steps * size)
        losses = np.empty(steps, built.loss_dtype)
        measured = []
        for turn in range(rounds + 1):
            ticks.fill(0)
            ticks[-1] = -1
            operations.fill(0)
            since = time.perf_counter()
            if built.run(x, y, order, losses)[0] < steps:
                raise FloatingPointError(f"parts: a loss is {losses[~np.isfinite(losses)][0]}")
            seconds = time.perf_counter() - since
            if turn:  # the first round fetches memory for the first time
                measured.append(ticks[:-2] * (seconds / ticks[:-2].sum() / steps))
    finally:
        for array, values in before:
            np.copyto(array, values)
        optimizer.steps = done
        for v in variables:
            v.changed()
        for source, state in drawn:
            source.bit_generator.state = state
    median = [statistics.median(column) for column in zip(*measured, strict=True)]
    rows = [
        Part(heading, median[k] + median[k + len(headings)], median[k + len(headings)], operations[k] / steps)
        for k, heading in enumerate(headings)
    ]
    return Parts([*rows[1:], rows[0]], _peak(x.dtype if x.dtype.kind == "f" else np.dtype(np.float32)))


def _with_marks(built: Built) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Insert clock readings into a step's text. Returns its headings, an array of ticks, one of operations.

    Ticks: for each heading, then for the products under each; then the clock, and the index of the running count.
    """
    program = built.programs[0]
    headings = [BETWEEN, *dict.fromkeys(line.text.removeprefix(MARKED) for line in program.lines if line.heading)]
    count, now, lines = len(headings), 0, list[Line]()

    def reads_the_clock(line: Line, part: int) -> Line:
        return Line(line.indent, f"mark(ticks, {part})")

    for line in program.lines:
        if line.text.startswith("def step("):
            lines.append(Line(0, line.text.replace("):", ", ticks, operations):")))
        elif line.heading:
            now = headings.index(line.text.removeprefix(MARKED))
            lines += [line, reads_the_clock(line, now)]
        elif line.call and line.call[0] in OPERATIONS:
            text = OPERATIONS[line.call[0]].format(*map(plain, line.call[1]))
            lines += [reads_the_clock(line, now + count), line, reads_the_clock(line, now)]
            lines.append(Line(line.indent, f"operations[{now}] += {text}"))
        else:
            lines.append(line)
    lines.insert(-1, Line(1, "mark(ticks, 0)"))  # above what it returns
    program.lines, program.customs = lines, {**program.customs, "mark": mark}
    built.epoch = built.epoch.replace("    for k in range(", "    mark(ticks, 0)\n    for k in range(")
    ticks, operations = np.zeros(2 * count + 2, np.int64), np.zeros(count)
    ticks[-1] = -1
    built.arrays += [ticks, operations]
    return headings, ticks, operations


def _peak(dtype: np.dtype) -> float:
    """Operations a second of the largest products that programs make here."""
    n = 1024
    a, b, out = np.ones((n, n), dtype), np.ones((n, n), dtype), np.empty((n, n), dtype)
    best = sys.float_info.max
    for _ in range(5):
        since = time.perf_counter()
        matmul(dtype.type(1), a, b, out)
        best = min(best, time.perf_counter() - since)
    return 2 * n**3 / best


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
