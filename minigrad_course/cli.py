"""The `minigrad` command. Each module defines its own subcommand; this one collects them.

A module that has a command offers a module with `register(commands)`, which adds a parser and sets `run` to a function
from parsed arguments to an exit code. Heavy imports stand inside `run`, so that `minigrad --help` is quick.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import metadata

from minigrad.guards.installation import DISTRIBUTION
from minigrad_course import concepts, doctor, instructors, lab, lessons, prepare, recall
from minigrad_course.grading import grade_command as grade
from minigrad_course.grading import reveal, tutor
from minigrad_course.grading.cells import GradingError
from minigrad_course.project import project_command as project

COMMANDS = (lab, lessons, prepare, doctor, grade, reveal, tutor, recall, concepts, instructors, project)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 (success), 1 (a wrong answer) or 2 (a faulty request)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console without ✓ shows ? instead of failing
    parser = argparse.ArgumentParser(prog="minigrad", description="Learn how gradients are made.")
    parser.add_argument("--version", action="version", version=f"minigrad {version()}")
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    for command in COMMANDS:
        command.register(commands)
    chosen, others = parser.parse_known_args(arguments)
    if others and "others" not in chosen:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    chosen.others = others
    try:
        return chosen.run(chosen)
    except GradingError as error:
        print(f"minigrad: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has closed the pipe, as in `minigrad doctor | head -3`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at exit
        return 1
    except KeyboardInterrupt:
        print("minigrad: stopped", file=sys.stderr)
        return 130


def version() -> str:
    """Return the installed version."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "(not installed: running from a source folder)"


if __name__ == "__main__":
    sys.exit(main())
