"""A sandbox that starts in a moment: inside one wall waits a Python that has imported what every submission needs, and
for each submission a copy of it is made, behind a wall of its own.

Two walls. The outer one is bubblewrap's, the same as ever (sandbox.py): no course, no home, no network, Python
read-only. It stands as long as the grader does, and in it runs only this file, which never meets a line of a
submission. The inner one is made for each submission: its own processes, network and folders in memory, no rights
at all; when its first process ends, all that it started ends, and the folders are gone. So one submission leaves
nothing to the next.

Started by `Warm`, as `python -m minigrad_class.warm SOCKET`.
"""

from __future__ import annotations

import array
import base64
import ctypes
import importlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minigrad_course.apart import sandbox
from minigrad_course.grading.cells import GradingError

NEW_MOUNTS, NEW_IPC, NEW_PROCESSES, NEW_NETWORK = 0x00020000, 0x08000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_PRIVATE_ALL = 1, 2, 4, 8, (1 << 18) | (1 << 14)
WHOLE_PROC = "/run/proc"
RIGHTS = ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_NET_ADMIN")
START = 60.0  # seconds
THERE = b"there?"  # a question that it answers, while it is there
COMPILES = "what compiles"  # a word among the modules: numba awake, which else takes each submission two seconds


class Warm:
    """The waiting Python, from outside. `modules`: what the exercise's locked cells import."""

    def __init__(self, modules: Sequence[str], masked: Sequence[Path], disk: int) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        rights = [word for right in RIGHTS for word in ("--cap-add", right)]
        words = sandbox.wall(None, disk, masked)
        # Linux lets nobody mount a /proc who does not see a whole one: this one is for the inner wall, which covers it.
        words[words.index("--remount-ro") : words.index("--remount-ro")] = ["--ro-bind", "/proc", WHOLE_PROC]
        at = words.index("--cap-drop")
        words[at : at + 2] = ["--cap-drop", "ALL", *rights]
        words += ["--", sys.executable, "-B", "-u", "-m", "minigrad_class.warm", str(theirs.fileno())]
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            cwd="/",
            env={},
            start_new_session=True,
        )
        theirs.close()
        self.socket = ours
        self.socket.settimeout(START)
        try:
            self.socket.send(json.dumps({"modules": list(modules), "disk": disk // 3}).encode())
            self._hear()
        except (OSError, ValueError) as error:
            self.close()
            raise GradingError(f"no sandbox can be kept ready: {error}") from None

    def start(self, pipes: Sequence[int]) -> int:
        """Make a copy that has these open: requests, replies, output. Its first process, as a pidfd."""
        rights = array.array("i", pipes).tobytes()
        self.socket.sendmsg([b"start"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        _, descriptors = self._hear()
        if not descriptors:
            raise OSError("no copy was made")
        return descriptors[0]

    def answers(self) -> bool:
        """Tell whether it still waits. When it ends, its copies have been ended with it."""
        try:
            self.socket.send(THERE)
            self._hear()
        except OSError:
            return False
        return True

    def _hear(self) -> tuple[bytes, list[int]]:
        message, control, _, _ = self.socket.recvmsg(100, socket.CMSG_SPACE(4))
        if message != b"ready":
            raise OSError(message.decode("utf-8", "replace") or "it ended")
        descriptors = array.array("i")
        for _, kind, data in control:
            if kind == socket.SCM_RIGHTS:
                descriptors.frombytes(data[: len(data) - len(data) % 4])
        return message, list(descriptors)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        self.socket.close()
        self.process.kill()
        self.process.wait()


def process_of(pidfd: int) -> int:
    """The number, here, of the process that a pidfd stands for; 0 when it has ended."""
    try:
        lines = Path(f"/proc/self/fdinfo/{pidfd}").read_text(encoding="ascii").splitlines()
        return max(0, next(int(line.split()[1]) for line in lines if line.startswith("Pid:")))
    except (OSError, StopIteration, ValueError):
        return 0


def ready(modules: Sequence[str], masked: Sequence[Path], disk: int) -> Warm | None:
    """A waiting Python with these modules, the one that is there or a new one; None where it cannot be had."""
    global _ready, _cannot
    wanted = (tuple(modules), tuple(masked), disk)
    if _ready is not None and _ready[0] == wanted and _ready[1].alive:
        return _ready[1]
    if _ready is not None:
        _ready[1].close()
        _ready = None
    if _cannot or sandbox.in_scratch():  # the inner wall's /tmp would cover Python itself
        return None
    try:
        _ready = wanted, Warm(modules, masked, disk)
    except GradingError:
        _cannot = True  # an older kernel, or a container: each submission starts its own Python, and takes longer
        return None
    return _ready[1]


_ready: tuple[Any, Warm] | None = None
_cannot = False


# ---------------------------------------------------------------- inside of the outer wall

_c = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Import, then make a copy whenever asked."""
    control = socket.socket(fileno=int(sys.argv[1]))
    first = json.loads(control.recv(100_000))
    from minigrad_class import inside
    from minigrad_course.grading import runner

    for name in first["modules"]:
        try:
            if name == COMPILES:
                _wake_numba()
            else:
                importlib.import_module(name)
        except Exception:
            continue  # whoever needs it will see
    runner.quiet_shell()
    trouble = _try_out(first["disk"])
    control.send(trouble or b"ready")
    if trouble:
        return
    while True:
        message, rights, _, _ = control.recvmsg(10, socket.CMSG_SPACE(12))
        if not message:
            return
        if message == THERE:
            control.send(b"ready")
            continue
        pipes = array.array("i")
        for _, kind, data in rights:
            if kind == socket.SCM_RIGHTS:
                pipes.frombytes(data[: len(data) - len(data) % 4])
        where_from, where_to = os.pipe()
        maker = os.fork()
        if maker == 0:
            control.close()
            os.close(where_from)
            _make(first["disk"], list(pipes), where_to, inside)
        os.close(where_to)
        for pipe in pipes:
            os.close(pipe)
        number = os.read(where_from, 20)
        os.close(where_from)
        try:
            pidfd = os.pidfd_open(int(number))
        except (OSError, ValueError):
            control.send(b"no copy could be made")
            continue
        finally:
            _reap()
        control.sendmsg([b"ready"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pidfd]).tobytes())])
        os.close(pidfd)


def _wake_numba() -> None:
    import numpy as np

    from minigrad import Variable, nn, sigmoid

    logits = Variable(np.zeros((2, 3)))
    nn.cross_entropy(sigmoid(logits), np.array([0, 1])).backward()


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _try_out(disk: int) -> bytes:
    """Why the inner wall cannot be made here; empty where it can."""
    child = os.fork()
    if child == 0:
        try:
            _apart()
            if (init := os.fork()) == 0:
                _furnish(disk)
                _give_up_rights()
                os._exit(0)
            os._exit(os.waitstatus_to_exitcode(os.waitpid(init, 0)[1]) and 1)
        except OSError:
            os._exit(1)
    return b"" if os.waitpid(child, 0)[1] == 0 else b"the inner wall cannot be made here"


def _make(disk: int, pipes: list[int], where_to: int, inside: Any) -> None:
    """In the first copy: an inner wall, a first process in it, and the submission's own in that."""
    try:
        _apart()
        init = os.fork()
        if init:
            os.write(where_to, str(init).encode())
            os._exit(0)
        os.close(where_to)
        _furnish(disk)
        _give_up_rights()
        os.setsid()
        os.dup2(pipes[2], 1)
        os.dup2(pipes[2], 2)
        os.close(pipes[2])
        runner = os.fork()
        if runner == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.chdir(sandbox.HOME)
            sys.argv = ["inside", str(pipes[0]), str(pipes[1])]
            inside.main()
            os._exit(0)
        for pipe in (pipes[0], 1, 2):
            os.close(pipe)
        while True:  # the first process takes in orphans, and ends with the submission's own: then all of it ends
            ended, status = os.wait()
            if ended == runner:
                os.set_blocking(pipes[1], False)
                os.write(pipes[1], b'{"ended": %d}\n' % os.waitstatus_to_exitcode(status))
                os._exit(0)
    except BaseException:
        os._exit(70)


def _apart() -> None:
    if _c.unshare(NEW_MOUNTS | NEW_IPC | NEW_PROCESSES | NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


def _furnish(disk: int) -> None:
    """Empty folders in memory, and a /proc that shows what is in here."""
    _mount(None, "/", None, MS_PRIVATE_ALL)
    for place in (sandbox.HOME, "/tmp", "/dev/shm"):
        _mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, f"size={disk},mode=0755")
    _mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    _mount("tmpfs", WHOLE_PROC, "tmpfs", MS_NOSUID | MS_NODEV, "size=4096,mode=0")
    _mount("tmpfs", str(Path(WHOLE_PROC).parent), "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "size=4096,mode=0755")


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [word.encode() if word is not None else None for word in (source, target, kind)]
    if _c.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), data.encode() if data else None) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")


def _give_up_rights() -> None:
    """No right is left, and none can be had again. Raises OSError where that fails."""
    for right in range(64):
        if (
            _c.prctl(24, right, 0, 0, 0) != 0 and ctypes.get_errno() != 22
        ):  # PR_CAPBSET_DROP; 22: there is no such right
            raise OSError(ctypes.get_errno(), "capability bounding set")
    header, nothing = struct.pack("Ii", 0x20080522, 0), struct.pack("6I", *[0] * 6)
    if _c.prctl(47, 4, 0, 0, 0) != 0 or _c.capset(header, nothing) != 0 or _c.prctl(38, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def write_files(files: dict[str, str], folder: Path) -> None:
    """Put the exercise's files into the folder where it runs."""
    for name, content in files.items():
        (folder / Path(name).name).write_bytes(base64.b64decode(content))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
