"""For authors: judge the wrong engines that ship with the project, and record the symptom of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.wrong_table import read_table, replaced
from minigrad_course.project.engine_states import state
from minigrad_course.project.learner_engine import Engine, in_words
from minigrad_course.project.milestones import TESTS

FIELDS = {"milestone": (int,), "old": (str,), "new": (str,), "hint": (str,)}
MOST = 3  # hints that one symptom may have; with more similar mistakes, none is named


@dataclass(frozen=True)
class Wrong:
    """Our engine after a milestone, with one mistake."""

    line: int  # of wrong.py
    milestone: int
    old: str
    new: str
    hint: str

    def text(self, engine: str) -> str:
        """Return the file of a learner who makes this mistake. Raises GradingError unless `old` occurs exactly once."""
        try:
            return replaced(state(engine, self.milestone), self.old, self.new)
        except GradingError as error:
            raise GradingError(f"wrong.py:{self.line}: after milestone {self.milestone}, {error}") from None


def read(path: Path) -> list[Wrong]:
    """Read the wrong engines of sources/project/wrong.py."""
    return [Wrong(line, *entry) for line, entry in read_table(path, FIELDS)]


def first_failure(text: str, milestone: int) -> tuple[str, str] | None:
    """Return the first test that an engine fails, up to a milestone, and its symptom; training tests count too."""
    engine = Engine(text)
    for test in TESTS:
        if test.milestone > milestone or (test.milestone != milestone and (test.seconds > 30 or test.milestone > 8)):
            continue
        try:
            test.run(engine)
        except Exception as error:
            return test.title, in_words(error, "mine.py")[1]
    return None


def hints(engine: str, wrong: list[Wrong]) -> dict[str, dict[str, str]]:
    """Map test and symptom to hints. Raises GradingError for a wrong engine that passes."""
    by_test: dict[str, dict[str, list[str]]] = {}
    for entry in wrong:
        failure = first_failure(entry.text(engine), entry.milestone)
        if failure is None or int(failure[0].split()[0]) != entry.milestone:
            raise GradingError(
                f"wrong.py:{entry.line} ({entry.hint}) should fail milestone {entry.milestone}, and got {failure}"
            )
        by_test.setdefault(failure[0], {}).setdefault(failure[1], []).append(entry.hint)
    return {
        title: {symptom: _one(texts) for symptom, texts in symptoms.items() if len(texts) <= MOST}
        for title, symptoms in by_test.items()
    }


def _one(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else "Several mistakes look like this. " + " Or: ".join(texts)
