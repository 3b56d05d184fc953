"""A lesson's prose must hold on any machine: a measurement is printed by the cell that took it.

A number with a unit of time or memory, a percentage or a "times as fast" in the prose, in a caption or in a docstring
was typed in, and drifts away from the figures above it. So there are none, except for what is listed here with its
reason: the papers' own figures, which are quoted; what follows from a definition, where the test does the sum; and
settings that somebody chose.
"""

import ast
import re
from pathlib import Path

import jupytext
import pytest

import minigrad as mg
from minigrad_course import data
from minigrad_course.says import says

LESSONS = {path.stem: path for path in (Path(__file__).resolve().parent.parent / "sources" / "lessons").glob("*.py")}

DIGITS = r"(?<![\w.,/^{$-])\d[\d,]*(?:\.\d+)?"
WORDS = r"\b(?:half an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|hundreds?(?: of)?|thousands?(?: of)?)"
# Not "second", which may be the next one; and "8s" are pictures.
LONG = r"(?:seconds|milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|bytes?|percent)\b"
SHORT = r"(?:(?:ns|µs|us|ms|sec|(?<= )s|[kKMG]i?B|GB/s|[GM]FLOP(?:/s)?)\b|%)"
RATIO = (
    r"(?:times (?:faster|slower|quicker|longer|larger|smaller|less|more|as (?:fast|slow|long|much|many|large))\b"
    r"|-?fold\b)"
)
MEASUREMENT = re.compile(
    rf"{DIGITS}[ -]?(?:{LONG}|{SHORT}|{RATIO}|×(?! \d))|{WORDS}[ -](?:{LONG}|{RATIO})", re.IGNORECASE
)

# Figures of the papers, as they print them; sums that anybody can do; and what somebody chose, asks or claims.
EXCEPTIONS = {
    "02": [
        "becomes ten times smaller",
    ],
    "05": [
        "and 20 GiB less to allocate", "takes 80,000 bytes", "fewer than 80,000 bytes",
    ],
    "06": [
        "$10^8$ numbers of 8 bytes: 800 MB", "by the 80,000 bytes of one row",
    ],
    "08": [
        "would be 12,800 bytes",
    ],
    "09": [
        "took **about 40 minutes**", "took **about 35 seconds**", "where can 39 minutes go",
        "from 40 minutes to 35 seconds", "Each number of `x` takes 8 bytes",
        "a new array of 8 bytes a point", "`float64` takes 8 bytes", "`float32` takes 4 bytes",
        "Where that share is near 100 %",
    ],
    "09b": ["and 20 GiB less.", "usually 64 bytes"],
    "10": [
        "are 313,600 bytes", "is 314,400 bytes a step", "Ten times as many cost ten times as much",
        "weights 0.3 times as large", "weights ten times as large",
    ],
    "11": ["Paper A: 92.24 %, paper B: 92.47 %", "The papers' 92 %", "Both papers end near 92 %"],
    "11b": [
        "and 20 GiB less.", "PyTorch has 0.003 GiB in each epoch", "paper B's 0.003 GiB are", "are 313,600 bytes",
        "each result has 25,600 bytes", "About three million bytes", "would be 400 bytes",
        "a byte or two for each step",
    ],
    "12": [
        "0.01 is about one percent", "The last 30 % of the days",
    ],
    "13": [
        "The paper reports 85 % on it", "Quoted: paper C 85 %",
        "paper C 96.20 % (mean of 5), Keras 96.55 %, Flux 95.36 %", "a download of about 31 MB",
    ],
    "13b": ["7,442 GiB in 3,000 steps"],
    "15": [
        "paper B prints 4.85 s, then 1.76, then 1.41", "7,442 GiB in 5 epochs of about 35 seconds", "92.24 %",
        "11.53 s in all", "4.59 GiB in all", "92.47 %", "3.09 GiB", "91.24 %", "0.003 GiB, see lesson 11", "96.2 %",
        "95.36 %", "would be about 43 GiB a second", "rate 0.1 % too large", "Three times as fast as PyTorch.",
    ],
    "glossary": [
        "usually 64 bytes",
    ],
}  # fmt: skip
READING_TIME = re.compile(r"\*Time: about \d+ minutes")


def texts(path):
    """The prose of a lesson: markdown cells, and the text of strings in code, without the formats of their numbers."""
    for cell in jupytext.read(path).cells:
        if cell.cell_type == "markdown":
            yield cell.source
            continue
        tree = ast.parse(re.sub(r"(?m)^%%.*$", "", cell.source))
        formats = {id(part) for node in ast.walk(tree) if isinstance(node, ast.FormattedValue) and node.format_spec
                   for part in ast.walk(node.format_spec)}  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in formats:
                yield node.value


def typed_measurements(text, exceptions):
    """The measurements in a text, each with its surroundings, except those inside of one of the exceptions."""
    text = " ".join(text.split())
    fine = [m.span() for phrase in exceptions for m in re.finditer(re.escape(phrase), text)]
    fine += [m.span() for m in READING_TIME.finditer(text)]
    for match in MEASUREMENT.finditer(text):
        if not any(start <= match.start() and match.end() <= end for start, end in fine):
            yield f"{match[0]!r} in: …{text[max(0, match.start() - 60) : match.end() + 40]}…"


@pytest.mark.parametrize("name", sorted(LESSONS))
def test_no_measurement_is_typed_into_the_prose(name):
    result = [
        place
        for text in texts(LESSONS[name])
        for place in typed_measurements(text, EXCEPTIONS.get(name.partition("_")[0], ()))
    ]
    assert not result, "print the figure in the cell that measures it, or say what holds on any machine:\n" + "\n".join(
        result
    )


def test_says_prints_what_is_true(capsys):
    says("{:.0%} of {} digits", 0.96, 500, when=lambda share, n: share > 0.9 and n == 500)
    assert capsys.readouterr().out == "96% of 500 digits\n"
    with pytest.raises(AssertionError, match="This is not so: “80% of 500 digits”"):
        says("{:.0%} of {} digits", 0.8, 500, when=lambda share, _: share > 0.9)
    assert capsys.readouterr().out == ""


def test_the_figures_of_lesson_00():
    digits = data.digits()
    network = mg.nn.Sequential(mg.nn.Linear(784, 32, rng=1), mg.nn.ReLU(), mg.nn.Linear(32, 10, rng=2))
    before = [parameter.value.copy() for parameter in network.parameters()]
    mg.fit(network, digits, 1, 50, mg.optim.SGD(0.3), rng=1, progress=False)
    assert (len(digits.train_x), sum(old.size for old in before)) == (1_297, 25_450)
    ink = digits.train_x.reshape(-1, 784).any(axis=0)
    moved = (network.parameters()[0].value != before[0]).any(axis=0)
    assert not moved[~ink].any()
    assert moved[ink].mean() > 0.9
