"""The course, copied out: nothing is missing, nothing of the learner's is overwritten."""

import os

import pytest
from test_setup import PYPROJECT

from minigrad_course import cli, lessons


def test_a_wheel_brings_the_folders_that_are_copied_out():
    wheel = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["hooks"]["custom"]["parts"] == list(lessons.PARTS)


def test_every_lesson_exercise_and_source_file_is_copied(tmp_path, capsys):
    assert cli.main(["lessons", str(tmp_path / "my course")]) == 0
    printed = capsys.readouterr().out
    root = tmp_path / "my course"
    for place in (
        "notebooks/00_start.ipynb",
        "exercises/02_dual_numbers/02_dual_numbers.ipynb",
        "minigrad/core/rules.py",
    ):
        assert (root / place).read_bytes() == (lessons.AROUND / place).read_bytes()
    assert "00_start.ipynb" in printed
    assert not list(root.rglob("*.part"))


def test_what_the_learner_wrote_is_kept(tmp_path, capsys):
    lessons.lay_out(tmp_path)
    ours, gone = tmp_path / "notebooks" / "00_start.ipynb", tmp_path / "notebooks" / "02_dual_numbers.ipynb"
    ours.write_text("mine")
    gone.unlink()
    assert lessons.lay_out(tmp_path) == (1, 1)
    assert ours.read_text() == "mine"
    assert gone.exists()
    cli.main(["lessons", str(tmp_path)])
    assert "left alone" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs a Unix")
def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert cli.main(["lessons", str(tmp_path / "file" / "course")]) == 2
    printed = capsys.readouterr().out
    assert "file/course" in printed
    assert "can write to" in printed


def test_exercises_are_found_in_the_copy(tmp_path, monkeypatch):
    from minigrad_course.grading.exercises import all_exercises, course_folder

    lessons.lay_out(tmp_path)
    monkeypatch.chdir(tmp_path / "notebooks")
    assert course_folder() == tmp_path.resolve()
    assert {"02_dual_numbers", "05_computational_graph"} <= {exercise.id for exercise in all_exercises(tmp_path)}
