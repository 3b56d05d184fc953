"""Enough for a stranger to cite, copy and ask: CITATION.cff, two licences, and the places that name them."""

import re
from pathlib import Path

import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent


def test_the_citation_has_what_its_format_demands():
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(about)
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert about["version"] == version


def test_every_notebook_names_both_licences():
    for folder in ("notebooks", "exercises", "solutions", "project"):
        for path in (ROOT / folder).rglob("[!.]*.ipynb"):
            if ".ipynb_checkpoints" not in path.parts:
                assert nbformat.read(path, 4).metadata.license == {"content": "CC-BY-4.0", "code": "MIT"}, path
    assert "Attribution 4.0 International" in (ROOT / "LICENSE-texts").read_text(encoding="utf-8")


def test_the_paper_has_what_jose_asks_for():
    """Its list as far as a program can tell: openjournals.readthedocs.io/en/jose/review_checklist.html."""
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    _, head, body = paper.split("---\n", 2)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(yaml.safe_load(head))
    sections = re.findall(r"^# (.*)", body, re.MULTILINE)
    asked = {"Summary", "Statement of need", "Audience", "Learning objectives", "Content and design"}
    assert asked | {"Experience of use", "Story of the project"} <= set(sections)
    assert len(body.split()) <= 1000
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(set(re.findall(r"@(\w+)", body))) == sorted(entries)
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for word in ("A question", "open an issue", "CODE_OF_CONDUCT.md", "LICENSE-texts", "make test"):
        assert word in guide
