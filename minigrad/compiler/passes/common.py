"""Compute once what would be computed twice from the same inputs."""

from __future__ import annotations

from typing import Any

from minigrad.compiler.draft import ProgramIR, become, groups
from minigrad.compiler.values import Call, Elementwise, Equation, Product, Reduce, Value, base, literal, resolve


def common(draft: ProgramIR) -> str:
    """Compute once what would be computed twice from the same inputs."""
    removed = 0
    for group in groups(draft.equations):
        known: dict[Any, Value] = {}
        kept = []
        for equation in group:
            key = _key(equation)
            if key is not None and key in known and known[key].dtype == equation.out.dtype:
                become(equation.out, known[key])
                removed += 1
                continue
            if key is not None:
                known[key] = equation.out
            kept.append(equation)
        group[:] = kept
    return f"{removed} equations were computed already"


def _key(equation: Equation) -> Any:
    inputs = tuple(_value_key(x) for x in equation.inputs)
    if equation.out.root is not None:  # has a place in another array
        return None
    if isinstance(equation, Elementwise) and equation.rule != "copy":
        return equation.rule, equation.expression, inputs, equation.out.shape
    if isinstance(equation, Product) and equation.adds is None and equation.scale is None:
        return "@", inputs
    if isinstance(equation, Reduce):
        return equation.kind, equation.axes, inputs
    if isinstance(equation, Call) and equation.kernel not in ("dropout_mask", "custom"):
        return equation.kernel, equation.extra, inputs, equation.out.shape
    return None


def _value_key(value: Value) -> Any:
    number = literal(value)
    if number is not None:
        return "number", repr(number), value.dtype, value.shape  # 0.0 and -0.0 compare equal, but differ
    root, places = resolve(value)
    return id(root) if root.root is None else (id(base(root)), root.shape), places, value.shape
