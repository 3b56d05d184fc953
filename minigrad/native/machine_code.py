"""Have numba compile kernels and the functions of a program; and the few functions written in LLVM's own words.

Imported only where there is machine code: else compiled.py says the same in plain Python.
"""

from __future__ import annotations

import math
import operator
import sys
from types import SimpleNamespace
from typing import ClassVar

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    unbox,
)

from minigrad.native.aligned import LINE
from minigrad.native.jit import njit
from minigrad.native.numba_internals import (
    AbstractTemplate,
    AsWritten,
    AttributeTemplate,
    Function,
    Inside,
    Kernel,
    Once,
    Pipeline,
    RequireLiteralValue,
    cgutils,
    infer_global,
)

# Loops with many rounds are not written out in part: vectorised ones are as fast without, and where a function that was
# optimised alone becomes part of another, LLVM's search for repeated loads took minutes for loops written out so.
llvmlite.binding.set_option("", "-unroll-allow-partial=false")
# Nor are short loops written out whole, which keeps them from becoming vectors.
llvmlite.binding.set_option("", "-unroll-full-max-count=8")

# Division by zero gives infinity, as in NumPy: a check for it would stop loops from vectorising.
_FLOATS = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
# No reference counting (the caller owns the arrays), which shortens compilation.
_OPTIONS = {**_FLOATS, "_nrt": False}
_INSIDE = {**_OPTIONS, "no_cpython_wrapper": True}  # only compiled code calls it


class NoAlias(Pipeline):
    """The same pipeline, told that no two array arguments overlap, so that loops over many arrays vectorise."""

    def define_pipelines(self):
        self.state.flags.noalias = True
        return super().define_pipelines()


class Calls(NoAlias):
    """The same, for a loop whose body only calls other functions."""

    library = Once


class Written(Pipeline):
    """The same pipeline, for loops in LLVM's own words."""

    library = AsWritten


class Part(Kernel):
    """A part of a program, which is compiled for the shapes of its arrays."""

    @staticmethod
    def plain(kind):
        """Return the type for which a version is made."""
        return kind if isinstance(kind, ShapedArray) else types.unliteral(kind)


def _apart(pipeline=Pipeline, kind=Kernel, **options):
    """A decorator for functions that are compiled once for each type of arguments, and called at their address."""
    return njit(kind=kind, pipeline_class=pipeline, **_INSIDE, **options)


def _inlined(fastmath):
    """A decorator for functions that become part of what calls them."""
    return njit(kind=Inside, pipeline_class=Pipeline, forceinline=True, fastmath=fastmath, **_INSIDE)


# What compiled.py says of each of them holds here.
SUMS = {"reassoc", "contract", "nsz"}
exact = _apart()
filling = _apart(NoAlias)
summing = _apart(NoAlias, fastmath=SUMS)
written = _apart(Written)
inlined, inlined_sum = _inlined({"contract"}), _inlined(SUMS)
program = njit(pipeline_class=NoAlias, no_rewrites=True, **_FLOATS)


class Loop(Function):
    """A function that takes a `ByName`, which keeps its own type: numba would look for it in each call."""

    def typeof_pyval(self, value):
        """Return the numba type of an argument."""
        return value._kind if isinstance(value, ByName) else super().typeof_pyval(value)


# The loop over batches.
main = njit(kind=Loop, pipeline_class=Calls, no_rewrites=True, **_OPTIONS)
apart, part = _apart(NoAlias, Part, no_rewrites=True), _apart(kind=Part, no_rewrites=True)


def by_types(function):
    """A decorator: where `function` is called, that function is compiled which the decorated one chooses by types."""
    return overload(function, jit_options={"forceinline": True, "pipeline_class": Pipeline})


def array_over(context, builder, kind, sizes, data, meminfo=None, parent=None):
    """An array of this kind over memory that is there, in row-major order. sizes: how long it is along each axis."""
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides, step = [], itemsize
    for size in reversed(sizes):
        strides.insert(0, step)
        step = builder.mul(step, size)
    array = context.make_array(kind)(context, builder)
    context.populate_array(
        array, data=data, shape=cgutils.pack_array(builder, sizes), strides=cgutils.pack_array(builder, strides),
        itemsize=itemsize, meminfo=meminfo, parent=parent,
    )  # fmt: skip
    return array._getvalue()


@intrinsic
def on_stack(typing_context, count, zero):
    """An array of so many numbers of the type of `zero`, in memory that nobody has to ask for. count: a constant."""
    if not isinstance(count, types.IntegerLiteral):
        raise RequireLiteralValue("on_stack: the count is a constant")
    kind = types.Array(types.unliteral(zero), 1, "C")

    def write(context, builder, signature, arguments):
        size = context.get_constant(types.intp, count.literal_value)
        with builder.goto_entry_block():
            memory = builder.alloca(context.get_data_type(kind.dtype), size)
        memory.align = 64
        return array_over(context, builder, kind, [size], memory)

    return kind(count, zero), write


@intrinsic
def numbers_at(typing_context, address, count, example):
    """An array of so many numbers of the type of `example` in the memory at an address, which somebody keeps alive."""
    kind = types.Array(types.unliteral(example), 1, "C")

    def write(context, builder, signature, arguments):
        data = builder.inttoptr(arguments[0], context.get_data_type(kind.dtype).as_pointer())
        return array_over(context, builder, kind, [context.cast(builder, arguments[1], count, types.intp)], data)

    return kind(address, count, example), write


# ---------------------------------------------------------------- arrays whose shape is known


class ShapedArray(types.Type):
    """The type of an array whose shape is known. Its address is enough: of `kind` it becomes where its entries matter.

    Any other array is nine numbers to numba, whose time for a function grows with each.
    """

    def __init__(self, kind, shape, strides):
        self.kind, self.shape, self.strides = kind, shape, strides
        super().__init__(f"{kind} of shape {shape} and strides {strides}")

    def __unliteral__(self):
        """Return the type that numba looks up functions for."""
        return self.kind


@register_model(ShapedArray)
class _Address(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, manager[types.CPointer(kind.kind.dtype)].get_value_type())


@lower_cast(ShapedArray, types.Array)
def _as_array(context, builder, shaped, kind, address):
    itemsize = np.dtype(str(kind.dtype)).itemsize
    known = [None, None, math.prod(shaped.shape), itemsize, None, shaped.shape, shaped.strides]
    struct = context.get_value_type(kind)
    array = ir.Constant(struct, [ir.Constant(part, x) for part, x in zip(struct.elements, known, strict=True)])
    return builder.insert_value(array, address, 4)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = ShapedArray

    def generic_resolve(self, shaped, name):
        return self.context.resolve_getattr(shaped.kind, name)


@lower_getattr_generic(ShapedArray)
def _attribute(context, builder, shaped, address, name):
    read = context.get_getattr(shaped.kind, name)
    return read(context, builder, shaped.kind, context.cast(builder, address, shaped, shaped.kind), name)


def _is_entry(array, index):
    """Tell whether an index is that of an entry: as many integers as the array has axes."""
    places = index.types if isinstance(index, types.BaseTuple) else (index,)
    integers = all(isinstance(types.unliteral(place), types.Integer) for place in places)
    return isinstance(array, ShapedArray) and integers and len(places) == len(array.shape)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    prefer_literal = True
    metadata: ClassVar = {"target": "cpu"}  # asked before numba's own, which are for all targets

    def generic(self, arguments, named):
        array, index = arguments
        return array.kind.dtype(array, types.unliteral(index)) if _is_entry(array, index) else None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    prefer_literal = True
    metadata: ClassVar = {"target": "cpu"}

    def generic(self, arguments, named):
        array, index, value = arguments
        if _is_entry(array, index):
            return types.none(array, types.unliteral(index), array.kind.dtype)
        if isinstance(array, ShapedArray):
            signature = self.context.resolve_setitem(array.kind, types.unliteral(index), types.unliteral(value))
            return None if signature is None else signature.replace(args=(array, *signature.args[1:]))


def _entry(context, builder, array, address, kind, index):
    """The address of an entry. Programs count from 0, so no place is a negative one, from the end."""
    places = cgutils.unpack_tuple(builder, index) if isinstance(kind, types.BaseTuple) else [index]
    kinds = kind.types if isinstance(kind, types.BaseTuple) else [kind]
    offset = context.get_constant(types.intp, 0)
    for place, of, stride in zip(places, kinds, array.strides, strict=True):
        place = context.cast(builder, place, of, types.intp)
        offset = builder.add(offset, builder.mul(place, place.type(stride)))
    return cgutils.pointer_add(builder, address, offset)


@lower_builtin(operator.getitem, ShapedArray, types.Any)
def _get_item(context, builder, signature, arguments):
    array, index = signature.args
    entry = _entry(context, builder, array, arguments[0], index, arguments[1])
    return context.unpack_value(builder, array.kind.dtype, entry, align=None if array.kind.aligned else 1)


@lower_builtin(operator.setitem, ShapedArray, types.Any, types.Any)
def _set_item(context, builder, signature, arguments):
    array, index, value = signature.args
    if _is_entry(array, index):
        entry = _entry(context, builder, array, arguments[0], index, arguments[1])
        context.pack_value(builder, array.kind.dtype, arguments[2], entry, align=None if array.kind.aligned else 1)
        return
    function = context.typing_context.resolve_value_type(operator.setitem)
    plain = function.get_call_type(context.typing_context, (array.kind, index, value), {})
    as_array = context.cast(builder, arguments[0], array, array.kind)
    return context.get_function(function, plain)(builder, (as_array, *arguments[1:]))


@intrinsic(prefer_literal=True)
def shaped(typing_context, array, shape):
    """The array under another shape."""
    if isinstance(array, ShapedArray):
        sizes = tuple(size.literal_value for size in shape)
        kind = types.Array(array.kind.dtype, len(shape), "C", aligned=array.kind.aligned)
        strides = np.empty(sizes, np.dtype(str(kind.dtype))).strides
        return ShapedArray(kind, sizes, strides)(array, shape), lambda context, builder, signature, args: args[0]
    result = types.Array(array.dtype, len(shape), "C", aligned=array.aligned)

    def write(context, builder, signature, arguments):
        old = context.make_array(signature.args[0])(context, builder, arguments[0])
        sizes = cgutils.unpack_tuple(builder, arguments[1], len(shape))
        value = array_over(context, builder, result, sizes, old.data, old.meminfo, old.parent)
        if context.enable_nrt:
            context.nrt.incref(builder, result, value)
        return value

    return result(array, shape), write


# ---------------------------------------------------------------- arrays by name


class ByName(SimpleNamespace):
    """Arrays as one argument, `at`: compiled code reads the one called x as at.x, as Python does."""

    def __init__(self, arrays):
        super().__init__(**arrays)
        self._kind = ByNameType({name: ShapedArray(typeof(a), a.shape, a.strides) for name, a in arrays.items()})
        self._addresses = np.array([a.ctypes.data for a in arrays.values()], np.int64)
        self._address = self._addresses.ctypes.data


by_name = ByName


class ByNameType(types.Type):
    """The type of a `ByName`: the names and the types of its arrays."""

    def __init__(self, members):
        self.members, self.places = members, {name: k for k, name in enumerate(members)}
        super().__init__(f"by_name({', '.join(f'{name}: {kind}' for name, kind in members.items())})")


@register_model(ByNameType)
class _Addresses(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.IntType(64).as_pointer())


@unbox(ByNameType)
def _unboxed(kind, value, context):
    address = context.pyapi.object_getattr_string(value, "_address")
    number = context.pyapi.long_as_longlong(address)
    context.pyapi.decref(address)
    return NativeValue(context.builder.inttoptr(number, ir.IntType(64).as_pointer()))


@infer_getattr
class _Names(AttributeTemplate):
    key = ByNameType

    def generic_resolve(self, kind, name):
        return kind.members.get(name)


@lower_getattr_generic(ByNameType)
def _read(context, builder, kind, addresses, name):
    address = builder.load(builder.gep(addresses, [ir.Constant(ir.IntType(64), kind.places[name])]))
    return builder.inttoptr(address, context.get_value_type(kind.members[name]))


# ---------------------------------------------------------------- memory that is needed soon


@intrinsic
def _fetch_line(typing_context, address):
    """Start to load the cache line at an address."""

    def write(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, *(ir.Constant(number, k) for k in (0, 2, 1))])  # to read; into L2; data
        return context.get_dummy_value()

    return types.none(address), write


@inlined
def fetch_lines(address, size):
    """Start to load so many bytes."""
    for offset in range(0, size, LINE):
        _fetch_line(address + offset)


@inlined
def fetch(row):
    """Start to load an array whose numbers lie in one piece."""
    fetch_lines(np.int64(row.ctypes.data), row.size * row.itemsize)


# ---------------------------------------------------------------- threads that wait for each other

SPINS = 4000  # spins before yielding the CPU


def _address(context, builder, array_type, array):
    fields = context.make_array(array_type)(context, builder, array)
    return builder.bitcast(fields.data, ir.IntType(64).as_pointer())


@intrinsic
def add_one(typing_context, counter):
    """Atomically compute counter[0] += 1; return the new number."""

    def write(context, builder, signature, arguments):
        address = _address(context, builder, signature.args[0], arguments[0])
        one = ir.Constant(ir.IntType(64), 1)
        return builder.add(builder.atomic_rmw("add", address, one, "seq_cst"), one)

    return types.int64(counter), write


@intrinsic
def atomic_load(typing_context, counter):
    """Atomically load counter[0]."""

    def write(context, builder, signature, arguments):
        return builder.load_atomic(_address(context, builder, signature.args[0], arguments[0]), "seq_cst", 8)

    return types.int64(counter), write


@intrinsic
def yield_cpu(typing_context):
    """Yield the CPU to another thread."""

    def write(context, builder, signature, arguments):
        if sys.platform != "win32":
            yields = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield")
            builder.call(yields, [])
        return context.get_dummy_value()

    return types.none(), write


@inlined
def barrier(counter, total):
    """Go on when `total` arrivals have been counted. Every thread calls it with the same totals in the same order."""
    if add_one(counter) < total:
        spins = 0
        while atomic_load(counter) < total:
            spins += 1
            if spins > SPINS:
                yield_cpu()
