"""Points over all exercises: kept in a small file that damage, crashes and other kernels do not destroy."""

import json
import multiprocessing
import os
import subprocess
import sys

import pytest
from toy_course import answer, make_course

from minigrad_course import cli
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.progress import Progress, Record, summary

ID = "01_doubling"


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return make_course(tmp_path / "course")


def keep(course, full=False, **points):
    of = {"test_double": 3, "test_half": 1}
    return Progress(course).note(ID, [Row(test, p, of[test]) for test, p in points.items()], full)


def line(course):
    (only,) = summary(course).lines
    return only


def test_points_are_kept_and_the_latest_count(course):
    """Those of tests that have changed or are gone do not."""
    Progress(course).note(ID, [Row("test_half", 5, 5), Row("test_gone", 1, 1)], full=False)
    assert (line(course).points, line(course).state()) == (0, "not started")
    assert keep(course, test_double=0)
    assert (line(course).points, line(course).state()) == (0, "next: test_double")
    keep(course, test_double=3)
    assert (line(course).points, line(course).state()) == (3, "next: test_half")
    keep(course, test_half=1)
    assert (line(course).points, line(course).state()) == (4, "public checks passed, hidden tests not run")
    keep(course, full=True, test_double=3, test_half=1)
    assert line(course).state() == "all tests passed"
    keep(course, test_double=1.5)
    assert (line(course).points, line(course).state()) == (2.5, "next: test_double")
    assert summary(course).points == 2.5


@pytest.mark.parametrize(
    "damage",
    [
        b"\x00\xff\xfe nonsense",
        b"{}\n[]\n3\nnull\n\n\n",
        b'{"exercise": "01_doubling", "test": "test_half", "points": "many", "of": 1}',
        b'{"exercise": "01_doubling", "test": "test_half", "points": 7, "of": 1}',
        b'{"exercise": "01_doubling", "test": "test_half", "points": NaN, "of": 1}',
        b'{"exercise": ["a"], "test": {}, "points": 1, "of": 1}',
        b"[" * 100_000,
        b'{"exercise": "01_doub',  # a crash in the middle of a line
    ],
)
def test_damaged_lines_cost_nothing_but_themselves(course, damage):
    keep(course, test_double=3)
    with open(course / ".minigrad" / "progress.jsonl", "ab") as file:
        file.write(b"\n" + damage)
    assert summary(course).points == 3
    keep(course, test_half=1)
    assert summary(course).points == 4


def _write_many(course, test, times):
    for i in range(times):
        Progress(course).note(ID, [Row(test, float(i % 2), 1.0)], full=False)


@pytest.mark.slow
@pytest.mark.turns
def test_several_kernels_write_at_once(course):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(course, f"test_{i}", 60)) for i in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    empty, *lines = (course / ".minigrad" / "progress.jsonl").read_text().split("\n")
    assert not empty  # each line begins with its line break
    assert len(lines) == 4 * 60
    assert {json.loads(line)["test"] for line in lines} == {f"test_{i}" for i in range(4)}
    assert set(Progress(course).latest()[ID].values()) == {Record(1.0, 1.0, False)}


def test_an_unwritable_course_uses_the_home(course, tmp_path):
    (course / ".minigrad").write_text("a file where the folder should be")
    (tmp_path / "home").write_text("a file")
    assert not keep(course, test_double=3)
    assert summary(course).points == 0
    with Progress(course).running(ID, "test_double", 30) as nowhere:
        assert nowhere.name == os.devnull
    (tmp_path / "home").unlink()
    assert keep(course, test_double=3)
    assert summary(course).points == 3
    assert (tmp_path / "home" / ".minigrad" / "course" / "progress.jsonl").is_file()


def test_next_comes_the_begun_then_the_new(course):
    other = course / "exercises" / "02_more"
    other.mkdir()
    sheet = (course / "exercises" / ID / "tests.json").read_text(encoding="utf-8")
    (other / "tests.json").write_text(sheet.replace(ID, "02_more"), encoding="utf-8")
    assert summary(course).next()[1] == "Next: exercise 01"
    Progress(course).note("02_more", [Row("test_half", 1, 1)], full=False)
    assert summary(course).next()[1] == "Next: test_double in exercise 02"
    Progress(course).note("02_more", [Row("test_double", 3, 3)], full=False)
    assert summary(course).next()[1] == "Next: exercise 01"
    keep(course, full=True, test_double=3, test_half=1)
    assert "hidden tests with your instructor" in summary(course).next()[1]
    (course / "solutions" / "02_more").mkdir()
    (course / "solutions" / "02_more" / "02_more.ipynb").write_text("{}")
    assert summary(course).next()[1] == "Next: the hidden tests, minigrad grade --full 02"
    Progress(course).note("02_more", [Row("test_double", 3, 3), Row("test_half", 1, 1)], full=True)
    assert summary(course).next() == (None, "All tests of all exercises passed.")
    assert summary(course).points == summary(course).of == 8


def test_the_shell_counts_the_learners_own_notebook(course, monkeypatch, capsys):
    monkeypatch.chdir(course)
    answer(course, double="def double(x):\n    return 0")
    path = course / "exercises" / ID / f"{ID}.ipynb"
    (course / "theirs.ipynb").write_bytes(path.read_bytes())
    cli.main(["grade", "theirs.ipynb"])
    assert not (course / ".minigrad").exists()
    cli.main(["grade", "01"])
    capsys.readouterr()
    assert cli.main(["progress"]) == 0
    assert "1 / 4    next: test_double" in capsys.readouterr().out


def test_a_deadly_cell_is_named_once(course):
    own = Progress(course)
    own.running(ID, "test_double", 30)
    assert Progress(course).left_by_dead_kernels("02_other") == []
    ours = course / ".minigrad" / f"running-{ID}-{os.getpid()}"
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    ours.rename(ours.with_name(f"running-{ID}-{dead.stdout.strip()}"))
    assert Progress(course).left_by_dead_kernels(ID) == [("test_double", "something in it took the kernel down")]
    (course / ".minigrad" / f"running-{ID}-{os.getppid()}").write_text('{"cell": "test_double", "limit": 30}\n')
    assert Progress(course).left_by_dead_kernels(ID) == []
