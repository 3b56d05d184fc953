"""Turn a graph into a picture: choose its nodes, the boxes they share, and the arrows between them."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from minigrad.core import rules
from minigrad.core.block import Block
from minigrad.core.graph import Graph, Node, topological_order
from minigrad_course.viz.boxes import Boxes, count_kinds, label, name_boxes
from minigrad_course.viz.fold import Unit
from minigrad_course.viz.fold import fold as fold_graph
from minigrad_course.viz.frames import Frames
from minigrad_course.viz.items import Item, is_backward, items_of, passes, without_outermost
from minigrad_course.viz.picture import Picture
from minigrad_course.viz.sketch import Arrow, Box, Sketch

DIRECTIONS = ("LR", "TB", "RL", "BT")
LONGEST_ROW = 12  # boxes from left to right that stay readable at a notebook's width
WIDEST = 1260  # pixels, generously estimated, that such a row may take: a notebook beside its sidebar
ALONG, BESIDE = 34.0, 20.0  # pixels between boxes along a path, and between those of one row
MAX_NODES = 100  # more boxes than this are unreadable; up to here the layout takes well under a second
BUNDLE = 6  # arrows from one box into one frame; as many or more become one arrow to the frame
SIDE_BY_SIDE = 4  # arrows between the same two boxes; more become one arrow with a count

UNORDERED = {rules.add, rules.mul, rules.maximum, rules.minimum, rules.equal, rules.not_equal}

Names = str | Sequence[str]


def draw(
    *outputs: Node | Graph | Sequence[Node],
    adjoints: bool = True,
    direction: str | None = None,
    fold: bool | Names | None = None,
    max_nodes: int = MAX_NODES,
) -> Picture:
    """Draw the graph that `outputs` are computed from, as a picture that displays itself and can be saved.

    outputs: one or more nodes, lists of nodes (such as `mg.adjoints` returns), or a Graph.
    adjoints: whether to show the adjoints that the last backward pass left in the nodes.
    direction: where the results lie: "LR" to the right, "TB" below, "RL" to the left, "BT" above. Not said, to the
        right; but below if the way to a result is long, because notebooks scroll downwards.
    fold: parts of the program to show as one box each, by name or kind: "rnn", "Linear", "step", "step 3", or several
        of these. True folds all layers and parts; False nothing. Not said, they are folded where there is no room.
    max_nodes: the largest number of boxes.

    Layers (`mg.nn.Module`) and what is made in a `with mg.block("step", t):` have a frame around them. A Variable has
    square corners, an Operator round ones, a Constant a dashed outline. A thick outline marks an output, a double one a
    folded part. The reverse part of a graph has a frame and a colour of its own, and adjoints are called
    x_bar there. Arrows lead from inputs to what is computed from them; they are numbered where exchanging two inputs
    would matter. Values are those at the moment of the call: 6 significant digits for a number; 3 for the entries of
    an array of up to 3, and for the range of a larger one.

    Raises TypeError for what is no node; ValueError for an unknown direction or part, and for a graph that does not
    fold into so few boxes.

    >>> x = mg.Variable(3.0, name="x")
    >>> picture = mg.draw(x * x)  # at the end of a cell it shows itself
    >>> picture.save("square.svg")  # doctest: +SKIP
    """
    if direction not in (None, *DIRECTIONS):
        raise ValueError(f"draw knows direction {', '.join(map(repr, DIRECTIONS))}; got {direction!r}")
    if max_nodes < 1:
        raise ValueError(f"draw needs room for at least one box, got max_nodes={max_nodes}")
    ends = list(dict.fromkeys(_nodes(outputs)))
    if not ends:
        raise TypeError("draw needs a node to start from: draw(f), draw(f, g), draw(mg.adjoints(f, [x, y]))")
    items = items_of(topological_order(*ends))
    closed = _Named(fold if not isinstance(fold, bool) and fold else ())
    _check_names(closed.names, items)
    without_outermost(items, closed)
    place = {item.node: k for k, item in enumerate(items)}
    results = [place[node] for node in ends]
    units = fold_graph(items, closed, fold if isinstance(fold, bool) else None, max_nodes)
    if units is None:
        arrows = sum(len(item.inputs) for item in items)
        raise ValueError(
            f"{len(items):,} nodes with {arrows:,} arrows are more than one picture shows, and laying them out could "
            f"take minutes. {'Leave fold=False away, or make' if fold is False else 'Make'} parts of the program in "
            f"`with mg.block(...)`, which fold; or raise max_nodes to {max(len(items), -(-arrows // 3)):,} and wait"
        )
    named = all(unit.block is None or closed(unit.block) for unit in units)
    why = [f"{name} as one box" for name in sorted(closed.names)] + ["each layer or part as one box"] * (not named)
    sketch = _sketch(items, results, units, why, adjoints)
    shown = [[items[k].node for k in unit.items] for unit in units]
    if direction is None and (steps := _steps_abreast(sketch)):
        sketch, direction = replace(sketch, abreast=steps), "TB"
    return Picture(sketch, direction or ("LR" if _fits_in_a_row(sketch) else "TB"), shown)


def _nodes(outputs: Sequence[Any]) -> Iterator[Node]:
    """Yield the nodes in draw's arguments; a graph yields those that no other of its nodes reads."""
    for x in outputs:
        if isinstance(x, Node):
            yield x
        elif isinstance(x, Graph):
            used = {id(i) for node in x.nodes for i in node.inputs}
            yield from (node for node in x.nodes if id(node) not in used or node is x.output)
        elif isinstance(x, list | tuple):
            yield from _nodes(x)
        else:
            hint = ". Call it on Variables, and draw what it returns" if callable(x) else ""
            raise TypeError(f"draw needs a node or a Graph, got a {type(x).__name__}{hint}")


class _Named:
    """Test whether a block is among those named: by name, by name and number, or by kind."""

    def __init__(self, names: Names):
        self.names = {names} if isinstance(names, str) else set(names)

    def __call__(self, block: Block) -> bool:
        return not self.names.isdisjoint(_called(block))


def _called(block: Block) -> tuple[str, str, str]:
    return block.name, label(block), block.kind


def _check_names(names: set[str], items: Sequence[Item]) -> None:
    """Reject a name that no part has, and list the names that exist."""
    blocks = dict.fromkeys(block for item in items for block in item.path)
    known = dict.fromkeys(name for block in blocks for name in _called(block))
    if unknown := sorted(names - set(known)):
        available = dict.fromkeys(name for block in blocks for name in (block.name, block.kind))
        close = difflib.get_close_matches(unknown[0], known, 1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        parts = f"There are {', '.join(map(repr, available))}"
        nothing = "It has no layers, and no mg.block was used"
        raise ValueError(f"draw finds no part {unknown[0]!r} in this graph. {hint}{parts if available else nothing}")


def _sketch(items: list[Item], outputs: list[int], units: list[Unit], why: list[str], adjoints: bool) -> Sketch:
    names, names_of_items = name_boxes(units, items)
    frames = Frames(units, passes(items))
    unit_of = {k: unit for unit in units for k in unit.items}
    used = {k for j, item in enumerate(items) for k in item.inputs if unit_of[k] is not unit_of[j]} | set(outputs)
    makes = Boxes(items, names_of_items, adjoints)
    boxes = [
        replace(
            makes.make(unit, name, used),
            output=not set(outputs).isdisjoint(unit.items),
            backward=is_backward(unit.path),
            frame=frame,
        )
        for unit, name, frame in zip(units, names, frames.of_box, strict=True)
    ]
    caption = ""
    if len(units) < len(items) and why:
        caption = f"{len(items):,} nodes folded into {len(units)} boxes: {'; '.join(why)}"
    shown = [names_of_items[k] for k in outputs[:8]] + (["…"] if len(outputs) > 8 else [])
    summary = f"Graph of {count_kinds(items)}. Output: {', '.join(shown)}."
    arrows = _bundled(list(_arrows(items, units)), boxes)
    return Sketch(tuple(boxes), tuple(arrows), summary, caption, tuple(frames.all))


def _arrows(items: list[Item], units: list[Unit]) -> Iterator[Arrow]:
    """Yield an arrow for each input of each node; folded nodes get one arrow with a count for parallel ones."""
    counts: Counter[tuple[int, int, int | None]] = Counter()
    box_of = {k: box for box, unit in enumerate(units) for k in unit.items}
    for j, item in sorted(enumerate(items), key=lambda pair: box_of[pair[0]]):
        ordered = len(item.inputs) > 1 and item.node.op not in UNORDERED and units[box_of[j]].block is None
        tails = [box_of[k] for k in item.inputs if box_of[k] != box_of[j]]
        places = Counter(tails)
        for i, tail in enumerate(tails, 1):
            numbered = ordered and places[tail] <= SIDE_BY_SIDE  # 28 states joined together are one arrow
            counts[tail, box_of[j], i if numbered else None] += 1
    for (tail, head, position), count in counts.items():
        single = units[tail].block is None and units[head].block is None
        if count <= SIDE_BY_SIDE and single:
            yield from [Arrow(tail, head, position)] * count
        else:
            yield Arrow(tail, head, position, count)


def _bundled(arrows: list[Arrow], boxes: Sequence[Box]) -> Iterator[Arrow]:
    """Merge many arrows between a box and the boxes of a frame (from shared weights, say) into one to the frame."""
    into: defaultdict[tuple[int, int], list[Arrow]] = defaultdict(list)
    out: defaultdict[tuple[int, int], list[Arrow]] = defaultdict(list)
    for arrow in arrows:
        tail, head = boxes[arrow.tail].frame, boxes[arrow.head].frame
        if head is not None and tail != head:
            into[arrow.tail, head].append(arrow)
        if tail is not None and tail != head:
            out[tail, arrow.head].append(arrow)
    bundles: list[tuple[list[Arrow], int | None, int | None]]
    bundles = [(many, None, frame) for (_, frame), many in into.items()]
    bundles += [(many, frame, None) for (frame, _), many in out.items()]
    gone: set[int] = set()
    for many, tail_frame, head_frame in bundles:
        if len(many) >= BUNDLE and not any(id(arrow) in gone for arrow in many):
            gone.update(map(id, many))
            end = many[0] if tail_frame is None else many[-1]
            count = sum(arrow.count for arrow in many)
            yield Arrow(end.tail, end.head, None, count, tail_frame=tail_frame, head_frame=head_frame)
    yield from (arrow for arrow in arrows if id(arrow) not in gone)


def _steps_abreast(sketch: Sketch) -> frozenset[int]:
    """Return the frames of a loop's steps if they fit side by side, each laid out from top to bottom."""
    steps = [k for k, frame in enumerate(sketch.frames) if frame.number is not None]
    if len(steps) < 2 or len({sketch.frames[k].outer for k in steps}) > 1 or any(box.backward for box in sketch.boxes):
        return frozenset()
    step_of = [sketch.within(box.frame, steps) for box in sketch.boxes]
    depth = [0] * len(sketch.boxes)
    rows: defaultdict[tuple[int, int], float] = defaultdict(float)
    for arrow in sorted(sketch.arrows, key=lambda arrow: arrow.head):
        tail, head = step_of[arrow.tail], step_of[arrow.head]
        if tail == head:
            depth[arrow.head] = max(depth[arrow.head], depth[arrow.tail] + 1)
        elif tail is not None and head is not None and tail > head:
            return frozenset()  # not from left to right
    for box, step, row in zip(sketch.boxes, step_of, depth, strict=True):
        if step is not None:
            rows[step, row] += box.width + BESIDE
    width = sum(max(wide for (step, _), wide in rows.items() if step == k) for k in steps)
    return frozenset(steps) if width <= WIDEST else frozenset()


def _fits_in_a_row(sketch: Sketch) -> bool:
    """Tell whether the longest path fits in a row, ignoring back edges."""
    row = sketch.longest_paths([1.0] * len(sketch.boxes))
    width = sketch.longest_paths([box.width + ALONG for box in sketch.boxes])
    return max(row) <= LONGEST_ROW and max(width) <= WIDEST
