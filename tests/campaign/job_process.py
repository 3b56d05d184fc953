"""A child process that asks questions: without numba's compiler, or with its checks of bounds, as the parent sets up.

    python -m campaign.job_process graphs 0 5000

It prints one line of JSON: how many questions were asked, and what failed.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from . import jobs
from .jobs import Answer
from .modes import Failure

TESTS = Path(__file__).parents[1]
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
BOUNDS = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}  # compiled quickly, not well: the checks are the same


def start(job: str, *arguments: Any, environment: dict[str, str]) -> Answer:
    """Run a child process with these environment variables; return the number of questions, and the failures.

    It keeps machine code in a folder of its own: numba does not tell code with checked bounds from code without.
    """
    with tempfile.TemporaryDirectory(prefix="minigrad-campaign-") as folder:
        paths = os.pathsep.join([str(TESTS.parent), str(TESTS)])
        own = {"PYTHONPATH": paths, "MINIGRAD_CACHE_DIR": folder, "NUMBA_CACHE_DIR": folder}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "campaign.job_process", job, *map(str, arguments)], cwd=TESTS,
            env=os.environ | own | environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{job} {arguments} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    answer = json.loads(done.stdout.strip().split("\n")[-1])
    return answer["count"], [Failure(**failure) for failure in answer["failures"]]


# As in tests/conftest.py: compiling leaves many objects behind, and it takes long to look for garbage among them.
gc.set_threshold(100_000, 50, 100)


def main(job: str, *arguments: str) -> dict[str, Any]:
    """Do a job; jobs.py has them all."""
    sys.dont_write_bytecode = True  # of programs, in a folder that goes with this process
    count, failures = getattr(jobs, job)(*(int(a) for a in arguments))
    return {"count": count, "failures": [asdict(f) for f in failures]}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
