"""The hub's two ends, without a hub: an update that keeps answers, and an inbox that asks the hub who somebody is.
(tests/browser/test_hub.py walks through a whole one.)"""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from minigrad_class import heap, hub, packing
from minigrad_course import cli
from minigrad_course.grading import bring, exercises

ROOT = Path(__file__).resolve().parents[1]
TOKENS = {"anns-token-1234": {"kind": "user", "name": "ann"}, "service-token-1": {"kind": "service", "name": "ann"}}
TOKENS |= {"odd-token-12345": {"kind": "user", "name": "../ann"}}


def served(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture
def inbox(tmp_path):
    """The service, beside what stands for a hub; its port and the class's folder."""

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self):
            text = TOKENS.get(self.headers["Authorization"].removeprefix("token "))
            self.send_response(200 if text else 403)
            self.end_headers()
            self.wfile.write(json.dumps(text or {}).encode())

        def log_message(self, *_):
            pass

    behind = served(Hub)

    class Ours(hub.Inbox):
        folder, hub = tmp_path, f"http://127.0.0.1:{behind.server_port}/hub/api"

        def log_message(self, *_):
            pass

    server = served(Ours)
    yield server.server_port, tmp_path
    for one in (server, behind):
        one.shutdown()
        one.server_close()


def ask(port, method, path, token="anns-token-1234", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, {"Authorization": f"token {token}", **headers})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_who_hands_in_is_what_the_hub_says(inbox):
    port, folder = inbox
    status, text = ask(port, "PUT", "/services/hand-in/05_graph", body=b"{}")
    assert (status, "05_graph of ann is handed in" in text) == (200, True)
    ours = folder / "inbox" / "05_graph" / "ann" / "05_graph.ipynb"
    assert ours.read_bytes() == b"{}"
    for token in ("", "nobodys-token-1", "service-token-1", "odd-token-12345", "a\tb", "x" * 500):
        assert ask(port, "PUT", "/05_graph", token, b"[]")[0] == 403, token
    assert ask(port, "PUT", "/..%2f05", body=b"[]")[0] == 404
    assert ask(port, "PUT", "/05_graph", body=b"", **{"Content-Length": str(heap.MOST_BYTES + 1)})[0] == 413
    assert [path.name for path in (folder / "inbox").rglob("*.ipynb")] == ["05_graph.ipynb"]
    assert ours.read_bytes() == b"{}"


def test_what_is_handed_in_again_counts_and_the_earlier_one_is_kept(inbox):
    port, folder = inbox
    for i in range(hub.MOST_KEPT + 3):
        assert ask(port, "PUT", "/05_graph", body=b"%d" % i)[0] == 200
    assert (folder / "inbox" / "05_graph" / "ann" / "05_graph.ipynb").read_bytes() == b"22"
    assert len(list((folder / "earlier" / "05_graph" / "ann").iterdir())) == hub.MOST_KEPT


def test_the_same_once_more_was_handed_in_when_it_first_was_and_late_is_said(inbox):
    port, folder = inbox
    (folder / "due.csv").write_text("exercise,due\n05_graph,2026-11-20 18:00\n")
    ask(port, "PUT", "/05_graph", body=b"{}")
    ours = folder / "inbox" / "05_graph" / "ann" / "05_graph.ipynb"
    moment = time.mktime((2026, 11, 20, 18, 30, 0, 0, 0, -1))
    os.utime(ours, (moment, moment))
    assert ", 2026-11-20 18:30:00, 30 minutes late, receipt " in ask(port, "PUT", "/05_graph", body=b"{}")[1]
    assert ours.stat().st_mtime == moment
    ask(port, "PUT", "/05_graph", body=b"[]")
    assert ours.stat().st_mtime != moment


def test_feedback_is_for_its_owner(inbox):
    port, folder = inbox
    assert ask(port, "GET", "/05_graph") == (404, "nothing was handed in")
    ask(port, "PUT", "/05_graph", body=b"{}")
    assert ask(port, "GET", "/05_graph") == (404, "handed in, and not graded yet")
    for name in ("ann", "bob"):
        (folder / "feedback" / name).mkdir(parents=True)
        (folder / "feedback" / name / "05_graph.html").write_text(f"dear {name}")
    assert ask(port, "GET", "/05_graph") == (200, "dear ann")


def test_the_command_hands_in_and_brings_feedback(inbox, monkeypatch, tmp_path, capsys):
    port, folder = inbox
    course = tmp_path / "course"
    exercise = exercises.find(["01"], ROOT)[0]
    copy = course / "exercises" / exercise.id
    copy.mkdir(parents=True)
    for path in (ROOT / "exercises" / exercise.id).iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(course)
    monkeypatch.delenv("MINIGRAD_HAND_IN", raising=False)
    assert cli.main(["hand-in", "01"]) == 2
    assert "nobody collects here" in capsys.readouterr().err
    monkeypatch.setenv("MINIGRAD_HAND_IN", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "anns-token-1234")
    notebook = copy / f"{exercise.id}.ipynb"
    saved = time.time() - 300
    os.utime(notebook, (saved, saved))
    assert cli.main(["hand-in", "01"]) == 1
    printed = capsys.readouterr().out
    assert f"there is no answer in {exercise.id}.ipynb, as it was saved 5 min ago, at " in printed
    assert not (folder / "inbox").exists()
    assert cli.main(["hand-in", "01", "--anyway"]) == 0
    assert "There is no answer in it." in capsys.readouterr().out
    text = json.loads(notebook.read_text())
    answer = next(c for c in text["cells"] if c["metadata"].get("nbgrader", {}).get("solution"))
    answer["source"] = ["def anything(): pass"]
    notebook.write_text(json.dumps(text))
    os.utime(notebook, (saved, saved))
    assert cli.main(["hand-in", "01"]) == 0
    printed = capsys.readouterr().out
    assert "of ann is handed in" in printed
    assert "as it was saved 5 min ago, at " in printed
    assert "What was written after that is not in it" in printed
    assert "no answer" not in printed
    notebook.write_text("{")
    assert cli.main(["hand-in", "01"]) == 2
    assert "is not a notebook that can be read" in capsys.readouterr().err
    notebook.unlink()
    assert cli.main(["hand-in", "01"]) == 2
    assert "there is no notebook" in capsys.readouterr().err
    assert cli.main(["hand-in", "01", "--feedback"]) == 1
    (folder / "feedback" / "ann").mkdir(parents=True)
    (folder / "feedback" / "ann" / f"{exercise.id}.html").write_text("well done")
    assert cli.main(["hand-in", "01", "--feedback"]) == 0
    assert (copy / "feedback.html").read_text() == "well done"


def test_an_update_brings_what_is_new_and_keeps_what_a_student_wrote(tmp_path):
    course, home = tmp_path / "course", tmp_path / "home"
    for name in ("a.ipynb", "sub/b.ipynb", "c.py"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text("1")
    home.mkdir()
    (home / "c.py").write_text("the student's, from before")
    assert bring.bring(course, home) == (2, 1)
    assert bring.bring(course, home) == (0, 1)
    (home / "a.ipynb").write_text("answers")
    for name in ("a.ipynb", "sub/b.ipynb", "c.py", "d.py"):
        (course / name).write_text("2")
    assert bring.bring(course, home) == (2, 2)
    assert {path.name: path.read_text() for path in home.rglob("*.*") if path.name != bring.RECORD} == {
        "a.ipynb": "answers", "b.ipynb": "2", "c.py": "the student's, from before", "d.py": "2",
    }  # fmt: skip
    (home / bring.RECORD).write_text("damaged")
    assert bring.bring(course, home)[0] == 0


def test_the_course_is_packed_with_git_and_without(tmp_path):
    """The same files either way, and no solutions, hidden tests or sources."""
    packing.course(ROOT, tmp_path / "course.zip")
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        names = {name.removeprefix("minigrad/") for name in archive.namelist()}
    assert {"Makefile", "README.md", "exercises/02_dual_numbers/tests.json", "minigrad_course/cli.py"} <= names
    assert not {name.partition("/")[0] for name in names} & {"solutions", "sources", "tests", ".git", ".venv"}
    plain = tmp_path / "plain"
    for name in names:
        (plain / name).parent.mkdir(parents=True, exist_ok=True)
        (plain / name).write_bytes((ROOT / name).read_bytes())
    (plain / "solutions").mkdir()
    (plain / "solutions" / "secret.ipynb").write_text("### BEGIN SOLUTION")
    (plain / ".venv").mkdir()
    (plain / ".venv" / "x.py").write_text("")
    packing.course(plain, tmp_path / "folder")
    packed = {
        path.relative_to(tmp_path / "folder").as_posix() for path in (tmp_path / "folder").rglob("*") if path.is_file()
    }
    hidden = {
        name for name in names if name.startswith(".") and not name.startswith((".gitignore", ".editorconfig", ".ci"))
    }
    assert packed == names - hidden


def test_a_students_server_starts_with_the_course(tmp_path):
    """By the hub's own command, with something else in the place of the server."""
    course, home, fake = tmp_path / "course", tmp_path / "home", tmp_path / "fake" / "jupyterhub"
    for folder in (course, home, fake):
        folder.mkdir(parents=True)
    (course / "a.txt").write_text("hello")
    (fake / "__init__.py").write_text("")
    (fake / "singleuser.py").write_text("import sys; print('the server', sys.argv[1:])")
    environment = {**os.environ, "PYTHONPATH": f"{fake.parent}{os.pathsep}{ROOT}"}
    words = [sys.executable, "-m", "minigrad_course.grading.bring", str(course), "--port=1"]
    output = subprocess.run(words, cwd=home, env=environment, capture_output=True, text=True)
    assert output.stdout == "The course: 1 files brought, 0 kept as the student has them\nthe server ['--port=1']\n", (
        output.stderr
    )
    assert (home / "a.txt").read_text() == "hello"
