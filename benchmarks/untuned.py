"""Networks that nobody tuned for, beside PyTorch and JAX: the speed of a step, and the seconds before the first one.

    python -m benchmarks.untuned [--networks lstm100,gpt64] [--engines minigrad,jax] [--rounds 5] [--threads 1]

The race (race.py) has four networks, each written in each engine in the way that is fastest there. Here each network is
one list of layers, built from the modules of minigrad and of PyTorch, and in JAX of its operations, as anybody would.
Engines take turns (field.py); the first losses must be those of PyTorch in float64.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import machine, report
from benchmarks.field import Worker, WorkerError, environment, workers
from benchmarks.race import RESULTS, names

SECONDS = 0.4  # of steps in one turn
COMPARED = 5  # so many first losses are compared with float64
KEEPS: dict[str, str | None] = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"
}  # fmt: skip
ENGINES = {"minigrad": "minigrad", "torch": "PyTorch eager", "torch_compile": "torch.compile", "jax": "JAX"}


@dataclass(frozen=True)
class Network:
    """layers: (module, its arguments) in order; `x` is normal, or with `letters` random whole numbers below that.

    Without `squares` the loss is the cross-entropy of classes, as many as the last layer has outputs.
    """

    title: str
    x: tuple[int, ...]
    layers: tuple[tuple[Any, ...], ...]
    adam: bool = False
    squares: bool = False
    letters: int = 0
    dtype: str = "float32"


def dense(*sizes: int, activation: str = "ReLU") -> tuple[tuple[Any, ...], ...]:
    """Linear layers with an activation between each two."""
    return tuple(layer for pair in pairwise(sizes) for layer in (("Linear", *pair), (activation,)))[:-1]


def recurrent(kind: str, inputs: int, size: int) -> tuple[tuple[Any, ...], ...]:
    """A recurrent layer, of which the last output goes on, and a dense one."""
    return (kind, inputs, size), ("Linear", size, 10)


def transformer(letters: int, steps: int, size: int, heads: int, blocks: int) -> tuple[tuple[Any, ...], ...]:
    """Letters and places, causal blocks, scores."""
    return ("Embed", letters, steps, size), *(("Block", size, heads),) * blocks, ("LayerNorm", size), (
        "Linear", size, letters,
    )  # fmt: skip


def _mixer(size: int) -> tuple[Any, ...]:
    return "Residual", (("LayerNorm", size), *dense(size, 4 * size, size, activation="GELU"))


def _convolutions(*channels: int, stride: int = 1) -> tuple[tuple[Any, ...], ...]:
    return tuple(layer for pair in pairwise(channels) for layer in (("Conv2d", *pair, 3, stride, 1), ("ReLU",)))


POOL, FLAT = ("MaxPool2d", 2), ("Flatten",)
NETWORKS = {
    "dense_small": Network("dense 64-32-10, tanh", (32, 64), dense(64, 32, 10, activation="Tanh")),
    "dense_one": Network("dense 64-32-10, tanh, one row", (1, 64), dense(64, 32, 10, activation="Tanh")),
    "dense_large": Network("dense 784-512-512-10", (128, 784), dense(784, 512, 512, 10), adam=True),
    "dense_deep": Network("dense 128, 12 layers", (64, 128), dense(*(128,) * 12, 10)),
    "float64": Network(
        "dense 100-200-200-10, tanh, float64", (50, 100), dense(100, 200, 200, 10, activation="Tanh"), dtype="float64"
    ),
    "rnn28": Network("RNN 256, 28 steps", (64, 28, 28), recurrent("RNN", 28, 256)),
    "rnn400": Network("RNN 64, 400 steps", (16, 400, 16), recurrent("RNN", 16, 64)),
    "gru28": Network("GRU 128, 28 steps", (64, 28, 28), recurrent("GRU", 28, 128)),
    "gru100": Network("GRU 64, 100 steps", (16, 100, 16), recurrent("GRU", 16, 64)),
    "lstm28": Network("LSTM 128, 28 steps", (64, 28, 28), recurrent("LSTM", 28, 128)),
    "lstm100": Network("LSTM 128, 100 steps", (16, 100, 16), recurrent("LSTM", 16, 128)),
    "lstm400": Network("LSTM 32, 400 steps", (8, 400, 16), recurrent("LSTM", 16, 32)),
    "race_rnn": Network("RNN of the race", (100, 4, 196), recurrent("RNN", 196, 64)),
    "race_cnn": Network(
        "CNN of the race", (100, 1, 28, 28),
        (("Conv2d", 1, 6, 3), ("ReLU",), POOL, ("Conv2d", 6, 16, 3), ("ReLU",), POOL, FLAT, *dense(400, 84, 10)),
    ),
    "race_gpt": Network("GPT of the race", (32, 64), transformer(33, 64, 64, 4, 3), letters=33),
    "lenet": Network(
        "LeNet", (64, 1, 28, 28),
        (("Conv2d", 1, 6, 5), ("ReLU",), POOL, ("Conv2d", 6, 16, 5), ("ReLU",), POOL, FLAT, *dense(256, 120, 84, 10)),
    ),
    "padded": Network(
        "4 convolutions, padding, 32 and 64 channels", (32, 3, 32, 32),
        (*_convolutions(3, 32, 32), POOL, *_convolutions(32, 64, 64), POOL, FLAT, ("Linear", 4096, 10)),
    ),
    "strided": Network(
        "3 convolutions, stride 2, padding", (64, 1, 28, 28),
        (*_convolutions(1, 16, 32, 64, stride=2), FLAT, ("Linear", 1024, 10)),
    ),
    "autoencoder": Network(
        "autoencoder 784-256-64-16 and back", (100, 784), (*dense(784, 256, 64, 16, 64, 256, 784), ("Sigmoid",)),
        adam=True, squares=True,
    ),
    "gpt32": Network(
        "transformer 32, 1 block, 16 letters", (8, 16), transformer(64, 16, 32, 2, 1), adam=True, letters=64
    ),
    "gpt128": Network(
        "transformer 128, 2 blocks, 64 letters", (8, 64), transformer(64, 64, 128, 4, 2), adam=True, letters=64
    ),
    "gpt256": Network(
        "transformer 256, 4 blocks, 64 letters", (4, 64), transformer(64, 64, 256, 4, 4), adam=True, letters=64
    ),
    "mixer": Network(
        "LayerNorm, GELU, residual, 256 twice", (64, 256), (_mixer(256), _mixer(256)), adam=True, squares=True
    ),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.untuned", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--networks", type=names(list(NETWORKS)), default=list(NETWORKS), help="which, by commas")
    add("--engines", type=names(list(ENGINES)), default=list(ENGINES), help="which, by commas")
    add("--rounds", type=int, default=5, help="so many turns")
    add("--threads", type=int, default=1, help="processors")
    add("--out", type=Path, default=RESULTS, help="folder for the results")
    options = parser.parse_args(arguments)
    settings, tried = machine.best_blas()
    about = report.machine_text(machine.describe()) + "\n" + report.blas_text(tried)
    print(about, flush=True)
    measured = []
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as prepared:
        command = [sys.executable, "-c", "from minigrad_course.cli import main; main(['prepare'])"]
        subprocess.run(command, env=environment(Path(prepared), 1), check=True, stdout=subprocess.DEVNULL)
        for name in options.networks:
            measured.append(run(name, options.engines, options.rounds, options.threads, settings, Path(prepared)))
            print(json.dumps(measured[-1]), flush=True)
    text = markdown(measured, about.replace("\n", "  \n"), options.threads, options.rounds)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "untuned.md").write_text(text, encoding="utf-8")
    print(f"{text}\nSaved: {options.out / 'untuned.md'}.")


def run(
    name: str, engines: Sequence[str], rounds: int, threads: int, settings: dict[str, str | None],
    prepared: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """One network in each engine, by turns. Whoever fails is left out, with a sentence.

    prepared: the folder that `minigrad prepare` has filled with machine code.
    """
    race: dict[str, Any] = {"network": name, "left_out": [], "engines": {}}
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as folder:
        tasks = [
            {"runner": "benchmarks.layered", "network": name, "engine": engine, "mode": "", "threads": threads}
            for engine in ("float64", *engines)
        ]
        settings = {**settings, **KEEPS, "JAX_COMPILATION_CACHE_DIR": f"{folder}/jax"}
        with workers(Path(folder), Path(folder), tasks, settings) as (judge, *started):
            reference = judge.ask("start")
            race["flop"] = reference["flop"]
            field: list[tuple[dict[str, Any], Worker]] = []
            for engine, worker in zip(engines, started, strict=True):
                try:
                    row = worker.ask("start")
                except WorkerError as error:
                    race["left_out"].append(str(error))
                    continue
                losses = zip(row.pop("losses"), reference["losses"], strict=True)
                row["differ"] = max(abs(a - b) / max(1, abs(b)) for a, b in losses)
                race["engines"][engine] = row
                field.append((row | {"times": []}, worker))
            for turn in range(rounds):
                for place in range(len(field)):
                    row, worker = field[(place + turn) % len(field)]
                    row["times"].append(worker.ask("train", seconds=SECONDS))
            for (row, worker), into in zip(field, race["engines"].values(), strict=True):
                into |= {key: statistics.median(time[key] for time in row["times"]) for key in ("step", "worked")}
                into["bytes"] = worker.ask("count")["bytes"]
        for task in tasks[1:] if prepared else ():
            row = race["engines"].get(task["engine"], {})
            with Worker(Path(folder), Path(folder), task, settings) as worker:
                row["cached"] = worker.ask("start")["first"] if row else None
            if task["engine"] == "minigrad" and prepared:
                shutil.copytree(prepared, Path(folder, "prepared"))
                with Worker(Path(folder), Path(folder, "prepared"), task, settings) as worker:
                    row["prepared"] = worker.ask("start")["first"]
    race["peak"] = machine.gflops("tiles", threads, settings)
    return race


def ratio(race: dict[str, Any]) -> float | None:
    """minigrad's speed over the best peer's."""
    peers = [row["step"] for engine, row in race["engines"].items() if engine != "minigrad"]
    return min(peers) / race["engines"]["minigrad"]["step"] if peers and "minigrad" in race["engines"] else None


def markdown(measured: Sequence[dict[str, Any]], about: str, threads: int, rounds: int) -> str:
    """The two tables: of a step, and of what stands before the first one."""
    engines = [engine for engine in ENGINES if any(engine in race["engines"] for race in measured)]
    steps, firsts = [], []
    for race in measured:
        network, of = NETWORKS[race["network"]], race["engines"]
        title, row = f"{network.title} ({network.x[0]})", of.get("minigrad")
        times = [f"{1e3 * of[engine]['step']:.3f}" if engine in of else "" for engine in engines]
        best = f"{beside:.2f}" if (beside := ratio(race)) else ""
        share = f"{100 * race['flop'] / row['step'] / race['peak'] / 1e9:.0f} %" if row else ""
        differ = f"{max(row['differ'] for row in of.values()):.0e}"
        steps.append([title, *times, best, share, f"{row['bytes']:,.0f}" if row else "", differ])
        states = [("minigrad", "prepared"), *((engine, state) for state in ("first", "cached") for engine in engines)]
        firsts.append([title, *(f"{of[e][state]:.1f}" if state in of.get(e, {}) else "" for e, state in states)])
    heads = [ENGINES[engine] for engine in engines]
    had = statistics.median(row["worked"] / row["step"] for race in measured for row in race["engines"].values())
    rough = f" ROUGH: the engines had their core {100 * had:.0f} % of the time." if threads == 1 and had < 0.95 else ""
    left_out = "\n".join(sentence for race in measured for sentence in race["left_out"])
    return (
        f"""# Networks that nobody tuned for

{about}

Milliseconds of a training step (loss, gradients and update; in brackets the batch) on {report.cores(threads)}: medians
of {rounds} turns of {SECONDS} s. best peer: its time over minigrad's. of peak: the arithmetic of minigrad's matrix
products a second, over that of 1024 x 1024 products. bytes: what a step of minigrad's allocates in arrays. differ: the
first {COMPARED} losses of every engine from those of PyTorch in float64, at most.{rough}

{report.grid(["network", *heads, "best peer", "of peak", "bytes", "differ"], steps)}

Processor seconds from building the network to the end of the first step. prepared: minigrad with what `minigrad
prepare` leaves, which `make lab` starts in the background; the others with empty folders for compiled code, and cached,
once more with what the first start left there. Importing an engine is not counted, but what it imports only when it
compiles is.

{report.grid(["network", "prepared", *heads, *(f"{head}, cached" for head in heads)], firsts)}

{left_out}
""".rstrip()
        + "\n"
    )


if __name__ == "__main__":
    main()
