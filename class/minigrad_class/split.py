"""Splits a test cell in two: what the submission computes, and what it must come to.

`check_close(double(-1), -2, "double(-1)")` becomes, for the submission, `_ask_(0, double(-1))`: it is asked for a
value, and neither sees the -2 nor hears whether it was right. For the judge, who runs the author's solution, it
becomes `_ask_(0, check_close, double(-1), -2, "double(-1)")`: it remembers the check and everything after the first
argument. So there is no "ok" that a submission could forge, and no expected value that it could find in its own
process, however it digs: only right answers make right answers.

What is split: calls of the checks in minigrad_course.grading (and of functions called `check_...` that a locked cell
defines), and `assert` with a comparison or with isclose, allclose, array_equal. Any other `assert` or `raise` is
refused, and so is a check whose expected value depends on the answer. What a test keeps outside, `counted =
outside(Counted(f))`, stays with the judge, and so does what is asked of it (remote_objects.py).
"""

from __future__ import annotations

import ast
import symtable
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from minigrad_class.reach import loads, python, root
from minigrad_course.grading import cases, checks
from minigrad_course.grading.cells import GradingError, grade_id, hidden_lines, kind
from minigrad_course.grading.clean import names_bound

ASK, COMPARE, HOLDS = "_ask_", "_compare_", "_holds_"
MEASURES = {"measure", "tracemalloc"}  # of what an answer allocates, which can be seen only where it runs
OUTSIDE, OWN = "_outside_", "_own_"  # a thing that stays outside, a question that is asked of such a thing
BESIDE = "would be decided beside the submission: write a check, or an assert that compares"
TEXT = "_text_"  # a question that the text of the answers decides
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
    for cell in cells:
        if kind(cell) == "solution":
            answers |= names_bound(python(cell["source"]))
        elif kind(cell) == "given":
            names |= {name for name in names_bound(python(cell["source"])) if name.startswith("check_")}
            functions = [node for node in _tree(python(cell["source"])).body if isinstance(node, ast.FunctionDef)]
            for function in functions:  # also through functions above it
                if _names(function) & counters:
                    counters.add(function.name)
    tests = {}
    for i, cell in enumerate(cells):
        if kind(cell) == "test":
            later = [python(other["source"]) for other in cells[i + 1 :]]
            test = split(grade_id(cell), cell["source"], answers, names, later)
            if _names(_tree(python(cell["source"]))) & counters:
                test.remarks.append(f"`{test.name}` measures beside the submission, which could fake what is measured")
            tests[test.name] = test
    _, stay = _checkers(full, tests.values())
    for cell in cells:
        if kind(cell) == "test":
            test = tests[grade_id(cell)]
            for name in sorted(_expecting(cell["source"], names) & stay):
                test.remarks.append(f"`{test.name}` expects what `{name}` computes, which a submission could call")
    return tests


def without_checkers(full: object, tests: Iterable[Test]) -> dict[str, str]:
    """The locked cells that a submission gets otherwise: without the functions that only say what is expected."""
    gone, _ = _checkers(full, tests)
    changed = {}
    for name, tree in _given(full).items():
        stubs = [f"def {f}(*_, **__): raise NameError('`{f}` {OF_THE_TESTS}')" for f in gone]
        instead = dict(zip(gone, (ast.parse(stub).body[0] for stub in stubs), strict=True))
        body = [instead.get(node.name, node) if isinstance(node, ast.FunctionDef) else node for node in tree.body]
        if body != tree.body:
            tree.body = body
            changed[name] = _unparse(tree)
    return changed


def _given(full: Any) -> dict[str, ast.Module]:
    cells = [cell for cell in full["cells"] if cell["cell_type"] == "code" and kind(cell) == "given"]
    return {grade_id(cell): _tree(python(cell["source"])) for cell in cells}


def _checkers(full: Any, tests: Iterable[Test]) -> tuple[set[str], set[str]]:
    """The locked cells' functions that only say what is expected, and those that are asked for as well.

    What an author's own answer uses is a tool, and nothing that gives the answer.
    """
    cells = [cell for cell in full["cells"] if cell["cell_type"] == "code"]
    body = [node for tree in _given(full).values() for node in tree.body]
    defined = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    tools = set().union(*(_names(_tree(python(cell["source"]))) for cell in cells if kind(cell) == "solution"))
    asked = [_tree(test.asked) for test in tests] + [node for node in body if not isinstance(node, ast.FunctionDef)]
    needed = _closure(tools.union(*map(_names, asked)), defined)
    checked = set().union(*(_expecting(cell["source"], CHECKS | {*defined}) for cell in cells if kind(cell) == "test"))
    checkers = _closure(checked | {name for name in defined if name.startswith("check_")}, defined)
    return checkers - needed, checkers & needed - _closure(tools, defined)


OF_THE_TESTS = "belongs to the tests: an answer has to do without it"


def _closure(names: set[str], defined: dict[str, ast.FunctionDef]) -> set[str]:
    """Return those of the functions that are used by these names, and by each other."""
    reached, waiting = set[str](), names & defined.keys()
    while waiting:
        reached |= waiting
        waiting = set().union(*(_names(defined[name]) for name in waiting)) & defined.keys() - reached
    return reached


def split(
    name: str, source: str, answers: Collection[str], checks: Collection[str] = CHECKS, later: Iterable[str] = ()
) -> Test:
    """One test cell in two halves. `answers`: the names that answers define; `later`: the sources of later cells."""
    try:
        text = python(source)
        tree = ast.parse(text)
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
    asked, judged = asking.visit(tree), judging.visit(ast.parse(text))
    if not asking.lines:
        raise GradingError(
            f"the test `{name}` has no check that can be made from outside: it needs a check_close(answer, expected)"
        )
    seen = _forget(asked, asking.taken, tainted, list(later))
    remarks = [f"`{name}` shows a submission what is expected: {', '.join(seen)}"] if seen else []
    hidden = [site for site, line in enumerate(asking.lines) if line in hidden_lines(source)]
    return Test(name, _unparse(asked), _unparse(judged), hidden, remarks)


class _Splitter(ast.NodeTransformer):
    """Puts a question in the place of each check; one walk for each half, counting alike."""

    def __init__(self, checks: Collection[str], tainted: Collection[str], seed: int, asking: bool) -> None:
        self.checks, self.tainted, self.seed, self.asking = checks, tainted, seed, asking
        self.lines: list[int] = []
        self.taken: set[str] = set()  # names that only the other half needs, perhaps
        self.kept: set[str] = set()  # names of things that stay outside

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """counted = outside(Counted(f)): questions to `counted` are asked of what stays outside."""
        self.kept -= _serves(node)
        if isinstance(node.value, ast.Call) and _name(node.value.func) == "outside":
            if node.col_offset or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
                raise GradingError(
                    f"line {node.lineno} of a test: what stays outside needs a line and a name of its own"
                )
            self.kept.add(node.targets[0].id)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if (
            _name(node.func) == "outside"
        ):  # outside(Counted(f)) becomes _outside_() here, and _outside_(Counted(f)) there
            return ast.copy_location(
                ast.Call(ast.Name(OUTSIDE, ast.Load()), [] if self.asking else node.args, []), node
            )
        if _name(node.func) == FRESH:
            node.keywords.append(ast.keyword("seed", ast.Constant(self.seed)))
        if _name(node.func) == "check_own" and node.args and isinstance(node.args[0], ast.Call):
            return self._text(node, node.args[0])
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
            raise GradingError(f"line {node.lineno} of a test {BESIDE}")
        return ast.copy_location(ast.Expr(question), node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        raise GradingError(f"line {node.lineno} of a test {BESIDE}")

    def _text(self, node: ast.Call, called: ast.Call) -> ast.Call:
        """check_own(called(f, arguments, g), "f") is not asked of the submission: the judge reads the text of f."""
        site = ast.Constant(len(self.lines))
        self.lines.append(node.lineno)
        function, _, *others = called.args
        if self.asking:
            return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), [site], []), node)
        names = ast.Dict([ast.Constant(ast.unparse(other)) for other in others], others)
        parts = [site, ast.Constant(ast.unparse(function)), names, node.func, *node.args[1:]]
        return ast.copy_location(ast.Call(ast.Name(TEXT, ast.Load()), parts, node.keywords), node)

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
        things = sorted(_names(args[0]) & self.kept)
        if things and set(things) == _names(args[0]):
            if self.asking:
                return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), [site], []), node)
            whole = ast.Tuple([ast.Name(thing, ast.Load()) for thing in things], ast.Load())
            parts = [site, _function(things, args[0]), whole, function, *args[1:]]
            return ast.copy_location(ast.Call(ast.Name(OWN, ast.Load()), parts, keywords), node)
        args[0] = self.visit(args[0])
        rest = [*args[1:], *(keyword.value for keyword in keywords)]
        used = set().union(*map(_names, rest)) if rest else set()
        if used & set(self.tainted):
            raise GradingError(f"line {node.lineno} of a test expects what depends on the answer: say it by `solution`")
        if not self.asking:
            parts = [site, function, *args]
            return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), parts, keywords), node)
        self.taken |= used
        return ast.copy_location(ast.Call(ast.Name(ASK, ast.Load()), [site, args[0]], []), node)


def _expecting(source: str, checks: Collection[str]) -> set[str]:
    """Return the names that the checks of a test use in what they expect."""
    calls = [node for node in ast.walk(_tree(python(source))) if isinstance(node, ast.Call) and _check(node, checks)]
    rest = [part for call in calls for part in (*call.args[1:], *(keyword.value for keyword in call.keywords))]
    return set().union(*map(_names, rest))


def _function(parameters: Sequence[str], body: ast.expr) -> ast.Lambda:
    arguments = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
    return ast.Lambda(arguments, body)


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
    needed_later = set().union(*(needs(_tree(source).body) for source in later)) if later else set()
    free = {name for node in tree.body for name in _serves(node) if isinstance(node, DEFINITIONS)}
    while True:
        before = ast.dump(tree)
        unused = (taken | free) - tainted - needed_later
        while (live := unused & _live(tree.body, unused)) and unused:
            unused -= live
        taken |= set().union(*(_names(node) for node in _statements(tree.body) if _serves_only(node, unused)))
        tree.body = _without(tree.body, unused)
        for loop in ast.walk(tree):
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Tuple):
                _blank(loop, unused)
        if ast.dump(tree) == before:
            break
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {name for node in tree.body if isinstance(node, DEFINITIONS) for name in _serves(node)}
    blanked = {n.id for loop in ast.walk(tree) for n in getattr(loop, "_blanked", ())}
    blanked |= {name for loop in ast.walk(tree) if isinstance(loop, ast.For) for name in _counts(loop)}
    return sorted((taken & bound) - blanked - _names(tree))  # a name that serves the question as well is no secret


def _counts(loop: ast.For) -> set[str]:
    """Return the name of a loop over `range`, which counts and says nothing else."""
    counts = isinstance(loop.iter, ast.Call) and _name(loop.iter.func) == "range"
    return {loop.target.id} if counts and isinstance(loop.target, ast.Name) else set()


DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def needs(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements load before they bind them."""
    needed: set[str] = set()
    bound: set[str] = set()
    for node in body:
        inner: set[str] = set()
        if isinstance(node, ast.For):
            inner = needs(node.body) - {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
            needed |= (_names(node.iter) | inner | needs(node.orelse)) - bound
        elif isinstance(node, (ast.FunctionDef, ast.Assign, ast.Expr)):
            table = symtable.symtable(ast.unparse(node), "<statement>", "exec")
            needed |= loads(table) - bound
        else:
            needed |= _names(node) - bound
        bound |= _serves(node) if not isinstance(node, ast.Expr) else set()
    return needed


def _statements(body: Sequence[ast.stmt]) -> Iterable[ast.stmt]:
    """Return the statements of a body, and of the loops and conditions in it."""
    for node in body:
        yield node
        if isinstance(node, (ast.For, ast.While, ast.If, ast.With)):
            yield from _statements([*node.body, *getattr(node, "orelse", ())])


def _serves(node: ast.AST) -> set[str]:
    """Return the names that a statement is there for: those it binds, or the one whose method it calls."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {one.asname or one.name.partition(".")[0] for one in node.names}
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and (name := root(node.value)):
        return {name}
    return set()


def _serves_only(node: ast.AST, unused: set[str]) -> bool:
    return bool(serves := _serves(node)) and serves <= unused


def _live(body: Sequence[ast.stmt], unused: set[str]) -> set[str]:
    """Return the names that are loaded by other statements than those which only serve unused names."""
    names: set[str] = set()
    for node in body:
        if _serves_only(node, unused):
            continue
        if isinstance(node, (ast.For, ast.While, ast.If, ast.With)):
            for part in ast.iter_child_nodes(node):
                names |= set() if isinstance(part, ast.stmt) else _names(part)
            names |= _live([*node.body, *getattr(node, "orelse", ())], unused)
        else:
            names |= _names(node)
    return names


def _without(body: Sequence[ast.stmt], unused: set[str]) -> list[ast.stmt]:
    """Return a body without the statements that only serve unused names."""
    left: list[ast.stmt] = []
    for node in body:
        if _serves_only(node, unused):
            continue
        if isinstance(node, (ast.For, ast.While, ast.If, ast.With)):
            node.body = _without(node.body, unused)
            if not node.body:
                continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            node.names = [one for one in node.names if (one.asname or one.name.partition(".")[0]) not in unused]
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Tuple)
            and isinstance(node.targets[0], ast.Tuple)
        ):
            pairs = list(zip(node.targets[0].elts, node.value.elts, strict=True))
            pairs = [(t, v) for t, v in pairs if not (isinstance(t, ast.Name) and t.id in unused)]
            node.targets[0].elts, node.value.elts = [t for t, _ in pairs], [v for _, v in pairs]
        left.append(node)
    return left


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


def _unparse(tree: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(tree))
