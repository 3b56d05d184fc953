"""Makes the course of a term: a folder with everything, in which the exercises that can be copied are other ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from minigrad_class import packing
from minigrad_class.variation import SOURCE, Variant, build, points_of, vary
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import Exercise, all_exercises, read_notebook
from minigrad_course.grading.whole_files import write_whole

NOTHING = "nothing: as it stands"


def variants_for(root: Path, term: str, before: Sequence[str] = ()) -> list[tuple[Exercise, Variant]]:
    """Draw the exercises of a course for a term; those without a variants.py are as they stand."""
    for name in (term, *before):
        if not re.fullmatch(r"[\w-]{1,32}", name):
            raise GradingError(f"{name!r} cannot be a term's name: letters, digits, - and _, as in 2027S")
    drawn = []
    for exercise in all_exercises(root):
        source = root / "sources" / "exercises" / exercise.id / SOURCE
        if not source.is_file():
            raise GradingError(f"{source} is missing: variants are made from the repository, where the sources are")
        drawn.append((exercise, vary(source, term, before)))
    return drawn


def write(root: Path, target: Path, drawn: Sequence[tuple[Exercise, Variant]]) -> None:
    """Write the term's course into a folder: what students get, the solutions, and the exercises that were drawn."""
    changed = [variant for _, variant in drawn if variant.answers]
    built: dict[Path, str] = {}
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for variant, part in zip(changed, pool.map(build, changed), strict=True):
            built |= part
            print(f"{variant.exercise} is built.", flush=True)
    packing.course(root, target)
    for path in sorted((root / "solutions").rglob("*")):
        if path.is_file() and not any(packing.is_left_behind(part) for part in path.relative_to(root).parts):
            write_whole(target / path.relative_to(root), path.read_bytes(), sync=False)
    for place, text in built.items():
        write_whole(target / place, text, sync=False)


def table(drawn: Sequence[tuple[Exercise, Variant]]) -> list[str]:
    """Say of each exercise how many of its points are for answers that vary, and what is new."""
    rows = [("exercise", "points", "what is new")]
    for exercise, variant in drawn:
        full = exercise.full() or read_notebook(exercise.notebook)
        points = sum(points_of(full, variant.answers).values())
        of = sum(test.points for test in exercise.sheet().tests.values())
        rows.append((exercise.id, f"{points:g} of {of:g}", variant.says or NOTHING))
    width = max(len(name) for name, _, _ in rows)
    return [f"{name:{width}}  {points:>8}  {says}" for name, points, says in rows]
