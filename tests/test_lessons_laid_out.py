"""The course that comes with a package, laid out and opened: nothing is missing, and no answer is overwritten."""

import json
import os
import re
import signal
import sys

import pytest
from test_setup import PYPROJECT

from minigrad_course import cli, lab, lessons
from minigrad_course.grading.exercises import all_exercises, course_folder

EXERCISE = "exercises/05_computational_graph/05_computational_graph.ipynb"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The whole course, laid out once in a folder with a blank and a letter that is not in ASCII."""
    folder = tmp_path_factory.mktemp("ein Kürs") / "my course"
    lessons.lay_out(folder)
    return folder


def test_a_wheel_brings_the_folders():
    wheel = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["hooks"]["custom"]["parts"] == list(lessons.PARTS)


def test_every_part_is_there(course):
    for place in ("exercises/02_dual_numbers/tests.json", "project/mine.py"):
        assert (course / place).read_bytes() == (lessons.AROUND / place).read_bytes()
    assert (course / "minigrad-source/core/rules.py").is_file()
    assert not list(course.rglob("*.part"))
    for path in [*course.rglob("*.ipynb"), *course.rglob("*.md")]:
        for link in re.findall(r"\]\((\.\./[^)\s#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), f"{path}: {link}"
    assert {"02_dual_numbers", "05_computational_graph"} <= {exercise.id for exercise in all_exercises(course)}
    assert course_folder(course / "notebooks") == course


def test_no_folder_holds_an_importable_package(course):
    packages = {path.parent.name for path in course.rglob("__init__.py")}
    assert not packages & {"minigrad", "minigrad_course"}
    assert all("-" in name for name in lessons.SOURCES.values()), "no name that can be imported"


def test_a_newer_course_keeps_what_was_written(tmp_path, monkeypatch, capsys):
    """Of a lesson that was run, one that was written into, one that is gone, an exercise, and an engine."""

    def course(number):
        """All cells of a course in its first or second version."""
        for k, name in enumerate(["run", "written", "same", "old"[: 3 * (number == 1)], "new" * (number == 2)]):
            if name:
                cells = [{"cell_type": "code", "source": [f"{name} {number if k < 2 else 1}"], "outputs": []}]
                path = tmp_path / str(number) / f"{name}.ipynb"
                path.parent.mkdir(exist_ok=True)
                path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
                yield path, lessons.Path("notebooks", path.name)
        (tmp_path / str(number) / "mine.py").write_text(f"# version {number}", encoding="utf-8")
        yield tmp_path / str(number) / "mine.py", lessons.Path(lessons.OWN)

    folder = tmp_path / "course"
    notebook = {name: folder / "notebooks" / f"{name}.ipynb" for name in ("run", "written", "same", "old", "new")}
    monkeypatch.setattr(lessons, "files", lambda: course(1))
    assert lessons.lay_out(folder) == (5, [])
    notebook["run"].write_text(
        notebook["run"].read_text(encoding="utf-8").replace('"outputs": []', '"outputs": [1]'), encoding="utf-8"
    )
    for name in ("written", "same"):
        notebook[name].write_text(
            notebook[name].read_text(encoding="utf-8").replace(name, f"my answer to {name}"), encoding="utf-8"
        )
    (folder / lessons.OWN).write_text("my engine", encoding="utf-8")
    assert lessons.lay_out(folder) == (0, []), "the same course changes nothing"
    assert "[1]" in notebook["run"].read_text(encoding="utf-8")
    monkeypatch.setattr(lessons, "files", lambda: course(2))
    for _ in range(2):
        cli.main(["lessons", str(folder)])
    printed = capsys.readouterr().out
    assert printed.count("notebooks/written.mine.ipynb is yours") == 1
    assert "run 2" in notebook["run"].read_text(encoding="utf-8")
    assert "written 2" in notebook["written"].read_text(encoding="utf-8")
    assert "my answer to written" in notebook["written"].with_suffix(".mine.ipynb").read_text(encoding="utf-8")
    assert "my answer to same" in notebook["same"].read_text(encoding="utf-8")
    assert (folder / lessons.OWN).read_text(encoding="utf-8") == "my engine"
    assert (notebook["new"].exists(), notebook["old"].exists()) == (True, False)
    (folder / lessons.RECORD).unlink()
    assert lessons.lay_out(folder)[1] == ["notebooks/same.mine.ipynb"], "unknown versions are the learner's"


@pytest.mark.parametrize("command", ["lessons", "lab"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys, command):
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert cli.main([command, str(tmp_path / "file" / "course")]) == 2
    error = capsys.readouterr().err
    assert str(tmp_path / "file") in error
    assert "can write to: minigrad lab FOLDER" in error


def test_a_clone_is_opened_as_it_is(capsys):
    assert lessons.bring(lessons.AROUND) == lessons.AROUND
    assert not (lessons.AROUND / lessons.RECORD).exists()
    with pytest.raises(SystemExit):
        cli.main(["doctor", "--port=9000"])
    assert "unrecognized arguments: --port=9000" in capsys.readouterr().err


@pytest.mark.parametrize("screen", [True, False])
def test_the_lab_opens_a_browser(monkeypatch, tmp_path, capsys, screen):
    """A stand-in for JupyterLab, which notes how it was called and ends."""
    (tmp_path / "jupyterlab.py").write_text("import sys; print(*sys.argv[1:])", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    start, begun = lab.subprocess.Popen, []
    monkeypatch.setattr(
        lab.subprocess, "Popen", lambda words, **how: begun.append(words) or ("prepare" in words or start(words, **how))
    )
    for name in ("SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"PYTHONPATH": tmp_path, "JUPYTER_RUNTIME_DIR": tmp_path, "SHELL": "/bin/zsh"}.items():
        monkeypatch.setenv(name, str(value))
    if screen:
        monkeypatch.setenv("DISPLAY", ":0")
    assert cli.main(["lab", str(lessons.AROUND), "--port", "9000", "--ServerApp.x=1"]) == 2
    words = capsys.readouterr().err
    assert "did not start" in words
    assert ("--no-browser" not in words) is screen
    assert ("--allow-root" in words) is (hasattr(lab.os, "geteuid") and os.geteuid() == 0)
    assert "--port=9000" in words
    assert "--ServerApp.x=1" in words
    assert ("{'shell_command': ['/bin/zsh']}" in words) is (lab.os.name == "posix"), "a terminal keeps the PATH"
    assert "token" not in words, "the token stays as JupyterLab makes it"
    assert len(begun) == 2
