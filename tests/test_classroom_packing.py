"""The files packed and written around a class: nothing of the instructor's own, and nothing that others may read."""

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from classroom_course import EXERCISE, RIGHT, cell, in_one_process, make_course, submission  # noqa: F401

from minigrad_class import csv_tables, packing
from minigrad_course import cli
from minigrad_course.grading import untouched, whole_files
from minigrad_course.grading.cells import GradingError
from minigrad_course.project.engine_states import state

ROOT = Path(__file__).resolve().parents[1]
SECRET = "a line of the instructor's own"
FRAME, ENGINE = Path("project/mine.py"), Path("sources/project/engine.py")


def git(folder, *words):
    who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def output(text):
    return {"output_type": "stream", "name": "stdout", "text": [text]}


def worked_in(folder, with_git):
    """A course whose instructor solved an exercise, ran a lesson, wrote an engine, and left notes lying about."""
    course = make_course(folder).course
    for name in ("notebooks/02_dual_numbers.ipynb", "sources/lessons/02_dual_numbers.py", str(FRAME), str(ENGINE)):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, course / name)
    (course / "README.md").write_text("the course")
    if with_git:
        git(course, "init", "-q")
        git(course, "add", ".")
        git(course, "commit", "-qm", "the course")
    handed_out = {place: (course / place).read_bytes() for place in own_places(course)}
    solved = json.loads(handed_out[Path(f"exercises/{EXERCISE}/{EXERCISE}.ipynb")])
    cell(solved, "double")["source"] = f"{RIGHT['double']}  # {SECRET}"
    solved["cells"].append({"cell_type": "markdown", "id": "note", "metadata": {}, "source": [SECRET]})
    (course / "exercises" / EXERCISE / f"{EXERCISE}.ipynb").write_text(json.dumps(solved))
    lesson = json.loads(handed_out[Path("notebooks/02_dual_numbers.ipynb")])
    code = next(c for c in lesson["cells"] if c["cell_type"] == "code" and not c["metadata"])
    code.update(outputs=[output(SECRET)], execution_count=7, metadata={"execution": {"iopub": SECRET}})
    (course / "notebooks" / "02_dual_numbers.ipynb").write_text(json.dumps(lesson))
    (course / FRAME).write_text(state((ROOT / ENGINE).read_text(), 8) + f"\n# {SECRET}\n")
    left = [f"exercises/{EXERCISE}/{EXERCISE} copy.ipynb", f"exercises/{EXERCISE}/feedback.html", "project.csv"]
    left += ["project/mine_2026-11-25_101010.py", "project/mine.html", "notebooks/Untitled.ipynb", "handed-in/ann.py"]
    left += ["notebooks/02_dual_numbers.mine.ipynb", f"exercises/{EXERCISE}/.ipynb_checkpoints/x-checkpoint.ipynb"]
    for name in left:
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text(json.dumps({"cells": [], "metadata": {}, "own": SECRET}))
    return course, handed_out


def own_places(course):
    paths = [path for folder in untouched.WORKED_IN for path in (course / folder).rglob("*") if path.is_file()]
    return sorted(path.relative_to(course) for path in paths)


@pytest.mark.parametrize("with_git", [True, False])
@pytest.mark.parametrize("target", ["course.zip", "hub/course"])
def test_nothing_of_the_instructors_own_is_handed_out(tmp_path, with_git, target):
    if with_git and not shutil.which("git"):
        pytest.skip("no git")
    course, handed_out = worked_in(tmp_path / "course", with_git)
    _, others = packing.course(course, tmp_path / target)
    if target.endswith(".zip"):
        with zipfile.ZipFile(tmp_path / target) as archive:
            packed = {Path(n).relative_to("minigrad"): archive.read(n) for n in archive.namelist()}
    else:
        packed = {p.relative_to(tmp_path / target): p.read_bytes() for p in (tmp_path / target).rglob("*.*")}
        packed = {place: data for place, data in packed.items() if (tmp_path / target / place).is_file()}
    assert not [place for place, data in packed.items() if SECRET.encode() in data]
    assert packed == {**handed_out, Path("README.md"): b"the course"}
    solved = {f"exercises/{EXERCISE}/{EXERCISE}.ipynb", "notebooks/02_dual_numbers.ipynb", str(FRAME)}
    assert solved <= set(others)
    assert all(name in packing.sentence(others) for name in solved)


@pytest.mark.parametrize("with_git", [True, False])
def test_nothing_of_the_instructors_own_is_released(tmp_path, with_git):
    course, handed_out = worked_in(tmp_path / "course", with_git)
    assignment, place = packing.Assignment.load("01", course), Path("exercises", EXERCISE, f"{EXERCISE}.ipynb")
    with pytest.raises(GradingError, match="holds somebody's answers"):
        packing.pack(assignment, tmp_path / "grading")
    ran = json.loads(handed_out[place])
    ran["cells"].append({"cell_type": "markdown", "id": "note", "metadata": {}, "source": [SECRET]})
    (course / place).write_text(json.dumps(ran))
    archive, others = packing.pack(assignment, tmp_path / "grading")
    assert str(place) in others
    with zipfile.ZipFile(archive) as packed:
        content = {Path("exercises") / name: packed.read(name) for name in packed.namelist()}
    assert content == {place: data for place, data in handed_out.items() if place.parts[0] == "exercises"}


def test_without_solutions_answers_are_refused(tmp_path):
    course, _ = worked_in(tmp_path / "course", False)
    shutil.rmtree(course / "solutions")
    with pytest.raises(GradingError, match="not as it was built"):
        packing.course(course, tmp_path / "course.zip")
    place = Path("exercises", EXERCISE, f"{EXERCISE}.ipynb")
    (course / place).unlink()
    shutil.rmtree(course / "sources")
    with pytest.raises(GradingError, match="somebody's own engine"):
        packing.course(course, tmp_path / "course.zip")


def test_builds_refuse_what_is_somebodys_own(tmp_path):
    pytest.importorskip("hatchling", reason="the build tool is not installed")
    course, _ = worked_in(tmp_path / "course", False)
    for name in ("pyproject.toml", "LICENSE", "tools/course_in_wheel.py"):
        (course / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, course / name)
    for name in ("minigrad", "minigrad_course"):
        shutil.copytree(ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__"))
    for target in ("wheel", "sdist"):
        build = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(tmp_path / "dist")]
        done = subprocess.run(build, cwd=course, capture_output=True, text=True)
        assert done.returncode != 0
        assert f"exercises/{EXERCISE}/{EXERCISE}.ipynb" in done.stderr
    for place in ("exercises", "notebooks", "project"):
        shutil.rmtree(course / place)
    (course / "project.csv").write_text(SECRET)
    done = subprocess.run(build, cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not list((tmp_path / "dist").glob("*.whl"))
    words = ["tar", "tzf", str(next((tmp_path / "dist").glob("*.tar.gz")))]
    names = subprocess.run(words, capture_output=True, text=True).stdout
    assert "minigrad_course/cli.py" in names
    assert not {"project.csv", "ann.py"} & {Path(name).name for name in names.split()}


# Nobody else on the machine reads it.


def open_to_others(folder):
    return [str(path) for path in [folder, *folder.rglob("*")] if path.stat().st_mode & 0o077]


@pytest.mark.slow
@pytest.mark.usefixtures("in_one_process")
def test_everything_of_a_class_is_private(tmp_path, capsys):
    course = make_course(tmp_path / "course")
    heap, grading = tmp_path / "heap", tmp_path / "grading"
    heap.mkdir()
    (heap / "ann.ipynb").write_text(json.dumps(submission(course)))
    (tmp_path / "class.csv").write_text("id\nann\nbob\n")
    grading.mkdir(mode=0o755)
    before = os.umask(0o022)
    where = os.getcwd()
    try:
        os.chdir(course.course)
        common = ["--folder", str(grading)]
        assert cli.main(["class", "collect", "01", str(heap), "--roster", str(tmp_path / "class.csv"), *common]) == 0
        assert cli.main(["class", "grade", "01", "--no-sandbox", *common]) == 0
        assert cli.main(["class", "release", "01", "--no-sandbox", *common]) in (0, 1)
    finally:
        os.chdir(where)
        os.umask(before)
    assert (grading / "submitted").is_dir()
    assert list((grading / "results").rglob("*.json"))
    assert open_to_others(grading) == []


def test_a_folder_that_others_could_read_is_closed(tmp_path):
    before = os.umask(0o022)
    try:
        (tmp_path / "grading").mkdir(mode=0o777)
        whole_files.private(tmp_path / "grading")
        (tmp_path / "grading" / "later.db").write_text("by a library")
    finally:
        os.umask(before)
    assert open_to_others(tmp_path / "grading") == []


# Tables that a spreadsheet opens.

FORMULAS = [
    "=1+HYPERLINK(A1)",
    "+1+cmd",
    "-2+3+cmd",
    "@SUM(A1)",
    "=HYPERLINK(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "＝1",
    "-x",
    "+",
]


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("around", ["{}", "a;{}", 'a;"{}', "a; {}"])
def test_no_field_of_any_table_is_a_formula(tmp_path, text, around):
    csv_tables.write(tmp_path / "table.csv", [["file", around.format(text), 1], [around.format(text)] * 3])
    data = (tmp_path / "table.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    for delimiter in ",;":
        for row in csv.reader(data.decode("utf-8-sig").splitlines(), delimiter=delimiter):
            for field in row:
                assert not field.lstrip(' "').startswith(("=", "+", "-", "@", "＝", "\t", "\r")), (delimiter, field)
    safe = csv_tables.safe(around.format(text))
    assert csv_tables.safe(safe) == safe, "a table that is read and written again stays as it is"


def test_numbers_stay_and_terminal_codes_go():
    assert csv_tables.safe("a\x1b[2Jb\nc") == "a [2Jb c"
    assert [csv_tables.safe(text) for text in ("-1.5", "3", "+2", "1e-05", "0.5", "ann", "")] == [
        "-1.5", "3", "+2", "1e-05", "0.5", "ann", "",
    ]  # fmt: skip
