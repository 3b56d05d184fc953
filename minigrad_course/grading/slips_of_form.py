"""Slips of form: the right parts, put together in another way.

Brackets around too much, a factor that stands twice, two arguments or two entries exchanged, a slice without one of its
ends, the derivative of one function where that of another belongs, a set or dict in which equal entries become one.
slips.py makes each of them in an author's answer, together with those that are its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import combinations

from minigrad_course.grading.slips_of_place import Change, Node, always

PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)  # what a factor may be
COPIES = ("list", "dict", "set")
WHOLE = "in an array of whole numbers"
EXCHANGED = "with two arguments of a function exchanged"
ONCE = "when equal entries count once, as in a set or a dict"
FIRST = "with `.index`, which finds the first of equal entries"
LAST = "along the last axis in place of the first"
MOST = 6  # entries of which each two are exchanged


def changes(node: Node) -> Iterator[Change]:
    """Yield the slips of form that can happen at this node."""
    if isinstance(node, ast.BinOp):
        yield from _arithmetic(node)
    elif isinstance(node, ast.Slice):
        yield from _slices(node)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step is None:
        yield "with a slice left out", lambda n: n.value
    elif isinstance(node, ast.FunctionDef):
        for a, b in combinations([argument.arg for argument in node.args.args], 2):
            yield f"with `{a}` and `{b}` exchanged throughout", _Exchanged({a: b, b: a}).visit
    elif isinstance(node, ast.Call):
        yield from _calls(node)
        for k, argument in enumerate(node.args):
            if isinstance(argument, PLAIN) and getattr(node.func, "id", "") not in ("len", "range", "zip"):
                args = [*node.args[:k], ast.UnaryOp(ast.USub(), argument), *node.args[k + 1 :]]
                yield "with a minus sign too many", always(ast.Call(node.func, args, node.keywords))
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield "with `and` and `or` exchanged", lambda n: ast.BoolOp(other(), n.values)
        for k in range(len(node.values)):
            rest = [*node.values[:k], *node.values[k + 1 :]]
            new = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield "with a part of a condition left out", always(new)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "with a condition turned round", lambda n: n.operand
    elif isinstance(node, ast.comprehension):
        yield from _comprehensions(node)
    elif isinstance(node, ast.For):
        yield from _loops(node)
    elif isinstance(node, ast.Dict):
        for one, two in _pairs(node.values):
            new = ast.Dict(node.keys, _exchanged(node.values, one, two))
            yield "with two entries of a dict exchanged", always(new)
    elif isinstance(node, (ast.Assign, ast.Return)):
        yield from _tuples(node)


class _Exchanged(ast.NodeTransformer):
    """Exchanges two names wherever they are read."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: Node) -> Node:
        return ast.Name(self.names.get(node.id, node.id), node.ctx) if isinstance(node.ctx, ast.Load) else node


def _arithmetic(node: Node) -> Iterator[Change]:
    op, left, right = node.op, node.left, node.right
    if isinstance(op, ast.Add):
        yield "with * in place of +", lambda n: ast.BinOp(n.left, ast.Mult(), n.right)
    if isinstance(op, ast.Mult):
        yield "with + in place of *", lambda n: ast.BinOp(n.left, ast.Add(), n.right)
        for factor in (left, right):
            if isinstance(factor, PLAIN):
                yield "with one factor that stands twice", always(ast.BinOp(node, ast.Mult(), factor))
        if _is_rest(right, left):  # a (1 - a)
            yield "with the derivative of a tanh where that of a sigmoid belongs", _one_minus_square
    if isinstance(op, (ast.Add, ast.Sub)):
        words = "with brackets around too much"
        if isinstance(left, ast.BinOp) and isinstance(left.op, (ast.Mult, ast.Div)):
            yield words, lambda n: ast.BinOp(n.left.left, n.left.op, ast.BinOp(n.left.right, n.op, n.right))
        if isinstance(right, ast.BinOp) and isinstance(right.op, (ast.Mult, ast.Div)):
            yield words, lambda n: ast.BinOp(ast.BinOp(n.left, n.op, n.right.left), n.right.op, n.right.right)
    if isinstance(op, ast.Sub) and _is_one(left) and isinstance(right, ast.BinOp) and isinstance(right.left, ast.Name):
        square = isinstance(right.op, ast.Pow) and isinstance(right.right, ast.Constant) and right.right.value == 2
        if square or (isinstance(right.op, ast.Mult) and ast.dump(right.left) == ast.dump(right.right)):
            yield "with the derivative of a sigmoid where that of a tanh belongs", _times_rest


def _is_one(node: Node) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_rest(node: Node, of: Node) -> bool:
    """True for 1 - a, where `of` is a, or a product that ends with it."""
    last = of.right if isinstance(of, ast.BinOp) and isinstance(of.op, ast.Mult) else of
    rest = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_one(node.left)
    return rest and ast.dump(node.right) == ast.dump(last)


def _one_minus_square(node: Node) -> Node:
    """Make b (1 - a²) of b a (1 - a)."""
    name = node.right.right
    slope = ast.BinOp(ast.Constant(1), ast.Sub(), ast.BinOp(name, ast.Pow(), ast.Constant(2)))
    product = isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Mult)
    return ast.BinOp(node.left.left, ast.Mult(), slope) if product else slope


def _times_rest(node: Node) -> Node:
    name = node.right.left
    return ast.BinOp(name, ast.Mult(), ast.BinOp(ast.Constant(1), ast.Sub(), name))


def _slices(node: Node) -> Iterator[Change]:
    if node.step is not None:
        return
    if node.lower is not None:
        for word, op in (("late", ast.Add()), ("early", ast.Sub())):
            lower = ast.BinOp(node.lower, op, ast.Constant(1))
            yield f"with a slice that begins one place too {word}", always(ast.Slice(lower, node.upper))
    if node.lower is not None and node.upper is not None:
        yield "with one end of a slice left out", lambda n: ast.Slice(None, n.upper)
        yield "with one end of a slice left out", lambda n: ast.Slice(n.lower, None)


def _calls(node: Node) -> Iterator[Change]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name not in ("range", "zip", "isinstance", "dict") and len(node.args) > 2:
        for one, two in _pairs(node.args):
            yield EXCHANGED, always(ast.Call(node.func, _exchanged(node.args, one, two), node.keywords))
    if name in COPIES and len(node.args) == 1 and not node.keywords and isinstance(node.args[0], PLAIN):
        yield "without a copy", lambda n: n.args[0]
    if name in ("zeros", "zeros_like", "ones", "ones_like", "empty", "full") and not node.keywords:
        keyword = ast.keyword("dtype", ast.Name("int", ast.Load()))
        yield WHOLE, lambda n: ast.Call(n.func, n.args, [keyword])
    if name == "enumerate" and len(node.args) == 1:
        yield "with a count that begins at 1", lambda n: ast.Call(n.func, [*n.args, ast.Constant(1)], [])


def _loops(node: Node) -> Iterator[Change]:
    yield ONCE, lambda n: ast.For(n.target, _once(n), n.body, n.orelse)
    if isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") == "enumerate":
        yield FIRST, lambda n: ast.For(n.target, n.iter, [_counted(n), *n.body], n.orelse)
    if isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2:
        yield "with two names exchanged in a loop", lambda n: ast.For(_turned(n.target), n.iter, n.body, n.orelse)
    inner = node.body[0] if len(node.body) == 1 else None
    if isinstance(inner, ast.For):
        yield "with an inner loop outside, and the outer one in it", _inside_out
    yield (
        "when `return` stands inside the loop, so that the first round is the last",
        lambda n: ast.For(n.target, n.iter, [*n.body, ast.Return(None)], n.orelse),
    )


def _once(n: Node) -> Node:
    """Put what a loop or a comprehension goes over into a dict: pairs by their first, anything else by itself."""
    pair = isinstance(n.target, ast.Tuple) and len(n.target.elts) == 2
    text = ast.unparse(n.iter)
    return ast.parse(f"dict({text}).items()" if pair else f"dict.fromkeys({text})", mode="eval").body


def _counted(n: Node) -> Node:
    count, entry = map(ast.unparse, n.target.elts)
    return ast.parse(f"{count} = list({ast.unparse(n.iter.args[0])}).index({entry})").body[0]


def _inside_out(n: Node) -> Node:
    inner = n.body[0]
    return ast.For(inner.target, inner.iter, [ast.For(n.target, n.iter, inner.body, [])], n.orelse)


def _comprehensions(node: Node) -> Iterator[Change]:
    yield ONCE, lambda n: ast.comprehension(n.target, _once(n), n.ifs, n.is_async)
    for k in range(len(node.ifs)):
        ifs = [*node.ifs[:k], *node.ifs[k + 1 :]]
        new = ast.comprehension(node.target, node.iter, ifs, node.is_async)
        yield "with a condition left out", always(new)
    if isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2:
        yield (
            "with two names exchanged in a loop",
            lambda n: ast.comprehension(_turned(n.target), n.iter, n.ifs, n.is_async),
        )
    yield from shortened(node)


def shortened(node: Node) -> Iterator[Change]:
    """Leave out the first or the last of what a loop or a comprehension goes over, other than a range."""
    function = getattr(node.iter.func, "id", "") if isinstance(node.iter, ast.Call) else ""
    rest = [("first", ast.Slice(ast.Constant(1))), ("last", ast.Slice(None, ast.Constant(-1)))]
    for word, part in rest if function != "range" else ():
        every = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        yield f"when a loop leaves the {word} one out", _over(ast.Subscript(every, part, ast.Load()))


def _over(iterable: Node) -> Callable[[Node], Node]:
    def change(n: Node) -> Node:
        n.iter = iterable
        return n

    return change


def _tuples(node: Node) -> Iterator[Change]:
    """Exchange two of three or more names that are assigned, or results that are returned."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(target, ast.Tuple) and len(target.elts) > 2:
        for one, two in _pairs(target.elts):
            names = ast.Tuple(_exchanged(target.elts, one, two), ast.Store())
            yield "with two names exchanged in an assignment", always(ast.Assign([names], node.value))
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) > 2:
        for one, two in _pairs(node.value.elts):
            results = ast.Tuple(_exchanged(node.value.elts, one, two), ast.Load())
            yield "with two results exchanged", always(ast.Return(results))


def _pairs(entries: list[Node]) -> Iterator[tuple[int, int]]:
    """List each two places, where there are few; else each place and the next."""
    n = len(entries)
    return combinations(range(n), 2) if n <= MOST else zip(range(n - 1), range(1, n), strict=True)


def _exchanged(entries: list[Node], one: int, two: int) -> list[Node]:
    entries = list(entries)
    entries[one], entries[two] = entries[two], entries[one]
    return entries


def _turned(target: Node) -> Node:
    return ast.Tuple(target.elts[::-1], ast.Store())
