"""Many jobs at once: by worker processes of this machine, or by Dask's workers wherever they are.

Each job is plain data and so is its result, and only this process writes results. A worker that is lost takes nothing
with it but the submission in its hands, which another one takes up; a submission that loses three workers is left
for a person.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any

from minigrad.guards.installation import install
from minigrad_class import sandbox
from minigrad_class.supervise import Job, grade_job
from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation import scratch
from minigrad_course.isolation.processes import adopt_orphans, die_with_parent

ATTEMPTS = 3

Result = dict[str, Any]


def with_processes(jobs: Iterable[Job], workers: int, grade: Callable[[Job], Result] = grade_job) -> Iterator[Result]:
    """Results in the order in which they come, by worker processes of this machine. `grade`: what is done with each."""
    scratch.sweep()
    again, attempts = deque[Job](), Counter[str]()
    fresh = iter(jobs)

    def next_job() -> Job | None:
        return again.popleft() if again else next(fresh, None)

    job = next_job()
    while job is not None:
        # A pool is lost as a whole with any of its workers; so no more is handed to it than it works on.
        with ProcessPoolExecutor(workers, get_context("spawn"), _start, (os.getpid(),)) as pool:
            running: dict[Future[Result], Job] = {}
            broken = False
            try:
                while running or (job is not None and not broken):
                    while job is not None and len(running) < workers and not broken:
                        try:
                            running[pool.submit(grade, job)] = job
                        except BrokenProcessPool:
                            broken = True
                            break
                        job = next_job()
                    for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                        done = running.pop(future)
                        error = future.exception()
                        if error is None:
                            yield future.result()
                            continue
                        broken |= isinstance(error, BrokenProcessPool)
                        attempts[done["key"]] += 1
                        if attempts[done["key"]] < ATTEMPTS:
                            again.append(done)
                        else:
                            yield ungraded(done, error)
                    job = job if job is not None else next_job()
            except (GeneratorExit, KeyboardInterrupt):
                for worker in list((pool._processes or {}).values()):  # they would go on to the end of their jobs
                    worker.kill()
                raise
    scratch.sweep()  # what its workers had, who end without a word


def _start(parent: int) -> None:
    die_with_parent(parent)
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that hands out the jobs


def with_dask(
    jobs: Iterable[Job], workers: int, scheduler: str | None = None, grade: Callable[[Job], Result] = grade_job
) -> Iterator[Result]:
    """Results in the order in which they come, by Dask: a cluster of our own, or the one of a scheduler's address.

    Certificates are Dask's own settings (`distributed.comm.tls`). Raises GradingError where Dask is not installed, no
    scheduler answers, or a worker is not fit for grading: what came in until then counts.
    """
    try:
        import distributed
    except ImportError:
        raise GradingError(f"Dask is not installed: {install('distributed')}") from None
    jobs = iter(jobs)
    first = next(jobs, None)
    if first is None:
        return
    with contextlib.ExitStack() as stack:
        where: Any = scheduler
        if scheduler is None:
            words = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
            where = stack.enter_context(distributed.LocalCluster(workers, **words))
        try:
            client = stack.enter_context(distributed.Client(where, timeout=30))
        except (OSError, TimeoutError) as error:
            raise GradingError(f"no Dask scheduler answers at {where} ({error})") from None
        _see_to_workers(client, first["sandbox"])
        yield from _through(client, chain([first], jobs), grade)


def _through(client: Any, jobs: Iterator[Job], grade: Callable[[Job], Result]) -> Iterator[Result]:
    """Hand jobs to Dask, some at a time."""
    from distributed import as_completed

    exercises: dict[str, Any] = {}
    running: dict[str, tuple[Job, int]] = {}

    def submit(job: Job, lost: int = 0) -> Any:
        digest = job["exercise"].get("digest", "")
        if digest not in exercises or exercises[digest].cancelled():  # sent once; Dask makes it again for a lost worker
            sent_as = f"minigrad-exercise-{digest}-{lost}"
            exercises[digest] = client.submit(_itself, job["exercise"], key=sent_as)
        key = f"minigrad-{job['key']}-{lost}"  # a new one each time: a key that was cancelled stays so
        running[key] = job, lost
        slim = {**job, "exercise": None}
        return client.submit(_with, grade, slim, exercises[digest], key=key, retries=2)

    at_once = 4 * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    coming = as_completed([submit(job) for job in islice(jobs, at_once)])
    for future in coming:
        trouble = future.exception() if future.status in ("finished", "error") else OSError("Dask has lost it")
        if client.status != "running":
            raise GradingError("Dask's scheduler is gone. What is graded counts: run it again")
        # No list of futures is kept: Dask would compute again what is lost with a worker after it has come in.
        job, lost = running.pop(str(future.key))
        if isinstance(trouble, (CancelledError, OSError)) and lost < 3:  # with its worker, on the way
            coming.add(submit(job, lost + 1))
            continue
        yield future.result() if trouble is None else ungraded(job, trouble)
        for job in islice(jobs, 1):
            coming.add(submit(job))


def _itself(exercise: object) -> Any:
    return exercise


def _with(grade: Callable[[Job], Result], job: Job, exercise: dict[str, Any]) -> Result:
    return grade({**job, "exercise": exercise})


def _see_to_workers(client: Any, sandboxed: bool) -> None:
    try:
        client.wait_for_workers(1, timeout=60)
        answers = client.run(sandbox.missing) if sandboxed else client.run(_version)
    except TimeoutError:
        raise GradingError("the Dask scheduler has no workers") from None
    except Exception as error:
        raise GradingError(f"a Dask worker cannot grade: is minigrad installed there? ({error})") from None
    for worker, reason in answers.items():
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
