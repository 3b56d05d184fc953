"""Live points in a kernel of its own, as JupyterLab runs it: what takes the kernel down, and what outlives it."""

import os
import time

import nbformat
import pytest
from test_grading_odd import WORTH_NOTHING
from toy_course import RIGHT, compiled_loop, make_course, notebook_path

from minigrad_course.grading.progress import summary

pytestmark = pytest.mark.slow

pytest.importorskip("ipykernel")


class Notebook:
    """An exercise open in a kernel. `run` gives what a cell showed, or None where the kernel died of it."""

    def __init__(self, course):
        from jupyter_client.manager import KernelManager

        self.cells = {cell.id: cell.source for cell in nbformat.read(notebook_path(course), 4).cells}
        self.manager = KernelManager()
        self.manager.start_kernel(cwd=str(notebook_path(course).parent), env={**os.environ, "HOME": str(course)})
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, cell, source=None, within=60):
        content = {"code": self.cells[cell] if source is None else source, "silent": False, "store_history": True}
        content |= {"user_expressions": {}, "allow_stdin": False, "stop_on_error": False}
        message = self.client.session.msg("execute_request", content)
        message["metadata"] = {"cellId": cell}  # as JupyterLab does
        self.client.shell_channel.send(message)
        shown, deadline = [], time.monotonic() + within
        while time.monotonic() < deadline:
            if not self.manager.is_alive():
                return None
            try:
                text = self.client.get_iopub_msg(timeout=0.2)
            except Exception:  # queue.Empty: nothing yet
                continue
            if text["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            content = text["content"]
            if text["msg_type"] == "status" and content["execution_state"] == "idle":
                return " ".join(" ".join(shown).split())
            shown += [content.get("text", ""), content.get("data", {}).get("text/plain", "")]
        raise AssertionError(f"no end within {within} s; shown so far: {shown}")

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


@pytest.fixture
def opened(course):
    books = []

    def open_notebook():
        books.append(Notebook(course))
        return books[-1]

    yield open_notebook
    for book in books:
        book.close()


@pytest.mark.turns
@pytest.mark.parametrize("nogil", [True, False], ids=["without the lock", "with the lock"])
def test_an_endless_compiled_loop_ends(course, opened, nogil):
    pytest.importorskip("numba")
    book = opened()
    book.run("given")
    book.run("double", RIGHT["double"])
    assert "3 of 3 points" in book.run("test_double")
    book.run("half", compiled_loop("half", nogil))
    book.run("mine", "import minigrad_course.grading.deadline as d; d.GRACE = 0.5; grading.live(limit=1)")
    assert book.run("test_half") is None
    (line,) = summary(course).lines
    assert line.points == 3  # what was earned before is kept

    again = opened()
    text = again.run("given")
    assert "The kernel was ended while `test_half` ran: no answer within 1 s: is there a loop that never ends?" in text
    assert "✗ test_half 0 / 1" in again.run("points", "grading.table()")
    again.run("half", RIGHT["half"])
    assert "1 of 1 point" in again.run("test_half")
    assert summary(course).points == 4
    assert "was ended" not in opened().run("given")


def test_a_crash_is_told_by_the_next_kernel(course, opened):
    book = opened()
    book.run("given")
    book.run("half", "import ctypes\ndef half(x): ctypes.string_at(0)")
    assert book.run("test_half") is None
    assert "while `test_half` ran: something in it took the kernel down" in opened().run("given")


ODD = [
    WORTH_NOTHING[name][0]
    for name in (
        "its own check_close", "its own float, abs and print", "printing the praise itself", "not Python", "input",
        "an error whose text fails", "an error with a wild text", "a value that cannot be shown", "sys.exit",
        "a number instead of a function",
    )
]  # fmt: skip


@pytest.mark.thorough
def test_odd_answers_earn_nothing_and_points_go_on(opened):
    """One after the other in one kernel, where the names that they overwrite stay overwritten."""
    book = opened()
    book.run("given")
    for answer in ODD:
        book.run("double", answer)
        book.run("test_double")
        book.run("half", RIGHT["half"])
        assert "1 of 1 point (1 of 4 in all)" in book.run("test_half"), answer
        assert "✗ test_double 0 / 3" in book.run("points", "grading.table()"), answer
        book.run("double", RIGHT["double"])
        assert "3 of 3 points (4 of 4 in all)" in book.run("test_double"), answer
        book.run("double", "del double")
