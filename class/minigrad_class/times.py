"""The time at which something was handed in, and how late that is.

It is what the platform says of an upload as a whole: the entry in its zip, or the file in a folder. What lies further
in was packed by whoever handed it in, and is not asked.
Times are of this machine's zone and written as 2026-11-25T21:35:27, which spreadsheets leave as it is.
"""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from minigrad_class import csv_tables
from minigrad_course.grading.cells import GradingError

FILE = "due.csv"  # in the folder of a class: when each exercise is due


def of_seconds(seconds: float) -> str:
    """Format a file's time."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(seconds))


def of_entry(date_time: tuple[int, ...]) -> str:
    """Format the time of a zip's entry; empty where it has none, which is 1980."""
    try:
        year, month, day, hour, minute, second = date_time
        return datetime(year, month, day, hour, minute, second).isoformat() if year > 1980 else ""
    except ValueError:
        return ""


def of_text(text: str, end_of_day: bool = False) -> str:
    """Format a written time, brought to this machine's zone; empty where it is none.

    `end_of_day`: a day without an hour is that day's last second, and not its first.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return ""
    if end_of_day and ":" not in text:
        moment = moment.replace(hour=23, minute=59, second=59)
    return (moment.astimezone() if moment.tzinfo else moment).isoformat()[:19]


def late(handed_in: str, due: str) -> str:
    """Say how late something is: "2 days 3 hours"; empty where it is not, or where either time is unknown."""
    try:
        seconds = int((datetime.fromisoformat(handed_in) - datetime.fromisoformat(due)).total_seconds())
    except (ValueError, TypeError):
        return ""
    return length(seconds) if seconds > 0 else ""


def length(seconds: int) -> str:
    """Say in its two largest units how long a time is."""
    words: list[str] = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count or words:
            words.append(f"{count} {unit}{'s' if count != 1 else ''}" if count else "")
    return " ".join(filter(None, words[:2])) or "0 seconds"


def due(folder: Path, exercise: str) -> str:
    """Return when an exercise is due, as far as anybody has said so."""
    return _kept(folder).get(exercise, "")


def keep_due(folder: Path, exercise: str, text: str) -> str:
    """Note when an exercise is due. Raises GradingError where that is no time."""
    moment = of_text(text, end_of_day=True)
    if not moment:
        raise GradingError(f"--due {text}: write it like '2026-11-20 18:00', or 2026-11-20 for the end of that day")
    rows = _kept(folder) | {exercise: moment}
    csv_tables.write(folder / FILE, [["exercise", "due"], *sorted(rows.items())])
    return moment


def _kept(folder: Path) -> dict[str, str]:
    try:
        return {row["exercise"]: of_text(row["due"], end_of_day=True) for row in csv_tables.read_named(folder / FILE)}
    except (OSError, KeyError):
        return {}
