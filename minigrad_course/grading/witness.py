"""In the kernel that `minigrad grade` starts: runs tests among clean names, and testifies how each cell ended.

The testimony goes back beside the kernel's own answer, signed with a secret that only this object and the grader know
(and who digs in this process's memory). An answer that makes the kernel say "ok" to everything earns nothing by it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from minigrad_course.grading.cells import fingerprint
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.outcome import Outcome
from minigrad_course.grading.watch import Watch

SOURCE = "minigrad"  # the name of our payload in the kernel's answer


def install(secret: str, tests: list[str], given: dict[str, str], redefined: list[str]) -> None:
    """Watch this kernel from now on. `tests`: fingerprints; `given`: fingerprint -> name of a locked cell."""
    from IPython import get_ipython

    Witness(get_ipython(), secret, tests, given, redefined).register()


class Witness(Watch):
    """Sends an outcome with the answer to each cell."""

    def __init__(self, shell: Any, secret: str, tests: list[str], given: dict[str, str], redefined: list[str]) -> None:
        super().__init__(shell, Guard(redefined))
        self._secret, self._tests, self._given = secret, set(tests), given

    def starts(self, cell_id: str | None, source: str) -> None:
        print_ = fingerprint(source)
        if print_ in self._tests:
            self.enter_room()
        elif print_ in self._given:
            self.guard.before_given(self.shell.user_ns)

    def ended(self, cell_id: str | None, source: str, result: Any, changed: list[str]) -> None:
        print_ = fingerprint(source)
        outcome = self.outcome(result, changed)
        if print_ in self._given and outcome.status == "ok":
            self.guard.after_given(self._given[print_], self.source, self.shell.user_ns)
        if outcome.status == "error" and result is not None:
            _make_tellable(result, outcome)
        self.overwritten = ()
        said = json.dumps({"cell": print_, **vars(outcome)})
        self.shell.payload_manager.write_payload(
            {"source": SOURCE, "said": said, "signed": sign(self._secret, said)}, single=True
        )


def sign(secret: str, said: str) -> str:
    """The signature of a testimony."""
    return hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest()


def testimony(secret: str, reply: dict, source: str) -> Outcome | None:
    """What the witness said about a cell in the kernel's answer to it; None where it said nothing, or not the truth."""
    for payload in reply.get("payload", []):
        if payload.get("source") == SOURCE and hmac.compare_digest(sign(secret, payload["said"]), payload["signed"]):
            said = json.loads(payload["said"])
            if said.pop("cell") == fingerprint(source):
                return Outcome(**{**said, "overwritten": tuple(said["overwritten"])})
    return None


def _make_tellable(result: Any, outcome: Outcome) -> None:
    """The kernel is about to ask an exception for its text; one that has none would leave it without an answer."""
    if outcome.message.startswith("(its text cannot be shown"):
        error = type(outcome.error, (Exception,), {})(outcome.message)
        if result.error_before_exec is not None:
            result.error_before_exec = error
        else:
            result.error_in_exec = error
