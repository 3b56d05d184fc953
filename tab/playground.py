"""The playground's Python: run the function that was typed, and send back what there is to see."""

from __future__ import annotations

import json
import time

from minigrad_tab import door
from minigrad_tab.stop import Stop

from minigrad_course.viz.explore.typed import answer_text

LONGEST = 5.0  # seconds
ENDLESS = f"This ran for {LONGEST:.0f} seconds without an end, and was stopped. Does a loop come to its last turn?"


class Playground:
    """Answers one request at a time, and lets none run for longer than LONGEST."""

    def __init__(self) -> None:
        self.end = 0.0
        self.stop = Stop(lambda: time.monotonic() > self.end)

    def turn(self) -> None:
        """Answer the request that the page has."""
        _, [request] = door.unpack(door.ask("receive"))
        self.end = time.monotonic() + LONGEST
        try:
            with self.stop:
                answer = answer_text(bytes(request).decode())
        except KeyboardInterrupt:
            answer = json.dumps({"error": {"sentence": ENDLESS, "line": None}})
        door.ask("send", [answer.encode()])


turn = Playground().turn
