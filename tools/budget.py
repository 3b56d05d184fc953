"""Hold each package to the size in budget.txt; with "--write [WHY]" bring the file to what is."""

import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIVIDED = ("minigrad", "minigrad_course")  # packages with a row for each subfolder; files move freely between these
PACKAGES = (*DIVIDED, "class", "tests", "sources", "tab", "tools", "benchmarks")
HEADER = "# folder                 code lines  tokens a line  all lines  what its last rise bought\n"
DENSER = 1.1  # how many times the tokens a line may become when code goes; joined lines are more
SPACE = {getattr(tokenize, name) for name in ("COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER")}


def measure(path: Path) -> tuple[int, int, int]:
    """Count a file's lines with a token other than a comment or a docstring, these tokens, and all of its lines."""
    lines, count, depth, starts = set(), 0, 0, True
    with open(path, "rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        docstring = starts and token.type == tokenize.STRING and after.type in SPACE
        if token.type not in SPACE and not docstring:
            lines.update(range(token.start[0], token.end[0] + 1))
            count += not depth  # an f-string is one token, as before Python 3.12
            name = tokenize.tok_name[token.type]
            depth += name.endswith("STRING_START") - name.endswith("STRING_END")
        starts = token.type in SPACE and (starts or token.type not in (tokenize.COMMENT, tokenize.NL))
    return len(lines), count, tokens[-1].start[0] - 1


def check(*arguments: str, root: Path = ROOT) -> str:
    """Return a sentence about what is larger than its rows allow, or ""; write the file where that is asked for."""
    old, new, wrong, why, text = {}, {}, "", " ".join(arguments[1:]), HEADER
    for line in (root / "budget.txt").read_text(encoding="utf-8").splitlines()[1:]:
        folder, code, dense, lines, *reason = line.split(maxsplit=4)
        old[folder] = [int(code), int(code) * float(dense), int(lines), *reason]
    for path in sorted(path for name in PACKAGES for path in (root / name).rglob("*.py")):
        parts = path.relative_to(root).parts[:-1]
        folder = "/".join(parts[: 2 if parts[0] in DIVIDED else 1])
        new[folder] = [a + b for a, b in zip(new.get(folder, (0, 0, 0)), measure(path), strict=True)]
    for package in PACKAGES:
        of = [[row for folder, row in rows.items() if folder.split("/")[0] == package] for rows in (old, new)]
        (code, tokens, lines), (more, dense, most) = ([sum(row[k] for row in rows) for k in range(3)] for rows in of)
        rises = [(code, more, "lines of code"), (lines, most, "lines in all")]
        rises += [(tokens / max(code, 1), dense / max(more, 1), "tokens a line")] * (
            dense * code > DENSER * tokens * more
        )
        wrong += "".join(f"{package} grew from {a:.6g} to {b:.6g} {what}. " for a, b, what in rises if b > a)
    for folder, (code, tokens, lines) in sorted(new.items()):
        was = old.get(folder, [0, 0, 0])
        reason = why if code > was[0] or lines > was[2] else " ".join(was[3:])
        text += f"{folder:26}{code:10}{tokens / max(code, 1):15.1f}{lines:11}  {reason}".rstrip() + "\n"
    if arguments[:1] == ("--write",) and (why or not wrong):
        (root / "budget.txt").write_text(text, encoding="utf-8")
        return ""
    return wrong and f"{wrong}Take as much out again, or say what it buys: tools/budget.py --write WHY"


if __name__ == "__main__":
    sys.exit(check(*sys.argv[1:]) or None)
