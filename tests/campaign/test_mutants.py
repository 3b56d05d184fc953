"""The test of the tests: wrong gradients are planted one at a time, and the campaign must notice every one."""

import random

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.check import check_gradients

from . import SEED, test_special_values
from .mutants import all_mutants
from .operations import ENTRIES, TABLE, cases, check, check_second, second_order_cases
from .random_graphs import Program
from .special_values import PAGE, page
from .test_random_graphs import examine

SHOWS_IN = {  # the entries that use a class of array operations, where its name is not theirs
    "ConvImages": ("conv2d",), "ConvFilters": ("conv2d",),
    "AddRows": ("take_rows",), "CrossEntropySlope": ("softmax_cross_entropy",),
    "CumSum": ("along an axis, 1",), "TakeAlong": ("in order, 1",),
    "AddAlong": ("in order, 1",),
    "Solve": ("systems, 2",),
    "Attend": ("attention",), "AttendBack": ("attention",),
    "Pack": ("scan in a scan",), "Part": ("scan in a scan",),
}  # fmt: skip
PARTS = 8


def look_at(name: str) -> None:
    """Part of the campaign: an entry's cases in mixed order, or one of the checks that no entry makes."""
    if name == "random":
        for number in range(60):
            examine(Program(SEED, number))
    elif name == "mixed dtypes":
        test_special_values.test_float32_with_float64_is_float64()
        check_gradients(lambda a, b: mg.sin(a) * b, np.ones(3, np.float32), np.ones((2, 3)))
    elif name == "stop_gradient":
        test_special_values.test_stop_gradient_stops()
    elif name == "special values":
        assert PAGE.read_text(encoding="utf-8") == page()
    else:
        entry = ENTRIES[name]
        first = list(cases(entry))
        random.Random(name).shuffle(first)
        for case in first[:20]:
            check(case)
        for case in second_order_cases(entry):
            check_second(case)
        for case in first[20:]:
            check(case)


PLACES = ["random", "mixed dtypes", "stop_gradient", "special values", *(entry.name for entry in TABLE)]


def noticed(mutant) -> bool:
    """Tell whether the campaign fails with the mutant planted. The likely places first, then all others."""
    unknown = set(mutant.shows_in) - set(PLACES)
    assert not unknown, f"{mutant.name} is to show in {unknown}: no such entry of the table. Say in SHOWS_IN where"
    with mutant.plant():
        for name in dict.fromkeys([*mutant.shows_in, *PLACES]):
            try:
                look_at(name)
            except Exception:
                return True
    return False


def test_nothing_is_noticed_where_nothing_is_planted():
    """The checks pass on the right gradients; otherwise they would catch anything."""
    for name in PLACES[:4]:
        look_at(name)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_wrong_gradient_is_noticed(part, count):
    """Each partial derivative, jvp and vjp, 0.05 % too large, 0, or of the wrong sign."""
    planted = all_mutants(SHOWS_IN)[part::PARTS]
    survived = [mutant.name for mutant in planted if not noticed(mutant)]
    count("wrong gradients planted", len(planted))
    count("wrong gradients caught", len(planted) - len(survived))
    assert survived == []


def test_a_planted_mutant_is_gone_afterwards():
    """Planting changes the derivative, and leaves nothing behind."""
    x = 0.7
    for mutant in all_mutants(SHOWS_IN):
        if mutant.name in ("tanh, partial 0, x 1.0005", "sin, partial 0, x 0"):
            f = mg.rules.TABLE[mutant.name.split(",")[0]]
            right = mg.grad(f)(x)
            with mutant.plant():
                assert mg.grad(f)(x) != right
            assert mg.grad(f)(x) == right
    examine(Program(SEED, 0))
