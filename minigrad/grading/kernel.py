"""Runs cells in a fresh kernel, one after the other, and says how each ended.

A time limit holds for every cell, and nothing escapes it: a loop in Python is interrupted; where that does not help
(a loop inside compiled code never looks for an interrupt) the kernel is killed. A cell that took the kernel down
costs its own points only: the others run again in a new kernel, without it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from minigrad.grading.cells import GradingError
from minigrad.grading.outcome import Outcome, time_limit_message

RESTARTS = 3  # kernels that one notebook may take down before the rest is left unrun
GRACE = 5  # seconds that an interrupted cell has to stop


def run(cells: Sequence[Any], folder: Path, limit: float = 30.0) -> list[Outcome]:
    """Run code cells in `folder`, each for at most `limit` seconds; the outcome of each, in their order."""
    outcomes = [Outcome("not run")] * len(cells)
    left_out: set[int] = set()
    while len(left_out) <= RESTARTS:
        culprit = _run_until_dead(cells, folder, limit, left_out, outcomes)
        if culprit is None:
            break
        left_out.add(culprit)
    return outcomes


def _run_until_dead(
    cells: Sequence[Any], folder: Path, limit: float, left_out: set[int], outcomes: list[Outcome]
) -> int | None:
    """Run all cells but those left out, noting outcomes; the index of the cell that took the kernel down, or None."""
    nbclient, nbformat = _notebook_packages()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell["source"]) for cell in cells])
    replies: dict[int, dict] = {}
    client = nbclient.NotebookClient(
        notebook,
        km=_this_python(),
        timeout_func=lambda cell: limit,  # (`timeout` itself takes whole seconds only)
        allow_errors=True,
        interrupt_on_timeout=True,
        error_on_timeout={"ename": "TimeLimit", "evalue": time_limit_message(limit), "traceback": []},
        iopub_timeout=GRACE,
        raise_on_iopub_timeout=True,
        shutdown_kernel="immediate",
        on_cell_executed=lambda cell, cell_index, execute_reply: replies.__setitem__(
            cell_index, execute_reply["content"]
        ),
        resources={"metadata": {"path": str(folder)}},
    )
    client.owns_km = True  # we made the manager for this client alone: it ends the kernel as well
    client.log = _silent
    with _started(client):
        for i, cell in enumerate(notebook.cells):
            if i in left_out:
                continue
            try:
                client.execute_cell(cell, i)
            except nbclient.exceptions.CellTimeoutError:
                outcomes[i] = Outcome("timeout", message=time_limit_message(limit))
                return i
            except nbclient.exceptions.DeadKernelError:
                outcomes[i] = Outcome("dead")
                return i
            outcomes[i] = _outcome(cell, replies.get(i))
    return None


@contextlib.contextmanager
def _started(client: Any) -> Iterator[None]:
    """A running kernel for the client; what it prints outside of cells, a crash report say, goes nowhere."""
    with contextlib.ExitStack() as stack:
        try:
            nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            stack.enter_context(client.setup_kernel(env=_environment(), **nowhere))
        except RuntimeError as error:
            raise GradingError(
                f"no kernel started ({error}): see whether `{Path(sys.executable).name} -m ipykernel_launcher` does"
            ) from None
        yield


def _outcome(cell: Any, reply: dict | None) -> Outcome:
    """What the kernel's own answer says; an empty cell is not sent, and so gets none."""
    if reply is None:
        return Outcome("ok") if not cell.source.strip() else Outcome("dead")
    if reply["status"] == "error":
        status = "timeout" if reply["ename"] == "TimeLimit" else "error"
        return Outcome(status, reply["ename"], reply["evalue"])
    if reply["status"] != "ok":
        return Outcome("not run")
    values = [output.data.get("text/plain") for output in cell.outputs if output.output_type == "execute_result"]
    return Outcome("ok", value=values[-1] if values else None)


def _notebook_packages() -> tuple[Any, Any]:
    try:
        import ipykernel  # noqa: F401  (the kernel itself, started as a process of its own)
        import nbclient
        import nbformat
    except ImportError as error:
        raise GradingError(
            f"grading from the shell needs {error.name}, which comes with JupyterLab: pip install jupyterlab"
        ) from None
    return nbclient, nbformat


def _this_python() -> Any:
    """A manager of kernels that run this very Python, whatever kernels are registered on this computer."""
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    class ThisPython(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=command, display_name="minigrad", language="python")

    return AsyncKernelManager(kernel_spec_manager=ThisPython())


def _environment() -> dict[str, str]:
    """The environment of the kernel: ours, with this package in reach, and without live points: here we count."""
    package = str(Path(__file__).parents[2])
    path = os.environ.get("PYTHONPATH")
    path = f"{package}{os.pathsep}{path}" if path else package
    return {**os.environ, "PYTHONPATH": path, "MINIGRAD_LIVE": "off"}


_silent = logging.getLogger("minigrad.grading.kernel")
_silent.setLevel(logging.CRITICAL)
