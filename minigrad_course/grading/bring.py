"""Starts a student's server on a class's hub: `python -m minigrad_course.grading.bring COURSE ...`

Brings the course as it is now into the student's folder, and then is jupyterhub-singleuser. It runs as the student.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

from minigrad_course.grading.files import write_whole

RECORD = ".minigrad-course.json"


def bring(course: Path, home: Path) -> tuple[int, int]:
    """Bring `home` to the course as it is now: how many files are new or newer, and how many a student has changed and
    keeps. What was brought before and has not been touched is replaced; everything else is the student's."""
    record_file = home / RECORD
    try:
        record = json.loads(record_file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        record = {}
    brought = kept = 0
    for source in sorted(path for path in course.rglob("*") if path.is_file() and not path.is_symlink()):
        place = source.relative_to(course).as_posix()
        data, target = source.read_bytes(), home / place
        now = hashlib.sha256(data).hexdigest()
        if target.exists():
            present = hashlib.sha256(target.read_bytes()).hexdigest()
            if present == now or present != record.get(place):
                kept += present != now
                record.setdefault(place, now if present == now else "")
                continue
        write_whole(target, data, sync=False)
        record[place] = now
        brought += 1
    write_whole(record_file, json.dumps(record))
    return brought, kept


def start(course: Path, arguments: list[str]) -> None:
    """Bring the course as the student, into the student's own folder; then be the student's server."""
    try:
        brought, kept = bring(course, Path.cwd())
        print(f"The course: {brought} files brought, {kept} kept as the student has them", flush=True)
    except OSError as error:
        print(f"The course could not be brought: {error}", flush=True)  # the server starts with what is there
    os.execv(sys.executable, [sys.executable, "-m", "jupyterhub.singleuser", *arguments])


if __name__ == "__main__":
    start(Path(sys.argv[1]), sys.argv[2:])
