"""For authors: judges the wrong engines that ship with the project, and notes by which symptom each is recognised."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.wrong import read_table, replaced
from minigrad_course.project.build import state
from minigrad_course.project.engine import Engine, told
from minigrad_course.project.milestones import TESTS

FIELDS = {"milestone": (int,), "old": (str,), "new": (str,), "hint": (str,)}
MOST = 3  # hints that one symptom may have; where more mistakes look alike, none of them is named


@dataclass(frozen=True)
class Wrong:
    """Our engine as it is after a milestone, wrong in one place."""

    line: int  # of wrong.py
    milestone: int
    old: str
    new: str
    hint: str

    def text(self, engine: str) -> str:
        """The file of a learner who makes this mistake. Raises GradingError unless `old` occurs exactly once."""
        try:
            return replaced(state(engine, self.milestone), self.old, self.new)
        except GradingError as error:
            raise GradingError(f"wrong.py:{self.line}: after milestone {self.milestone}, {error}") from None


def read(path: Path) -> list[Wrong]:
    """Read the wrong engines of sources/project/wrong.py."""
    return [Wrong(line, *entry) for line, entry in read_table(path, FIELDS)]


def first_failure(text: str, milestone: int) -> tuple[str, str] | None:
    """The test that an engine fails first, and its symptom; up to a milestone, whose tests that train count too."""
    engine = Engine(text)
    for test in TESTS:
        if test.milestone > milestone or (test.milestone != milestone and (test.seconds > 30 or test.milestone > 8)):
            continue
        try:
            test.run(engine)
        except Exception as error:
            return test.title, told(error, "mine.py")[1]
    return None


def hints(engine: str, wrong: list[Wrong]) -> dict[str, dict[str, str]]:
    """From test and symptom to the hint. Raises GradingError for a wrong engine that passes."""
    found: dict[str, dict[str, list[str]]] = {}
    for entry in wrong:
        failure = first_failure(entry.text(engine), entry.milestone)
        if failure is None or int(failure[0].split()[0]) != entry.milestone:
            raise GradingError(
                f"wrong.py:{entry.line} ({entry.hint}) should fail milestone {entry.milestone}, and got {failure}"
            )
        found.setdefault(failure[0], {}).setdefault(failure[1], []).append(entry.hint)
    return {
        title: {symptom: _one(said) for symptom, said in symptoms.items() if len(said) <= MOST}
        for title, symptoms in found.items()
    }


def _one(said: list[str]) -> str:
    return said[0] if len(said) == 1 else "Several mistakes look like this. " + " Or: ".join(said)
