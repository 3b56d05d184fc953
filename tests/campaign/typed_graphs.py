"""Random programs on numbers of every kind: float32 and float64, alone and mixed, integers, truth values, and Python's.

They are the programs of random_graphs.py with other inputs and more operations: comparisons, integers that overflow,
masks, softmax with entries of -inf, picking by arrays of places, conversions. All that nothing else uses is handed out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.loops.scan import scan
from minigrad.ops.pad import pad

from .modes import Question
from .random_graphs import Program, Step, _broadcast

LONGEST = 5  # operations in a program: the compiler's time grows faster than that
LONG = 15  # operations in those that are only run as plain Python
INTEGERS = (np.int64, np.int32, np.int8, np.uint8)
WEAK: dict[str, Callable[[Any], Any]] = {  # with numbers of Python, which take the dtype of what they meet
    "2 x": lambda x: 2 * x, "x + 0.1": lambda x: x + 0.1, "3 - x": lambda x: 3 - x, "x / 3": lambda x: x / 3,
    "x ** 2": lambda x: x**2, "1 / (x² + 1.5)": lambda x: 1 / (x * x + 1.5), "0.5 x - 1": lambda x: 0.5 * x - 1,
}  # fmt: skip
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b,
    "equal": mg.equal, "not_equal": mg.not_equal,
}  # fmt: skip
WITH_INTEGERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "×": lambda a, b: a * b, "maximum": mg.maximum,
    "minimum": mg.minimum,
}  # fmt: skip
TURNED: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda a: a, "transposed": mg.transpose, "backwards": lambda a: a[::-1],
    "backwards twice": lambda a: a[::-1][::-1],
}  # fmt: skip


KINDS = [
    "weak", "compare", "integers", "count", "where", "masked", "places", "pad", "cast", "limit", "spread", "alone",
    "loop", "option",
]  # fmt: skip
LAYOUTS: tuple[Callable[[np.ndarray], np.ndarray], ...] = (  # the same numbers, lying in memory some other way
    lambda x: x, lambda x: np.array(x, order="F"), lambda x: np.stack([x, x], -1)[..., 0],
    lambda x: x[::-1].copy()[::-1] if x.ndim else x,
)  # fmt: skip


class Typed(Program):
    """Program `number` of `seed`, on numbers of several kinds, by operations of the first `kinds` of KINDS."""

    kinds = len(KINDS)

    def __init__(self, seed: int, number: int, longest: int = LONGEST):
        super().__init__(seed, number, longest)

    def __call__(self, *inputs: Any) -> Any:
        values = list(inputs)
        for _, function, places in self.steps:
            values.append(function(*(values[k] for k in places)))
        return [values[k] for k in self._loose()]

    def question(self) -> Question:
        """Built from other numbers than it is asked about."""
        rng = np.random.default_rng([self.seed, self.number, 1])
        first = [np.asarray(rng.permutation(x.reshape(-1)).reshape(x.shape)) for x in self.inputs]
        first = [x + rng.normal(size=x.shape).astype(x.dtype) if x.dtype.kind == "f" else x for x in first]
        name = f"typed graph {self.number} of seed {self.seed}"
        then = [LAYOUTS[rng.integers(len(LAYOUTS))](x) for x in self.inputs]
        return Question(name, self, first, then, self.__str__, seed=self.number)

    def __str__(self) -> str:
        kinds = ", ".join(f"v{k} {x.dtype}" for k, x in enumerate(self.inputs))
        return super().__str__().replace("random graph", "typed graph") + f"\n  ({kinds})"

    def _inputs(self) -> list[np.ndarray]:
        kinds = ([np.float32], [np.float64], [np.float32, np.float64])[int(self.rng.integers(3))]
        result = [
            np.asarray(self.rng.normal(size=self._shape()), kinds[int(self.rng.integers(len(kinds)))])
            for _ in range(self.rng.integers(1, 3))
        ]
        if self.rng.random() < 0.5:
            shape = result[0].shape if self.rng.random() < 0.7 else self._shape()
            if self.rng.random() < 0.4:
                result.append(np.asarray(self.rng.random(shape) < 0.5))
            else:
                dtype = INTEGERS[int(self.rng.integers(len(INTEGERS)))]
                low, high = (0, 256) if dtype == np.uint8 else (-128, 128) if dtype == np.int8 else (-9, 10)
                result.append(np.asarray(self.rng.integers(low, high, shape), dtype))
        return result

    def _of_kind(self, kinds: str) -> list[int]:
        return [k for k, x in enumerate(self._values) if x.dtype.kind in kinds]

    def _partners(self) -> list[int]:
        return self._of_kind("f")

    def _pick(self) -> int:
        """A place that holds floats; half of the time one that nothing uses yet."""
        places = self._partners()
        loose = [k for k in self._loose() if k in places]
        return int(self.rng.choice(loose if loose and self.rng.random() < 0.5 else places))

    def _choose(self) -> Step:
        if self.rng.random() < 0.5:
            step = self._typed()
            if step is not None:
                return step
        return super()._choose()

    def _typed(self) -> Step | None:
        """One of the operations that random_graphs.py does not have; None where it does not fit."""
        kind = str(self.rng.choice(KINDS[: self.kinds]))
        whole, k = self._of_kind("iub"), self._pick()
        x = self._values[k]
        if kind in ("integers", "count") and not whole:
            kind = "compare"
        if x.size > 100:
            return None
        return getattr(self, f"_{kind}")(k, x, whole)

    def _weak(self, k: int, x: np.ndarray, whole: list[int]) -> Step:
        if numbers := [j for j in whole if self._values[j].dtype.kind in "iu"]:
            k = int(self.rng.choice([*numbers, k]))
        name = self._key(WEAK)
        return name, WEAK[name], (k,)

    def _compare(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        name = self._key(COMPARED)
        function = COMPARED[name]
        if whole and self.rng.random() < 0.3:
            k = int(self.rng.choice(whole))
            return f"{name} 1", lambda a: function(a, 1), (k,)
        if self.rng.random() < 0.5 and np.all(np.abs(x - 0.2) > 0.05):
            return f"{name} 0.2", lambda a: function(a, 0.2), (k,)
        for j in self._partners():
            y = self._values[j]
            if _broadcast(x.shape, y.shape) and np.all(np.abs(x - y) > 0.05):
                return name, function, (k, j)
        return None

    def _integers(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """Integers or truth values with something else."""
        j = int(self.rng.choice(whole))
        y = self._values[j]
        name = self._key(WITH_INTEGERS)
        partners = [i for i, z in enumerate(self._values) if _broadcast(y.shape, z.shape)]
        i = int(self.rng.choice(partners))
        z = self._values[i]
        if name == "-" and y.dtype.kind == z.dtype.kind == "b":
            name = "+"  # NumPy subtracts no truth values
        if name in ("maximum", "minimum") and z.dtype.kind == "f" and not np.all(np.abs(y - z) > 0.05):
            name = "×"
        return name, WITH_INTEGERS[name], (j, i)

    def _count(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """A reduction of integers or truth values."""
        j = int(self.rng.choice(whole))
        y = self._values[j]
        if not y.ndim or not y.size:
            return None
        axis: Any = int(self.rng.integers(-y.ndim, y.ndim)) if self.rng.random() < 0.6 else None
        name = str(self.rng.choice(["sum", "mean", "max", "min"][: 3 if y.dtype.kind == "b" else 4]))
        return f"{name} {axis}", lambda a: getattr(mg, name)(a, axis), (j,)

    def _where(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        masks = [j for j in self._of_kind("b") if _broadcast(self._values[j].shape, x.shape)]
        if not masks:
            return None
        j = int(self.rng.choice(masks))
        if self.rng.random() < 0.5:
            return "where mask, x, 0", lambda m, a: mg.where(m, a, 0), (j, k)
        shape = np.broadcast_shapes(self._values[j].shape, x.shape)
        others = [i for i in self._partners() if _broadcast(self._values[i].shape, shape)]
        return "where mask", mg.where, (j, k, int(self.rng.choice(others)))

    def _masked(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """Softmax and its kin where some entries are -inf: in each row at least one is not."""
        if not x.ndim or not x.size:
            return None
        mask = self.rng.random(x.shape) < 0.6
        mask[..., int(self.rng.integers(x.shape[-1]))] = True
        op = (mg.softmax, mg.logsumexp, mg.max)[int(self.rng.integers(3))]
        if op is mg.max and np.any(np.diff(np.sort(np.where(mask, x, -99 - np.arange(x.shape[-1])))) < 0.05):
            op = mg.softmax
        return f"{op.__name__} where {mask.tolist()}", lambda a: op(mg.where(mask, a, -np.inf), -1), (k,)

    def _places(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """Picking by arrays of places, along one axis or two, or by truth values."""
        if not x.ndim or not x.size:
            return None
        count = int(self.rng.integers(1, 5))
        rows = self.rng.integers(-x.shape[0], x.shape[0], count)
        key: Any = rows
        if self.rng.random() < 0.3:
            key = self.rng.random(x.shape[0]) < 0.6
        elif x.ndim > 1 and self.rng.random() < 0.6:
            columns = self.rng.integers(0, x.shape[1], count)
            key = (rows, columns) if self.rng.random() < 0.6 else (slice(None), columns)
        return f"picked {key}", lambda a: a[key], (k,)

    def _pad(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        if not x.ndim:
            return None
        width = [(int(a), int(b)) for a, b in self.rng.integers(0, 3, (x.ndim, 2))]
        fill = float(self.rng.choice([0.0, 1.5]))
        return f"pad {width} {fill}", lambda a: pad(a, width, fill), (k,)

    def _cast(self, k: int, x: np.ndarray, whole: list[int]) -> Step:
        dtype = np.float64 if x.dtype == np.float32 else np.float32
        if whole and self.rng.random() < 0.5:
            k = int(self.rng.choice(whole))
        return f"cast {np.dtype(dtype)}", lambda a: mg.cast(a, dtype), (k,)

    def _limit(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        if not np.all(np.abs(x) > 0.05):
            return None
        ways = {"clip 0": lambda a: np.clip(a, 0, None), "maximum 0": lambda a: mg.maximum(a, 0.0),
                "minimum 0": lambda a: mg.minimum(0, a)}  # fmt: skip
        name = self._key(ways)
        return name, ways[name], (k,)

    def _alone(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """All of what is put together from a single piece, which lies some other way round."""
        if not x.ndim:
            return None
        name = self._key(TURNED)
        turned = TURNED[name]
        return f"{name}, alone", lambda a: mg.concatenate([turned(a), turned(a)[:0]])[:], (k,)

    def _loop(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """Products that may leave a loop over time: of each step, or added up; turned about, and in one row."""
        if x.ndim < 2 or not x.size:
            return None
        name, size = self._key(TURNED), x.shape[-1]
        turned, weights = TURNED[name], self.rng.normal(size=(size, 2)).astype(x.dtype)
        last, place = bool(self.rng.random() < 0.5), str(self.rng.choice(["total", "product", "sum"]))

        def run(a: Any) -> Any:
            def cell(total: Any, now: Any) -> Any:
                product = mg.transpose(now) @ mg.sin(now)
                total = turned(total) if place == "total" else total
                total = total + (turned(product) if place == "product" else product)
                return turned(total) if place == "sum" else total, mg.reshape(now @ weights, -1)

            steps = mg.reshape(a, (*x.shape[:1], -1, size))
            array = scan(cell, steps, np.zeros((size, size), x.dtype))
            return mg.reshape(array[0], -1) if last else array[1]

        return f"loop, {'last' if last else 'all'}, {place} {name}", run, (k,)

    def _option(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """A function of NumPy's with options: axes, whether they stay, a dtype, the order of entries."""
        if not x.ndim or not x.size:
            return None
        axes = tuple(int(a) for a in self.rng.permutation(x.ndim)[: self.rng.integers(1, x.ndim + 1)])
        axis, keep, dtype = axes[0] - x.ndim, bool(self.rng.random() < 0.5), self.rng.choice([np.float32, np.float64])
        shift, size = int(self.rng.integers(-3, 4)), x.shape[axis]
        ways: dict[str, Callable[[Any], Any]] = {
            "sum": lambda a: np.sum(a, axes, dtype, keepdims=keep), "var": lambda a: np.var(a, axes, keepdims=keep),
            "mean": lambda a: np.mean(a, axes, dtype, None, keep), "prod": lambda a: np.prod(a, axis, dtype),
            "cumsum": lambda a: np.cumsum(a, axis, dtype), "diff": lambda a: np.diff(a, 1, axis), "flip": lambda a:
            np.flip(a, axes), "roll": lambda a: np.roll(a, shift, axis), "repeat": lambda a: np.repeat(a, 2, axis),
            "ravel": lambda a: np.ravel(a, "F"), "reshape": lambda a: np.reshape(a, (-1, size), order="F"),
            "tile": lambda a: np.tile(a, (2, 1)), "tril": lambda a: np.tril(a, shift) if a.ndim > 1 else np.outer(a, a),
            "trace": lambda a: np.trace(np.outer(a, a), shift), "stack": lambda a: np.stack([a, a], axis, dtype=dtype),
            "take": lambda a: np.take(a, [size - 1, 0], axis), "moveaxis": lambda a: np.moveaxis(a, axis, 0), "einsum":
            lambda a: np.einsum("...,...->...", a, a, dtype=dtype, casting="same_kind"),
        }  # fmt: skip
        name = self._key(ways)
        return f"{name} of axes {axes}, {keep}, {np.dtype(dtype)}, {shift}", ways[name], (k,)

    def _spread(self, k: int, x: np.ndarray, whole: list[int]) -> Step | None:
        """Return the distances between entries."""
        if not x.ndim or x.size < 2:
            return None
        op = (mg.var, mg.norm)[int(self.rng.integers(2))]
        if op is mg.norm and np.any(np.abs(x) < 0.05):
            op = mg.var
        return op.__name__, lambda a: op(a, -1), (k,)


def typed_questions(seed: int, numbers: range, longer: int = 0) -> Iterator[Question]:
    """The questions with these numbers. longer: every so many-th is a longer program."""
    for number in numbers:
        yield Typed(seed, number, LONG if longer and number % longer == 0 else LONGEST).question()


def shortest(seed: int, number: int, fails: Callable[[Question], bool]) -> Typed:
    """The same program with as few of its operations as still fail."""
    for longest in range(LONG):
        program = Typed(seed, number, longest)
        if fails(program.question()):
            return program
    return Typed(seed, number, LONG)
