"""In which order the equations run, and which of them share one loop.

Elementwise equations over the same shape become one loop: what only the loop itself needs is never written to memory.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
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
        own = {id(value) for value in equation.results} | {id(v) for e in equation.body for v in inner_outs(e)}
        found = [v for e in equation.body for v in all_reads(e)]
        found += [value for _, start, new in equation.carries for value in (start, new)]
        return [v for v in found if id(resolve(v)[0]) not in own and id(storage(v)) not in own]
    return [*reads(equation), *(x for x in getattr(equation, "extra", ()) if isinstance(x, Value))]


def inner_outs(equation: Equation) -> list[Value]:
    return equation.results if isinstance(equation, Loop) else equation.outs


def dependencies(equations: list[Equation]) -> dict[int, set[int]]:
    """For each equation (by its index) those that must run before it."""
    writers: dict[int, list[tuple[int, Value]]] = {}
    for k, equation in enumerate(equations):
        if isinstance(equation, Store):
            continue
        for value in _written(equation):
            writers.setdefault(id(storage(value)), []).append((k, value))
    needs: dict[int, set[int]] = {k: set() for k in range(len(equations))}
    for k, equation in enumerate(equations):
        for value in all_reads(equation):
            for w, written in writers.get(id(storage(value)), ()):
                if w != k and _meet(value, written):
                    needs[k].add(w)
    _guarded(equations, needs)
    _parameters_last(equations, needs)
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


def _parameters_last(equations: list[Equation], needs: dict[int, set[int]]) -> None:
    """Whatever reads a parameter comes before what computes its next value, where that can be."""
    makers = _makers(equations)
    for k, store in enumerate(equations):
        if not isinstance(store, Store):
            continue
        others = [j for j, e in enumerate(equations)
                  if j != k and any(storage(v) is store.out for v in all_reads(e))]  # fmt: skip
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


def fuse(
    equations: list[Equation], enabled: bool = True, handed_on: Iterable[Value] = ()
) -> tuple[list[Equation], int]:
    """The equations in running order, with elementwise ones joined. Returns them and how many loops were saved.

    handed_on: values that are needed after the last equation, as a loop's next state is.
    """
    saved = 0
    for equation in equations:
        if isinstance(equation, Loop):
            equation.body, fewer = fuse(equation.body, enabled, [new for _, _, new in equation.carries])
            saved += fewer
    needs = dependencies(equations)
    order = _in_order({k: [k] for k in needs}, needs, {k: k for k in needs})
    equations = [equations[k] for k in order]
    needs = dependencies(equations)
    users: dict[int, set[int]] = {k: set() for k in needs}
    for k, before in needs.items():
        for j in before:
            users[j].add(k)
    group: dict[int, int] = {}  # index of an equation -> index of the group's last equation
    members: dict[int, list[int]] = {}
    followers: dict[int, set[int]] = {}  # group -> groups that need it
    for k in reversed(range(len(equations))):
        equation = equations[k]
        chosen = k
        if enabled and isinstance(equation, Elementwise):
            found = {group[j] for j in users[k]}
            for g in sorted(found):
                if _may_join(equation, [equations[m] for m in members[g]]) and not _between(found - {g}, g, followers):
                    chosen = g
                    break
        group[k] = chosen
        members.setdefault(chosen, []).append(k)
        followers.setdefault(chosen, set()).update(group[j] for j in users[k] if group[j] != chosen)
    ordered = _in_order(members, needs, group)
    result: list[Equation] = []
    for g in ordered:
        inside = [equations[m] for m in sorted(members[g])]
        if isinstance(inside[0], Elementwise):
            result.append(_fused([e for e in inside if isinstance(e, Elementwise)], equations, handed_on))
        else:
            result += inside
    return result, saved + len(equations) - len(result)


def _between(others: set[int], goal: int, followers: dict[int, set[int]]) -> bool:
    """Whether one of `others` must run before group `goal`: then joining would make a circle."""
    stack, seen = list(others), set(others)
    while stack:
        g = stack.pop()
        if g == goal:
            return True
        for f in followers.get(g, ()):
            if f not in seen:
                seen.add(f)
                stack.append(f)
    return False


def _may_join(equation: Elementwise, group: list[Equation]) -> bool:
    """Whether a loop can compute `equation` on the way: the same shape, read nowhere but where the loop just is."""
    out, places = resolve(equation.out)
    for member in group:
        if not isinstance(member, Elementwise) or member.out.shape != equation.out.shape:
            return False
        for value in reads(member):
            root, at = resolve(value)
            if storage(root) is not storage(out):
                continue
            if root is not out or value.shape != equation.out.shape or at != places:
                if root is out and disjoint(at, value.shape, places, equation.out.shape):
                    continue
                return False
    return True


def _in_order(members: dict[int, list[int]], needs: dict[int, set[int]], group: dict[int, int]) -> list[int]:
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


def _fused(members: list[Elementwise], equations: Iterable[Equation], handed_on: Iterable[Value]) -> Fused:
    inside = {id(m) for m in members}
    kept = []
    readers = [e for e in equations if id(e) not in inside]
    wanted = {id(storage(v)) for e in readers for v in [*all_reads(e), *(e.inputs if isinstance(e, Store) else [])]}
    wanted |= {id(storage(v)) for v in handed_on}
    for member in members:
        if id(storage(member.out)) in wanted or member.out.root is not None or member.out.role == "output":
            kept.append(member)
    kept = kept or members[-1:]
    hidden = {id(m.out) for m in members} - {id(m.out) for m in kept}  # what only the loop needs lies in no array
    inputs = [v for m in members for v in m.inputs if id(storage(v)) not in hidden]
    return Fused(members[-1].out, inputs, members, kept)
