"""Order the equations by their dependencies."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from graphlib import TopologicalSorter

from minigrad.compiler.values import (
    Elementwise,
    Equation,
    Guard,
    Loop,
    Store,
    Value,
    all_reads,
    base,
    resolve,
)


@dataclass(eq=False)
class Fused(Equation):
    """Elementwise equations in one loop over `shape`. kept: the members whose values are read outside of it."""

    members: list[Elementwise]
    kept: list[Elementwise]

    @property
    def outs(self) -> list[Value]:
        return [member.out for member in self.kept]


def dependencies(equations: list[Equation]) -> dict[int, set[int]]:
    """Return for each equation (by its index) those that must run before it."""
    writers: dict[int, set[int]] = {}
    for k, equation in enumerate(equations):
        if isinstance(equation, Store):
            continue
        for value in equation.outs:
            writers.setdefault(id(base(value)), set()).add(k)
    needs: dict[int, set[int]] = {k: set() for k in range(len(equations))}
    readers: dict[int, set[int]] = {}
    for k, equation in enumerate(equations):
        for value in all_reads(equation):
            owner = id(base(value))
            readers.setdefault(owner, set()).add(k)
            needs[k] |= writers.get(owner, set()) - {k}
    makers = {id(resolve(v)[0]): k for k, e in enumerate(equations) if not isinstance(e, Store) for v in e.outs}
    stores = [
        (k, e, makers.get(id(resolve(e.inputs[0])[0]), -1)) for k, e in enumerate(equations) if isinstance(e, Store)
    ]
    # First those whose new value comes about in the memory of the old one: they cannot do without their order.
    stores.sort(key=lambda entry: getattr(equations[entry[2]], "adds", None) is not entry[1].out)
    guard = next((k for k, e in enumerate(equations) if isinstance(e, Guard)), -1)
    for k, store, maker in stores if guard >= 0 else ():
        if store.out.role == "parameter":  # what writes to it, or may come to lie in its memory, runs after the guard
            needs[k].add(guard)
            if maker >= 0 and not reaches(needs, {guard}, maker):
                needs[maker].add(guard)
    for k, store, maker in stores:  # what reads a parameter comes before what computes its next value, if that can be
        others = sorted(readers.get(id(store.out), set()) - {k})
        needs[k].update(others)
        for j in others if maker >= 0 else ():
            if j != maker and not reaches(needs, {j}, maker):
                needs[maker].add(j)
    return needs


def reaches(edges: dict[int, set[int]], start: set[int], goal: int) -> bool:
    """Tell whether a path leads from one of `start` to `goal`, in however many steps."""
    stack, seen = list(start), set(start)
    while stack and goal not in seen:
        further = edges.get(stack.pop(), set()) - seen
        seen |= further
        stack += further
    return goal in seen


def in_running_order(equations: list[Equation]) -> list[Equation]:
    """Order the equations so that each comes after those it needs; an elementwise one becomes a loop of its own."""
    for equation in equations:
        if isinstance(equation, Loop):
            equation.body = in_running_order(equation.body)
    needs = dependencies(equations)
    ordered = [equations[k] for k in in_order({k: [k] for k in needs}, needs, {k: k for k in needs})]
    return [Fused(e.out, e.inputs, [e], [e]) if isinstance(e, Elementwise) else e for e in ordered]


def in_order(members: dict[int, list[int]], needs: dict[int, set[int]], group: dict[int, int]) -> list[int]:
    """Order the groups by their needs; among ready groups, the first in the list goes first."""
    sorter = TopologicalSorter({g: {group[j] for m in ms for j in needs[m]} - {g} for g, ms in members.items()})
    sorter.prepare()  # or CycleError: the equations wait for each other in a circle
    ready: list[int] = []
    order: list[int] = []
    while sorter.is_active():
        for g in sorter.get_ready():
            heapq.heappush(ready, g)
        order.append(heapq.heappop(ready))
        sorter.done(order[-1])
    return order
