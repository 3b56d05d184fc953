"""List the claims of a lesson that are not in its table yet: .venv/bin/python tools/claims.py 07 [--write]

A claim is a sentence of a lesson's prose with a number, a superlative, or one of "only, all, never, always, exactly,
the same". Each has a line in sources/lessons/claims/NN_name.txt: its first words, then the numbers and words that make
it a claim, and behind `::` how it is backed. tests/test_claims.py keeps the tables complete. The ways to back a claim:

    asserts CODE    these characters stand in an `assert` or in a call of `says` of the lesson
    test FILE NAME  a test of that name holds it
    code CODE       it can be read off these characters in the lesson's code
    math WHY        it holds everywhere, and why
    defines WHY     it says what a word or a sign means
    quotes WHOM     a paper's or a manual's own statement
    tells OF WHAT   it is about this course and this lesson: what comes, what the text does, what to take from it

What is not a claim: headings, questions, orders to the reader (unless a colon follows), the reading time, numbers of
lessons, lines, papers and years, numbers inside of code and formulas, and the sections that only point elsewhere.
`--write` adds lines without a reason, to be filled in, in the lesson's order; what the lesson no longer says goes.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import jupytext

ROOT = Path(__file__).resolve().parent.parent
LESSONS = {path.stem: path for path in sorted((ROOT / "sources" / "lessons").glob("[0-9]*.py"))}
TABLES = ROOT / "sources" / "lessons" / "claims"
KINDS = ("asserts", "test", "code", "math", "defines", "quotes", "tells")

SECTIONS_THAT_POINT = ("The source", "Your turn", "The papers")
ORDERS = re.compile(  # verbs that a sentence to the reader begins with
    r"add|ask|begin|break|call|change|choose|click|compare|count|cover|define|divide|do|drag|draw|fill|find|follow|give"
    r"|go|guess|hold|imagine|keep|let|look|make|mark|move|multiply|open|pick|play|predict|press|put|read|recall"
    r"|remember|replace|run|say|scroll|see|set|sketch|start|step|stop|switch|take|tell|think|try|turn|type|use|wait"
    r"|watch|write"
)
COUNTS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundreds?|thousands?|millions?|dozens?|twice"
    "|half|quarter"
)
POINTER = re.compile(  # "lesson 05", "rows 2 and 3", "(1998)", "the two"
    r"\b(?:lesson|exercise|milestone|line|row|task|figure|paper|table|cell)s? \d+(?:(?:, | and | to |–)\d+)*"
    rf"|(?<![\d.])0\d\b(?!\.\d)|\b(?:1[5-9]|20)\d\d\b|\b(?:the|these|those|its|your|our|other) (?:{COUNTS})\b",
    re.IGNORECASE,
)
NUMBER_ALONE = re.compile(r"\$([-+]?[\d.,]+(?:\^\{?-?\d+\}?)?)\$")
NO_SUPERLATIVE = r"(?:cont|dig|for|gu|hon|inter|inv|mod|n|prot|r|requ|sugg|t|w)est\b"
TRIGGER = re.compile(
    r"(?<![\w.])\d(?:[\d,.]*\d)?(?:\^\{?-?\d+\}?)?(?:e-?\d+)?(?!\w)"
    rf"|\b(?:{COUNTS}|only|all|never|always|exactly|the same|most|least|best|worst|(?!{NO_SUPERLATIVE})[a-z]+est)\b",
    re.IGNORECASE,
)


def sentences(markdown: str) -> list[str]:
    """The sentences of a text cell, list items and rows of tables by themselves, without headings and formulas."""
    text = re.sub(r"(?m)^(?:\{guess|<).*$", "", markdown)  # a guess's field, and a picture in HTML
    text = re.sub(r"</?\w+[^>]*>", " ", re.sub(r"(?s)\$\$.*?\$\$|```.*?```", " … ", text))
    result = []
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) |\|--)", text):
        line = re.sub(r"^(?:[-*]|\d+\.) ", "", " ".join(block.split()))
        if line and not re.match(r"#|\*Time:|[|\s:-]*$|(?:\w+\W+){1,6}:$", line):
            result += re.split(r"(?<=[.!?])[)*\"”]*\s+(?=[A-Z0-9*_(`$\[“])", line)
    return result


def triggers(sentence: str) -> list[str]:
    """The numbers and words that make a sentence a claim; none if it is a question or an order."""
    if sentence.rstrip(')*_"” ').endswith("?"):
        return []
    first = re.match(r"[(*]*(?:now |then |and |please )?(\w+)", sentence, re.IGNORECASE)
    if first and ORDERS.fullmatch(first[1].lower()) and not re.search(r"[:;]", sentence):
        return []
    text = NUMBER_ALONE.sub(r" \1 ", re.sub(r"\]\([^)]*\)|`[^`]*`", " ", sentence))
    return [match[0] for match in TRIGGER.finditer(POINTER.sub(" ", re.sub(r"\$[^$]*\$", " ", text)))]


def claims(name: str) -> dict[str, str]:
    """The claims of a lesson, in its order: what stands in the table, and the whole sentence."""
    result, points = {}, False
    for cell in jupytext.read(LESSONS[name]).cells:
        if cell.cell_type == "markdown":
            for part in re.split(r"(?m)^(?=#+ )", cell.source):
                if heading := re.match(r"#+ (.*)", part):
                    points = heading[1].strip() in SECTIONS_THAT_POINT
                for sentence in [] if points else sentences(part):
                    if marks := triggers(sentence):
                        result[f"{' '.join(sentence.split()[:6])} … {', '.join(marks)}"] = sentence
    return result


def table(name: str) -> dict[str, str]:
    """The backing of each claim of a lesson, as its table has it."""
    path = TABLES / f"{name}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {key: backing for key, _, backing in (line.partition(" :: ") for line in lines)}


def code(name: str) -> tuple[str, str]:
    """The code of a lesson, and its assertions alone, as Python writes them: strings and spaces do not matter."""
    cells = [cell.source for cell in jupytext.read(LESSONS[name]).cells if cell.cell_type == "code"]
    whole, asserted = "\n".join(re.sub(r"(?m)^(%%.*)$", r"# \1", source) for source in cells), []
    for node in ast.walk(ast.parse(whole)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Assert) or (isinstance(called, ast.Name) and called.id == "says"):
            asserted.append(ast.get_source_segment(whole, node) or "")
    return " ".join(whole.split()), " ".join(" ".join(asserted).split())


def faults(name: str) -> list[str]:
    """Sentences about all that is wrong with the table of a lesson."""
    made, listed, (whole, asserted) = claims(name), table(name), code(name)
    result = [f"not listed: {sentence}" for key, sentence in made.items() if key not in listed]
    result += [f"no such claim any more: {key}" for key in listed if key not in made]
    for key, backing in listed.items():
        kind, _, why = backing.partition(" ")
        if kind not in KINDS or not why:
            result.append(f"no reason: {key}")
        elif kind in ("asserts", "code") and " ".join(why.split()) not in (asserted if kind == "asserts" else whole):
            result.append(f"no longer {'asserted' if kind == 'asserts' else 'in the code'}: {why} (for: {key})")
        elif kind == "test":
            file, test = why.split()
            path = ROOT / "tests" / file
            if not path.exists() or f"def {test}(" not in path.read_text(encoding="utf-8"):
                result.append(f"no such test: {why} (for: {key})")
    return result


def main(arguments: list[str]) -> None:
    for name in [name for name in LESSONS if name[:2] in arguments]:
        if "--write" in arguments:
            listed = table(name)
            lines = [f"{key} :: {listed.get(key, '')}\n" for key in claims(name)]
            (TABLES / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
        print(name, *faults(name), sep="\n    ")


if __name__ == "__main__":
    main(sys.argv[1:])
