"""Runs cells in a fresh kernel, one after the other, and says how each ended.

A time limit holds for every cell, and nothing escapes it: a loop in Python is interrupted; where that does not help
(a loop inside compiled code never looks for an interrupt) the kernel is killed. A cell that took the kernel down
costs its own points only: the others run again in a new kernel, without it.

What a cell prints is not kept. Whether a test passed is not read off its output, and not only off the kernel's answer
either: a witness in the kernel (witness.py) says how the cell ended, and at the end it has to see a test fail that
cannot pass.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from minigrad_course.grading import wakeup, witness
from minigrad_course.grading.cells import GradingError, fingerprint, grade_id, kind
from minigrad_course.grading.exercises import import_nbformat
from minigrad_course.grading.outcome import Outcome, time_limit_message

TAMPERED = "the kernel's own machinery was changed while this notebook ran, so this test counts for nothing"
OURS = 60  # seconds for cells of our own: the first imports what grading needs
RESTARTS = 3  # kernels that one notebook may take down before the rest is left unrun
GRACE = 5  # seconds that an interrupted cell has to stop
# Nobody sees a graded notebook's tracebacks, and what runs in it is not part of anybody's history.
UNSEEN = ("--InteractiveShell.xmode=Minimal", "--HistoryManager.enabled=False")


def run(cells: Sequence[Any], folder: Path, limit: float = 30.0, redefined: Collection[str] = ()) -> list[Outcome]:
    """Run code cells in `folder`, each for at most `limit` seconds; the outcome of each, in their order.

    `redefined` names what the answers are asked to define although Python or a locked cell has it already.
    """
    outcomes = [Outcome("not run")] * len(cells)
    left_out: set[int] = set()
    while len(left_out) <= RESTARTS:
        culprit = _run_until_dead(cells, folder, limit, left_out, outcomes, sorted(redefined))
        if culprit is None:
            break
        left_out.add(culprit)
    return outcomes


def _run_until_dead(
    cells: Sequence[Any],
    folder: Path,
    limit: float,
    left_out: set[int],
    outcomes: list[Outcome],
    redefined: list[str],
) -> int | None:
    """Run all cells but those left out, noting outcomes; the index of the cell that took the kernel down, or None."""
    nbclient, nbformat = _notebook_packages()

    class Client(nbclient.NotebookClient):  # type: ignore[name-defined]
        def output(self, *args: Any) -> None:
            """Printed by a cell: not kept, however much it is."""

    secret = secrets.token_hex(16)
    cannot_pass = f"raise AssertionError('{secrets.token_hex(8)}')"
    tests = [cell["source"] for cell in cells if kind(cell) == "test"]
    first = _installation(secret, [*tests, cannot_pass], cells, redefined)
    sources = [*(cell["source"] for cell in cells), first, cannot_pass]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    replies: dict[int, dict] = {}
    manager = _this_python()
    client = Client(
        notebook,
        km=manager,
        # (`timeout` itself takes whole seconds only)
        timeout_func=lambda cell: max(limit, OURS) if cell.source in (first, cannot_pass) else limit,
        allow_errors=True,
        interrupt_on_timeout=True,
        error_on_timeout={"ename": "TimeLimit", "evalue": time_limit_message(limit), "traceback": []},
        raise_on_iopub_timeout=True,
        shutdown_kernel="immediate",
        on_cell_executed=lambda cell, cell_index, execute_reply: replies.__setitem__(
            cell_index, execute_reply["content"]
        ),
        resources={"metadata": {"path": str(folder)}},
    )
    client.owns_km = True  # we made the manager for this client alone: it ends the kernel as well
    client.log = _silent
    interrupt = manager.interrupt_kernel

    async def interrupt_and_wait_a_little() -> None:
        client.iopub_timeout = GRACE  # for the kernel to stop, where it does
        await interrupt()

    manager.interrupt_kernel = interrupt_and_wait_a_little

    def execute(i: int) -> Outcome:
        replies.pop(i, None)
        client.iopub_timeout = OURS  # a cell that printed much has ended long before we have read it all
        try:
            client.execute_cell(notebook.cells[i], i)
        except nbclient.exceptions.CellTimeoutError:
            return Outcome("timeout", message=time_limit_message(limit))
        except nbclient.exceptions.DeadKernelError:
            return Outcome("dead")
        return _outcome(sources[i], replies.get(i), secret, i >= len(cells) or kind(cells[i]) == "test")

    with _started(client, manager):
        if execute(len(cells)).status != "ok":
            raise GradingError(f"the kernel could not load the checks: {_told(replies.get(len(cells)))}")
        for i in range(len(cells)):
            if i not in left_out:
                outcomes[i] = execute(i)
                if outcomes[i].status == "dead" or (outcomes[i].status == "timeout" and i not in replies):
                    return i
        if execute(len(cells) + 1).status == "ok":
            for i, cell in enumerate(cells):
                if kind(cell) == "test" and outcomes[i].status == "ok":
                    outcomes[i] = replace(outcomes[i], status="refused", message=TAMPERED)
    return None


def _installation(secret: str, tests: list[str], cells: Sequence[Any], redefined: list[str]) -> str:
    """The first cell to run: it puts the witness into the kernel, before any of the learner's code."""
    given = {fingerprint(cell["source"]): grade_id(cell) for cell in cells if kind(cell) == "given"}
    arguments = (secret, [fingerprint(source) for source in tests], given, redefined)
    code = f"""
import os, sys
path = sys.path[:]  # files beside the notebook may be called numpy.py
sys.path[:] = [{str(Path(__file__).parents[2])!r}, *(p for p in path if p and os.path.realpath(p) != os.getcwd())]
from minigrad_course.grading.witness import install
install(*{arguments!r})
sys.path[:] = path
"""
    return f"exec({code!r}, {{}})"


def _told(reply: dict | None) -> str:
    return f"{reply.get('ename')}: {reply.get('evalue')}" if reply else "it gave no answer"


@contextlib.contextmanager
def _started(client: Any, manager: Any) -> Iterator[None]:
    """A running kernel for the client; what it prints outside of cells, a crash report say, goes nowhere."""
    with contextlib.ExitStack() as stack:
        if os.name == "posix":
            # Sockets in a folder of our own: two kernels that start at the same time may choose the same port.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="minigrad-", ignore_cleanup_errors=True))
            manager.transport, manager.ip = "ipc", f"{folder}/k"
        try:
            nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            stack.enter_context(client.setup_kernel(env=_environment(), **nowhere))
        except RuntimeError as error:
            raise GradingError(
                f"no kernel started ({error}): see whether `{Path(sys.executable).name} -m ipykernel_launcher` does"
            ) from None
        yield


def _outcome(source: str, reply: dict | None, secret: str, test: bool) -> Outcome:
    """What the kernel's answer and the witness say; an empty cell is not sent, and so gets none."""
    if reply is None:
        return Outcome("ok") if not source.strip() else Outcome("dead")
    said = witness.testimony(secret, reply, source)
    if said is None and reply.get("ename") == "TimeLimit":
        return Outcome("timeout", "TimeLimit", reply["evalue"])
    if reply["status"] == "error":
        return said if said and said.status == "error" else Outcome("error", reply["ename"], reply["evalue"])
    if reply["status"] != "ok":
        return Outcome("not run")
    if said is None:
        return Outcome("refused", message=TAMPERED) if test else Outcome("ok")
    return said


def _notebook_packages() -> tuple[Any, Any]:
    try:
        nbformat = import_nbformat()
        import ipykernel  # noqa: F401  (the kernel itself, started as a process of its own)
        import nbclient
    except ImportError as error:
        raise GradingError(
            f"grading from the shell needs {error.name}, which comes with JupyterLab: pip install jupyterlab"
        ) from None
    wakeup.mend()
    return nbclient, nbformat


def _this_python() -> Any:
    """A manager of kernels that run this very Python, whatever kernels are registered on this computer."""
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    class ThisPython(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            command = [sys.executable, str(Path(__file__).with_name("launch.py")), "-f", "{connection_file}"]
            return KernelSpec(argv=[*command, *UNSEEN], display_name="minigrad", language="python")

    return AsyncKernelManager(kernel_spec_manager=ThisPython())


def _environment() -> dict[str, str]:
    """The environment of the kernel: ours, with this package in reach, and without live points: here we count."""
    package = str(Path(__file__).parents[2])
    path = os.environ.get("PYTHONPATH")
    path = f"{package}{os.pathsep}{path}" if path else package
    return {**os.environ, "PYTHONPATH": path, "MINIGRAD_LIVE": "off"}


_silent = logging.getLogger("minigrad_course.grading.kernel")
_silent.setLevel(logging.CRITICAL)
