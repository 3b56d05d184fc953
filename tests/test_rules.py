"""The derivative table: each row has one value and one derivative for each input, right to the last digits.

The campaign (tests/campaign) looks at every row on every shape; here each row is looked at as what it is, a function of
numbers: its value, its dtypes, its third derivative, and its corners.
"""

import math

import numpy as np
import pytest

import minigrad as mg
from minigrad.core import rules
from minigrad_course.check import EXACT, check_gradients

TABLE = rules.TABLE
CONSTANT = {"greater", "greater_equal", "less", "less_equal", "equal", "not_equal"}  # their values are True and False
STEPS = {"sign", "step", "inside", "preference", "floor", "ceil", "trunc", "rint", "floor_divide"}
STOPPED = CONSTANT | STEPS | {"stop_gradient"}  # nothing flows through them
WITH_DERIVATIVE = [name for name in TABLE if name not in STOPPED]

# Points (a, b, c) where every row is defined and smooth.
POINTS = [(0.3, 0.7, 1.1), (0.9, 0.4, 0.6), (0.55, 1.8, 2.4), (0.8, 0.1, 0.9)]
BETWEEN_STEPS = [(2.3, 1.5), (-0.7, 1.1), (3.6, 1.3), (0.8, 1.4)]  # where a / b is far from whole


def at(name):
    """The points as arrays, one for each input of the row."""
    points = BETWEEN_STEPS if name in ("remainder", "fmod") else POINTS
    return [np.array(column) for column in zip(*points, strict=True)][: len(TABLE[name].inputs)]


@pytest.mark.parametrize("name", WITH_DERIVATIVE)
def test_the_third_derivative_of_a_row(name):
    report = check_gradients(lambda *xs: mg.sum(TABLE[name](*xs)), *at(name), order=3, entries=2, directions=1)
    assert report.forward_against_reverse <= EXACT


@pytest.mark.parametrize("name", TABLE)
def test_float32_stays_float32(name):
    """For plain arrays, dual numbers and nodes; numbers of Python change nothing."""
    arrays = [x.astype(np.float32) for x in at(name)]
    results = [TABLE[name](*arrays), TABLE[name](*map(mg.Variable, arrays)), TABLE[name](*map(mg.Dual, arrays))]
    if len(arrays) > 1 and name != "where":
        numbers = [0.4, 0.9][: len(arrays) - 1]
        results += [TABLE[name](arrays[0], *numbers), TABLE[name](mg.Variable(arrays[0]), *numbers)]
        results += [TABLE[name](mg.Dual(arrays[0], 1.0), *numbers)]
    wanted = np.dtype(bool if name in CONSTANT else np.float32)
    assert {result.dtype for result in results} == {wanted}


@pytest.mark.parametrize("name", TABLE)
def test_all_ways_to_evaluate_a_row_agree(name):
    """Numbers one by one, an array, the array behind a node, and a given array that is filled."""
    arrays = at(name)
    values = TABLE[name](*arrays)
    one_by_one = [TABLE[name](*(float(x[k]) for x in arrays)) for k in range(4)]
    np.testing.assert_allclose(one_by_one, values, rtol=1e-15)
    np.testing.assert_array_equal(TABLE[name](*map(mg.Variable, arrays)).value, values)
    out = np.empty(4, values.dtype)
    filled = TABLE[name].value(*arrays, out=out)
    np.testing.assert_array_equal(out, values)
    assert filled is None or filled is out


@pytest.mark.parametrize("name", sorted(STOPPED - {"stop_gradient"}))
def test_nothing_flows_through_what_is_constant_almost_everywhere(name):
    arrays = at(name)
    result = mg.grad(lambda *xs: mg.sum(xs[0] * TABLE[name](*xs)), tuple(range(len(arrays))))(*arrays)
    np.testing.assert_array_equal(result[0], TABLE[name](*arrays).astype(float))
    assert all(not g.any() for g in result[1:])


# The table agrees with what is known by other means ---------------------------------------------------------------


KNOWN = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b, "neg": lambda a: -a, "square": lambda a: a * a, "sqrt": math.sqrt, "exp": math.exp,
    "log": math.log, "expm1": math.expm1, "log1p": math.log1p, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan, "sinh": math.sinh, "cosh": math.cosh,
    "tanh": math.tanh, "sigmoid": lambda a: 1 / (1 + math.exp(-a)), "softplus": lambda a: math.log(1 + math.exp(a)),
    "logsigmoid": lambda a: -math.log(1 + math.exp(-a)), "relu": lambda a: max(a, 0.0),
    "leaky_relu": lambda a, b: a if a > 0 else b * a, "gelu": lambda a: a * 0.5 * math.erfc(-a / math.sqrt(2)),
    "abs": abs, "maximum": max, "minimum": min, "clip": lambda a, b, c: min(max(a, b), c),
    "where": lambda a, b, c: b if a else c, "scaled_power": lambda a, b, c: a * b**c,
    "xlogy": lambda a, b: a * math.log(b), "normal_pdf": lambda a: math.exp(-a * a / 2) / math.sqrt(2 * math.pi),
    "normal_cdf": lambda a: 0.5 * (1 + math.erf(a / math.sqrt(2))), "safe_div": lambda a, b: a / b if b else 0.0,
    "root": math.sqrt, "step": lambda a: float(a > 0), "inside": lambda a, b, c: float(b <= a <= c),
    "preference": lambda a, b: 0.5 if a == b else float(a > b), "sign": lambda a: math.copysign(1.0, a) if a else 0.0,
    "greater": lambda a, b: a > b, "greater_equal": lambda a, b: a >= b, "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b, "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
    "stop_gradient": lambda a: a, "identity": lambda a: a, "log2": math.log2, "log10": math.log10,
    "exp2": lambda a: 2.0**a, "cbrt": lambda a: math.copysign(abs(a) ** (1 / 3), a), "arctan2": math.atan2,
    "hypot": math.hypot, "arcsinh": math.asinh, "arctanh": math.atanh, "remainder": lambda a, b: a % b,
    "logaddexp": lambda a, b: math.log(math.exp(a) + math.exp(b)), "fmod": math.fmod, "copysign": math.copysign,
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round, "floor_divide": lambda a, b: a // b,
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_the_value_of_a_row_is_what_python(name):
    """Also for negative numbers and for 0, where the function is defined there."""
    assert name in KNOWN, f"a new row: write into KNOWN what Python says {name} is"
    for point in [*POINTS, (-0.4, 0.6, 0.9), (0.0, 0.5, 1.5), (-0.9, 1.2, 2.0), (0.5, 0.5, 0.5), (2.5, -1.5, 1.0)]:
        inputs = point[: len(TABLE[name].inputs)]
        try:
            expected = KNOWN[name](*inputs)
        except (ValueError, ZeroDivisionError):
            continue  # not defined there
        if isinstance(expected, complex):
            continue
        assert TABLE[name](*map(float, inputs)) == pytest.approx(expected, rel=1e-14, abs=1e-15)


def test_a_formula_of_its_own_is_needed():
    """Far out, the plain formula overflows or loses all digits. The table's does not."""
    assert mg.sigmoid(-1000.0) == 0.0
    assert mg.softplus(1000.0) == 1000.0
    assert mg.logsigmoid(-1000.0) == -1000.0
    assert mg.expm1(1e-20) == 1e-20
    assert mg.log1p(1e-20) == 1e-20
    assert mg.gelu(-40.0) == pytest.approx(0.0, abs=1e-300)
    assert mg.grad(mg.softplus)(-1000.0) == 0.0
    assert mg.grad(mg.logsigmoid)(-1000.0) == 1.0


# Rows of one input in mpmath. tanh and sigmoid have their slopes from the value, exact to a rounding of 1.
FAR = 1e-8, 1e-3, 0.1, 0.5, 0.9, 1.5, 3.0, 8.0, 15.0, 25.0, 36.0, 40.0, 100.0, 300.0, 700.0
IN_MPMATH = {
    "sqrt": "sqrt(x)", "exp": "exp(x)", "log": "log(x)", "expm1": "expm1(x)", "log1p": "log1p(x)", "sin": "sin(x)",
    "cos": "cos(x)", "tan": "tan(x)", "log2": "log(x) / log(2)", "log10": "log10(x)", "exp2": "mpf(2) ** x",
    "cbrt": "sign(x) * cbrt(fabs(x))", "arcsin": "asin(x)", "arccos": "acos(x)", "arctan": "atan(x)", "sinh": "sinh(x)",
    "cosh": "cosh(x)", "tanh": "tanh(x)", "arcsinh": "asinh(x)", "arctanh": "atanh(x)", "square": "x * x",
    "sigmoid": "1 / (1 + exp(-x))", "softplus": "log1p(exp(x))", "logsigmoid": "-log1p(exp(-x))", "gelu": "x * ncdf(x)",
    "arccosh": "acosh(x)", "normal_pdf": "npdf(x)", "normal_cdf": "ncdf(x)", "root": "sqrt(x)", "div": "1 / x",
}  # fmt: skip


@pytest.mark.parametrize("name", IN_MPMATH)
def test_first_and_second_derivatives_are_exact_far_out(name):
    mp = pytest.importorskip("mpmath")
    f, compiled = eval(f"lambda x: {IN_MPMATH[name]}", vars(mp)), {"div": lambda x: 1 / x}.get(name)
    f_own = compiled or TABLE.get(name) or getattr(mg, name)
    slope = mg.grad(f_own)
    for x in (sign * size for size in FAR for sign in (1, -1)):
        with mp.workdps(400), np.errstate(all="ignore"):
            if isinstance(f(mp.mpf(x)), mp.mpc):
                continue  # not a real number
            for order, derivative in ((1, slope), (2, mg.grad(slope))):
                exact = mp.diff(f, mp.mpf(x), order, h=mp.mpf(10) ** -150)
                room = 1e-9 * abs(exact) + (1e-15 if name in ("tanh", "sigmoid") else 1e-300)
                assert abs(derivative(x) - exact) <= room, (x, order)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
def test_slopes_of_two_sides_at_any_size(size):
    """An angle's are as much smaller, those of a length the same; squares would be infinite, or 0."""
    angle, length = (np.array(mg.grad(TABLE[name], (0, 1))(3 * size, 4 * size)) for name in ("arctan2", "hypot"))
    np.testing.assert_allclose(angle * size, [0.16, -0.12], rtol=1e-12)
    np.testing.assert_allclose(length, [0.6, 0.8], rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("row", [TABLE["remainder"], TABLE["fmod"]], ids=lambda row: row.name)
def test_the_slope_of_a_remainder_is_the_multiple(row, dtype):
    """Also where a / b rounds to a whole number and that multiple is one less; in every mode."""
    tenths, rng = np.arange(-300, 300) / 10, np.random.default_rng(0)
    for a, b in ((tenths, 0.1), (tenths, -0.1), (tenths, 0.7), (rng.normal(size=600) * 1e4, rng.normal(size=600))):
        a, b = np.asarray(a, dtype), mg.Variable(np.broadcast_to(np.asarray(b, dtype), 600))
        remainder = row(mg.Constant(a), b)
        slope = mg.adjoints(mg.sum(remainder), [b])[0]
        taken = np.rint((a.astype(float) - remainder.value) / b.value.astype(float))
        np.testing.assert_array_equal(slope.value, -taken)
        np.testing.assert_array_equal(mg.compile_graph(slope, [b])(b.value), -taken)
        np.testing.assert_array_equal(mg.jvp(lambda b, a=a: row(a, b), b.value, np.ones(600, dtype))[1], -taken)


# The special values that are written into the formulas; all of them are in docs/special_values.md --------------------


def slopes(f, *at):
    """The derivatives by all inputs, by reverse mode; forward mode must agree."""
    reverse = mg.grad(f, tuple(range(len(at))))(*at)
    units = np.eye(len(at))
    forward = tuple(mg.jvp(f, at, tuple(unit))[1] for unit in units)
    assert reverse == forward
    return reverse


def forward(f):
    return lambda x: mg.derivative(f, x)


@pytest.mark.parametrize("modes", [(mg.grad,) * 6, (forward,) * 6, (mg.grad, forward) * 3], ids=["r", "f", "rf"])
@pytest.mark.parametrize("power", [0, 1, 2, 3, 5, 0.0, 1.0, 2.0, 3.0, 5.0, np.float32(3), np.array(3)])
@pytest.mark.parametrize("x", [0.0, -2.0, 1.5])
def test_six_derivatives_of_a_power(modes, power, x):
    """Each brings a factor down. Once that factor is 0 it stays 0, whatever the power of x is by then."""
    slope, factor = (lambda x: mg.pow(x, power)), 1
    for k, mode in enumerate(modes):
        slope = mode(slope)
        factor *= int(power) - k
        assert slope(x) == pytest.approx(factor * x ** (int(power) - k - 1) if factor else 0.0, rel=1e-14, abs=0)


@pytest.mark.parametrize("powers", [np.arange(4.0), np.arange(4)])
def test_second_derivatives_of_several_powers_at_zero(powers):
    hessian = mg.hessian(lambda x: mg.sum(x**powers))(np.zeros(4))
    np.testing.assert_array_equal(hessian, np.diag([0.0, 0.0, 2.0, 0.0]))
    x = mg.Variable(np.zeros(4))
    second = mg.adjoints(mg.sum(mg.adjoints(mg.sum(x**powers), [x])[0]), [x])[0]
    np.testing.assert_array_equal(second.value, [0.0, 0.0, 2.0, 0.0])
    np.testing.assert_array_equal(mg.compile_graph(second)(np.zeros(4)), [0.0, 0.0, 2.0, 0.0])


def test_derivatives_of_a_power_by_its_exponent():
    """d/db a^b = a^b ln a, at the base 0 as well where the exponent is positive; and the mixed ones."""
    assert slopes(mg.pow, 0.0, 2.0) == (0.0, 0.0)
    assert mg.grad(lambda b: mg.grad(mg.pow)(0.0, b))(3.0) == 0.0
    (aa, ab), (ba, bb) = mg.hessian(lambda p: p[0] ** p[1])(np.array([1.5, 3.0]))
    log = math.log(1.5)
    assert (aa, bb) == pytest.approx((6 * 1.5, 1.5**3 * log**2))
    assert (ab, ba) == pytest.approx((1.5**2 * (1 + 3 * log),) * 2)


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 3.0])
def test_a_powers_slope_in_a_compiled_program(power):
    """The passes write a slope with a known exponent as a product, or as its factor."""
    x = mg.Variable(np.array([0.0, -2.0, 1.5]), name="x")
    outputs = [mg.sum(x**power)]
    for _ in range(3):
        outputs.append(mg.sum(mg.adjoints(outputs[-1], [x])[0]))
    np.testing.assert_allclose(mg.compile_graph(outputs)(x.value), [y.value for y in outputs], rtol=1e-14)


def test_clip_with_reversed_limits_is_the_upper_limit():
    """As np.clip has it. So the upper limit alone has a slope."""
    for x in (-3.0, 0.0, 0.5, 3.0):
        assert mg.clip(x, 1.0, -1.0) == np.clip(x, 1.0, -1.0) == -1.0
        assert slopes(mg.clip, x, 1.0, -1.0) == (0.0, 0.0, 1.0)
    for low, high in ((-1.0, 1.0), (1.0, -1.0)):
        for x in (-3.0, 0.5, 3.0):
            check_gradients(mg.clip, x, low, high)
            assert slopes(lambda x, low, high: mg.minimum(mg.maximum(x, low), high), x, low, high) == slopes(
                mg.clip, x, low, high
            )


def test_powers_of_negative_numbers():
    """By the base they are fine. By the exponent there is no real derivative."""
    assert slopes(lambda x: x**3, -2.0) == (12.0,)
    assert slopes(lambda x: x**-1, -2.0) == (-0.25,)
    with np.errstate(invalid="ignore"):
        assert math.isnan(mg.grad(lambda b: mg.pow(-2.0, b))(3.0))


def test_a_branch_not_taken_must_be_finite():
    """`where` sends 0 back to the side that it did not choose. An infinite slope there makes 0 x inf = nan of it; so
    the input is to be made safe first, as in every system."""
    with np.errstate(all="ignore"):
        assert math.isnan(mg.grad(lambda x: mg.where(x > 0, mg.sqrt(x), 0.0))(0.0))

    def safe(x):
        return mg.where(x > 0, mg.sqrt(mg.where(x > 0, x, 1.0)), 0.0)

    assert mg.grad(safe)(0.0) == 0.0
    assert mg.grad(safe)(4.0) == 0.25


# The texts --------------------------------------------------------------------------------------------------------


def test_a_row_reads_as_a_formula():
    assert rules.mul.text("x", "y") == "x * y"
    assert rules.div.text("u", "1 + v") == "u / (1 + v)"
    assert rules.sigmoid.text("-x") == "1 / (1 + exp(--x))"
    assert rules.clip.text("x", "0", "1") == "min(max(x, 0), 1)"


@pytest.mark.parametrize("name", TABLE)
def test_a_row_has_a_partial_for_each_input(name):
    row = TABLE[name]
    names = ("u", "w", "z")[: len(row.inputs)]
    assert row.name == name
    assert len(row.partials) == len(row.inputs)
    assert all(letter in row.text(*names) for letter in names)
