"""Run the tests of an engine in a process of its own, which may loop or crash (see isolation/helper.py).

It receives the engine's file, then one test title after the other, and reports how each ended. The engine's own output
is discarded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minigrad.guards import capabilities
from minigrad_course.isolation import helper
from minigrad_course.project import graphs, learner_engine, milestones
from minigrad_course.project.milestones.digit_networks import train_digits

LOAD = ""  # instead of a title: run the file itself
TRAIN = "training"  # instead of a title: the percent of digits read, and the losses


def begin(first: dict[str, str]) -> tuple[str, Callable[[str], dict[str, Any]]]:
    """Return the function that answers titles. It runs the file on its first call, which may take long, or end us."""
    file = first["file"]
    tests = {test.title: test.run for test in milestones.TESTS} | {TRAIN: train_digits}
    engines: list[Any] = []

    def answer(title: str) -> dict[str, Any]:
        try:
            if not engines:  # also after a process was lost during a test
                engines.append(learner_engine.load(Path(file)))
            remark = tests[title](engines[0]) if title != LOAD else None
        except capabilities.Missing as error:
            return {"untried": str(error)}
        except NotImplementedError as error:
            return {"unwritten": str(error) or "not written yet"}
        except graphs.Differs as error:
            sentence, symptom = learner_engine.in_words(error, file)
            drawn = json.loads(
                json.dumps(
                    [error.graph.inputs, error.graph.steps, error.graph.seed], default=lambda array: array.tolist()
                )
            )
            mark = [error.where, error.comment]
            return {"failed": sentence, "symptom": symptom, "lines": error.marked(), "graph": drawn, "mark": mark}
        except (Exception, SystemExit) as error:
            sentence, symptom = learner_engine.in_words(error, file)
            return {"failed": sentence, "symptom": symptom}
        return {"remark": remark} if remark else {}

    return "ready", answer


if __name__ == "__main__":
    helper.serve(begin)
