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
from minigrad.loops.scan import Scan
from minigrad_course.viz.boxes import block_box, count_kinds, label, name_boxes, shared_box, single_box
from minigrad_course.viz.fold import Repeats, Unit, fits, is_variable, outermost, share_alike, share_runs, traits, units
from minigrad_course.viz.frames import Frames
from minigrad_course.viz.items import (
    LOOP,
    Item,
    Items,
    in_order_of_steps,
    is_backward,
    items_of,
    layer_names,
    loop_block,
    passes,
    without_outermost,
)
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
    unfold: Names = (),
    colour: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Picture:
    """Draw the graph that `outputs` are computed from, as a picture that displays itself and can be saved.

    outputs: one or more nodes, lists of nodes (such as `mg.adjoints` returns), or a Graph.
    adjoints: whether to show the adjoints that the last backward pass left in the nodes.
    direction: where the results lie: "LR" to the right, "TB" below, "RL" to the left, "BT" above. Not said, to the
        right; but below if the way to a result is long, because notebooks scroll downwards.
    fold: parts of the program to show as one box each, by name or kind: "rnn", "Linear", "step", "step 3", or several
        of these. True folds all that can be; False nothing. Not said, nothing is folded while there is room; in a
        larger graph first the runs of a repeated part share their boxes, then layers are folded, then nodes that are
        alike share a box.
    unfold: parts to leave open when others are folded. "scan" opens loops that are one node, and shows their cell.
    colour: "gradient" colours the boxes by the norm of their adjoints, from pale for small to dark for large.
    max_nodes: the largest number of boxes.

    Layers (`mg.nn.Module`) and what is made in a `with mg.block("step", t):` have a frame around them. A Variable has
    square corners, an Operator round ones, a Constant a dashed outline. A thick outline marks an output, a double one
    stands for many nodes. The reverse part of a graph has a frame and a colour of its own, and adjoints are called
    x_bar there. Arrows lead from inputs to what is computed from them; they are numbered where exchanging two inputs
    would matter. Values are those at the moment of the call: 6 significant digits for a number; 3 for the entries of
    an array of up to 3, and for the range of a larger one.

    Raises TypeError for what is no node; ValueError for an unknown direction, colour or part, for colour="gradient"
    before a backward pass, and for fold=False on a larger graph.
    """
    if direction not in (None, *DIRECTIONS):
        raise ValueError(f"draw knows direction {', '.join(map(repr, DIRECTIONS))}; got {direction!r}")
    if colour not in (None, "gradient"):
        raise ValueError(f'draw knows colour="gradient"; got {colour!r}')
    if max_nodes < 1:
        raise ValueError(f"draw needs room for at least one box, got max_nodes={max_nodes}")
    wanted = list(dict.fromkeys(_nodes(outputs)))
    if not wanted:
        raise TypeError("draw needs a node to start from: draw(f), draw(f, g), draw(mg.adjoints(f, [x, y]))")
    nodes = in_order_of_steps(topological_order(*wanted))
    if colour and all(node._adjoint is None for node in nodes):
        raise ValueError('colour="gradient" shows adjoints, and there are none yet: call .backward() on the result')
    closed, opened = _Named(fold if not isinstance(fold, bool) and fold else ()), _Named(unfold)
    chosen = items_of(nodes, wanted, opened)
    _check_names(closed, opened, chosen.items)
    without_outermost(chosen.items, lambda block: closed(block) or opened(block))
    plan = _Plan(chosen, fold is True, closed, opened, max_nodes)
    if fold is False and not plan.complete:
        raise ValueError(
            f"{len(chosen.items):,} nodes with {len(plan.arrows):,} arrows are more than one picture shows, and laying "
            "them out could take minutes. Leave fold=False away and what is alike will share boxes; or raise "
            f"max_nodes to {plan.needed:,} and wait"
        )
    groups, repeats, why = plan.groups()
    sketch = _sketch(chosen, groups, repeats, why, adjoints, colour is not None)
    shown = [[chosen.items[k].node for unit in group for k in unit.items] for group in groups]
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


def _check_names(closed: _Named, opened: _Named, items: Sequence[Item]) -> None:
    """Reject a name that no part has, and list the names that exist."""
    blocks = dict.fromkeys(block for item in items for block in item.path)
    known = dict.fromkeys(name for block in blocks for name in _called(block))
    for item in items:
        if isinstance(item.node.op, Scan):
            known.update(dict.fromkeys(_called(loop_block(item.node.op))))
    unknown = sorted((closed.names | opened.names) - set(known))
    if unknown:
        available = dict.fromkeys(name for block in blocks for name in (block.name, block.kind))
        available.update(dict.fromkeys(name for name in known if name == LOOP))
        close = difflib.get_close_matches(unknown[0], known, 1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        parts = (
            f"There are {', '.join(map(repr, available))}"
            if available
            else "It has no layers, and no mg.block was used"
        )
        raise ValueError(f"draw finds no part {unknown[0]!r} in this graph. {hint}{parts}")


class _Plan:
    """Reduce a graph to few enough boxes, trying pictures from the finest to the coarsest."""

    def __init__(self, chosen: Items, everything: bool, closed: _Named, opened: _Named, most: int):
        self.items, self.everything, self.opened, self.most = chosen.items, everything, opened, most
        self.closed = closed
        self.repeats = Repeats([])
        self.wanted = {k: n for n, k in enumerate(chosen.outputs)}
        self._arrange(units(self.items, closed))
        own = list(range(len(self.units)))
        self.complete = fits(own, self.arrows, most)
        self.needed = max(len(own), -(-len(set(self.arrows)) // 3))

    def _arrange(self, units: list[Unit]) -> None:
        self.units = units
        place = {k: i for i, unit in enumerate(units) for k in unit.items}
        self.arrows = [
            (place[k], place[j])
            for j, item in enumerate(self.items)
            for k in item.inputs
            if place[k] != place[j] or len(units[place[j]].items) == 1
        ]
        self.traits = [traits(unit, self.items, self.wanted) for unit in units]

    def groups(self) -> tuple[list[list[Unit]], Repeats | None, list[str]]:
        """Return the units that share each box, the repeated parts if their runs share boxes, and a description."""
        named = [f"{name} as one box" for name in sorted(self.closed.names)]
        if self.complete and not self.everything:
            return [[unit] for unit in self.units], None, named
        if not self.everything and (group := self._runs_shared()) is not None:
            return self._gathered(group), self.repeats, [*named, self._runs()]
        before = len(self.units)
        is_folded = outermost(self.items, self.opened)
        self._arrange(units(self.items, lambda block: self.closed(block) or is_folded(block)))
        group = self._runs_shared()
        parts = ["each layer or part as one box"] if len(self.units) < before else named
        parts += [self._runs()] if self.repeats.runs else []
        if parts and group is not None:
            return self._gathered(group), self.repeats, parts
        variables = [is_variable(unit, self.items) for unit in self.units]
        group, alike = share_alike(self.traits, variables, self.arrows, self.most)
        return self._gathered(group), self.repeats, [*parts[:1], f"{alike} share a box"]

    def _runs_shared(self) -> list[int] | None:
        """Number the boxes so that the runs of a part share theirs: loop steps first, then all other parts if
        needed.
        """
        for counted in (True, False):
            self.repeats = Repeats((unit.whole for unit in self.units), counted)
            group = share_runs(self.traits, self.units, self.repeats)
            if fits(group, self.arrows, self.most):
                return group
        return None

    def _runs(self) -> str:
        return f"{self.repeats.text} in one place: alike nodes of all runs share a box"

    def _gathered(self, group: Sequence[int]) -> list[list[Unit]]:
        groups: list[list[Unit]] = [[] for _ in range(max(group) + 1)]
        for unit, number in zip(self.units, group, strict=True):
            groups[number].append(unit)
        return groups


def _sketch(
    chosen: Items, groups: list[list[Unit]], repeats: Repeats | None, why: list[str], adjoints: bool, coloured: bool
) -> Sketch:
    items = chosen.items
    layers = layer_names(items)
    names, names_of_items = name_boxes(groups, items, layers)
    box_of = {k: box for box, group in enumerate(groups) for unit in group for k in unit.items}
    results = _results(chosen, groups)
    frames = Frames(groups, repeats, passes(items), layers)
    outputs = set(chosen.outputs)
    boxes = []
    for k, (group, name) in enumerate(zip(groups, names, strict=True)):
        box: Box
        if group[0].block is not None:
            ends = [[j for j in unit.items if j in results] for unit in group]
            box = block_box(group, items, ends, name, names_of_items, adjoints, coloured)
        elif len(group) == 1:
            box = single_box(items[group[0].items[0]], name, names_of_items, adjoints, coloured)
        else:
            box = shared_box(group, items, name, names_of_items, coloured)
        members = [j for unit in group for j in unit.items]
        boxes.append(
            replace(
                box, output=not outputs.isdisjoint(members), backward=is_backward(group[0].path), frame=frames.of_box[k]
            )
        )
    caption = ""
    if len(groups) < len(items) and why:
        caption = f"{len(items):,} nodes folded into {len(groups)} boxes: {'; '.join(why)}"
    shown = [names_of_items[k] for k in chosen.outputs[:8]] + (["…"] if len(chosen.outputs) > 8 else [])
    summary = f"Graph of {count_kinds(items)}. Output: {', '.join(shown)}."
    arrows = _bundled(list(_arrows(chosen, groups, box_of)), boxes)
    return Sketch(tuple(boxes), tuple(arrows), summary, caption, tuple(frames.shown), coloured)


def _results(chosen: Items, groups: list[list[Unit]]) -> set[int]:
    """Return the items that are outputs or are used outside their layer or step."""
    unit_of = {k: unit for group in groups for unit in group for k in unit.items}
    used = {k for j, item in enumerate(chosen.items) for k in item.inputs if unit_of[k] is not unit_of[j]}
    return used | set(chosen.outputs)


def _arrows(chosen: Items, groups: list[list[Unit]], box_of: dict[int, int]) -> Iterator[Arrow]:
    """Yield an arrow for each input of each node; folded nodes get one arrow with a count for parallel ones."""
    counts: Counter[tuple[int, int, int | None]] = Counter()
    unit_of = {k: unit for group in groups for unit in group for k in unit.items}
    for head, group in enumerate(groups):
        for unit in group:
            for j in unit.items:
                item = chosen.items[j]
                ordered = len(item.inputs) > 1 and item.node.op not in UNORDERED and unit.block is None
                tails = [box_of[k] for k in item.inputs if unit.block is None or unit_of[k] is not unit]
                places = Counter(tails)
                for i, tail in enumerate(tails, 1):
                    numbered = ordered and places[tail] <= SIDE_BY_SIDE  # 28 states joined together are one arrow
                    counts[tail, head, i if numbered else None] += 1
    for (tail, head, position), count in counts.items():
        single = all(len(group) == 1 and group[0].block is None for group in (groups[tail], groups[head]))
        if count <= SIDE_BY_SIDE and single:
            yield from [Arrow(tail, head, position)] * count
        else:
            yield Arrow(tail, head, position, count)
    for tail, head in dict.fromkeys((box_of[k], box_of[j]) for k, j in chosen.again):
        if tail != head:
            yield Arrow(tail, head, again=True)


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
