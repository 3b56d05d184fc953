"""Control groups, version 2: Linux itself counts memory and processes of all that a submission starts, and ends it.

They are to be had where a part of the tree is ours to divide: as root outside of containers, or inside
`systemd-run --user --scope -p Delegate=yes minigrad class grade 05`. Elsewhere the supervisor counts (processes.py),
ten times a second, and each process carries limits of its own.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
GRADER = "minigrad-grader"  # the group that graders themselves are in: a group with processes cannot be divided
WANTED = {"memory", "pids"}
_numbers = itertools.count()


@functools.cache
def usable() -> Path | None:
    """The group below which we may make groups; None where there is none."""
    try:
        own = next(line[3:].strip() for line in OWN.read_text().splitlines() if line.startswith("0::"))
        base = ROOT / own.strip("/")
        if base.name == GRADER:
            base = base.parent
        if not set((base / "cgroup.controllers").read_text().split()) >= WANTED:
            return None
        if not set((base / "cgroup.subtree_control").read_text().split()) >= WANTED:
            _make_room(base)
        trial = base / f"minigrad-trial-{os.getpid()}"
        trial.mkdir()
        there = (trial / "memory.max").exists()
        trial.rmdir()
    except (OSError, StopIteration, ValueError):
        return None
    _sweep(base)
    return base if there else None


def _make_room(base: Path) -> None:
    """Put ourselves into a group below, so that the group that we were given can be divided."""
    there = {int(line) for line in (base / "cgroup.procs").read_text().split()}
    if there - {os.getpid()}:
        raise OSError("others are in this group")
    grader = base / GRADER
    grader.mkdir(exist_ok=True)
    (grader / "cgroup.procs").write_text(str(os.getpid()))
    (base / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(WANTED)))


def _sweep(base: Path) -> None:
    """Groups that killed graders left behind."""
    for left in base.glob("minigrad-[0-9]*-*"):
        if not Path(f"/proc/{left.name.split('-')[1]}").exists():
            with contextlib.suppress(OSError):
                (left / "cgroup.kill").write_text("1")
                left.rmdir()


class Group:
    """One submission's group."""

    def __init__(self, base: Path, memory: int, processes: int) -> None:
        self.path = base / f"minigrad-{os.getpid()}-{next(_numbers)}"
        self.path.mkdir()
        self._write("memory.max", memory)
        self._write("memory.swap.max", 0)
        self._write("memory.oom.group", 1)
        self._write("pids.max", processes)

    def add(self, processes: Iterable[int]) -> None:
        """Put processes into it; what they start from now on is in it as well."""
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                (self.path / "cgroup.procs").write_text(str(process))

    def reason(self) -> str:
        """Which limit was met, in half a sentence; empty if none."""
        with contextlib.suppress(OSError):
            if _count(self.path / "memory.events", "oom_kill"):
                return "it took more memory than there is for one submission"
            if _count(self.path / "pids.events", "max"):
                return "it started more processes or threads than there are for one submission"
        return ""

    def close(self) -> None:
        """End all that is in it, and take it away."""
        self._write("cgroup.kill", 1)
        for _ in range(50):
            with contextlib.suppress(FileNotFoundError):
                try:
                    self.path.rmdir()
                except OSError:  # they are ending
                    time.sleep(0.02)
                    continue
            return

    def _write(self, name: str, value: int) -> None:
        with contextlib.suppress(FileNotFoundError):  # an older kernel, or no swap
            (self.path / name).write_text(str(value))


def _count(file: Path, name: str) -> int:
    return sum(int(line.split()[1]) for line in file.read_text().splitlines() if line.split()[0] == name)
