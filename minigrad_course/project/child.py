"""Runs the tests of an engine in a process of its own, which may loop or crash (see grading/classroom/helper.py).

It is told the engine's file, then the title of one test after the other, and says how each ended. What the engine
prints goes nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minigrad_course.grading.classroom import helper

LOAD = ""  # in place of a title: run the file itself


def begin(first: dict[str, str]) -> tuple[str, Callable[[str], dict[str, Any]]]:
    """What answers the titles. The file itself is not run yet: that may take as long as it likes, and end us."""
    from minigrad_course.project import engine, graphs, milestones

    file = first["file"]
    tests = {test.title: test for test in milestones.TESTS}
    mine: list[Any] = []

    def answer(title: str) -> dict[str, Any]:
        try:
            if not mine:  # also where the process before was lost during a test
                mine.append(engine.load(Path(file)))
            told = tests[title].run(mine[0]) if title != LOAD else None
        except NotImplementedError as error:
            return {"unwritten": str(error) or "not written yet"}
        except graphs.Differs as error:
            said, symptom = engine.told(error, file)
            drawn = json.loads(
                json.dumps(
                    [error.graph.inputs, error.graph.steps, error.graph.seed], default=lambda array: array.tolist()
                )
            )
            mark = [error.where, error.mark]
            return {"failed": said, "symptom": symptom, "lines": error.marked(), "graph": drawn, "mark": mark}
        except (Exception, SystemExit) as error:
            said, symptom = engine.told(error, file)
            return {"failed": said, "symptom": symptom}
        return {"told": told} if told else {}

    return "ready", answer


if __name__ == "__main__":
    helper.serve(begin)
