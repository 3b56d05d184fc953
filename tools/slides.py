"""Slides of the lessons, for teachers: reveal.js, built from the notebooks as the site ran them.

    make docs      -> build/site/slides/02_dual_numbers.html

A deck has the lesson's title, its pictures with the headings above them, one question that the lesson asks for a guess,
with what the next cell shows, and its five lines. The paragraph after a picture is in the speaker's notes (key S).
"""

from __future__ import annotations

import ast
import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

REVEAL = (
    "5.2.1", "r7//6mIM5p34hFiDMvYfXgyjXqGRta+/psd9YtytsgRlrpRzFv4RbH76TXd2qD+7ZPZEbpBDhdRhJaFgfQ7zNQ=="
)  # fmt: skip
FILES = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js", "LICENSE")
MOST = 10  # lines of code, or of a result, that a slide has room for
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: slides</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reveal/reset.css">
<link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="slides.css">
<script>window.MathJax = {{ options: {{ enableMenu: false }} }};</script>
<script defer src="../_static/mathjax/tex-chtml.js"></script>
</head>
<body data-theme="light">
<main><div class="reveal"><div class="slides">
{slides}
</div></div></main>
<script src="reveal/reveal.js"></script>
<script src="reveal/notes.js"></script>
<script>
const size = {{ width: 1280, height: 720, margin: 0.06 }};
Reveal.initialize({{ ...size, hash: true, transition: "none", plugins: [RevealNotes] }});
</script>
</body>
</html>
"""
STYLE = """/* Slides: dark ink on white, so that a lesson's pictures need no frame. */
html, body, main { height: 100%; background: #fff; }
.reveal { color: #1f2933; font: 30px/1.4 system-ui, sans-serif; }
.reveal section { text-align: left; }
.reveal :is(h1, h2) { margin: 0 0 .6em; font-weight: 650; line-height: 1.15; }
.reveal h1 { font-size: 64px; }
.reveal h2 { font-size: 40px; }
.reveal p, .reveal li { margin-block: .5em; }
.reveal ol, .reveal ul { padding-left: 1.2em; }
.reveal a { color: #0b5a8f; }
.reveal code { font-size: .9em; }
.reveal pre { font-size: 22px; line-height: 1.35; white-space: pre-wrap; }
.reveal pre + pre { margin-top: 1em; padding-left: .8em; border-left: 4px solid #d5dae1; }
.reveal figure { margin: 0; text-align: center; }
.reveal figure > :is(img, svg), .reveal figure svg { max-width: 100%; max-height: 560px; }
.reveal figure > img { width: 100%; height: 540px; object-fit: contain; }
.reveal .question { font-size: 44px; }
.reveal table { border-collapse: collapse; }
.reveal :is(td, th) { padding: .15em .6em; border-bottom: 1px solid #d5dae1; }
"""

_markdown = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, double_inline=True)
_markdown.add_render_rule("math_inline", lambda self, tokens, i, *_: f"\\({html.escape(tokens[i].content)}\\)")
_markdown.add_render_rule("math_block", lambda self, tokens, i, *_: f"<p>\\[{html.escape(tokens[i].content)}\\]</p>")


def lay_out(site: Path, executed: Path, reveal: Path) -> None:
    """Write a deck for each lesson. executed: the notebooks with outputs; reveal: the unpacked package."""
    folder = site / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "reveal").mkdir(parents=True)
    for file in FILES:
        shutil.copy(reveal / file, folder / "reveal")
    (folder / "slides.css").write_text(STYLE, encoding="utf-8")
    for path in sorted(executed.glob("[0-9]*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        (folder / f"{path.stem}.html").write_text(deck(notebook, path.stem), encoding="utf-8")


class Deck:
    """The slides of a lesson, gathered cell by cell."""

    def __init__(self, name: str) -> None:
        self.name, self.title, self.heading = name, name, ""
        self.slides: list[str] = []
        self.asked = False  # one question is enough
        self.answer = False  # of the question, in the next cell of code

    def add(self, content: str, note: str = "") -> None:
        """Add a slide under the heading that the lesson has reached."""
        notes = f'<aside class="notes">{rendered(note)}</aside>' if note else ""
        self.slides.append(f"<section><h2>{inline(self.heading)}</h2>{content}{notes}</section>")

    def words(self, source: str) -> None:
        """Take the title, the headings and the five lines from a cell of text."""
        for part in re.split(r"^(?=#{1,2} )", source, flags=re.MULTILINE):
            line, _, rest = part.strip().partition("\n")
            if line.startswith("# "):
                self.title = self.heading = line[2:]
                start = rendered("\n\n".join(rest.strip().split("\n\n")[:2]))
                lesson = f'<p><a href="../notebooks/{self.name}.html">The lesson</a></p>'
                self.slides.append(f"<section><h1>{inline(self.title)}</h1>{start}{lesson}</section>")
            elif line.startswith("## "):
                self.heading = line[3:]
                if self.heading == "In five lines":
                    self.add(rendered(rest))

    def code(self, cell: Any, note: str) -> None:
        """Take what a cell shows, or the question that it asks."""
        if question := asked_in(cell.source):
            if not self.asked:
                self.add(question)
                self.asked = self.answer = True
            return
        shown = list(pictures(cell))
        for picture in shown:
            self.add(picture, note)
        if self.answer and (shown or (words := printed(cell))):
            if not shown:
                self.add(as_lines(cell.source) + words, note)
            self.answer = False

    def page(self) -> str:
        return PAGE.format(title=html.escape(re.sub(r"[$`\\]", "", self.title)), slides="\n".join(self.slides))


def deck(notebook: Any, name: str) -> str:
    """Return the page of a lesson's slides."""
    made = Deck(name)
    cells = [cell for cell in notebook.cells if cell.source.strip()]
    for cell, after in zip(cells, [*cells[1:], nbformat.v4.new_code_cell()], strict=True):
        if cell.cell_type == "markdown":
            made.words(cell.source)
        else:
            follows = after.cell_type == "markdown" and not after.source.startswith("#")
            made.code(cell, after.source.split("\n\n")[0] if follows else "")
    return made.page()


def asked_in(source: str) -> str:
    """Return the question of a cell that asks for a guess, with its choices."""
    if "minigrad_course.guesses import ask" not in source:
        return ""
    call = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    question = re.sub(r"^### [^?.!]*?(?=[A-Z])", "", ast.literal_eval(call.args[1]))
    options = [ast.literal_eval(word.value) for word in call.keywords if word.arg == "options"]
    choices = "".join(f"<li>{inline(option)}</li>" for option in (options[0] if options else ()))
    return f'<p class="question">{inline(question)}</p>' + (f"<ul>{choices}</ul>" if choices else "")


def pictures(cell: Any) -> Iterator[str]:
    """Yield the pictures that a cell shows: Matplotlib's and drawn graphs; what moves stays in the lesson."""
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data:
            words = output.metadata.get("image/png", {}).get("alt", "")
            url = "data:image/png;base64," + data["image/png"].replace("\n", "")
            yield f'<figure><img src="{url}" alt="{html.escape(words)}"></figure>'
        elif "<svg" in (markup := data.get("text/html", "")) and "<script" not in markup and "film" not in markup:
            yield f"<figure>{markup}</figure>"


def printed(cell: Any) -> str:
    """Return what a cell prints or returns; empty if that is nothing."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return as_lines("".join(texts)) if any(texts) else ""


def as_lines(text: str) -> str:
    """Return lines of code or of a result, cut to what a slide has room for."""
    lines = text.splitlines()
    cut = [*lines[:MOST], "…"] if len(lines) > MOST else lines
    return f"<pre>{html.escape(chr(10).join(cut))}</pre>"


def rendered(markdown: str) -> str:
    """Turn a lesson's text into HTML, its links leading to the site's pages."""
    markup = _markdown.render(markdown)
    return re.sub(r'href="(?!https?:)(?:\.\./notebooks/)?([\w-]+)\.ipynb', r'href="../notebooks/\1.html', markup)


def inline(markdown: str) -> str:
    """Turn a line of a lesson's text into HTML."""
    return _markdown.renderInline(markdown)
