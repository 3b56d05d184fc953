"""Pool first: anything that only matters at the maximum of a window is computed there alone.

relu(z + bias) grows with z. So its largest value in a window is where z is largest, and it is enough to pool z, and to
add the bias and take the relu of a quarter of the numbers. In the backward pass all other pixels have adjoint 0:
products with it, and sums of it, need only the winners. And a convolution that is pooled at once need not be
written down at all.

An infinite bias makes a nan of an infinity of the other sign, which then wins: the kernels look for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.origins import together
from minigrad.compiler.values import (
    Call,
    Elementwise,
    Equation,
    Number,
    Place,
    Reduce,
    Value,
    View,
    all_reads,
    base,
    identity,
    is_whole,
    resolve,
)
from minigrad.ops.along import AddAlong
from minigrad.ops.conv import scratch

L2 = 1 << 20  # bytes that stay in the L2 cache
GROWING = {"relu", "tanh", "sigmoid", "identity", "softplus"}  # and their slopes are finite


def pool_early(ir: ProgramIR) -> str:
    """Move bias and activation after a max pool, and let backward passes read only the winners of windows."""
    moved = 0
    for pooling in [e for e in ir.equations if isinstance(e, Call) and e.kernel == "max_pool"]:
        moved += _Early(ir, pooling).rewrite()
    return f"{moved} max pools were drawn before bias and activation"


class _Early:
    """The rewriting around one max pool. pooled: for a full-size value, its value at the winners."""

    def __init__(self, ir: ProgramIR, pooling: Call):
        self.equations, self.pooling, self.new = ir.equations, pooling, ir.new
        self.makers = {id(value): e for e in self.equations for value in e.outs}
        self.pooled: dict[int, Value] = {}
        self.placed: dict[int, Value] = {}  # full-size value that is 0 but at the winners -> its values there

    def rewrite(self) -> int:
        source = self.same(self.pooling.inputs[0])
        chain: list[tuple[Elementwise, Value]] = []
        value = source
        while (step := self.growing(value)) is not None:
            chain.append(step)
            value = self.same(step[1])
        conv = self.makers.get(id(value))
        winners = [e for e in self.equations
                   if isinstance(e, Call) and e.kernel == "window_argmax" and self.same(e.inputs[0]) is source
                   and e.extra == self.pooling.extra]  # fmt: skip
        if not isinstance(conv, Call) or conv.kernel != "conv_y" or len(winners) > 1:
            return 0
        height, width, down, right = self.pooling.extra
        if down < height or right < width:  # outputs that several windows share would be computed for each
            return 0
        if winners and not self.only_scaled(winners[0], chain):
            return 0
        bias = self.bias(chain, conv.out.shape[1])
        if bias is None:
            return 0
        out = self.pooling.out
        origin = together([x.origin for x in (value, out) if x.origin])
        largest = self.new(f"{value.name}_largest", out.shape, out.dtype, origin)
        where = self.new(f"{value.name}_where", out.shape, np.dtype(np.int32), origin)
        inputs = [*conv.inputs, bias]
        fused = Call(
            largest,
            inputs,
            "conv_pool",
            (*conv.extra, *self.pooling.extra),
            self.scratch("y", conv, *inputs[:2]),
            [where],
        )
        self.pooled[id(value)] = largest
        added: list[Equation] = [fused]
        for equation, through in reversed(chain):
            inputs = [self.pooled[id(self.same(x))] if x is through else x for x in equation.inputs]
            small = self.new(f"{equation.out.name}_pooled", out.shape, equation.out.dtype, equation.out.origin)
            added.append(Elementwise(small, inputs, equation.expression, equation.letters, equation.rule))
            self.pooled[id(equation.out)] = small
        last = self.pooled[id(source)]
        place = self.equations.index(self.pooling)
        self.equations[place : place + 1] = added
        out.at = View(last, identity(out.shape))
        if winners:
            self.backward(winners[0], where)
        return 1

    def same(self, value: Value) -> Value:
        """Return the value that owns the array, if `value` is a view of all of it, perhaps in another shape."""
        return base(value) if is_whole(value) else value

    def growing(self, value: Value) -> tuple[Elementwise, Value] | None:
        """Return the equation behind `value`, and the input with which it grows, other inputs being equal within a
        window.
        """
        maker = self.makers.get(id(value))
        if not isinstance(maker, Elementwise):
            return None
        if maker.rule in GROWING:
            return maker, maker.inputs[0]
        if maker.rule == "add":
            for x, other in (maker.inputs, maker.inputs[::-1]):
                if x.shape == value.shape and (other.is_number or other.shape[-2:] == (1, 1) or other.shape == ()):
                    return maker, x
        return None

    def bias(self, chain: list[tuple[Elementwise, Value]], channels: int) -> Value | None:
        """Return the bias of each channel as a vector, or None if it is not one vector, or an infinite number."""
        total = Value("0.0", (channels,), self.pooling.out.dtype, Number(0.0))
        added = [x for equation, through in chain for x in equation.inputs if x is not through]
        for x in added:
            if isinstance(x.at, Number):
                if not math.isfinite(x.at.number):
                    return None
            elif not total.is_number or not _one_for_each(x, channels):
                return None
            else:
                owner = resolve(x)[0]
                flat = owner.shape == (channels,)
                total = owner if flat else owner.view((channels,), hint="flat")
        return total

    def readers(self, value: Value) -> list[Equation]:
        return [e for e in self.equations if any(base(x) is value for x in all_reads(e))]

    def only_scaled(self, winners: Call, chain: list[tuple[Elementwise, Value]]) -> bool:
        """Tell whether ties made by relu do not matter: the adjoint at the winners is multiplied by relu's slope."""
        relus = [e for e, _ in chain if e.rule == "relu"]
        if not relus:
            return True
        for user in self.readers(winners.out):
            if not _adds(user):
                return False
            for reader in self.readers(user.out):
                if not isinstance(reader, Elementwise) or reader.rule != "mul":
                    return False
                slopes = [self.makers.get(id(self.same(x))) for x in reader.inputs]
                if not any(isinstance(e, Elementwise) and e.rule == "step"
                           and self.same(e.inputs[0]) is self.same(relus[0].inputs[0]) for e in slopes):  # fmt: skip
                    return False
        return True

    def backward(self, winners: Call, where: Value) -> None:
        """Keep adjoints that are 0 except at the winners in compact form, and let their readers read the winners."""
        for equation in list(self.equations):
            small_of = [self.placed.get(id(self.same(x))) for x in equation.inputs]
            kernel = equation.kernel if isinstance(equation, Call) else ""
            if _adds(equation) and base(equation.inputs[1]) is winners.out:
                self.placed[id(equation.out)] = equation.inputs[0].view(self.pooling.out.shape, hint="windows")
            elif isinstance(equation, Elementwise) and equation.rule == "mul":
                self.multiplied(equation, small_of)
            elif (
                isinstance(equation, Reduce) and equation.kind == "sum" and {2, 3} <= set(equation.axes) and small_of[0]
            ):
                equation.inputs[0] = small_of[0]
            elif isinstance(equation, Call) and kernel in ("conv_w", "conv_x"):
                side = 1 if kernel == "conv_w" else 0
                if (small := small_of[side]) is not None:
                    self.at_winners(equation, side, small, where)

    def at_winners(self, equation: Call, side: int, small: Value, where: Value) -> None:
        """Let the adjoint of a convolution read its input `side` at the winners alone, if that is faster."""
        rows, columns = equation.inputs[side].shape[2:]
        x, w = (equation.inputs[0], equation.out) if side else (equation.out, equation.inputs[1])
        work = self.scratch("winners" if side else "x", equation, x, w)
        kernel = f"{equation.kernel}_at"
        if side:
            # For a window, the lines of pixels below each winner, or vectors of filters with all entries at each place.
            places, filters = math.prod(self.pooling.extra[:2]), w.shape[0]
            if 5 * filters * work[1].shape[1] < 4 * places * -(-filters // 16) * math.prod(w.shape[1:]):
                kernel = "conv_w_of_winners"
            else:
                work = self.scratch("w", equation, x, w)
        else:
            stamps, sums = work[1:]
            # Multiplications for each filter, all pixels with each of its entries or all windows with the pixels that
            # they reach. The latter load each factor from the L2 cache, which takes twice as long.
            if 2 * sums.size > math.prod(x.shape[1:]) * math.prod(w.shape[2:]) or stamps.size * x.dtype.itemsize > L2:
                full = self.new(f"{small.name}_alone", equation.inputs[0].shape, small.dtype, small.origin)
                equation.inputs[0] = full
                place = self.equations.index(equation)
                self.equations.insert(place, Call(full, [small, where], "conv_back_through_pool", self.pooling.extra))
                return
        equation.inputs[side] = small
        equation.inputs.append(where)
        equation.kernel, equation.work = kernel, work
        equation.extra = (*equation.extra, *self.pooling.extra, rows, columns)

    def scratch(self, side: str, conv: Call, x: Value, w: Value) -> list[Value]:
        """Return the scratch arrays of a convolution that is pooled."""
        pooled, shapes = self.pooling.out, (x.shape, w.shape, self.pooling.out.shape)
        return scratch(side, self.new, pooled.dtype, conv.extra, *shapes, window=self.pooling.extra)

    def multiplied(self, equation: Elementwise, at_winners_of: Sequence[Value | None]) -> None:
        """Compute a product with one of `at_winners_of`, the inputs' values at the winners, at the winners too, if
        possible.
        """
        for x, factor, at_winners in zip(equation.inputs, equation.inputs[::-1], at_winners_of, strict=True):
            added: list[Equation] = []
            if at_winners is None or x.shape != equation.out.shape or (picked := self.pick(factor, added)) is None:
                continue
            out = equation.out
            small = self.new(f"{out.name}_there", at_winners.shape, out.dtype, out.origin)
            added.append(Elementwise(small, [at_winners, picked], equation.expression, equation.letters, "mul"))
            self.placed[id(out)] = small
            place = self.equations.index(equation)
            self.equations[place:place] = added
            return

    def pick(self, value: Value, added: list[Equation]) -> Value | None:
        """Return `value` at the winners, if it is made of values known there; the equations for it go into `added`."""
        if value.is_number:
            return Value(value.name, (), value.dtype, value.at)
        value = self.same(value)
        if id(value) in self.pooled:
            return self.pooled[id(value)]
        maker = self.makers.get(id(value))
        if not isinstance(maker, Elementwise) or any(x.shape != value.shape and not x.is_number for x in maker.inputs):
            return None
        inputs = [self.pick(x, added) for x in maker.inputs]
        if any(x is None for x in inputs):
            return None
        shape = self.pooling.out.shape
        small = self.new(f"{value.name}_there", shape, value.dtype, value.origin)
        added.append(Elementwise(small, [x for x in inputs if x], maker.expression, maker.letters, maker.rule))
        self.pooled[id(value)] = small
        return small


def _adds(equation: Equation) -> bool:
    """Tell whether it brings the adjoints of windows to their winners."""
    return isinstance(equation, Call) and equation.kernel == "custom" and isinstance(equation.extra[0], AddAlong)


def _one_for_each(x: Value, channels: int) -> bool:
    """Tell whether `x` reads a whole array, in order, along the channel axis."""
    owner, places = resolve(x)
    if owner.size != channels or x.size != channels:
        return False
    along = [place for place, size in zip(places, owner.shape, strict=True) if size != 1]
    return channels == 1 or (along == [Place(len(x.shape) - 3)] and x.shape[-3] == channels)
