"""READING.md and docs/architecture.md: files keep to their sizes, and functions stand where they are named."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PARTS = re.split(r"^## ", (ROOT / "READING.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
EVENINGS = [part for part in PARTS if part.startswith("Evening")]
HEART = 2_600  # lines, with the operations that lessons 01 to 07 use


def files(evening):
    return {
        ROOT / path: int(most) for path, most in re.findall(r"^\| \[.*?\]\((.*?)\) \| (\d+) \|", evening, re.MULTILINE)
    }


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_every_file_keeps_to_its_lines():
    bounds = {path: most for evening in EVENINGS for path, most in files(evening).items()}
    assert len(bounds) == sum(len(files(evening)) for evening in EVENINGS) > 25
    assert {path.name: (lines(path), most) for path, most in bounds.items() if lines(path) > most} == {}


def test_every_evening_keeps_to_its_sum():
    promised = [int(re.search(r"at most ([\d,]+) lines", evening)[1].replace(",", "")) for evening in EVENINGS]
    assert promised[0] == HEART
    assert len(promised) == 3
    assert all(sum(map(lines, files(evening))) <= most for evening, most in zip(EVENINGS, promised, strict=True))


def test_the_page_is_short():
    page = ROOT / "minigrad_course" / "minigrad_in_a_page.py"
    assert "minigrad_in_a_page.py" in PARTS[0]
    assert lines(page) <= 110


@pytest.mark.parametrize(
    ("page", "most"), [("README.md", 900), ("CONTRIBUTING.md", 600), ("CHANGELOG.md", 900), ("docs/compiler.md", 3_000)]
)
def test_a_page_keeps_to_its_words(page, most):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(re.sub(r"(?s)<!-- address -->.*?<!-- /address -->", "", text).split()) <= most


def test_functions_of_the_walks_stand_where_named():
    walks = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## Four walks")[2]
    lines = re.findall(r"^- \[[^]]*\]\((\S+)\): (.*)", walks, re.MULTILINE)
    assert len(lines) > 30
    for path, words in lines:
        text = (ROOT / "docs" / path).read_text(encoding="utf-8")
        for name in re.findall(r"`(?:\w+\.)?(\w+)`", words):
            assert f"def {name}(" in text, (path, name)
