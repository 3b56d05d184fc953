"""From a sketch to DOT, the language of Graphviz, made with the `graphviz` package.

The colours are those of Okabe and Ito, which people with any kind of colour vision tell apart. No meaning hangs on
colour alone: each kind of node has an outline of its own, and every row of a box begins with a word.
"""

from __future__ import annotations

import re
from collections import Counter
from html import escape

from minigrad.viz.sketch import Arrow, Box, Sketch

FONT = "Arial,Helvetica,Liberation Sans,DejaVu Sans,sans-serif"
INK, GREY, ADJOINT = "#1F2933", "#5F6B7A", "#A84300"  # each readable on each of the fills below
LOOKS = {
    "constant": {"style": "filled,dashed", "fillcolor": "#F3F4F6", "color": "#6B7280"},
    "variable": {"style": "filled", "fillcolor": "#E3F1FB", "color": "#0072B2", "penwidth": "1.6"},
    "operator": {"style": "filled,rounded", "fillcolor": "#FFF6E0", "color": "#8A6100"},
}


def dot_text(sketch: Sketch, direction: str) -> str:
    """The sketch as DOT. Raises ImportError with what to do where the graphviz package is missing."""
    try:
        import graphviz
    except ImportError:
        raise ImportError("DOT text is made by the Python package graphviz: `pip install graphviz`") from None
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": direction, "bgcolor": "white", "pad": "0.2", "nodesep": "0.2", "ranksep": "0.35",
            "fontname": FONT, "fontsize": "11", "fontcolor": GREY, "labelloc": "b",
        },
        node_attr={"shape": "box", "fontname": FONT, "fontsize": "12", "fontcolor": INK, "margin": "0.07,0.04",
                   "height": "0", "width": "0", "penwidth": "1.2"},
        edge_attr={"color": "#6B7280", "arrowsize": "0.7", "penwidth": "1.1", "fontname": FONT, "fontsize": "10",
                   "fontcolor": GREY, "labeldistance": "1.4"},
    )  # fmt: skip
    if len(sketch.boxes) > 150:  # beyond what is read: settle for a layout less polished, found in bearable time
        graph.attr(nslimit="2", nslimit1="2", mclimit="0.5")
    if sketch.caption:
        graph.attr(label=_html(f"<br/>{_plain(sketch.caption)}"))
    keys = box_keys(sketch)
    for k, (key, box) in enumerate(zip(keys, sketch.boxes, strict=True)):
        looks = dict(LOOKS[box.kind], **{"class": box.kind, "id": f"node_{k}"})
        if box.output:
            looks["penwidth"] = "2.4"
        if box.count > 1:
            looks["peripheries"] = "2"
        graph.node(key, label=_card(box), **looks)
    for arrow in sketch.arrows:
        graph.edge(keys[arrow.tail], keys[arrow.head], **_arrow_looks(arrow))
    return graph.source


def box_keys(sketch: Sketch) -> list[str]:
    """What each box is called in the DOT text: its name where that is plain and no other's, else its place."""
    names = [box.name or box.title for box in sketch.boxes]
    count = Counter(names)
    plain = re.compile(r"[A-Za-z]\w*", re.ASCII)
    return [name if plain.fullmatch(name) and count[name] == 1 else f"_{i}" for i, name in enumerate(names)]


def _html(inner: str) -> str:
    return f"<{inner}>"


def _card(box: Box) -> str:
    """The label of a box: a table of one line for the title and the name, and one line for each row."""
    size = 17 if len(box.title) == 1 and box.kind == "operator" else 14  # signs such as + are small in most fonts
    title = _minus(box.title) if box.kind == "constant" else box.title
    title = f'<font point-size="{size}"><b>{_plain(title)}</b></font>'
    if box.name:
        name = f'<font point-size="11" color="{GREY}">  <i>{_plain(box.name)}</i></font>'
        head = f'<td align="left">{title}</td><td align="right">{name}</td>'
    else:
        side = "left" if box.rows else "center"
        head = f'<td align="{side}" colspan="2">{title}</td>'
    lines = [head]
    for word, value in box.rows:
        colour = ADJOINT if word == "adjoint" else INK
        lines.append(
            f'<td align="left"><font point-size="10" color="{GREY}">{word}  </font></td>'
            f'<td align="right"><font color="{colour}">{_plain(_minus(value))}</font></td>'
        )
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    return _html(f'<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{rows}</table>')


def _plain(text: str) -> str:
    """Text as Graphviz's labels take it: nothing in it is markup, and no backslash stands for something else."""
    return escape(text).replace("\\", "\\\\")


def _minus(text: str) -> str:
    """Numbers with minus signs instead of hyphens, which are as wide as a plus."""
    return re.sub(r"-(?=[\d.i])", "−", text)


def _arrow_looks(arrow: Arrow) -> dict[str, str]:
    looks = {}
    if arrow.position is not None:
        looks["headlabel"] = str(arrow.position)
        looks["labelangle"] = "30" if arrow.position > 1 else "-30"
    if arrow.count > 1:
        looks["label"] = f"{arrow.count:,}×"
        looks["penwidth"] = "1.8"
    return looks
