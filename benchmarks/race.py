"""The race: four networks, four engines, same weights, same batches; who is fastest, and who allocates least.

    python -m benchmarks.race [--quick] [--networks rnn,cnn] [--engines minigrad,jax] [--threads 1,4] [--all-modes]

Every engine trains as the papers do, epoch by epoch, and the engines take turns (field.py). Each epoch is a repeat; the
figures are medians over them. Bytes are counted afterwards, in rounds that nobody times.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import machine, report, workloads
from benchmarks.engines import ENGINES
from benchmarks.field import Worker, WorkerError, workers

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class Plan:
    """The length of one network's training."""

    steps: int  # in a round
    rounds: int
    judged: int  # after so many rounds the test pictures are asked
    counted: int  # bytes: rounds of so many and of twice as many steps


# A round is an epoch of 60,000 pictures; after the papers' numbers of epochs an RNN's rounds go on, being short.
# A GPT's is a sixth of one.
FULL = {
    "rnn": Plan(600, 15, 5, 300), "cnn": Plan(600, 5, 5, 300), "autoencoder": Plan(60_000, 4, 4, 3000),
    "gpt": Plan(300, 5, 5, 20),
}  # fmt: skip
QUICK = {
    "rnn": Plan(300, 7, 7, 50), "cnn": Plan(40, 5, 5, 10), "autoencoder": Plan(2000, 5, 5, 100),
    "gpt": Plan(20, 5, 5, 3),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Run what the command line asks for; print and save the results, and return them."""
    options = parse(arguments)
    sentences = [ENGINES[name].missing() for name in options.engines if ENGINES[name].missing()]
    present = [name for name in options.engines if not ENGINES[name].missing()]
    if not present:
        raise SystemExit("There is nobody to race: " + " ".join(sentences))
    about = machine.describe()
    settings, tried = machine.best_blas()
    print(report.machine_text(about), report.blas_text(tried), *sentences, sep="\n", flush=True)

    if options.quick:
        sentences += report.quick_sentences(present)
    title, arrays = workloads.load_data()
    print(f"Data: {title}.", flush=True)
    results: dict[str, Any] = {
        "when": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes"),
        "quick": options.quick,
        "machine": about,
        "blas": tried,
        "data": title,
        "left_out": sentences,
        "races": [],
    }
    with tempfile.TemporaryDirectory(prefix="minigrad-bench-") as name:
        folder = Path(name)
        prepare(arrays, folder, max(plan.rounds for plan in options.plans.values()))
        for threads in options.threads:
            for network in options.networks:
                racers = [(engine, mode) for engine in present for mode in modes(engine, network, threads, options)]
                if options.quick and network in ("cnn", "gpt"):
                    racers = [racer for racer in racers if racer[0] != "torch_compile"]
                race = run(
                    network, racers, threads, options.plans[network], folder, arrays, settings,
                    cache=folder / "cache" if options.quick else None, thorough=not options.quick,
                )  # fmt: skip
                results["races"].append(race)
                print("\n" + report.race_text(race, results["races"]), flush=True)
                save(results, options.out)  # each as it comes: a run takes long, and may be ended
    print("\n" + report.summary(results))
    print(f"\nSaved: {options.out / 'race.json'} and race.md beside it.")
    return results


def names(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Parse an option with several names."""

    def split(text: str) -> list[str]:
        chosen = text.split(",")
        if wrong := sorted(set(chosen) - set(known)):
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(wrong)}; there is {', '.join(known)}")
        return chosen

    return split


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, checked."""

    parser = argparse.ArgumentParser(prog="python -m benchmarks.race", description="minigrad beside other engines.")
    add = parser.add_argument
    add("--quick", action="store_true", help="few steps: under three minutes")
    add("--networks", type=names(list(workloads.WORKLOADS)), help="which, by commas; a quick race: not the gpt")
    add("--engines", type=names(list(ENGINES)), default=list(ENGINES), help="which, by commas")
    add("--threads", type=lambda text: [int(n) for n in text.split(",")], help="numbers of processors: 1,4")
    add("--all-modes", action="store_true", help="every way of writing a network in an engine, not only the best")
    add("--rounds", type=int, help="so many repeats instead")
    add("--out", type=Path, help="folder for the results")
    options = parser.parse_args(arguments)
    options.threads = options.threads or ([1] if options.quick else sorted({1, machine.cores()}))
    if not 1 <= min(options.threads) <= max(options.threads) <= machine.cores():
        parser.error(f"--threads: there are 1 to {machine.cores()} processors here")
    # The GPT's programs take the longest to compile.
    options.networks = options.networks or [n for n in workloads.WORKLOADS if not (options.quick and n == "gpt")]
    options.plans = dict(QUICK if options.quick else FULL)
    if options.rounds is not None:
        if options.rounds < 1:
            parser.error("--rounds: there must be 1 or more")
        for name, plan in options.plans.items():
            options.plans[name] = Plan(plan.steps, options.rounds, min(plan.judged, options.rounds), plan.counted)
    options.out = options.out or (RESULTS / "quick" if options.quick else RESULTS)
    return options


def modes(engine: str, network: str, threads: int, options: argparse.Namespace) -> Sequence[str]:
    """Return the modes to run: the best one, or all. On several cores minigrad runs in as many shards, and in fewer.

    The others choose the number of threads for each product themselves.
    """
    known = ENGINES[engine].modes[network]
    if options.all_modes:
        return known
    if options.quick and engine == "torch_compile":
        return [mode for mode in known if mode.endswith(" 1")][:1]  # several steps in one program compile for longer
    if engine == "minigrad" and not options.quick:
        fewer = [2**k for k in range(threads.bit_length()) if 2**k < threads]
        return (known[0], *(f"{known[0]} {shards}" for shards in fewer))
    return known[:1]


def prepare(arrays: dict[str, np.ndarray], folder: Path, rounds: int) -> None:
    """Data and the order of its rows, a permutation for each round, into files for the workers."""
    workloads.save_data(arrays, folder)
    rng = np.random.default_rng(1)
    np.save(folder / "orders.npy", np.stack([rng.permutation(len(arrays["train_x"])) for _ in range(rounds)]))


def run(
    network: str, racers: Sequence[tuple[str, str]], threads: int, plan: Plan, folder: Path,
    arrays: dict[str, np.ndarray], settings: dict[str, str | None], *, sizes: dict[str, int] | None = None,
    count: bool = True, thorough: bool = True, cache: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Train one network in all engines, by turns. Whoever fails is left out with a sentence.

    racers: (engine, mode). sizes: arguments for the workload. count: count bytes. thorough: start minigrad a second
    time, from its cache of compiled programs, and ask PyTorch too how fast products are. cache: the folder for compiled
    programs; an empty one, if not said.
    """
    workload = workloads.WORKLOADS[network](**(sizes or {}))
    data = workloads.data_of(workload, arrays)
    race: dict[str, Any] = {
        "network": network, "title": workload.title, "threads": threads, "batch": workload.batch, "steps": plan.steps,
        "judged": plan.judged, "flop": workload.flop, "load_before": os.getloadavg()[0], "rows": [], "left_out": [],
    }  # fmt: skip
    if network == "gpt":
        (folder / "text").mkdir(exist_ok=True)
        workloads.save_data(data, folder / "text")
    common = {"network": network, "sizes": sizes or {}, "threads": threads}
    cache = cache or Path(tempfile.mkdtemp(dir=folder, prefix="cache-"))
    peaks = [
        machine.peak_task(mode, threads)
        for mode in ("registers", "blas", "tiles", "torch")
        if mode != "torch" or (thorough and any_torch(racers))
    ]
    tasks = [{**common, "engine": engine, "mode": mode} for engine, mode in racers]
    with workers(folder, cache, [*tasks, *peaks], settings) as started:
        field: list[tuple[dict[str, Any], Worker]] = []
        for task, worker in zip(tasks, started, strict=False):
            try:
                first = worker.ask("start", steps=plan.steps)
            except WorkerError as error:
                race["left_out"].append(str(error))
                continue
            row = {"engine": task["engine"], "title": ENGINES[task["engine"]].title, "mode": task["mode"]}
            row |= {"first_seconds": first["seconds"], "version": first["version"]}
            field.append((row | {"seconds": [], "processor_seconds": [], "losses": []}, worker))
        multipliers = started[len(tasks) :]
        for worker in multipliers:
            worker.ask("start", steps=1)
        multiplied: list[list[float]] = [[] for _ in multipliers]
        for turn in range(plan.rounds):
            for place in range(len(field)):
                row, worker = field[(place + turn) % len(field)]
                answer = worker.ask("train", round=turn, steps=plan.steps)
                row["seconds"].append(answer["seconds"])
                row["processor_seconds"].append(answer["processor_seconds"])
                if turn == 0:
                    row["first_losses"] = answer["losses"][: workload.compared]
                row["losses"].append(statistics.fmean(answer["losses"]))
                if turn + 1 == plan.judged:
                    worker.ask("weights", to="weights.npz")
                    with np.load(folder / "weights.npz") as file:
                        row["judged"] = workloads.judge(workload, dict(file), data["test_x"], data["test_y"])
                    row["final_loss"] = row["losses"][-1]
            for worker, figures in zip(multipliers, multiplied, strict=True):
                figures.append(worker.ask("train", round=0, steps=1)["losses"][0])
        race["registers"], *products = (statistics.median(figures) for figures in multiplied)
        race["peak"] = max(products)
        race["rows"] = [row for row, _ in field]
        agree(race["rows"])
        for row, worker in field if count else []:
            row["count"] = worker.ask("count", steps=plan.counted)
            if row["engine"] == "minigrad":
                row["count_arrays"] = worker.ask("count_arrays", steps=plan.counted)
    for row in race["rows"] if thorough else []:
        if row["engine"] == "minigrad":
            task = {**common, "engine": row["engine"], "mode": row["mode"]}
            with Worker(folder, cache, task, settings) as worker:
                row["again_seconds"] = worker.ask("start", steps=plan.steps)["seconds"]
    return race


def any_torch(racers: Sequence[tuple[str, str]]) -> bool:
    """Tell whether PyTorch takes part: then its matrix product may be the machine's fastest, and sets the peak."""
    return any(ENGINES[engine].package == "torch" for engine, _ in racers)


def agree(rows: list[dict[str, Any]]) -> None:
    """Write into each row how far its first losses are from those of the first row: |a - b| / max(1, |b|) at most."""
    for row in rows:
        losses, reference = np.array(row.pop("first_losses")), rows[0].setdefault("reference", None)
        if reference is None:
            rows[0]["reference"] = reference = losses
        row["difference"] = float(np.max(np.abs(losses - reference) / np.maximum(1, np.abs(reference))))
    for row in rows:
        row.pop("reference", None)


def save(results: dict[str, Any], folder: Path) -> None:
    """race.json for programs, race.md for people."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "race.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (folder / "race.md").write_text(report.markdown(results), encoding="utf-8")


if __name__ == "__main__":
    main()
