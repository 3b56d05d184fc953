"""An engine in a process that has NumPy and no minigrad: it answers requests of plain numbers with plain numbers.

Whatever runs beside an engine can be changed by it. So this process compares nothing: what is right is computed outside
(project/recomputed.py), from the same numbers.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from minigrad_course.isolation import helper

Engine = Any  # the learner's module


def array(value: Any) -> Any:
    """A number as it is, lists of numbers as an array."""
    return np.array(value, float) if isinstance(value, list) else value


def numbers(*values: Any) -> list[Any]:
    """The values of nodes, or numbers themselves, as lists."""
    return [np.asarray(getattr(value, "value", value), float).tolist() for value in values]


def lines(m: Engine, inputs: list[Any], lines: list[str]) -> list[Any]:
    """The nodes of a graph that is written line by line: x0, x1, ..., then v2, v3, ..."""
    made = {f"x{k}": x for k, x in enumerate(inputs)}
    for line in lines:
        made[f"v{len(made)}"] = eval(line, dict(vars(m)), made)
    return list(made.values())


def graph(m: Engine, inputs: Any, text: Any, seed: Any = None, moves: Any = None) -> Any:
    """Its values; with a seed the grad of each node, with moves the last tangent."""
    nodes = lines(m, [m.Node(array(x)) for x in inputs], text)
    answer = numbers(*nodes)
    if seed is not None:
        m.backward(nodes[-1], array(seed))
        answer += numbers(*(node.grad for node in nodes))
    if moves is not None:
        duals = [m.Dual(array(x), array(d)) for x, d in zip(inputs, moves, strict=True)]
        answer += numbers(lines(m, duals, text)[-1].tangent)
    return answer


def places(m: Engine) -> Any:
    """The places of a chain's nodes in the engine's order."""
    a = m.Node(2.0)
    b = m.sin(a)
    c = b + a
    return [next(k for k, one in enumerate((a, b, c)) if one is node) for node in m.order(c)]


def entropy(m: Engine, logits: Any, labels: Any, moves: Any) -> Any:
    x, labels = m.Node(array(logits)), np.array(labels)
    loss = m.cross_entropy(x, labels)
    m.backward(loss)
    return numbers(loss, x.grad, m.cross_entropy(m.Dual(array(logits), array(moves)), labels).tangent)


def training(m: Engine, x: Any, labels: Any, weight: Any, rate: float) -> Any:
    """Four steps of one layer, on all rows."""
    layer = m.Linear(len(weight), len(weight[0]), np.random.default_rng(0))
    layer.weight.value = array(weight)
    optimizer, rng = m.SGD(layer.parameters, rate), np.random.default_rng(1)
    losses = m.fit(layer, optimizer, array(x), np.array(labels), epochs=4, batch=len(x), rng=rng)
    return numbers(losses, *layer.parameters)


def recurrent(m: Engine, xs: Any, weights: Any, seed: Any) -> Any:
    cell = m.Recurrent(len(weights[0]), len(weights[1]), np.random.default_rng(0))
    for p, weight in zip(cell.parameters, weights, strict=True):
        p.value = array(weight)
    h = cell([array(x) for x in xs])
    m.backward(h, array(seed))
    return numbers(h, *(p.grad for p in cell.parameters))


def convolution(m: Engine, x: Any, kernel: Any, seed: Any) -> Any:
    x, kernel = m.Node(array(x)), m.Node(array(kernel))
    y = m.conv2d(x, kernel)
    m.backward(y, array(seed))
    return numbers(y, x.grad, kernel.grad)


def second(m: Engine, x: Any, w: Any, d: Any) -> Any:
    """A Hessian times a vector."""
    w = m.Node(array(w))
    (g,) = m.adjoints(m.sum(m.tanh(array(x) @ w) ** 2), [w])
    return numbers(g, *m.adjoints(m.sum(g * array(d)), [w]))


def steps(m: Engine, kind: str, start: float, rate: float, gradients: Any) -> Any:
    """The places of a parameter after each step of an optimizer."""
    p, answer = m.Node(start), []
    optimizer = getattr(m, kind)([p], rate)
    for p.grad in gradients:
        optimizer.step()
        answer.append(float(p.value))
    return answer


def checkpoint(m: Engine, x: Any, y: Any, seed: Any) -> Any:
    x, y = m.Node(array(x)), m.Node(array(y))
    made = m.checkpoint(lambda x, y: m.sin(x * y) * x, x, y)
    m.backward(made * made, array(seed))
    return numbers(made, x.grad, y.grad)


def program(m: Engine, x: float, y: float, others: Any) -> Any:
    """A function and its derivatives at other inputs, by the text that the engine makes of them."""
    nodes = [m.Node(x), m.Node(y)]
    z = nodes[0] * m.sin(nodes[1]) - 2 / nodes[0]
    names: dict[str, Any] = {}
    exec(m.program([z, *m.adjoints(z, nodes)], nodes), names)
    return [numbers(*names["run"](*other)) for other in others]


REQUESTS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (graph, places, entropy, training, recurrent, convolution, second, steps, checkpoint, program)
}


def begin(first: dict[str, str]) -> tuple[str, Callable[[Any], Any]]:
    """The function that answers. It runs the file on its first call, which may take long, or end us."""
    module = types.ModuleType("mine")

    def answer(request: list[Any]) -> Any:
        name, *data = request
        try:
            if module.__name__ not in sys.modules:
                sys.modules[module.__name__] = module
                exec(compile(Path(first["file"]).read_text(encoding="utf-8"), "mine.py", "exec"), vars(module))
            with np.errstate(all="ignore"):
                return REQUESTS[name](module, *data)
        except (Exception, SystemExit) as error:
            return f"{type(error).__name__}: {error}"[:200]

    return "ready", answer


if __name__ == "__main__":
    helper.serve(begin)
