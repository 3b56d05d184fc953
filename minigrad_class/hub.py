"""A class on a JupyterHub: the service that takes what students hand in, and a look at what their servers can read.

    python -m minigrad_class.hub FOLDER        the service (deploy/jupyterhub_config.py)

Who hands in is what the hub says of the token that comes along, never what stands in a file or a request. The service
runs nothing of what it takes: the instructor collects its folder and grades it as any other heap.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from minigrad_class import times
from minigrad_class.heap import MOST_BYTES, too_large
from minigrad_class.names import slug
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.files import private, write_whole

MOST_KEPT = 20  # earlier versions of one student's notebook


class Inbox(BaseHTTPRequestHandler):
    """PUT /<exercise> hands a notebook in; GET /<exercise> gives its sender's feedback, once there is any."""

    folder: Path  # of the class, as in `minigrad class --folder`
    hub: str  # where the hub answers
    protocol_version = "HTTP/1.1"
    timeout = 30  # seconds that somebody may take to send

    def do_PUT(self) -> None:
        who_and_what = self._asked()
        if who_and_what is None:
            return
        user, exercise = who_and_what
        size = int(self.headers.get("Content-Length") or 0)
        if not 0 < size <= MOST_BYTES:
            self._say(413, too_large(size))
            return
        data = self.rfile.read(size)
        target = self.folder / "inbox" / exercise / user / f"{exercise}.ipynb"
        same = target.is_file() and target.read_bytes() == data
        if target.exists() and not same:
            earlier = self.folder / "earlier" / exercise / user
            earlier.mkdir(parents=True, exist_ok=True)
            target.replace(earlier / f"{time.time_ns()}.ipynb")
            for old in sorted(earlier.iterdir())[:-MOST_KEPT]:
                old.unlink()
        if not same:  # the same once more: it was handed in when it was first handed in
            write_whole(target, data)
        receipt, moment = hashlib.sha256(data).hexdigest()[:12], times.of_seconds(target.stat().st_mtime)
        late = times.late(moment, times.due(self.folder, exercise))
        when = f"{moment.replace('T', ' ')}{f', {late} late' if late else ''}"
        self._say(200, f"{exercise} of {user} is handed in: {len(data):,} bytes, {when}, receipt {receipt}")

    def do_GET(self) -> None:
        who_and_what = self._asked()
        if who_and_what is None:
            return
        user, exercise = who_and_what
        page = self.folder / "feedback" / user / f"{exercise}.html"
        if page.is_file():
            self._say(200, page.read_text(encoding="utf-8"), "text/html")
        elif (self.folder / "inbox" / exercise / user).exists():
            self._say(404, "handed in, and not graded yet")
        else:
            self._say(404, "nothing was handed in")

    def _asked(self) -> tuple[str, str] | None:
        """Return the user of a request, and the exercise."""
        exercise = urlsplit(self.path).path.rstrip("/").rpartition("/")[2]
        if not re.fullmatch(r"[\w-]{1,64}", exercise):
            self._say(404, "no exercise is called so")
            return None
        user = self._user((self.headers.get("Authorization") or "").removeprefix("token ").strip())
        if not user:
            self._say(403, "the hub does not know who you are: hand in from your own server, or log in anew")
            return None
        return user, exercise

    def _user(self, token: str) -> str:
        """The name that the hub knows the bearer of a token by."""
        if not re.fullmatch(r"[\w.-]{8,200}", token):
            return ""
        request = urllib.request.Request(f"{self.hub}/user", headers={"Authorization": f"token {token}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                user = json.load(answer)
        except (OSError, ValueError):
            return ""
        name = user.get("name", "") if user.get("kind") == "user" else ""
        return name if name and slug([name]) == name else ""

    def _say(self, status: int, text: str, form: str = "text/plain") -> None:
        data = text.encode()
        self.close_connection = status != 200  # what was not read of a request that is refused is not read at all
        self.send_response(status)
        self.send_header("Content-Type", f"{form}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)


def serve(folder: Path) -> None:
    """Be the service, where the hub says."""
    private(folder)
    where = urlsplit(os.environ.get("JUPYTERHUB_SERVICE_URL", "http://127.0.0.1:8765"))
    Inbox.folder, Inbox.hub = folder, os.environ.get("JUPYTERHUB_API_URL", "http://127.0.0.1:8081/hub/api")
    ThreadingHTTPServer((where.hostname or "127.0.0.1", where.port or 8765), Inbox).serve_forever()


def solutions_in_reach(python: str, course: Path) -> list[str]:
    """Folders with solutions that a student's program finds: beside the packages that it imports, or where all users of
    this machine may read. `python`: what students' servers run with; `course`: the copy of the course that they import.

    Raises GradingError where that Python does not have the course.
    """
    ask = "import json, sys, minigrad, minigrad_course; "
    ask += "print(json.dumps([minigrad.__file__, minigrad_course.__file__, sys.prefix, sys.executable, *sys.path]))"
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(course)}
    words = [python, "-B", "-c", ask]
    try:
        done = subprocess.run(words, cwd="/", env=environment, capture_output=True, text=True, timeout=120)
        places = [Path(place).resolve() for place in json.loads(done.stdout) if place]
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise GradingError(
            f"students' servers cannot start: {python} does not import the course in {course} (deploy/README.md)"
        ) from None
    beside = {place.parents[k] for place in places[:2] for k in (0, 1)}
    in_reach = set()
    for folder in {*places, *(parent for place in places for parent in place.parents)}:
        for room in ("solutions", "course_files/solutions", "minigrad_course/course_files/solutions"):
            if any((folder / room).glob("*/*.ipynb")) and (folder in beside or _all_may_read(folder / room)):
                in_reach.add(str(folder / room))
    return sorted(in_reach)


def _all_may_read(folder: Path) -> bool:
    """Tell whether every user of this machine may look into a folder."""
    return folder.stat().st_mode & 0o005 == 0o005 and all(parent.stat().st_mode & 0o001 for parent in folder.parents)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
