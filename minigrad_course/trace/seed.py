"""Turn the learner's choice into numbers: the direction in which the inputs move, or the weights of the outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from minigrad.core.arrays import ArrayLike
from minigrad.core.graph import Node
from minigrad_course.trace.tracer import Trace

Choice: TypeAlias = "int | str | Sequence[float] | np.ndarray | Mapping[str, ArrayLike]"  # of inputs, or of outputs


def directions(trace: Trace, seed: Choice) -> dict[Node, Any]:
    """Return the tangent of each input."""
    called = [trace.names[x] for x in trace.inputs]
    flat = _numbers(seed, trace.input_names, called, trace.inputs, "seed", "input")
    return dict(zip(trace.inputs, _split(flat, trace.inputs), strict=True))


def weights(trace: Trace, output: Choice) -> list[tuple[Node, Any]]:
    """Return the adjoint that each output starts with."""
    called = [trace.names[y] for y in trace.outputs]
    flat = _numbers(output, trace.output_names, called, trace.outputs, "output", "output")
    return list(zip(trace.outputs, _split(flat, trace.outputs), strict=True))


def _numbers(
    choice: Choice, entries: Sequence[str], called: Sequence[str], nodes: Sequence[Node], argument: str, what: str
) -> np.ndarray:
    """Return one number for each entry of the nodes."""
    known = ", ".join(entries[:8]) + (", ..." if len(entries) > 8 else "")
    if isinstance(choice, bool | np.bool_) or choice is None:
        raise TypeError(f"{argument} is an {what}'s number or name, a vector, or a dict by names; got {choice!r}")
    if isinstance(choice, int | np.integer):
        if not -len(entries) <= choice < len(entries):
            raise ValueError(
                f"{argument}={choice}: there are {len(entries)} {what}s, from 0 to {len(entries) - 1} ({known})"
            )
        return np.eye(len(entries))[choice]
    if isinstance(choice, str):
        choice = {choice: 1.0}
    vector_of_entries = np.zeros(len(entries))
    if isinstance(choice, Mapping):
        places = {name: [k] for k, name in enumerate(entries)}
        start = 0
        for name, node in zip(called, nodes, strict=True):  # an array by its own name, all entries at once
            places.setdefault(name, list(range(start, start + math.prod(node.shape))))
            start += math.prod(node.shape)
        for name, value in choice.items():
            if name not in places:
                raise ValueError(f"{argument}: there is no {what} called {name!r}; there are {known}")
            values = _floats(value, argument).reshape(-1)
            if values.size not in (1, len(places[name])):
                raise ValueError(
                    f"{argument}: {name} has {len(places[name])} entries, and {values.size} numbers were given"
                )
            vector_of_entries[places[name]] = values
        return vector_of_entries
    vector = _floats(choice, argument)
    if vector.ndim == 0:
        raise TypeError(
            f"{argument}={choice!r} is no {what}'s number: these are whole, from 0 to {len(entries) - 1} ({known}). A "
            f"direction has a number for each {what}, as a list"
        )
    if vector.size != len(entries):
        raise ValueError(
            f"{argument} needs a number for each of the {len(entries)} {what}s ({known}), got {vector.size}"
        )
    return vector.reshape(-1)


def _floats(values: object, argument: str) -> np.ndarray:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{argument} is made of numbers, got {values!r}") from None


def _split(flat: np.ndarray, nodes: Sequence[Node]) -> list[Any]:
    ends = np.cumsum([math.prod(node.shape) for node in nodes])
    parts = np.split(flat, ends[:-1])
    return [
        part.reshape(node.shape).astype(node.dtype if node.dtype.kind == "f" else np.float64)[()]
        for part, node in zip(parts, nodes, strict=True)
    ]
