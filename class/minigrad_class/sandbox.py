"""The wall around a submission: bubblewrap where it can be had, limits on what it may use everywhere.

In the sandbox there is Python and its packages, read-only; an empty folder in memory to write to; and nothing else of
this computer: no course folder, no solutions, no grades, no home folder, no other processes, no network, and not
the environment with whatever secrets it holds. What bubblewrap does not count (the memory and the processes of all of
it together) the supervisor counts, on Linux with and without a sandbox.
"""

from __future__ import annotations

import functools
import os
import shutil
import site
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation.limits import HOME, environment, package_folders

FIRST_USER = 61184  # of those that Debian and systemd give to nobody for longer than a program runs
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
# What the dynamic linker, fonts and time zones need; nothing with names or secrets in it.
ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/fonts", "/etc/localtime")


def wall(folder: Path | None, disk: int, masked: Sequence[Path] = ()) -> list[str]:
    """bubblewrap's arguments. `masked`: folders to leave empty, in case they lie within what may be read.

    Start it with an empty environment: what bubblewrap itself gets can be read inside, in /proc/1/environ.
    """
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user"]
    words += ["--die-with-parent", "--new-session", "--clearenv"]
    words += ["--uid", "65534", "--gid", "65534", "--hostname", "grading", "--cap-drop", "ALL"]
    if "--disable-userns" in _bwrap_help():  # inside another user namespace one could mount more memory
        words += ["--disable-userns"]
    words += [*_empty("/", 1_000_000), *_empty("/tmp", disk // 3)]  # first, since a course may lie in /tmp itself
    readable = _readable()
    for path in readable:
        words += _link(path) if path.is_symlink() and path.parent == Path("/") else ["--ro-bind", str(path), str(path)]
        if path.is_dir() and (path / "pip.conf").exists():  # may hold a password
            words += ["--ro-bind", "/dev/null", str(path / "pip.conf")]
    if Path(sys.prefix) != Path(sys.prefix).resolve():  # a .venv that is a link to another
        words += ["--symlink", str(Path(sys.prefix).resolve()), sys.prefix]
    for path in (*masked, *_private()):
        if path.exists() and any(other in (path.resolve(), *path.resolve().parents) for other in readable):
            place = str(path.resolve())
            words += _empty(place, 4096) if path.is_dir() else ["--ro-bind", "/dev/null", place]
    words += ["--proc", "/proc", "--dev", "/dev", *_empty("/dev/shm", disk // 3), "--remount-ro", "/dev"]
    words += _empty(HOME, disk // 3)
    for source in sorted(folder.iterdir()) if folder else ():
        words += ["--ro-bind", str(source), f"{HOME}/{source.name}"]
    for name, value in environment(HOME, "/tmp").items():
        words += ["--setenv", name, value]
    return [*words, "--setenv", "MINIGRAD_SANDBOX", "on", "--remount-ro", "/", "--chdir", HOME]


def _empty(path: str, size: int) -> list[str]:
    """An empty folder in memory; before bubblewrap 0.7 it has no size of its own."""
    return [*(["--size", str(size)] if "--size" in _bwrap_help() else []), "--tmpfs", path]


@functools.cache
def _bwrap_help() -> str:
    try:
        return subprocess.run(["bwrap", "--help"], capture_output=True, text=True, timeout=10).stdout
    except OSError:
        return ""


def _readable() -> list[Path]:
    """Return the readable paths of a submission: the system's programs, this Python, its packages, and minigrad."""
    names = [sys.prefix, sys.base_prefix, sys.exec_prefix, *map(str, package_folders())]
    names += [*site.getsitepackages(), sysconfig.get_path("stdlib"), str(Path(sys.executable).resolve().parents[1])]
    wanted = [Path(name) for name in (*SYSTEM, *ETC)] + [Path(name).resolve() for name in names]
    paths: list[Path] = []
    for path in wanted:
        inside_another = any(other in path.parents for other in paths if not other.is_symlink())
        if path.exists() and path != Path("/") and path not in paths and not inside_another:
            paths.append(path)
    return paths


def _private() -> list[Path]:
    """Return the paths among the packages that submissions may not read: the course in minigrad's wheel, solutions
    included, and the keys of a JupyterLab that `make lab` started.
    """
    homes = [*package_folders(), *(Path(folder) / "minigrad_course" for folder in site.getsitepackages())]
    return [*(home / "course_files" for home in homes), Path(sys.prefix) / "runtime", Path(sys.prefix) / "lab.log"]


def _link(path: Path) -> list[str]:
    return ["--symlink", os.readlink(path), str(path)]


@functools.cache
def missing() -> str:
    """Why there is no sandbox here, in half a sentence; empty where there is one. Tried, not guessed."""
    if sys.platform != "linux":
        return "bubblewrap, which makes it, runs on Linux only"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (on Debian and Ubuntu: sudo apt install bubblewrap)"
    test = [*wall(None, 3_000_000), "--", sys.executable, "-c", "import numpy"]
    try:
        done = subprocess.run(test, env={}, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start ({error})"
    if done.returncode == 0:
        return ""
    reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1][:200]
    return f"bubblewrap cannot make one here ({reason}); containers and some kernels forbid it to ordinary users"


@functools.cache
def another_user() -> int | None:
    """A user of this system who owns nothing, for submissions where there is no sandbox.

    Only root can start programs as somebody else, and only if that user may read this Python. Else None, and a
    submission is whoever grades it.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    user = FIRST_USER + os.getpid() % 3000  # another one for each grader at work
    words = [sys.executable, "-B", "-c", "import minigrad_class.sandbox_worker, minigrad"]
    try:
        tried = subprocess.run(
            words,
            user=user,
            group=user,
            extra_groups=[],
            cwd="/",
            env=environment("/", "/nonexistent"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return user if tried.returncode == 0 else None


def require(sandbox: bool) -> None:
    """Raises GradingError where a sandbox is asked for and cannot be had."""
    if sandbox and missing():
        raise GradingError(
            f"there is no sandbox: {missing()}. Without one, a submission can read and write all that you can, "
            "solutions and grades included. If you trust every one of them, say --no-sandbox"
        )
