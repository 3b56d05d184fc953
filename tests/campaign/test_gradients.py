"""Every operation of the table, on every shape, layout and dtype: its first and second derivatives."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.operation import Operation
from minigrad_course.check import check_gradients

from . import PART, PARTS
from .mutants import operation_classes
from .operations import ENTRIES, TABLE, between_curves, cases, check, check_directions, check_second, second_order_cases


@pytest.mark.parametrize("name", ENTRIES)
def test_derivatives_agree(name, count):
    """Both modes, finite differences, the complex step, float32, and a rerun, on all cases of an entry.

    A shorter run takes every third case, others each time; a quick one every sixth of them, in one dtype."""
    entry = ENTRIES[name]
    every = list(cases(entry))
    first, second = (chosen[PART::PARTS] for chosen in (every, second_order_cases(entry)))
    failures = []
    for kind, run, chosen in (("", check, first), ("second derivative: ", check_second, second)):
        for case in chosen:
            try:
                run(case)
            except Exception as error:
                failures.append(f"{kind}{case}: {type(error).__name__}: {error}")
    count("operations", 1)
    count("gradient cases", len(first) + len(second))
    assert not failures, f"{len(failures)} of {len(first) + len(second)} cases fail, the first:\n" + failures[0]
    assert len(every) >= 40, "an operation needs at least 40 cases: give its entry more calls"


ONE_DIRECTION = {"scan", "scan of two states", "scan in a scan"}  # scan takes dual numbers with one direction alone


def test_several_directions_at_once(count):
    """A pass with three directions gives the three tangents that three passes give."""
    chosen = [case for entry in TABLE if entry.name not in ONE_DIRECTION for case in second_order_cases(entry)]
    for case in chosen:
        check_directions(case)
    count("gradient cases", len(chosen))


def test_there_are_enough_cases():
    """At least 3,000 in all; no name twice."""
    assert sum(1 for entry in TABLE for _ in cases(entry)) >= 3000
    assert len(ENTRIES) == len(TABLE)


def test_no_operation_is_left_out(monkeypatch):
    """Each row of the derivative table, and each class with a derivative of its own, is met in some case."""
    met = set()
    for method in ("pullback", "pushforward"):
        original = getattr(Operation, method)

        def watched(self, *args, original=original):
            met.add(self.name if isinstance(self, mg.rules.Rule) else type(self).__name__)
            return original(self, *args)

        monkeypatch.setattr(Operation, method, watched)
    wanted = {cls.__name__ for cls in operation_classes() if "pullback" not in vars(cls)}
    wanted |= {name for name, row in mg.rules.TABLE.items() if set(row.partials) != {"0"}}
    for entry in TABLE:
        for case in second_order_cases(entry)[: None if entry.group else 1]:
            if wanted <= met:
                return
            curved, start = between_curves(case)

            def number(*us, curved=curved):
                return mg.sum(curved(*us))

            def slope(*us, number=number, directions=start):
                return mg.jvp(number, us, directions)[1]

            mg.hvp(lambda us, number=number: number(*us), start, start)
            mg.grad(slope, tuple(range(len(start))))(*start)
    check_gradients(lambda a: mg.sin(a.astype(np.float64)), np.ones(3, np.float32))  # a cast, which no entry has
    assert wanted - met == set()
