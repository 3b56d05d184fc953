"""Code that docs/assistants.md has teachers run."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHEETS, FIVE = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs" / "assistants.md").read_text(encoding="utf-8"), re.DOTALL
)


def test_sheets_differ_and_each_leaves_a_rule_out(capsys):
    names = {"__name__": "sheets"}
    exec(SHEETS, names)
    sheets = []
    for student in range(12):
        names["sheet"](student)
        sheets.append(capsys.readouterr().out)
    assert len({sheet.partition("\n")[2] for sheet in sheets}) > 8
    assert {sheet.split()[-1] for sheet in sheets} == {"order", "add", "reset"}
    assert all("adjoint trace" in sheet and " hands " in sheet for sheet in sheets)


def test_five_engines_lack_a_statement_each(tmp_path, capsys):
    names = {}
    exec(FIVE, names)
    engine = ROOT / "solutions" / "project" / "mine.py"
    names["five"](engine, tmp_path)
    assert capsys.readouterr().out.count("line ") == len(list(tmp_path.glob("mine_*.py"))) == 5
    for copy in tmp_path.glob("*.py"):
        compile(copy.read_text(encoding="utf-8"), copy, "exec")
        assert copy.read_text(encoding="utf-8").split() != engine.read_text(encoding="utf-8").split()
