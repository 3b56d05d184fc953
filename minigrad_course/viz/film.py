"""A picture that moves: parts of a drawing that change from step to step, and a sentence for each step.

    film = Film("A point goes up", 200, 100)
    film.add("circle", "point", cx=20, cy=80, r=6, of="value")
    film.step("Here it begins.")
    film.step("Now it is higher.", point={"cy": 20})
    film                                      # in a notebook: play, step, or drag the slider

Everything is in the page, so a film needs neither a kernel nor a network. What plays it is film.js; without scripts
there is the picture of its last step. It never begins by itself, and where a reader wants no motion it is stepped
through and not played.

Colours speak as those of `explore`: of="value" on the way forward, "adjoint" for tangents and adjoints, "wrong". The
modules films_of_* hold one film each, and `minigrad_course.viz` has them as `animate_...`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from minigrad_course.viz.page import DARK_PAGE, LIGHT_PAGE

HERE = Path(__file__).parent
PACE = 1000  # milliseconds from step to step
VARIABLES = {"ink", "grey", "edge", "fwd", "fwd-soft", "rev", "rev-soft", "bad", "bad-soft"}  # of explore.css

Changes = Mapping[str, Any]  # attributes of a part: numbers or texts; "text" is its content


class Film:
    """An animation: parts, and how they change. title: its subject in a few words. width, height: in pixels.

    pace: milliseconds from one step to the next while it plays. In a notebook it shows itself; `text` has its
    sentences, `html` is a piece of a page.
    """

    def __init__(self, title: str, width: float, height: float, pace: int = PACE):
        self.title, self.width, self.height, self.pace = title, width, height, pace
        self.steps: list[dict[str, Any]] = []
        self._parts: dict[str, dict[str, Any]] = {}  # the initial attributes of the named parts
        self._drawn: list[tuple[str, str, dict[str, Any]]] = []  # tag, name, attributes
        self._chapter = ""

    def add(self, tag: str, name: str = "", of: str = "", **attributes: object) -> None:
        """Draw an SVG element: `rect`, `line`, `text`, ...; one with a name can change, and so can its text.

        of: the classes that colour it, such as "value" or "adjoint soft". An underscore in an attribute is a hyphen.
        """
        attributes = {"class": of} | {key.replace("_", "-"): _short(value) for key, value in attributes.items()}
        if name in self._parts:
            raise ValueError(f"there is a part called {name!r} already")
        if name:
            self._parts[name] = attributes
        self._drawn.append((tag, name, attributes))

    def chapter(self, name: str) -> None:
        """Start a chapter with the next step; a button leads to it."""
        self._chapter = name

    def step(self, sentence: str, **changes: Changes) -> None:
        """Add a step: the sentence to show, and the attributes that change."""
        attributes_of: dict[str, dict[str, Any]] = {}
        for name, attributes in changes.items():
            if name not in self._parts:
                raise ValueError(f"there is no part called {name!r} to change")
            attributes_of[name] = {key.replace("_", "-").strip("-"): _short(value) for key, value in attributes.items()}
            for key in attributes_of[name]:
                self._parts[name].setdefault(key, "")  # restored when stepping backwards
        self.steps.append({"sentence": sentence, "chapter": self._chapter, "set": attributes_of})

    def at(self, step: int) -> dict[str, dict[str, Any]]:
        """Return the attributes of all named parts after a step, counted from 0; -1 for the last."""
        now = {name: dict(attributes) for name, attributes in self._parts.items()}
        for one in self.steps[: len(self.steps) if step < 0 else step + 1]:
            for name, attributes in one["set"].items():
                now[name].update(attributes)
        return now

    @property
    def text(self) -> str:
        """All sentences, one below the other."""
        lines = [": ".join(filter(None, [one["chapter"], one["sentence"]])) for one in self.steps]
        return "\n".join([self.title, *(f"{k:3d}  {line}" for k, line in enumerate(lines))])

    def svg(self, step: int = -1) -> str:
        """Return the drawing after a step as SVG."""
        state, drawn = self.at(step), []
        for tag, name, attributes in self._drawn:
            now = state.get(name, attributes)
            words = " ".join(f'{key}="{escape(str(x))}"' for key, x in now.items() if x != "" and key != "text")
            known = f' data-part="{escape(name)}"' if name else ""
            drawn.append(f"<{tag}{known} {words}>{escape(str(now.get('text', '')), quote=False)}</{tag}>")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" class="minigrad-drawing" role="img" '
            f'aria-label="{escape(self.title)}">\n<style>{_style()}</style>\n'
            f'<rect class="panel" width="100%" height="100%" rx="8"></rect>\n' + "\n".join(drawn) + "\n</svg>"
        )

    @property
    def html(self) -> str:
        """Return the last picture with its sentence as HTML, and the data for a script to play all steps."""
        data_of_film = {"title": self.title, "pace": self.pace, "start": self._parts, "steps": self.steps}
        data = json.dumps(data_of_film, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        last = self.steps[-1]["sentence"]
        image = b64encode(self.svg().encode()).decode()
        return (
            f'<div class="minigrad-film" style="max-width:{self.width:g}px"><style>{_style()}</style>'
            f'<img alt="{escape(f"{self.title}. {last}")}" src="data:image/svg+xml;base64,{image}">'
            f'<p class="sentence">{escape(last, quote=False)}</p>'
            f'<script type="application/json">{data}</script><script>{_script()}</script></div>'
        )

    def __repr__(self) -> str:
        return f"<Film: {self.title}. {len(self.steps)} steps. See .text, or show it in JupyterLab>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"text/html": self.html, "text/plain": self.text}


def arrow(x: float, y: float, to_x: float, to_y: float, head: float = 9) -> str:
    """Return the path of an arrow with its head, for a `path` that may turn and grow; of length 0 it is a dot."""
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    head = min(head, length)
    along = ((to_x - x) / length, (to_y - y) / length) if length else (1.0, 0.0)
    back = to_x - head * along[0], to_y - head * along[1]
    side = 0.45 * head * -along[1], 0.45 * head * along[0]
    places = [(x, y), back, (back[0] + side[0], back[1] + side[1]), (to_x, to_y)]
    places += [(back[0] - side[0], back[1] - side[1]), back]
    return "M" + "L".join(f"{_short(float(a))} {_short(float(b))}" for a, b in places)


def number(x: float, digits: int = 3) -> str:
    """Format a number for films: few digits, and a minus sign as wide as a plus."""
    return f"{float(x) + 0.0:.{digits}g}".replace("-", "−")


@cache
def colours(dark: bool) -> dict[str, str]:
    """Return the colours of `explore` by their names in its style sheet."""
    text = (HERE / "explore" / "explore.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", text)
    return {name: both[dark] for name, *both in pairs}


@cache
def _style() -> str:
    """Return the style sheet, in light and dark, also for a drawing alone in an `img`."""
    text = (HERE / "film.css").read_text(encoding="utf-8")
    for word, dark in (("LIGHT_COLOURS", False), ("DARK_COLOURS", True)):
        variables = [f"--{name}:{colour}" for name, colour in colours(dark).items() if name in VARIABLES]
        text = text.replace(word, ";".join([f"--panel:{'#1b2129' if dark else '#fff'}", *variables]))
    return text.replace("LIGHT_PAGE", ",".join(LIGHT_PAGE)).replace("DARK_PAGE", ",".join(DARK_PAGE))


@cache
def _script() -> str:
    return f"(() => {{\n{(HERE / 'film.js').read_text(encoding='utf-8')}}})()"


def _short(value: Any) -> Any:
    """Round numbers to the digits that a drawing needs, as plain Python numbers, and integers where they are whole."""
    if isinstance(value, str):
        return value
    rounded = round(float(value), 2)
    return int(rounded) if rounded == int(rounded) else rounded
