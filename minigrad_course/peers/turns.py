"""Compare seconds with PyTorch fairly: the same work on both sides, both warm, equally many threads, turn by turn.

Figures taken a minute apart reflect the machine's other work as much as the engines. So PyTorch's process stays alive,
and the two sides alternate: a round of ours, a round of theirs, and again. While one works, the other waits for a line
of text, which costs nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad_course.peers.runs import tasks_of
from minigrad_course.peers.torch_process import ask


def take_turns(
    ours: Mapping[str, Callable[[], Any]],
    theirs: Mapping[str, Mapping[str, np.ndarray]],
    network: str,
    data: object,
    *,
    batch_size: int,
    lr: float,
    rounds: int = 7,
    threads: int = 1,
    optimizer: str = "sgd",
) -> dict[str, list[float]]:
    """Return the seconds of each round, by name: those of `ours`, and those of PyTorch's networks.

    ours: functions that train one epoch of `data`, in whole. theirs: first weights of networks of the kind `network`
    (a name in pytorch_networks.py), which PyTorch trains for one epoch a round, in one process. data: with train_x
    and train_y; every round sees all of it once. Each side does a round that does not count. threads: PyTorch's; set
    your own to the same.

    Raises PeerError where PyTorch is missing or fails; ValueError for settings that cannot work.
    """
    if twice := set(ours) & set(theirs):
        raise ValueError(f"each competitor needs a name of its own, and both sides have {sorted(twice)}")
    starts = [(weights, 0) for weights in theirs.values()]
    settings = {"batch_size": batch_size, "lr": lr, "threads": threads, "optimizer": optimizer}
    tasks = tasks_of(network, starts, data, 1, **settings)
    seconds: dict[str, list[float]] = {name: [] for name in (*ours, *theirs)}
    ask(threads, "turns", tasks)  # this also warms it up
    for run in ours.values():
        run()
    for _ in range(rounds):
        for title, run in ours.items():
            start = time.perf_counter()
            run()
            seconds[title].append(time.perf_counter() - start)
        for k, title in enumerate(theirs):
            seconds[title].append(ask(threads, "round_of", k))
    return seconds


def turns_table(seconds: Mapping[str, Sequence[float]], steps: int) -> str:
    """Format the result of `take_turns` as a table in Markdown, the fastest first.

    seconds: of each round, by name. steps: in each round. Beside the microseconds of a step stands its ratio to the
    fastest in the same round. If the fastest was not ahead in every round, the table says so: then the order is not
    established.
    """
    order = sorted(seconds, key=lambda name: float(np.median(seconds[name])))
    text = "| | µs a step: median (range) | times as long as the first, in the same round |\n|---|---|---|\n"
    for name in order:
        each = 1e6 * np.array(seconds[name]) / steps
        ratio = np.array(seconds[name]) / np.array(seconds[order[0]])
        beside = f"{np.median(ratio):.2f} ({ratio.min():.2f} to {ratio.max():.2f})"
        beside += "" if ratio.min() > 1 else ": not decided, since it was ahead in some rounds"
        beside = "" if name == order[0] else beside
        text += f"| {name} | {np.median(each):,.0f} ({each.min():,.0f} to {each.max():,.0f}) | {beside} |\n"
    return text
