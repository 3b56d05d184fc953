"""When something was handed in, how late that is, and whose it is by name: in every place that an instructor reads."""

import os
import time
import zipfile

import pytest
from classroom_course import BOOK, EXERCISE, in_one_process, lay, make_course, notebook_bytes  # noqa: F401 (fixtures)

from minigrad_class import collect, feedback_pages, marks, times

pytestmark = pytest.mark.usefixtures("in_one_process")

PLATFORM = (2026, 11, 20, 17, 30, 0)
PACKED = (2001, 1, 1, 0, 0, 0)  # what somebody wrote into a zip of their own


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"))


def zipped(path, entries, moment=PLATFORM):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name, moment), data)
    return path


def laid(folder, entries, moment=PLATFORM):
    seconds = time.mktime((*moment, 0, 0, -1))
    lay(folder, entries)
    for name in entries:
        os.utime(folder / name, (seconds, seconds))
    return folder


def gathered(course, heap_, tmp_path, **options):
    collect.collect(course, heap_, tmp_path / "grading", **options)
    return {row["file"]: row for row in collect.read_table(tmp_path / "grading" / f"collected-{EXERCISE}.csv").values()}


WHEN = "2026-11-20T17:30:00"


@pytest.mark.parametrize("make", [zipped, laid])
def test_the_time_is_that_of_the_upload(course, tmp_path, make):
    inner = zipped(tmp_path / "inner.zip", {BOOK: notebook_bytes(course)}, PACKED).read_bytes()
    entries = {f"Ann Roe_123_assignsubmission_file_/{BOOK}": notebook_bytes(course, half=None)}
    entries |= {"Bob Wu_124_assignsubmission_file_/my.zip": inner, "Eve No_125_assignsubmission_file_/a.zip": b"no zip"}
    rows = gathered(course, make(tmp_path / "export.zip" if make is zipped else tmp_path / "export", entries), tmp_path)
    assert {(row["student"], row["status"]) for row in rows.values()} == {
        ("Ann_Roe", "taken"), ("Bob_Wu", "taken"), ("Eve_No", "not taken"),
    }  # fmt: skip
    assert {row["handed in"] for row in rows.values()} == {WHEN}
    table = tmp_path / "grading" / f"collected-{EXERCISE}.csv"
    assert collect.read_times(table) == dict.fromkeys(("Ann_Roe", "Bob_Wu", "Eve_No"), WHEN)


def test_a_second_download_keeps_the_first_time(course, tmp_path):
    first, later = {f"ann/{BOOK}": notebook_bytes(course)}, (2026, 11, 25, 9, 0, 0)
    gathered(course, laid(tmp_path / "one", first), tmp_path)
    rows = gathered(course, laid(tmp_path / "one", first, later), tmp_path)
    assert [row["handed in"] for row in rows.values()] == [WHEN]
    rows = gathered(course, laid(tmp_path / "two", {f"all/ann/{BOOK}": notebook_bytes(course)}, later), tmp_path)
    assert rows[f"all/ann/{BOOK}"]["handed in"] == WHEN
    rows = gathered(
        course,
        laid(tmp_path / "one", {f"ann/{BOOK}": notebook_bytes(course, half=None)}, later),
        tmp_path,
        replace=True,
    )
    assert rows[f"ann/{BOOK}"]["handed in"] == "2026-11-25T09:00:00"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-20 18:00", "2026-11-20T18:00:00"),
        ("2026-11-20", "2026-11-20T23:59:59"),
        ("2026-11-20T18:00:30", "2026-11-20T18:00:30"),
        ("tomorrow", ""),
        ("2026-13-20", ""),
    ],
)
def test_a_time_is_read_in_the_forms(text, moment):
    assert times.of_text(text, end_of_day=True) == moment


def test_the_same_answers_are_pointed_out_by_name(course, tmp_path):
    for who in ("ann", "bobw"):
        laid(
            tmp_path / "submitted",
            {f"{who}/{EXERCISE}/{BOOK}": notebook_bytes(course, half=f"def half(x):\n    return x / 2{' ' * 200}")},
        )
    laid(tmp_path / "submitted", {f"cleo/{EXERCISE}/{BOOK}": notebook_bytes(course)})
    from minigrad_class.store import Store

    results = marks.make_marks(
        course, marks.read_submissions(course, tmp_path), Store(tmp_path), names={"bobw": "Bob Wu"}
    )
    assert any("bobw (Bob Wu)" in doubt for doubt in results[0].doubts), results[0].doubts
    assert ["the same answers" in " ".join(mark.doubts) for mark in results] == [True, True, False]
    assert "bobw (Bob Wu): not graded yet" in feedback_pages.needs_a_person(course, results, [])
