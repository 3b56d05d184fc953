"""Prices: the made-up series, and files of one's own, which are right or refused with a sentence."""

import numpy as np
import pytest

from minigrad_course import data
from minigrad_course.data import made_up_prices
from minigrad_course.data.price_series import MADE_UP

HEAD = "date,open,high,low,close,volume\n"
GOOD = "2024-01-02,10,12,9,11,1000\n2024-01-03,11,11.5,10,10.5,0\n"


def read(tmp_path, text):
    file = tmp_path / "mine.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return data.prices(file)


def test_the_made_up_series_is_there():
    made = data.prices()
    assert len(made) == made_up_prices.DAYS
    assert MADE_UP.read_text() == made_up_prices.as_csv(made_up_prices.make())
    assert (made.low <= np.minimum(made.open, made.close)).all()
    assert (made.high >= np.maximum(made.open, made.close)).all()
    assert "2,000 days" in repr(made)


def test_a_file_of_ones_own(tmp_path):
    own = read(tmp_path, HEAD + GOOD)
    assert own.name == "mine"
    assert own.dates.tolist() == np.array(["2024-01-02", "2024-01-03"], "datetime64[D]").tolist()
    assert own.close.tolist() == [11, 10.5]
    assert own.volume.tolist() == [1000, 0]


def test_columns_in_any_order(tmp_path):
    lines = [
        "\ufeffAdj Close,Volume,Close,Low,High,Open,Date",
        "7,1,11,9,12,10,2024-01-02",
        "",
        "7,2,11,9,12,10,2024-01-03",
    ]
    own = read(tmp_path, "\r\n".join(lines))
    assert (own.open[0], own.high[0], own.low[0], own.close[0], own.volume[1]) == (10, 12, 9, 11, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"line 1: there are 0 day\(s\) of prices"),
        ("date;open;high;low;close;volume\n2024-01-02;1;1;1;1;1", r"line 2: the column 'date' is missing.*by commas"),
        ("date,open,high,low,close\n2024-01-02,10,12,9,11\n", r"line 2: the column 'volume' is missing"),
        (HEAD + GOOD.splitlines()[0], r"1 day\(s\) of prices, and a series needs at least 2"),
        (HEAD + GOOD + "2024-01-04,10,12,9\n", r"line 4: "),
        (HEAD + GOOD + "04/01/2024,10,12,9,11,5\n", r"line 4: .*'04/01/2024'.*dates are as 2024-12-31"),
        (HEAD + GOOD + "2024-01-03,10,12,9,11,5\n", r"line 4: 2024-01-03 comes after 2024-01-03; each day .* once"),
        (HEAD + GOOD + "2023-01-03,10,12,9,11,5\n", r"line 4: 2023-01-03 comes after 2024-01-03.*oldest first"),
        (HEAD + GOOD + "2024-01-04,null,12,9,11,5\n", r"line 4: could not convert string to float: 'null'"),
        (HEAD + GOOD + '2024-01-04,"1,010",12,9,11,5\n', r"line 4: .*'1,010'.*decimal point"),
        (HEAD + GOOD + "2024-01-04,10,12,9,nan,5\n", r"line 4: not every price is a number"),
        (HEAD + GOOD + "2024-01-04,0,12,0,11,5\n", r"line 4: prices are above 0"),
        (HEAD + GOOD + "2024-01-04,10,12,9,11,-5\n", r"line 4: prices are above 0, and a volume is not below"),
        (HEAD + GOOD + "2024-01-04,10,9,12,11,5\n", r"line 4: low 12 and high 9 do not enclose"),
        (b"PK\x03\x04\xff\xfe", r"line 1: 'utf-8' codec"),
    ],
)
def test_a_bad_file_gets_one_sentence(tmp_path, text, message):
    with pytest.raises(data.DataError, match=message):
        read(tmp_path, text)
