"""Splits a test cell in two: what the submission computes, and what it must come to.

`check_close(double(-1), -2, "double(-1)")` becomes, for the submission, `_ask_(0, double(-1))`: it is asked for a
value, and neither sees the -2 nor hears whether it was right. For the judge, who runs the author's solution, it
becomes `_ask_(0, check_close, double(-1), -2, "double(-1)")`: it remembers the check and everything after the first
argument. So there is no "ok" that a submission could forge, and no expected value that it could find in its own
process, however it digs: only right answers make right answers.

What is split: calls of the checks in minigrad_course.grading (and of functions called `check_...` that a locked cell
defines), and `assert` with a comparison or with isclose, allclose, array_equal. Where what is expected depends on the
answer itself, as in `check_close(f(order), g(order))`, the submission is asked for both: that is `loose`. What a test
keeps outside, `counted = outside(Counted(f))`, stays with the judge, and so does what is asked of it (outside.py). Any
other `assert` or `raise` runs beside the submission, and is only as honest as it is: `weak`.
"""

from __future__ import annotations

import ast
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from minigrad_course.grading import cases, checks
from minigrad_course.grading.cells import GradingError, grade_id, hidden_lines, kind
from minigrad_course.grading.clean import names_bound

ASK, COMPARE, HOLDS = "_ask_", "_compare_", "_holds_"
MEASURES = {"measure", "tracemalloc"}  # of what an answer allocates, which can be seen only where it runs
OUTSIDE, OWN = "_outside_", "_own_"  # a thing that stays outside, a question that is asked of such a thing
FRESH = "fresh"  # inputs that both halves draw, from one seed
CHECKS = {name for module in (checks, cases) for name in vars(module) if name.startswith("check_")}
PREDICATES = {"isclose", "allclose", "array_equal"}
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in"}


@dataclass
class Test:
    """One test cell in two halves, with remarks on what of it a submission could see or decide by itself."""

    __test__ = False  # for pytest, whatever the name says

    name: str
    asked: str  # what runs beside the submission
    judged: str  # what runs beside the solution
    hidden: list[int]  # the questions that stand among the hidden tests
    remarks: list[str] = field(default_factory=list)


def split_notebook(full: Any) -> dict[str, Test]:
    """The tests of an author's notebook by name. Raises GradingError where one cannot be graded from outside."""
    cells = [cell for cell in full["cells"] if cell["cell_type"] == "code"]
    answers: set[str] = set()
    counters = set(MEASURES)
    names = set(CHECKS)
    functions_given: set[str] = set()  # of locked cells, which stand beside the submission
    for cell in cells:
        if kind(cell) == "solution":
            answers |= names_bound(_python(cell["source"]))
        elif kind(cell) == "given":
            names |= {name for name in names_bound(_python(cell["source"])) if name.startswith("check_")}
            functions = [node for node in _tree(_python(cell["source"])).body if isinstance(node, ast.FunctionDef)]
            functions_given |= {function.name for function in functions} - names
            for function in functions:  # also through functions above it
                if _names(function) & counters:
                    counters.add(function.name)
    tests = {}
    for i, cell in enumerate(cells):
        if kind(cell) == "test":
            later = [_python(other["source"]) for other in cells[i + 1 :]]
            test = split(grade_id(cell), cell["source"], answers, names, later)
            for name in sorted(_expecting(cell["source"], names) & functions_given):
                test.remarks.append(f"`{test.name}` expects what `{name}` computes, which a submission could call")
            if _names(_tree(_python(cell["source"]))) & counters:
                test.remarks.append(f"`{test.name}` measures beside the submission, which could fake what is measured")
            tests[test.name] = test
    return tests


def split(
    name: str, source: str, answers: Collection[str], checks: Collection[str] = CHECKS, later: Iterable[str] = ()
) -> Test:
    """One test cell in two halves. `answers`: the names that answers define; `later`: the sources of later cells."""
    try:
        python = _python(source)
        tree = ast.parse(python)
    except SyntaxError as error:
        raise GradingError(f"the test `{name}` is not Python: {error}") from None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not _check(tree.body[-1].value, checks):
        raise GradingError(
            f"the test `{name}` ends in an expression: points worked out beside the submission cannot be believed. "
            "Make it several tests, each with a check_close(answer, expected)"
        )
    tainted = _tainted(tree, answers)
    seed = zlib.crc32(source.encode())  # the same inputs for all of a class
    asking, judging = (_Splitter(checks, tainted, seed, asking=asking) for asking in (True, False))
    asked, judged = asking.visit(tree), judging.visit(ast.parse(python))
    if not asking.lines:
        raise GradingError(
            f"the test `{name}` has no check that can be made from outside: it needs a check_close(answer, expected)"
        )
    seen = _forget(asked, asking.taken, tainted, list(later))
    remarks = [f"`{name}` shows a submission what is expected: {', '.join(seen)}"] if seen else []
    remarks += [f"`{name}`, line {line}: what is expected depends on the answer" for line in asking.loose]
    remarks += [f"`{name}`, line {line}: is decided beside the submission" for line in asking.weak]
    hidden = [site for site, line in enumerate(asking.lines) if line in hidden_lines(source)]
    return Test(name, _unparse(asked), _unparse(judged), hidden, remarks)


class _Splitter(ast.NodeTransformer):
    """Puts a question in the place of each check; one walk for each half, counting alike."""

    def __init__(self, checks: Collection[str], tainted: Collection[str], seed: int, asking: bool) -> None:
        self.checks, self.tainted, self.seed, self.asking = checks, tainted, seed, asking
        self.lines: list[int] = []
        self.loose: list[int] = []
        self.weak: list[int] = []
        self.taken: set[str] = set()  # names that only the other half needs, perhaps
        self.kept: dict[str, int] = {}  # names of things that stay outside -> which of them
        self.count = 0

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """counted = outside(Counted(f)) becomes _outside_(0) here, and _outside_(lambda: Counted(f)) there."""
        value = node.value
        if not (isinstance(value, ast.Call) and _name(value.func) == "outside" and value.args):
            return self.generic_visit(node)
        if node.col_offset or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            raise GradingError(f"line {node.lineno} of a test: what stays outside needs a line and a name of its own")
        self.kept[node.targets[0].id] = self.count
        thing, *names = value.args
        args: list[ast.expr] = [ast.Constant(self.count)] if self.asking else [_function((), thing), *names]
        self.count += 1
        call = ast.Call(ast.Name(OUTSIDE, ast.Load()), args, [])
        return ast.copy_location(ast.Assign(node.targets, call), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if _name(node.func) == FRESH:
            node.keywords.append(ast.keyword("seed", ast.Constant(self.seed)))
        if not _check(node, self.checks):
            return self.generic_visit(node)
        return self._question(node, node.func, node.args, node.keywords)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in COMPARISONS:
            args = [test.left, ast.Constant(COMPARISONS[type(test.ops[0])]), test.comparators[0]]
            question = self._question(node, ast.Name(COMPARE, ast.Load()), args, [])
        elif isinstance(test, ast.Call) and _name(test.func) in PREDICATES and len(test.args) >= 2:
            args = [test.args[0], ast.Constant(_name(test.func)), *test.args[1:]]
            question = self._question(node, ast.Name(HOLDS, ast.Load()), args, test.keywords)
        else:
            self.weak.append(node.lineno)
            return node
        return ast.copy_location(ast.Expr(question), node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        self.weak.append(node.lineno)
        return node

    def _question(self, node: Any, function: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.Call:
        args, keywords = list(args), list(keywords)
        if not args:
            args = [keywords.pop(0).value]
        if any(isinstance(arg, ast.Starred) for arg in args):
            raise GradingError(f"line {node.lineno} of a test: a check cannot take its arguments from a * list")
        if isinstance(args[0], ast.Constant):
            raise GradingError(
                f"line {node.lineno} of a test: a check's first argument is what an answer gave, as in "
                "check_close(answer, expected), and here it is a constant"
            )
        site = ast.Constant(len(self.lines))
        self.lines.append(node.lineno)
        things = sorted(_names(args[0]) & self.kept.keys())
        if things and isinstance(args[0], (ast.Attribute, ast.Call)) and _root(args[0]) == things[0]:
            if self.asking:
                return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), [site], []), node)
            which, thing = ast.Constant(self.kept[things[0]]), ast.Name(things[0], ast.Load())
            parts = [site, which, _function(things[:1], args[0]), thing, function, *args[1:]]
            return ast.copy_location(ast.Call(ast.Name(OWN, ast.Load()), parts, keywords), node)
        rest = [*args[1:], *(keyword.value for keyword in keywords)]
        used = set().union(*map(_names, rest)) if rest else set()
        loose = bool(used & set(self.tainted))
        if loose:
            self.loose.append(node.lineno)
        if not self.asking:
            flag = ast.Constant(loose)
            parts = [site, flag, function, *args]
            return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), parts, keywords), node)
        if not loose:
            self.taken |= used
            args, keywords = args[:1], []
        return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), [site, *args], keywords), node)


def _expecting(source: str, checks: Collection[str]) -> set[str]:
    """Return the names that the checks of a test use in what they expect."""
    calls = [node for node in ast.walk(_tree(_python(source))) if isinstance(node, ast.Call) and _check(node, checks)]
    rest = [part for call in calls for part in (*call.args[1:], *(keyword.value for keyword in call.keywords))]
    return set().union(*map(_names, rest))


def _function(parameters: Sequence[str], body: ast.expr) -> ast.Lambda:
    arguments = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
    return ast.Lambda(arguments, body)


def _root(node: ast.AST) -> str:
    """The name that `a.b` and `a.b(1).c` begin with; empty where it is no such thing, as in `f(a)`."""
    while isinstance(node, ast.Attribute) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _check(node: ast.AST, checks: Collection[str]) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in checks and bool(node.args or node.keywords)


def _name(function: ast.AST) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _tainted(tree: ast.AST, answers: Collection[str]) -> set[str]:
    """The names that come from answers: those that answers define, and what a test makes of them."""
    tainted = set(answers)
    while True:
        before = len(tainted)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                source: ast.AST = node.value
            elif isinstance(node, (ast.For, ast.comprehension)):
                targets, source = [node.target], node.iter
            elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
                targets, source = [], node.body if isinstance(node, ast.Lambda) else ast.Module(node.body, [])
                if isinstance(node, ast.FunctionDef) and _names(source) & tainted:
                    tainted.add(node.name)
            else:
                continue
            if _names(source) & tainted:
                tainted |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        if len(tainted) == before:
            return tainted


def _forget(tree: Any, taken: set[str], tainted: set[str], later: list[str]) -> list[str]:
    """Take out of the submission's half what only served what is expected. Returns the names that remain."""
    needed_later = set().union(*(_names(_tree(source)) for source in later)) if later else set()
    while True:
        before = ast.dump(tree)
        unused = taken - _names(tree) - needed_later - tainted
        for node in tree.body:
            if _only_binds(node, unused):
                taken |= _names(node)
        tree.body = [node for node in tree.body if not _only_binds(node, unused)]
        for loop in ast.walk(tree):
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Tuple):
                _blank(loop, unused)
        if ast.dump(tree) == before:
            break
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    blanked = {n.id for loop in ast.walk(tree) for n in getattr(loop, "_blanked", ())}
    return sorted((taken & bound) - blanked - _names(tree))  # a name that serves the question as well is no secret


def _only_binds(node: ast.stmt, unused: set[str]) -> bool:
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return all(isinstance(target, ast.Name) and target.id in unused for target in targets)


def _blank(loop: Any, unused: set[str]) -> None:
    """for x, want in [(1, 2), (3, 4)] becomes for x, want in [(1, None), (3, None)]."""
    rows = loop.iter.elts if isinstance(loop.iter, (ast.List, ast.Tuple)) else []
    wide = [row for row in rows if isinstance(row, (ast.Tuple, ast.List)) and len(row.elts) == len(loop.target.elts)]
    if not rows or len(wide) != len(rows):
        return
    for i, target in enumerate(loop.target.elts):
        if isinstance(target, ast.Name) and target.id in unused:
            for row in wide:
                row.elts[i] = ast.Constant(None)
            loop._blanked = [*getattr(loop, "_blanked", ()), target]


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):  # a lesson may show a cell that breaks
        return ast.Module([], [])


def _unparse(tree: Any) -> str:
    return ast.unparse(ast.fix_missing_locations(tree))


def _python(source: str) -> str:
    """A cell without IPython's magics. (Its lines keep their numbers.)"""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)
