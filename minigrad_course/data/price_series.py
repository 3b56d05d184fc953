"""Prices of a share, a row for each day: a made-up series that is always there, or a CSV file of your own.

    prices()                   the made-up series (prices.csv, made by made_up_prices.py)
    prices("my_share.csv")     your file: columns date, open, high, low, close, volume, as price services export them

A faulty file is refused with one sentence: what is wrong, in which line, what to do. A forecast from silently repaired
prices would not be worth much.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import DataError

COLUMNS = ("date", "open", "high", "low", "close", "volume")
MADE_UP = Path(__file__).with_name("prices.csv")
FEWEST = 2  # days, or there is no change from one to the next


@dataclass
class Prices:
    """The days in order, with a share's prices on each.

    dates: (days,) datetime64[D], each later than the one before. open, high, low, close: (days,) float64, above 0, low
    the least and high the largest of the four. volume: (days,) float64, 0 or more. name: whose prices.

    >>> type(mg.data.prices().close).__name__
    'ndarray'
    """

    dates: np.ndarray
    open: np.ndarray
    high: np.ndarray
    low: np.ndarray
    close: np.ndarray
    volume: np.ndarray
    name: str

    def __len__(self) -> int:
        return len(self.dates)

    def describe(self) -> str:
        """Describe the prices in one line."""
        low, high = self.close.min(), self.close.max()
        return f"{self.name}: {len(self):,} days, {self.dates[0]} to {self.dates[-1]}, close {low:.2f} to {high:.2f}"

    def __repr__(self) -> str:
        return f"<Prices {self.describe()}>"


def prices(path: str | os.PathLike[str] | None = None) -> Prices:
    """The prices in a CSV file, or the made-up ones if no file is given.

    The first line names the columns: date, open, high, low, close and volume, in any order and any case; others are
    ignored. Dates as 2024-12-31, the oldest first; numbers with a decimal point. Raises DataError, a sentence, for a
    file that is missing, is no such table, or holds what prices cannot be (see `Prices`).

    >>> len(mg.data.prices()) > 1000
    True
    """
    file = MADE_UP if path is None else Path(path)
    name = "made-up share" if path is None else file.stem
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DataError(f"There is no file {file}. Looked for it from {Path.cwd()}.") from None
    except UnicodeDecodeError:
        raise DataError(f"{file} is no text in UTF-8. Is it a spreadsheet? Export it as CSV, UTF-8.") from None
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}.") from None
    rows = list(_rows(text, file))
    if len(rows) < FEWEST:
        raise DataError(f"{file} has {len(rows)} day(s) of prices: a series needs at least {FEWEST}.")
    days = np.array([row[0] for row in rows], "datetime64[D]")
    opening, high, low, close, volume = np.array([row[1:] for row in rows], np.float64).T.copy()
    return Prices(days, opening, high, low, close, volume, name)


def _rows(text: str, file: Path) -> Iterator[tuple[date, float, float, float, float, float]]:
    """Each day with its open, high, low, close and volume, checked."""
    reader = csv.reader(text.splitlines())
    head = [name.strip().lower() for name in next(reader, [])]
    missing = [name for name in COLUMNS if name not in head]
    if missing:
        advice = "Columns are separated by commas." if len(head) == 1 else "The first line names the columns."
        raise DataError(
            f"{file} has no column {', '.join(missing)}; its first line is {','.join(head)!r:.80}. {advice}"
        )
    twice = [name for name in COLUMNS if head.count(name) > 1]
    if twice:
        raise DataError(f"{file} has the column {twice[0]} twice.")
    places = [head.index(name) for name in COLUMNS]
    before: date | None = None
    for cells in reader:
        where = f"{file}, line {reader.line_num}"
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(head):
            raise DataError(f"{where}: {len(cells)} entries, but the first line names {len(head)} columns.")
        day = _day(cells[places[0]], where)
        if before is not None and day <= before:
            problem = "appears twice" if day == before else f"comes after {before}"
            raise DataError(f"{where}: {day} {problem}. Each day belongs there once, the oldest first.")
        before = day
        opening, high, low, close, volume = (
            _number(cells[place], name, where) for place, name in zip(places[1:], COLUMNS[1:], strict=True)
        )
        if min(opening, high, low, close) <= 0 or volume < 0:
            raise DataError(f"{where}: prices are above 0 and a volume is not below; got {','.join(cells)!r:.80}.")
        if low > min(opening, close) or high < max(opening, close):
            raise DataError(
                f"{where}: low {low:g} and high {high:g} do not enclose open {opening:g} and close {close:g}. "
                "Are columns mixed up, or only some of the prices adjusted?"
            )
        yield day, opening, high, low, close, volume


def _day(text: str, where: str) -> date:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise DataError(f"{where}: {text!r:.40} is no date of the form 2024-12-31.") from None


def _number(text: str, column: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        advice = "Leave days without prices out." if text.strip().lower() in ("", "null", "na") else ""
        if "," in text:
            advice = "Write it without separators for thousands, and with a decimal point."
        raise DataError(f"{where}: {column} is {text!r:.40}, which is no number. {advice}".strip()) from None
    if not np.isfinite(value):
        raise DataError(f"{where}: {column} is {text.strip()}. Leave days without prices out.")
    return value
