"""Compiled code means what was written: the same numbers, dtypes, infinities and nans, as machine code and in plain
Python.

Each case is built eagerly, compiled, and the two are compared, outputs and derivatives: in plain Python by
`make test`, as machine code by `make test ALL=1`.
"""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.core.rules import Rule
from minigrad.native.compiled import PURE_PYTHON
from minigrad.ops import conv, pool
from minigrad.training import optim

pytestmark = pytest.mark.turns
nan, inf = np.nan, np.inf


def agrees(build, *arrays, **options):
    """Outputs of `build`, and the derivatives of their sums by float inputs, eager and compiled."""
    all_agree([(build, *arrays)], **options)


def all_agree(cases, off=(), derivatives=True):
    """The same of several such builds and their arrays, in one program, which is compiled in less time than several."""
    leaves, outputs, digits = [], [], []
    with np.errstate(all="ignore"):
        for build, *arrays in cases:
            kinds = [mg.Variable if a.dtype.kind == "f" else mg.Constant for a in arrays]
            own = [kind(a, name=f"x{len(leaves) + k}") for k, (kind, a) in enumerate(zip(kinds, arrays, strict=True))]
            got = build(*own)
            values = list(got) if isinstance(got, tuple) else [got]
            if derivatives:
                variables = [leaf for leaf in own if isinstance(leaf, mg.Variable)]
                for y in [y for y in values if y.dtype.kind == "f"]:
                    values += mg.adjoints(y, variables, seed=np.ones(y.shape, y.dtype))
            leaves, outputs = leaves + own, outputs + values
            digits += [1e-12 if all(a.dtype != np.float32 for a in (y, *arrays)) else 1e-5 for y in values]
        results = mg.compile_graph(outputs, leaves, off=off)(*(array for _, *arrays in cases for array in arrays))
    results = results if len(outputs) > 1 else [results]
    for node, near, result in zip(outputs, digits, results, strict=True):
        result = np.asarray(result)
        expected = np.asarray(node.value)
        assert result.dtype == node.dtype or node.shape == (), f"{node}: {result.dtype}"
        np.testing.assert_allclose(result, expected, rtol=near, atol=near, err_msg=repr(node))
        if node.dtype.kind == "f":
            infinite = np.isinf(expected)
            np.testing.assert_array_equal(np.sign(result[infinite]), np.sign(expected[infinite]))


def normal(*shape, dtype=np.float64):
    return np.random.default_rng(list(shape)).normal(size=shape).astype(dtype)


# Dtypes ----------------------------------------------------------------------------------------------------------


def trains_the_same(make, optimizer, x, y, steps=3, loss=1e-5, weights=(1e-4, 1e-6)):
    """Steps of a model by an optimizer, both made anew, compiled and eagerly; how near losses and weights must be."""
    eager, compiled, other = make(), make(), optimizer()
    step = mg.compile(compiled, nn.cross_entropy, optimizer(), x, y)
    for _ in range(steps):
        eager.zero_grad()
        expected = nn.cross_entropy(eager(mg.Constant(x)), y)
        expected.backward()
        other.step(eager.parameters())
        np.testing.assert_allclose(step(x, y), expected.value, rtol=loss)
    for ours, theirs in zip(compiled.parameters(), eager.parameters(), strict=True):
        np.testing.assert_allclose(ours.value, theirs.value, rtol=weights[0], atol=weights[1])


# As machine code, which takes some seconds for each of them, no two kinds that are the same but for their size.
WHOLE = [np.bool_, np.int8, np.uint16, np.int64, np.uint64]
WHOLE += [np.uint8, np.int16, np.int32, np.uint32] if PURE_PYTHON else []


@pytest.mark.parametrize("dtype", WHOLE)
def test_integers_and_conditions_count_as_in_numpy(dtype):
    top = 1 if dtype == np.bool_ else np.iinfo(dtype).max
    a = np.array([[top, 3, 0], [top, top, 7]], dtype)
    b = np.array([[1, 2, 5], [top, 1, 3]], dtype)

    def built(a, b):
        result = [a + b, a * b, mg.maximum(a, b), mg.minimum(a, b), a > b, a <= b, mg.equal(a, b), mg.sum(a),
                 mg.sum(a, 0), mg.sum(a, axis=1), mg.mean(a), mg.max(a), mg.max(a, 1), mg.min(a, 0),
                 a / 2, a * 2, a + 2.5,
                 mg.where(a > b, a, b), mg.where(a, b, a), mg.clip(a, 1, 2), mg.relu(a), abs(a), mg.square(a),
                 mg.concatenate([a, b > a]), mg.stack([a, b]), a[:, ::-1], a.T.reshape(-1), mg.cast(a, np.float32),
                 mg.cast(b, bool), mg.exp(mg.cast(b > a, np.float32)), mg.sqrt(b), mg.sigmoid(b)]  # fmt: skip
        if dtype != np.bool_:
            result += [a - b, -a, mg.sign(a)]
        return tuple(result)

    agrees(built, a, b)


@pytest.mark.parametrize("dtype", [np.int8, np.int64] + ([np.int16, np.int32] if PURE_PYTHON else []))
def test_signed_integers_divide_as_in_numpy(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    a = np.array([-7, 7, 7, -7, 6, -6, 0, 5, least, least, most, least], dtype)
    b = np.array([3, -3, 3, -3, 3, 3, -2, 0, -1, 1, -1, least], dtype)

    def whole(a, b):
        return (np.fmod(a, b), a // b, a % b, np.fmod(a, 4), a // 4, a // -1, np.fmod(a, -3), *divmod(a, b))

    all_agree([(whole, a, b), (lambda a, b: (a**b, a**2, a**3, 2**b), a[:7], abs(b[:7]))])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.fmod(mg.Constant(a), mg.Constant(b)).value, np.fmod(a, b))


def test_a_negative_power_of_integers_is_refused():
    a, b = np.array([2, 3]), mg.Constant(np.array([1, 2]))
    program = mg.compile_graph(mg.Constant(a) ** b, [b])
    np.testing.assert_array_equal(program(np.array([3, 0])), [8, 1])
    for _ in range(2):
        with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
            program(np.array([1, -1]))
    np.testing.assert_array_equal(program(np.array([2, 1])), [4, 3])


def test_numbers_of_python_take_the_dtype():
    a = np.array([1.5, -2.5], np.float32)
    small = np.array([100, -3], np.int8)
    agrees(lambda x, k: (2 * x, 2.5 * x + 1, x**3, 1 / x, 2 * k, k * 2.5, k + 1, 2.0**x, k > 2, x > 0.5), a, small)
    assert (2 * mg.Constant(small)).dtype == np.int8
    with pytest.raises(OverflowError, match="300 does not fit into int8"):
        mg.Constant(small) * 300


@pytest.mark.parametrize("outer", ["everything", "states", 2] if PURE_PYTHON else ["everything"])
def test_nested_loops_have_all_their_derivatives(outer):
    def step(g, k):
        g = mg.sin(g * k)
        return g, g * k

    def cell(inner, ks, h, x):
        g, ys = mg.scan(step, ks, h + x, inner)
        return g, mg.sum(ys) * g

    def loops(xs, ks, inner="states"):
        last, ys = mg.scan(lambda h, x: cell(inner, ks, h, x), xs, mg.Constant(np.ones(2, xs.dtype)), outer)
        return mg.sum(last * last) + mg.sum(mg.cos(ys))

    def twice(xs, ks, inner):
        y = loops(xs, ks, inner)
        (slope,) = mg.adjoints(y, [ks])
        moved = mg.tangents([y, slope], [ks], [np.array([1.0, -2.0, 0.5])])
        return (y, slope, *moved, *mg.adjoints(mg.sum(slope * ks), [ks]))

    agrees(loops, normal(3, 2), normal(3))
    agrees(loops, normal(3, 2, dtype=np.float32), normal(3, dtype=np.float32), derivatives=False)
    if PURE_PYTHON:  # its machine code takes a minute
        for inner in ("everything", "states", 2):
            agrees(lambda xs, ks, inner=inner: twice(xs, ks, inner), normal(3, 2), normal(3), derivatives=False)


def test_the_sum_of_one_number_overflows_like_numpys():
    def sums(x, dtype):
        many = mg.broadcast_to(mg.Constant(dtype(2**62 + 3)), (7,))
        return mg.sum(many) + 0 * mg.cast(mg.sum(x), dtype), mg.sum(many)

    all_agree([(lambda x, dtype=dtype: sums(x, dtype), normal(2)) for dtype in (np.int64, np.uint64)])


def test_pythons_integers_are_exact_beyond_float64():
    large = 2**53 + 1, -(2**62) - 1, 2**63 - 1

    def compared(x, n):
        with_numbers = (mg.equal(x, n), x > n - 1, x - n, x % n, x // n, mg.where(x > 1, n, x), mg.minimum(x, n))
        return *with_numbers, np.clip(x, -abs(n), n), np.pad(x, 1, constant_values=n), np.pad(x, 1, constant_values=-3)

    all_agree([(lambda x, n=n: compared(x, n), np.array([1, n, 7])) for n in large])
    for n in large:
        a = np.array([1, n, 7])
        numpys = (a == n, a > n - 1, a - n, a % n, a // n, np.where(a > 1, n, a), np.minimum(a, n))
        numpys += (np.clip(a, -abs(n), n), np.pad(a, 1, constant_values=n), np.pad(a, 1, constant_values=-3))
        for node, expected in zip(compared(mg.Constant(a), n), numpys, strict=True):
            np.testing.assert_array_equal(node.value, expected)
            assert node.dtype == expected.dtype


def test_sums_and_products_have_the_dtype():
    a, dtypes = np.array([[200, 100], [3, 7]], np.uint8), (np.uint8, np.int32, np.float32, bool)

    def sums(x):
        return tuple(f(x, axis=k, dtype=d) for d in dtypes for f, k in ((np.sum, None), (np.sum, 1), (np.prod, 0)))

    agrees(sums, a)
    for node, expected in zip(sums(mg.Constant(a)), sums(a), strict=True):
        np.testing.assert_array_equal(node.value, expected)
        assert node.dtype == expected.dtype


SINGLE, DOUBLE, WHOLE_NUMBERS = normal(3, 4, dtype=np.float32), normal(4, 2), np.arange(8).reshape(4, 2)
FLAGS, LABELS = np.arange(12).reshape(3, 4) % 3 == 0, np.array([0, 1, 2])
RULED_OUT, PIXELS = np.array([[1.0, 2, 3], [-inf, 0, 1e4], [5, 5, 5]]), np.arange(16).reshape(1, 1, 4, 4) % 3
PLUS, TIMES = Rule("a + b", "1", "1", name="plus"), Rule("a * b", "b", "a", name="times")
AT_INFINITY = [normal(3, 3), np.array([[-inf, 0, 1], [0, -inf, 1], [1, 2, 3]]), np.full((3, 3), -1e4), np.eye(3) * 1e5]
# Builds and their arrays; each row is one program.
CASES = {
    "products of mixed dtypes": [
        (lambda a, b: a @ b, SINGLE, DOUBLE), (lambda a, b: (a @ b, mg.tanh(a) / np.sqrt(8) @ b), SINGLE, DOUBLE),
        (lambda a, b: (a @ b, b.T @ b, (b @ b.T).T), SINGLE, WHOLE_NUMBERS),
        (lambda a, b: (a @ a.T, a @ b), FLAGS, WHOLE_NUMBERS.astype(np.int8) * 60),
        (lambda a, b: a @ b, normal(2, 3, 4, dtype=np.float32), normal(4, 2)),
        (lambda a, b: a @ b, np.arange(24, dtype=np.int16).reshape(2, 3, 4), WHOLE_NUMBERS),
        (lambda a, b: (a[0] @ b, a @ b[:, 0], a[0] @ b[:, 0]), SINGLE, DOUBLE),
    ],
    "products of nothing": [(lambda a, b: a @ b, np.zeros((2, 0), np.int64), np.zeros((0, 3), np.int64)),
                            (lambda a, b: a @ b, np.zeros((0, 2), bool), np.zeros((2, 3), bool))],
    "a masked mean": [(lambda e, m: mg.sum(e * m) / mg.sum(m), normal(6), np.arange(6) % 3 != 1)],
    "means of pictures of conditions and integers":
        [(lambda x: mg.avg_pool2d(x, 2), PIXELS.astype(dtype)) for dtype in (bool, np.uint8)],
    "rows of one's own between conditions":
        [(lambda a, b: (PLUS(a, b), TIMES(a, b), mg.equal(PLUS(a, b), b)), FLAGS, FLAGS[::-1])],
    "softmax and its kin": [
        (lambda a: (mg.softmax(a), mg.log_softmax(a), mg.logsumexp(a, 1)), RULED_OUT),
        (lambda a: (np.clip(a, 0, None), mg.where(a > 2, a, -np.inf), mg.where(a > 2, a, np.nan)), RULED_OUT),
        (lambda a: mg.softmax(mg.where(a > 1, a, -np.inf)), normal(4, 5, dtype=np.float32)),
    ],
    # -inf to the power 0.5: NumPy takes the root where one exponent is all there is, and nowhere else.
    "roots": [(lambda a: (a**0.5, a ** np.full(3, 0.5), np.sqrt(a)), np.array([-inf, 4.0, 0.25]))],
    "tanh where it rounds to 1": [(mg.tanh, np.array([9.1, 1e4, inf, -inf, -20, nan], np.float32))],
    "losses at infinity": [
        *((lambda z: nn.cross_entropy(z, LABELS), z.astype(dtype))
          for z in AT_INFINITY for dtype in (np.float64, np.float32)),
        (lambda z: mg.binary_cross_entropy_with_logits(z, np.array(1.0)), np.array(0.3)),
        (lambda z: mg.binary_cross_entropy_with_logits(z, np.array([1, 0, 1])), np.array([inf, 800.0, -800.0])),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_programs_compute_what_the_graph_does(name):
    all_agree(CASES[name])


def test_powers_of_several_exponents():
    agrees(lambda a, b: a**b, np.array([-inf, 4.0, 0.25]), np.array([0.5, 0.25, 0.5]), derivatives=False)


def test_half_precision_is_refused_in_a_sentence():
    x = mg.Constant(np.ones(3, np.float16), name="x")
    with pytest.raises(TypeError, match="compile works with float32, float64, integers and bool"):
        mg.compile_graph(x * 2.0, [x])


def test_parameters_of_two_dtypes_keep_theirs():
    class Two(nn.Module):
        def __init__(self):
            self.first, self.second = nn.Linear(3, 4, rng=0), nn.Linear(4, 2, rng=1, dtype=np.float64)

        def forward(self, x):
            return self.second(mg.tanh(self.first(x)))

    x, y = normal(6, 3), np.arange(6) % 2
    makes = (lambda: optim.Adam(0.1), lambda: optim.SGD(0.1), lambda: optim.SGD(0.1, 0.9))
    for make in makes if PURE_PYTHON else makes[:1]:
        trains_the_same(Two, make, x, y, steps=5, loss=1e-6, weights=(1e-5, 1e-5))


# Special values --------------------------------------------------------------------------------------------------


ALONE = ("simplify", "fuse"), ("dead", "reuse_buffers")
LEFT_OUT = [(np.float32, ()), (np.float64, ()), (np.float32, ALONE[0]), (np.float64, ALONE[1])]
LEFT_OUT += [(np.float64, ALONE[0]), (np.float32, ALONE[1])] if PURE_PYTHON else []


@pytest.mark.parametrize(("dtype", "off"), LEFT_OUT)
def test_no_pass_changes_what_is_infinite_or_nan(dtype, off):
    x = np.array([0.0, -0.0, 1, -1, inf, -inf, nan, 1e30, -1e30, 1000], dtype)
    zeros = np.zeros((2, 10), dtype)
    all_agree([
        (lambda a: (mg.log(a), mg.sqrt(a), mg.exp(a), 1 / a, a / a, 0 * a, a * 0, a - a, a + 0, 1 / (a + 0.0), a * 1,
                    1 / (a - 0.0), 1 / (a + -0.0), 1 / (0.0 * a + -0.0), a**2, a**0, a**-1, a**0.5), x),
        (lambda a: (mg.sum(a), mg.sum(a[::-1]), mg.max(a), mg.min(a), mg.relu(a), mg.maximum(a, 0.5),
                    mg.minimum(a, 1.0), mg.clip(a, -1.0, 1.0), mg.sigmoid(a), mg.softplus(a), mg.tanh(a), mg.sign(a),
                    abs(a), mg.greater(a, 0.0), mg.equal(a, a), mg.leaky_relu(a, 0.1), mg.gelu(a)), x),
        (lambda a: (zeros @ a, zeros[:, :1] @ a[None, :], mg.sum(zeros * a, 1)), x),
    ], off=off)  # fmt: skip


def test_no_derivative_by_the_exponent_at_base_zero():
    """As docs/limits.md says of x ** y at x = 0: nan, and never a wrong number."""
    x, y = mg.Variable(np.zeros(3)), mg.Variable(np.array([2.0, 3.0, 1.5]))
    by_x, by_y = mg.adjoints(mg.sum(x**y), [x, y])
    with np.errstate(all="ignore"):
        of_base, of_exponent = (mg.adjoints(mg.sum(slope), [x, y]) for slope in (by_x, by_y))
    assert by_x.value.tolist() == by_y.value.tolist() == [0, 0, 0]
    assert of_base[0].value.tolist() == [2, 0, inf]
    assert of_base[1].value.tolist() == [0, 0, 0]
    assert all(np.isnan(slope.value).all() for slope in of_exponent)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("first", [inf, -inf, nan, 3e38])
def test_sums_that_start_with_something_special(dtype, first):
    x = normal(4, 6, dtype=dtype)
    x[0, 0] = first
    agrees(lambda a: (mg.sum(a), mg.sum(a, 0), mg.sum(a, 1), a @ np.ones(6, dtype), np.ones(4, dtype) @ a,
                      mg.max(a, 0), mg.min(a, 1)), x)  # fmt: skip


@pytest.mark.parametrize("special", [inf, -inf, nan])
@pytest.mark.parametrize("place", ["x", "w", "b"])
@pytest.mark.parametrize(("size", "how"), [(3, {}), (2, {}), (3, {"stride": 2}), (2, {"padding": 1, "dilation": 2})])
def test_convolutions_with_something_special(special, place, size, how):
    x, w, b = normal(2, 2, 7, 7), normal(3, 2, size, size), normal(3)
    {"x": x, "w": w, "b": b}[place].reshape(-1)[1] = special
    agrees(lambda x, w, b: conv.conv2d(x, w, b, **how), x, w, b)
    # With several nan in a window eager finds nan at more pixels than the first; weights and biases get the same.
    agrees(lambda x, w, b: pool.max_pool2d(mg.relu(conv.conv2d(x, w, b, **how)), 2), x, w, b, derivatives=False)
    constant = x
    agrees(lambda w, b: pool.max_pool2d(mg.relu(conv.conv2d(constant, w, b, **how)), 2), w, b)


def test_an_infinite_bias_meets_an_infinite_pixel():
    x, w = normal(1, 1, 6, 6), np.abs(normal(2, 1, 3, 3))
    x[0, 0, 2, 2] = -inf
    for bias in ([inf, 1.0], [-inf, 1.0], [nan, 1.0]):
        agrees(lambda w, b: pool.max_pool2d(mg.relu(conv.conv2d(x, w, b)), 2), w, np.array(bias))


def test_a_rate_of_zero_shows_a_nan():
    """The slope of sqrt(0) is infinite, times 0 is nan: the loss is 0, and the gradient is nan."""

    def loss(z, y):
        return mg.sum(mg.sqrt(mg.relu(-mg.square(z))))

    x, y = normal(6, 4, dtype=np.float32), np.arange(6) % 3
    model = nn.Linear(4, 3, bias=False, rng=0)
    with np.errstate(all="ignore"):
        step = mg.compile(model, loss, optim.SGD(lambda step: 0.0), x, y)
    before = model.weight.value.copy()
    with pytest.raises(FloatingPointError, match=r"with a loss of 0: the gradient of weight is nan at entry \[0, 0\]"):
        step(x, y)
    np.testing.assert_array_equal(model.weight.value, before)


# Quiet -----------------------------------------------------------------------------------------------------------


def test_nothing_warns_or_raises(recwarn):
    x = mg.Variable(np.array([0.0, -1, 1000]))
    with np.errstate(all="ignore"):
        program = mg.compile_graph([mg.log(x), mg.sqrt(x), mg.exp(x), x / x, mg.sigmoid(-x)], [x])
    program(x.value)
    assert not recwarn.list


# Names -----------------------------------------------------------------------------------------------------------


def test_names_that_the_program_makes_are_nobody_elses():
    """A vector made of the matrix `copy` was called copy_2, like the second copy; a number in a loop x_i, like x_i."""
    agrees(lambda a, b: (a[0] @ b, a @ b[:, 0]), normal(3, 4, dtype=np.float32), normal(4, 2))
    x, other = mg.Variable(normal(3), name="sin_1"), mg.Variable(normal(3), name="sin_1_i")
    wave = mg.sin(x)
    program = mg.compile_graph([mg.sum(wave * wave * other), wave + other], [x, other])
    np.testing.assert_allclose(program(x.value, other.value)[1], np.sin(x.value) + other.value)


NAMES = {
    "a kernel's": ("argsort_1_kernel", "argsort_1", "a"),
    "a function's": ("program_part_1", "program_part_2", "program_part"),
    "raised numbers": ("x²", "x2", "²"),
    "letters that Python reads as others": ("\U0001d431", "x", "\ufb01"),
    "Greek": ("θ", "θ1", "φ"),
    "the mark of names": ("ǀaǀ", "a_", "ǀ"),
    "no letters at all": ("\n", "\ud800", ""),
}


@pytest.mark.parametrize("names", [*NAMES.values()] if PURE_PYTHON else [NAMES["a kernel's"], NAMES["Greek"]])
def test_variables_may_have_any_names(names):
    """Their names become Python names that are nobody else's, also in functions for what occurs more than once."""
    leaves = [mg.Variable(normal(3, 4) + k, name=name) for k, name in enumerate(names)]
    outputs = [np.sort(leaves[0])]
    for x in leaves:
        h = mg.tanh(x * leaves[0])
        outputs += [mg.sum(mg.exp(h - mg.max(h, 0)), 1), h @ mg.transpose(h)]
    program = mg.compile_graph(outputs, leaves)
    assert "program_part_" in program.source
    for result, node in zip(program(*(leaf.value for leaf in leaves)), outputs, strict=True):
        np.testing.assert_allclose(result, node.value, rtol=1e-12)


ODD = ["two\nlines", "a\n    v_1 = 1\n    x0[0] = 100.0 #", "a\rb", "a\x00b", "\ud800", "a\\\n", '"""']


def test_no_name_of_a_block_becomes_code():
    def build(x, name):
        with mg.block("a", kind=name), mg.block(name):
            return mg.tanh(x * 2)

    all_agree([(lambda x, name=name: build(x, name), normal(3)) for name in ODD])


def test_a_custom_row_may_have_any_name():
    names = ["my row", "two\nlines", "x²", "lambda", "../row", ""]
    all_agree([(Rule("exp(a) * 2 + max(a, 0)", "exp(a)", name=name), normal(3)) for name in names])


def test_shards_without_fusion_have_arrays_of_their_own():
    x, y = normal(6, 3, dtype=np.float32), np.arange(6) % 2
    losses = []
    for off in ((), ("fuse",)):
        model = nn.Sequential(nn.Linear(3, 4, rng=0), nn.Tanh(), nn.Linear(4, 2, rng=1))
        step = mg.compile(model, nn.cross_entropy, optim.SGD(0.1), x, y, shards=2, off=off)
        losses.append([step(x, y) for _ in range(3)])
    np.testing.assert_allclose(*losses, rtol=1e-6)


class Own(optim.Optimizer):
    """An optimizer by a rule: the new value from the value, its gradient and the rate."""

    def __init__(self, rule):
        super().__init__(0.1)
        self.rule = rule

    def equations(self, value, grad, rates, kept):
        return self.rule(value, grad, rates[0]), {}


def linear():
    return nn.Linear(3, 3, bias=False, rng=0)


@pytest.mark.parametrize("turned", [mg.transpose, lambda a: a[::-1]])
def test_an_update_may_be_turned(turned):
    """The multiplication that finds the derivative changed the weights as they lay."""
    x, y = normal(6, 3, dtype=np.float32), np.arange(6) % 3
    trains_the_same(linear, lambda: Own(lambda value, grad, rate: value - turned(rate * grad)), x, y)
    trains_the_same(linear, lambda: Own(lambda value, grad, rate: turned(value - rate * grad)), x, y)


def test_an_update_may_start_from_one_row():
    """The others were computed from it when it had its new value."""
    x, y = normal(6, 3, dtype=np.float32), np.arange(6) % 3
    trains_the_same(linear, lambda: Own(lambda value, grad, rate: value[:1] - rate * grad), x, y)
    trains_the_same(linear, lambda: Own(lambda value, grad, rate: value[:, :1] - rate * grad), x, y)


class Backwards(nn.Module):
    """The adjoint of the hidden row meets the weights as it is, and their derivative takes it the other way round."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.first, self.second = mg.Variable(rng.normal(size=(3, 3))), mg.Variable(rng.normal(size=(4, 3)))

    def forward(self, x):
        hidden = mg.tanh(x @ self.first) @ mg.transpose(mg.stop_gradient(self.second))
        return hidden + (x @ mg.transpose(self.second))[:, ::-1]


def test_one_walk_takes_a_row_twice_or_never():
    trains_the_same(Backwards, lambda: Own(lambda value, grad, rate: value - rate * grad), normal(1, 3), np.array([1]))
