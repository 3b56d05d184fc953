"""Show explore in a page without a kernel: the views' data in the page, and a small host in place of the widget.

The views ask Python only for the compiled program, so it comes along. One script serves all views of a page and finds
their data. It is a plain script, since browsers load no modules from files. Without scripts, the still picture shows.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

HERE = Path(__file__).parent

HOST = """
const start = () => {
  for (const place of document.querySelectorAll(".minigrad-explore:not([data-alive])")) {
    place.dataset.alive = "yes"
    const data = JSON.parse(place.querySelector("script").textContent)
    const model = { get: name => data[name], set: (name, value) => { data[name] = value }, save_changes() {}, on() {}, off() {} }
    const el = document.createElement("div")
    place.querySelector(".minigrad-still").replaceWith(el)
    render({ model, el })
  }
}
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start)
else start()
"""  # fmt: skip # noqa: E501


def piece_of_page(still: str, **data: object) -> str:
    """HTML for one explore: the still picture, and the data of the views that take its place."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div class="minigrad-explore"><script type="application/json">{text}</script>{still}</div>'


def script() -> str:
    """The script of a page in which there are such pieces."""
    return f"(() => {{\n{module(HERE / 'explore.js', 'render')}{HOST}}})()\n"


def module(path: Path, *names: str) -> str:
    """Return a module's script as a statement of a plain script, which defines some of its names."""
    text = re.sub(r"^import .*\n|^export default .*|^export ", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    inside = f"{{ {', '.join(names)} }}"
    return f"const {inside} = (() => {{\n{text}\nreturn {inside} }})()\n"


def style() -> str:
    """The style sheet of such a page."""
    return (HERE / "explore.css").read_text(encoding="utf-8")
