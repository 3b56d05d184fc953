"""A compiled program, pass by pass: its text after each of the compiler's passes, and what has changed in it.

    mg.explore(mg.compile_graph([f, *mg.adjoints(f, [x, y])]))
    mg.explore(mg.compile(model, mg.nn.cross_entropy, optimizer, x, y))

The program is written again with the first pass alone, then with the first two, and so on (`off=`); a line that
disappears has a minus, a new one a plus. Pages without scripts show it too: it is a group of radio buttons and a style,
so arrow keys go from pass to pass.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from html import escape

from minigrad.compiler.build import whole
from minigrad.compiler.function import CompiledGraph, compile_graph
from minigrad.compiler.optional.shards import in_shards
from minigrad.compiler.passes import PASSES
from minigrad.compiler.program import Program, source_of
from minigrad.compiler.step import CompiledStep
from minigrad.nn.init import drawing_again

Line = tuple[str, str]  # "+", "-" or "", and the text

number = itertools.count()  # of the groups of buttons on a page


@dataclass(frozen=True)
class Stage:
    """The program after a pass. name: of the pass, or "written". sentence: what it did. lines: marked, with the old."""

    name: str
    sentence: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The program's text after this pass."""
        return "\n".join(text for mark, text in self.lines if mark != "-")


class Stages:
    """The result of `explore` for a compiled program, which displays itself. stages: those that changed its text.

    others: passes that left it as it was, with their sentences.
    """

    def __init__(self, compiled: CompiledGraph | CompiledStep):
        self.title = compiled.name if isinstance(compiled, CompiledGraph) else compiled._recipe.name
        self.stages: list[Stage] = []
        self.others: list[tuple[str, str]] = []
        own = {*(compiled if isinstance(compiled, CompiledGraph) else compiled._recipe).off}
        before: list[str] = []
        for k in range(len(PASSES) + 1):
            if k and PASSES[k - 1] in own:
                continue
            programs = _programs(compiled, own | {*PASSES[k:]})
            source = source_of("", programs)
            lines = source[source.index("\n@") + 1 :].rstrip().split("\n")
            name, sentence = "written", "as the graph is read, with every pass left out"
            if k:
                name = PASSES[k - 1]
                reports = [text for program in programs for change, text in program.report if change == name]
                sentence = "; ".join(dict.fromkeys(reports))
            if lines == before:
                self.others.append((name, sentence))
            else:
                self.stages.append(Stage(name, sentence, tuple(_compared(before, lines)) if k else _new(lines)))
            before = lines

    @property
    def text(self) -> str:
        """All stages as text: the first whole, then the lines that change."""
        parts = []
        for k, stage in enumerate(self.stages):
            shown = [f"{mark or ' '} {text}" for mark, text in stage.lines if mark or not k]
            parts.append("\n".join([f"{stage.name}: {stage.sentence}", *shown]))
        return "\n\n".join([*parts, self._rest()])

    def _rest(self) -> str:
        return "Without a change: " + ", ".join(name for name, _ in self.others)

    def __repr__(self) -> str:
        return f"<{self.title} in {len(self.stages)} stages. See .text, or show it in JupyterLab>"

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}

    @property
    def html(self) -> str:
        """A group of radio buttons, one for each stage, and the program behind the one that is chosen."""
        group = f"mg-stages-{next(number)}"
        buttons, panels, rules = [], [], []
        for k, stage in enumerate(self.stages):
            chosen = " checked" if not k else ""
            button = f'<input type="radio" name="{group}" id="{group}-{k}"{chosen}>'
            buttons.append(f'{button}<label for="{group}-{k}">{stage.name}</label>')
            code = "".join(
                f'<span class="{ {"+": "new", "-": "old"}.get(mark, "kept") }">{mark or " "} {escape(text)}\n</span>'
                for mark, text in stage.lines
            )
            panels.append(
                f'<div class="stage stage-{k}"><p>{escape(stage.sentence)}</p><pre tabindex="0" '
                f'aria-label="Program after {stage.name}">{code}</pre></div>'
            )
            rules.append(f"#{group}-{k}:checked~.stage-{k}")
        return (
            f'<div class="minigrad-stages" role="radiogroup" aria-label="Passes of {escape(self.title)}" '
            f'data-lm-suppress-shortcuts="true"><style>{STYLE}{",".join(rules)}{{display:block}}</style>'
            f"{''.join(buttons)}{''.join(panels)}<p>{escape(self._rest())}.</p></div>"
        )


STYLE = """
.minigrad-stages{--new:#0072b2;--old:#96005a;margin:.4em 0}
body[data-jp-theme-light="false"] .minigrad-stages,body[data-theme="dark"] .minigrad-stages{--new:#79c3f5;--old:#ff94cb}
@media screen and (prefers-color-scheme:dark){body[data-theme="auto"] .minigrad-stages{--new:#79c3f5;--old:#ff94cb}}
.minigrad-stages input{position:absolute;opacity:0;width:1px;height:1px}
.minigrad-stages label{display:inline-block;padding:3px 10px;margin:0 4px 4px 0;cursor:pointer}
.minigrad-stages label{border:1px solid #6b7280;border-radius:6px}
.minigrad-stages input:checked+label{color:var(--new);border-color:var(--new);font-weight:600}
.minigrad-stages input:focus-visible+label{outline:2px solid var(--new);outline-offset:1px}
.minigrad-stages .stage{display:none}
.minigrad-stages p{margin:.3em 0}
.minigrad-stages pre{max-height:28em;overflow:auto;padding:.5em;border:1px solid #6b728080;border-radius:6px}
.minigrad-stages pre span{display:block;white-space:pre}
.minigrad-stages .new{color:var(--new);font-weight:600}
.minigrad-stages .old{color:var(--old)}
"""


def _programs(compiled: CompiledGraph | CompiledStep, off: Collection[str]) -> list[Program]:
    """Write the program's functions again, without these passes."""
    if isinstance(compiled, CompiledGraph):
        return [compile_graph(compiled.outputs, compiled.inputs, off=off).program]
    recipe = replace(compiled._recipe, off=off)
    with drawing_again():
        return (whole if recipe.shards == 1 else in_shards)(recipe).programs


def _new(lines: list[str]) -> tuple[Line, ...]:
    return tuple(("", line) for line in lines)


def _compared(before: list[str], after: list[str]) -> Iterator[Line]:
    """Yield the lines of both texts in order, and mark those that are in one of them alone."""
    for kind, i, i_end, j, j_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from _new(after[j:j_end])
        else:
            yield from (("-", line) for line in before[i:i_end])
            yield from (("+", line) for line in after[j:j_end])
