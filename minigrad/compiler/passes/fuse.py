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


def _fuse(ordered: list[Equation], carry_inputs: Iterable[Value] = ()) -> tuple[list[Equation], int]:
    """Return the equations with fused loops, and the number of loops saved.

    carry_inputs: values that are needed after the last equation, such as a loop's next state.
    """
    saved = 0
    for equation in ordered:
        if isinstance(equation, Loop):
            equation.body, fewer = _fuse(equation.body, [new for _, _, new in equation.carries])
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
        equation = equations[k]
        chosen = k
        if isinstance(equation, Elementwise):
            candidates = {group[j] for j in users[k]}  # if another group must run before g, joining makes a cycle
            for g in sorted(candidates):
                others = candidates - {g}
                if _may_join(equation, [equations[m] for m in members[g]]) and not reaches(followers, others, g):
                    chosen = g
                    break
        group[k] = chosen
        members.setdefault(chosen, []).append(k)
        followers.setdefault(chosen, set()).update(group[j] for j in users[k] if group[j] != chosen)
    readers: dict[int, set[int]] = {}  # array -> the equations that read it
    for equation in equations:
        for value in all_reads(equation):
            readers.setdefault(id(base(value)), set()).add(id(equation))
    result: list[Equation] = []
    for g in in_order(members, needs, group):
        inside = [equations[m] for m in sorted(members[g])]
        if isinstance(inside[0], Elementwise):
            result.append(_fused([e for e in inside if isinstance(e, Elementwise)], readers, carry_inputs))
        else:
            result += inside
    return result, saved + len(equations) - len(result)


def _may_join(equation: Elementwise, group: list[Equation]) -> bool:
    """Tell whether a loop can also compute `equation`: of the same shape, and read only at the current entry."""
    out, places = resolve(equation.out)
    for member in group:
        if not isinstance(member, Elementwise) or member.out.shape != equation.out.shape:
            return False
        for value in reads(member):
            root, at = resolve(value)
            if base(root) is not base(out):
                continue
            if root is not out or value.shape != equation.out.shape or at != places:
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
