"""Fuse elementwise equations over one shape into one loop; values that only the loop reads never reach memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.schedule import Fused, dependencies, in_order, in_running_order, reaches
from minigrad.compiler.values import Elementwise, Equation, Loop, Value, View, all_reads, base, reads, resolve


def order(ir: ProgramIR) -> str:
    """Put the equations in an order that can run, each elementwise one as a loop of its own."""
    ir.equations = in_running_order(ir.equations)
    return ""


def fuse(ir: ProgramIR) -> str:
    """Fuse loops over one shape if nothing has to run between them."""
    ir.equations, saved = _fuse(ir.equations)
    return f"{saved} equations share a loop with others"


def _fuse(ordered: list[Equation], loop: Loop | None = None) -> tuple[list[Equation], int]:
    """Return the equations with fused loops, and the number of loops saved.

    loop: the loop over time whose body they are. In a body, equations that read the same value share a loop, too:
    elsewhere that would put parts of the backward pass into the forward one.
    """
    saved = 0
    for equation in ordered:
        if isinstance(equation, Loop):
            equation.body, fewer = _fuse(equation.body, equation)
            saved += fewer
    equations = [e.members[0] if isinstance(e, Fused) else e for e in ordered]
    needs = dependencies(equations)
    users: dict[int, set[int]] = {k: set() for k in needs}
    for k, before in needs.items():
        for j in before:
            users[j].add(k)
    group: dict[int, int] = {}  # index of an equation -> index of its group's last equation
    groups: dict[int, _Group] = {}
    followers: dict[int, set[int]] = {}  # group -> groups that need it
    for k in reversed(range(len(equations))):
        group[k], groups[k], followers[k] = k, _Group(k, equations[k]), {group[j] for j in users[k]}
        for g in sorted(followers[k]) if isinstance(equations[k], Elementwise) else ():
            own = group[k]
            if not groups[own].may_join(groups[g]) or reaches(followers, followers[own] - {g}, g):
                continue
            if own != k and reaches(followers, followers[g] - {own}, own):
                continue  # another group has to run between the two
            group.update(dict.fromkeys(groups[own].members, g))
            groups[g].take(groups.pop(own))
            followers[g] = (followers[g] | followers.pop(own)) - {g, own}
            for after in followers.values() if own != k else ():
                if own in after:
                    after.remove(own)
                    after.add(g)
            if loop is None:
                break
    members = {g: made.members for g, made in groups.items()}
    readers: dict[int, set[int]] = {}  # array -> the equations that read it
    for equation in equations:
        for value in all_reads(equation):
            readers.setdefault(id(base(value)), set()).add(id(equation))
    result: list[Equation] = []
    for g in in_order(members, needs, group):
        inside = [equations[m] for m in sorted(members[g])]
        if isinstance(inside[0], Elementwise):
            nexts = [new for _, _, new in loop.carries] if loop else []
            result.append(_fused([e for e in inside if isinstance(e, Elementwise)], readers, nexts))
        else:
            result += inside
    return result, saved + len(equations) - len(result)


class _Group:
    """Equations that may share a loop, and which entries of an array they read and write."""

    def __init__(self, k: int, equation: Equation):
        self.members = [k]
        self.shape = equation.out.shape if isinstance(equation, Elementwise) else None
        self.reads: dict[int, set[tuple[Any, Any]]] = {}
        for value in reads(equation) if self.shape is not None else ():
            self.reads.setdefault(id(base(value)), set()).add((resolve(value), value.shape))
        self.writes = {id(base(equation.out)): (resolve(equation.out), equation.out.shape)}

    def may_join(self, other: _Group) -> bool:
        """Tell whether one loop can compute both: of one shape, and each reads the other's at the current entry."""
        return self.shape == other.shape is not None and all(
            two.reads[array] == {one.writes[array]}
            for one, two in ((self, other), (other, self))
            for array in one.writes.keys() & two.reads.keys()
        )

    def take(self, other: _Group) -> None:
        self.members += other.members
        self.writes |= other.writes
        for array, looks in other.reads.items():
            self.reads.setdefault(array, set()).update(looks)


def _fused(members: list[Elementwise], readers: dict[int, set[int]], carry_inputs: Iterable[Value]) -> Fused:
    inside = {id(m) for m in members}
    wanted = {owner for m in members if readers.get(owner := id(base(m.out)), inside) - inside}
    wanted |= {id(base(v)) for v in carry_inputs}
    kept = [m for m in members if id(base(m.out)) in wanted or isinstance(m.out.at, View)]
    kept = kept or members[-1:]
    hidden = {id(m.out) for m in members} - {id(m.out) for m in kept}  # values that only the loop reads need no array
    inputs = [v for m in members for v in m.inputs if id(base(v)) not in hidden]
    return Fused(members[-1].out, inputs, members, kept)
