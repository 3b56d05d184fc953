"""Remove equations that no output and no new parameter depends on, and unused states of loops."""

from __future__ import annotations

from minigrad.compiler.ir import ProgramIR, all_equations
from minigrad.compiler.values import Equation, Guard, Loop, Store, all_reads, base, resolve


def dead(ir: ProgramIR) -> str:
    """Remove equations that no output and no new parameter depends on."""
    equations = ir.equations
    before = sum(1 for _ in all_equations(equations))
    needed = {id(base(e.inputs[0])) for e in equations if isinstance(e, Store)}
    _drop_dead(equations, needed)
    return f"{before - sum(1 for _ in all_equations(equations))} equations led nowhere"


def _drop_dead(equations: list[Equation], needed: set[int]) -> None:
    kept = []
    for equation in reversed(equations):
        if isinstance(equation, Loop):
            if not any(id(v) in needed for v in equation.results):
                continue
            _shorten_loop(equation, needed)
        elif not isinstance(equation, Store | Guard) and not any(id(base(v)) in needed for v in equation.outs):
            continue
        kept.append(equation)
        needed |= _needs(equation)
    equations[:] = kept[::-1]


def _needs(equation: Equation) -> set[int]:
    """Return the values that an equation needs, and the bases of their arrays."""
    return {id(value) for x in all_reads(equation) for value in (x, resolve(x)[0], base(x))}


def _shorten_loop(loop: Loop, needed: set[int]) -> None:
    """Remove a loop's unused outputs and carried values, and the equations that only they need."""
    wanted = {id(value) for value in loop.results if id(value) in needed}
    while True:  # a carried value is needed if a needed value in the body reads it
        alive = wanted | {id(base(new)) for carried, _, new in loop.carries if id(carried) in wanted}
        start = set(alive)
        for equation in reversed(loop.body):  # only collect: inner loops are shortened later
            if any(id(base(v)) in alive for v in equation.outs):
                alive |= _needs(equation)
        more = {id(carried) for carried, _, _ in loop.carries if id(carried) in alive} - wanted
        if not more:
            break
        wanted |= more
    _drop_dead(loop.body, start)
    loop.carries = [triple for triple in loop.carries if id(triple[0]) in wanted]
    loop.results = [value for value in loop.results if id(value) in wanted]
    loop.out = loop.results[0]
