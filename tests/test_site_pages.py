"""Pages of the site: outputs as in JupyterLab, or where they are alive in words; nothing white in the dark."""

from __future__ import annotations

import base64
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from built_site import small_site

nbformat = pytest.importorskip("nbformat", reason="a notebook is written")
ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))

import page_faults  # noqa: E402
import stills  # noqa: E402

TABLE = "| | seconds |\n|---|---|\n| ours | 1.5 |"


def shown(**data):
    """An output with these kinds of data."""
    kinds = {"plain": "text/plain", "markdown": "text/markdown", "png": "image/png", "html": "text/html"}
    data = {kinds.get(name, name): value for name, value in data.items()}
    return nbformat.v4.new_output("display_data", data)


def view(model, plain, **data):
    return shown(plain=plain, **{stills.VIEW: {"model_id": model}}, **data)


ABOUT = {"alt": "A curve", "width": 30}
HERE = str(Path(sys.prefix).parent)
PNG = base64.b64encode((ROOT / "docs" / "pictures" / "preview.png").read_bytes()).decode()


@pytest.fixture
def executed():
    """A notebook that has run: a table, sliders with a table, a widget alone, a live picture, a printed bar."""
    book = nbformat.v4.new_notebook()
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    outputs = [
        [shown(markdown=TABLE, plain="<IPython.core.display.Markdown object>")],
        [view("box", "interactive(children=(FloatSlider(value=1.0, description='x <h>'), Output()))")],
        [view("lonely", "LonelyModel()")],
        [view("lonely", "a picture", html="<b>last picture</b>")],
        [view("unknown", "VBox(children=())")],
        [nbformat.v4.new_output("stream", name="stdout", text=f"| a |---| b |\n{HERE}/notebooks/x.png\n")],
        [nbformat.v4.new_output("display_data", {"image/png": PNG}, metadata={"image/png": ABOUT})],
    ]
    source = "import ipywidgets; ipywidgets.FloatSlider(description='code may say this')"
    book.cells = [nbformat.v4.new_markdown_cell("# A page")]
    book.cells += [nbformat.v4.new_code_cell(source, outputs=each, execution_count=1) for each in outputs]
    inner = [shown(markdown=TABLE, plain="<IPython.core.display.Markdown object>"), view("lonely", "LonelyModel()")]
    states = {
        "box": {"children": ["IPY_MODEL_slider", "IPY_MODEL_inside", "IPY_MODEL_gone"]},
        "slider": {"description": "x <h>", "value": 1.0},
        "inside": {"outputs": inner},
        "lonely": {},
    }
    states = {key: {"model_name": key, "state": state} for key, state in states.items()}
    book.metadata.widgets = {stills.STATE: {"state": states, "version_major": 2, "version_minor": 0}}
    return book


def test_a_page_is_as_it_should_be(executed, tmp_path):
    site = small_site(tmp_path, {"index": executed})
    html = (site / "index.html").read_text(encoding="utf-8")
    assert page_faults.of_site(site) == []
    assert len(re.findall(r"<td>\s*(?:<p>)?1\.5", html)) == 2
    assert "to be moved where the notebook runs" in html
    assert "<b>last picture</b>" in html
    assert "vnd.jupyter.widget" not in html
    assert "…/notebooks/x.png" in html
    assert HERE not in html
    [picture] = re.findall(r'<img [^>]*alt="A curve"[^>]*>', html)
    assert 'height="' in picture
    assert 'loading="lazy"' in picture
    assert not re.search(r"<th\b[^>]*>(\s|</?p>)*</th>", html), "an empty corner heads nothing"
    assert [re.search(r'aria-label="([^"]+)"', bar)[1] for bar in re.findall("<aside[^>]*>", html)] == [
        "All pages", "On this page",
    ]  # fmt: skip
    assert "SHORTCUTS: false" in (site / "_static" / "documentation_options.js").read_text(encoding="utf-8")
    assert "<h1>Search</h1>" in (site / "search.html").read_text(encoding="utf-8")


PARTS = ("notebooks/*.ipynb", "exercises/*/*.ipynb", "project/*.ipynb")
NOTEBOOKS = [path for part in PARTS for path in sorted(ROOT.glob(part)) if ".mine" not in path.name]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_can_be_read_aloud(path):
    """One title, headings without a gap, each another; words for every picture, and links that say where they lead.

    These are jupyterlab-a11y-checker's rules for what a notebook says, without those for colors, which axe measures.
    """
    book = nbformat.read(path, as_version=4)
    text = "\n\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    headings = re.findall(r"^(#+) *(.*)", text, re.MULTILINE)
    levels = [len(marks) for marks, _ in headings]
    assert all(words.strip() for _, words in headings)
    assert [marks for marks, count in Counter(headings).items() if count > 1 and len(marks[0]) <= 2] == []
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert [(high, low) for high, low in pairwise(levels) if low > high + 1] == []
    assert re.findall(r"!\[\s*\]\([^)]*\)|<img (?![^>]*alt=\"[^\"])[^>]*>", text) == []
    linked = re.findall(r"(?<!!)\[([^\]]*)\]\([^)]*\)|<a [^>]*>(.*?)</a>", text, re.DOTALL)
    words = [re.sub("<[^>]*>", "", markdown or html).strip() for markdown, html in linked]
    vague = [link for link in words if len(link) < 20 and re.search("click|here|link|more|read", link, re.IGNORECASE)]
    assert [link for link in words if link in ("", "this") or re.match(r"https?:|www\.", link)] == vague == []
    assert [table for table in re.findall(r"<table.*?</table>", text, re.DOTALL) if "<th" not in table] == []
