"""Reads what was handed in, and mends it, in a helper of its own: a notebook can be made so that it takes all memory,
or that Python's own parser gives up over it. Then that notebook is named, and the next one is read.

Started by `Reader`, as `python -m minigrad_class.notebook_reader`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from minigrad_class.repair import Repaired, belongs, read_cells, repair
from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation.helper import Helper, Lost, serve

PATIENCE = 10.0  # seconds of the processor for one notebook
MEMORY = 1_500_000_000


class Reader(Helper):
    """Our end of it: the notebooks of some exercises, full, by their names."""

    def __init__(self, fulls: dict[str, Any], patience: float = PATIENCE, memory: int = MEMORY) -> None:
        super().__init__("minigrad_class.notebook_reader", fulls, memory)
        self.patience = patience

    def look(self, path: Path) -> tuple[str, dict[str, int]]:
        """Which exercise a notebook says it is, and how many cells of each it has. Raises GradingError."""
        reply = self._read({"do": "look", "path": str(path.absolute())})
        return reply["said"], reply["belongs"]

    def repaired(self, path: Path, exercise: str) -> Repaired:
        """The answers in a clean notebook. Raises GradingError where there is none to be read."""
        return Repaired(**self._read({"do": "repair", "path": str(path.absolute()), "exercise": exercise})["repaired"])

    def _read(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            reply = self.ask(question, self.patience)
        except Lost as lost:
            raise GradingError(f"it cannot be read here: {lost}") from None
        if reply.get("problem"):
            raise GradingError(reply["problem"])
        return reply


def reader_for(assignments: Iterable[Any]) -> Reader:
    """A reader of the notebooks of these exercises."""
    return Reader({one.id: one.full for one in assignments})


def _begin(fulls: dict[str, Any]) -> tuple[Any, Any]:
    def answer(question: dict[str, Any]) -> dict[str, Any]:
        try:
            cells, note = read_cells(Path(question["path"]).read_bytes())
            if question["do"] == "look":
                return {"said": note, "belongs": {name: belongs(cells, full) for name, full in fulls.items()}}
            return {"repaired": asdict(repair(cells, fulls[question["exercise"]]))}
        except MemoryError:
            raise
        except GradingError as error:
            return {"problem": str(error)}
        except Exception as error:  # whatever somebody has made of a notebook is that notebook's own trouble
            return {"problem": f"it cannot be read ({type(error).__name__}: {str(error)[:200]})"}

    return "ready", answer


if __name__ == "__main__":
    serve(_begin)
