"""Your own engine: the project that runs beside the exercises, and its judge.

A learner writes one file, project/mine.py, milestone by milestone. From a notebook:

    from minigrad_course import project
    project.grade()                   # points, feedback, hints, and the smallest graph on which the engine fails
    project.draw(y)                   # a graph of the learner's nodes; so do project.trace and project.explore
    project.page()                    # a page about the finished engine

and from a shell `minigrad grade project`, `minigrad project start 5`, `minigrad project page`.

    learner_engine.py   the learner's file, loaded
    graphs.py           random graphs, compared with minigrad's, and cut down to the smallest that fails
    milestones/         the tests
    child.py            runs them, in a process of its own
    recomputed.py       other questions, whose answers are computed outside of that process
    verdict.py          starts that process, keeps the time, counts points, finds hints
    see.py              a learner's graph as a minigrad function, to be drawn, traced and explored
    engine_page.py      the page of an engine
    digit_pad.py, .js   a pad to draw digits on, for the first five minutes
    project_command.py  `minigrad project`
    engine_states.py    cuts our engine into its states after each milestone; builds what is stored of the project
    wrong_engines.py    authors: wrong engines, and the symptoms by which they are recognised
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad.guards import capabilities
from minigrad_course.grading.exercises import course_folder

if TYPE_CHECKING:
    from minigrad_course.project.verdict import Verdict

FILE = Path("project") / "mine.py"


def mine(file: str | Path | None = None) -> Path:
    """Return the path of the learner's engine: mine.py in this folder, else project/mine.py of the surrounding
    course.
    """
    if file is not None:
        return Path(file)
    beside = Path.cwd() / FILE.name
    return beside if beside.is_file() else course_folder() / FILE


def grade(*milestones: int, file: str | Path | None = None) -> Verdict:
    """Return the points table of the engine: all milestones up to the first that fails, or the named ones."""
    from minigrad_course.project.verdict import judge

    return judge(mine(file), milestones)


def page(target: str | Path | None = None, file: str | Path | None = None) -> Path:
    """Write the page of the engine and return its path: by default mine.html beside the engine."""
    capabilities.demand("processes", "project.page(), which tries an engine in a process that it may take down,")
    from minigrad_course.project.engine_page import write

    source = mine(file)
    return write(source, Path(target) if target is not None else source.with_suffix(".html"))


def __getattr__(name: str) -> Any:
    if name in ("draw", "trace", "explore"):  # loaded when asked for: pictures take a second
        from minigrad_course.project import see

        return getattr(see, name)
    raise AttributeError(f"minigrad_course.project has no {name!r}")
