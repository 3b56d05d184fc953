"""A batch in parts. Each shard finds the gradients of its rows in arrays of its own; then all are added up, in order.

The order of the sum is that of the shards, whichever thread is faster. So the result depends on the number of shards
and on nothing else: not on timing, and not on how many threads run them.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.program import Program, wrapped
from minigrad.graph import Constant, Node
from minigrad.nn.module import Module


def weight_of_a_shard(model: Module, loss: Any, x: np.ndarray, y: np.ndarray, shards: int) -> float:
    """By how much a shard's loss counts: 1 / shards if the loss is a mean over rows, 1 if it is a sum.

    Told from the example batch. Raises ValueError for other losses, and where the rows cannot be shared out.
    """
    rows = len(x)
    if rows % shards:
        fitting = [k for k in range(1, rows + 1) if rows % k == 0 and k <= 64]
        raise ValueError(
            f"compile: {rows} rows cannot be shared out evenly among {shards} shards; they go into "
            f"{', '.join(map(str, fitting))} shards"
        )

    def value(part: slice) -> float:
        return float(loss(model(Constant(x[part])), Constant(y[part]))._value)

    n = rows // shards
    whole, parts = value(slice(None)), [value(slice(k * n, (k + 1) * n)) for k in range(shards)]
    close = 1e-3 * max(abs(part) for part in parts)
    mean, total = sum(parts) / shards, sum(parts)
    if abs(whole - mean) <= close < abs(whole - total):
        return 1 / shards
    if abs(whole - total) <= close < abs(whole - mean):
        return 1.0
    raise ValueError(
        f"compile: with shards, the loss must be a mean or a sum over the rows of a batch. On the example it is "
        f"{whole:g}, and on its {shards} parts {', '.join(f'{part:g}' for part in parts)}. Use shards=1 for a loss "
        "that mixes rows or draws random numbers, and an example batch whose loss is not 0"
    )


def share_out(sizes: Sequence[int], shards: int) -> list[list[int]]:
    """Which parameters each shard updates, so that all have about as much to do."""
    mine: list[list[int]] = [[] for _ in range(shards)]
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k]):
        min(mine, key=lambda ks: sum(sizes[j] for j in ks)).append(k)
    return mine


_FIRST = ("low", "high", "threads", "counter", "X", "Y", "order", "losses", "hits", "parts", "part_hits", "rates",
          "first", "last")  # fmt: skip


def epoch_text(
    gradients: Program, updates: Sequence[Program], x: Node, y: Node, shards: int, weight: float, own: set[str],
    counted: bool, shared: Sequence[str],
) -> str:  # fmt: skip
    """The loop over batches. own: the arguments of `gradients` that each shard has of its own. shared: the others."""
    n = x.shape[0]
    names = [value.name for value in gradients.inputs]

    def argument(name: str) -> str:
        return f"{name}[s]" if name in own else name

    call = f"gradients({', '.join(argument(name) for name in gradients.arguments)})"
    lines = [
        "@main",
        *wrapped(f"def epoch({', '.join([*_FIRST, *shared])}):"),
        '    """Batches `first` to `last`; of each, this thread does the shards `low` to `high`."""',
        *(line for name, node in zip(names, (x, y), strict=True) for line in rows_of(name, node, shards)),
        "    arrivals = 0",
        "    for k in range(first, last):",
        "        for s in range(low, high):",
        f"            for i in range({n}):",
        f"                row = order[k * {n * shards} + s * {n} + i]",
        *(
            f"    {line}"
            for name, node, source in zip(names, (x, y), "XY", strict=True)
            for line in gather(name, node, source, "s, i")
        ),
        f"            {'parts[s], output' if counted else 'parts[s]'} = {call}",
        *([f"            part_hits[s] = kernels.count_hits(output, {names[1]}[s])"] if counted else []),
        "        arrivals += threads",
        "        meet(counter, arrivals)",
        "        if low == 0:",
        "            for s in range(" + str(shards) + "):",
        f"                losses[k] += parts[s] * {weight!r}",
        "                hits[k] += part_hits[s]",
        "        for s in range(low, high):",
    ]
    word = "if"
    for k, update in enumerate(updates):
        scalars = [value.name for value in update.inputs if value.shape == ()]
        rates = {name: f"rates[k, {r}]" for r, name in enumerate(scalars)}
        arguments = ", ".join(rates.get(name, name) for name in update.arguments)
        lines += [f"            {word} s == {k}:", f"                update_{k}({arguments})"]
        word = "elif"
    lines += ["        arrivals += threads", "        meet(counter, arrivals)", ""]
    return "\n".join(lines)


def gather(name: str, node: Node, source: str, where: str) -> list[str]:
    """Lines that copy a row of the data into its place in the batch."""
    if node.ndim == 1:
        return [f"            {name}[{where}] = {source}[row]"]
    target = name if node.ndim == 2 else f"{name}_rows"
    return [
        f"            for j in range({math.prod(node.shape[1:])}):",
        f"                {target}[{where}, j] = {source}[row, j]",
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
