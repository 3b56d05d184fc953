"""Try in another Python of this tab what may loop or crash: it has a worker of its own, which can be ended.

`Helper` is the notebook's side; it has the `ask` of the one in minigrad_course/isolation/helper.py, which starts
processes. `turn` is the other side.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from minigrad_tab import door

from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation.helper import Lost, TooLate

START = 90.0  # seconds for the other Python to start
NO_SERVICE_WORKER = (
    "this needs a second Python, and none can be reached here: the browser has no service worker "
    "(a private window?). Open the page in an ordinary window, and run the cell again"
)
_numbers = count(1)


class Helper:
    """Has another Python run `begin` of a module, and then the function that `begin` returns.

    first: what `begin` gets. files: those of this Python that the other one shall have, under the same names.
    """

    def __init__(self, module: str, first: dict[str, Any], files: Sequence[Path]) -> None:
        self.module, self.first, self.files = module, first, files
        self.number: int | None = None  # of its worker

    def ask(self, what: Any, patience: float) -> Any:
        """Return the answer. Raises Lost where the other Python ends, or takes more than `patience` seconds."""
        if self.number is None:
            self.number = next(_numbers)
            files = {str(path.resolve()): path.read_text(encoding="utf-8") for path in self.files}
            self._exchange({"module": self.module, "first": self.first, "files": files}, START)
        return self._exchange({"ask": what}, patience)

    def close(self) -> None:
        """End it."""
        if self.number is not None:
            door.ask("apart", number=self.number, request=None)
            self.number = None

    def __enter__(self) -> Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _exchange(self, request: dict[str, Any], patience: float) -> Any:
        door.ask("apart", number=self.number, request=json.dumps(request))
        deadline = time.monotonic() + patience
        while not (text := self._answered()):
            if door.ask("interrupted") == b"yes":
                self.close()
                raise KeyboardInterrupt
            if time.monotonic() > deadline:
                self.close()
                raise TooLate(f"it took more than {patience:.3g} seconds")
        answer = json.loads(text)
        if "died" in answer:
            self.close()
            raise Lost(answer["died"])
        return json.loads(answer["answer"])

    def _answered(self) -> bytes:
        """Wait for half a second, and return the answer if it has come."""
        try:
            return door.ask("answered", number=self.number)
        except OSError:
            self.close()
            raise GradingError(NO_SERVICE_WORKER) from None


class _Nowhere(io.TextIOBase):
    def write(self, text: str) -> int:
        return len(text)


_answer: Callable[[Any], Any]


def turn() -> None:
    """Answer the request that the page has, in the other Python."""
    global _answer
    _, [request] = door.unpack(door.ask("receive"))
    words = json.loads(bytes(request))
    with contextlib.redirect_stdout(_Nowhere()), contextlib.redirect_stderr(_Nowhere()):
        if "module" in words:
            for path, text in words["files"].items():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_text(text, encoding="utf-8")
            reply, _answer = importlib.import_module(words["module"]).begin(words["first"])
        else:
            reply = _answer(words["ask"])
    door.ask("send", [json.dumps(reply).encode()])
