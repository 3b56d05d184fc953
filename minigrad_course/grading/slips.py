"""The slips of a pen: a right answer with one small mistake in it, for the commonest small mistakes that there are.

A sign turned round, a term left out, a loop that ends one step early, two results exchanged. The build makes each
of them in the author's answers, one at a time, runs the tests, and keeps the lines that the first failing test ends
with. A learner who gets the same lines reads "the same comes out with + and - exchanged". That is true whatever the
mistake was; and where several kinds of slip give the same lines, all are named. The learner's answer need not look like
the author's: what counts is what comes out.

RULES rewrite one expression or statement; functions make the other slips.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from minigrad_course.grading.outcome import MARK
from minigrad_course.grading.sheet import POOR, is_exact

Node = Any  # of the ast module, whose classes do not say what they hold
Slip = tuple[str, Node]  # its kind, and what is written in a node's place; None leaves it out

# What the writer does: what stands in a right answer -> what is written instead. A letter is any part; n is a name.
RULES = """
with one factor of a product left out: a * b -> a, a * b -> b
with two factors of a product left out: a * b * c -> a
with one factor that stands twice: n * a -> n * a * n, a * n -> a * n * n
with one term of a sum or difference left out: a + b -> a, a + b -> b, a - b -> a, a - b -> b
with + and - exchanged: a + b -> a - b, a - b -> a + b
with += and -= exchanged: a += b -> a -= b, a -= b -> a += b
with + in place of *: a * b -> a + b
with * in place of +: a + b -> a * b
with * in place of /: a / b -> a * b, a // b -> a * b
with / and // exchanged: a / b -> a // b, a // b -> a / b
with a multiplication in place of a power: a ** b -> a * b
with * in place of @: a @ b -> a * b
with a division left out: a / b -> a, a // b -> a
with a fraction upside down: a / b -> b / a, a // b -> b // a
with the two sides of a difference exchanged: a - b -> b - a
with brackets left out: (a + b) * c -> a + b * c, (a - b) * c -> a - b * c, (a + b) / c -> a + b / c
with brackets left out: (a - b) / c -> a - b / c, (a + b) // c -> a + b // c, (a - b) // c -> a - b // c
with brackets left out: a * (b + c) -> a * b + c, a * (b - c) -> a * b - c, a / (b * c) -> a / b * c
with brackets left out: a / (b + c) -> a / b + c, a / (b - c) -> a / b - c
with brackets left out: a - (b + c) -> a - b + c, a - (b - c) -> a - b - c, a ** (b / c) -> a ** b / c
with brackets around too much: a * b + c -> a * (b + c), a * b - c -> a * (b - c), a + b * c -> (a + b) * c
with brackets around too much: a - b * c -> (a - b) * c, a / b + c -> a / (b + c), a + b / c -> (a + b) / c
with a minus sign left out: -a -> a
with a condition turned round: a < b -> a >= b, a <= b -> a > b, a > b -> a <= b, a >= b -> a < b, a == b -> a != b
with a condition turned round: a != b -> a == b, a in b -> a not in b, a not in b -> a in b, not a -> a
with += in place of =: a[b] = c -> a[b] += c, a[b|d] = c -> a[b|d] += c
with the same entry in every round: a[n] -> a[0]
with an index that is one too large: a[n] -> a[n + 1], a[n - 1] -> a[n]
with an index that is one too small: a[n] -> a[n - 1], a[n + 1] -> a[n]
with `.T` left out: a.T -> a
with `.T` where it does not belong: a @ b -> a.T @ b, a @ b -> a @ b.T
with rows and columns of a factor in reverse order: a * n -> a * n[::-1|::-1]
with row and column exchanged: a[b|c] -> a[c|b]
with the results in another order: return a|b -> return b|a
with the order of the result turned round: return n -> return n[::-1]
without turning the order round with [::-1]: a[::-1] -> a
with a slice that ends one place too early: a[b:c] -> a[b:c - 1], a[:c] -> a[:c - 1]
when only the first result is returned: return a|b -> return a
when only the last result is returned: return a|b -> return b
with two names exchanged in an assignment: a|b = c -> b|a = c
"""
PAIRS = "sin cos, tanh sigmoid, exp log, min max, minimum maximum, sum mean, std var, zeros ones, floor ceil, any all"
OTHERS = {a: b for pair in PAIRS.split(", ") for a, b in (pair.split(), pair.split()[::-1])}
UNWRAPPED = "abs sqrt sin cos exp log tanh sigmoid conj log1p reversed relu square sorted"  # functions of one thing
ATTRIBUTES = {"value": ["tangent", "grad"], "tangent": ["value"], "grad": ["value"], "imag": ["real"]}
NO_PART = (ast.Tuple, ast.Starred)
COMMON = re.compile(r"got (-?[01]|True|False|-?inf|nan)(?=$|;| \()")  # values that many mistakes end with
MOST = 6  # kinds of slip with the same line; where there are more, the line says too little
FEW = 6  # entries of a dict of which each two are exchanged


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
    tree: Node = ast.parse(source)
    for node, _ in _nodes(tree, []):
        name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) and node.args else ""
        if name in ("empty", "empty_like"):
            node.func.attr = name.replace("empty", "full")
            node.args.insert(1, ast.Constant(number))
    return ast.unparse(ast.fix_missing_locations(tree))


def slips(source: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, source) for each small mistake that can be made in a cell."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    for node, parents in _nodes(tree, []):
        if any(isinstance(p, (ast.While, ast.Raise, ast.arguments)) for p in (*parents, node)):
            continue  # a loop that never ends takes too long, and messages are nobody's mistake
        for kind, new in (*_by_rules(node), *_others(node, parents)):
            text = ast.unparse(ast.fix_missing_locations(_replaced(tree, node, new)))
            if text not in seen:
                seen.add(text)
                yield kind, text


def _nodes(node: Node, parents: list[Node]) -> Iterator[tuple[Node, list[Node]]]:
    """Yield each node of a tree with those around it, from the outermost on."""
    yield node, parents
    for child in ast.iter_child_nodes(node):
        yield from _nodes(child, [*parents, node])


def _replaced(part: object, old: Node, new: Node) -> Any:
    """Copy a tree with another node in the place of one of its nodes; None leaves a line out."""
    if part is old:
        return new
    if isinstance(part, list):
        parts = [_replaced(one, old, new) for one in part if one is not old or new is not None]
        return parts or [ast.Pass()] * bool(part)
    if isinstance(part, ast.AST):
        return type(part)(**{name: _replaced(value, old, new) for name, value in ast.iter_fields(part)})
    return part


def _copied(node: Node) -> Node:
    """Copy a tree, without what IPython hangs on nodes that all trees share: `.parent`, and with it whole files."""
    return _replaced(node, object(), None)


def _pattern(text: str) -> Node:
    statement: Node = ast.parse(text.strip().replace("|", ", ")).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


PATTERNS = [
    (words, *map(_pattern, rule.split("->")))
    for words, rules in (line.split(": ", 1) for line in RULES.strip().split("\n"))
    for rule in rules.split(", ")
]


def _by_rules(node: Node) -> Iterator[Slip]:
    is_number = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    for words, pattern, instead in PATTERNS:
        parts: dict[str, Node] = {}
        if type(node) is type(pattern) and not is_number and _fits(pattern, node, parts):
            yield words, _Filling(parts).visit(_copied(instead))


def _fits(pattern: Any, node: Any, parts: dict[str, Node]) -> bool:
    """Tell whether a node has the form of a pattern, and note the parts that its letters stand for."""
    if isinstance(pattern, ast.Name):
        parts[pattern.id] = node
        return isinstance(node, ast.Name if pattern.id == "n" else ast.expr) and not isinstance(node, NO_PART)
    if isinstance(pattern, list):
        return len(pattern) == len(node) and all(_fits(a, b, parts) for a, b in zip(pattern, node, strict=True))
    if isinstance(pattern, ast.AST):
        fields = [name for name in pattern._fields if name not in ("ctx", "kind", "type_comment")]
        return type(pattern) is type(node) and all(_fits(getattr(pattern, f), getattr(node, f), parts) for f in fields)
    return bool(pattern == node)


class _Filling(ast.NodeTransformer):
    """Puts parts where names stand."""

    def __init__(self, parts: dict[str, Node]) -> None:
        self.parts = parts

    def visit_Name(self, node: Node) -> Node:
        return self.parts.get(node.id, node)


def _filled(text: str, **parts: Node | str) -> Node:
    """Return the statement or expression of a text, with parts (or names, as text) in the place of its names."""
    return _Filling({k: _name(v) if isinstance(v, str) else v for k, v in parts.items()}).visit(_pattern(text))


def _with(node: Node, **fields: object) -> Node:
    """Copy a node with other fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _name(name: str) -> Node:
    return ast.Name(name, ast.Load())


def _others(node: Node, parents: list[Node]) -> Iterator[Slip]:
    """Yield the slips that are no rewriting of one expression."""
    if isinstance(node, (ast.FunctionDef, ast.For)):
        for k, pair in enumerate(pairwise(node.body)):
            if not any(isinstance(line, (ast.Return, ast.FunctionDef)) or _is_text(line) for line in pair):
                body = [*node.body[:k], *reversed(pair), *node.body[k + 2 :]]
                yield "with two lines in the other order", _with(node, body=body)
    if isinstance(node, ast.FunctionDef):
        for a, b in combinations(_known([node])[0], 2):
            names = {a: _name(b), b: _name(a)}
            yield f"with `{a}` and `{b}` exchanged throughout", _Filling(names).visit(_copied(node))
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from _loops(node, parents) if isinstance(node, ast.For) else ()
        yield from _rounds(node)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        for other in ATTRIBUTES.get(node.attr, ()):
            yield f"with `.{other}` where another attribute belongs", _with(node, attr=other)
            yield f"with `.{node.attr}` left out", node.value
    elif isinstance(node, ast.Dict) and len(node.values) <= FEW:
        for one, two in combinations(range(len(node.values)), 2):
            values = list(node.values)
            values[one], values[two] = values[two], values[one]
            yield "with two entries of a dict exchanged", _with(node, values=values)
    elif isinstance(node, ast.Return) and not isinstance(node.value, (ast.Tuple, ast.Dict, ast.Constant, type(None))):
        parameters, assigned = _known(parents)
        for name in parameters:
            divided = _filled("return value / len(name)", value=node.value, name=name)
            yield "when the result is divided by a number of entries", divided
        for name in sorted({*assigned} - {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}):
            yield "when an intermediate result is returned", ast.Return(_name(name))
    elif isinstance(node, (ast.Expr, ast.If, ast.Assign)) and not _is_text(node):
        yield from _lines(node, parents)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield from _numbers(node, parents[-1])
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from _names(node, parents)


def _is_text(line: Node) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _loops(node: Node, parents: list[Node]) -> Iterator[Slip]:
    around = getattr(parents[-1], "body", [])
    after = around[around.index(node) + 1 :] if node in around else []
    back = after[0] if after and isinstance(after[0], ast.Return) else ast.Return(None)
    early = "when `return` stands inside the loop, so that the first round is the last"
    yield early, _with(node, body=[*node.body, back])
    *body, last = node.body
    if body and not isinstance(last, (ast.If, ast.For)):
        lines = [_with(node, body=body), last]
        yield "when the last line of a loop stands after it", ast.If(ast.Constant(True), lines, [])


def _rounds(node: Node) -> Iterator[Slip]:
    """Leave out the first or the last of what a loop or a comprehension goes over, or go the other way round."""
    if _called(node.iter) == "range":
        return
    for word, part in (("first", "1:"), ("last", ":-1")):
        yield f"when a loop leaves the {word} one out", _with(node, iter=_filled(f"list(x)[{part}]", x=node.iter))
    if _called(node.iter) != "reversed":
        yield "when a loop runs in the other direction", _with(node, iter=_filled("list(x)[::-1]", x=node.iter))


def _ranges(node: Node) -> Iterator[Slip]:
    start, stop, *step = [ast.Constant(0)] * (len(node.args) == 1) + node.args
    on, back = ("-", "+") if step and isinstance(step[0], ast.UnaryOp) else ("+", "-")
    ends = {"start": start, "stop": stop, "step": step[0] if step else ast.Constant(1)}
    yield "when a loop begins one step too late", _filled(f"range(start {on} 1, stop, step)", **ends)
    yield "when a loop ends one step too early", _filled(f"range(start, stop {back} 1, step)", **ends)
    yield "when a loop goes one step too far", _filled(f"range(start, stop {on} 1, step)", **ends)
    yield "when a loop runs in the other direction", _filled("reversed(every)", every=node)


def _calls(node: Node) -> Iterator[Slip]:
    name, count = _called(node), len(node.args)
    if name == "range":
        yield from _ranges(node)
    if name in OTHERS:
        key = "id" if isinstance(node.func, ast.Name) else "attr"
        other = _with(node, func=_with(node.func, **{key: OTHERS[name]}))
        yield f"with `{OTHERS[name]}` where another function belongs", other
    helper = isinstance(node.func, ast.Name) and count > 1 and name not in dir(builtins)
    if (name in UNWRAPPED.split() and count == 1) or helper:
        yield f"with `{name}` left out", node.args[0]
    if name not in ("range", "zip", "isinstance", "dict") and count == 2:
        yield "with the two arguments of a function exchanged", _with(node, args=node.args[::-1])
    for k, argument in enumerate(node.args) if name not in ("len", "range", "zip") else ():
        if isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            args = [*node.args[:k], ast.UnaryOp(ast.USub(), argument), *node.args[k + 1 :]]
            yield "with a minus sign too many", _with(node, args=args)


def _called(node: Node) -> str:
    function = getattr(node, "func", None)
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _lines(node: Node, parents: list[Node]) -> Iterator[Slip]:
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if not isinstance(target, (ast.Name, ast.Tuple)) or isinstance(parents[-1], (ast.For, ast.If)):
        yield "with one line (or one case) left out", None
    call: Any = getattr(node, "value", None)
    if isinstance(node, ast.Expr) and _called(call) == "append":
        anew = _filled("a = [b]", a=call.func.value, b=call.args[0])
        yield "with a list that is made anew in every round", anew


def _numbers(node: Node, parent: Node) -> Iterator[Slip]:
    if isinstance(parent, ast.Subscript) and getattr(parent.value, "attr", "") == "shape" and node.value in (0, 1):
        yield "with the size of the other axis", ast.Constant(1 - node.value)
    elif isinstance(parent, ast.keyword):
        if parent.arg == "axis":
            yield "along the other axis", ast.Constant(1 - node.value)
    elif node.value in (0, 1):
        flipped = type(node.value)(1 - node.value)
        yield f"with {flipped} in place of another number", ast.Constant(flipped)
    elif type(node.value) is int and isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Tuple)):
        for other in (node.value - 1, node.value + 1):
            yield "with another number in the formula", ast.Constant(other)


def _names(node: Node, parents: list[Node]) -> Iterator[Slip]:
    """Put another name where one is read: a parameter, an intermediate result, or what another loop goes over."""
    loops = [loop for p in parents for loop in getattr(p, "generators", [p]) if hasattr(loop, "iter")]
    rounds = sorted({n.id for loop in loops for n in ast.walk(loop.target) if isinstance(n, ast.Name)})
    (parameters, assigned), above = _known(parents), parents[-1]
    if node is getattr(above, "func", None):
        return
    number = isinstance(above, (ast.BinOp, ast.Subscript)) or (isinstance(above, ast.Call) and node.id in rounds)
    if not (number or node.id in parameters or (node.id in assigned and isinstance(above, (ast.Call, ast.Tuple)))):
        parameters = []
    for other in [*parameters, *(rounds if node.id in rounds else [])]:
        yield f"with `{other}` where another name belongs", _name(other)
    if node.id in assigned or (node.id in parameters and isinstance(above, (ast.BinOp, ast.Call))):
        for other in assigned:
            yield "with an intermediate result in place of another value", _name(other)


def _known(parents: list[Node]) -> tuple[list[str], list[str]]:
    """List the parameters of the function around a node, and the names that it assigns, without those of its loops."""
    functions = [p for p in parents if isinstance(p, ast.FunctionDef)][-1:]
    lines = [line for function in functions for line in ast.walk(function) if isinstance(line, ast.Assign)]
    targets = [t for line in lines for target in line.targets for t in getattr(target, "elts", [target])]
    names = {t.id for t in targets if isinstance(t, ast.Name)}
    return [a.arg for function in functions for a in function.args.args], sorted(names)
