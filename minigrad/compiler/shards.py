"""A batch in parts. Each shard finds the gradients of its rows in arrays of its own; then all are added up, in order.

The order of the sum is that of the shards, whichever thread is faster. So the result depends on the number of shards
and on nothing else: not on timing, and not on how many threads run them.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.compiler.text import Program
from minigrad.graph import Constant, Node
from minigrad.nn.module import Module


@dataclass(frozen=True)
class Part:
    """Shards of equally many rows: `count` of them from number `first` on, each of which counts with `weight`.

    program: what finds their gradients. x, y: the leaves for the rows of one. names: the arrays that rows are put into,
    for all of them. arguments: what the program is called with for shard s.
    """

    program: Program
    x: Node
    y: Node
    count: int
    first: int
    weight: float
    names: Sequence[str]
    arguments: Sequence[str]


def weights_of_shards(
    model: Module, loss: Any, x: np.ndarray, y: np.ndarray, sizes: Sequence[tuple[int, int]]
) -> list[float]:
    """By how much a shard's loss counts: its share of the rows if the loss is a mean over rows, 1 if it is a sum.

    sizes: how many shards there are of how many rows. Told from the example batch. Raises ValueError for other losses.
    """

    def value(first: int, rows: int) -> float:
        part = slice(first, first + rows)
        return float(loss(model(Constant(x[part])), Constant(y[part]))._value)

    whole = value(0, len(x))
    each = [rows for count, rows in sizes for _ in range(count)]
    parts = [value(sum(each[:k]), rows) for k, rows in enumerate(each)]
    close = 1e-3 * max(abs(part) for part in parts)
    mean, total = sum(part * rows for part, rows in zip(parts, each, strict=True)) / len(x), sum(parts)
    if abs(whole - mean) <= close < abs(whole - total):
        return [rows / len(x) for _, rows in sizes]
    if abs(whole - total) <= close < abs(whole - mean):
        return [1.0 for _ in sizes]
    raise ValueError(
        f"compile: with shards, the loss must be a mean or a sum over the rows of a batch. On the example it is "
        f"{whole:g}, and on its {len(each)} parts {', '.join(f'{part:g}' for part in parts)}. Use shards=1 for a loss "
        "that mixes rows or draws random numbers, and an example batch whose loss is not 0"
    )


def share_out(sizes: Sequence[int], shards: int) -> list[list[int]]:
    """Which parameters each shard updates, so that all have about as much to do."""
    mine: list[list[int]] = [[] for _ in range(shards)]
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k]):
        min(mine, key=lambda ks: sum(sizes[j] for j in ks)).append(k)
    return mine


_FIRST = ("low", "high", "threads", "counter", "parts", "part_hits", "X", "Y", "order", "losses", "hits", "rates",
          "done", "first", "last")  # fmt: skip


def buffers_of_update(update: Program, k: int) -> dict[str, str]:
    """What the buffers of the k-th update are called in the loop over batches, where other programs have theirs."""
    return {buffer.name: f"{buffer.name}_of_update_{k}" for buffer in update.buffers}


def epoch_text(
    parts: Sequence[Part], updates: Sequence[Program], dtype: np.dtype, counted: bool, arrays: Sequence[str]
) -> str:
    """The loop over batches. dtype: that of the loss. arrays: the names of all that the programs work in."""
    shards = sum(part.count for part in parts)
    rows = sum(part.count * part.x.shape[0] for part in parts)
    lines = [
        "@main",
        f"def epoch({', '.join([*_FIRST, *arrays])}):",
        '    """Batches `first` to `last`, while the loss is a number: of each, the shards `low` to `high`."""',
    ]
    for part in parts:
        for name, node in zip(part.names, (part.x, part.y), strict=True):
            lines += rows_of(name, node, part.count)
    lines += ["    arrivals = 0", "    for k in range(first, last):", "        for s in range(low, high):"]
    start, deeper = 0, "    " if len(parts) > 1 else ""
    for k, part in enumerate(parts):
        if deeper:
            lines.append("            else:" if k else f"            if s < {part.count}:")
        lines += [f"        {deeper}{line}" for line in _one_shard(part, start, rows, counted)]
        start += part.count * part.x.shape[0]
    kind = f"f{dtype.itemsize}"
    lines += ["        arrivals += threads", "        meet(counter, arrivals)", "        total = f8(0)"]
    for part in parts:
        lines.append(f"        for s in range({part.first}, {part.first + part.count}):")
        lines.append(f"            total += f8(parts[s]) * {part.weight!r}")
    lines += [
        "        if low == 0:",
        f"            losses[k] = {kind}(total)",
        f"            for s in range({shards}):",
        "                hits[k] += part_hits[s]",
        f"        if not math.isfinite({kind}(total)):  # all threads see the same sum, and leave together",
        "            return",
        "        for s in range(low, high):",
    ]
    word = "if"
    for k, update in enumerate(updates):
        scalars = [value.name for value in update.inputs if value.shape == ()]
        rates = {name: f"rates[k, {r}]" for r, name in enumerate(scalars)}
        known = rates | buffers_of_update(update, k)
        arguments = ", ".join(known.get(name, name) for name in update.arguments)
        lines += [f"            {word} s == {k}:", f"                update_{k}({arguments})"]
        word = "elif"
    lines += ["        if low == 0:", "            done[0] = k + 1 - first"]
    lines += ["        arrivals += threads", "        meet(counter, arrivals)", ""]
    return "\n".join(lines)


def _one_shard(part: Part, start: int, batch: int, counted: bool) -> list[str]:
    """Lines for shard s: its rows, its gradients, its loss. start: the row of a batch at which this part begins."""
    rows = part.x.shape[0]
    s = f"s - {part.first}" if part.first else "s"
    begin = f"k * {batch} + " + (f"{start} + ({s}) * {rows}" if part.first else f"s * {rows}")
    function = "gradients_of_fewer" if part.first else "gradients"
    call = f"{function}({', '.join(part.arguments)})"
    return [
        f"    for i in range({rows}):",
        f"        row = order[{begin} + i]",
        *(
            line
            for name, node, source in zip(part.names, (part.x, part.y), "XY", strict=True)
            for line in gather(name, node, source, f"{s}, i", 8)
        ),
        f"    {'parts[s], scores' if counted else 'parts[s]'} = {call}",
        *([f"    part_hits[s] = kernels.count_hits(scores, {part.names[1]}[{s}])"] if counted else []),
    ]


def gather(name: str, node: Node, source: str, where: str, indent: int = 12) -> list[str]:
    """Lines that copy a row of the data into its place in the batch."""
    space = " " * indent
    if node.ndim == 1:
        return [f"{space}{name}[{where}] = {source}[row]"]
    target = name if node.ndim == 2 else f"{name}_rows"
    return [
        f"{space}for j in range({math.prod(node.shape[1:])}):",
        f"{space}    {target}[{where}, j] = {source}[row, j]",
    ]


def rows_of(name: str, node: Node, *lead: int) -> list[str]:
    """A line that shows a batch of pictures as a batch of rows."""
    shape = (*lead, node.shape[0], math.prod(node.shape[1:]))
    return [f"    {name}_rows = shaped({name}, {shape})"] if node.ndim > 2 else []


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def run_together(work: Callable[[int], None], count: int) -> None:
    """work(0), ..., work(count - 1), each on a thread of its own, all or none: they wait for each other inside.

    Ctrl-C is passed on when they are done, never to one of them alone.
    """
    gate, complete = threading.Event(), False

    def wait_and_work(k: int) -> None:
        gate.wait()
        if complete:
            work(k)

    workers = [threading.Thread(target=wait_and_work, args=(k,), daemon=True) for k in range(count)]
    try:
        for worker in workers:
            worker.start()
        complete = True
    finally:
        gate.set()
    interrupted: KeyboardInterrupt | None = None
    for worker in workers:
        while worker.is_alive():
            try:
                worker.join()
            except KeyboardInterrupt as interrupt:
                interrupted = interrupt
    if interrupted is not None:
        raise interrupted
