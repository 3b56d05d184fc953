"""Many: Dask's schedulers and workers come and go, connections are encrypted, results lie elsewhere, and the counter in
each result says 1."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
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
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
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
def test_workers_and_scheduler_are_killed_and_nothing_is_lost_or_made_twice(tmp_path, cluster):
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    boss = scheduler(cluster, port)
    crew = [worker(cluster, address) for _ in range(2)]
    store = Store((tmp_path / "results").as_uri())
    count = 0
    for result in batch.with_dask(jobs_of(60, 0.05), 2, address, grade=quickly):
        count += 1
        assert store.put(result)["times"] == 1, result["key"]
        if count == 10:
            crew[0].send_signal(signal.SIGKILL)
        if count == 20:
            boss.kill()
            boss.wait()
            boss = scheduler(cluster, port)
            crew = [worker(cluster, address) for _ in range(2)]
    assert count == 60
    assert [store.get(f"k{i}")["times"] for i in range(60)] == [1] * 60


@pytest.mark.slow
def test_connections_are_encrypted_by_certificates(tmp_path, cluster):
    pytest.importorskip("cryptography")
    from distributed.security import Security

    temporary = Security.temporary()
    for name, text in {
        "ca": temporary.tls_ca_file, "cert": temporary.tls_client_cert, "key": temporary.tls_client_key
    }.items():  # fmt: skip
        (tmp_path / f"{name}.pem").write_text(text)
    files = [
        f"--tls-{what}={tmp_path / name}.pem" for what, name in (("ca-file", "ca"), ("cert", "cert"), ("key", "key"))
    ]
    port = free_port()
    address = f"tls://127.0.0.1:{port}"
    scheduler(cluster, port, "--protocol", "tls", *files)
    worker(cluster, address, *files)
    results = list(batch.with_dask(jobs_of(5), 1, address, tls=tmp_path, grade=quickly))
    assert sorted(result["key"] for result in results) == [f"k{i}" for i in range(5)]
    with pytest.raises(GradingError, match="no Dask scheduler answers"):
        list(batch.with_dask(jobs_of(1), 1, address.replace("tls", "tcp"), grade=quickly))
    (tmp_path / "key.pem").unlink()
    with pytest.raises(GradingError, match=r"key.pem is missing: --tls names a folder"):
        list(batch.with_dask(jobs_of(1), 1, address, tls=tmp_path, grade=quickly))


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


@pytest.mark.parametrize("place", ["memory://class/05", "file"])
def test_results_lie_wherever_fsspec_reaches(tmp_path, place):
    store = Store((tmp_path / "results").as_uri() if place == "file" else place)
    assert store.get("a") is None
    assert store.put({"key": "a", "x": 1})["times"] == 1
    assert Store((tmp_path / "results").as_uri() if place == "file" else place).get("a")["x"] == 1
    assert store.put({"key": "a", "x": 2}) == {"key": "a", "x": 1, "times": 2}, (
        "the first one stays, and the count says so"
    )
    store.put({"key": "b", "ungraded": "no time"})
    assert store.put({"key": "b", "x": 3})["x"] == 3
    store.forget("a")
    store.forget("a")
    assert store.get("a") is None
    assert not list(tmp_path.rglob("*.part"))


def test_a_place_that_nobody_knows_gets_a_sentence():
    with pytest.raises(GradingError, match="results cannot be kept at nowhere://x"):
        Store("nowhere://x")
