"""Random networks, trained for twenty steps in every mode: eager, by graphs that run again, and by a compiled step.

A `Training` is made of chance alone, from its number: layers, sizes, dtypes, loss, optimizer, learning rate, limits on
gradients, shards. How far two modes may be apart after twenty steps is measured for each anew, as for graphs
(closeness.py): by eager runs whose weights and data are moved by a few ulps in every step, and, where there is no
chance in the network itself, by how far the eager run is from the same steps in float64.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.compiler.passes import PASSES
from minigrad.training import optim
from minigrad.training.train import Step

from .closeness import ROOM, distance, largest, shaken
from .modes import PROGRAM, Failure

STEPS = 20
RUNS = 2  # shaken ones
ACTIVATIONS = (nn.Tanh, nn.Sigmoid, nn.GELU, nn.ReLU)


class Reader(nn.Module):
    """A recurrent layer, and a dense one on its last output."""

    def __init__(self, layer: nn.Module, dense: nn.Module):
        self.layer, self.dense = layer, dense

    def forward(self, x: Any) -> Any:
        outputs, _ = self.layer(x)
        return self.dense(outputs[:, -1] if self.layer.batch_first else outputs[-1])


class Looker(nn.Module):
    """A dense layer on each step, attention, which may look back, and a dense layer on the last step."""

    def __init__(self, first: nn.Linear, block: nn.TransformerBlock, causal: bool, dense: nn.Linear):
        self.first, self.block, self.causal, self.dense = first, block, causal, dense

    def forward(self, x: Any) -> Any:
        steps = self.block(self.first(x), is_causal=self.causal)
        return self.dense(steps[:, -1] if self.block.self_attn.batch_first else steps[-1])


class Shifted(nn.Module):
    """A dense layer whose weights are a matrix and a row: the row's gradient is a sum of the matrix's."""

    def __init__(self, first: nn.Linear, second: nn.Linear):
        self.first, self.second = first, second
        self.weight = first.weight

    def forward(self, x: Any) -> Any:
        return x @ (self.first.weight + self.second.weight).T


class Sliced(nn.Module):
    """A network that gets its steps first: (n, steps, size) becomes (steps, n, size)."""

    def __init__(self, inside: nn.Module):
        self.inside = inside

    def forward(self, x: Any) -> Any:
        return self.inside(mg.transpose(x, (1, 0, 2)))


class Training:
    """Training number `number`."""

    steps = STEPS

    def __init__(self, number: int, seed: int = 1):
        self.number, self.seed = number, seed
        self.rng = rng = np.random.default_rng([seed, number, 7])
        self.kind = str(rng.choice(["dense", "dense", "conv", "recurrent"]))
        if number % 8 == 7:
            self.kind = "attention"
        self.weights = np.float32 if rng.random() < 0.75 else np.float64
        self.data = (np.float32, np.float32, np.float64, np.uint8)[int(rng.integers(4))]
        self.dropout = float(rng.choice([0.0, 0.0, 0.0, 0.4]))
        if self.dropout and self.data == np.uint8:
            self.data = self.weights  # a mask is drawn in the dtype of what it hides
        self.loss_name = str(rng.choice(["cross-entropy", "cross-entropy", "mse", "binary"]))
        self.shards = 1 if self.dropout else int(rng.choice([1, 1, 2, 3, 4, 5]))
        self.batch = self._rows()
        self.outputs = int(rng.integers(2, 5)) if self.loss_name == "cross-entropy" else int(rng.integers(1, 4))
        self.optimizer_name = str(rng.choice(["SGD", "SGD", "momentum", "Adam"]))
        self.rate_name = str(rng.choice(["number", "in steps", "cosine", "warmup", "warmup of cosine"]))
        self.clip = float(rng.choice([0.0, 0.0, 0.05, 0.5]))
        self.by_epoch = bool(rng.random() < 0.5)
        self.scale = 1.0  # of the learning rate
        self.off = some_passes([seed, number, 8]) if number % 10 == 9 else ()
        self.build_seed = int(rng.integers(1 << 30))
        self.shape = self._shape()
        self.x, self.y = self._examples()

    def _rows(self) -> int:
        if self.kind == "dense" and self.rng.random() < 0.1:
            return 70 // self.shards * self.shards  # from 64 on weights are turned round
        return self.shards * int(self.rng.integers(1, 5))

    def _shape(self) -> tuple[int, ...]:
        draw = lambda low, high: int(self.rng.integers(low, high))  # noqa: E731
        if self.kind == "dense":
            return (draw(1, 6),)
        if self.kind == "conv":
            return draw(1, 3), draw(6, 8), draw(6, 9)
        return draw(1, 5), draw(1, 4)

    def _examples(self) -> tuple[np.ndarray, np.ndarray]:
        rows = self.batch * 4 if self.batch < 70 else 80
        if self.data == np.uint8:
            x = self.rng.integers(0, 4, (rows, *self.shape)).astype(np.uint8)
        else:
            x = self.rng.normal(size=(rows, *self.shape)).astype(self.data)
        if self.loss_name == "cross-entropy":
            return x, self.rng.integers(0, self.outputs, rows).astype(self.rng.choice([np.int64, np.uint8]))
        targets = self.rng.random((rows, self.outputs))
        return x, (targets if self.loss_name == "mse" else targets.round()).astype(self.weights)

    def __str__(self) -> str:
        more = [f"dropout {self.dropout}"] * bool(self.dropout) + [f"clip {self.clip}"] * bool(self.clip)
        more += [f"without {', '.join(self.off)}"] * bool(self.off)
        return (
            f"training {self.number} of seed {self.seed}: {self.kind} {self.shape}, {self.batch} rows in {self.shards} "
            f"shards, weights {np.dtype(self.weights)}, x {np.dtype(self.data)}, y {self.y.dtype}, {self.loss_name}, "
            f"{self.optimizer_name}, {', '.join([self.rate_name, *more, 'epoch' if self.by_epoch else 'steps'])}, "
            f"{[type(m).__name__ for m in modules(self.model())]}"
        )

    # ------------------------------------------------------------ what is trained

    def model(self, dtype: Any = None) -> nn.Module:
        """The network, always with the same weights."""
        rng = np.random.default_rng(self.build_seed)
        made = self._layers(rng)
        if dtype is not None and dtype != self.weights:
            for variable in made.parameters():  # the same numbers in another dtype
                variable._value, variable._grad = variable._value.astype(dtype), None
        return made

    def _layers(self, rng: np.random.Generator) -> nn.Module:
        kinds = {"rng": rng, "dtype": self.weights}
        activation = lambda: ACTIVATIONS[int(rng.integers(len(ACTIVATIONS)))]()  # noqa: E731
        layers: list[nn.Module] = []
        if self.kind == "recurrent":
            return self._recurrent(rng, kinds)
        if self.kind == "attention":
            return self._attention(rng, kinds)
        if self.kind == "conv":
            filters, size = int(rng.integers(1, 4)), int(rng.integers(1, 4))
            stride = int(rng.integers(1, 3)) if rng.random() < 0.3 else 1
            padding = int(rng.integers(0, 2))
            conv = nn.Conv2d(self.shape[0], filters, size, stride, padding, bias=rng.random() < 0.8, **kinds)
            layers = [conv, activation()]
            choice = rng.random()
            if choice < 0.7:
                layers.append((nn.MaxPool2d if choice < 0.45 else nn.AvgPool2d)(2))
            layers.append(nn.Flatten())
        else:
            for _ in range(int(rng.integers(0, 3))):
                sizes = layers[-2].weight.shape[0] if layers else self.shape[0], int(rng.integers(1, 7))
                layers += [nn.Linear(*sizes, bias=rng.random() < 0.8, **kinds), activation()]
                if rng.random() < 0.2:
                    layers[-2] = Shifted(layers[-2], nn.Linear(sizes[0], 1, bias=False, **kinds))
        if self.dropout:
            layers.append(nn.Dropout(self.dropout, rng=int(rng.integers(1000))))
        example = nn.Sequential(*layers)(mg.Constant(np.zeros((1, *self.shape), self.weights)))
        layers.append(nn.Linear(example.shape[-1], self.outputs, **kinds))
        return self._fresh(nn.Sequential(*layers), rng)

    def _recurrent(self, rng: np.random.Generator, kinds: dict[str, Any]) -> nn.Module:
        layer = (nn.RNN, nn.GRU, nn.LSTM)[int(rng.integers(3))]
        first = bool(rng.random() < 0.5)
        keep = (None, "everything", "states", 2, "sqrt")[int(rng.integers(5))]
        hidden, layers = int(rng.integers(1, 5)), 1 if rng.random() < 0.7 else 2
        inside = layer(self.shape[1], hidden, layers, batch_first=first, checkpoint=keep, **kinds)
        reader = Reader(inside, nn.Linear(hidden, self.outputs, **kinds))
        return reader if first else Sliced(reader)

    def _attention(self, rng: np.random.Generator, kinds: dict[str, Any]) -> nn.Module:
        heads, first, causal = int(rng.integers(1, 4)), bool(rng.random() < 0.5), bool(rng.random() < 0.5)
        size = heads * int(rng.integers(2, 4))
        block = nn.TransformerBlock(size, heads, int(rng.integers(1, 7)), self.dropout, 0.1, first, **kinds)
        looker = Looker(
            nn.Linear(self.shape[1], size, **kinds), block, causal, nn.Linear(size, self.outputs, **kinds)
        )  # fmt: skip
        for dropout in modules(looker):
            if isinstance(dropout, nn.Dropout):
                dropout.rng = np.random.default_rng(self.build_seed)
        return looker if first else Sliced(looker)

    def _fresh(self, model: nn.Module, rng: np.random.Generator) -> nn.Module:
        """The probe for sizes drew random numbers: dropout starts anew."""
        for module in modules(model):
            if isinstance(module, nn.Dropout):
                module.rng = np.random.default_rng(self.build_seed)
        return model

    def loss(self, output: Any, y: Any) -> Any:
        kind = {"cross-entropy": nn.cross_entropy, "mse": nn.mse, "binary": nn.binary_cross_entropy_with_logits}
        return kind[self.loss_name](output, y)

    def optimizer(self) -> optim.Optimizer:
        lr = self.scale * (0.02 if self.optimizer_name == "Adam" else 0.1)
        rates: dict[str, Any] = {
            "number": lr, "in steps": lambda step: lr * 0.7 ** (step // 3), "cosine": optim.cosine(lr, 15, 0.01),
            "warmup": optim.warmup(lr, 5), "warmup of cosine": optim.warmup(optim.cosine(lr, 12), 4),
        }  # fmt: skip
        rate = rates[self.rate_name]
        if self.optimizer_name == "Adam":
            return (optim.AdamW if self.kind == "attention" else optim.Adam)(rate, betas=(0.8, 0.95))
        return optim.SGD(rate, momentum=0.7 if self.optimizer_name == "momentum" else 0.0)

    def batches(self) -> list[np.ndarray]:
        """The rows of each step."""
        rng = np.random.default_rng(self.number)
        return [rng.choice(len(self.x), self.batch, replace=False) for _ in range(self.steps)]

    # ------------------------------------------------------------ how it is trained

    def eager(self, dtype: Any = None, shake: np.random.Generator | None = None) -> list[np.ndarray]:
        """The losses and the weights at the end. dtype: for all of it. shake: moves weights and data by a few ulps."""
        model, optimizer, losses = self.model(dtype), self.optimizer(), []
        for rows in self.batches():
            x, y = self.x[rows], self.y[rows]
            if dtype is not None:
                x, y = (a if a.dtype.kind in "iu" else a.astype(dtype) for a in (x, y))
            if shake is not None:
                x = _moved(x, shake, self.weights)
                for variable in model.parameters():
                    variable.value = _moved(variable._value, shake)
            model.zero_grad()
            loss = self.loss(model(mg.Constant(x)), mg.Constant(y))
            loss.backward()
            self._limit(model.parameters())
            optimizer.step(model.parameters())
            losses.append(loss.value)
        return [np.array(losses), *model.state_dict().values()]

    def _limit(self, parameters: Sequence[mg.Variable]) -> None:
        if self.clip:
            optim.clip_by_value(parameters, self.clip)

    def replayed(self) -> list[np.ndarray]:
        """The same by a graph that is built once."""
        model, optimizer, losses = self.model(), self.optimizer(), []
        kept = [m.rng for m in modules(model) if isinstance(m, nn.Dropout)]
        states = [r.bit_generator.state for r in kept]
        first = self.batches()[-1]
        step = Step(model, self.loss, self.x[first], self.y[first])
        for generator, state in zip(kept, states, strict=True):  # building it drew a mask
            generator.bit_generator.state = state
        for rows in self.batches():
            losses.append(step.run(self.x[rows], self.y[rows]))
            self._limit(model.parameters())
            optimizer.step(model.parameters())
        return [np.array(losses), *model.state_dict().values()]

    def program(self) -> list[np.ndarray]:
        """The same by a compiled step: one call for each batch, or one for all."""
        model, optimizer, batches = self.model(), self.optimizer(), self.batches()
        kept = [m.rng for m in modules(model) if isinstance(m, nn.Dropout)]
        states = [r.bit_generator.state for r in kept]
        change: Callable[[Any], Any] | None = None
        if self.clip:
            change = lambda gs: [mg.clip(g, -self.clip, self.clip) for g in gs]  # noqa: E731
        x, y = (np.ascontiguousarray(a[batches[-1]]) for a in (self.x, self.y))
        step = mg.compile(
            model, self.loss, optimizer, x, y, shards=self.shards, gradients=change, off=self.off, name="training"
        )
        for generator, state in zip(kept, states, strict=True):
            generator.bit_generator.state = state
        if self.by_epoch:
            losses = list(step.epoch(self.x, self.y, np.concatenate(batches)))
        else:
            losses = [step(self.x[rows], self.y[rows]) for rows in batches]
        return [np.array(losses, np.float64), *model.state_dict().values()]


def some_passes(seed: list[int]) -> tuple[str, ...]:
    """Some of the passes, to be left out."""
    rng = np.random.default_rng(seed)
    return tuple(name for name in PASSES if rng.random() < 0.3)


def modules(model: nn.Module) -> list[nn.Module]:
    """A module and all inside it."""
    return [model, *(inner for _, child in model.children() for inner in modules(child))]


def _moved(x: np.ndarray, rng: np.random.Generator, dtype: Any = None) -> np.ndarray:
    """x, with each entry of a float array moved by some ulps (of the coarser of its dtype and `dtype`)."""
    if x.dtype.kind != "f":
        return x
    return shaken(x, rng, x.dtype, float(np.finfo(dtype or x.dtype).eps))


@functools.cache
def eagerly(kind: type[Training], number: int, seed: int) -> tuple[float, list[np.ndarray]]:
    """The scale of a learning rate that a training bears, and the training in eager mode."""
    training = kind(number, seed)
    while True:
        try:
            expected = training.eager()
            if largest(expected[0]) <= 100 and np.isfinite(expected[0]).all():
                return training.scale, expected
        except FloatingPointError as error:  # a step that is taken back: a gradient or a weight is no longer finite
            if training.scale < 1e-9:
                raise error
        training.scale /= 4  # it does not learn, it explodes


@functools.cache
def near(kind: type[Training], number: int, seed: int) -> list[list[np.ndarray]]:
    """The training again, shaken and in float64: how far may another mode be? Many are no further than an ulp."""
    training = kind(number, seed)
    training.scale, _ = eagerly(kind, number, seed)
    runs = [training.eager(shake=np.random.default_rng([number, k])) for k in range(RUNS)]
    # With dropout the masks are other ones in float64.
    return runs if training.dropout else [*runs, training.eager(np.float64)]


def examine(training: Training, modes: Sequence[str] = ("replayed", "program")) -> list[Failure]:
    """Train in every mode, and say where one is too far from eager mode."""
    same = type(training), training.number, training.seed
    training.scale, expected = eagerly(*same)
    coarsest = float(np.finfo(np.float32).eps)  # losses are written down in float32
    failures = []
    for mode in modes:
        name = PROGRAM if mode == "program" else mode
        try:
            got = getattr(training, mode)()
        except Exception as error:
            text = str(error).strip().split("\n")
            sentence = next((line for line in text if "No implementation" in line), text[0])
            failures.append(Failure(f"training {training.number}", name, f"{type(error).__name__}: {sentence[:200]}",
                                    text=str(training)))  # fmt: skip
            continue
        for k, (ours, eager) in enumerate(zip(got, expected, strict=True)):
            ulp = coarsest if k == 0 else float(np.finfo(eager.dtype).eps)
            room = ROOM * ulp * largest(eager)
            if (apart := distance(ours, eager)) > room:
                room += ROOM * max(distance(other[k], eager) for other in near(*same))
            if apart > room or (k and ours.dtype != eager.dtype):
                what = "losses" if k == 0 else f"weights {k}"
                failures.append(
                    Failure(
                        f"training {training.number}", name, f"{what}: {apart:.3g} apart, {room:.3g} allowed",
                        _short(eager), _short(ours), str(training),
                    )
                )  # fmt: skip
                break
    return failures


def _short(value: np.ndarray) -> str:
    return " ".join(np.array2string(np.ravel(value)[:6], precision=8).split())
