"""Networks that nobody tuned for, beside PyTorch and JAX: the speed of a step, and the seconds before the first one.

    python -m benchmarks.untuned [--networks lstm100,gpt128] [--engines minigrad,jax] [--rounds 5] [--only two]

The race (race.py) has four networks, each written in each engine in the way that is fastest there. Here each network is
one list of layers, built from the modules of minigrad and of PyTorch, and in JAX of its operations, as anybody would.
Engines take turns (field.py); the first losses must be those of PyTorch in float64. An engine is one process for all
networks, and a new one for each where the seconds before the first step are measured.
"""

from __future__ import annotations

import argparse
import compileall
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import machine, report
from benchmarks.field import ROOT, Worker, WorkerError, environment, workers
from benchmarks.race import RESULTS, names

SECONDS = 0.2  # of steps in one turn
COMPARED = 5  # so many first losses are compared with float64
KEEPS: dict[str, str | None] = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"
}  # fmt: skip
AVX2: dict[str, str | None] = {
    "NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi2", "OPENBLAS_CORETYPE": "Haswell",
    "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
}  # fmt: skip
ENGINES = {
    "minigrad": "minigrad", "shards": "minigrad, a shard a core", "torch": "PyTorch eager",
    "torch_compile": "torch.compile", "jax": "JAX",
}  # fmt: skip
OURS = ("minigrad", "shards")


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


# What stands before the first step is measured for some of these, and along sequences and stacks that grow.
FIRSTS = {
    **{name: NETWORKS[name] for name in ("dense_small", "dense_large", "rnn28", "padded")},
    **{name: NETWORKS[name] for name in ("race_rnn", "race_cnn", "race_gpt")},
    **{
        f"lstm{steps}_32": Network(f"LSTM 32, {steps:,} steps", (8, steps, 16), recurrent("LSTM", 16, 32))
        for steps in (28, 100, 400, 1600)
    },
    **{f"equal{n}": Network(f"dense 64, {n} equal layers", (32, 64), dense(*(64,) * (n + 1), 10)) for n in (2, 8, 32)},
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.untuned", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--networks", type=names(list(NETWORKS)), default=list(NETWORKS), help="which, by commas")
    add("--engines", type=names(list(ENGINES)), default=["minigrad", "shards", "torch", "jax"], help="which, by commas")
    add("--rounds", type=int, default=5, help="so many turns")
    add("--only", type=names(["one", "avx2", "two", "firsts"]), default=["one", "avx2", "two", "firsts"])
    add("--out", type=Path, default=RESULTS, help="folder for the results")
    options = parser.parse_args(arguments)
    settings, tried = machine.best_blas()
    about = report.machine_text(machine.describe()) + "\n" + report.blas_text(tried)
    print(about, flush=True)
    alone = [engine for engine in options.engines if engine != "shards"]
    # JAX's products run with AVX-512 whatever XLA_FLAGS says.
    tables = {
        "one": ("one core", alone, 1, settings),
        "avx2": ("one core as without AVX-512", [e for e in alone if e != "jax"], 1, {**settings, **AVX2}),
        "two": ("two cores", options.engines, 2, settings),
    }
    if not machine.has_avx512():
        del tables["avx2"]
    if machine.cores() < 2:
        del tables["two"]
    parts = [f"# Networks that nobody tuned for\n\n{about.replace(chr(10), '  ' + chr(10))}\n\n{EXPLAINED}"]
    for only, (title, engines, threads, of) in tables.items():
        if only in options.only:
            with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as folder:
                measured = list(run(options.networks, engines, options.rounds, threads, of, Path(folder)))
            save(options.out, parts, steps_text(measured, title, threads, options.rounds))
    if "firsts" in options.only:
        compileall.compile_dir(ROOT / "minigrad", quiet=2)  # as pip does with the packages that it installs
        save(options.out, parts, firsts_text(list(firsts(list(FIRSTS), settings))))


def save(folder: Path, parts: list[str], part: str) -> None:
    """Print the part, and write all so far: it takes minutes to the next one."""
    parts.append(part)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "untuned.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"{part}\nSaved: {folder / 'untuned.md'}.", flush=True)


def _task(network: str, engine: str, threads: int) -> dict[str, Any]:
    return {"runner": "benchmarks.layered", "network": network, "engine": engine, "mode": "", "threads": threads}


def run(
    networks: Sequence[str], engines: Sequence[str], rounds: int, threads: int, settings: dict[str, str | None],
    folder: Path,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Each network in each engine, by turns. An engine that fails is left out from there on, with a sentence."""
    peak = machine.gflops("tiles", threads, settings)
    tasks = [_task(networks[0], engine, threads) for engine in ("float64", *engines)]
    with workers(folder, folder, tasks, settings) as (judge, *started):
        at_work = dict(zip(engines, started, strict=True))
        for name in networks:
            reference = judge.ask("start", network=name)
            rows: dict[str, Any] = {}
            race = {"network": name, "engines": rows, "left_out": [], "flop": reference["flop"], "peak": peak}
            times: dict[str, list[dict[str, float]]] = {}
            for engine, worker in list(at_work.items()):
                try:
                    row = worker.ask("start", network=name)
                except WorkerError as error:
                    race["left_out"].append(f"{name}: {error}")
                    del at_work[engine]
                    continue
                losses = zip(row.pop("losses"), reference["losses"], strict=True)
                rows[engine] = {"differ": max(abs(a - b) / max(1, abs(b)) for a, b in losses)}
                times[engine] = []
            for turn in range(rounds):
                for place in range(len(times)):
                    engine = [*times][(place + turn) % len(times)]
                    times[engine].append(at_work[engine].ask("train", seconds=SECONDS))
            for engine, row in rows.items():
                row |= {key: statistics.median(time[key] for time in times[engine]) for key in ("step", "worked")}
                if engine in OURS:
                    row["bytes"] = at_work[engine].ask("count")["bytes"]
            print(json.dumps(race), flush=True)
            yield race


def firsts(networks: Sequence[str], settings: dict[str, str | None]) -> Iterator[dict[str, Any]]:
    """Processor seconds before the first step, each in a new process: cold, prepared and cached."""
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as prepared:
        command = [sys.executable, "-c", "from minigrad_course.cli import main; main(['prepare'])"]
        subprocess.run(command, env=environment(Path(prepared), 1), check=True, stdout=subprocess.DEVNULL)
        for name in networks:
            row: dict[str, Any] = {"network": name}
            with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as place:
                folder, ready = Path(place), Path(place, "prepared")
                shutil.copytree(prepared, ready)
                caches = {**settings, **KEEPS, "JAX_COMPILATION_CACHE_DIR": f"{folder}/jax"}
                for key, engine, cache in (
                    ("cold", "minigrad", folder), ("cached", "minigrad", folder), ("prepared", "minigrad", ready),
                    ("JAX, cold", "jax", folder), ("JAX, cached", "jax", folder),
                ):  # fmt: skip
                    with Worker(folder, cache, _task(name, engine, 1), caches) as worker:
                        try:
                            row[key] = worker.ask("start")["first"]
                        except WorkerError as error:
                            print(error, flush=True)
            print(json.dumps(row), flush=True)
            yield row


def _least(race: dict[str, Any], threads: int, ours: bool) -> float | None:
    """The seconds of the fastest engine, minigrad's or a peer's: by the clock, or of the processor where it is one."""
    key = "worked" if threads == 1 else "step"
    return min((row[key] for engine, row in race["engines"].items() if (engine in OURS) == ours), default=None)


EXPLAINED = f"""Milliseconds of a training step (loss, gradients and update; in brackets the batch), medians of turns
of {SECONDS} s: of the processor on one core, by the clock on two. best peer: its time over minigrad's. of peak: the
arithmetic of minigrad's matrix products a second, over that of 1024 x 1024 products. bytes: what a step of minigrad's
allocates in arrays. differ: the first {COMPARED} losses of every engine from those of PyTorch in float64, at most."""


def steps_text(measured: Sequence[dict[str, Any]], title: str, threads: int, rounds: int) -> str:
    """The table of a step."""
    engines = [engine for engine in ENGINES if any(engine in race["engines"] for race in measured)]
    key, rows = "worked" if threads == 1 else "step", []
    for race in measured:
        network, of = NETWORKS[race["network"]], race["engines"]
        own, peer = _least(race, threads, True), _least(race, threads, False)
        rows.append([
            f"{network.title} ({network.x[0]})",
            *(f"{1e3 * of[engine][key]:.3f}" if engine in of else "" for engine in engines),
            f"{peer / own:.2f}" if own and peer else "",
            f"{100 * race['flop'] / own / race['peak'] / 1e9:.0f} %" if own else "",
            f"{of['minigrad']['bytes']:,.0f}" if "minigrad" in of else "",
            f"{max((row['differ'] for row in of.values()), default=0):.0e}",
        ])  # fmt: skip
    had = statistics.median(row["worked"] / row["step"] for race in measured for row in race["engines"].values())
    rough = f" ROUGH: the engines had their core {100 * had:.0f} % of the time." if threads == 1 and had < 0.95 else ""
    heads = ["network", *(ENGINES[engine] for engine in engines), "best peer", "of peak", "bytes", "differ"]
    left_out = "".join(f"\n\n{sentence}" for race in measured for sentence in race["left_out"])
    peak = measured[0]["peak"]
    return (
        f"## On {title}\n\n{rounds} turns; products of 1024 x 1024 reach {peak:.0f} GFLOP/s.{rough}\n\n"
        f"{report.grid(heads, rows)}{left_out}"
    )


def firsts_text(rows: Sequence[dict[str, Any]]) -> str:
    """The table of what stands before the first step."""
    keys = ("cold", "prepared", "cached", "JAX, cold", "JAX, cached")
    table = [[FIRSTS[row["network"]].title, *(f"{row[key]:.1f}" if key in row else "" for key in keys)] for row in rows]
    return f"""## Before the first step

Processor seconds from building the network to the end of the first step, each in a new process. cold: with empty
folders for compiled code. prepared: with what `minigrad prepare` leaves, which `make lab` starts in the background.
cached: once more, with what the cold start left there. Importing an engine is not counted, but what it imports only
when it compiles is.

{report.grid(["network", *keys], table)}"""


if __name__ == "__main__":
    main()
