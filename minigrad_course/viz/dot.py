"""Translate a sketch to DOT, the language of Graphviz, with the `graphviz` package."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from minigrad.guards.installation import install
from minigrad_course.viz import looks
from minigrad_course.viz.looks import ADJOINT, FONT, GREY, INK
from minigrad_course.viz.sketch import Arrow, Box, Frame, Sketch

if TYPE_CHECKING:
    from graphviz import Digraph


def dot_text(sketch: Sketch, direction: str) -> str:
    """Return the sketch as DOT. Raises ImportError, with advice, if the graphviz package is missing."""
    try:
        import graphviz
    except ImportError:
        raise ImportError(f"DOT text is made by the Python package graphviz: {install('graphviz')}") from None
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": direction, "bgcolor": "white", "pad": "0.2", "nodesep": "0.2", "ranksep": "0.35",
            "fontname": FONT, "fontsize": "11", "fontcolor": GREY, "labelloc": "b",
        },
        node_attr={"shape": "box", "fontname": FONT, "fontsize": "12", "fontcolor": INK, "margin": "0.07,0.04",
                   "height": "0", "width": "0", "penwidth": "1.2"},
        edge_attr={"color": looks.ARROW, "arrowsize": "0.7", "penwidth": "1.1", "fontname": FONT, "fontsize": "10",
                   "fontcolor": GREY, "labeldistance": "1.4"},
    )  # fmt: skip
    if any(arrow.head_frame is not None or arrow.tail_frame is not None for arrow in sketch.arrows):
        graph.attr(compound="true")  # arrows that end at frames
    if sketch.caption:
        graph.attr(label=_html(f"<br/>{_plain(sketch.caption)}"))
    keys = box_keys(sketch)
    _add_frame(graph, graphviz.Digraph, sketch, keys, None)
    for arrow in sketch.arrows:
        places = _places(arrow, sketch)
        graph.edge(keys[arrow.tail], keys[arrow.head], **places, **_arrow_looks(arrow, sketch))
    return graph.source


def box_keys(sketch: Sketch) -> list[str]:
    """Choose each box's key in the DOT text: its name if that is plain and unique, else its index."""
    names = [box.name if box.name and box.kind != "block" else box.title for box in sketch.boxes]
    count = Counter(names)
    plain = re.compile(r"[A-Za-z]\w*", re.ASCII)
    return [name if plain.fullmatch(name) and count[name] == 1 else f"_{i}" for i, name in enumerate(names)]


def _add_frame(graph: Digraph, new_graph: type[Digraph], sketch: Sketch, keys: list[str], frame: int | None) -> None:
    """Add the boxes and inner frames that lie directly in `frame` to `graph`."""
    for k, box in enumerate(sketch.boxes):
        if box.frame == frame:
            graph.node(keys[k], id=f"node_{k}", **_box_looks(box))
    for k, inner in enumerate(sketch.frames):
        if inner.outer == frame:
            cluster = new_graph(f"cluster_{k}", graph_attr=_frame_looks(inner) | {"id": f"frame_{k}"})
            _add_frame(cluster, new_graph, sketch, keys, k)
            graph.subgraph(cluster)


def _html(inner: str) -> str:
    return f"<{inner}>"


def _box_looks(box: Box) -> dict[str, str]:
    look = looks.of_box(box)
    style = {"constant": "filled,dashed", "variable": "filled"}.get(box.kind, "filled,rounded")
    if box.wrong:
        style = style.replace(",dashed", "") + ",dashed"
    attributes = {"label": _card(box, look), "class": " ".join(look.classes), "style": style}
    attributes |= {"fillcolor": look.fill, "color": look.line, "penwidth": f"{look.width:g}"}
    if box.count > 1:
        attributes["peripheries"] = "2"
    return attributes


def _card(box: Box, look: looks.Look) -> str:
    """Lay out a box as a table: one line for the title and the name, and one for each row."""
    size = 17 if len(box.title) == 1 and box.kind == "operator" else 14  # signs such as + are small in most fonts
    title = _font(looks.minus(box.title) if box.kind == "constant" else box.title, INK, size, bold=True)
    if box.name:
        name = _font(box.name, GREY, 11, italic=True)
        head = f'<td align="left">{title}</td><td align="right">{_font("  ", GREY, 11)}{name}</td>'
    else:
        side = "left" if box.rows else "center"
        head = f'<td align="{side}" colspan="2">{title}</td>'
    lines = [head]
    for word, value in box.rows:
        colour = ADJOINT if word == "adjoint" else INK
        lines.append(
            f'<td align="left">{_font(f"{word}  ", GREY, 10)}</td>'
            f'<td align="right">{_font(looks.minus(value), colour)}</td>'
        )
    for word, value in box.wrong:
        what = _font(f"{word}  ", look.line, 10 if value else 11, bold=True)
        span = "" if value else ' colspan="2"'
        number = f'<td align="right">{_font(looks.minus(value), look.line, bold=True)}</td>' if value else ""
        lines.append(f'<td align="left"{span}>{what}</td>{number}')
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    return _html(f'<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{rows}</table>')


def _font(text: str, colour: str, size: int = 0, bold: bool = False, italic: bool = False) -> str:
    inner = _plain(text)
    inner = f"<b>{inner}</b>" if bold else f"<i>{inner}</i>" if italic else inner
    points = f' point-size="{size}"' if size else ""
    return f'<font color="{colour}"{points}>{inner}</font>'


def _frame_looks(frame: Frame) -> dict[str, str]:
    colour = ADJOINT if frame.backward else GREY
    label = f"<b>{_plain(frame.title)}</b>" + (f"  <i>{_plain(frame.kind)}</i>" if frame.kind else "")
    attributes = {
        "style": "rounded",
        "bgcolor": "transparent",
        "color": colour,
        "fontcolor": colour,
        "labelloc": "t",
        "labeljust": "l",
    }
    attributes |= {"penwidth": "1", "margin": "10", "fontsize": "12", "label": _html(label)}
    attributes["class"] = "backward" if frame.backward else "forward"
    return attributes


def _plain(text: str) -> str:
    """Escape text for Graphviz's labels, which would read markup and backslashes."""
    return escape(text).replace("\\", "\\\\")


def _places(arrow: Arrow, sketch: Sketch) -> dict[str, str]:
    """Return the attributes that place steps side by side: each no higher than the one before, shared inputs above
    all.
    """
    tail, head = (sketch.within(sketch.boxes[k].frame, sketch.abreast) for k in (arrow.tail, arrow.head))
    if head is None or tail == head:
        return {}
    return {"minlen": "2"} if tail is None else {"constraint": "false"}


def _arrow_looks(arrow: Arrow, sketch: Sketch) -> dict[str, str]:
    attributes: dict[str, str] = {}
    tail, head = sketch.boxes[arrow.tail], sketch.boxes[arrow.head]
    if head.backward and not tail.backward:  # a forward value that the backward part reads
        attributes |= {"style": "dashed", "class": "read"}
    elif head.backward:
        attributes |= {"color": ADJOINT, "class": "back"}
    if arrow.position is not None:
        attributes["headlabel"] = str(arrow.position)
        attributes["labelangle"] = "30" if arrow.position > 1 else "-30"
    if arrow.count > 1:
        attributes |= {"label": f"{arrow.count:,}×", "penwidth": "1.8"}
    if arrow.head_frame is not None:
        attributes["lhead"] = f"cluster_{arrow.head_frame}"
    if arrow.tail_frame is not None:
        attributes["ltail"] = f"cluster_{arrow.tail_frame}"
    return attributes
