"""Run the tests of an engine in a process of its own, which may loop or crash (see grading/classroom/helper.py).

It receives the engine's file, then one test title after the other, and reports how each ended. The engine's own output
is discarded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minigrad_course.grading.classroom import helper

LOAD = ""  # instead of a title: run the file itself


def begin(first: dict[str, str]) -> tuple[str, Callable[[str], dict[str, Any]]]:
    """Return the function that answers titles. It runs the file on its first call, which may take long, or end us."""
    from minigrad_course.project import engine, graphs, milestones

    file = first["file"]
    tests = {test.title: test for test in milestones.TESTS}
    engines: list[Any] = []

    def answer(title: str) -> dict[str, Any]:
        try:
            if not engines:  # also after a process was lost during a test
                engines.append(engine.load(Path(file)))
            remark = tests[title].run(engines[0]) if title != LOAD else None
        except NotImplementedError as error:
            return {"unwritten": str(error) or "not written yet"}
        except graphs.Differs as error:
            sentence, symptom = engine.in_words(error, file)
            drawn = json.loads(
                json.dumps(
                    [error.graph.inputs, error.graph.steps, error.graph.seed], default=lambda array: array.tolist()
                )
            )
            mark = [error.where, error.mark]
            return {"failed": sentence, "symptom": symptom, "lines": error.marked(), "graph": drawn, "mark": mark}
        except (Exception, SystemExit) as error:
            sentence, symptom = engine.in_words(error, file)
            return {"failed": sentence, "symptom": symptom}
        return {"remark": remark} if remark else {}

    return "ready", answer


if __name__ == "__main__":
    helper.serve(begin)
