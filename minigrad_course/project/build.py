"""For authors: cuts the finished engine into the states that it has after each milestone.

    sources/project/project.py  -> project/project.ipynb
    sources/project/engine.py   -> project/mine.py, solutions/project/after_<k>.py, solutions/project/mine.py
    sources/project/wrong.py    -> project/hints.json

A line of engine.py that ends in `# [4]` is there from milestone 4 on, one with `# [<4]` only before it. A milestone
that is not reached yet keeps its heading, and so the learner's file tells where things go.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

HEADING = re.compile(r"^# ── (?:Milestone|Choice) (\d+) · (.*?) ─*$", re.MULTILINE)
MARKER = re.compile(r"  # \[(<?)(\d+)\]$|^# \[(<?)(\d+)\]$")
LAST = 13


def state(engine: str, done: int) -> str:
    """The engine as it is after milestone `done`: 0 is the frame that a learner starts from."""
    lines, section = [], 0
    for line in engine.splitlines():
        heading = HEADING.match(line)
        if heading:
            section = int(heading[1])
            lines += [] if section <= done else ["", ""] if lines[-1] else []
            lines.append(line)
            continue
        kept = section <= done
        while found := MARKER.search(line):
            before, number = found[1] or found[3], int(found[2] or found[4])
            kept = kept and ((done < number) if before else (done >= number))
            line = line[: found.start()]
        if kept:
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"


def engine_files(root: Path) -> dict[Path, str]:
    """Each state of the engine, as files from the root on; nothing where a course has no project."""
    source = root / "sources" / "project" / "engine.py"
    if not source.is_file():
        return {}
    engine = source.read_text(encoding="utf-8")
    built = {Path("solutions/project") / f"after_{k}.py": state(engine, k) for k in range(LAST)}
    built[Path("solutions/project/mine.py")] = state(engine, LAST)
    built[Path("project/mine.py")] = built[Path("solutions/project/after_0.py")]
    return built


def hints_file(root: Path) -> dict[Path, str]:
    """The table from symptom to hint, found by judging each wrong engine."""
    from minigrad_course.project.wrong import hints, read

    source = root / "sources" / "project" / "wrong.py"
    if not source.is_file():
        return {}
    finished = state((root / "sources" / "project" / "engine.py").read_text(encoding="utf-8"), LAST)
    return {Path("project/hints.json"): json.dumps(hints(finished, read(source)), indent=1, ensure_ascii=False) + "\n"}
