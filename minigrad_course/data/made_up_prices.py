"""Generate the made-up prices: `python -m minigrad_course.data.made_up_prices` writes prices.csv anew.

Nobody's share. The change of each day (of the logarithm of the close) is half that of the day before, and noise:

    change[t] = MEMORY * change[t - 1] + NOISE * z[t],    z[t] normal with variance 1

So the best possible forecast is known: tomorrow's change is half of today's, and the error of that is the noise. Real
shares have almost no memory; this one does, so that there is something to learn.
"""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np

from minigrad_course.data.price_series import COLUMNS, MADE_UP, Prices

MEMORY, NOISE, DAYS = 0.5, 0.012, 2000


def make(memory: float = MEMORY, days: int = DAYS, seed: int = 0) -> Prices:
    """Made-up prices of so many working days from 2017-01-02 on. memory: of the changes; 0 makes a random walk."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((days, 4))
    changes = np.zeros(days)
    for t in range(1, days):
        changes[t] = memory * changes[t - 1] + NOISE * z[t, 0]
    close = 100 * np.exp(np.cumsum(changes))
    opening = np.concatenate([[100.0], close[:-1]]) * np.exp(0.2 * NOISE * z[:, 1])
    high = np.maximum(opening, close) * np.exp(0.4 * NOISE * np.abs(z[:, 2]))
    low = np.minimum(opening, close) * np.exp(-0.4 * NOISE * np.abs(z[:, 3]))
    volume = np.round(1e6 * np.exp(20 * np.abs(changes) + 0.2 * z[:, 1]))
    return Prices(np.array(_working_days(days), "datetime64[D]"), opening, high, low, close, volume, "made-up share")


def _working_days(count: int) -> list[date]:
    day = date(2017, 1, 2)
    days: list[date] = []
    while len(days) < count:
        if day.weekday() < 5:
            days.append(day)
        day += timedelta(days=1)
    return days


def as_csv(made: Prices) -> str:
    """The text of a CSV file with two decimals, as an exchange would print them."""
    lines = [",".join(COLUMNS)]
    for k in range(len(made)):
        numbers = (made.open[k], made.high[k], made.low[k], made.close[k])
        lines.append(",".join([str(made.dates[k]), *(f"{x:.2f}" for x in numbers), f"{made.volume[k]:.0f}"]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    MADE_UP.write_text(as_csv(make()), encoding="utf-8")
