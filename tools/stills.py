"""The output of a notebook, on a page: widgets without a kernel, words for pictures, no folder of the builder's.

A notebook that has run keeps the state of its widgets in its metadata: their words, and what their functions showed.
`still` puts these in the place of each widget's output.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

PAGES = Path(__file__).resolve().parent.parent  # where they are laid out, in build/ of the repository
FOLDERS = [PAGES, PAGES.parent.parent, Path(sys.prefix).parent, Path.home()]
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
PLAIN = "text/plain"


def still(notebook: Any) -> None:
    """Change an executed notebook so that it needs no widgets."""
    states = notebook.metadata.pop("widgets", {}).get(STATE, {}).get("state", {})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [_nowhere(shown) for output in cell.outputs for shown in _still(output, states)]


def _nowhere(output: Any) -> Any:
    """Return an output without the folders of the computer that built the page."""
    if isinstance(output, str):
        for folder in FOLDERS:
            output = output.replace(str(folder), "…") if folder.parent != folder else output
        return output
    if isinstance(output, list):
        return [_nowhere(part) for part in output]
    if isinstance(output, dict):
        return type(output)({key: part if key == "image/png" else _nowhere(part) for key, part in output.items()})
    return output


def _still(output: Any, states: dict[str, Any]) -> Iterator[Any]:
    """An output as it is, without its widget; or, if it is nothing else, what the widget shows."""
    data = output.get("data", {})
    view = data.pop(VIEW, None)
    if view is None or data.keys() - {PLAIN}:
        yield output
        return
    parts = [states[key] for key in _inside(view["model_id"], states)]
    names = [part["state"].get("description") for part in parts]
    controls = ", ".join(f"<em>{escape(name)}</em>" for name in names if name)
    moves = f"{controls}: to be moved where the notebook runs; at first it shows:" if controls else ""
    text = f'<p class="minigrad-where">{moves or "Alive where the notebook runs."}</p>'
    yield type(output)(output, data={"text/html": text, PLAIN: moves}, metadata={})
    for part in parts:
        for shown in part["state"].get("outputs", ()):
            yield from _still(type(output)(shown), states)


def _inside(key: str, states: dict[str, Any]) -> Iterator[str]:
    """A widget, and all that it contains."""
    if key not in states:
        return
    yield key
    for child in states[key]["state"].get("children", ()):
        yield from _inside(child.removeprefix("IPY_MODEL_"), states)


def mend() -> None:
    """Have MyST-NB show notebooks in this way."""
    import myst_nb.core.render as rendering
    import myst_nb.sphinx_ as shown

    create = shown.create_client

    @contextmanager
    @functools.wraps(create)
    def create_client(*args: Any) -> Iterator[Any]:
        with create(*args) as client:
            still(client.notebook)
            yield client

    shown.create_client = create_client
    image = rendering.NbElementRenderer.render_image

    def render_image(self: Any, data: Any) -> Any:
        """Give a picture the words that the notebook has for it, which MyST-NB leaves out."""
        made = image(self, data)
        made[0]["alt"] = data.output_metadata.get(data.mime_type, {}).get("alt", "The picture that this cell draws")
        return made

    rendering.NbElementRenderer.render_image = render_image
