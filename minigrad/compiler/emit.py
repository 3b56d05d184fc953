"""From equations to text: a plain Python function that numba compiles, a person reads and a debugger steps through."""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.linearize import SCALAR_KERNELS
from minigrad.compiler.memory import Buffer
from minigrad.compiler.schedule import Fused
from minigrad.compiler.values import (
    Assemble,
    Call,
    Elementwise,
    Equation,
    Guard,
    Loop,
    Place,
    Places,
    Product,
    Reduce,
    Store,
    Value,
    is_whole,
    literal,
    resolve,
    storage,
    whole,
)

COUNTERS = "ijklmn"
NAMED = {0.0: "zero", 1.0: "one", 2.0: "two", 0.5: "half"}
FUNCTIONS = {"max": "maximum", "min": "minimum"}  # Python's say something else of nan
SIGN = "1 if a > 0 else -1 if a < 0 else 0 if a == 0 else a"  # numba's sign of an unsigned number may be -1
LONGEST = 88  # characters of an expression that is still pasted into another one


# What the operators and functions of the derivative table are between conditions: NumPy's + is "or".
OF_BOOLS = {
    "add": "a or b", "mul": "a and b", "square": "a", "maximum": "a or b", "minimum": "a and b", "abs": "a",
    "clip": "(a or b) and c",
}  # fmt: skip


class Fold(ast.NodeTransformer):
    """Puts known numbers into an expression and works out what they decide, in the dtype that it is computed in."""

    def __init__(self, known: dict[str, Any], dtype: np.dtype):
        self.known, self.dtype = known, dtype

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(self.known[node.id]) if node.id in self.known else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._worked_out(self.generic_visit(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return self._worked_out(self.generic_visit(node))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self._worked_out(self.generic_visit(node))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        return self.generic_visit(node)

    def _worked_out(self, node: ast.AST) -> ast.AST:
        numbers = [x for x in ast.walk(node) if isinstance(x, ast.Constant)]
        if any(isinstance(x, ast.Name | ast.Call) for x in ast.walk(node)):
            return node
        names = {f"number_{k}": self.dtype.type(x.value) for k, x in enumerate(numbers)}
        order = iter(names)

        class Named(ast.NodeTransformer):
            def visit_Constant(self, node: ast.Constant) -> ast.AST:
                return ast.Name(next(order), ast.Load())

        tree = ast.Expression(ast.fix_missing_locations(Named().visit(copy.deepcopy(node))))  # type: ignore[arg-type]
        with np.errstate(all="ignore"):
            return ast.Constant(eval(compile(tree, "", "eval"), {"__builtins__": {}, **names}).item())


class Emitter:
    """Writes the body of one function, line by line."""

    def __init__(self, dtype: np.dtype, buffers: Sequence[Buffer], new_name: Callable[[str], str]):
        self.dtype, self.new_name = dtype, new_name
        self.lines: list[str] = []
        self.indent = 1
        self.owner: dict[str, str] = {}  # name of a view -> that of the buffer behind it
        self.specs: dict[str, tuple[tuple[int, ...], str]] = {}  # name -> shape, and dtype as it is written
        self.aliases: dict[str, str] = {}  # name -> what it stands for; written before everything else
        self.functions: set[str] = set()
        self.customs: dict[str, Any] = {}  # kernels of operations that are not minigrad's own
        self.blocks: list[tuple[int, int]] = []  # the lines of each equation
        self._alias_names: dict[tuple[str, tuple[int, ...]], str] = {}
        self._local_names: dict[str, str] = {}
        self._said = ""
        for buffer in buffers:
            self.spec(buffer.name, buffer.shape, buffer.dtype)
            for value in buffer.values[1:]:
                self._share(value, buffer)

    def spec(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.specs[name] = shape, _kind(dtype)

    def _share(self, value: Value, buffer: Buffer) -> None:
        first = buffer.name
        self.spec(value.name, value.shape, value.dtype)
        self.owner[value.name] = first
        if value.shape == buffer.shape:
            self.aliases[value.name] = first
        else:
            self.aliases[value.name] = f"shaped({first}, {_shape(value.shape)})"

    # ------------------------------------------------------------ names and numbers

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def function(self, name: str) -> str:
        self.functions.add(name)
        return name

    def number(self, value: Any, dtype: np.dtype) -> str:
        """A number as text that has this dtype, so that numba has nothing to choose."""
        if dtype.kind == "f":
            if dtype == self.dtype and float(value) in NAMED and not (value == 0 and math.copysign(1, value) < 0):
                return NAMED[float(value)]
            return f"{_kind(dtype)}({float(value)!r})"  # inf and nan are names in every program
        return repr(bool(value)) if dtype.kind == "b" else f"{_kind(dtype)}({int(value)})"

    def array(self, value: Value) -> str:
        """`value` as a NumPy expression: a name, with slices and a transpose where it is a view."""
        root, places = resolve(value)
        name = self.root(root)
        if places == whole(root.shape) and value.shape == root.shape:
            return name
        parts: list[tuple[int | None, str]] = []  # an axis of the view, or None for a place without one
        for place, size in zip(places, root.shape, strict=True):
            if place.axis is None or isinstance(place.start, str):
                parts.append((None, str(place.start)))
                continue
            count = value.shape[place.axis]
            if place.start == 0 and place.step == 1 and count == size:
                parts.append((place.axis, ":"))
            else:
                stop = place.start + place.step * count
                step = "" if place.step == 1 else f":{place.step}"
                parts.append((place.axis, f"{place.start}:{'' if stop < 0 else stop}{step}"))
        axes = [axis for axis, _ in parts if axis is not None]
        for missing in [k for k in range(len(value.shape)) if k not in axes]:  # axes of size 1
            behind = [k for k, (axis, _) in enumerate(parts) if axis is not None and axis > missing]
            parts.insert(behind[0] if behind else len(parts), (missing, "None"))
        axes = [axis for axis, _ in parts if axis is not None]
        while parts and parts[-1][1] == ":":
            parts.pop()
        text = f"{name}[{', '.join(text for _, text in parts)}]" if parts else name
        if axes != sorted(axes):
            text += ".T" if len(axes) == 2 else f".transpose({', '.join(str(axes.index(k)) for k in sorted(axes))})"
        return text

    def vector(self, value: Value) -> str:
        """A matrix with one row or one column as a vector."""
        root, places = resolve(value)
        long = [k for k, n in enumerate(value.shape) if n != 1][-1:] or [len(value.shape) - 1]
        shape = tuple(n for k, n in enumerate(value.shape) if k in long)
        if is_whole(value) and len(root.shape) > 1:
            return self.reshaped(root, shape)
        kept = {k: i for i, k in enumerate(long)}
        inner = tuple(
            Place(kept.get(p.axis), p.step, p.start) if p.axis in kept else Place(None, 1, p.start) for p in places
        )
        return self.array(Value("", shape, value.dtype, root=root, places=inner))

    def root(self, value: Value) -> str:
        """The name of an array; a reshape of another one gets its line at the top."""
        if value.root is None:
            return value.name
        assert value.places is None
        return self.reshaped(value.root, value.shape)

    def reshaped(self, of: Value, shape: tuple[int, ...]) -> str:
        owner = storage(of)
        if owner.shape == shape:
            return owner.name
        key = owner.name, shape
        if key not in self._alias_names:
            name = self.new_name(f"{owner.name}_{'x'.join(map(str, shape))}")
            self._alias_names[key] = name
            self.owner[name] = self.owner.get(owner.name, owner.name)
            self.aliases[name] = f"shaped({owner.name}, {_shape(shape)})"
            self.spec(name, shape, owner.dtype)
        return self._alias_names[key]

    def entry(self, value: Value, counters: Sequence[str], merged: Sequence[tuple[int, ...]] | None = None) -> str:
        """The entry of `value` where the loop is, or the number that it is."""
        root, places = resolve(value)
        if storage(root).is_literal:
            return self.number(storage(root).array, value.dtype)
        if root.shape == () and root.root is None:
            return f"{root.name}[()]" if storage(root).role in ("parameter", "constant") else root.name
        shift = len(counters) if merged is None else sum(len(g) for g in merged)
        new = shift - len(value.shape)
        indices: list[str] = []
        shape: list[int] = []
        done: set[int] = set()
        for r, place in enumerate(places):
            if r in done:
                continue
            if place.axis is None or value.shape[place.axis] == 1:
                indices.append(str(place.start))
                shape.append(root.shape[r])
                continue
            axis = place.axis + new
            if merged is None:
                indices.append(_index(counters[axis], place))
                shape.append(root.shape[r])
                continue
            g = next(k for k, group in enumerate(merged) if axis in group)
            together = [q for q, p in enumerate(places) if p.axis is not None and p.axis + new in merged[g]]
            done.update(together)
            indices.append(_index(counters[g], place))
            shape.append(math.prod(root.shape[q] for q in together))
        name = self.root(root) if tuple(shape) == root.shape else self.reshaped(root, tuple(shape))
        return f"{name}[{', '.join(indices)}]" if indices else f"{name}[()]"

    # ------------------------------------------------------------ equations

    def write(self, equations: Iterable[Equation]) -> None:
        for equation in equations:
            self.say(equation)
            start = len(self.lines)
            if isinstance(equation, Fused):
                self.fused(equation)
            elif isinstance(equation, Elementwise):
                self.fused(Fused(equation.out, equation.inputs, [equation], [equation]))
            else:
                getattr(self, type(equation).__name__.lower())(equation)
            if self.indent == 1:
                self.blocks.append((start, len(self.lines)))

    def say(self, equation: Equation) -> None:
        """A comment with the learner's line, where it changes."""
        said = next((v.said for v in equation.outs if v.said), "")
        if said and said != self._said:
            self.line(f"# {said}")
            self._said = said

    def fused(self, loop: Fused) -> None:
        shape = loop.members[-1].out.shape
        inside = {id(m.out): m for m in loop.members}
        times: dict[int, int] = {}
        for member in loop.members:
            for value in member.inputs:
                made = self._made_here(value, inside)
                if made is not None:
                    times[id(made.out)] = times.get(id(made.out), 0) + 1
        kept = {id(m) for m in loop.kept}
        merged = self._merge(loop, shape, inside)
        sizes = [math.prod(shape[k] for k in group) for group in merged]
        counters = [COUNTERS[k] for k in range(len(merged))]
        start = self.indent
        for counter, size in zip(counters, sizes, strict=True):
            self.line(f"for {counter} in range({size}):")
            self.indent += 1
        texts: dict[int, str] = {}
        here = "".join(counters)
        for member in loop.members:
            operands = []
            for value in member.inputs:
                made = self._made_here(value, inside)
                operands.append(texts[id(made.out)] if made else self.entry(value, counters, merged))
            text = self.expression(member, operands)
            out = member.out
            if id(member) in kept:
                target = self._target(out, counters, merged)
                if times.get(id(out), 0) and target != out.name:
                    local = self.local(f"{out.name}_{here or 'now'}")
                    self.line(f"{local} = {text}")
                    self.line(f"{target} = {local}")
                    texts[id(out)] = local
                else:
                    self.line(f"{target} = {text}")
                    texts[id(out)] = target
            elif times.get(id(out), 0) == 1 and len(text) < LONGEST:
                texts[id(out)] = text
            else:
                local = self.local(f"{out.name}_{here or 'now'}")
                self.line(f"{local} = {text}")
                texts[id(out)] = local
        self.indent = start

    def local(self, wanted: str) -> str:
        """The name of a number inside of a loop, which is no other's; many loops may use it."""
        if wanted not in self._local_names:
            self._local_names[wanted] = self.new_name(wanted)
        return self._local_names[wanted]

    def _target(self, out: Value, counters: Sequence[str], merged: Sequence[tuple[int, ...]]) -> str:
        if out.shape == () and out.root is None:
            return f"{out.name}[()]" if out.role == "parameter" else out.name
        return self.entry(out, counters, merged)

    def _made_here(self, value: Value, inside: dict[int, Elementwise]) -> Elementwise | None:
        """The member of the loop that makes `value`, if one does."""
        while True:
            if id(value) in inside:
                return inside[id(value)]
            if value.root is None:
                return None
            if value.places != whole(value.root.shape) or value.shape != value.root.shape:
                break
            value = value.root
        root, places = resolve(value)  # a detour through other shapes may end where it began
        return inside.get(id(root)) if places == whole(root.shape) and value.shape == root.shape else None

    def _merge(self, loop: Fused, shape: tuple[int, ...], inside: dict[int, Elementwise]) -> list[tuple[int, ...]]:
        """Neighbouring axes that one counter can run through, because all arrays have them side by side in memory."""
        groups: list[tuple[int, ...]] = []
        accesses = [v for m in loop.members for v in m.inputs if self._made_here(v, inside) is None]
        accesses += [m.out for m in loop.kept]
        accesses = [v for v in accesses if not storage(resolve(v)[0]).is_literal and resolve(v)[0].shape != ()]
        for axis in range(len(shape)):
            if groups and len(shape) > 2 and all(_side_by_side(v, axis, shape) for v in accesses):
                groups[-1] += (axis,)
            else:
                groups.append((axis,))
        return groups

    def expression(self, member: Elementwise, operands: list[str]) -> str:
        """The rule's expression with its letters replaced by operands and its numbers given a dtype.

        All its inputs have the dtype that it is computed in; only what `where` asks is a condition.
        """
        if member.rule == "copy":
            return self.converted(operands[0], member.inputs[0].dtype, member.out.dtype)
        dtype = member.inputs[-1].dtype
        expression = member.expression
        if dtype.kind == "b":
            expression = OF_BOOLS.get(member.rule, expression)
        names = dict(zip(member.letters, operands, strict=True))
        emitter = self

        class Put(ast.NodeTransformer):
            def __init__(self, names: dict[str, str]):
                self.names = names

            def visit_Name(self, node: ast.Name) -> ast.AST:
                return ast.parse(self.names[node.id], mode="eval").body if node.id in self.names else node

            def visit_Constant(self, node: ast.Constant) -> ast.AST:
                number = repr(node.value) if isinstance(node.value, bool) else emitter.number(node.value, dtype)
                return ast.parse(number, mode="eval").body

            def visit_Call(self, node: ast.Call) -> ast.AST:
                assert isinstance(node.func, ast.Name)
                arguments = [self.visit(x) for x in node.args]
                if node.func.id == "sign":
                    spelled = ast.parse(SIGN, mode="eval").body
                    return Put({"a": ast.unparse(arguments[0])}).visit(spelled)
                function = FUNCTIONS.get(node.func.id, node.func.id)
                if function != "abs":
                    function = emitter.suffixed(function, dtype)
                return ast.Call(ast.Name(function), arguments, [])

        known = {}  # numbers are worked out before they are written down: in a ** (3 - 1), and in a condition
        for letter, value in zip(member.letters, member.inputs, strict=True):
            owner = storage(resolve(value)[0])
            if owner.is_literal:
                known[letter] = owner.array
        tree = Put(names).visit(Fold(known, dtype).visit(ast.parse(expression, mode="eval")))
        text = ast.unparse(ast.fix_missing_locations(tree))
        # numba counts with 64 bits whatever comes in; NumPy's small integers overflow.
        return f"{_kind(dtype)}({text})" if member.out.dtype.kind in "iu" and member.out.dtype.itemsize < 8 else text

    def converted(self, text: str, old: np.dtype, new: np.dtype) -> str:
        """A number of one dtype in another."""
        if old == new:
            return text
        return f"({text} != {self.number(0, old)})" if new.kind == "b" else f"{_kind(new)}({text})"

    def product(self, equation: Product) -> None:
        a, b = equation.inputs
        out = equation.out
        lead = out.shape[:-2]
        if lead:
            self._batched(equation)
            return
        add = "add_" if equation.adds is not None else ""
        for side, (zeros, other) in (("from", (a, b)), ("to", (b, a))):
            if literal(zeros) == 0:  # as passes.finish leaves it only for products that have no factor
                self.line(f"{self.function(f'{add}matmul_{side}_zeros')}({self.array(other)}, {self.array(out)})")
                return
        one = self.number(1, out.dtype)
        scale = self.entry(equation.scale, ()) if equation.scale is not None else one
        scale = f"-{scale}" if equation.negative else scale
        (m, k), n = a.shape, b.shape[1]
        if k == 1:
            self.line(f"{self.function(add + 'outer')}({scale}, {self.vector(a)}, {self.vector(b)}, {self.array(out)})")
        elif m == 1 or n == 1:
            matrix, x = (b, a) if m == 1 else (a, b)
            lying = _rows_in_one_piece(matrix)
            text = self.array(matrix) if lying else self.array(_transposed(matrix))
            if lying == (m == 1):
                self.line(f"{self.function(add + 'vecmat')}({scale}, {self.vector(x)}, {text}, {self.vector(out)})")
            else:
                self.line(f"{self.function(add + 'matvec')}({scale}, {text}, {self.vector(x)}, {self.vector(out)})")
        else:
            self.line(f"{self.function(add + 'matmul')}({scale}, {self.array(a)}, {self.array(b)}, {self.array(out)})")

    def suffixed(self, name: str, dtype: np.dtype) -> str:
        """What a function or an array of the preamble is called for this dtype: exp, or exp_f8 beside it."""
        return self.function(name if dtype == self.dtype or dtype.kind != "f" else f"{name}_{_kind(dtype)}")

    def _batched(self, equation: Product) -> None:
        """A product of stacks of matrices: a loop over the stack."""
        a, b, out = *equation.inputs, equation.out
        lead = out.shape[:-2]
        counters = COUNTERS[: len(lead)]
        start = self.indent
        for counter, size in zip(counters, lead, strict=True):
            self.line(f"for {counter} in range({size}):")
            self.indent += 1

        def one(value: Value) -> str:
            new = len(out.shape) - len(value.shape)
            places = []
            for axis in range(len(value.shape)):
                if axis >= len(value.shape) - 2:
                    places.append(Place(axis - (len(value.shape) - 2)))
                else:
                    places.append(Place(None, 1, counters[axis + new] if value.shape[axis] != 1 else 0))
            return self.array(Value("", value.shape[-2:], value.dtype, root=value, places=tuple(places)))

        kernel = self.function("matmul" if equation.adds is None else "add_matmul")
        self.line(f"{kernel}({self.number(1, out.dtype)}, {one(a)}, {one(b)}, {one(out)})")
        self.indent = start

    def reduce(self, equation: Reduce) -> None:
        (a,), out = equation.inputs, equation.out
        groups: list[list[Any]] = []
        for axis, size in enumerate(a.shape):
            gone = axis in equation.axes
            if size != 1 and groups and groups[-1][0] == gone:
                groups[-1][1] *= size
            elif size != 1:
                groups.append([gone, size])
        if not is_whole(a):
            kernel = self.function("add_rows" if equation.axes == (0,) else "add_columns")
            self.line(f"{kernel}({self.array(a)}, {self.reshaped(out, (out.size,))})")
            return
        kinds = [gone for gone, _ in groups]
        sizes = [size for _, size in groups]
        root = resolve(a)[0]
        if out.size == 1 and equation.kind == "sum" and is_whole(a):
            text = f"{_kind(out.dtype)}({self.function('sum_all')}({self.reshaped(root, (a.size,))}))"
            self.line(f"{self._scalar_target(out)} = {text}")
            return
        if kinds in ([False, True, False], [True, False, True], [True, False], [False, True], [True], []):
            if kinds in ([False, True, False], [True, False]) and kinds[0] is False:
                shape, kept, side = tuple(sizes), (sizes[0], sizes[2]), "middle"
            else:
                sizes = sizes or [1]
                m = sizes[0] if kinds[:1] == [True] and len(kinds) > 1 else 1
                p = sizes[-1] if kinds[-1:] == [True] else 1
                n = math.prod(size for gone, size in groups if not gone)
                shape, kept, side = (m, n, p), (n,), "sides"  # type: ignore[assignment]
            kernel = self.function(f"{equation.kind}_{side}")
            if out.size == 1 and out.shape == ():
                kernel = self.function(f"{equation.kind}_all")
                self.line(f"{out.name} = {_kind(out.dtype)}({kernel}({self.reshaped(root, (a.size,))}))")
                return
            self.line(f"{kernel}({self.reshaped(root, shape)}, {self.reshaped(out, kept)})")
            return
        raise AssertionError(f"passes.finish left a {equation.kind} over axes {equation.axes} of {a.shape} whole")

    def _scalar_target(self, out: Value) -> str:
        return out.name if out.shape == () else f"{self.array(out)}[{', '.join('0' for _ in out.shape)}]"

    def assemble(self, equation: Assemble) -> None:
        out = equation.out
        if equation.fill is not None:
            self.line(f"{self.array(out)}[:] = {self.number(equation.fill, out.dtype)}")
        for piece, at in zip(equation.inputs, equation.at, strict=True):
            target = Value("", piece.shape, out.dtype, root=out, places=at)
            copy = Elementwise(target, [piece], "a", ("a",), "copy")
            self.fused(Fused(target, [piece], [copy], [copy]))

    def call(self, equation: Call) -> None:
        out = equation.out
        if equation.kernel == "custom":
            (operation,) = equation.extra
            name = f"{out.name}_kernel"
            self.customs[name] = operation.kernel
            self.line(f"{name}({', '.join([self.array(x) for x in (*equation.inputs, out)])})")
            return
        kernel = self.function(equation.kernel)
        if kernel == "vecmat_and_add_outer":
            (x, matrix), (y, scale, negative) = equation.inputs, equation.extra
            factor = ("-" if negative else "") + (
                self.entry(scale, ()) if scale is not None else self.number(1, out.dtype)
            )
            parts = [self.vector(x), self.array(matrix), self.vector(out), factor, self.vector(y)]
            self.line(f"{kernel}({', '.join(parts)})")
            return
        arguments = [x.name if x.role == "generator" else self.array(x) for x in equation.inputs]
        arguments += [repr(x) for x in equation.extra] + [self.array(x) for x in (*equation.work, *equation.also)]
        if kernel in SCALAR_KERNELS:
            self.line(f"{out.name} = {_kind(out.dtype)}({kernel}({', '.join(arguments)}))")
        else:
            self.line(f"{kernel}({', '.join([*arguments, self.array(out)])})")

    def guard(self, equation: Guard) -> None:
        """The end of a step whose loss is no number."""
        (loss,) = equation.inputs
        self.line(f"if not math.isfinite({self.entry(loss, ())}):")
        self.line(f"    return {', '.join(self.results(equation.results))}")

    def results(self, values: Sequence[Value]) -> list[str]:
        """What the program gives back: numbers, and whole arrays."""
        return [self.entry(v, ()) if v.shape == () else self.array(v) for v in values]

    def store(self, equation: Store) -> None:
        """The new value of a parameter that could not be changed in place."""
        (new,), old = equation.inputs, equation.out
        if storage(new) is old:
            return
        copy = Elementwise(
            Value("", old.shape, old.dtype, root=old, places=whole(old.shape)), [new], "a", ("a",), "copy"
        )
        if old.shape == ():
            self.line(f"{old.name}[()] = {self.entry(new, ())}")
        else:
            self.fused(Fused(copy.out, [new], [copy], [copy]))

    def loop(self, equation: Loop) -> None:
        for carried, start, _ in equation.carries:
            self._copy(start, carried)
        order = f"range({equation.steps - 1}, -1, -1)" if equation.backwards else f"range({equation.steps})"
        self.line(f"for {equation.counter} in {order}:")
        self.indent += 1
        self.write(equation.body)
        for carried, _, new in equation.carries:
            if new is not carried and storage(new) is not carried:
                self._copy(new, carried)
        if not equation.body and all(new is carried for carried, _, new in equation.carries):
            self.line("pass")
        self.indent -= 1

    def _copy(self, source: Value, target: Value) -> None:
        if target.shape == ():
            self.line(f"{target.name} = {self.entry(source, ())}")
            return
        place = Value("", target.shape, target.dtype, root=target, places=whole(target.shape))
        copy = Elementwise(place, [source], "a", ("a",), "copy")
        self.fused(Fused(place, [source], [copy], [copy]))


def _side_by_side(value: Value, axis: int, shape: tuple[int, ...]) -> bool:
    """Whether loop axes axis - 1 and axis are neighbours in the memory of `value`, and whole."""
    root, places = resolve(value)
    new = len(shape) - len(value.shape)

    def where(k: int) -> int | None:
        for r, place in enumerate(places):
            if place.axis is not None and place.axis + new == k and value.shape[place.axis] != 1:
                return r
        return None

    first, second = where(axis - 1), where(axis)
    if first is None and second is None:
        return True
    if first is None or second is None or second != first + 1:
        return False
    return all(
        places[r].step == 1 and places[r].start == 0 and root.shape[r] == shape[k]
        for r, k in ((first, axis - 1), (second, axis))
    )


def _rows_in_one_piece(matrix: Value) -> bool:
    """Whether the entries of a row are neighbours in memory (else those of a column are)."""
    _, places = resolve(matrix)
    last = places[-1].axis
    return last == len(matrix.shape) - 1


def _transposed(matrix: Value) -> Value:
    return Value("", matrix.shape[::-1], matrix.dtype, root=matrix, places=(Place(1), Place(0)))


def _index(counter: str, place: Place) -> str:
    text = counter if place.step == 1 else f"{place.step} * {counter}"
    if isinstance(place.start, str):
        return place.start
    if place.step == -1:
        return f"{place.start} - {counter}"
    return text if place.start == 0 else f"{place.start} + {text}"


def _shape(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _kind(dtype: np.dtype) -> str:
    """What a dtype is called in a program: f4, f8, np.int64, np.bool_."""
    return f"f{dtype.itemsize}" if dtype.kind == "f" else "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


__all__ = ["Emitter", "Places"]
