"""Convolutions alone, in 40 shapes: GFLOP/s of each engine, forwards and back, and the bounds of vectors and loads.

    python -m benchmarks.convolutions [--quick]

The engines are minigrad's kernels, PyTorch's and JAX's, each in a process of its own on one core. They take turns, and
a figure is the median over the rounds of the fastest of some calls. PyTorch's convolutions run in both layouts of
images, and the faster one counts. minigrad pads images by an operation of its own, which is not timed here: the others
pad forwards as part of the convolution, and back to the images minigrad computes the frame as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks import machine, registers, report
from benchmarks.field import ROOT, processors
from benchmarks.race import RESULTS
from minigrad.native.tile import most_rows

SIDES = ("forward", "back to the images", "back to the filters")
IMAGES = 32
TITLES = {"minigrad": "minigrad", "torch": "PyTorch", "jax": "JAX"}


class Shape(NamedTuple):
    """A convolution of IMAGES square images."""

    channels: int
    filters: int
    size: int  # rows and columns of the images, without padding
    kernel: int  # rows and columns of a filter
    stride: int = 1
    padding: int = 0

    @property
    def outputs(self) -> int:
        """Rows, and columns, of the output."""
        return (self.size + 2 * self.padding - self.kernel) // self.stride + 1

    @property
    def flop(self) -> int:
        """Multiplications and additions, the same for each side."""
        return 2 * IMAGES * self.filters * self.outputs**2 * self.channels * self.kernel**2

    def products(self, side: str, lanes: int) -> list[tuple[int, int, int]]:
        """The products that it may be, along the filters or channels and along the pixels.

        For each the fewest multiply-adds of whole vectors, and how many rows and vectors across a tile may have. A
        vector along the pixels goes on into the next line, over the pixels at the end of a line that are no output.
        """
        pitch, entries = -(-(self.size + 2 * self.padding) // self.stride), self.channels * self.kernel**2
        line, pixels = -(-((self.outputs - 1) * pitch + self.outputs) // lanes), self.outputs**2
        short = self.channels if side == SIDES[1] else self.filters
        across = -(-short // lanes)
        rows = {SIDES[0]: self.filters, SIDES[1]: self.channels, SIDES[2]: entries}[side]
        back = side == SIDES[2]
        return [
            (IMAGES * pixels * entries * self.filters // short * across, entries if back else IMAGES * pixels, across),
            (IMAGES * entries * self.filters * line, rows, self.filters if back else line),
        ]

    def bounds(self, side: str, lanes: int, peaks: dict[str, float]) -> tuple[float, float]:
        """The most operations a second by multiply-adds of vectors alone, and by loads alone.

        peaks: of each a second (registers.py). A tile of the result stays in registers. For each step of its sums it
        loads some vectors, and for each row a number, into all lanes; back to the filters along the pixels a vector.
        """
        registers, seconds = 32 if most_rows() == 10 else 16, []
        for way, (count, rows, across) in enumerate(self.products(side, lanes)):
            row = 1 / peaks["vectors" if way and side == SIDES[2] else "numbers"]
            tiles = [(r, c) for c in range(1, across + 1) for r in range(1, rows + 1) if r * c + c + 1 <= registers]
            loads = min(row / c + 1 / peaks["vectors"] / r for r, c in tiles)
            seconds.append((count / peaks["multiply-adds"], count * loads))
        return tuple(self.flop / min(column) for column in zip(*seconds, strict=True))  # type: ignore[return-value]


SHAPES = [
    *(Shape(c, f, 28, k, 1, k // 2) for c, f in ((1, 6), (1, 16), (1, 32)) for k in (3, 5, 7)),
    *(Shape(3, f, 32, k, s, k // 2) for f in (16, 64) for k, s in ((3, 1), (3, 2), (7, 2))),
    *(Shape(6, 16, size, k) for size, k in ((13, 3), (14, 5), (28, 3))),
    *(Shape(c, c, 16, k, s, k // 2) for c in (4, 8, 16, 32, 64) for k, s in ((1, 1), (3, 1), (3, 2))),
    *(Shape(c, f, 8, 3, 1, 1) for c, f in ((16, 32), (32, 64), (64, 16))),
    *(Shape(c, f, 7, 7) for c, f in ((16, 10), (64, 10))),
    *(Shape(32, 32, 14, 5, s, 2) for s in (1, 2)),
]


def kernels_of_minigrad(shape: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray) -> list[Callable[[], Any]]:
    from minigrad.ops.conv import Conv2d, ConvFilters, ConvImages

    x = np.pad(x, ((0, 0), (0, 0), (shape.padding,) * 2, (shape.padding,) * 2))
    stride, out = (shape.stride,) * 2, (y.copy(), x.copy(), w.copy())
    forward = Conv2d(stride, (1, 1))
    images, filters = ConvImages(x.shape, stride, (1, 1)), ConvFilters(w.shape, stride, (1, 1))
    return [
        lambda: forward.value(x, w, out[0]),
        lambda: images.value(y, w, out[1]),
        lambda: filters.value(x, y, out[2]),
    ]


def kernels_of_torch(shape: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray, last: bool) -> list[Callable[[], Any]]:
    import torch

    torch.set_num_threads(1)
    layout = torch.channels_last if last else torch.contiguous_format
    tx, tw, ty = (torch.tensor(array).contiguous(memory_format=layout) for array in (x, w, y))
    moves = ([shape.stride] * 2, [shape.padding] * 2, [1, 1], False, [0, 0], 1)

    def back(which: list[bool]) -> Any:
        return torch.ops.aten.convolution_backward(ty, tx, tw, None, *moves, which)

    return [
        lambda: torch.ops.aten.convolution(tx, tw, None, *moves),
        lambda: back([True, False, False]),
        lambda: back([False, True, False]),
    ]


def kernels_of_jax(shape: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray) -> list[Callable[[], Any]]:
    import jax

    def forward(x: Any, w: Any) -> Any:
        pads = ((shape.padding,) * 2,) * 2
        return jax.lax.conv_general_dilated(x, w, (shape.stride,) * 2, pads)

    jx, jw, jy = map(jax.numpy.asarray, (x, w, y))
    one = jax.jit(forward)
    images = jax.jit(lambda x, w, y: jax.vjp(lambda x: forward(x, w), x)[1](y)[0])
    filters = jax.jit(lambda x, w, y: jax.vjp(lambda w: forward(x, w), w)[1](y)[0])
    return [
        lambda: one(jx, jw).block_until_ready(),
        lambda: images(jx, jw, jy).block_until_ready(),
        lambda: filters(jx, jw, jy).block_until_ready(),
    ]


def fastest(call: Callable[[], Any], seconds: float) -> float:
    """The fastest of the calls that fit into so many seconds, and of three at least."""
    call()
    best, until, calls = float("inf"), time.perf_counter() + seconds, 0
    while calls < 3 or time.perf_counter() < until:
        since = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - since)
        calls += 1
    return best


def work(engine: str, seconds: float) -> None:
    """Measure when a line comes in, and answer with one: seconds of each shape and side."""
    rng = np.random.default_rng(0)
    calls = []
    for shape in SHAPES:
        x = rng.normal(size=(IMAGES, shape.channels, shape.size, shape.size)).astype(np.float32)
        w = rng.normal(size=(shape.filters, shape.channels, shape.kernel, shape.kernel)).astype(np.float32)
        y = rng.normal(size=(IMAGES, shape.filters, shape.outputs, shape.outputs)).astype(np.float32)
        if engine == "torch":
            ways = [kernels_of_torch(shape, x, w, y, last) for last in (False, True)]
        else:
            ways = [{"minigrad": kernels_of_minigrad, "jax": kernels_of_jax}[engine](shape, x, w, y)]
        calls.append(list(zip(*ways, strict=True)))
    for _ in sys.stdin:
        times = [[min(fastest(way, seconds) for way in ways) for ways in sides] for sides in calls]
        print(json.dumps(times), flush=True)


def measure(rounds: int, seconds: float) -> dict[str, np.ndarray]:
    """Seconds (shapes, sides) of each engine that is installed."""
    times: dict[str, list[Any]] = {}
    one_thread = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    running = {}
    for engine in TITLES:
        if subprocess.run([sys.executable, "-c", f"import {engine}"], stderr=subprocess.DEVNULL).returncode:
            print(f"{engine} is left out: it is not installed here.")
            continue
        command = [sys.executable, "-m", "benchmarks.convolutions", "--engine", engine, "--seconds", str(seconds)]
        running[engine] = subprocess.Popen(
            command, cwd=ROOT, env=one_thread, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    for _ in range(rounds):
        for engine, process in running.items():
            process.stdin.write("\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            times.setdefault(engine, []).append(json.loads(process.stdout.readline()))  # type: ignore[union-attr]
    for process in running.values():
        process.communicate()
    return {engine: np.median(np.array(of), axis=0) for engine, of in times.items()}


def rows(times: dict[str, np.ndarray], peaks: dict[str, float], lanes: int) -> Iterator[list[str]]:
    """The table's rows, a shape each: GFLOP/s forwards and back, and the bounds."""
    for i, shape in enumerate(SHAPES):
        for s, side in enumerate(SIDES):
            bounds = shape.bounds(side, lanes, peaks)
            speeds = [shape.flop / times[engine][i, s] / 1e9 if engine in times else None for engine in TITLES]
            cells = ["-" if speed is None else f"{speed:.0f}" for speed in speeds]
            moves = f"{shape.kernel} x {shape.kernel}, stride {shape.stride}, padding {shape.padding}"
            name = f"{shape.channels} to {shape.filters}, {shape.size} x {shape.size}; {moves}" if s == 0 else ""
            yield [name, side, *cells, *(f"{bound / 1e9:.0f}" for bound in bounds)]


def markdown(times: dict[str, np.ndarray], peaks: dict[str, float], about: str) -> str:
    """The table, and what it comes to."""
    lanes = registers.vector_bits() // 32
    vectors, numbers, peak = (peaks[what] / 1e9 for what in ("vectors", "numbers", "multiply-adds"))
    peak *= 2 * lanes
    head = ["channels to filters, images; filters", "", *TITLES.values(), "bound by multiply-adds", "by loads"]
    sentences = []
    for engine, title in TITLES.items():
        if engine != "minigrad" and engine in times:
            ratio = times[engine] / times["minigrad"]
            ahead = ", ".join(f"{side} {np.sum(ratio[:, s] > 1)}" for s, side in enumerate(SIDES))
            middle = float(np.exp(np.mean(np.log(ratio))))
            sentences.append(
                f"Of {len(SHAPES)} shapes faster than {title}: {ahead}. Geometric mean: {middle:.2f} times."
            )
    return f"""# Convolutions alone

{about}

GFLOP/s on one core, float32, {IMAGES} images a call. Multiply-adds of numbers in registers reach {peak:.0f} here. The
bound by them is what they would reach with the fewest vectors, whose last lanes may be empty, if nothing else took
time. The bound by loads is what loads from the L1 cache would allow if nothing else took time, with those tiles of the
result in registers that need the fewest: {vectors:.1f} vectors a nanosecond, or {numbers:.1f} numbers into all lanes
(registers.py). The lower of the two holds.
minigrad's images are padded beforehand, which is not timed; the other engines pad them as part of the convolution, and
may leave out the products with zeros, which are counted.

{" ".join(sentences)}

{report.grid(head, list(rows(times, peaks, lanes)))}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convolutions", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--engine", choices=list(TITLES), help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=0.03, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if cpus := processors(1):
        os.sched_setaffinity(0, cpus)  # and those that start from here
    if options.engine:
        return work(options.engine, options.seconds)
    times = measure(1 if options.quick else 5, options.seconds)
    peaks = {what: registers.per_second(what) for what in ("multiply-adds", "vectors", "numbers")}
    folder = RESULTS / "quick" if options.quick else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    text = markdown(times, peaks, report.machine_text(machine.describe()).replace("\n", "  \n"))
    (folder / "convolutions.md").write_text(text, encoding="utf-8")
    print(f"{text}\nSaved: {folder / 'convolutions.md'}.")


if __name__ == "__main__":
    main()
