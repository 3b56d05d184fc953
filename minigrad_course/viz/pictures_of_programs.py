"""Pictures of programs: forward beside backward, dead lines, and how long each number is needed.

A program here is a list of lines such as "v1 = x * y" or "x_bar += v1_bar * y": one name on the left, an expression on
the right. `Listing` shows one, `SideBySide` two. `needed` finds the lines that a result depends on, `lives` the range
of lines in which a name is needed, `lifetimes` draws it, and `buffer_lives` reads it from a compiled program.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from minigrad_course.viz import plots

CODE = "font-family:var(--jp-code-font-family,monospace);font-size:90%;white-space:pre;text-align:left"
FORWARD, BOTH, BACKWARD = plots.BLUE, plots.VERMILLION, plots.GREEN


def target(line: str) -> str:
    """Return the name that a line writes."""
    return _parts(line)[0]


def reads(line: str) -> set[str]:
    """Return the names that a line reads; `a += b` reads a as well. Called functions do not count."""
    return _parts(line)[1]


def _parts(line: str) -> tuple[str, set[str], bool]:
    """Return (the name written, the names read, whether the line adds to the old value)."""
    try:
        statement = ast.parse(line.strip()).body[0]
    except (SyntaxError, IndexError):
        raise ValueError(f"a line of a program is `name = expression` or `name += expression`, got {line!r}") from None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        left, adds = statement.targets[0], False
    elif isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        left, adds = statement.target, True
    else:
        raise ValueError(f"a line of a program is `name = expression` or `name += expression`, got {line!r}")
    if not isinstance(left, ast.Name):
        raise ValueError(f"a line of a program writes one name, got {line!r}")
    called = {id(call.func) for call in ast.walk(statement.value) if isinstance(call, ast.Call)}
    names = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name) and id(n) not in called}
    return left.id, names | ({left.id} if adds else set()), adds


def needed(lines: Sequence[str], wanted: Collection[str]) -> list[bool]:
    """For each line, tell whether one of the `wanted` names depends on it once all lines have run."""
    alive, kept = set(wanted), []
    for line in reversed(lines):
        name, names, adds = _parts(line)
        kept.append(name in alive)
        if name in alive:
            if not adds:
                alive.discard(name)  # an earlier value of this name is no longer needed
            alive |= names
    return kept[::-1]


@dataclass(frozen=True)
class Life:
    """A number or an array from the line that writes it first to the last one that needs it. bytes: its size."""

    name: str
    first: int
    last: int
    bytes: int = 8
    row: int = 0  # the buffer that holds it


def lives(lines: Sequence[str], wanted: Collection[str] = (), bytes: int = 8) -> list[Life]:
    """Compute the life of each name that a program writes, each in its own row; `wanted` names live to the end."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for k, line in enumerate(lines):
        name, names, _ = _parts(line)
        first.setdefault(name, k)
        for used in names | {name}:
            last[used] = k
    last |= {name: len(lines) - 1 for name in wanted}
    return [Life(name, born, last[name], bytes, row) for row, (name, born) in enumerate(first.items())]


def packed(alone: Sequence[Any]) -> list[Any]:
    """Place lives in as few rows as the order allows: each in the first free row of its size.

    (Linear scan: M. Poletto, V. Sarkar, "Linear scan register allocation", 1999.)
    """
    rows: list[tuple[int, int]] = []  # for each row its bytes, and until when it is taken
    placed = []
    for life in sorted(alone, key=lambda life: life.first):
        fits = [k for k, (size, taken) in enumerate(rows) if size == life.bytes and taken < life.first]
        row = fits[0] if fits else len(rows)
        rows[row : row + 1] = [(life.bytes, life.last)]
        placed.append(replace(life, row=row))
    return placed


def buffer_lives(alone: Any, shared: Any = None) -> list[Life]:
    """Return the lives of a compiled program's arrays.

    alone: the `.buffers` of the program compiled with off=("reuse_buffers",), where each array has a buffer of its own.
    shared: the `.buffers` of the same program with sharing, which give each array's row; its own if left out.
    """
    rows = {name: k for k, r in enumerate((shared or alone).rows) for name in (r.name, *r.shared_with)}
    return [Life(r.name, r.born, r.dies, r.bytes, rows[r.name]) for r in alone.rows]


def lifetimes(of: Sequence[Life], turn: int, title: str = "", unit: str = "line") -> None:
    """Draw a bar for each life, in its row. turn: the first line of the way back, where a dashed line stands.

    Blue bars end before it, green ones begin after it, and orange ones reach across: what they hold is kept for the
    way back. The bytes of each row stand beside it.
    """
    count, end = max(life.row for life in of) + 1, max(life.last for life in of) + 1
    figure, axes = plots.canvas(8, 1.1 + 0.27 * count)
    for life in of:
        colour = FORWARD if life.last < turn else BACKWARD if life.first >= turn else BOTH
        axes.barh(life.row, life.last - life.first + 0.9, left=life.first + 0.05, height=0.78, color=colour, alpha=0.35)
        room = 6.4 * 72 * (life.last - life.first + 0.8) / end  # points; a letter is about half its size wide
        size = min(9.0, room / (0.52 * len(life.name)))
        axes.text(life.first + 0.1, life.row, life.name, va="center", fontsize=max(size, 5.0))
    axes.axvline(turn, color=plots.GREY, linestyle="--", linewidth=1)
    axes.set(xlim=(0, end + 0.2), ylim=(count - 0.4, -0.6), xlabel=unit, title=title)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(False)
    rows = [max(life.bytes for life in of if life.row == k) for k in range(count)]
    for k, size in enumerate(rows):
        axes.text(end + 0.4, k, f"{size:,} B", va="center", fontsize=9, color=plots.GREY)
    axes.text(end + 0.4, -0.9, f"{sum(rows):,} B", fontsize=10, fontweight="bold", va="bottom")
    kept = [life.name for life in of if life.first < turn <= life.last]
    plots.show(
        figure,
        f"{len(of)} bars in {count} rows, {sum(rows):,} bytes in all. Orange is kept for the way "
        f"back, which begins at the dashed line: {', '.join(kept) or 'nothing'}. Blue serves the way there only, green "
        "the way back only.",
    )


class Listing:
    """A program as text; `dead` lines are crossed out. In a notebook it shows itself."""

    def __init__(self, lines: Sequence[str], dead: Sequence[bool] | None = None):
        self.lines, self.dead = list(lines), list(dead) if dead is not None else [False] * len(lines)

    def __repr__(self) -> str:
        width = max((len(line) for line in self.lines), default=0)
        marks = ("   # dead" if dead else "" for dead in self.dead)
        return "\n".join((line.ljust(width) + mark).rstrip() for line, mark in zip(self.lines, marks, strict=True))

    def _repr_html_(self) -> str:
        def shown(line: str, dead: bool) -> str:
            return f'<s style="opacity:0.6">{escape(line)}</s>  ✗ dead' if dead else escape(line)

        body = "\n".join(shown(line, dead) for line, dead in zip(self.lines, self.dead, strict=True))
        return f'<div style="{CODE};line-height:1.35">{body}</div>'


class SideBySide:
    """A program beside its reverse: each forward line in one row with the reverse lines that it leads to.

    rows: (a forward line, the reverse lines that belong to it). The left column is read downwards, the right upwards.
    seed: the line below, between the two.
    """

    def __init__(self, rows: Sequence[tuple[str, Sequence[str]]], seed: str = ""):
        self.rows, self.seed = [(line, list(back)) for line, back in rows], seed

    def __repr__(self) -> str:
        width = max(len(line) for line, _ in self.rows)
        lines = [f"{'forward: read down'.ljust(width)}  |  backward: read up"]
        lines += [f"{line.ljust(width)}  |  {'; '.join(back)}" for line, back in self.rows]
        return "\n".join([*lines, f"{' ' * width}  |  {self.seed}"])

    def _repr_html_(self) -> str:
        edge = "border-left:2px solid #8888;padding:3px 14px;text-align:left"
        plain = "padding:3px 14px;text-align:left"
        titles = {"↓ forward: read down": plain, "↑ backward: read up": edge}
        head = "".join(f'<th scope="col" style="{style}">{title}</th>' for title, style in titles.items())
        body = "".join(
            f'<tr class="minigrad-pair"><td style="{plain};{CODE}">{escape(line)}</td>'
            f'<td style="{edge};{CODE}">{escape(chr(10).join(back))}</td></tr>'
            for line, back in self.rows
        )
        seed = f'<tr><td style="{plain}">↳ turn around</td><td style="{edge};{CODE}">{escape(self.seed)}</td></tr>'
        look = "<style>.minigrad-pair:hover td{background:rgba(86,180,233,0.3)!important}</style>"
        return f"{look}<table><thead><tr>{head}</tr></thead><tbody>{body}{seed}</tbody></table>"
