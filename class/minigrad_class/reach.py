"""Names that an answer leans on, read from its text on our side: nothing beside a submission can be asked that.

`leans_on` follows names: whatever a name is bound to anywhere, by whatever statement, counts. A text can be written so
that it hides where it goes, with `eval`, with frames, with modules that no exercise needs. Then `strange` names what
hides it, and a person reads the answer.
"""

from __future__ import annotations

import ast
import symtable
import types
import warnings
from collections.abc import Collection, Iterable, Iterator
from typing import Any

# Of Python's library, what answers may use as they like; all else says more about a submission than about its subject.
HARMLESS = {"__future__", "abc", "bisect", "cmath", "collections", "copy", "dataclasses", "decimal", "enum"}
HARMLESS |= {"fractions", "functools", "heapq", "itertools", "json", "math", "matplotlib", "minigrad", "numba"}
HARMLESS |= {"numbers", "numpy", "operator", "pandas", "pprint", "random", "re", "scipy", "statistics", "string"}
HARMLESS |= {"textwrap", "time", "typing", "warnings"}
HIDES = {"eval", "exec", "compile", "globals", "locals", "vars", "open", "breakpoint", "__import__", "__builtins__"}
HIDES |= {"__loader__", "__spec__", "setattr", "delattr", "get_ipython"}
PLAIN_DUNDERS = {"__name__", "__doc__", "__len__", "__init__", "__class__", "__version__", "__post_init__", "__next__"}
MACHINERY = (types.FrameType, types.GeneratorType, types.CoroutineType, types.TracebackType, types.CodeType)
INSIDES = {name for kind in MACHINERY for name in dir(kind) if "_" in name} - PLAIN_DUNDERS
UNREADABLE = "__code__"  # stands for a cell that the parser gives up on
MAGICS = {"run_line_magic", "run_cell_magic"}  # what IPython makes of `%time` and `%%time`


def python(source: str) -> str:
    """Return a cell without IPython's magics. (Its lines keep their numbers.)"""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


def statements(sources: Iterable[str]) -> Iterator[ast.stmt]:
    """Return the statements of all cells that are Python, and those that stand behind a magic."""
    for source in sources:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                body = ast.parse(python(source)).body
        except (SyntaxError, ValueError):
            continue  # it does not run either
        except (RecursionError, MemoryError):
            body = [ast.Expr(ast.Attribute(ast.Name("cell", ast.Load()), UNREADABLE, ast.Load()))]
        for node in body:
            yield node
            for one in ast.walk(node):
                if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in MAGICS:
                    yield from statements(str(a.value) for a in one.args[1:] if isinstance(a, ast.Constant))


def leans_on(sources: Iterable[str], name: str, others: Collection[str]) -> list[str]:
    """Return those of the other names, or modules, that an answer reaches from its name on."""
    reached_by: dict[str, set[str]] = {}
    for node in statements(sources):
        used = _used(node)
        for bound in _binds(node):
            reached_by.setdefault(bound, set()).update(used - {bound})
    reached, waiting = set[str](), [name]
    while waiting:
        if (one := waiting.pop()) not in reached:
            reached.add(one)
            waiting += reached_by.get(one, ())
    return sorted(set(others) & reached)


def strange(sources: Iterable[str], known: Collection[str] = ()) -> list[str]:
    """Return what hides where a text goes: modules that no answer needs, and names that lead out of it.

    `known`: modules that the exercise itself imports.
    """
    seen = set[str]()
    for statement in statements(sources):
        nodes = list(ast.walk(statement))
        magics = {id(part) for node in nodes if _is_magic(node) for part in ast.walk(node)}
        for node in nodes:
            if isinstance(node, ast.Name) and node.id in HIDES and id(node) not in magics:
                seen.add(node.id)
            elif isinstance(node, ast.Attribute) and node.attr not in PLAIN_DUNDERS:
                seen |= {node.attr} if node.attr.startswith("__") or node.attr in INSIDES else set()
            seen |= {one for one in _modules(node) if one.partition(".")[0] not in HARMLESS} - {
                "IPython.display",
                *known,
            }
    return sorted(seen)


def modules(sources: Iterable[str]) -> set[str]:
    """Return the modules that cells import."""
    return {name for statement in statements(sources) for node in ast.walk(statement) for name in _modules(node)}


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [one.name for one in node.names] if isinstance(node, ast.Import) else []


def _is_magic(node: Any) -> bool:
    """Tell whether a node is what IPython makes of `%time`."""
    return isinstance(node, ast.Attribute) and node.attr in MAGICS and isinstance(node.value, ast.Call)


def _used(node: ast.stmt) -> set[str]:
    """Return the names that a statement takes from outside of it, those of their parts, and the modules it imports."""
    names = loads(symtable.symtable(ast.unparse(node), "<statement>", "exec"))
    for one in ast.walk(node):
        names |= {module.partition(".")[0] for module in _modules(one)}
        names |= {ast.unparse(one)} if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) else set()
        names |= {alias.name for alias in one.names} if isinstance(one, ast.ImportFrom) else set()
    return names


def loads(table: symtable.SymbolTable, top: bool = True) -> set[str]:
    """Return the global names that a piece of code, or what is defined in it, loads."""
    names = {one.get_name() for one in table.get_symbols() if one.is_referenced() and (top or one.is_global())}
    return names.union(*(loads(child, False) for child in table.get_children()))


def _binds(node: ast.AST) -> set[str]:
    """Return the names whose meaning a statement may change: those it binds, and whose parts or methods it uses so."""
    bound = set[str]()
    for one in ast.walk(node):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(one.name)
        elif isinstance(one, (ast.Import, ast.ImportFrom)):
            bound |= {alias.asname or alias.name.partition(".")[0] for alias in one.names}
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            bound.add(one.id)
        elif isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store):
            bound.add(root(one))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        bound.add(root(node.value.func))
    return bound - {""}


def root(node: ast.AST) -> str:
    """Return the name that `a.b`, `a.b(1).c` and `a[1].b` begin with; empty where it is no such thing, as in `f(a)`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)) or (
        isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Subscript))
    ):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
