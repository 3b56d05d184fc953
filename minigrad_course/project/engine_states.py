"""Cut the finished engine into its states after each milestone, on demand; and, for authors, build the project's files.

    sources/project/project.py  -> project/project.ipynb
    sources/project/engine.py   -> project/mine.py, the frame; solutions/project/mine.py, the whole
    sources/project/wrong.py    -> minigrad_course/project/hints.json

A line of engine.py that ends in `# [4]` is there from milestone 4 on, one with `# [<4]` only before it. A milestone
that is not reached yet keeps its heading, and so the learner's file tells where things go.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

HEADING = re.compile(r"^# ── (?:Milestone|Choice) (\d+) · (.*?) ─*$", re.MULTILINE)
MARKER = re.compile(r"  # \[(<?)(\d+)\]$|^# \[(<?)(\d+)\]$")
ENGINE = Path("sources/project/engine.py")
HINTS = Path("minigrad_course/project/hints.json")
LAST = 13


def state(engine: str, done: int) -> str:
    """Return the engine after milestone `done`: 0 is the frame that a learner starts from."""
    lines: list[str] = []
    section = 0
    for line in engine.splitlines():
        heading = HEADING.match(line)
        if heading:
            section = int(heading[1])
            lines += [] if section <= done else ["", ""] if lines[-1] else []
            lines.append(line)
            continue
        kept = section <= done
        while marker := MARKER.search(line):
            before, number = marker[1] or marker[3], int(marker[2] or marker[4])
            kept = kept and ((done < number) if before else (done >= number))
            line = line[: marker.start()]
        if kept:
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"


def build(root: Path, sheets: bool) -> dict[Path, str]:
    """Return the files built from sources/project, by path from the root; none in a course without a project."""
    source = root / ENGINE
    if not source.is_file():
        return {}
    engine = source.read_text(encoding="utf-8")
    built = {Path("solutions/project/mine.py"): state(engine, LAST)}
    if not in_use(root / "project" / "mine.py", engine):
        built[Path("project/mine.py")] = state(engine, 0)
    if sheets:
        from minigrad_course.project.wrong_engines import hints, read

        table = hints(engine, read(source.with_name("wrong.py")))
        built[HINTS] = json.dumps(table, indent=1, ensure_ascii=False) + "\n"
    return built


def in_use(file: Path, engine: str) -> bool:
    """Tell whether a file holds somebody's own engine: none of the states cut from ours."""
    if not file.exists():
        return False
    return file.read_bytes() not in {state(engine, k).encode() for k in range(LAST + 1)}
