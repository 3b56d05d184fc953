"""One exercise as it is graded: the author's notebook, its tests split in two, and the jobs made of submissions."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from minigrad_class.repair import Repaired
from minigrad_class.split import Test, split_notebook, without_checkers
from minigrad_class.supervise import Job
from minigrad_course.grading.cells import GradingError, grade_id, kind, release
from minigrad_course.grading.exercises import Exercise, find, read_notebook
from minigrad_course.grading.sheet import FILE, Sheet
from minigrad_course.isolation.limits import Limits

VERSION = 3  # of the grader: results of another version do not count
MOST_FILES = 20_000_000  # bytes of the files beside an exercise


@dataclass
class Assignment:
    """An exercise of a course, with its solutions and hidden tests."""

    id: str
    course: Path
    full: Any
    sheet: Sheet

    @classmethod
    def load(cls, name: str, course: Path | None = None) -> Assignment:
        """By its number or name. Raises GradingError where it is not there with its solutions."""
        exercise: Exercise = find([name], course)[0]
        path = exercise.course / "solutions" / exercise.id / f"{exercise.id}.ipynb"
        if not path.exists():
            raise GradingError(f"{path} is missing: grading a class needs the solutions and the hidden tests")
        return cls(exercise.id, exercise.course, read_notebook(path), exercise.sheet(full=True))

    @cached_property
    def tests(self) -> dict[str, Test]:
        """The tests, split. Raises GradingError where one cannot be."""
        return split_notebook(self.full)

    @cached_property
    def asked(self) -> dict[str, str]:
        """The code that runs beside a submission in place of tests, and of locked cells that say what tests expect."""
        tests = self.tests
        return {name: test.asked for name, test in tests.items()} | without_checkers(self.full, tests.values())

    @property
    def of(self) -> float:
        """All points of tests; those of essays are a person's to give, on the platform."""
        return sum(test.points for test in self.sheet.tests.values() if test.points)

    @cached_property
    def payload(self) -> dict[str, Any]:
        """Return the exercise's data for a grader, as plain values."""
        judged = []
        for cell in self.full["cells"]:
            if cell["cell_type"] == "code":
                name, what = grade_id(cell), kind(cell)
                source = self.tests[name].judged if what == "test" else cell["source"]
                judged.append({"kind": what, "name": name, "source": source})
        tests = {name: {"hidden": test.hidden} for name, test in self.tests.items()}
        data: dict[str, Any] = {"id": self.id, "judged": judged, "redefined": self.sheet.redefined, "tests": tests}
        data |= {"files": self._files(), "limit": 120.0}
        return data | {"digest": _digest({**data, "asked": self.asked, "version": VERSION})}

    def _files(self) -> dict[str, str]:
        """The files that were handed out with the notebook."""
        folder = self.course / "exercises" / self.id
        paths = [p for p in sorted(folder.iterdir()) if p.is_file() and p.suffix != ".ipynb" and p.name != FILE]
        if sum(path.stat().st_size for path in paths) > MOST_FILES:
            raise GradingError(f"the files in {folder} have more than {MOST_FILES // 10**6} MB")
        return {path.name: base64.b64encode(path.read_bytes()).decode() for path in paths}

    def key(self, repaired: Repaired) -> str:
        """The name of a submission's result: the same for the same answers to the same exercise."""
        return _digest([self.payload["digest"], self._asked(repaired)])

    def job(self, repaired: Repaired, limits: Limits, sandbox: bool, masked: tuple[Path, ...] = ()) -> Job:
        """The job of grading one submission."""
        hide = [str(path) for path in (*masked, *(self.course / name for name in ("solutions", "sources", "tests")))]
        return {
            "key": self.key(repaired),
            "cells": self._asked(repaired),
            "exercise": self.payload,
            "limits": limits.as_dict(),
            "sandbox": sandbox,
            "masked": hide,
        }

    def _asked(self, repaired: Repaired) -> list[dict[str, str]]:
        """The cells to run: of the tests, what they ask."""
        own = ("test", "given")
        return [
            {**cell, "source": self.asked.get(cell["name"], cell["source"])} if cell["kind"] in own else cell
            for cell in repaired.cells
        ]

    def example(self, solved: bool) -> Repaired:
        """The author's own submission, or an empty one: to see whether the exercise can be graded."""
        source = self.full if solved else release(self.full)
        cells = [
            {
                "kind": kind(cell),
                "name": grade_id(cell),
                "source": cell["source"] if kind(cell) in ("solution", "plain") else full["source"],
            }
            for cell, full in zip(source["cells"], self.full["cells"], strict=True)
            if cell["cell_type"] == "code"
        ]
        return Repaired(cells, {})


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]
