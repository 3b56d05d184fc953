"""Entries of two dicts are matched by their keys, in whatever order these were inserted."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.tree import flatten, matching_leaves

A, B = np.array([1.0, 2.0]), np.array([10.0, 20.0])
XS = np.zeros((3, 2))
POLICIES = ["everything", "states", 2, "sqrt"]
Pair = collections.namedtuple("Pair", "u v")


def turned(tree):
    """The same tree with the entries of all dicts in the opposite order."""
    if isinstance(tree, dict):
        return {key: turned(tree[key]) for key in reversed(tree)}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*map(turned, tree))
    return type(tree)(map(turned, tree)) if isinstance(tree, tuple | list) else tree


def cell(order):
    def step(s, x):
        new = {"h": s["h"] + 1 + x, "c": s["c"] * 2}
        return {key: new[key] for key in order}, s["h"] * s["c"]

    return step


@pytest.mark.parametrize("policy", POLICIES)
def test_a_scan_takes_its_state_by_name(policy):
    def last(a, b, xs, order):
        state, ys = mg.scan(cell(order), xs, {"h": a, "c": b}, policy)
        return state["h"], state["c"], ys

    np.testing.assert_array_equal(last(A, B, XS, "ch")[0], [4.0, 5.0])
    np.testing.assert_array_equal(last(A, B, XS, "ch")[1], [80.0, 160.0])

    def score(order):
        def f(a, b, xs):
            h, c, ys = last(a, b, xs, order)
            return mg.sum(h * c) + mg.sum(ys * ys)

        return f

    for by in (0, 1, 2):
        expected = mg.grad(score("hc"), by)(A, B, XS)
        np.testing.assert_array_equal(mg.grad(score("ch"), by)(A, B, XS), expected)
    many = np.stack([A, B])
    for f in (mg.vmap(score("ch"), (0, None, None)), mg.vmap(mg.grad(score("ch")), (0, None, None))):
        assert np.isfinite(f(many, B, XS)).all()
    np.testing.assert_array_equal(
        mg.vmap(score("ch"), (0, None, None))(many, B, XS), mg.vmap(score("hc"), (0, None, None))(many, B, XS)
    )
    x = mg.Variable(A)
    f, g = score("hc")(x, B, XS), score("ch")(x, B, XS)
    program = mg.compile_graph([f, *mg.adjoints(f, [x]), g, *mg.adjoints(g, [x])])
    f_value, f_grad, g_value, g_grad = program(A)
    np.testing.assert_array_equal(f_value, g_value)
    np.testing.assert_array_equal(f_grad, g_grad)


def test_directions_and_adjoints_are_taken_by_name():
    p, d = {"a": A, "b": B}, {"b": np.ones(2), "a": np.zeros(2)}
    assert mg.jvp(lambda p: mg.sum(p["a"] * 2 + p["b"] * 3), (p,), (d,))[1] == 6.0
    product = mg.hvp(lambda p: mg.sum(p["a"] ** 2 + 5 * p["b"] ** 2), p, d)
    np.testing.assert_array_equal(product["a"], 0.0)
    np.testing.assert_array_equal(product["b"], 10.0)
    (pulled,) = mg.vjp(lambda x: {"u": x * 2, "v": x * 3}, A)[1]({"v": np.ones(2), "u": np.zeros(2)})
    np.testing.assert_array_equal(pulled, 3.0)


def test_directions_and_adjoints_inside_other_derivatives_and_vmap():
    p, d = {"a": A, "n": [B, {"y": A + 1, "x": B + 1}]}, {"a": B, "n": [A, {"y": B - 1, "x": A - 1}]}

    def f(p):
        return mg.sum(p["a"] ** 3 * p["n"][0] + mg.sin(p["n"][1]["x"]) * p["n"][1]["y"] ** 2)

    for way in (
        lambda d: mg.jvp(f, (p,), (d,))[1],
        lambda d: mg.hvp(f, p, d),
        lambda d: mg.jvp(lambda p: mg.jvp(f, (p,), (d,))[1], (p,), (d,))[1],
        lambda d: mg.grad(lambda p: mg.jvp(f, (p,), (d,))[1])(p),
        lambda d: mg.vjp(lambda p: p, p)[1](d),
        lambda d: mg.vmap(lambda d: mg.jvp(f, (p,), (d,))[1])({k: turned_leaves(v) for k, v in d.items()}),
    ):
        by_name, expected = flatten(turned(way(turned(d))))[0], flatten(turned(way(d)))[0]
        for got, want in zip(by_name, expected, strict=True):
            np.testing.assert_array_equal(got, want)


def turned_leaves(tree):
    leaves, build = flatten(tree)
    return build([np.stack([x, 2 * x]) for x in leaves])


WRONG = {
    "one missing": ({"a": A}, "'b' is missing"),
    "one too many": ({"a": A, "b": B, "c": B}, "'c' should not be there"),
    "another": ({"a": A, "c": B}, "'b' is missing and 'c' should not be there"),
    "an array": (A, "there should be a dict of 2, and there is a single number or array"),
    "a branch for a leaf": ({"a": A, "b": [B]}, r"in \['b'\] there should be a single number or array, and there is"),
    "no dict": ([A, B], "'a', 'b' are missing and 0, 1 should not be there"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("who", ["jvp", "hvp", "vjp", "scan", "scan in vmap", "scan in chunks"])
def test_what_does_not_meet_is_one_sentence(who, wrong):
    tree, sentence = WRONG[wrong]
    p = {"a": A, "b": B}
    sentence = sentence.replace(r"in \['b'\]", r"in \[0\]\['b'\]") if who == "jvp" else sentence
    ways = {
        "jvp": lambda: mg.jvp(lambda p: mg.sum(p["a"] * p["b"]), (p,), (tree,)),
        "hvp": lambda: mg.hvp(lambda p: mg.sum(p["a"] * p["b"]), p, tree),
        "vjp": lambda: mg.vjp(lambda p: p, p)[1](tree),
        "scan": lambda: mg.scan(lambda s, x: (tree, x), XS, p),
        "scan in vmap": lambda: mg.vmap(lambda x: mg.scan(lambda s, _: (tree, x), XS, p)[1])(A),
        "scan in chunks": lambda: mg.scan(lambda s, x: (tree, x), XS, p, 2),
    }
    with pytest.raises(ValueError, match=sentence) as error:
        ways[who]()
    assert "\n" not in str(error.value)


def test_named_tuples_meet_by_their_fields():
    other = collections.namedtuple("Other", "v u")
    assert matching_leaves(other(1, 2), Pair(3, 4), "same") == [2, 1]
    with pytest.raises(ValueError, match="same: 'v' is missing and 'w' should not be there"):
        matching_leaves(collections.namedtuple("Third", "u w")(1, 2), Pair(3, 4), "same")
    assert matching_leaves(((), [1.0]), [None, (2.0,)], "same") == [1.0]  # a list for a tuple, nothing for nothing


def test_parameters_are_taken_by_name():
    def network(order):
        module = mg.nn.Module()
        module.layers = {name: mg.nn.Linear(2, 2, rng=ord(name)) for name in order}
        return module

    one, two = network("ab"), network("ba")
    two.load_state_dict({name: 2 * array for name, array in one.state_dict().items()})
    for name, array in one.state_dict().items():
        np.testing.assert_array_equal(two.state_dict()[name], 2 * array)


def test_two_parameters_of_one_name_are_refused():
    module = mg.nn.Module()
    module.layers = {1: mg.Variable(1.0), "1": mg.Variable(2.0)}
    with pytest.raises(ValueError, match=r"two parameters of Module are called 'layers.1'"):
        module.state_dict()


@pytest.mark.parametrize("kind", [lambda gs: dict(enumerate(gs)), set], ids=["dict", "set"])
def test_gradients_come_back_in_a_list(kind):
    with pytest.raises(TypeError, match="`gradients` returns a list, in the order of the one it is given"):
        mg.compile(
            mg.nn.Linear(2, 1, rng=0), lambda o, y: mg.mean((o - y) ** 2), mg.optim.SGD(0.1),
            np.zeros((4, 2), np.float32), np.zeros((4, 1), np.float32), gradients=kind,
        )  # fmt: skip


class ByAttribute(dict):
    """A dict whose entries are attributes, as many libraries have one."""

    def __init__(self, *entries, **more):
        super().__init__(*entries, **more)
        self.__dict__ = self


class Counted(dict):
    """A dict with an attribute of its own."""

    def __init__(self, *entries):
        super().__init__(*entries)
        self.count = len(self)


class Couple(tuple):
    __slots__ = ()

    def __new__(cls, a, b):
        return super().__new__(cls, (a, b))


class Doubled(Pair):
    __slots__ = ()

    def __new__(cls, u):
        return super().__new__(cls, u, 2 * u)


class Stack(list):
    """A list under another name."""


WAYS = {
    "grad": lambda f, p: mg.grad(f)(p), "jvp": lambda f, p: mg.jvp(lambda p: (f(p), p), (p,), (p,))[1][1],
    "hvp": lambda f, p: mg.hvp(f, p, p), "vjp": lambda f, p: mg.vjp(f, p)[1](1.0)[0],
    "vmap": lambda f, p: mg.vmap(lambda p: (f(p), p)[1])(p),
    "scan": lambda f, p: mg.scan(lambda s, x: (s, f(s)), XS, p)[0],
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_other_kinds_of_containers_stay_what_they_are(way):
    missing = collections.defaultdict(lambda: 1.0, a=A, b=B)
    ordered = collections.OrderedDict(a=A, b=B)
    for p, f in (
        (missing, lambda p: mg.sum(p["a"] * p["b"]) * p["not there"]),
        (ordered, lambda p: (p.move_to_end("a"), mg.sum(p["a"] * p["b"]))[1]),
        (ByAttribute(a=A, b=B), lambda p: mg.sum(p.a * p.b)),
        (Couple(A, B), lambda p: mg.sum(p[0] * p[1])),
        (Doubled(A), lambda p: mg.sum(p.u * p.v)),
        (Stack([A, B]), lambda p: mg.sum(p[0] * p[1])),
    ):
        if way == "scan" and p is missing:
            continue  # the function adds an entry to the state
        assert type(WAYS[way](f, p)) is type(p)
    with pytest.raises(TypeError, match="a Counted cannot be built again with other numbers: it has a constructor or"):
        WAYS[way](lambda p: mg.sum(p["a"]), Counted({"a": A}))


OF_A_LIST = {**WAYS, "hessian": lambda f, p: mg.hessian(f)(p), "derivative": mg.derivative, "trace": mg.trace,
             "jacobian": lambda f, p: mg.jacobian(f)(p), "check_gradients": mg.check_gradients,
             "as JAX has it": lambda f, p: mg.jvp(f, p, p)}  # fmt: skip


@pytest.mark.parametrize("way", sorted(OF_A_LIST.keys() - {"vmap", "scan"}))
def test_a_list_of_numbers_is_never_repeated(way):
    for f in (lambda x: x * 2, lambda x: x + x, lambda x: 2 * x, lambda x: mg.sum(mg.stack(x * 2))):
        with pytest.raises(TypeError, match=r"list.* np\.array"):
            OF_A_LIST[way](f, [3.0])


def test_which_argument_is_a_whole_number_or_several():
    assert mg.grad(lambda a, b: a * b, [0, 1])(2.0, 3.0) == (3.0, 2.0)
    for argnums in (1.0, "0", [0.0]):
        with pytest.raises(TypeError, match="argnums is the number of an argument"):
            mg.grad(lambda a: a, argnums)(2.0)
