"""Use the course as somebody who has installed its package: PYTHON tools/stranger.py FOLDER, with that Python.

`minigrad lab` lays the course out in FOLDER and serves it; the first cell of lesson 00 runs in a kernel of the server;
an exercise is opened, solved with its solution, saved and graded. Prints the seconds of each; the status is 1 if one
does not work.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import uuid
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

LESSON, EXERCISE = "notebooks/00_start.ipynb", "02_dual_numbers"
GRADED = f"exercises/{EXERCISE}/{EXERCISE}.ipynb"
start = time.perf_counter()


def said(what: str) -> None:
    print(f"{time.perf_counter() - start:6.1f} s  {what}", flush=True)


def minigrad(*words: str) -> list[str]:
    return [sys.executable, "-m", "minigrad_course.cli", *words]


class Server:
    """The server behind the address that `minigrad lab` prints, by its API."""

    def __init__(self, url: str) -> None:
        address, _, self.token = url.partition("?token=")
        self.address = address.partition("/lab/")[0]

    def ask(self, path: str, data: dict | None = None, method: str = "") -> dict:
        body, head = json.dumps(data).encode() if data else None, {"Authorization": f"token {self.token}"}
        request = Request(f"{self.address}/api/{path}", body, head, method=method or ("POST" if data else "GET"))
        with build_opener(ProxyHandler({})).open(request, timeout=60) as reply:
            return json.load(reply)

    def run(self, path: str, source: str) -> str:
        """Run a cell in the kernel of a notebook, and return what it prints; an error is an AssertionError."""
        import websocket  # which JupyterLab's server brings

        session = {"path": path, "type": "notebook", "name": "", "kernel": {"name": "python3"}}
        kernel, number = self.ask("sessions", session)["kernel"]["id"], uuid.uuid4().hex
        place = f"{self.address.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels?token={self.token}"
        socket, printed = websocket.create_connection(place, timeout=120), ""
        header = {"msg_id": number, "msg_type": "execute_request", "username": "", "session": number, "version": "5.4"}
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        request = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        socket.send(json.dumps({**request, "channel": "shell", "buffers": []}))
        while True:
            message = json.loads(socket.recv())
            if message["parent_header"].get("msg_id") == number:
                printed += message["content"].get("text", "") if message["msg_type"] == "stream" else ""
                assert message["msg_type"] != "error", message["content"]
                if message["msg_type"] == "execute_reply":
                    socket.close()
                    return printed


def main(folder: Path) -> None:
    words = minigrad("lab", str(folder), "--no-browser", "--allow-root")
    lab = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
    try:
        url = next(match[0] for line in lab.stdout if (match := re.search(r"http://\S+", line)))
        said(f"minigrad lab answers at {url.partition('?')[0]}")
        server = Server(url)
        names = {item["name"] for item in server.ask("contents/")["content"]}
        assert {"notebooks", "exercises", "project"} <= names, names
        lesson = server.ask(f"contents/{LESSON}")["content"]
        said("lesson 00 is served, exercises and project beside it")
        first = next(cell for cell in lesson["cells"] if cell["cell_type"] == "code")
        server.run(LESSON, first["source"])
        said("its first cell has run")
        where = server.run(LESSON, "import minigrad; print(minigrad.__file__)")
        assert not Path(where.strip()).is_relative_to(folder), f"a copy of the package was imported: {where}"
        exercise = server.ask(f"contents/{GRADED}")["content"]
        answers = server.ask(f"contents/solutions/{EXERCISE}/{EXERCISE}.ipynb")["content"]["cells"]
        for cell, answer in zip(exercise["cells"], answers, strict=True):
            cell["source"] = (
                answer["source"] if cell["metadata"].get("nbgrader", {}).get("solution") else cell["source"]
            )
        server.ask(f"contents/{GRADED}", {"type": "notebook", "format": "json", "content": exercise}, "PUT")
        said("an exercise is opened, solved and saved")
    finally:
        lab.terminate()
        lab.wait(60)
    done = subprocess.run(minigrad("grade", "02"), cwd=folder, capture_output=True, text=True, encoding="utf-8")
    points = re.search(r"total +(\d+) / (\d+)", done.stdout)
    assert points is not None, done.stdout + done.stderr
    assert points[1] == points[2] != "0", done.stdout
    assert "edited" not in done.stdout, done.stdout
    said(f"it is graded: {points[1]} points of {points[2]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
