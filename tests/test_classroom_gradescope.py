"""Gradescope's autograder: the zip has what their container asks for, and results.json what they document.

It was tried in a Debian root with their folders (/autograder/source, submission, results), not with Gradescope itself.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from classroom_course import EXERCISE, make_course, submission

from minigrad_class import gradescope, sandbox
from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation import processes

pytestmark = pytest.mark.slow

# https://gradescope-autograders.readthedocs.io/en/latest/specs/ : names, types, and the words that a field may have
FIELDS = {
    "score": float, "execution_time": float, "output": str, "output_format": str, "test_output_format": str,
    "test_name_format": str, "visibility": str, "stdout_visibility": str, "extra_data": dict, "tests": list,
    "leaderboard": list,
}  # fmt: skip
TEST_FIELDS = {
    "score": float, "max_score": float, "status": str, "name": str, "name_format": str, "number": str, "output": str,
    "output_format": str, "tags": list, "visibility": str, "extra_data": dict,
}  # fmt: skip
WORDS = {
    "visibility": {"hidden", "after_due_date", "after_published", "visible"},
    "stdout_visibility": {"hidden", "after_due_date", "after_published", "visible"},
    "output_format": {"text", "html", "simple_format", "md", "ansi"},
    "status": {"passed", "failed"},
}


def check_schema(report):
    for fields, one in ((FIELDS, report), *((TEST_FIELDS, test) for test in report.get("tests", ()))):
        for name, value in one.items():
            kind = (int, float) if fields[name] is float else fields[name]
            assert isinstance(value, kind), (name, value)
            assert name not in WORDS or value in WORDS[name], (name, value)
    assert "score" in report or report["tests"], "one of the two must be there"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The container's folders after its build: /autograder with the zip in source."""
    root = tmp_path_factory.mktemp("autograder")
    assignment = make_course(tmp_path_factory.mktemp("course"))
    gradescope.pack(assignment, root / "autograder.zip")
    with zipfile.ZipFile(root / "autograder.zip") as archive:
        archive.extractall(root / "source")
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
    return root, assignment, modes


def graded(unpacked, files, **options):
    """Grade what is handed in, as run_autograder does; its status and results."""
    root, _, _ = unpacked
    handed_in, report = root / "submission", root / "results" / "results.json"
    subprocess.run(["rm", "-rf", handed_in, report], check=True)
    for name, data in files.items():
        (handed_in / name).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / name).write_text(data, encoding="utf-8")
    handed_in.mkdir(exist_ok=True)
    trusted = ["--no-sandbox"] if sandbox.missing() and not sandbox.another_user() else []
    status = gradescope.main([str(root), *trusted, *(f"--{name}={value}" for name, value in options.items())])
    if not report.exists():
        return status, None
    made = json.loads(report.read_text(encoding="utf-8"))
    check_schema(made)
    return status, made


def book(unpacked, **answers):
    return json.dumps(submission(unpacked[1], **answers))


def test_the_zip_has_what_the_container_asks_for(unpacked):
    root, assignment, modes = unpacked
    source = root / "source"
    for name in ("setup.sh", "run_autograder"):
        assert modes[name] == 0o755
        subprocess.run(["bash", "-n", source / name], check=True)
    assert (source / "course" / "solutions" / assignment.id / f"{assignment.id}.ipynb").exists()
    assert not [*source.rglob("__pycache__"), *source.rglob("course_files")]
    wanted = (source / "requirements.txt").read_text().split()
    assert {"numba", "numpy", "nbformat", "matplotlib"} <= {
        line.partition("==")[0].partition(">=")[0] for line in wanted
    }
    again = root / "again.zip"
    gradescope.pack(assignment, again)
    assert again.read_bytes() == (root / "autograder.zip").read_bytes(), "the same files make the same zip"
    lines = "import minigrad_class.gradescope, minigrad; print(minigrad.__file__)"
    environment = {"PYTHONPATH": str(source / "packages"), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", lines], env=environment, cwd="/", capture_output=True, text=True)
    assert done.stdout.startswith(str(source / "packages")), done.stderr


def test_all_points_and_some(unpacked):
    of = unpacked[1].of
    status, report = graded(unpacked, {f"{EXERCISE}.ipynb": book(unpacked)})
    assert (status, report["score"]) == (0, of)
    assert {test["status"] for test in report["tests"]} == {"passed"}
    status, report = graded(
        unpacked, {"my folder/copy (1).ipynb": book(unpacked, double="def double(x):\n    return x")}
    )
    (failed,) = (test for test in report["tests"] if test["status"] == "failed")
    assert failed["name"] == "test_double"
    assert "Stuck? Twice three is six." in failed["output"] or "6" in failed["output"]
    assert report["score"] == of - failed["max_score"]


def test_a_hidden_check_hides_its_expectation(unpacked):
    wrong = "def double(x):\n    return abs(2 * x)"
    _, report = graded(unpacked, {f"{EXERCISE}.ipynb": book(unpacked, double=wrong)})
    (failed,) = (test for test in report["tests"] if test["status"] == "failed")
    assert "hidden check" in failed["output"]
    assert "2.5" not in failed["output"]


OTHER = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "No notebook was handed in: upload 01_doubling.ipynb."),
        ({"a.ipynb": None, "b.ipynb": None}, "Several notebooks of 01_doubling were handed in: a.ipynb, b.ipynb."),
        ({".ipynb_checkpoints/a.ipynb": None}, "No notebook was handed in"),
        ({"other.ipynb": OTHER}, "This is no notebook of 01_doubling: other.ipynb."),
        ({f"{EXERCISE}.ipynb": "{"}, ""),
    ],
)
def test_an_ungraded_submission_tells_the_student_why(unpacked, files, sentence):
    """None: a right notebook."""
    status, report = graded(unpacked, {name: text or book(unpacked) for name, text in files.items()})
    assert (status, report["score"]) == (0, 0)
    assert report["output"]
    assert sentence in report["output"]


def test_what_is_not_graded_has_no_results(unpacked, capsys):
    endless = "def double(x):\n    while True:\n        pass"
    status, report = graded(unpacked, {f"{EXERCISE}.ipynb": book(unpacked, double=endless)}, limit=3, total=3)
    assert (status, report) == (1, None)
    assert "not graded" in capsys.readouterr().err


def test_where_nothing_hides_the_solutions_nothing_is_graded(unpacked, monkeypatch, capsys):
    root, _, _ = unpacked
    monkeypatch.setattr(sandbox, "missing", lambda: "bubblewrap is not installed")
    monkeypatch.setattr(sandbox, "another_user", lambda: None)
    (root / "results" / "results.json").unlink(missing_ok=True)
    assert gradescope.main([str(root)]) == 1
    assert not (root / "results" / "results.json").exists()
    error = capsys.readouterr().err
    assert "bubblewrap is not installed" in error
    assert "as root" in error


def test_a_fault_of_the_grader_gives_no_results(unpacked, monkeypatch, capsys):
    def no_start(*_, **__):
        raise GradingError("no process could be started")

    monkeypatch.setattr(gradescope, "grade_job", no_start)
    assert graded(unpacked, {f"{EXERCISE}.ipynb": book(unpacked)}) == (1, None)
    assert "no process could be started" in capsys.readouterr().err


# Without a sandbox, as root --------------------------------------------------------------------------------------

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def as_root(monkeypatch, tmp_path):
    """Give sandbox.py a Python that everybody may run; ours may lie in root's own folder."""
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nexit 0\n")
    script.chmod(0o755)
    for folder in (tmp_path, *list(tmp_path.parents)[:3]):
        if folder != Path("/tmp") and Path("/tmp") in folder.parents:
            folder.chmod(0o755)
    monkeypatch.setattr(sandbox.sys, "executable", str(script))
    sandbox.another_user.cache_clear()


@pytest.mark.skipif(not IS_ROOT, reason="only root can start programs as somebody else")
def test_root_has_another_user_for_submissions(monkeypatch, tmp_path):
    as_root(monkeypatch, tmp_path)
    user = sandbox.another_user()
    sandbox.another_user.cache_clear()
    assert user >= sandbox.FIRST_USER
    left = subprocess.Popen(["sleep", "1000"], user=user, group=user, extra_groups=(), start_new_session=True)
    processes.end_all_of(user)
    assert left.wait(10) == -9


@pytest.mark.skipif(not IS_ROOT, reason="only root can start programs as somebody else")
def test_a_private_python_runs_as_before(monkeypatch, tmp_path):
    (tmp_path / "python").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "python").chmod(0o700)
    monkeypatch.setattr(sandbox.sys, "executable", str(tmp_path / "python"))
    sandbox.another_user.cache_clear()
    assert sandbox.another_user() is None
    sandbox.another_user.cache_clear()
