"""Fuse elementwise equations over one shape into one loop; values that only the loop reads never reach memory."""

from __future__ import annotations

from collections.abc import Iterable

from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.schedule import Fused, all_reads, dependencies, in_order, in_running_order, reaches
from minigrad.compiler.values import Elementwise, Equation, Loop, Value, View, base, reads, resolve


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
    group: dict[int, int] = {}  # index of an equation -> index of the group's last equation
    members: dict[int, list[int]] = {}
    followers: dict[int, set[int]] = {}  # group -> groups that need it
    for k in reversed(range(len(equations))):
        group[k], members[k], followers[k] = k, [k], {group[j] for j in users[k]}
        for g in sorted(followers[k]) if isinstance(equations[k], Elementwise) else ():
            own = group[k]
            if not _may_join([equations[m] for m in members[own]], [equations[m] for m in members[g]]):
                continue
            if reaches(followers, followers[own] - {g}, g) or reaches(followers, followers[g] - {own}, own):
                continue  # another group has to run between the two
            for m in members[own]:
                group[m] = g
            members[g] += members.pop(own)
            followers[g] = (followers[g] | followers.pop(own)) - {g, own}
            for after in followers.values() if own != k else ():
                if own in after:
                    after.remove(own)
                    after.add(g)
            if loop is None:
                break
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


def _may_join(group: list[Equation], other: list[Equation]) -> bool:
    """Tell whether one loop can compute both groups: of one shape, and each reads the other's at the current entry."""
    shape = group[0].out.shape
    if not all(isinstance(e, Elementwise) and e.out.shape == shape for e in group + other):
        return False
    for writers, readers in ((group, other), (other, group)):
        made = {id(base(e.out)): resolve(e.out) for e in writers}
        for value in (v for reader in readers for v in reads(reader)):
            root, at = resolve(value)
            out, places = made.get(id(base(root)), (root, at))
            if root is not out or at != places or (id(base(root)) in made and value.shape != shape):
                return False
    return True


def _fused(members: list[Elementwise], readers: dict[int, set[int]], carry_inputs: Iterable[Value]) -> Fused:
    inside = {id(m) for m in members}
    wanted = {owner for m in members if readers.get(owner := id(base(m.out)), inside) - inside}
    wanted |= {id(base(v)) for v in carry_inputs}
    kept = [m for m in members if id(base(m.out)) in wanted or isinstance(m.out.at, View)]
    kept = kept or members[-1:]
    hidden = {id(m.out) for m in members} - {id(m.out) for m in kept}  # values that only the loop reads need no array
    inputs = [v for m in members for v in m.inputs if id(base(v)) not in hidden]
    return Fused(members[-1].out, inputs, members, kept)
