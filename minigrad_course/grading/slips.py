"""The slips of a pen: a right answer with one small mistake in it, for every small mistake there is.

A sign turned round, a term left out, a loop that ends one step early, two results exchanged. The build makes each
of them in the author's answers, one at a time, runs the tests, and keeps the lines that the first failing test ends
with. A learner who gets the same lines reads "the same comes out with + and - exchanged". That is true whatever the
mistake was; and where several kinds of slip give the same lines, all are named. The learner's answer need not look like
the author's: what counts is what comes out.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from minigrad_course.grading import slips_of_form, slips_of_place
from minigrad_course.grading.outcome import MARK
from minigrad_course.grading.sheet import POOR, is_exact
from minigrad_course.grading.slips_of_place import Change, Node, always, parameters

OTHERS = {
    "sin": ["cos"], "cos": ["sin"], "tanh": ["sigmoid"], "sigmoid": ["tanh"], "exp": ["log"], "log": ["exp"],
    "min": ["max"], "max": ["min"], "minimum": ["maximum"], "maximum": ["minimum"], "sum": ["mean"], "mean": ["sum"],
    "std": ["var"], "var": ["std"], "argmax": ["argmin", "max"], "zeros": ["ones"],
    "floor": ["ceil"], "ceil": ["floor"],
    "zeros_like": ["ones_like"], "ones_like": ["zeros_like"], "ones": ["zeros"], "any": ["all"], "all": ["any"],
    "uniform": ["normal"],
}  # fmt: skip
UNWRAPPED = {
    "abs", "sqrt", "sin", "cos", "exp", "log", "tanh", "sigmoid", "conj", "log1p", "reversed", "relu", "square",
    "sorted",
}  # fmt: skip
EVERYWHERE = (
    *(f"with `{name}` left out" for name in sorted(UNWRAPPED)),
    "along the other axis",
    slips_of_form.LAST,
    "without `axis`, over all entries at once",
    "without `keepdims`",
)
ATTRIBUTES = {
    "value": ["tangent", "grad"], "tangent": ["value"], "grad": ["value"], "imag": ["real"], "itemsize": ["size"],
}  # fmt: skip
COMMON = re.compile(r"got (-?[01]|True|False|-?inf|nan)(?=$|;| \()")  # values that many mistakes end with
MOST = 3  # kinds of slip with the same line; where there are more, the line says too little


def in_words(kinds: set[str]) -> str:
    """Word the sentence for a line that these slips end with; empty if they are too many."""
    if not kinds or len(kinds) > MOST:
        return ""
    first, *more = sorted(kinds)
    listed = first if not more else f"{', '.join([first, *more[:-1]])}, or {more[-1]}"
    return f"The same comes out {listed}. Check that first, though other mistakes can end so, too."


def is_telling(symptom: str, kinds: int = 1) -> bool:
    """True if lines are the same on every machine, and tell slips of so many kinds from other mistakes.

    A number seldom comes out by chance, nor does a shape or a text that the answer made. 0, 1, True or inf often do:
    then it takes three such lines, and slips of one kind only. None, "a dict" or "an array of your own" say too little,
    however many lines say so.
    """
    first, *more = symptom.split("\n")  # of the lines after it, sheet.py leaves out what is not the same
    if not first.startswith(("Mismatch: ", "partly: ")) or not is_exact(first):
        return False
    if MARK in symptom or not all(POOR.search(line) for line in (first, *more)):
        return True
    return kinds == 1 and sum(bool(COMMON.search(line)) for line in (first, *more)) > 2


def with_memory_of(number: float, source: str) -> str:
    """Return an answer in which fresh memory (np.empty, np.empty_like) holds a number, and not what it held before."""
    return ast.unparse(ast.fix_missing_locations(_Filled(number).visit(ast.parse(source))))


class _Filled(ast.NodeTransformer):
    def __init__(self, number: float) -> None:
        self.value = ast.Constant(number)

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        name = {"empty": "full", "empty_like": "full_like"}.get(getattr(node.func, "attr", ""))
        if name is None or not node.args:
            return node
        return ast.Call(_as(node.func, name), [node.args[0], self.value, *node.args[1:]], node.keywords)


def slips(source: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, source) for each small mistake that can be made in a cell."""
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    count = len(list(ast.walk(tree)))
    for index in range(count):
        node, parents = _node(tree, index)
        if any(isinstance(p, (ast.While, ast.Raise, ast.arguments)) for p in (*parents, node)):
            continue  # a loop that never ends takes too long, and messages are nobody's mistake
        others = slips_of_place.changes(node, parents), slips_of_form.changes(node)
        for kind, change in (*_changes(node, parents), *others[0], *others[1]):
            changed = copy.deepcopy(tree)
            target, above = _node(changed, index)
            new = change(target)
            if not _put(above[-1] if above else changed, target, new):
                continue
            ast.fix_missing_locations(changed)
            if ast.dump(changed) not in seen:
                seen.add(ast.dump(changed))
                yield kind, ast.unparse(changed)


def _node(tree: Node, index: int) -> tuple[Node, list[Node]]:
    """Return the node of this number, and the nodes around it from the outermost on."""
    stack: list[tuple[Node, list[Node]]] = [(tree, [])]
    k = 0
    while stack:
        node, parents = stack.pop()
        if k == index:
            return node, parents
        k += 1
        stack.extend((child, [*parents, node]) for child in reversed(list(ast.iter_child_nodes(node))))
    raise IndexError(index)


def _put(parent: Node, old: Node, new: Node | None) -> bool:
    """Replace a node by another; None removes it. Returns False if that is impossible."""
    for name, value in ast.iter_fields(parent):
        if value is old and new is not None:
            setattr(parent, name, new)
            return True
        if isinstance(value, list) and any(entry is old for entry in value):
            k = next(k for k, entry in enumerate(value) if entry is old)
            value[k : k + 1] = [] if new is None else [new]
            if not value and name == "body":
                value.append(ast.Pass())
            return True
    return new is old


def _changes(node: Node, parents: list[Node]) -> Iterator[Change]:
    """Yield the slips that can happen at this node."""
    if isinstance(node, ast.FunctionDef):
        yield from _everywhere(node)
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(node)
    elif isinstance(node, ast.AugAssign):
        yield "with = in place of += (or -=)", lambda n: ast.Assign([n.target], n.value)
        yield "with += and -= exchanged", lambda n: ast.AugAssign(n.target, _opposite(n.op), n.value)
    elif isinstance(node, ast.Assign):
        yield from _assignments(node, parents)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _comparisons(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield "with a minus sign left out", lambda n: n.operand
    elif isinstance(node, ast.Call):
        yield from _calls(node)
        if getattr(node.func, "attr", "") in ("zeros", "ones", "empty", "array") and not node.keywords:
            for name in parameters(parents):
                words = f"in an array of the type of `{name}`, of whole numbers where it holds whole numbers"
                dtype = ast.keyword("dtype", ast.parse(f"np.asarray({name}).dtype", mode="eval").body)
                yield words, always(ast.Call(node.func, node.args[:1], [dtype]))
    elif isinstance(node, ast.keyword):
        yield from _keywords(node)
    elif isinstance(node, ast.Subscript):
        yield from _subscripts(node)
    elif isinstance(node, ast.Attribute):
        yield from _attributes(node)
    elif isinstance(node, ast.IfExp):
        yield "with the two branches of a condition exchanged", lambda n: ast.IfExp(n.test, n.orelse, n.body)
        yield "without a condition, so that one case is treated like the other", lambda n: n.body
        yield "without a condition, so that one case is treated like the other", lambda n: n.orelse
    elif isinstance(node, ast.Return) and node.value is not None:
        yield from _returns(node, parents)
    elif isinstance(node, ast.For):
        yield from _loops(node, parents)
    elif isinstance(node, (ast.Expr, ast.If)) and not isinstance(getattr(node, "value", None), ast.Constant):
        yield "with one line (or one case) left out", lambda n: None
        call = getattr(node, "value", None)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "append":
            yield (
                "with a list that is made anew in every round",
                lambda n: ast.Assign([_stored(n.value.func.value)], ast.List(n.value.args, ast.Load())),
            )
        if isinstance(node, ast.If):
            yield "with a condition left out", lambda n: ast.If(ast.Constant(True), n.body, n.orelse)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield from _constants(node, parents)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        number_like = isinstance(parents[-1], (ast.BinOp, ast.Subscript))
        for other in parameters(parents):
            if other != node.id and (node.id in parameters(parents) or number_like or _counts(node, parents)):
                yield f"with `{other}` where another name belongs", always(ast.Name(other, ast.Load()))


class _Everywhere(ast.NodeTransformer):
    """Makes one slip of `_calls`, `_keywords` or `_subscripts` in every place where it can be made, and counts them."""

    def __init__(self, kind: str) -> None:
        self.kind, self.places = kind, 0

    def generic_visit(self, node: Node) -> Node | None:
        super().generic_visit(node)
        makers = {ast.Call: _calls, ast.keyword: _keywords, ast.Subscript: _subscripts}
        changes = makers[type(node)](node) if type(node) in makers else ()
        change = next((change for kind, change in changes if kind == self.kind), None)
        if change is None:
            return node
        self.places += 1
        return change(node)


def _everywhere(node: Node) -> Iterator[Change]:
    """Yield the slips that somebody who makes them once makes each time, where there is more than one place."""
    for kind in EVERYWHERE:
        if (counted := _Everywhere(kind)).visit(copy.deepcopy(node)) and counted.places > 1:
            yield f"{kind}, in each place", _Everywhere(kind).visit


def _stored(node: Node) -> Node:
    return ast.Name(node.id, ast.Store()) if isinstance(node, ast.Name) else node


def _opposite(op: Node) -> Node:
    return ast.Sub() if isinstance(op, ast.Add) else ast.Add() if isinstance(op, ast.Sub) else op


def _arithmetic(node: Node) -> Iterator[Change]:
    op = node.op
    if isinstance(op, (ast.Add, ast.Sub)):
        yield "with + and - exchanged", lambda n: ast.BinOp(n.left, _opposite(n.op), n.right)
        yield "with one term of a sum or difference left out", lambda n: n.left
        yield "with one term of a sum or difference left out", lambda n: n.right
    if isinstance(op, ast.Sub):
        yield "with the two sides of a difference exchanged", lambda n: ast.BinOp(n.right, n.op, n.left)
    if isinstance(op, ast.Mult):
        yield "with one factor of a product left out", lambda n: n.left
        yield "with one factor of a product left out", lambda n: n.right
        if isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Mult):
            yield "with two factors of a product left out", lambda n: n.left.left
    if isinstance(op, (ast.Div, ast.FloorDiv)):
        yield "with a division left out", lambda n: n.left
        yield "with * in place of /", lambda n: ast.BinOp(n.left, ast.Mult(), n.right)
        yield "with a fraction upside down", lambda n: ast.BinOp(n.right, n.op, n.left)
        other = ast.FloorDiv if isinstance(op, ast.Div) else ast.Div
        yield "with / and // exchanged", lambda n: ast.BinOp(n.left, other(), n.right)
    if isinstance(op, ast.Pow):
        yield "with a power left out", lambda n: n.left
        yield "with a multiplication in place of a power", lambda n: ast.BinOp(n.left, ast.Mult(), n.right)
    if isinstance(op, ast.MatMult):
        yield "with the two factors of @ exchanged", lambda n: ast.BinOp(n.right, n.op, n.left)
        yield "with * in place of @", lambda n: ast.BinOp(n.left, ast.Mult(), n.right)
        yield "with a transpose missing, or one too many", lambda n: ast.BinOp(_transposed(n.left), n.op, n.right)
        yield "with a transpose missing, or one too many", lambda n: ast.BinOp(n.left, n.op, _transposed(n.right))
    tight, loose = (ast.Mult, ast.Div, ast.FloorDiv, ast.Pow), (ast.Add, ast.Sub, ast.Mult, ast.Div)
    words = "with brackets left out"
    if isinstance(op, tight) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, loose[:2]):
        yield words, lambda n: ast.BinOp(n.left.left, n.left.op, ast.BinOp(n.left.right, n.op, n.right))
    if isinstance(op, tight) and isinstance(node.right, ast.BinOp) and isinstance(node.right.op, loose):
        yield words, lambda n: ast.BinOp(ast.BinOp(n.left, n.op, n.right.left), n.right.op, n.right.right)
    if isinstance(op, ast.Sub) and isinstance(node.right, ast.BinOp) and isinstance(node.right.op, loose[:2]):
        yield words, lambda n: ast.BinOp(ast.BinOp(n.left, n.op, n.right.left), n.right.op, n.right.right)


def _transposed(node: Node) -> Node:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return node.value
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("swapaxes", "transpose"):
        return node.args[0]
    return ast.Attribute(node, "T", ast.Load())


def _assignments(node: Node, parents: list[Node]) -> Iterator[Change]:
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        yield "with += in place of =", lambda n: ast.AugAssign(n.targets[0], ast.Add(), n.value)
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == 2:
        lines: list[Node] = [ast.Assign([t], v) for t, v in zip(target.elts, node.value.elts, strict=False)]
        one, other = (always(ast.If(ast.Constant(True), lines[::turn], [])) for turn in (1, -1))
        yield "when the second of two values already uses the new first one", one
        yield "when the first of two values already uses the new second one", other
    if isinstance(target, ast.Tuple) and len(target.elts) == 2 and not isinstance(node.value, ast.Tuple):
        yield (
            "with two names exchanged in an assignment",
            lambda n: ast.Assign([ast.Tuple(n.targets[0].elts[::-1], ast.Store())], n.value),
        )
    if isinstance(target, (ast.Subscript, ast.Attribute)) or isinstance(parents[-1], (ast.For, ast.If)):
        yield "with one line (or one case) left out", lambda n: None


def _comparisons(node: Node) -> Iterator[Change]:
    edge = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
    contrary = {
        ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
        ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    }  # fmt: skip
    op = type(node.ops[0])
    if op in edge:
        yield "with < and <= (or > and >=) exchanged", lambda n: ast.Compare(n.left, [edge[op]()], n.comparators)
    if op in contrary:
        yield "with a condition turned round", lambda n: ast.Compare(n.left, [contrary[op]()], n.comparators)


def _calls(node: Node) -> Iterator[Change]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    for other in OTHERS.get(name, ()):
        renamed = ast.Call(_as(node.func, other), node.args, node.keywords)
        yield f"with `{other}` where another function belongs", always(renamed)
    if name in UNWRAPPED and len(node.args) == 1:
        yield f"with `{name}` left out", lambda n: n.args[0]
    if (
        name in ("copy", "zero_grad", "ravel", "backward", "discard")
        and isinstance(node.func, ast.Attribute)
        and not node.args
    ):
        yield f"with `.{name}()` left out", lambda n: n.func.value
    if name == "array" and len(node.args) == 1:
        yield "with the array itself in place of a copy", lambda n: ast.Call(_as(n.func, "asarray"), n.args, [])
    if name in ("array", "asarray") and len(node.args) == 2:
        words = "without a dtype, in whole numbers where whole numbers came in"
        yield words, lambda n: ast.Call(n.func, n.args[:1], n.keywords)
    if name == "range":
        yield from _ranges(node)
    if name not in ("range", "zip", "isinstance", "dict") and len(node.args) == 2:
        yield "with the two arguments of a function exchanged", lambda n: ast.Call(n.func, n.args[::-1], n.keywords)


def _moved(op: Node) -> Callable[[Node], Node]:
    return lambda n: ast.Subscript(n.value, ast.BinOp(n.slice, op, ast.Constant(1)), n.ctx)


def _as(function: Node, name: str) -> Node:
    if isinstance(function, ast.Name):
        return ast.Name(name, ast.Load())
    return ast.Attribute(function.value, name, ast.Load())


def _ranges(node: Node) -> Iterator[Change]:
    start, stop = ([ast.Constant(0)] + node.args)[-2:] if len(node.args) < 3 else node.args[:2]
    step = node.args[2:]

    def made(a: int, b: int) -> Callable[[Node], Node]:
        def moved(bound: Node, by: int) -> Node:
            return ast.BinOp(bound, ast.Add() if by > 0 else ast.Sub(), ast.Constant(abs(by))) if by else bound

        return lambda n: ast.Call(n.func, [moved(start, a), moved(stop, b), *step], [])

    down = bool(step) and isinstance(step[0], ast.UnaryOp)
    one = -1 if down else 1
    yield "when a loop begins one step too late", made(one, 0)
    yield "when a loop ends one step too early", made(0, -one)
    yield "when a loop goes one step too far", made(0, one)
    yield "when a loop runs in the other direction", lambda n: ast.Call(ast.Name("reversed", ast.Load()), [n], [])


def _keywords(node: Node) -> Iterator[Change]:
    is_last = ast.unparse(node.value) == "-1"
    if node.arg == "axis" and (is_last or isinstance(getattr(node.value, "value", None), int)):
        other = 0 if is_last else 1 - node.value.value
        yield "along the other axis", lambda n: ast.keyword("axis", ast.Constant(other))
        yield "without `axis`, over all entries at once", lambda n: None
    if node.arg == "keepdims":
        yield "without `keepdims`", lambda n: None
    if node.arg == "dtype":
        yield "without a dtype, in whole numbers where whole numbers came in", lambda n: None


def _subscripts(node: Node) -> Iterator[Change]:
    index = node.slice
    if isinstance(index, ast.Slice):
        if index.step is not None and index.lower is None and index.upper is None:
            yield "without turning the order round with [::-1]", lambda n: n.value
            every = ast.Constant(...)
            yield slips_of_form.LAST, lambda n: ast.Subscript(n.value, ast.Tuple([every, n.slice], ast.Load()), n.ctx)
        return
    if isinstance(index, ast.Tuple) and len(index.elts) == 2 and isinstance(index.elts[0], ast.Slice):
        steps = [getattr(e, "step", None) for e in index.elts]
        if all(step is not None for step in steps):
            yield "without rotating it by half a circle", lambda n: n.value
    if isinstance(index, ast.BinOp) and isinstance(index.op, (ast.Add, ast.Sub)):
        yield "with an index that is off by one", lambda n: ast.Subscript(n.value, n.slice.left, n.ctx)
        yield "with an index that is off by one", lambda n: _moved(n.slice.op)(n)
    elif isinstance(index, ast.Name):
        for op in (ast.Sub(), ast.Add()):
            yield "with an index that is off by one", _moved(op)
        yield "with the same entry in every round", lambda n: ast.Subscript(n.value, ast.Constant(0), n.ctx)
    elif isinstance(index, ast.Tuple) and len(index.elts) == 2:
        yield (
            "with row and column exchanged",
            lambda n: ast.Subscript(n.value, ast.Tuple(n.slice.elts[::-1], ast.Load()), n.ctx),
        )


def _attributes(node: Node) -> Iterator[Change]:
    for other in ATTRIBUTES.get(node.attr, ()) if isinstance(node.ctx, ast.Load) else ():
        changed = ast.Attribute(node.value, other, node.ctx)
        yield f"with `.{other}` where another attribute belongs", always(changed)
        yield f"with `.{node.attr}` left out", lambda n: n.value
    if node.attr == "T":
        yield "with a transpose missing, or one too many", lambda n: n.value


def _returns(node: Node, parents: list[Node]) -> Iterator[Change]:
    if isinstance(node.value, ast.Tuple) and len(node.value.elts) > 1:
        yield "with the results in another order", lambda n: ast.Return(ast.Tuple(n.value.elts[::-1], ast.Load()))
        yield "when only the first result is returned", lambda n: ast.Return(n.value.elts[0])
        yield "when only the last result is returned", lambda n: ast.Return(n.value.elts[-1])
    for name in parameters(parents) if not isinstance(node.value, (ast.Tuple, ast.Dict, ast.Constant)) else ():
        count = ast.Call(ast.Name("len", ast.Load()), [ast.Name(name, ast.Load())], [])
        part = ast.BinOp(node.value, ast.Div(), count)
        yield "when the result is divided by a number of entries", always(ast.Return(part))
    if isinstance(node.value, ast.Name):
        back = ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
        turned = ast.Subscript(node.value, back, ast.Load())
        yield "with the order of the result turned round", always(ast.Return(turned))


def _loops(node: Node, parents: list[Node]) -> Iterator[Change]:
    body = getattr(parents[-1], "body", [])
    after = next((b for a, b in pairwise(body) if a is node), None)
    if isinstance(after, ast.Return):
        yield (
            "when `return` stands inside the loop, so that the first round is the last",
            lambda n: ast.For(n.target, n.iter, [*n.body, copy.deepcopy(after)], n.orelse),
        )
    function = getattr(node.iter.func, "id", "") if isinstance(node.iter, ast.Call) else ""
    yield from slips_of_form.shortened(node)
    if function not in ("range", "reversed"):
        in_order = ast.Name("reversed", ast.Load())
        as_list = ast.Name("list", ast.Load())
        yield (
            "when a loop runs in the other direction",
            lambda n: ast.For(n.target, ast.Call(in_order, [ast.Call(as_list, [n.iter], [])], []), n.body, n.orelse),
        )


def _constants(node: Node, parents: list[Node]) -> Iterator[Change]:
    parent = parents[-1]
    if isinstance(parent, ast.keyword):
        return
    if isinstance(parent, ast.Subscript) and getattr(parent.value, "attr", "") == "shape" and node.value in (0, 1):
        yield "with the size of the other axis", always(ast.Constant(1 - node.value))
    elif node.value in (0, 1):
        flipped = type(node.value)(1 - node.value)
        yield f"with {flipped} in place of another number", lambda n: ast.Constant(flipped)
    elif type(node.value) is int and isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Tuple)):
        for other in (node.value - 1, node.value + 1):
            yield "with another number in the formula", always(ast.Constant(other))


def _counts(node: Node, parents: list[Node]) -> bool:
    """True if a name is the variable of a loop around it, and is handed to a function."""
    loops = {target.id for p in parents if isinstance(p, ast.For) and isinstance(target := p.target, ast.Name)}
    return isinstance(parents[-1], ast.Call) and node.id in loops
