"""Slides of a lesson: its title, its pictures, one question with what comes out, and its five lines."""

import re
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("mdit_py_plugins", reason="`make docs` installs what the site needs")
sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))

import slides  # noqa: E402

ASKS = "# Your guess?\nfrom minigrad_course.guesses import ask\n\nask('02-1', {!r}, 'answer', options={!r})"


def cells(*contents):
    """A notebook that has run: words, or pairs of a source and the data that it shows."""
    made = []
    for content in contents:
        if isinstance(content, str):
            made.append(nbformat.v4.new_markdown_cell(content))
        else:
            source, data = content
            shown = [nbformat.v4.new_output("display_data", data, metadata={"image/png": {"alt": "A <line>"}})]
            made.append(nbformat.v4.new_code_cell(source, outputs=shown if data else []))
    return nbformat.v4.new_notebook(cells=made)


DECK = slides.deck(
    cells(
        "# 2 · $x_1$ and `y`\n\nFirst, see [lesson 01](01_four_ways.ipynb#The-V).\n\nSecond.\n\nThird.",
        "## A line\n\nWords.",
        ("plot()", {"image/png": "UE5H\n", "text/plain": "A <line>"}),
        "What it shows.\n\nMore.",
        (ASKS.format("How many < two?", ("one", "$k$")), {"text/html": "<b>field</b>"}),
        ("nothing()", None),
        ("1 + 0", {"text/plain": "1"}),
        "## Another",
        (ASKS.format("And now?", ()), {"text/html": "<b>field</b>"}),
        ("graph", {"text/html": "<svg>graph</svg>"}),
        ("film", {"text/html": "<div class='minigrad-film'><svg></svg></div>"}),
        ("widget", {"text/html": "<svg></svg><script>1</script>"}),
        "## In five lines\n\n1. $a_b$ is one.\n\n## The source\n\nElsewhere.",
    ),
    "02_dual",
)
SLIDES = re.findall(r"<section>(.*?)</section>", DECK, re.DOTALL)


def test_slides_are_the_title_pictures_a_question_its_answer_and_five_lines():
    title, line, question, answer, graph, five = SLIDES
    assert "<title>2 · x_1 and y: slides</title>" in DECK
    assert r"<h1>2 · \(x_1\) and <code>y</code></h1>" in title
    assert '<a href="../notebooks/01_four_ways.html#The-V">lesson 01</a>' in title
    assert "Second." in title
    assert "Third." not in title
    assert '<h2>A line</h2><figure><img src="data:image/png;base64,UE5H" alt="A &lt;line&gt;"></figure>' in line
    assert '<aside class="notes"><p>What it shows.</p>' in line
    assert '<p class="question">How many &lt; two?</p><ul><li>one</li><li>\\(k\\)</li></ul>' in question
    assert "<pre>1 + 0</pre><pre>1</pre>" in answer, "of the first cell that shows something"
    assert "<h2>Another</h2><figure><svg>graph</svg></figure>" in graph
    assert r"<li>\(a_b\) is one.</li>" in five
    assert "Elsewhere" not in DECK


def test_nothing_comes_from_elsewhere():
    assert re.findall(r'(?:src|href)="(?:https?:)?//', DECK) == []
