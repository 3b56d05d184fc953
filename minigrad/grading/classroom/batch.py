"""Many jobs at once: by worker processes of this machine, or by Dask's workers wherever they are.

Each job is plain data and so is its result, and only this process writes results. A worker that is lost takes nothing
with it but the submission in its hands, which another one takes up; a submission that loses three workers is left
for a person.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from minigrad.grading.cells import GradingError
from minigrad.grading.classroom import sandbox, scratch
from minigrad.grading.classroom.processes import adopt_orphans, die_with_parent
from minigrad.grading.classroom.supervise import Job, grade_job

ATTEMPTS = 3

Result = dict[str, Any]


def with_processes(jobs: Iterable[Job], workers: int) -> Iterator[Result]:
    """Results in the order in which they come, by worker processes of this machine."""
    scratch.sweep()
    waiting, attempts = deque(jobs), Counter[str]()
    while waiting:
        # A pool is lost as a whole with any of its workers; so no more is handed to it than it works on.
        with ProcessPoolExecutor(workers, get_context("spawn"), _start, (os.getpid(),)) as pool:
            running: dict[Future[Result], Job] = {}
            broken = False
            try:
                while running or (waiting and not broken):
                    while waiting and len(running) < workers and not broken:
                        job = waiting.popleft()
                        try:
                            running[pool.submit(grade_job, job)] = job
                        except BrokenProcessPool:
                            waiting.appendleft(job)
                            broken = True
                    for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                        job = running.pop(future)
                        error = future.exception()
                        if error is None:
                            yield future.result()
                            continue
                        broken |= isinstance(error, BrokenProcessPool)
                        attempts[job["key"]] += 1
                        if attempts[job["key"]] < ATTEMPTS:
                            waiting.append(job)
                        else:
                            yield ungraded(job, error)
            except (GeneratorExit, KeyboardInterrupt):
                for worker in list((pool._processes or {}).values()):  # they would go on to the end of their jobs
                    worker.kill()
                raise


def _start(parent: int) -> None:
    die_with_parent(parent)
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that hands out the jobs


def with_dask(jobs: Iterable[Job], workers: int, scheduler: str | None = None) -> Iterator[Result]:
    """Results in the order in which they come, by Dask: a cluster of our own, or the one of a scheduler's address.

    Raises GradingError where Dask is not installed, or a worker is not fit for grading.
    """
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError:
        raise GradingError("Dask is not installed: make class") from None
    jobs = {job["key"]: job for job in jobs}
    if not jobs:
        return
    cluster = None
    if scheduler is None:
        cluster = LocalCluster(workers, threads_per_worker=1, processes=True, dashboard_address=None)
    try:
        client = Client(cluster or scheduler, timeout=30)
    except (OSError, TimeoutError) as error:
        raise GradingError(f"no Dask scheduler answers at {scheduler} ({error})") from None
    try:
        _see_to_workers(client, next(iter(jobs.values()))["sandbox"])
        keys = {f"minigrad-{key}": job for key, job in jobs.items()}
        # No list of futures is kept: Dask would compute again what is lost with a worker after it has come in.
        for future in as_completed(client.map(grade_job, list(jobs.values()), key=list(keys), retries=2)):
            trouble = future.exception()
            yield future.result() if trouble is None else ungraded(keys[str(future.key)], trouble)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _see_to_workers(client: Any, sandboxed: bool) -> None:
    try:
        client.wait_for_workers(1, timeout=60)
        said = client.run(sandbox.missing) if sandboxed else client.run(_version)
    except TimeoutError:
        raise GradingError("the Dask scheduler has no workers") from None
    except Exception as error:
        raise GradingError(f"a Dask worker cannot grade: is minigrad installed there? ({error})") from None
    for worker, reason in said.items():
        if sandboxed and reason:
            raise GradingError(f"there is no sandbox at the worker {worker}: {reason}. Mend that, or say --no-sandbox")


def _version() -> str:
    return grade_job.__module__


def ungraded(job: Job, error: BaseException) -> Result:
    """The result of a job that no worker could finish: for a person, and tried again in the next run."""
    reason = str(error) or type(error).__name__
    if isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker":
        reason = "every worker that took it up was lost"
    return {"key": job["key"], "ungraded": reason[:500]}
