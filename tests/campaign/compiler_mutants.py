"""Mistakes planted in the compiler, one at a time: in the linearizer, passes, schedule, memory plan, emitter, kernels,
steps and shards. The campaign's questions must notice every one.

This runs in a process without numba's compiler, where the emitted text and its kernels are plain Python: planting and
asking costs a second. Each mistake names where it should show; the other places are looked at where it does not.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import numpy as np

import minigrad as mg
from minigrad.compiler import build, emit, expressions, ir, linearize, memory, schedule, values
from minigrad.compiler.optional import shards
from minigrad.compiler.optional.pool_early import _Early, _one_for_each
from minigrad.compiler.passes import accumulate, fold_updates, transpose
from minigrad.compiler.passes.accumulate import _carried
from minigrad.compiler.passes.assembled import _within, forward_views, join, known_assembly
from minigrad.compiler.passes.dead import _drop_dead, _shorten_loop
from minigrad.compiler.passes.finish import _neighbours_only, _present_outputs, _stored_safely, _swapped_safely
from minigrad.compiler.passes.fuse import _fuse, _fused, _may_join
from minigrad.compiler.passes.simplify import PATTERNS, _match
from minigrad.compiler.values import row
from minigrad.native import convolution, heads, kernels, lines, normal, norms, pooling, products
from minigrad.ops import conv, pad, pool
from minigrad.ops.loss import CrossEntropySlope, SoftmaxCrossEntropy

from .corners import CORNERS, corner_questions
from .modes import Failure, Question, ask, compare
from .mutants import Mutant, Plant, _plant_source
from .networks import Training, examine
from .operations import ENTRIES, attention
from .questions import case_questions, kind_questions, special_questions
from .typed_graphs import typed_questions
from .updates import COUNT, Update

SEED = 1


# Where mistakes show ----------------------------------------------------------------------------------------------


Check = Callable[[], list[Failure]]


def _put(questions: Iterable[Question]) -> Iterator[Check]:
    """Questions, whose graphs are built the first time only: a mistake in the compiler changes none of them."""
    for question in questions:
        built = functools.cache(functools.partial(ask, question))
        yield lambda built=built: compare([built()])


def _graphs(start: int, stop: int) -> Iterator[Check]:
    return _put(typed_questions(SEED, range(start, stop)))


def _trainings(numbers: Iterable[int], kind: type[Training] = Training) -> Iterator[Check]:
    for number in numbers:
        yield functools.partial(lambda number: examine(kind(number), ["program"]), number)


def _entry(name: str) -> Iterator[Check]:
    return _put(itertools.chain(case_questions(ENTRIES[name], 2), kind_questions(ENTRIES[name], 1)))


def _attention_again() -> list[Failure]:
    """A program of attention's adjoints that runs twice: nothing of the first time is left in the second."""
    rng = np.random.default_rng(SEED)
    x, w = mg.Variable(rng.normal(size=(2, 3, 4))), mg.Variable(rng.normal(size=(16, 4)))
    program = mg.compile_graph(mg.adjoints(mg.sum(attention(x, w) ** 2), [x, w]), [x, w])
    first = [np.array(adjoint) for adjoint in program(x.value, w.value)]
    pairs = zip("xw", first, program(x.value, w.value), strict=True)
    wrong = "another answer the second time"
    return [Failure(f"attention, adjoint of {k}", "plain", wrong) for k, a, b in pairs if not np.array_equal(a, b)]


def _definitions() -> list[Failure]:
    """The convolution, what goes back from it, and the cross-entropy, for which all modes have one kernel, by NumPy."""
    rng, wrong = np.random.default_rng(SEED), []
    moves = ((1, 1), (1, 1)), ((2, 3), (1, 2)), ((1, 1), (2, 1)), ((3, 2), (1, 2))  # stride and dilation
    small, high, whole = (3, 2), (9, 2), (9, 8)  # filters, for images of 9 x 8, and of 9 x 40: long lines are split
    shapes = zip(
        (1, 1, 4, 8, 3, 3, 1), (*[small] * 4, high, whole, small), (*moves, moves[0], moves[0], moves[3]),
        (*[8] * 6, 40), strict=True,
    )  # fmt: skip
    for filters, size, (stride, dilation), width in shapes:
        x, w = rng.normal(size=(2, 2, 9, width)), rng.normal(size=(filters, 2, *size))
        reach = [(size - 1) * d + 1 for size, d in zip(w.shape[2:], dilation, strict=True)]
        windows = np.lib.stride_tricks.sliding_window_view(x, reach, (2, 3))
        windows = windows[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]
        expected = np.einsum("ncrqab,ocab->norq", windows, w)
        y = rng.normal(size=expected.shape)
        sides = {
            "y": (conv.Conv2d(stride, dilation).value(x, w), expected),
            "x": (np.sum(x * conv.ConvImages(x.shape, stride, dilation).value(y, w)), np.sum(y * expected)),
            "w": (np.sum(w * conv.ConvFilters(w.shape, stride, dilation).value(x, y)), np.sum(y * expected)),
        }
        wrong += [f"{k} of a convolution" for k, (a, b) in sides.items() if not np.allclose(a, b, rtol=1e-9)]
    # Few filters and a pool behind them: vectors lie along the pixels.
    x, w = mg.Variable(rng.normal(size=(2, 1, 12, 12))), mg.Variable(rng.normal(size=(2, 1, 3, 3)))
    pooled, y = pool.max_pool2d(conv.conv2d(x, w), 2), rng.normal(size=(2, 2, 5, 5))
    outputs = np.einsum(
        "nrqab,oab->norq", np.lib.stride_tricks.sliding_window_view(x.value[:, 0], (3, 3), (1, 2)), w.value[:, 0]
    )
    expected = outputs.reshape(2, 2, 5, 2, 5, 2).max((3, 5))
    value, by_x, by_w = mg.compile_graph([pooled, *mg.adjoints(mg.sum(pooled * y), [x, w])], [x, w])(x.value, w.value)
    sides = np.sum(x.value * by_x), np.sum(w.value * by_w)
    wrong += ["a pool's winners"] * (not np.allclose(value, expected, rtol=1e-9))
    wrong += ["what goes back from winners"] * (not np.allclose(sides, np.sum(y * expected), rtol=1e-9))
    images = mg.Variable(rng.normal(size=(2, 3, 4, 6)))
    blocks, y = images.value.reshape(2, 3, 2, 2, 3, 2), rng.normal(size=(2, 3, 2, 1, 3, 1))
    largest = blocks.max((3, 5), keepdims=True)
    value = pool.max_pool2d(images, 2)
    (by_images,) = mg.adjoints(mg.sum(value * y.reshape(value.shape)), [images])
    wrong += ["a pool"] * (not np.array_equal(value.value.reshape(largest.shape), largest))
    wrong += ["what goes back from a pool"] * (
        not np.array_equal(by_images.value.reshape(blocks.shape), (blocks == largest) * y)
    )
    logits, labels = 800 * rng.normal(size=(3, 4)), np.array([2, 0, 3])
    for z in (logits, logits / 800):
        p = np.exp(z - z.max(1, keepdims=True)) / np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True)
        with np.errstate(all="ignore"):
            value, slope = SoftmaxCrossEntropy().value(z, labels), CrossEntropySlope().value(z, labels)
        means = np.mean(np.log(np.exp(z - z.max(1, keepdims=True)).sum(1)) + z.max(1) - z[range(3), labels])
        wrong += ["a loss"] * (not np.isclose(value, means)) + ["its slope"] * (
            not np.allclose(slope, (p - np.eye(4)[labels]) / 3, atol=1e-12)
        )
    return [Failure("by definition", "plain", what) for what in wrong]


_PLAIN_SGD = {"optimizer_name": "SGD", "clip": 0.0, "shards": 1, "dropout": 0.0}


def _of_kind(kind: str, count: int, layer: str = "", **wanted: object) -> list[int]:
    """The first trainings of a kind, with such a layer."""
    result = []
    for number in range(2000):
        training = Training(number)
        like = training.kind == kind and all(getattr(training, k) == v for k, v in wanted.items())
        if like and not training.off and layer in str(training):
            result.append(number)
            if len(result) == count:
                break
    return result


def places() -> dict[str, Iterable[Check]]:
    """The parts of the campaign, by name: checks, each of which lists what fails."""
    updates = [number for number in range(COUNT) if Update(number).shards == 1]
    return {
        **{name: _put(corner_questions(only=name)) for name in CORNERS},
        "graphs": _graphs(0, 200),
        "special": _put(special_questions()),
        "dense": _trainings(_of_kind("dense", 12)),
        "SGD": _trainings(
            [
                *_of_kind("dense", 3, **_PLAIN_SGD, batch=1),
                *_of_kind("dense", 3, **_PLAIN_SGD, batch=70),
                *_of_kind("dense", 3, "Shifted", **_PLAIN_SGD),
                *_of_kind("dense", 4, **_PLAIN_SGD),
            ]
        ),
        "shards": _trainings(_of_kind("dense", 4, shards=3) + _of_kind("conv", 1, shards=2)),
        "conv": _trainings(_of_kind("conv", 10)),
        "recurrent": _trainings(_of_kind("recurrent", 10)),
        "dropout": _trainings(_of_kind("dense", 3, dropout=0.4, weights=np.float32, data=np.float32)),
        "attention again": [_attention_again],
        "definitions": [_definitions],
        **{f"update {number}": _trainings([number], Update) for number in updates},
        **{name: _entry(name) for name in ENTRIES},
        "more graphs": _graphs(200, 800),
    }


# The mistakes -----------------------------------------------------------------------------------------------------


def compiler_mutants() -> Iterator[Mutant]:
    """Lines of the compiler replaced by wrong ones."""
    to, fused = linearize.Linearizer, emit.Emitter
    for function, old, new, name, shows_in in (
        # The linearizer: from nodes to equations.
        (to.transposed, "axes.index(k)", "axes[k]", "a transpose the other way round", ("transpose",)),
        (to.broadcast, "shape[k + new] != 1", "False", "a broadcast reads beyond its only entry", ("add",)),
        (to.broadcast, "Place(k + new)", "Place(k)", "a broadcast aligns axes at the left", ("broadcast_to",)),
        (linearize.key_places, "Place(axis, step, start)", "Place(axis, 1, start)",
         "a slice forgets its step", ("index",)),
        (linearize.key_places, "Place(axis, step, start)", "Place(axis, step, 0)",
         "a slice forgets its start", ("index",)),
        (linearize.key_places, "int(part) % size", "abs(int(part)) % size", "a negative index counts from the front",
         ("index",)),
        (to.assembled, "key_places(key, node.shape)", "key_places((), node.shape)",
         "pieces are put on top of each other", ("concatenate",)),
        (pad.Pad.lower, "self.inside(a.shape)", "()", "padding is put behind only", ("pad",)),
        (pad.Pad.lower, "self.fill", "self.fill * 0", "padding is always 0", ("pad",)),
        (to.cast, "if value.dtype == dtype:", "if True:", "conversions are left out", ("graphs",)),
        (to.leaf, "_is_one_number(array)", "True", "every constant is one number", ("with a constant array",)),
        (to.reduced, "1 if k in axes else n", "1 if k not in axes else n", "a sum over the other axes", ("sum",)),
        (to.scan, "self.values, self.parts = kept", "pass", "leaves of a loop mean the same in the next one",
         ("scan", "recurrent")),
        (to.add, "self.parts[node] = [self.values[x] for x in node.inputs]",
         "self.parts[node] = [self.values[x] for x in node.inputs[::-1]]", "results are taken out in another order",
         ("scan in a scan",)),
        (to.scan, "(op.steps, *y.shape), y.dtype", "(op.steps, *y.shape), body.carry_in[0].dtype",
         "all results of a loop have the state's dtype", ("results of several dtypes",)),
        (to.reshaped, "if n == 1 else Place(next(axes))", "if n == 1 else Place(0)",
         "axes of size 1 shift the others", ("squeeze, expand_dims", "reshape")),
        # The passes.
        (_match, "number is None or number != letter", "number is None", "any number is the one of a pattern",
         ("graphs",)),
        (forward_views, "value.at = View(piece, inside)",
         "value.at = View(piece, identity(piece.shape))", "a slice of a piece is all of it", ("graphs",)),
        (forward_views, "elif can_alias(value, piece, inside, fixed):", "elif True:",
         "a view in one row is turned with its piece", ("one piece in one row",)),
        (known_assembly, "if can_alias(equation.out, piece, places, fixed):", "if True:",
         "what is put together in one row is turned with its piece", ("one piece in one row",)),
        (ir.can_alias, "fixed.update(id(seen) for seen in (other, *views_of(other)))", "pass",
         "a piece is turned after a row of it is looked at", ("one piece in one row",)),
        (_within, "(inner.start - outer.start) // outer.step", "mine.start // theirs.step",
         "a slice of a piece starts at the wrong place", ("recurrent", "graphs")),
        (join, "if not disjoint(at, piece.shape, other_at, other.shape):", "if False:",
         "overlapping pieces are not added", ("products with the state", "graphs", "max_pool2d")),
        (join, "not is_whole(x) or x.shape", "resolve(x)[0].shape", "the first row of a sum is all of it",
         ("a row of what is padded, added to each",)),
        (join, "if filled else 0.0", "", "what lies around pieces is not filled", ("recurrent",)),
        (row, "known is not None and known.expression == rule.expression", "known is not None",
         "a row is taken for that of minigrad's table which has its name", ("rows of one's own",)),
        (_drop_dead, "needed |= _needs(equation)", "pass", "what is needed is left out", ("graphs",)),
        (_shorten_loop, "if id(triple[0]) in wanted", "if False", "states are not handed on", ("recurrent",)),
        (accumulate, "count[id(summand)] != 1", "False", "a sum overwrites what is still read",
         ("layers turned round", "graphs")),
        (accumulate, "product.adds, out = summand, equation.out", "product.adds, out = None, equation.out",
         "a product forgets what it adds to", ("graphs", "dense", "recurrent")),
        (_carried, "and is_whole(following)", "", "a sum is carried on as it lies",
         ("sums carried on in another order",)),
        (transpose, "for x in product.inputs[::-1]", "for x in product.inputs",
         "a transposed product in the same order", ("matmul", "dense")),
        (transpose, "if base(v) is product.out", "if resolve(v)[0] is product.out",
         "a transposed product is read in one row as if it were not", ("a product seen transposed, and in one row",)),
        (fold_updates, "store.out, rate, True", "store.out, rate, False",
         "weights climb", ("SGD",)),
        (fold_updates, "count[id(product.out)] == 1", "True", "a gradient that is read again is not there",
         ("SGD",)),
        (fold_updates, "if reaches(needs, readers, place[id(product)]):", "if False:",
         "each of two factors is changed first", ("update 240",)),
        (_present_outputs, "or id(base(value)) in changed", "", "a loss is read after the update", ("update 576",)),
        (fold_updates, "(*store.inputs, *minus.inputs)", "(*store.inputs, minus.inputs[1])",
         "a flipped weight is changed as it lies", ("update 271",)),
        (fold_updates, "(*store.inputs, *minus.inputs)", "(*store.inputs, minus.inputs[0])",
         "a flipped change is made as it lies", ("update 379",)),
        (fold_updates, "(*store.inputs, *minus.inputs)", "minus.inputs", "a new weight is not flipped",
         ("update 277",)),
        (memory._read_in_time, "last[k] <= written and", "", "a loop reads what it has just written", ("update 18",)),
        (memory._read_in_time, "if members[k] not in maker.kept:", "if False:",
         "what a loop reads late seems to be read early", ("update 25",)),
        (memory._read_in_time, "value.shape == old.shape and is_whole(value)",
         "resolve(value)[1] == identity(old.shape)",
         "a row is read after it has changed", ("update 137",)),
        (_stored_safely, "id(base(new)) in changed", "False", "two arrays cannot change places", ("update 20",)),
        (_stored_safely, "base(new) is store.out and is_whole(new)", "base(new) is store.out",
         "an array is not turned round", ("update 131",)),
        (build.gradients_of, "np.zeros(v.shape", "np.ones(v.shape", "what is not used has a derivative",
         ("dense",)),
        (_swapped_safely, "new is not value and", "False and", "two states are changed one after the other",
         ("two states change places", "scan of two states")),
        (_neighbours_only, "runs[:0:-1]", "()", "sums over axes far apart are left whole",
         ("sums over axes far apart", "sum")),
        # Pooling early.
        (_one_for_each, "along == [Place(len(x.shape) - 3)]", "True", "an infinite bias is looked for elsewhere",
         ("an infinite bias the other way round",)),
        (_Early.growing, "if maker.rule in GROWING:", "if True:", "a falling function waits for the pool",
         ("conv", "max_pool2d")),
        # Schedule and memory plan.
        (schedule.dependencies, "needs[k] |= writers.get(owner, set()) - {k}", "pass", "equations run in any order",
         ("dense", "graphs")),
        (_may_join, "at != places", "False", "a loop reads what another round computes", ("graphs",)),
        (_fuse, "not reaches(followers, others, g)", "True", "loops wait for each other in a circle",
         ("graphs", "more graphs")),
        (_fused, "or isinstance(m.out.at, View)", "", "a loop keeps results for itself", ("recurrent",)),
        (_fused, "wanted |= {id(base(v)) for v in carry_inputs}", "pass",
         "the next state of a loop is not written", ("recurrent", "scan")),
        (memory.reuse_buffers, "buffer.dies < new.born", "buffer.dies <= new.born", "a buffer is given on too early",
         ("graphs", "more graphs", "matmul")),
        (memory.reuse_buffers, "buffer.dies < new.born", "True", "a buffer is given on at once", ("graphs",)),
        (memory.reuse_buffers, "b.dtype == new.dtype and", "", "float32 and float64 share a buffer", ("graphs",)),
        (memory.allocate, "dies[owner] = len(ir.equations)", "pass",
         "outputs are overwritten", ("graphs",)),
        (memory.reuse_buffers, "buffer.dies = new.dies", "pass", "a shared buffer is given on while in use",
         ("graphs",)),
        (memory._alias, "equation.out.at = View(equation.adds, identity(equation.out.shape))", "pass",
         "a product is added to an array of its own", ("recurrent", "dense", "graphs")),
        # The emitter.
        (values.index_at, 'f"{place.start} - {index}"', 'f"{index}"', "a reversed slice runs forwards",
         ("index", "neg")),
        (values.index_at, 'f"{place.step} * {index}"', "index", "a loop takes every entry, not every second",
         ("index",)),
        (values.through, "index_at(place, seen.start)", "seen.start", "a loop counts slices from their front",
         ("slices of slices",)),
        (fused.array, "axes != sorted(axes)", "False", "a kernel gets a matrix that is not transposed", ("matmul",)),
        (fused.array, "'' if stop < 0 else stop", "stop", "a reversed slice ends at the end",
         ("matmul", "more graphs")),
        (fused.scale, 'f"-{scale}" if negative else scale', "scale", "updates with the wrong sign",
         ("SGD",)),
        (fused.product, "(transposed(b), a) if m == 1", "(b, a) if m == 1",
         "a vector is multiplied from the other side", ("one column, one row",)),
        (fused._batched, "if value.shape[axis] != 1 else 0", "", "a stack of one matrix is counted through",
         ("matmul",)),
        (fused.assemble, "if equation.fill is not None:", "if False:", "padding is what was there", ("pad", "scatter")),
        (fused.loop, "if equation.backwards", "if not equation.backwards", "loops run the other way",
         ("scan", "recurrent")),
        (fused.loop, "self._copy(start, carried)", "pass", "a loop starts from what was there", ("scan", "recurrent")),
        (fused._merge, "all(_side_by_side(v, axis, shape) for v in accesses)", "True",
         "axes that lie apart are counted as one", ("graphs", "transpose")),
        (fused.reduce, "(n, p)) if m == 1 else", "(n, p)) if m != 1 else",
         "a sum keeps the wrong axes", ("sum",)),
        (expressions.converted, "!= {names.number(0, old)}", "> {names.number(0, old)}",
         "negative numbers are false", ("numbers as conditions", "graphs")),
        # Kernels.
        (kernels.relu_slope, "if a != a else", "if False else", "the slope of relu at a nan is a number", ("special",)),
        (products.add_matmul, "out += scale * (a", "out[:] = scale * (a", "a product is not added",
         ("recurrent", "dense", "graphs")),
        (products.add_matmul, "out += scale * (a @ b)", "out += a @ b", "a product forgets its factor", ("SGD",)),
        (products.pieces, "np.arange(length)", "np.arange(1, length + 1)", "a table is off by one",
         ("definitions",)),
        (products.add_matmul_from_zeros, "out[i, j] = np.nan", "pass", "0 times infinity is 0",
         ("zeros times infinity",)),
        (products.add_matvec, "out[i + 1] += scale * q", "out[i + 1] = scale * q", "matvec overwrites",
         ("graphs", "recurrent", "dense")),
        (fused.product, "if not add:", "if False:", "a vector adds to what was there", ("graphs",)),
        (products.add_matvec, "p += row[j] * x[j]", "p = row[j] * x[j]", "a last row without its sum", ("SGD",)),
        (products.vecmat_and_add_outer, "scale * q * y[j]", "scale * p * y[j]", "two rows change alike", ("SGD",)),
        (products.add_outer, "factor = scale * x[i]", "factor = x[i]", "add_outer forgets its scale", ("SGD",)),
        (products.add_outer, "row[j] += factor * y[j]", "row[j] = factor * y[j]", "add_outer overwrites", ("SGD",)),
        (kernels.sum_middle, "sum_rows(a[i], out[i])", "sum_rows(a[0], out[i])", "every middle sum is the first",
         ("graphs",)),
        (kernels.sum_columns, "sum_of(a[i])", "sum_of(a[0])", "every sum is that of the first row",
         ("sum",)),
        (kernels.minimum, "or b != b", "", "minimum loses a nan", ("special",)),
        (kernels.minimum, "a >= b", "a > b", "of two zeros the first is the smaller", ("zeros of both signs",)),
        (kernels.maximum, "a <= b", "a < b", "of two zeros the first is the larger", ("zeros of both signs",)),
        (kernels.maximum, "or b != b", "", "maximum loses a nan", ("special",)),
        (kernels.max_middle, "best = a[i, 0, k]", "best = a[0, 0, k]", "a maximum starts elsewhere",
         ("the largest in the first", "max")),
        (kernels._largest, "row[k] if row[k] > largest else largest", "largest", "powers of large logits overflow",
         ("special",)),
        (kernels.cross_entropy, "loss / rows", "loss", "a sum of losses, not their mean", ("definitions",)),
        (kernels.cross_entropy_slope, "1.0 / rows", "1.0", "a slope of the sum", ("definitions",)),
        (kernels.add_at, "result[where[k]] += flat[k]", "result[where[k]] = flat[k]",
         "places that come twice overwrite",
         ("index", "scatter")),
        (kernels.add_at, "result[:] = 0", "pass", "adding starts from what was there", ("index", "scatter")),
        (kernels.dropout_mask, "< p else 1 / (1 - p)", "< p else 1", "dropout does not scale", ("dropout",)),
        (convolution.as_lines, "pitch * along", "shape[2] * along", "lines are packed", ("definitions",)),
        (pooling.argmax_at_once, "pixels > largest", "pixels < largest", "the smallest wins", ("definitions",)),
        (pooling.scatter_at_once, "np.add.at(image.reshape", "np.add.at(out[0].reshape", "all go to the first image",
         ("definitions",)),
        (convolution.look_up, "y // sh) * columns", "y) * columns", "a stride between rows is left out",
         ("definitions",)),
        (convolution.look_up, "b * dw", "b", "gaps between columns are left out", ("definitions",)),
        (convolution.look_up_outputs, "(q * right", "(q", "windows lie beside each other",
         ("a pool behind many filters", "conv")),
        (convolution.split, "(c * height + a)", "(c * height)", "odd rows are taken for even ones", ("definitions",)),
        (convolution.join_rows, "wide.shape[1], 1, pitch", "wide.shape[1], 1, columns", "rows of a picture slip",
         ("definitions",)),
        (convolution.turn, "a[k, j]", "a[k, j] if j else 0", "the first filter is 0", ("definitions",)),
        (convolution.flip_filters, "last_column - b * dw", "b * dw", "filters are not turned over",
         ("definitions",)),
        (convolution.flip_filters, "w[o, c, a, b]", "w[o, c, b, a]", "filters are transposed on the way back",
         ("definitions",)),
        (convolution.conv_x, "x.shape[3], start, spread", "x.shape[3], 0, spread",
         "an adjoint is carried to other pixels",
         ("definitions",)),
        (convolution.conv_x, "kernel_columns if dw == 1 else 1", "kernel_columns",
         "gaps between columns are closed on the way back", ("definitions",)),
        (lines.add_windows, "np.add.at(pixels, places, ", "pixels[places] = (", "windows that meet overwrite",
         ("definitions",)),
        (convolution.covers, "x.shape[3] == w.shape[3]", "True", "a filter as high as the image is all of it",
         ("definitions",)),
        (convolution.stamp, "k % width * sw + b", "b", "every winner is in its window's first column",
         ("a pool behind relu", "conv")),
        (lines.add_windows, "firsts[:, None, None] + lines", "0 * firsts[:, None, None] + lines", "windows meet",
         ("a pool behind relu", "conv")),
        (convolution.conv_x_at, "if finite and all_finite(y[i].reshape(1, y[i].size)):", "if finite:",
         "0 times an infinite adjoint is nan", ("an infinite adjoint of a pool",)),
        (convolution.adjoint_at, "if where[o, row, column] == ", "if 0 == ", "the first output of a window has won",
         ("an infinite pixel below a pool's windows",)),
        (convolution.conv_w_of_winners, "not all_finite(x[i].reshape(1, x[i].size)):", "False:",
         "losers with an infinite pixel are left out", ("an infinite pixel below a pool's windows",)),
        (convolution.conv_w_at, "not all_finite(x[i].reshape(1, x[i].size)):", "False:",
         "0 times an infinite pixel is nan", ("an infinite pixel below the windows of many filters",)),
        (convolution.conv_w_of_winners, "of_line[b * dw]", "of_line[b]", "gaps between columns are left out",
         ("a pool behind filters with gaps", "conv")),
        (convolution.conv_w_at, "flat[o, entry] +=", "flat[o, entry] = 0 *", "no filter learns", ("definitions",)),
        (convolution.scatter_to_winners, "lines[where[o, j], j, o]", "lines[0, j, o]", "another place has won",
         ("a pool behind many filters", "conv")),
        (convolution.pool_places, "or others[j] != others[j]", "", "pooling loses a nan",
         ("a nan in windows of three",)),
        (products.largest_of_products, "| (products != products)", "", "pooling few filters loses a nan",
         ("a nan in windows of two",)),
        (products.largest_of_products, "2 * np.arange(rows)", "np.arange(rows)", "lines of windows slip",
         ("definitions",)),
        (lines.copy_lines, "[:, ::step]", "[:, :count]", "the first pixels, not every second", ("definitions",)),
        (products.add_up_won, "places[choices[i]]", "places[0]", "pixels below another place are multiplied",
         ("definitions",)),
        (products.add_up_chosen, "choices[:, i]", "0", "the first rows are chosen", ("a pool behind relu", "conv")),
        (heads.attend, "start if causal else keys", "keys", "a position sees what comes later", ("attention",)),
        (heads._shares, "range(first + 1, keys)", "range(first + 2, keys)", "a position sees the next one",
         ("attention",)),
        (heads.attend, "text if steps_first else text * steps", "text", "texts lie in one another", ("attention",)),
        (heads._back, "slopes[j, i] - means[i]", "slopes[j, i]", "a softmax without its second part", ("attention",)),
        (heads.attend_back, "out[:] = 0", "pass", "adjoints are added to what was there",
         ("attention again",)),
        (kernels.take_rows, "data[order[first + i]], out", "data[order[i]], out", "every batch is the first one",
         ("shards",)),
        (normal.normal_cdf, "f4_1 - y if", "y if", "the normal distribution falls again", ("gelu",)),
        (normal._bell, "f4_1 if size <= FULL", "f4_1 if size <= f4_1", "the normal density ends at 1", ("gelu",)),
        (kernels.exp32, "BACK if x > EXP_END", "f4_0 if x > EXP_END", "exp ends at the smallest normal number",
         ("hardly there",)),
        (norms.normalize, "/ length + eps", "/ length", "a variance without eps", ("layer_norm",)),
        (norms.normalize_slope, "(row[j] - mean) * share", "0 * share", "half of the adjoint of a normalization",
         ("layer_norm",)),
        # Steps and shards.
        (shards._total, "total = total + stack[s]", "total = stack[s]", "only the last shard counts", ("shards",)),
        (shards._total, "total * part.weight", "total", "shards' gradients are summed, not averaged", ("shards",)),
        (shards.weights_of_shards, "count / rows if mean else 1.0 for", "1.0 for", "every shard counts as the whole",
         ("shards",)),
        (shards._one_shard, "{start} + ({s}) * {rows}", "({s}) * {rows}", "fewer rows are the first ones", ("shards",)),
        (shards._one_shard, 'f"s * {rows}"', 'f"0 * {rows}"', "every shard gets the same rows", ("shards",)),
        (shards.epoch_text, "total += f8(parts[s]) *", "total = f8(parts[s]) *", "only the last shard's loss",
         ("shards",)),
        (shards._update, "rates[k, {r}]", "rates[0, {r}]", "the first learning rate stays", ("shards",)),
    ):  # fmt: skip
        yield Mutant(name, _plant_source(function, old, new), shows_in)
    for left, right, shows_in in (
        ("2 * a", "a", ("graphs",)),
        ("a ** 3", "square(a)", ("power of a number",)),
        ("a - 1", "a", ("graphs",)),
        ("sum(n)", "n", ("sum",)),
    ):
        yield Mutant(f"{left} is {right}", _plant_pattern(left, right), shows_in)


def _plant_pattern(left: str, right: str) -> Plant:
    @contextmanager
    def plant() -> Iterator[None]:
        before = dict(PATTERNS)
        PATTERNS[left] = right
        try:
            yield
        finally:
            PATTERNS.clear()
            PATTERNS.update(before)

    return plant


def unnoticed(chosen: list[Mutant]) -> list[str]:
    """The planted mistakes that no question noticed, one line each."""
    looks: dict[str, list[Check]] = {}
    waiting = places()
    unknown = {place for mutant in chosen for place in mutant.shows_in} - set(waiting)
    assert not unknown, f"mistakes are to show in {unknown}: no such place"

    def checks(mutant: Mutant) -> Iterator[Check]:
        """Those of the places where it should show, then all others."""
        for place in dict.fromkeys([*mutant.shows_in, *waiting]):
            if place not in looks:
                looks[place] = list(waiting[place])
            yield from looks[place]

    @functools.cache
    def fails_anyway(check: Check) -> set[tuple[str, str]]:
        return {(failure.name, failure.wrong) for failure in check()}

    def noticed(mutant: Mutant) -> bool:
        for check in checks(mutant):
            anyway = fails_anyway(check)  # builds what is expected, before kernels that all modes share are wrong
            with mutant.plant():
                try:
                    failures = check()
                except Exception:
                    failures = [Failure("the check", "plain", "ends with an error")]
            if any((failure.name, failure.wrong) not in anyway for failure in failures):
                return True
        return False

    return [mutant.name for mutant in chosen if not noticed(mutant)]
