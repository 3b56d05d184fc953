"""Count how much of NumPy works on nodes and dual numbers: its own list of functions, called and compared.

The calls are in campaign/numpy_calls.py, and the campaign differentiates, reruns and compiles them. Here each is what
NumPy says: the same numbers, shapes and dtypes, by NumPy's name and by minigrad's. What is on NumPy's list and has no
call is refused in a sentence.
"""

import inspect
import math
import re
import sys
from functools import partial

import numpy as np
import pytest
from campaign.numpy_calls import ARRAYS, Mine, calls, function
from campaign.operations import ENTRIES

import minigrad as mg
from minigrad.like_numpy.registry import FUNCTIONS

# On NumPy's list, and not about numbers that could be differentiated.
ELSEWHERE = {
    "makes arrays from something else": "arange array asanyarray asarray asarray_chkfinite ascontiguousarray "
    "asfortranarray asmatrix bmat empty empty_like eye frombuffer fromfile fromfunction fromiter frompyfunc fromregex "
    "fromstring from_dlpack full genfromtxt geomspace identity indices ix_ load loadtxt logspace mask_indices ones "
    "require tri vectorize zeros diag_indices diag_indices_from tril_indices tril_indices_from triu_indices "
    "triu_indices_from unravel_index ravel_multi_index array2string array_repr array_str base_repr binary_repr "
    "format_float_positional format_float_scientific save savetxt savez savez_compressed packbits unpackbits",
    "is about dtypes, memory, or NumPy itself": "broadcast_shapes busday_count busday_offset byte_bounds can_cast "
    "common_type copyto datetime_as_string datetime_data einsum_path finfo get_include getbufsize geterr geterrcall "
    "iinfo info is_busday isdtype isfortran isscalar issubdtype iterable may_share_memory min_scalar_type "
    "mintypecode nested_iters printoptions promote_types result_type set_printoptions get_printoptions setbufsize "
    "seterr seterrcall shares_memory show_config show_runtime sort_complex test typename in1d set_numeric_ops "
    "shape ndim size bitwise_count getlimits put_along_axis select_dtypes row_stack",
    "is about bits, integers, times or complex numbers": "bitwise_and bitwise_invert bitwise_left_shift bitwise_not "
    "bitwise_or bitwise_right_shift bitwise_xor gcd invert iscomplex iscomplexobj isnat isreal isrealobj lcm "
    "left_shift right_shift",
    "has windows, or polynomials as objects": "bartlett blackman hamming hanning kaiser poly poly1d polyadd polyder "
    "polydiv polyint polymul polysub roots",
}  # fmt: skip
SKIPPED = {name for names in ELSEWHERE.values() for name in names.split()} - {"geomspace", "logspace"}


def numpys_list():
    """The functions of NumPy, and of np.linalg, for numbers that could be differentiated."""
    result = set()
    for prefix, module in (("", np), ("linalg.", np.linalg)):
        for name in dir(module):
            thing = getattr(module, name)
            if name.startswith("_") or isinstance(thing, type) or not callable(thing) or name in SKIPPED:
                continue
            result.add(prefix + name)
    return result


CALLED = {name for _, text, _ in calls() for name in re.findall(r"np\.((?:linalg\.)?\w+)", text)}
SAME = {}  # other names for one function
for _name in sorted(numpys_list() - CALLED):
    _room = np.linalg if _name.startswith("linalg.") else np
    for _other in sorted(CALLED):
        if getattr(_room, _name.removeprefix("linalg."), None) is getattr(np, _other, None):
            SAME[_name] = _other
QUESTIONS = {"allclose", "array_equal"}  # True or False about the numbers of now


def results(value):
    return list(value) if isinstance(value, tuple | list) else [value]


def numbers_of(x):
    return np.asarray(x._value if isinstance(x, mg.Node) else x._value if isinstance(x, mg.Dual) else x)


def tangents_of(values):
    return [str(x.tangent) if isinstance(x, mg.Dual) else None for x in values]


def inputs(group, shapes, dtype, number):
    entry = ENTRIES[f"{group}, {len(shapes)}"]
    rng = np.random.default_rng(number)
    drawn = [np.asarray(draw(rng, shape)) for draw, shape in zip(entry.numbers, shapes, strict=True)]
    return [x.astype(dtype) for x in drawn]


def disagreements(number, group, text, shapes, dtype):
    """List differences between minigrad and NumPy: by NumPy's names on nodes, by minigrad's on nodes, duals and
    arrays.
    """
    xs, in_duals = inputs(group, shapes, dtype, number), function(text, Mine())
    with np.errstate(all="ignore"):
        expected = [np.asarray(x) for x in results(function(text, np)(*xs))]
        leaf = mg.Variable if np.dtype(dtype).kind == "f" else mg.Constant
        ways = [("NumPy's name, nodes", np, leaf), ("minigrad's, nodes", Mine(), leaf), ("arrays", Mine(), np.asarray)]
        if np.dtype(dtype).kind == "f" and all(shapes):
            ways.append(("NumPy's name, duals", np, lambda x: mg.Dual(x, np.ones_like(x))))
        for way, module, make in ways:
            nodes = results(function(text, module)(*map(make, xs)))
            result = [numbers_of(x) for x in nodes]
            if way.endswith("duals") and tangents_of(nodes) != tangents_of(results(in_duals(*map(make, xs)))):
                yield f"{text} on {shapes}, {np.dtype(dtype)}: another tangent by NumPy's name than by minigrad's"
            close = 1e-4 if np.dtype(dtype) == np.float32 else 1e-11
            for got, want in zip(result, expected, strict=True):
                same = got.shape == want.shape and got.dtype == want.dtype
                if not same or not np.allclose(got, want, rtol=close, atol=close, equal_nan=True):
                    yield f"{text} on {shapes}, {np.dtype(dtype)}, {way}: {got!r} instead of {want!r}"


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.bool_], ids=lambda d: np.dtype(d).name)
def test_each_call_is_what_numpy_says(dtype, record_property):
    """Values, shapes and dtypes. Of integers and conditions too, where NumPy takes them."""
    failures, asked = [], 0
    for number, (group, text, shapes) in enumerate(calls()):
        if dtype is np.bool_ and group not in ARRAYS:
            continue  # of a single condition NumPy makes int8 and float16
        if np.dtype(dtype).kind != "f":
            try:
                with np.errstate(all="ignore"):
                    function(text, np)(*inputs(group, shapes, dtype, number))
            except (TypeError, ValueError, np.linalg.LinAlgError):
                continue
        asked += 1
        try:
            failures += disagreements(number, group, text, shapes, dtype)
        except Exception as error:
            failures.append(f"{text} on {shapes}, {np.dtype(dtype)}: {type(error).__name__}: {error}")
    record_property(f"count: calls of NumPy's functions, {np.dtype(dtype)}", asked)
    assert asked > 150
    assert not failures, f"{len(failures)}, the first:\n" + "\n".join(failures[:5])


def test_arguments_stand_where_numpy_has_them():
    """Of minigrad's functions the places are NumPy's; of NumPy's, and of methods, all places, or a sentence."""
    for func, op in FUNCTIONS.items():
        if isinstance(func, np.ufunc) or func is np.linalg.matmul:
            continue
        try:
            own, of_numpy = (inspect.signature(f).parameters.values() for f in (op, func))
        except ValueError:  # an older NumPy does not tell of functions in C, such as array
            continue
        places = [x.name for x in own if x.kind not in (x.KEYWORD_ONLY, x.VAR_POSITIONAL)]
        assert places[1:] == [x.name for x in of_numpy][1 : len(places)], func
    a = np.arange(9.0).reshape(3, 3) + 1
    for name in ("sum", "mean", "prod", "max", "min", "var", "std", "cumsum", "trace", "clip", "take", "round", "all"):
        func, options = getattr(np, name), {"clip": [2, 5], "take": [[0, 2]]}.get(name, [])
        parameters = list(inspect.signature(func).parameters.values())
        for more in parameters[1 + len(options) :]:
            if more.kind is more.KEYWORD_ONLY or more.name in ("mode", "kwargs"):
                break
            for last in (None, 0, 1, True, np.float32, np.zeros(3)):
                try:
                    expected = func(a, *options, last)
                except (TypeError, ValueError):
                    continue
                for call in (partial(func, mg.Variable(a)), getattr(mg.Variable(a), name)):
                    try:
                        got = call(*options, last)._value
                    except TypeError as error:
                        got = str(error)
                    if isinstance(got, str):
                        assert last is not None or more.name == "where", got
                        assert re.match(rf"np.a?{name} with \w+= does not work on a Variable. It takes a, ", got)
                    else:
                        assert got.dtype == expected.dtype
                        np.testing.assert_array_equal(got, expected)
            options = [*options, None if more.default is inspect.Parameter.empty else more.default]


def test_how_many_of_numpys_functions_work(record_property):
    """Nearly all of those on NumPy's own list; a few of them are newer than the oldest NumPy."""
    every = numpys_list()
    working = {name for name in every if name in CALLED or name in SAME or name in QUESTIONS}
    record_property("count: NumPy's functions on its list", len(every))
    record_property("count: NumPy's functions that work on nodes", len(working))
    print(f"\n{len(working)} of {len(every)} functions of NumPy work; not {sorted(every - working)}")
    assert len(working) >= 120


def test_what_does_not_work_says_so():
    """Each of the others raises a TypeError in a sentence, with what is nearest."""
    x = mg.Variable(np.eye(3) + 0.5)
    silent = []
    for name in sorted(numpys_list() - CALLED - set(SAME) - QUESTIONS - {"trapz"}):  # NumPy 2.2 still has that one
        module = np.linalg if name.startswith("linalg.") else np
        f = getattr(module, name.removeprefix("linalg."))
        for arguments in ((x,), (x, x), (x, 1), (np.mean, 0, x), (np.mean, x, 0), (x, np.eye(3) > 0, 1.0)):
            try:
                f(*arguments)
            except TypeError as error:
                message = str(error)
                if "minigrad" in message and (name in message or "float()" in message):
                    break
            except Exception:
                continue
        else:
            silent.append(name)
    assert silent == []


def test_methods_of_arrays():
    """Those of NumPy's arrays that change nothing in place, on nodes and dual numbers."""
    a = np.array([[3.0, 1.0, 2.0], [0.5, 5.0, 4.0]])
    for make in (mg.Variable, lambda a: mg.Dual(a, np.ones_like(a))):
        x = make(a)
        for name, *arguments in (
            ("all",), ("any", 0), ("argmax",), ("argmin", 1), ("argsort",), ("astype", np.float32), ("clip", 1, 3),
            ("copy",), ("cumsum",), ("diagonal",), ("dot", a.T), ("flatten",), ("max",),
            ("mean", 0), ("min", 1),
            ("prod",), ("ravel",), ("repeat", 2), ("reshape", 3, 2), ("round",), ("squeeze",), ("std",), ("sum", 1),
            ("swapaxes", 0, 1), ("take", [1, 0]), ("trace",), ("transpose",), ("var", 0), ("item", 1),
        ):  # fmt: skip
            got = getattr(x, name)(*arguments)
            np.testing.assert_allclose(numbers_of(got), getattr(a, name)(*arguments), rtol=1e-13, err_msg=name)
        assert x.mT.shape == x.T.shape == (3, 2)
    y = mg.Variable(2.4)
    assert f"{y:.3f}" == "2.400"
    assert [float(f(y).value) for f in (round, math.floor, math.ceil, math.trunc)] == [2, 2, 3, 2]
    assert [z.value for z in divmod(y, 1.0)] == [2.0, pytest.approx(0.4)]
    assert (y % 2).value == pytest.approx(0.4)
    assert (5 // y).value == 2
    assert mg.grad(lambda y: y % 2 + 3 * (y // 2))(2.4) == 1.0
    assert y.item() == 2.4
    assert np.allclose(y, 2.4)


# Einsum -----------------------------------------------------------------------------------------------------------


def test_a_long_einsum_goes_the_cheap_way():
    """A product of three that has an inner size of 1 never becomes large."""
    a, b, c = (mg.Variable(np.ones(s)) for s in ((30, 1), (1, 40), (40, 2)))
    order = mg.topological_order(mg.einsum("ij,jk,kl->il", a, b, c))
    assert max(node.value.size for node in order) <= 80


# At edges -----------------------------------------------------------------------------------------------------------


def test_a_singular_matrix_is_refused_in_every_mode():
    """Also when it comes only with the numbers of a later run."""
    a, b = mg.Variable(np.eye(2) * 2, name="a"), mg.Variable(np.ones(2), name="b")
    x = np.linalg.solve(a, b)
    graph, run = mg.Graph(x), mg.compile_graph(x, [a, b])
    singular = np.ones((2, 2))
    with pytest.raises(ValueError, match="singular"):
        run(singular, b.value)
    np.testing.assert_allclose(run(np.eye(2) * 4, b.value), [0.25, 0.25])
    a.value = singular
    with pytest.raises(ValueError, match="singular"):
        graph.forward()


def test_places_out_of_range_are_refused():
    """A program that looks entries up by places has them looked through beforehand."""
    a, places = mg.Variable(np.arange(6.0).reshape(2, 3), name="a"), mg.Constant(np.array([[0], [2]]), name="places")
    picked = np.take_along_axis(a, places, 1)
    graph, run = mg.Graph(picked), mg.compile_graph(picked, [a, places])
    np.testing.assert_array_equal(run(a.value, np.array([[-1], [0]])), [[2.0], [3.0]])
    with pytest.raises(IndexError):
        run(a.value, np.array([[0], [3]]))
    places.value = np.array([[0], [-4]])
    with pytest.raises(IndexError):
        graph.forward()


def test_the_names_are_known(monkeypatch):
    """A tab leaves numpy.f2py out; nor does a slip of the keyboard import it elsewhere."""
    for part in set(dir(np)) & set(np.__all__):
        if f"numpy.{part}" in sys.modules and part in vars(np):
            monkeypatch.delattr(np, part)
    monkeypatch.setattr(np, "__getattr__", lambda name: pytest.fail(f"np.{name} was imported"))
    assert mg.cumsum(np.arange(3)).tolist() == [0, 1, 3]
    with pytest.raises(AttributeError, match="did you mean 'sin'"):
        mg.sine
