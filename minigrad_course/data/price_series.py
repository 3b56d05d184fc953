"""Prices of a share, a row for each day: a made-up series that is always there, or a CSV file of your own.

    prices()                   the made-up series (prices.csv, made by made_up_prices.py)
    prices("my_share.csv")     your file: columns date, open, high, low, close, volume, as price services export them

A faulty file is refused with one sentence: what is wrong, in which line, what to do. A forecast from silently repaired
prices would not be worth much.
"""

from __future__ import annotations

import csv
import math
import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import DataError

COLUMNS = ("date", "open", "high", "low", "close", "volume")
MADE_UP = Path(__file__).with_name("prices.csv")
FORM = (
    "A file of prices begins with the names of its columns, date, open, high, low, close and volume, separated by "
    "commas; dates are as 2024-12-31, the oldest first, and numbers have a decimal point."
)
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
    days, rows, line = [], [], 1
    try:
        reader = csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines())
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
        for row in reader:
            line = reader.line_num
            days.append(date.fromisoformat(row["date"].strip()[:10]))
            rows.append([float(row[name]) for name in COLUMNS[1:]])
            _check(days, rows)
        if len(days) < FEWEST:
            raise ValueError(f"there are {len(days)} day(s) of prices, and a series needs at least {FEWEST}")
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}. Looked for it from {Path.cwd()}.") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:  # AttributeError: a line that is too short
        problem = f"the column {error} is missing" if isinstance(error, KeyError) else str(error)
        raise DataError(f"{file}, line {line}: {problem}. {FORM}") from None
    opening, high, low, close, volume = np.array(rows).T.copy()
    name = "made-up share" if path is None else file.stem
    return Prices(np.array(days, "datetime64[D]"), opening, high, low, close, volume, name)


def _check(days: list[date], rows: list[list[float]]) -> None:
    """Raise ValueError where the last day comes too early, or its prices cannot be."""
    opening, high, low, close, volume = rows[-1]
    if len(days) > 1 and days[-1] <= days[-2]:
        raise ValueError(f"{days[-1]} comes after {days[-2]}; each day belongs there once, the oldest first")
    if not all(map(math.isfinite, rows[-1])):
        raise ValueError("not every price is a number; leave days without prices out")
    if min(opening, high, low, close) <= 0 or volume < 0:
        raise ValueError("prices are above 0, and a volume is not below")
    if low > min(opening, close) or high < max(opening, close):
        raise ValueError(f"low {low:g} and high {high:g} do not enclose open {opening:g} and close {close:g}")
