"""Runs the tests of an engine in a process of its own, which may loop or crash: `python child.py FILE TITLE...`

Run by its path, as a program: what lies beside the learner's file, and may be called numpy.py, is out of reach. What
happened goes to standard output, a line of JSON when a test begins and another when it has ended; what the engine
prints goes nowhere.
"""

import json
import os
import sys
from pathlib import Path


def main(file: str, titles: list[str]) -> None:
    """Run the tests of these titles, in their order."""
    sys.path[0] = str(Path(__file__).parents[2])  # in place of this file's folder
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)

    def say(**what: object) -> None:
        report.write(json.dumps(what) + "\n")
        report.flush()

    from minigrad_course.project import engine, graphs, milestones

    tests = {test.title: test for test in milestones.TESTS}
    say(ready=True)
    try:
        mine = engine.load(Path(file))
    except BaseException as error:  # also sys.exit() in the learner's file
        said, symptom = engine.told(error, file)
        say(broken=said, symptom=symptom)
        return
    say(loaded=True)
    for title in titles:
        say(begins=title, seconds=tests[title].seconds)
        try:
            tests[title].run(mine)
        except NotImplementedError as error:
            say(ends=title, unwritten=str(error) or "not written yet")
        except (Exception, SystemExit) as error:
            said, symptom = engine.told(error, file)
            graph = error.graph.lines() if isinstance(error, graphs.Differs) else []
            drawn = [error.graph.inputs, error.graph.steps] if isinstance(error, graphs.Differs) else None
            say(ends=title, failed=said, symptom=symptom, lines=graph, graph=_plain(drawn))
        else:
            say(ends=title)


def _plain(graph: object) -> object:
    return json.loads(json.dumps(graph, default=lambda array: array.tolist()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
