"""In which order the equations run: which of them must come before which others."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from minigrad.compiler.values import (
    Assemble,
    Elementwise,
    Equation,
    Guard,
    Loop,
    Store,
    Value,
    disjoint,
    reads,
    resolve,
    storage,
)


@dataclass(eq=False)
class Fused(Equation):
    """Elementwise equations in one loop over `shape`. kept: the members whose values are read outside of it."""

    members: list[Elementwise]
    kept: list[Elementwise]

    @property
    def outs(self) -> list[Value]:
        return [member.out for member in self.kept]


def all_reads(equation: Equation) -> list[Value]:
    """What an equation reads; of a loop over time also what its body and its carried values read from outside."""
    if isinstance(equation, Loop):
        own = {id(value) for value in equation.results} | {id(v) for e in equation.body for v in e.outs}
        found = [v for e in equation.body for v in all_reads(e)] + equation.handed_on
        return [v for v in found if id(resolve(v)[0]) not in own and id(storage(v)) not in own]
    return [*reads(equation), *(x for x in getattr(equation, "extra", ()) if isinstance(x, Value))]


def dependencies(equations: list[Equation]) -> dict[int, set[int]]:
    """For each equation (by its index) those that must run before it."""
    writers: dict[int, list[tuple[int, Value]]] = {}
    for k, equation in enumerate(equations):
        if isinstance(equation, Store):
            continue
        for value in _written(equation):
            writers.setdefault(id(storage(value)), []).append((k, value))
    needs: dict[int, set[int]] = {k: set() for k in range(len(equations))}
    readers: dict[int, set[int]] = {}
    for k, equation in enumerate(equations):
        for value in all_reads(equation):
            owner = id(storage(value))
            readers.setdefault(owner, set()).add(k)
            for w, written in writers.get(owner, ()):
                if w != k and _meet(value, written):
                    needs[k].add(w)
    _guarded(equations, needs)
    _parameters_last(equations, needs, readers)
    return needs


def _guarded(equations: list[Equation], needs: dict[int, set[int]]) -> None:
    """What writes to a parameter, or may come to lie in its memory, runs after the guard."""
    guard = next((k for k, e in enumerate(equations) if isinstance(e, Guard)), None)
    if guard is None:
        return
    makers = _makers(equations)
    for k, store in enumerate(equations):
        if isinstance(store, Store) and store.out.role == "parameter":
            needs[k].add(guard)
            maker = makers.get(id(resolve(store.inputs[0])[0]))
            if maker is not None and not _reaches(needs, guard, maker):
                needs[maker].add(guard)


def _makers(equations: list[Equation]) -> dict[int, int]:
    """The index of the equation that makes each value, by the value's id."""
    return {id(resolve(v)[0]): k for k, e in enumerate(equations) if not isinstance(e, Store) for v in e.outs}


def _written(equation: Equation) -> list[Value]:
    """What an equation writes. Of what is put together only the pieces: others may be computed where they belong."""
    if isinstance(equation, Assemble) and equation.fill is None:
        out = equation.out
        return [
            Value(out.name, piece.shape, out.dtype, root=out, places=at)
            for piece, at in zip(equation.inputs, equation.at, strict=True)
        ]
    return equation.outs


def _meet(read: Value, written: Value) -> bool:
    """Whether an entry that is read may be one that is written."""
    mine, places = resolve(read)
    theirs, at = resolve(written)
    if mine is not theirs:  # under another shape: no telling
        return True
    return not disjoint(places, read.shape, at, written.shape)


def _parameters_last(equations: list[Equation], needs: dict[int, set[int]], readers: dict[int, set[int]]) -> None:
    """Whatever reads a parameter comes before what computes its next value, where that can be."""
    makers = _makers(equations)
    for k, store in enumerate(equations):
        if not isinstance(store, Store):
            continue
        others = sorted(readers.get(id(store.out), set()) - {k})
        needs[k].update(others)
        maker = makers.get(id(resolve(store.inputs[0])[0]))
        if maker is None:
            continue
        for j in others:
            if j != maker and not _reaches(needs, j, maker):
                needs[maker].add(j)


def _reaches(needs: dict[int, set[int]], k: int, goal: int) -> bool:
    """Whether equation k needs `goal`, by however many steps."""
    stack, seen = [k], {k}
    while stack:
        for j in needs[stack.pop()]:
            if j == goal:
                return True
            if j not in seen:
                seen.add(j)
                stack.append(j)
    return False


def in_running_order(equations: list[Equation]) -> list[Equation]:
    """The equations so that each comes after those it needs; an elementwise one is a loop of its own from now on."""
    for equation in equations:
        if isinstance(equation, Loop):
            equation.body = in_running_order(equation.body)
    needs = dependencies(equations)
    found = [equations[k] for k in in_order({k: [k] for k in needs}, needs, {k: k for k in needs})]
    return [Fused(e.out, e.inputs, [e], [e]) if isinstance(e, Elementwise) else e for e in found]


def in_order(members: dict[int, list[int]], needs: dict[int, set[int]], group: dict[int, int]) -> list[int]:
    """Groups in an order that fits; those that come first in the list first."""
    waiting = {g: {group[j] for m in ms for j in needs[m]} - {g} for g, ms in members.items()}
    followers: dict[int, list[int]] = {}
    for g, before in waiting.items():
        for b in before:
            followers.setdefault(b, []).append(g)
    ready = [g for g, before in waiting.items() if not before]
    heapq.heapify(ready)
    order = []
    while ready:
        g = heapq.heappop(ready)
        order.append(g)
        for f in followers.get(g, ()):
            waiting[f].discard(g)
            if not waiting[f]:
                heapq.heappush(ready, f)
    assert len(order) == len(members), "the equations wait for each other in a circle"
    return order
