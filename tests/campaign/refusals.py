"""Error cases in every mode: the exception and the sentence of eager mode, and nothing is trained.

Two tables. The mistakes of test_errors.py are made while a graph is built: here inside a loss, of which a graph that
runs again is built, and a compiled step. GIVEN below has what is wrong only with the numbers that a finished step, or
program, is given. Without numba the compiled steps are plain Python.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from test_errors import MISTAKES

import minigrad as mg
from minigrad import nn
from minigrad.training import optim
from minigrad.training.train import Step

from .modes import PROGRAM, Failure

ROWS = 8


class Wrong(NamedTuple):
    """Numbers that a step must not take, the kind of its exception, and what its sentence says in every mode.

    same: whether the sentence is that of eager mode, word for word. order: what an epoch is given. model: in MODELS.
    """

    what: str
    x: Any
    y: Any
    error: type[Exception] | tuple[type[Exception], ...]
    words: tuple[str, ...]
    same: bool = False
    order: Any = None
    model: str = "layers"


class Table(nn.Module):
    """Rows of a table by their numbers, as an embedding has them."""

    def __init__(self) -> None:
        self.table = mg.Variable(np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32))

    def forward(self, x: Any) -> Any:
        return self.table[x.reshape(-1)]


def dense() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 4, rng=0), nn.Tanh(), nn.Linear(4, 3, rng=1))


class TableOfComputed(Table):
    """The same, by numbers that are computed from those in the data."""

    def forward(self, x: Any) -> Any:
        return self.table[2 * x.reshape(-1) - x.reshape(-1)]


class TableInALoop(Table):
    """The same, one after the other in a loop, by numbers that are made of its state."""

    def forward(self, x: Any) -> Any:
        def one(state: Any, number: Any) -> Any:
            return state, self.table[state + number]

        return mg.scan(one, x.reshape(-1), np.int64(0))[1]


def of_computed(output: Any, y: Any) -> Any:
    return nn.cross_entropy(output, 2 * y - y)


def at_computed(output: Any, y: Any) -> Any:
    return -mg.mean(mg.log_softmax(output)[np.arange(len(y.value)), 2 * y - y])


X = np.random.default_rng(0).standard_normal((ROWS, 6)).astype(np.float32)
Y = np.arange(ROWS) % 3
NUMBERS = (np.arange(ROWS) % 5)[:, None]
EITHER = (TypeError, ValueError)
MODELS: dict[str, tuple[Callable[[], nn.Module], Any, np.ndarray]] = {
    "layers": (dense, nn.cross_entropy, X),
    "table": (Table, nn.cross_entropy, NUMBERS),
    "computed labels": (dense, of_computed, X),
    "computed places": (dense, at_computed, X),
    "computed rows": (TableOfComputed, nn.cross_entropy, NUMBERS),
    "rows in a loop": (TableInALoop, nn.cross_entropy, NUMBERS),
}


def put(array: np.ndarray, row: int, number: int) -> np.ndarray:
    changed = array.copy()
    changed[row] = number
    return changed


def given() -> Iterator[Wrong]:
    """The table."""
    for row, label in itertools.product((0, 5, ROWS - 1), (3, -1, 255, 10**10)):
        words = (f"The label in row {row} is {label}", "Labels are integers from 0 to 2", "logits have 3 columns")
        yield Wrong(f"label {label} in row {row}", X, put(Y, row, label), ValueError, words, same=True)
        wrong = put(Y, row, label)
        yield Wrong(f"{label} in row {row}", X, wrong, ValueError, words, True, None, "computed labels")
        words, place = ("take_along cannot take", "out of bounds"), label if label > 0 else -4
        wrong = put(Y, row, place)
        yield Wrong(f"place {place} in row {row}", X, wrong, IndexError, words, True, None, "computed places")
    for row, number in itertools.product((0, 6), (5, -6, 10**10)):
        words = (f"There is no row {number} in a table of 5",)
        for model in ("table", "computed rows", "rows in a loop"):
            wrong = put(NUMBERS, row, number)
            yield Wrong(f"row {number} at {row}", wrong, Y, IndexError, words, True, None, model)
    for floats in (np.full(ROWS, 1.7), np.full(ROWS, np.nan), np.zeros(ROWS, np.float32)):
        yield Wrong(f"labels {floats[0]}, {floats.dtype}", X, floats, EITHER, (str(floats.dtype), "integer"))
    yield Wrong("rows of a table by floats", NUMBERS * 1.0, Y, EITHER, ("float64",), model="table")
    yield Wrong("objects", X.astype(object), Y, TypeError, ("numbers", "object"))
    yield Wrong("text", X.astype(str), Y, TypeError, ("numbers", "of texts"))
    yield Wrong("complex numbers", X.astype(complex), Y, TypeError, ("complex128",))
    yield Wrong("labels as text", X, Y.astype(str), TypeError, ("numbers", "of texts"))
    yield Wrong("no labels", X, [None] * ROWS, TypeError, ("numbers", "object"))
    yield Wrong("rows of unequal lengths", [[1.0] * 6] * 7 + [[1.0]], Y, ValueError, ("unequal lengths",))
    yield Wrong("a column too few", X[:, :5], Y, ValueError, ("6", f"({ROWS}, 5)"))
    yield Wrong("one row without its axis", X[0], Y[:1], ValueError, ("shape (", ",)"))
    yield Wrong("an axis too many", X[:, :, None], Y, ValueError, (f"({ROWS}, 6, 1)",))
    yield Wrong("a column of labels", X, Y[:, None], ValueError, (f"({ROWS}, 1)",))
    yield Wrong("one label", X, Y[0], ValueError, ("()",))
    # An epoch may be given more rows of one than its order names, so there it is row 7 that is missing.
    yield Wrong("a label too few", X, Y[1:], (ValueError, IndexError), ())
    for what, order, error, words in (
        ("a mask as an order", np.arange(ROWS) < 4, TypeError, ("a mask of shape (8,)", "np.flatnonzero(mask)")),
        ("an order of floats", np.arange(8.0), TypeError, ("integers, got float64",)),
        ("an order of two axes", [[0, 1]], IndexError, ("along one axis",)),
        ("an order that begins at -1", np.arange(8) - 1, IndexError, ("row numbers from 0 to 7",)),
        ("an order that goes too far", np.arange(8) + 1, IndexError, ("row numbers from 0 to 7",)),
    ):
        yield Wrong(what, X, Y, error, words, order=order)


GIVEN = list(given())


def caught(run: Callable[..., Any], *arguments: Any) -> Exception | None:
    with np.errstate(all="ignore"):
        try:
            run(*arguments)
        except Exception as error:
            return error
    return None


def told(error: Exception | None) -> str:
    return "no error" if error is None else f"{type(error).__name__}: {error}"


# Mistakes in building a graph -------------------------------------------------------------------------------------


def built() -> tuple[int, list[Failure]]:
    """Every mistake of the eager table, made in the loss of a step that runs again, and of compiled ones."""
    count, failures = 0, []
    for mistake in itertools.chain(*MISTAKES.values()):
        eager = caught(mistake.do)
        model = dense()
        before = model.state_dict()

        def loss(output: Any, y: Any, mistake: Any = mistake) -> Any:
            return mg.sum(output) + mistake.do()

        ways: dict[str, Callable[[], Any]] = {
            "replayed": lambda model=model, loss=loss: Step(model, loss, X, Y),
            PROGRAM: lambda model=model, loss=loss: mg.compile(model, loss, optim.SGD(0.1), X, Y),
            f"{PROGRAM}, in shards": lambda model=model, loss=loss: mg.compile(
                model, loss, optim.SGD(0.1), X, Y, shards=2
            ),
        }
        for mode, way in ways.items():
            error = caught(way)
            count += 1
            if eager is None or told(error) != told(eager):
                failures.append(Failure(mistake.what, mode, "another error", told(eager), told(error)))
            elif any(not np.array_equal(array, before[name]) for name, array in model.state_dict().items()):
                failures.append(Failure(mistake.what, mode, "changed weights"))
    return count, failures


# Wrong numbers for what is built already --------------------------------------------------------------------------


class Ways:
    """One model, ready to be trained in every mode."""

    def __init__(self, make: Callable[[], nn.Module], loss: Any, x: np.ndarray):
        self.models = [make() for _ in range(5)]
        eager, again, step, sharded, graph = self.models
        replayed = Step(again, loss, x, Y)
        steps = [
            mg.compile(model, loss, optim.SGD(0.1), x, Y, shards=shards, name="campaign_errors")
            for model, shards in ((step, 1), (sharded, 2))
        ]
        leaves = [mg.Constant(x, name="x"), mg.Constant(Y, name="y")]
        program = mg.compile_graph(loss(graph(leaves[0]), leaves[1]), leaves, name="campaign_errors")
        rows = np.arange(ROWS)
        self.modes: dict[str, Callable[[Any, Any], Any]] = {
            "eager": lambda x, y: loss(eager(mg.Constant(x)), mg.Constant(y)).backward(),
            "replayed": replayed.run,
            PROGRAM: steps[0],
            f"{PROGRAM}, in shards": steps[1],
            f"{PROGRAM}, an epoch": lambda x, y: steps[0].epoch(x, y, rows),
            f"{PROGRAM}, an epoch in shards": lambda x, y: steps[1].epoch(x, y, rows),
            f"{PROGRAM}, of a graph": program,
        }
        self.epochs = dict(zip(list(self.modes)[4:6], steps, strict=True))


def asked_to_run() -> tuple[int, list[Failure]]:
    """Wrong numbers in every mode, after the right ones were taken."""
    count, failures = 0, []
    models = {name: Ways(*parts) for name, parts in MODELS.items()}
    for case in GIVEN:
        ways = models[case.model]
        modes = ways.modes
        if case.order is not None:
            modes = {mode: step.epoch for mode, step in ways.epochs.items()}
        before = [model.state_dict() for model in ways.models]
        first = ""
        for mode, run in modes.items():
            error = caught(run, case.x, case.y, *([] if case.order is None else [case.order]))
            count += 1
            if mode == "eager" and case.same:
                first = _sentence(error)
            wrong = _wrong(case, error, first)
            if any(
                not np.array_equal(array, old[name])
                for model, old in zip(ways.models, before, strict=True)
                for name, array in model.state_dict().items()
            ):
                wrong = "changed weights"
            if wrong:
                failures.append(Failure(case.what, mode, wrong, first or f"{case.error} {case.words}", told(error)))
    return count, failures


def _sentence(error: Exception | None) -> str:
    """The sentence without the line, which is another one in each mode, and without what only eager mode knows: which
    entry of all that it looks up. A program says in which row of the data it is. A shard has fewer rows."""
    text = re.sub(r" \([^()]* of the indices\)", "", str(error).split(" At ")[0])
    return re.sub(r"shape \(\d+", "shape (n", text).rstrip(".")


def _wrong(case: Wrong, error: Exception | None, first: str) -> str:
    if error is None:
        return "no error"
    if not isinstance(error, case.error):
        return "another kind of error"
    if missing := [word for word in case.words if word not in str(error)]:
        return f"does not say {missing}"
    return "another sentence" if first and _sentence(error) != first else ""
