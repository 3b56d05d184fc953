"""`make update`: the newest course arrives, and what somebody wrote is kept. With real repositories, offline."""

import json
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder, *words):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def notebook(path, *cells, outputs=()):
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [{"cell_type": "code", "source": [cell], "outputs": list(outputs)} for cell in cells]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """(tools/update.py at work in a learner's clone, the author's repository, the clone)."""
    author, ours = tmp_path / "author", tmp_path / "mine"
    for name in ("lesson", "exercise", "other"):
        notebook(author / "notebooks" / f"{name}.ipynb", "1 + 1")
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(author))
    git(author, "add", ".")
    git(author, "commit", "--quiet", "-m", "first")
    git(tmp_path, "clone", "--quiet", str(author), str(ours))
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    for name in ("setup", "update"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import update

    monkeypatch.setattr(update, "ROOT", ours)
    monkeypatch.setattr(update, "VENV", ours / ".venv")
    yield update, author / "notebooks", ours / "notebooks"
    for name in ("setup", "update"):
        sys.modules.pop(name, None)


def publish(author):
    for name in ("lesson", "exercise"):
        notebook(author / f"{name}.ipynb", "2 + 2")
    git(author, "commit", "--quiet", "--all", "-m", "second")


def test_what_was_only_run_makes_way(course, capsys):
    update, author, ours = course
    publish(author)
    notebook(ours / "lesson.ipynb", "1 + 1", outputs=["2"])
    notebook(ours / "exercise.ipynb", "my answer")
    notebook(ours / "exercise.mine.ipynb", "an older answer")
    notebook(ours / "other.ipynb", "untouched by the author")
    update.update([])
    printed = capsys.readouterr().out
    assert "exercise.mine-2.ipynb" in printed
    assert "lesson" not in printed
    for name in ("lesson", "exercise"):
        assert (ours / f"{name}.ipynb").read_bytes() == (author / f"{name}.ipynb").read_bytes()
    assert "my answer" in (ours / "exercise.mine-2.ipynb").read_text()
    assert "an older answer" in (ours / "exercise.mine.ipynb").read_text()
    assert "untouched" in (ours / "other.ipynb").read_text()
    assert not (ours / "lesson.mine.ipynb").exists()
    update.update([])
    assert "newest already" in capsys.readouterr().out


class Answers(BaseHTTPRequestHandler):
    """As much of a JupyterLab as is asked."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()


@pytest.mark.parametrize("name", ["127.0.0.1", "unknown.invalid", "no name"])
def test_a_notebook_that_is_open_is_not_replaced(course, name):
    """Even where the server's name is one that this machine cannot look up."""
    update, author, ours = course
    publish(author)
    runtime = ours.parent / ".venv" / "runtime"
    runtime.mkdir(parents=True)
    with HTTPServer(("127.0.0.1", 0), Answers) as lab:
        threading.Thread(target=lab.serve_forever, daemon=True).start()
        address = {"url": f"http://{name}:{lab.server_port}/"}
        (runtime / "jpserver-1.json").write_text(json.dumps(address))
        with pytest.raises(update.SetupError, match="The course is open"):
            update.update([])
        lab.shutdown()
    update.update([])  # its file is still there, and nobody answers
    assert not update.is_open()


def test_nothing_is_moved_in_a_clone(course):
    update, author, ours = course
    publish(author)
    notebook(ours / "mine.ipynb", "a commit of my own")
    git(ours, "add", ".")
    git(ours, "commit", "--quiet", "-m", "mine")
    notebook(ours / "exercise.ipynb", "my answer")
    with pytest.raises(update.SetupError, match=r"commits of its own \(1\)"):
        update.update([])
    assert "my answer" in (ours / "exercise.ipynb").read_text()


def test_what_git_cannot_do_is_quoted(course):
    update, author, ours = course
    publish(author)
    notebook(ours / "new.ipynb", "mine, and unknown to git")
    notebook(author / "new.ipynb", "theirs")
    git(author, "add", ".")
    git(author, "commit", "--quiet", "-m", "third")
    with pytest.raises(update.SetupError, match=r"(?s)merge did not go through.*new.ipynb"):
        update.update([])
    assert "mine" in (ours / "new.ipynb").read_text()
    shutil.rmtree(ours.parent / ".git")
    with pytest.raises(update.SetupError, match="no clone made by git"):
        update.update([])
