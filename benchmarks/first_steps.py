"""Seconds before the first step: building a network and training on one batch, in a new process.

    python -m benchmarks.first_steps [--networks rnn,cnn] [--rounds 3]

cold: with empty folders for compiled code. prepared: with what `minigrad prepare` left there, minigrad alone. cached:
once more, with what the cold start left there. Importing an engine is not counted, but what it imports only when it
compiles is: minigrad numba and its compiler. The engines are those of the race, each in its
mode of one step a call; JAX, too, keeps what it compiles.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine, report, workloads
from benchmarks.engines import ENGINES
from benchmarks.field import Worker, environment
from benchmarks.race import RESULTS, names, prepare

STATES = ("cold", "prepared", "cached")
KEEPS = {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"}

Times = dict[str, list[tuple[float, float]]]  # seconds and processor seconds of each round, of each state


def mode(engine: str, network: str) -> str:
    """The mode in which a call does one step, where there are several."""
    known = ENGINES[engine].modes[network]
    return next((name for name in known if name.endswith(" 1")), known[0])


def start(task: dict[str, Any], folder: Path, cache: Path) -> tuple[float, float]:
    """Seconds and processor seconds of an engine's first step, in a process of its own."""
    with Worker(folder, cache, task, {**KEEPS, "JAX_COMPILATION_CACHE_DIR": str(cache / "jax")}) as worker:
        answer = worker.ask("start", steps=1)
    return answer["seconds"], answer["processor_seconds"]


def measure(networks: Sequence[str], engines: Sequence[str], rounds: int) -> dict[tuple[str, str], Times]:
    """The times of each network in each engine."""
    times: dict[tuple[str, str], Times] = {}
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as name:
        folder = Path(name)
        _, arrays = workloads.load_data()
        prepare(arrays, folder, 1)
        (folder / "text").mkdir()
        workloads.save_data(workloads.data_of(workloads.WORKLOADS["gpt"](), arrays), folder / "text")
        ready = folder / "prepared"
        command = [sys.executable, "-c", "from minigrad_course.cli import main; main(['prepare'])"]
        subprocess.run(command, env=environment(ready, 1), check=True, stdout=subprocess.DEVNULL)
        for turn in range(rounds):
            for network in networks:
                for engine in engines:
                    task = {"network": network, "sizes": {}, "threads": 1, "engine": engine}
                    task["mode"] = mode(engine, network)
                    cache = folder / f"{network}-{engine}-{turn}"
                    of = times.setdefault((network, engine), {})
                    for state in STATES:
                        if state == "prepared" and engine != "minigrad":
                            continue
                        if state == "prepared":
                            shutil.copytree(ready, folder / "again", dirs_exist_ok=True)
                        place = folder / "again" if state == "prepared" else cache
                        of.setdefault(state, []).append(start(task, folder, place))
                        shutil.rmtree(folder / "again", ignore_errors=True)
                    print(network, engine, {state: of[state][-1] for state in of}, flush=True)
    return times


def markdown(times: dict[tuple[str, str], Times], rounds: int, about: str) -> str:
    """The table."""
    rows = []
    for (network, engine), of in times.items():
        cells = []
        for state in STATES:
            seconds, worked = (
                (statistics.median(column) for column in zip(*of[state], strict=True)) if state in of else (None, None)
            )
            cells.append("" if seconds is None else f"{worked:.1f} ({seconds:.1f})")
        title = workloads.WORKLOADS[network]().title
        rows.append([title, f"{ENGINES[engine].title}, {mode(engine, network)}", *cells])
    grid = report.grid(["network", "engine", *STATES], rows)
    every = [pair for of in times.values() for pairs in of.values() for pair in pairs]
    had = sum(worked for _, worked in every) / sum(seconds for seconds, _ in every)
    starts = "one start each" if rounds == 1 else f"medians of {rounds} starts"
    return f"""# Seconds before the first step

{about}

Building a network and training on one batch, in a new process on one core: seconds of processors, with those of the
compilers that an engine starts, and in brackets those of the clock ({starts}). The processes had their core
{100 * had:.0f} % of the time: the rest went to others who used the machine, and to waiting. Importing an
engine is not counted, but what it imports only when it compiles is: minigrad numba and its compiler. cold: with empty
folders for compiled code. prepared: with what `minigrad prepare` leaves there, which `make lab` starts
in the background. cached: once more, with what the cold start has left. JAX keeps what it compiles, too, which it does
not do if nobody asks for it.

{grid}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_steps", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--networks", type=names(list(workloads.WORKLOADS)), default=list(workloads.WORKLOADS), help="by commas")
    add("--engines", type=names(list(ENGINES)), default=["minigrad", "jax", "torch_compile"], help="by commas")
    add("--rounds", type=int, default=3, help="so many starts of each")
    add("--out", type=Path, default=RESULTS, help="folder for the result")
    options = parser.parse_args(arguments)
    for sentence in filter(None, (ENGINES[name].missing() for name in options.engines)):
        print(sentence)
    engines = [name for name in options.engines if not ENGINES[name].missing()]
    times = measure(options.networks, engines, options.rounds)
    options.out.mkdir(parents=True, exist_ok=True)
    about = report.machine_text(machine.describe()).replace("\n", "  \n")
    text = markdown(times, options.rounds, about)
    (options.out / "first_steps.md").write_text(text, encoding="utf-8")
    print(f"{text}\nSaved: {options.out / 'first_steps.md'}.")


if __name__ == "__main__":
    main()
