"""Functions that are written for PyTorch or JAX, as functions of minigrad, for `explore`.

    mg.explore(lambda x: torch.tanh(x @ w), x)    # x is a tensor, or the function is a torch.nn.Module
    mg.explore(lambda x: jnp.tanh(x @ w), x)      # x is an array of JAX, or a number

Each of their operations becomes one of minigrad's, or several: of_torch and of_jax have a table each, translation what
both need. So the rules are minigrad's; values and gradients are compared in every run. Neither library is imported
before it is used.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from minigrad.core.tree import flatten
from minigrad_course.trace import Trace

LIBRARIES = ("torch", "jax")


def translate(
    function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]
) -> tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any], Callable[[Trace], None]]:
    """Return a function and its arguments in minigrad's terms, and what compares a run of it with the original.

    A function of minigrad comes back as it is.
    """
    library = _library_of(function, args)
    if library is None:
        return function, args, options, lambda run: None
    module = importlib.import_module(f"minigrad_course.viz.explore.guests.of_{library}")
    translated = module.Translated(function, args, options)
    return translated.function, translated.arguments, {}, translated.compare


def _library_of(function: Callable[..., Any], args: Sequence[Any]) -> str | None:
    """Tell the library by the arguments, by the kind of function, or by the modules that the function names."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    if not torch and not jax:
        return None
    leaves = [leaf for argument in args for leaf in flatten(argument)[0]]
    if torch and (isinstance(function, torch.nn.Module) or any(isinstance(leaf, torch.Tensor) for leaf in leaves)):
        return "torch"
    if jax and any(isinstance(leaf, jax.Array) for leaf in leaves):
        return "jax"
    code = getattr(inspect.unwrap(function), "__code__", None)
    names = code.co_names if code else ()
    outside = outside_names(function)
    uses = {value.__name__.split(".")[0] for name in names if isinstance(value := outside.get(name), ModuleType)}
    uses |= {str(getattr(outside.get(name), "__module__", "")).split(".")[0] for name in names}
    return next((library for library in LIBRARIES if library in uses and "minigrad" not in uses), None)


def outside_names(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names from outside that a function may use."""
    function = inspect.unwrap(function)
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None) or ()
    free = {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells, strict=True)} if code else {}
    return {**getattr(function, "__globals__", {}), **free}
