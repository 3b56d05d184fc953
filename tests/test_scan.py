"""The loop as a node: equal to the loop written out, under every checkpoint policy, in both modes and twice."""

import tracemalloc

import numpy as np
import pytest

import minigrad as mg
from minigrad.loops.scan import Scan, scan

rng = np.random.default_rng(11)
STEPS, N, INPUT, HIDDEN = 13, 3, 2, 4
POLICIES = ["everything", "states", 1, 3, 4, 13, 20, "sqrt"]

XS = rng.standard_normal((STEPS, N, INPUT))
W = rng.standard_normal((INPUT, HIDDEN))
U = rng.standard_normal((HIDDEN, HIDDEN)) * 0.5
H0 = rng.standard_normal((N, HIDDEN))


def unrolled(cell, xs, state):
    ys = []
    for t in range(len(xs)):
        state, y = cell(state, xs[t])
        ys.append(y)
    return state, mg.stack(ys)


def loss(w, u, h0, xs, policy):
    def cell(h, x):
        h = mg.tanh(x @ w + h @ u)
        return h, h

    h, ys = unrolled(cell, xs, h0) if policy is None else scan(cell, xs, h0, policy)
    return mg.sum(mg.sin(ys)) + mg.sum(h * h)


@pytest.mark.parametrize("policy", POLICIES)
def test_value_and_gradients_equal_the_loop_written_out(policy):
    value, gradients = mg.value_and_grad(lambda *a: loss(*a, policy), (0, 1, 2, 3))(W, U, H0, XS)
    expected, wanted = mg.value_and_grad(lambda *a: loss(*a, None), (0, 1, 2, 3))(W, U, H0, XS)
    assert value == pytest.approx(expected, rel=1e-14)
    for result, reference in zip(gradients, wanted, strict=True):
        np.testing.assert_allclose(result, reference, rtol=1e-12, atol=1e-12)


def test_a_long_loop_is_a_handful_of_nodes():
    u = mg.Variable(U)
    graph = mg.Graph(mg.sum(scan(lambda h, x: (mg.tanh(x + h @ u), mg.sum(h)), rng.random((500, N, HIDDEN)), H0)[1]))
    assert len(graph.nodes) < 10
    assert sum(isinstance(node.op, Scan) for node in graph.nodes) == 1


def test_memory_falls_as_the_policy_keeps_less():
    steps, n, hidden = 200, 20, 32
    xs = rng.standard_normal((steps, n, 8)).astype(np.float32)
    w, u = (rng.standard_normal(shape).astype(np.float32) * 0.2 for shape in ((8, hidden), (hidden, hidden)))
    h0 = np.zeros((n, hidden), np.float32)
    kept, gradients = [], []
    for policy in ("everything", "states", "sqrt"):
        weights = mg.Variable(u)
        tracemalloc.start()
        output = mg.sum(scan(lambda h, x, u=weights: (h := mg.tanh(x @ w + h @ u), mg.sum(h)), xs, h0, policy)[1])
        graph = mg.Graph(output)
        graph.backward()
        arrays = tracemalloc.take_snapshot().filter_traces([tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)])
        tracemalloc.stop()
        kept.append(sum(trace.size for trace in arrays.traces))
        gradients.append(weights.grad.copy())
    assert kept[0] > 1.5 * kept[1] > 3 * kept[2]
    for result in gradients[1:]:
        np.testing.assert_allclose(result, gradients[0], rtol=1e-6, atol=1e-6 * abs(gradients[0]).max())


def test_state_and_xs_may_be_trees():
    def cell(state, x):
        new = {"a": mg.tanh(state["a"] * x[0]), "b": state["b"] + x[1]}
        return new, (new["a"] * new["b"], new["b"])

    xs, state = (rng.random((5, 2)), rng.random((5, 2))), {"a": rng.random(2), "b": np.zeros(2)}
    last, (products, sums) = scan(cell, xs, state)
    assert products.shape == sums.shape == (5, 2)
    np.testing.assert_allclose(last["b"], xs[1].sum(axis=0))
    np.testing.assert_allclose(sums[-1], last["b"])


def test_no_steps_leave_the_state_alone():
    last, ys = scan(lambda h, x: (h * x, h), np.zeros((0, 2)), np.ones(2))
    np.testing.assert_array_equal(last, np.ones(2))
    assert ys.shape == (0, 2)
    assert scan(lambda state, x: ((), ()), np.zeros(3), ()) == ((), ())


# What a loop leaves, each result in its own dtype


def of_several_dtypes(xs, state, policy="states"):
    def cell(state, x):
        h, count = state
        return (h * x + 1, count + 1), {"up": x > 1, "count": count, "single": mg.cast(h * x, np.float32), "h": h}

    return scan(cell, xs, state, policy)


@pytest.mark.parametrize("policy", ["everything", "states", 2])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_every_result_keeps_its_own_dtype(policy, kind):
    large = np.int64(2**53)  # from here on float64 leaves integers out
    xs = mg.Variable(np.array([0.5, 2.0, 3.0], kind), name="xs")
    (h, count), ys = of_several_dtypes(xs, (mg.Variable(kind(1)), large), policy)
    assert (h.dtype, count.dtype, count.value) == (kind, np.int64, 2**53 + 3)
    assert {name: y.dtype for name, y in ys.items()} == {"up": bool, "count": np.int64, "single": np.float32, "h": kind}
    np.testing.assert_array_equal(ys["up"].value, [False, True, True])
    np.testing.assert_array_equal(ys["count"].value, 2**53 + np.arange(3))
    np.testing.assert_array_equal(ys["single"].value, np.float32([0.5, 3, 12]))
    plain = of_several_dtypes(xs.value, (kind(1), large), policy)[1]
    assert {name: y.dtype for name, y in plain.items()} == {name: y.dtype for name, y in ys.items()}


@pytest.mark.parametrize(("policy", "kind"), [("states", np.float32), ("everything", np.float64)])
def test_results_of_several_dtypes_agree_in_every_mode(policy, kind):
    start = mg.Variable(kind(1), name="start")
    xs = mg.Variable(np.array([0.5, 2.0, 3.0], kind), name="xs")
    (h, count), ys = of_several_dtypes(xs, (start, np.int64(2)), policy)
    y = mg.sum(ys["single"] * ys["up"] + ys["h"] * ys["count"]) - h * count
    outputs = [y, ys["up"] + ys["up"], ys["count"] * count, *mg.adjoints(y, [xs, start])]
    outputs += mg.tangents(outputs[:1], [xs], [np.array([1.0, 2.0, 3.0], kind)])
    np.testing.assert_allclose(outputs[-1].value, outputs[3].value @ np.array([1.0, 2.0, 3.0]), rtol=1e-6)
    np.testing.assert_array_equal(outputs[1].value, [False, True, True])
    new = np.array([3.0, 0.25, 1.5], kind)
    program, graph = mg.compile_graph(outputs, [xs, start]), mg.Graph(*outputs)
    expected, _ = of_several_dtypes(new, (kind(2), np.int64(2)), policy)
    for result, output in zip(program(xs.value, start.value), outputs, strict=True):
        np.testing.assert_allclose(result, output.value, rtol=1e-5)
        assert output.shape == () or result.dtype == output.dtype
    xs.value, start.value = new, kind(2)
    graph.forward()
    assert h.value == pytest.approx(expected[0], rel=1e-6)
    for result, output in zip(program(new, kind(2)), outputs, strict=True):
        np.testing.assert_allclose(result, output.value, rtol=1e-5)


def test_the_derivative_goes_past_a_count():
    x = mg.Variable(np.array([1.0, 3.0, 2.0]))
    largest = mg.argmax(x)
    _, ys = scan(lambda s, v: ((s[0] * v + largest, s[1] + 1), s[0] * s[1]), x, (mg.Variable(1.0), np.int64(1)))
    expected = mg.grad(lambda x: 1 + 2 * (x[0] + 1) + 3 * ((x[0] + 1) * x[1] + 1))(x.value)
    np.testing.assert_allclose(mg.adjoints(mg.sum(ys), [x])[0].value, expected)
    (forwards,) = mg.tangents([mg.sum(ys)], [x], [np.array([1.0, 2.0, 3.0])])
    assert forwards.value == pytest.approx(expected @ [1, 2, 3])


@pytest.mark.parametrize("policy", ["everything", "states", 2])
def test_derivatives_by_a_constant_equal_the_loops(policy):
    x, c = mg.Variable(np.array([1.0, 2.0, 3.0])), mg.Constant(np.array(2.0))
    y, _ = scan(lambda h, v: (h * c + v * 0.5, h), x, mg.Variable(1.0), policy)
    assert mg.adjoints(y, [c])[0].value == pytest.approx(3 * 4 + 2 * 0.5 * 2 + 1)
    assert mg.tangents([y], [c], [1.0])[0].value == pytest.approx(3 * 4 + 2 * 0.5 * 2 + 1)
    data, number = mg.Constant(np.array([2.0, 3.0, 4.0])), mg.Constant(3.0)
    y, _ = scan(lambda h, v: (h * v * number, h), data, np.float64(1), policy)
    bars = [a.value for a in mg.adjoints(y, [data, number])]
    np.testing.assert_allclose(bars[0], 24 * 27 / data.value)
    assert bars[1] == pytest.approx(24 * 27)
    assert mg.tangents([y], [data], [np.array([1.0, 0, 0])])[0].value == pytest.approx(12 * 27)


# A loop in a loop


def test_a_recurrent_layer_in_a_loop_compiles():
    layer = mg.nn.RNN(2, 3, checkpoint="states", rng=0)
    weights = layer.parameters()
    x = mg.Variable(rng.standard_normal((4, 5, 1, 2)), name="x")
    last, _ = scan(lambda h, x: (h + mg.sum(layer(mg.cast(x, np.float32))[0]), h), x, np.float32(0), "everything")
    outputs = [last, *mg.adjoints(last, weights)]
    for result, node in zip(mg.compile_graph(outputs, [x])(x.value), outputs, strict=True):
        np.testing.assert_allclose(result, node.value, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: scan(lambda h, x: (h, x), [], 0.0), "loop over"),
        (lambda: scan(lambda h, x: (h, x), (np.ones(3), np.ones(4)), 0.0), "one number of steps"),
        (lambda: scan(lambda h, x: (h[:1], x), np.ones(3), np.ones(2)), r"shape \(2,\) and became float64 of shape"),
        (lambda: scan(lambda h, x: ((h, h), x), np.ones(3), np.ones(2)),
         "there should be a single number or array, and there is a tuple"),
        (lambda: scan(lambda h, x: (h, x), np.ones(3), 0.0, 0), "checkpoint is"),
        (lambda: scan(lambda h, x: h, np.ones(3), np.ones(2)), "returns a pair"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_a_sentence(call, words):
    with pytest.raises(TypeError if "pair" in words else ValueError, match=words):
        call()
