"""Many jobs: Dask's schedulers and workers come and go, and the counter in each result says 1."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from minigrad_class import batch
from minigrad_class.store import Store
from minigrad_course.grading.cells import GradingError

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[1]
distributed = pytest.importorskip("distributed", reason="Dask comes with `make class`")
MANY = int(os.environ.get("MINIGRAD_CLASS", "300"))


def quickly(job):
    """Instead of grading: what the engine itself costs."""
    time.sleep(job.get("seconds", 0.0))
    return {"key": job["key"], "outcomes": {}, "digest": job["exercise"]["digest"]}


def jobs_of(count, seconds=0.0):
    exercise = {"digest": "x", "payload": "y" * 100_000}
    cells = [{"kind": "solution", "name": "double", "source": "z" * 5_000}]
    return (
        {"key": f"k{i}", "exercise": exercise, "cells": cells, "sandbox": False, "seconds": seconds}
        for i in range(count)
    )


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def start(tmp_path, *words):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'class'}{os.pathsep}{ROOT / 'tests'}"}
    log = open(tmp_path / f"{words[0]}-{time.monotonic_ns()}.log", "w")  # noqa: SIM115
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]], env=environment, stdout=log, stderr=log
    )


@pytest.fixture
def cluster(tmp_path):
    """Starts a scheduler and workers of our own, and ends them."""
    started = []

    def add(*words):
        started.append(start(tmp_path, *words))
        return started[-1]

    yield add
    for process in started:
        process.kill()
        process.wait()


def scheduler(add, port, *more):
    process = add("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", *more)
    until = time.monotonic() + 120  # a busy machine takes its time to start it
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.1)
    return process


def worker(add, address, *more):
    return add("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "60", *more)


@pytest.mark.slow
def test_no_job_is_lost_with_a_worker(tmp_path, cluster):
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    boss = scheduler(cluster, port)
    crew = [worker(cluster, address) for _ in range(2)]
    store = Store(tmp_path)
    results = batch.with_dask(jobs_of(60, 0.05), 2, address, grade=quickly)
    for count, result in enumerate(islice(results, 20), start=1):
        store.put(result)
        if count == 10:
            crew[0].send_signal(signal.SIGKILL)
    boss.kill()
    boss.wait()
    with pytest.raises(GradingError, match="scheduler is gone"):
        store.put(*results)
    scheduler(cluster, port)
    crew = [worker(cluster, address) for _ in range(2)]
    rest = [job for job in jobs_of(60, 0.05) if store.get(job["key"]) is None]
    assert len(rest) <= 40
    for result in batch.with_dask(iter(rest), 2, address, grade=quickly):
        store.put(result)
    assert [store.get(f"k{i}")["times"] for i in range(60)] == [1] * 60


def test_without_a_scheduler_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr(distributed, "Client", lambda where, timeout: distributed.client.Client(where, timeout=1))
    with pytest.raises(GradingError, match="no Dask scheduler answers"):
        list(batch.with_dask(jobs_of(1), 1, f"tcp://127.0.0.1:{free_port()}", grade=quickly))


@pytest.mark.parametrize("engine", ["processes", "dask"])
def test_what_was_interrupted_goes_on_with_the_rest(tmp_path, engine):
    """Ten thousand of them with MINIGRAD_CLASS=10000; then it also says what the engine itself costs."""
    run = batch.with_processes if engine == "processes" else batch.with_dask
    store = Store(tmp_path / "results")
    begun = time.monotonic()
    for count, result in enumerate(run(jobs_of(MANY), 2, grade=quickly), start=1):
        store.put(result)
        if count == MANY // 2:
            break  # and the rest is nobody's any more
    rest = (job for job in jobs_of(MANY) if store.get(job["key"]) is None)
    again = 0
    for result in run(rest, 2, grade=quickly):
        again += 1
        store.put(result)
    seconds = time.monotonic() - begun
    print(f"\n{engine}: {MANY} jobs, {1000 * seconds / MANY:.1f} ms each, the results on disk included")
    assert again == MANY - MANY // 2
    assert [store.get(f"k{i}")["times"] for i in range(MANY)] == [1] * MANY


def test_the_first_result_stays_unless_it_was_none(tmp_path):
    store = Store(tmp_path)
    assert store.get("a") is None
    assert store.put({"key": "a", "x": 1})["times"] == 1
    assert store.put({"key": "a", "x": 2}) == {"key": "a", "x": 1, "times": 2}
    store.put({"key": "b", "ungraded": "no time"})
    assert store.put({"key": "b", "x": 3})["x"] == 3
    store.forget("a")
    store.forget("a")
    assert store.get("a") is None
