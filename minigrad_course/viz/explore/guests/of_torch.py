"""PyTorch's functions in minigrad's terms.

The function runs once as it is, with tensors, and each operation is done in both libraries: so its loops and branches
are its own, and every value is compared. A graph of torch.fx would have no branch on a value, and one of make_fx more
rows: aten writes x @ w over batches as six operations. So a call is first looked up by the name that it has in Python
(CALLS), and where that has no row, by the names of the operations of aten in it (TABLE).
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import minigrad as mg
from minigrad.core import rules
from minigrad.core.arrays import Array, Node, Tree
from minigrad.core.tree import flatten
from minigrad.ops.reduce import Axis, normalize
from minigrad.ops.shape import shape_of
from minigrad_course.viz.explore.guests.translation import (
    COMMON,
    Translation,
    as_dtype,
    call_from,
    close,
    entry_numbers,
    group_conv,
    is_moving,
    put_places,
    take_places,
    user_line,
    value_of,
)  # fmt: skip

if TYPE_CHECKING:
    from torch._ops import OpOverload

LIBRARY = os.path.dirname(torch.__file__) + os.sep
T = TypeVar("T")
Function = Callable[..., Any]  # one of PyTorch's
Arguments = tuple[Any, ...]  # of such a function
Options = dict[str, Any]
Row = Callable[..., Any]
Result: TypeAlias = "Array | np.ndarray | None"  # None: not made here
Made: TypeAlias = "Result | list[Result] | tuple[Result, ...]"  # by a row
Dim: TypeAlias = "int | list[int] | tuple[int, ...] | None"
Size: TypeAlias = "int | list[int] | tuple[int, ...]"  # for both axes of a picture, or one for each
Places = tuple[np.ndarray, int]  # where entries come from along an axis, and that axis


class Translated(Translation):
    library, folder = "torch", LIBRARY

    def __init__(self, what: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]):
        tensors = [leaf for argument in args for leaf in flatten(argument)[0] if isinstance(leaf, torch.Tensor)]
        floats = [tensor.dtype for tensor in tensors if tensor.is_floating_point()]
        self.dtype = floats[0] if floats else torch.float64
        super().__init__(what, args, options)

    def written(self, what: Callable[..., Any]) -> Callable[..., Any]:
        return what.forward if isinstance(what, torch.nn.Module) else what

    def named(self) -> dict[str, Any]:
        if isinstance(self.original, torch.nn.Module):
            return {**dict(self.original.named_parameters()), **dict(self.original.named_buffers())}
        return super().named()

    def numbers(self, leaf: object) -> np.ndarray | None:
        if isinstance(leaf, torch.Tensor):
            return leaf.detach().cpu().numpy().copy() if leaf.is_floating_point() else None
        if isinstance(leaf, float):
            return torch.tensor(leaf, dtype=self.dtype).numpy()
        return np.array(leaf) if getattr(leaf, "dtype", np.dtype(int)).kind == "f" else None

    def run(self, arguments: list[Any]) -> Tree:
        self.both = Both(self)
        self.leaves: list[Any] = []
        tensors = []
        for k, argument in enumerate(arguments):
            leaves, rebuild = flatten(argument)
            tensors.append(rebuild([self._tensor(leaf) for leaf in leaves]) if k in self.moving else argument)
        with self.record_locals() as names, torch.enable_grad(), self.both, self.both.aten:
            returned = self.original(*tensors, **self.options)
        self.name_nodes((name, self.both.node_of.get(id(value))) for name, value in names.items())
        leaves, rebuild = flatten(returned)
        self.values = [leaf.detach() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.total = [leaf.sum() for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        return rebuild([self.both.translated(leaf) for leaf in leaves])

    def _tensor(self, node: Node) -> torch.Tensor:
        leaf = torch.from_numpy(node._value.copy()).requires_grad_()
        tensor = leaf.clone()  # which the function may change in place
        self.leaves.append(leaf)
        self.both.bind(tensor, node)
        return tensor

    def reference(self) -> tuple[list[Any], list[Any]]:
        zeros = [torch.zeros_like(leaf) for leaf in self.leaves]
        gradients = torch.autograd.grad(sum(self.total), self.leaves, allow_unused=True) if self.total else zeros
        return list(map(np.asarray, self.values)), [
            np.asarray(zero if gradient is None else gradient) for zero, gradient in zip(zeros, gradients, strict=True)
        ]


class Both(TorchFunctionMode):
    """While it is active, what is done with tensors is done with nodes as well.

    node_of: the node of each tensor, by its id. The tensors are kept, so that no other one gets the id of one that is
    gone.
    """

    def __init__(self, translation: Translation):
        super().__init__()
        self.translation, self.aten, self.quiet = translation, Aten(self), False
        self.node_of: dict[int, Any] = {}
        self.alive: list[torch.Tensor] = []
        self.lost: dict[int, str] = {}  # tensors that depend on the arguments in a way we do not know
        self.parts: dict[int, tuple[torch.Tensor, Any]] = {}  # x[key] of x, which x[key] += 1 changes

    def __torch_function__(
        self, func: Function, types: Sequence[type], args: Arguments = (), kwargs: Options | None = None
    ) -> object:
        return call_from(user_line(LIBRARY), lambda: self.call(func, args, kwargs or {}))

    def call(self, func: Function, args: Arguments, kwargs: Options) -> object:
        """Do an operation in both libraries."""
        name = getattr(func, "__name__", "")
        if name == "__bool__" and is_moving(node := self.node_of.get(id(args[0]))):
            return bool(node)
        if name == "__setitem__":
            self.assign(func, *args)
            return None
        row = CALLS.get(name)
        if row is None or self.quiet or not self.moves(args, kwargs):
            return func(*args, **kwargs)
        made = row(*self.translated(list(args)), **self.translated(kwargs))
        if made is NotImplemented:
            return func(*args, **kwargs)
        expected = self.quietly(func, *args, **kwargs)
        self.pair(name, made, expected)
        if name == "__getitem__":
            self.parts[id(expected)] = args
        return expected

    def assign(self, func: Function, x: torch.Tensor, key: object, new: torch.Tensor | float) -> None:
        """x[key] = new"""
        self.quietly(func, x, key, new)
        if id(x) in self.node_of or self.moves((new,), {}):
            places = entry_numbers(x)[self.plain_key(key)]
            self.replace(x, put_places(self.translated(x), places, as_dtype(self.translated(new), str(x.dtype)[6:])))

    def replace(self, x: torch.Tensor, node: Array | np.ndarray) -> None:
        """Bind a tensor that was changed in place to what it is now, and what it is a part of; lose other views."""
        memory = x.untyped_storage().data_ptr()
        for other in self.alive:
            if other is not x and other._is_view() | x._is_view() and other.untyped_storage().data_ptr() == memory:
                self.lost[id(other)] = "views of a tensor that is changed in place"
        self.bind(x, node)
        if id(x) in self.parts:
            base, key = self.parts[id(x)]
            self.lost.pop(id(base), None)
            before = self.node_of.get(id(base), None)
            whole = before if before is not None else np.array(base.detach())
            self.replace(base, put_places(whole, entry_numbers(base)[self.plain_key(key)], node))
            self.lost.pop(id(x), None)

    def plain_key(self, key: object) -> Any:
        parts = tuple(key) if isinstance(key, tuple | list) and not all(isinstance(k, int) for k in key) else key
        plain = lambda k: np.asarray(k) if isinstance(k, torch.Tensor) else k  # noqa: E731
        return tuple(map(plain, parts)) if isinstance(parts, tuple) else plain(parts)

    def quietly(self, func: Callable[..., T], *args: object, **kwargs: object) -> T:
        self.quiet, before = True, self.quiet
        try:
            return func(*args, **kwargs)
        finally:
            self.quiet = before

    def moves(self, args: Arguments, kwargs: Any) -> bool:
        return any(id(leaf) in self.node_of or id(leaf) in self.lost for leaf in flatten([args, kwargs])[0])

    def translated(self, x: object) -> Any:
        """Return the nodes of tensors; numbers for tensors that stand for one, arrays for others."""
        if isinstance(x, list | tuple | dict):
            leaves, rebuild = flatten(x)
            return rebuild([self.translated(leaf) for leaf in leaves])
        if not isinstance(x, torch.Tensor):
            return x
        if id(x) in self.lost:
            raise self.translation.missing(self.lost[id(x)])
        if id(x) not in self.node_of:
            name = self.translation.constants.get(id(x))
            if name is None:
                array = x.detach().cpu().numpy()
                return array.item() if array.ndim == 0 else array.copy()
            self.bind(x, mg.Constant(x.detach().cpu().numpy(), name))
        return self.node_of[id(x)]

    def bind(self, tensor: torch.Tensor, node: Node | np.ndarray) -> None:
        self.node_of[id(tensor)] = node
        self.alive.append(tensor)

    def pair(self, name: str, made: Made, expected: object) -> None:
        """Bind what an operation gives in PyTorch to what it gives here, once they are seen to be the same."""
        if isinstance(expected, list | tuple):
            made = made if isinstance(made, list | tuple) else [made]
            for k, tensor in enumerate(expected):
                self.pair(name, made[k] if k < len(made) else None, tensor)
            return
        if not isinstance(expected, torch.Tensor):
            return
        if made is None:
            if expected.is_floating_point():
                self.lost[id(expected)] = f"further results of {name}"
                self.alive.append(expected)
            return
        if not is_moving(made):
            return
        made = as_dtype(made, str(expected.dtype).removeprefix("torch."))
        numbers = value_of(made)
        if not close(numbers, expected.detach()):
            raise ValueError(
                f"PyTorch's {name} gives {np.asarray(expected.detach())} and minigrad's {numbers}: these options of it "
                f"are not translated. At {user_line(LIBRARY)}"
            )
        if is_moving(made):
            self.bind(expected, made)


class Aten(TorchDispatchMode):
    """The operations that PyTorch's functions are made of."""

    def __init__(self, both: Both):
        super().__init__()
        self.both = both

    def __torch_dispatch__(
        self, func: OpOverload, types: Sequence[type], args: Arguments = (), kwargs: Options | None = None
    ) -> object:
        return call_from(user_line(LIBRARY), lambda: self.call(func, args, kwargs or {}))

    def call(self, func: OpOverload, args: Arguments, kwargs: Options) -> object:
        """Do an operation in both libraries."""
        both = self.both
        if both.quiet or not both.moves(args, kwargs):
            return func(*args, **kwargs)
        name = func._overloadpacket.__name__
        if name in CONSTANT:
            return func(*args, **kwargs)
        in_place = name.endswith("_") and not name.startswith("_")
        row = TABLE.get(name.removesuffix("_") if in_place else name)
        made: Any = NotImplemented
        if row is not None and _fits(row, args, kwargs):
            made = row(*both.translated(list(args)), **both.translated(kwargs))
        elif name in MOVES:
            x, *rest = args
            rest, fill = ([rest[0], -1], rest[1:]) if name == "constant_pad_nd" else (rest, [])
            places = both.quietly(func, torch.arange(x.numel(), dtype=torch.float64).view(x.shape), *rest, **kwargs)
            made = take_places(both.translated(x), np.asarray(places).astype(np.int64), *fill)
        if made is NotImplemented:
            return self.taken_apart(name, func, args, kwargs)
        expected = func(*args, **kwargs)
        if in_place:
            both.replace(args[0], as_dtype(made, str(args[0].dtype).removeprefix("torch.")))
        else:
            both.pair(name, made, expected)
        return expected

    def taken_apart(self, name: str, func: OpOverload, args: Arguments, kwargs: Options) -> object:
        """Do what PyTorch says the operation is made of; what is random, only there."""
        from torch._decomp import decomposition_table  # takes a moment

        with self:
            made = decomposition_table.get(func, func.decompose)(*args, **kwargs)
        if made is not NotImplemented and name in RANDOM:
            return made
        expected = func(*args, **kwargs)
        if made is not NotImplemented:
            results, (ends, _) = flatten(made)[0], flatten(expected)
            equal = [x if close(x.detach(), y.detach()) else None for x, y in zip(results, ends, strict=True)]
            self.both.pair(name, [None if x is None else self.both.node_of.get(id(x), x) for x in equal], ends)
        elif any(x.is_floating_point() or x.is_complex() for x in flatten(expected)[0] if isinstance(x, torch.Tensor)):
            raise self.both.translation.missing(name)
        return expected  # integers and truth values do not move


def _fits(row: Row, args: Arguments, kwargs: Options) -> bool:
    """Tell whether a row takes these arguments: an operation of aten has several lists of them."""
    try:
        inspect.signature(row).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


# Calls by their names in Python, where these are fewer rows than aten's ---------------------------------------------


def _getitem(x: Array, key: object) -> Array:
    parts = (
        key if isinstance(key, tuple) else (tuple(key) if isinstance(key, list) and slice in map(type, key) else key,)
    )
    parts = tuple(np.asarray(value_of(part)) if is_moving(part) or isinstance(part, list) else part for part in parts)
    return x[parts if len(parts) != 1 else parts[0]] if is_moving(x) else NotImplemented


CALLS: dict[str, Row] = {
    "__getitem__": _getitem,
    "matmul": mg.matmul, "__matmul__": mg.matmul,
    "__rmatmul__": lambda a, b: b @ a,
    "einsum": lambda pattern, *x: mg.einsum(pattern, *(x[0] if len(x) == 1 and isinstance(x[0], list) else x)),
    "detach": mg.stop_gradient, "__rdiv__": lambda a, b: b / a, "__rtruediv__": lambda a, b: b / a,
}  # fmt: skip

# Operations of aten -------------------------------------------------------------------------------------------------


def _axes(dim: Dim) -> Axis:
    """Return an axis, a tuple of them, or None for all."""
    return None if dim is None or dim == [] else tuple(dim) if isinstance(dim, list | tuple) else dim


def _reduced(reduction: Callable[..., Any]) -> Row:
    return lambda a, dim=None, keepdim=False, **dtype: reduction(a, _axes(dim), keepdims=keepdim)


def _spread(
    a: Array,
    dim: Dim | bool = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: int | None = None,
    **_: object,
) -> Array:
    """The variance. unbiased, or correction: so many less in the count that is divided by."""
    if isinstance(dim, bool):
        unbiased, dim = dim, None
    return mg.var(a, _axes(dim), keepdims=keepdim, ddof=unbiased if correction is None else correction)


def _extreme(reduction: Callable[..., Any], entrywise: Row) -> Row:
    """max(a), max(a, dim) with the places, and max(a, b)."""

    def extreme(a: Array, dim: int | Array | None = None, keepdim: bool = False) -> Array | list[Array]:
        if dim is None:
            return reduction(a)
        if not isinstance(dim, int):
            return entrywise(a, dim)
        if not shape_of(a):
            return [a]
        places = (np.argmax if reduction is mg.max else np.argmin)(value_of(a), dim, keepdims=True)
        picked = mg.take_along_axis(a, places, dim)
        return [picked if keepdim else mg.squeeze(picked, dim)]

    return extreme


def _nll(logs: Array, target: Array | np.ndarray, weight: Array | None, reduction: int, ignore: int) -> list[Array]:
    target, weights = np.asarray(value_of(target)), np.ones(shape_of(logs)[-1]) if weight is None else value_of(weight)
    rows = np.where(target == ignore, 0, target)
    scale = np.where(target == ignore, 0, weights[rows]).astype(value_of(logs).dtype)
    picked = mg.take_along_axis(logs, rows[..., None], -1)
    loss = -mg.squeeze(picked, -1) * scale if (scale != 1).any() else -mg.squeeze(picked, -1)
    return [loss if reduction == 0 else mg.sum(loss) / float(scale.sum()) if reduction == 1 else mg.sum(loss)]


def _convolution(x: Array, w: Array, b: Array | None, *how: Any) -> Array:
    stride, padding, dilation, turned, _, groups = how
    if turned or not 3 <= len(shape_of(x)) <= 4:
        return NotImplemented
    y = group_conv(x, w, stride, [(p, p) for p in padding], dilation, groups)
    return y if b is None else y + mg.reshape(b, (-1, *[1] * (len(shape_of(y)) - 2)))


def _two(x: Size) -> tuple[int, int]:
    return (x[0], x[-1]) if isinstance(x, list | tuple) else (x, x)


def _max_pool(
    x: Array, size: Size, stride: Size = (), padding: Size = 0, dilation: Size = 1, ceil: bool = False
) -> list[Array]:
    if ceil or len(shape_of(x)) != 4 or _two(padding) != (0, 0) or _two(dilation) != (1, 1):
        return NotImplemented
    return [mg.max_pool2d(x, _two(size), _two(stride or size))]


def _avg_pool(
    x: Array,
    size: Size,
    stride: Size = (),
    padding: Size = 0,
    ceil: bool = False,
    count: bool = True,
    by: int | None = None,
) -> Array:
    if ceil or not count or by is not None or len(shape_of(x)) != 4:
        return NotImplemented
    down, across = _two(padding)
    x = mg.pad(x, ((0, 0), (0, 0), (down, down), (across, across)))
    return mg.avg_pool2d(x, _two(size), _two(stride or size))


def _layer_norm(x: Array, shape: Sequence[int], w: Array | None, b: Array | None, eps: float) -> list[Array]:
    y = normalize(x, len(shape), eps)
    y = y if w is None else y * w
    return [y if b is None else y + b]


def _divide(a: Array, b: Array, rounding_mode: str | None = None) -> Array:
    return {None: lambda x: x, "floor": mg.floor, "trunc": mg.trunc}[rounding_mode](a / b)


def _with_product(c: Array, a: Array, b: Array, beta: float = 1, alpha: float = 1) -> Array:
    return (c if beta == 1 else beta * c) + (a @ b if alpha == 1 else alpha * (a @ b))


def _softplus(x: Array, beta: float = 1, threshold: float = 20) -> Array:
    smooth = mg.softplus(x) if beta == 1 else mg.softplus(beta * x) / beta
    return mg.where(value_of(x) * beta > threshold, x, smooth) if (value_of(x) * beta > threshold).any() else smooth


def _gelu(x: Array, approximate: str = "none") -> Array:
    if approximate == "none":
        return mg.gelu(x)
    return 0.5 * x * (1 + mg.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _index(x: Array, parts: Sequence[Any]) -> Array:
    return x[tuple(slice(None) if part is None else np.asarray(value_of(part)) for part in parts)]


def _slice(x: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Array:
    return x[(slice(None),) * (dim % len(shape_of(x))) + (slice(start, end, step),)]


def _squeeze(x: Array, dim: Dim = None) -> Array:
    axes = range(len(shape_of(x))) if dim is None else dim if isinstance(dim, list | tuple) else [dim]
    return mg.reshape(
        x, [n for k, n in enumerate(shape_of(x)) if n != 1 or k not in {a % len(shape_of(x)) for a in axes}]
    )


def _expand(x: Array, sizes: Sequence[int], implicit: bool = False) -> Array:
    own = (1,) * (len(sizes) - len(shape_of(x))) + tuple(shape_of(x))
    return mg.broadcast_to(x, tuple(n if size == -1 else size for n, size in zip(own, sizes, strict=True)))


def _sorted(pick: Callable[..., Places]) -> Row:
    """Operations that return entries and their places along an axis."""

    def row(x: Array, *args: object, **options: object) -> list[Array]:
        places, dim = pick(value_of(x), *args, **options)
        return [mg.take_along_axis(x, places, dim)]

    return row


def _sort(a: np.ndarray, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Places:
    return np.argsort(-a if descending else a, dim, kind="stable"), dim


def _topk(a: np.ndarray, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Places:
    return np.take(np.argsort(-a if largest else a, dim, kind="stable"), range(k), dim), dim


TABLE: dict[str, Row] = {
    **COMMON,
    "add": lambda a, b, alpha=1: a + b if alpha == 1 else a + alpha * b,
    "sub": lambda a, b, alpha=1: a - b if alpha == 1 else a - alpha * b,
    "div": _divide,
    "floor_divide": lambda a, b: mg.floor(a / b),
    "round": lambda a, decimals=0: mg.rint(a) if decimals == 0 else NotImplemented,
    "lerp": lambda a, b, t: a + t * (b - a),
    "clamp": lambda a, min=None, max=None: mg.clip(a, min, max),
    "clamp_min": mg.maximum, "clamp_max": mg.minimum,
    "leaky_relu": lambda a, slope=0.01: mg.leaky_relu(a, slope), "gelu": _gelu, "softplus": _softplus,
    "log_sigmoid_forward": lambda a: [mg.logsigmoid(a)],
    "logical_not": mg.logical_not, "logical_and": mg.logical_and, "logical_or": mg.logical_or,
    "bitwise_not": mg.logical_not, "bitwise_and": mg.logical_and, "bitwise_or": mg.logical_or,
    "sgn": mg.sign, "special_xlogy": rules.xlogy, "special_erf": COMMON["erf"],
    "sum": _reduced(mg.sum), "mean": _reduced(mg.mean), "prod": _reduced(mg.prod),
    "amax": _reduced(mg.max), "amin": _reduced(mg.min), "max": _extreme(mg.max, mg.maximum),
    "min": _extreme(mg.min, mg.minimum), "var": _spread,
    "linalg_vector_norm": lambda a, ord=2, dim=None, keepdim=False: (
        mg.norm(a, _axes(dim), keepdims=keepdim) if ord == 2 else NotImplemented),
    "var_mean": lambda a, dim=None, unbiased=True, keepdim=False, *, correction=None: [
        _spread(a, dim, unbiased, keepdim, correction=correction), mg.mean(a, _axes(dim), keepdims=keepdim)],
    "cumsum": lambda a, dim, **_: mg.cumsum(a, dim),
    "sort": _sorted(_sort), "topk": _sorted(_topk),
    "mm": mg.matmul, "bmm": mg.matmul, "mv": mg.matmul, "addmm": _with_product,
    "convolution": _convolution, "max_pool2d_with_indices": _max_pool, "avg_pool2d": _avg_pool,
    "native_layer_norm": _layer_norm, "nll_loss_forward": _nll,
    "embedding": lambda w, places, *_: mg.take(w, np.asarray(value_of(places))),
    "view": mg.reshape, "reshape": mg.reshape, "_unsafe_view": mg.reshape, "alias": lambda a: a,
    "clone": lambda a, **_: a,
    "contiguous": lambda a, **_: a,
    "permute": mg.transpose, "t": mg.transpose, "transpose": mg.swapaxes,
    "_to_copy": lambda a, dtype=None, **_: a if dtype is None else as_dtype(a, str(dtype).removeprefix("torch.")),
    "unsqueeze": lambda x, dim: mg.expand_dims(x, dim % (len(shape_of(x)) + 1)),
    "expand": _expand, "squeeze": _squeeze, "slice": _slice,
    "select": lambda a, dim, k: a[(slice(None),) * (dim % len(shape_of(a))) + (k,)],
    "cat": lambda parts, dim=0: mg.concatenate([p for p in parts if shape_of(p) != (0,)], dim),
    "stack": lambda parts, dim=0: mg.stack(parts, dim % (len(shape_of(parts[0])) + 1)),
    "unbind": lambda a, dim=0: list(mg.moveaxis(a, dim, 0)),
    "index": _index,
    "masked_fill": lambda a, mask, fill: mg.where(value_of(mask), fill, a),
    "copy": lambda a, b, *_: _expand(b, shape_of(a)),
    "fill": lambda a, b: _expand(b, shape_of(a)) if is_moving(b) else np.full(shape_of(a), b),
    "zero": lambda a: np.zeros(shape_of(a)),
    "linalg_inv_ex": lambda a, **_: [mg.linalg.inv(a)],
    "_linalg_solve_ex": lambda a, b, **_: [mg.linalg.solve(a, b)] if _.get("left", True) else NotImplemented,
}  # fmt: skip

# These only move entries: their places are what the operation makes of 0, 1, 2, ...
MOVES = {
    "gather", "index_select", "unfold", "roll", "flip", "repeat", "as_strided", "diagonal", "rot90", "pixel_shuffle",
    "pixel_unshuffle", "im2col", "channel_shuffle", "reflection_pad1d", "reflection_pad2d", "replication_pad1d",
    "replication_pad2d", "take", "masked_select", "diagonal_copy", "upsample_nearest1d", "upsample_nearest2d",
    "constant_pad_nd",
}  # fmt: skip
RANDOM = {"native_dropout", "rrelu_with_noise", "bernoulli"}
CONSTANT = {
    "rand_like", "randn_like", "randint_like", "bernoulli", "ones_like", "zeros_like", "empty_like", "full_like",
    "new_zeros", "new_ones", "new_empty", "new_full", "new_empty_strided", "detach", "argmax", "argmin", "argsort",
    "_local_scalar_dense", "is_same_size", "bucketize", "searchsorted",
}  # fmt: skip
