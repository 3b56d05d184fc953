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
    known = f"{len(entries)} {what}s: {', '.join(entries[:8])}{', ...' if len(entries) > 8 else ''}"
    vector = np.zeros(len(entries))
    if isinstance(choice, int | np.integer) and not isinstance(choice, bool):
        if not -len(entries) <= choice < len(entries):
            raise ValueError(f"{argument}={choice}: there are {known}; they are numbered from 0 to {len(entries) - 1}")
        vector[choice] = 1.0
        return vector
    try:
        if not isinstance(choice, str | Mapping):
            vector[:] = np.reshape(np.asarray(choice, np.float64), len(entries))
            return vector
        places = {name: [k] for k, name in enumerate(entries)}
        start = 0
        for name, node in zip(called, nodes, strict=True):  # an array by its own name, all entries at once
            places.setdefault(name, list(range(start, start + math.prod(node.shape))))
            start += math.prod(node.shape)
        for name, value in ({choice: 1.0} if isinstance(choice, str) else choice).items():
            vector[places[name]] = np.ravel(np.asarray(value, np.float64))
        return vector
    except KeyError as error:
        raise ValueError(f"{argument}: no {what} is called {error}; there are {known}") from None
    except (TypeError, ValueError):
        raise ValueError(
            f"{argument} is the number or the name of one of {known}; or numbers, one for each, in a list or a dict by "
            f"names; got {choice!r}"
        ) from None


def _split(flat: np.ndarray, nodes: Sequence[Node]) -> list[Any]:
    ends = np.cumsum([math.prod(node.shape) for node in nodes])
    parts = np.split(flat, ends[:-1])
    return [
        part.reshape(node.shape).astype(node.dtype if node.dtype.kind == "f" else np.float64)[()]
        for part, node in zip(parts, nodes, strict=True)
    ]
