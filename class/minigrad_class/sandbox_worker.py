"""Beside the submission, in the sandbox: runs its cells and sends what it answers to the tests' questions.

Started as `python -m minigrad_class.sandbox_worker IN OUT`, two open pipes. In: one line of JSON with the
limits, then one for each cell. Out: one line for each cell, how it ended and the values that were asked for; before
that a line for each question to a thing outside (outside.py), which is answered by one. The submission shares this
process and can make it say anything; nothing that it says is a point (see split.py).
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
from typing import Any

from IPython.core.async_helpers import get_asyncio_loop

from minigrad_class.plain_values import Unreadable, encode
from minigrad_class.remote_objects import Stand
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.runner import Runner, quiet_shell
from minigrad_course.isolation.processes import die_with_parent, limit_resources, refuse_system_calls

MOST_SAID = 8_000_000  # bytes of one reply


class _Asked(Runner):
    """A runner that does not go on after a check that failed here: the next question would be answered out of turn."""

    def go_on(self, source: str, result: object) -> None:
        """Do nothing."""


def main() -> None:
    requests, replies = os.fdopen(int(sys.argv[1]), "rb"), int(sys.argv[2])
    first = json.loads(requests.readline())
    if os.environ.get("MINIGRAD_SANDBOX") == "on":  # the wall itself ends with the supervisor
        die_with_parent()
    else:
        die_with_parent(first["parent"])
    limit_resources(first["limits"])
    get_asyncio_loop()  # IPython's, for cells that `await`: it holds a pair of sockets, the only one there is
    refuse_system_calls()
    sys.path[0:0] = [os.getcwd()]
    sys.argv = ["notebook"]
    sent_values: list[Any] = []

    def ask(site: int, *values: object) -> None:
        try:
            sent_values.append([site, [encode(value) for value in values]])
        except Unreadable as error:
            sent_values.append([site, f"{error}"])

    token = ""
    one_at_a_time = threading.Lock()

    def carry(request: dict[str, Any]) -> dict[str, Any]:
        with one_at_a_time:
            _say(replies, {"outside": token, **request})
            answer = json.loads(requests.readline())
        if "error" in answer:
            raise (IndexError if answer["error"].startswith("IndexError") else ValueError)(answer["error"])
        return answer

    things = itertools.count()

    helpers = {"_ask_": ask, "_outside_": lambda: Stand(next(things), carry)}
    runner = _Asked(quiet_shell(), Guard(first["redefined"]), helpers)
    me = os.getpid()
    _say(replies, {"ready": first["token"]})
    for line in iter(requests.readline, b""):
        cell = json.loads(line)
        if "source" not in cell:  # an answer that a cell did not wait for
            continue
        token = cell["token"]
        sent_values.clear()
        things = itertools.count()
        outcome = runner.run(*(cell[key] for key in ("kind", "name", "source", "limit", "of_processor")))
        if os.getpid() != me:  # a copy that the submission made of this process
            os._exit(0)
        reply = {
            "token": cell["token"],
            "status": outcome.status,
            "error": outcome.error[:100],
            "message": outcome.message[:1000],
            "place": outcome.place[:500],
            "overwritten": outcome.overwritten[:20],
            "values": sent_values,
        }
        _say(replies, reply)
    os._exit(0)  # without waiting for threads, and without the submission's last words


def _say(pipe: int, what: dict[str, Any]) -> None:
    line = json.dumps(what).encode()
    if len(line) > MOST_SAID:
        what = {**what, "values": [], "status": "error", "error": "too much", "message": "the answers are too large"}
        line = json.dumps(what).encode()
    line += b"\n"
    while line:
        line = line[os.write(pipe, line) :]


if __name__ == "__main__":
    main()
