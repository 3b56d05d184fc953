"""Links in the lessons lead somewhere, and the map in lesson 00 shows every lesson that there is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "sources" / "lessons").glob("*.py"))
LINK = re.compile(r"""\]\(([^)\s]+)\)|href="([^"]+)\"""")


def links(lesson):
    """The relative links of a lesson, as paths from the folder notebooks/."""
    result = {a or b for a, b in LINK.findall(lesson.read_text(encoding="utf-8"))}
    return sorted(link.split("#")[0] for link in result if not re.match(r"#|https?:|attachment:", link))


def source_of(path):
    """Return the source of a built notebook; any other file is its own source."""
    place = path.relative_to(ROOT)
    if place.parts[0] == "notebooks":
        return ROOT / "sources" / "lessons" / f"{place.stem}.py"
    if place.parts[0] == "exercises":
        return ROOT / "sources" / "exercises" / place.parts[1] / "exercise.py"
    return path


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_relative_links_lead_to_something(lesson):
    dead = [link for link in links(lesson) if not source_of((ROOT / "notebooks" / link).resolve()).exists()]
    assert not dead


def test_the_map_links_every_lesson_there_is():
    mapped = set(links(ROOT / "sources" / "lessons" / "00_start.py"))
    assert {f"{lesson.stem}.ipynb" for lesson in LESSONS} <= mapped


def test_the_map_names_all_lessons_of_the_course():
    text = (ROOT / "sources" / "lessons" / "00_start.py").read_text(encoding="utf-8")
    numbers = re.findall(r"<b>(\d\d)</b>", text)
    assert numbers == [f"{n:02d}" for n in range(18)]
