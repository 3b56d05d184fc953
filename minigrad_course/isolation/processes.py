"""Processes that keep to limits, end with their parent, and take their children with them."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # in a second
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER = 1, 38, 22, 36


def limit_resources(limits: Mapping[str, int]) -> None:
    """Limits that this process cannot lift again, and that everything it starts inherits. Names as in `resource`."""
    import resource

    for name, value in limits.items():
        number = getattr(resource, f"RLIMIT_{name}", None)
        if number is None:
            continue
        _, hard = resource.getrlimit(number)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (ValueError, OSError):
            continue  # macOS refuses some of them; the supervisor watches memory and processes as well


def die_with_parent(parent: int = 0) -> None:
    """Have Linux end this process when the one that started it ends, however that happens.

    `parent`: its number, if it is known on this side of a wall; it may have ended before we could ask.
    """
    if sys.platform == "linux":
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent and os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """From now on what our children leave behind becomes our child, so that `descendants` finds it."""
    if sys.platform == "linux":
        _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(what: int, value: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(what, value)


def children(process: int) -> list[int]:
    """The processes that a process has started; none where /proc does not say."""
    pids = []
    with contextlib.suppress(OSError, ValueError):
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                pids += [int(child) for child in file.read().split()]
    return pids


def descendants(process: int) -> Iterator[int]:
    """A process, and all that come from it."""
    waiting = [process]
    while waiting:
        yield (pid := waiting.pop())
        waiting += children(pid)


def end_all_of(user: int) -> None:
    """End every process of a user, until there is none left. Only for a user who has no others."""
    for _ in range(100):
        left = False
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user and not _has_ended(name):
                    left = True
                    os.kill(int(name), signal.SIGKILL)
        if not left:
            return
        time.sleep(0.01)


def _has_ended(process: str) -> bool:
    """Tell whether a process is only waiting for its parent to ask how it ended."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[0] == "Z"


def usage(process: int) -> tuple[int, int]:
    """Bytes and threads of a process and all that it started; (0, 0) where /proc does not say.

    Memory is what is resident, what several share counted once, and files in memory that have no name (memfd, and
    deleted ones), mapped or not.
    """
    memory = threads = 0
    files: dict[tuple[int, int], int] = {}
    for pid in descendants(process):
        with contextlib.suppress(OSError, ValueError, KeyError):
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                status = dict(
                    line.split(":", 1) for line in file if line.startswith(("RssAnon", "RssShmem", "Threads"))
                )
            threads += int(status["Threads"])
            memory += 1024 * int(status["RssAnon"].split()[0])
            shared = 1024 * int(status["RssShmem"].split()[0])
            memory += _share(pid) if shared > 10_000_000 else shared
            for name in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    if os.readlink(f"/proc/{pid}/fd/{name}").endswith(" (deleted)"):
                        about = os.stat(f"/proc/{pid}/fd/{name}")
                        files[about.st_dev, about.st_ino] = about.st_blocks * 512
    return memory + sum(files.values()), threads


def processor_seconds(process: int) -> float:
    """Return the seconds of the processor that a process and all that it started have used, as far as /proc says."""
    ticks = 0
    for pid in descendants(process):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/stat", errors="replace") as file:
            ticks += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))  # its own, and its ended children's
    return ticks / TICKS


def _share(pid: int) -> int:
    """A process's part of the memory that it shares with others, in bytes."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return sum(1024 * int(line.split()[1]) for line in file if line.startswith("Pss_Shmem:"))


# What no exercise needs, and what holds memory that nobody counts, or opens another door into the kernel: (x86-64,
# aarch64). memfd_create, shmget, msgget, semget, userfaultfd, bpf, io_uring_setup, keyctl, add_key, request_key,
# perf_event_open, ptrace, process_vm_readv, process_vm_writev, memfd_secret, unshare, setns, mount, fanotify_init,
# socket, socketpair.
REFUSED = {
    "x86_64": (
        0xC000003E,
        (319, 29, 68, 64, 323, 321, 425, 250, 248, 249, 298, 101, 310, 311, 447, 272, 308, 165, 300, 41, 53),
    ),
    "aarch64": (
        0xC00000B7,
        (279, 194, 186, 190, 282, 280, 425, 219, 217, 218, 241, 117, 270, 271, 447, 97, 268, 40, 262, 198, 199),
    ),
}


def refuse_system_calls() -> bool:
    """From now on this process, and all that it starts, gets "not there" for `REFUSED`. Whether that could be had."""
    import ctypes
    import platform
    import struct

    architecture, numbers = REFUSED.get(platform.machine(), (0, ()))
    if sys.platform != "linux" or not architecture:
        return False
    load, jump_equal, jump_above, give = 0x20, 0x15, 0x35, 0x06
    allow, not_there, kill = 0x7FFF0000, 0x00050000 | 38, 0x80000000
    last = len(numbers)
    program = [(load, 0, 0, 4), (jump_equal, 1, 0, architecture), (give, 0, 0, kill), (load, 0, 0, 0)]
    program += [(jump_above, last + 1, 0, 0x40000000)]  # x86-64's other table of numbers: not there either
    program += [(jump_equal, last - i, 0, number) for i, number in enumerate(numbers)]
    program += [(give, 0, 0, allow), (give, 0, 0, not_there)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    words = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
    c = ctypes.CDLL(None, use_errno=True)
    if c.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return c.prctl(PR_SET_SECCOMP, 2, words, 0, 0) == 0
