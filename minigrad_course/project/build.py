"""Cuts the finished engine into the states that it has after each milestone, when one is asked for; and, for authors,
builds what is stored of the project.

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
    """The engine as it is after milestone `done`: 0 is the frame that a learner starts from."""
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
        while found := MARKER.search(line):
            before, number = found[1] or found[3], int(found[2] or found[4])
            kept = kept and ((done < number) if before else (done >= number))
            line = line[: found.start()]
        if kept:
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"


def build(root: Path, sheets: bool) -> dict[Path, str]:
    """What is built from sources/project, as files from the root on; nothing where a course has no project."""
    source = root / ENGINE
    if not source.is_file():
        return {}
    engine = source.read_text(encoding="utf-8")
    built = {Path("solutions/project/mine.py"): state(engine, LAST)}
    if not in_use(root / "project" / "mine.py", engine):
        built[Path("project/mine.py")] = state(engine, 0)
    if sheets:
        from minigrad_course.project.wrong import hints, read

        table = hints(engine, read(source.with_name("wrong.py")))
        built[HINTS] = json.dumps(table, indent=1, ensure_ascii=False) + "\n"
    return built


def in_use(mine: Path, engine: str) -> bool:
    """Whether the engine in a file is somebody's own: none of those that are cut from ours."""
    if not mine.exists():
        return False
    return mine.read_bytes() not in {state(engine, k).encode() for k in range(LAST + 1)}
