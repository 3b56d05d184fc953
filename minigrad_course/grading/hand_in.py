"""`minigrad hand-in 05` hands an exercise in, on a class's hub; with `--feedback` it brings the page back."""

from __future__ import annotations

import argparse
import os
import time
import urllib.error
import urllib.request
from pathlib import Path

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.files import write_whole


def register(commands: argparse._SubParsersAction) -> None:
    """Add `hand-in` to the commands."""
    parser = commands.add_parser("hand-in", help="hand an exercise in, on your class's hub")
    parser.add_argument("exercise", help="05, or its full name")
    parser.add_argument("--feedback", action="store_true", help="bring the feedback, once it is graded")
    parser.add_argument("--anyway", action="store_true", help="hand in what has no answer in it yet, too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Hand in, or fetch the feedback: exit code 0 if that worked, 1 if the hub refuses."""
    from minigrad_course.grading.exercises import find

    place, token = os.environ.get("MINIGRAD_HAND_IN", ""), os.environ.get("JUPYTERHUB_API_TOKEN", "")
    if not place or not token:
        raise GradingError(
            "nobody collects here: hand-in works on a class's hub. Elsewhere, send the notebook as you were told to"
        )
    exercise = find([arguments.exercise])[0]
    url, data = f"{place.rstrip('/')}/{exercise.id}", None
    if not arguments.feedback:
        started = exercise.sheet().is_started(exercise.read())
        saved = _saved(exercise.notebook)
        data = exercise.notebook.read_bytes()
        if not started and not arguments.anyway:
            print(
                f"Not done: there is no answer in {exercise.notebook.name}, {saved}. Save it (Ctrl-S) and hand it in "
                f"then. As it is: minigrad hand-in {arguments.exercise} --anyway"
            )
            return 1
    method = "GET" if arguments.feedback else "PUT"
    request = urllib.request.Request(url, data, {"Authorization": f"token {token}"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            reply = answer.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        print(f"Not done: {error.read().decode('utf-8', 'replace')[:500]}")
        return 1
    except OSError as error:
        raise GradingError(f"the hub's inbox does not answer ({error}): try again, and tell your instructor") from None
    if arguments.feedback:
        page = exercise.notebook.with_name("feedback.html")
        write_whole(page, reply)
        print(f"Your feedback: {page}")
    else:
        print(reply)
        print(f"It is the notebook {saved}. What was written after that is not in it: save (Ctrl-S), hand in again.")
        if not started:
            print("There is no answer in it.")
    return 0


def _saved(notebook: Path) -> str:
    """Say when a notebook was saved: a program sees what is on disk, and not what stands in the browser."""
    moment = notebook.stat().st_mtime
    seconds = max(0, int(time.time() - moment))
    clock = time.strftime("%H:%M:%S" if seconds < 43_200 else "%Y-%m-%d %H:%M", time.localtime(moment))
    age = f"{seconds} s" if seconds < 120 else f"{seconds // 60} min" if seconds < 7_200 else f"{seconds // 3600} h"
    return f"as it was saved {age} ago, at {clock}"
