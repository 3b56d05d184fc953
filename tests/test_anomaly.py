"""find_anomaly: the first node that made a nan or an infinity, with the line of the learner's code."""

import math

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.anomaly import find_anomaly


@pytest.fixture(autouse=True)
def quiet():
    """NumPy's own warnings are no news here."""
    with np.errstate(all="ignore"):
        yield


def test_the_first_bad_value_is_named_with_inputs():
    x = mg.Variable([1.0, 0.0, 2.0], name="x")
    y = mg.log(x)  # the culprit
    anomaly = find_anomaly(mg.sum(mg.exp(y) * mg.sqrt(y)))
    assert (anomaly.number, anomaly.entry, anomaly.node, anomaly.in_derivative) == (-math.inf, (1,), y, False)
    assert "`log(x)` gave -inf at entry [1], where x is 0.0." in str(anomaly)
    assert "# the culprit" in str(anomaly) or "y = mg.log(x)" in str(anomaly)
    assert "test_anomaly.py" in str(anomaly)


def test_a_leaf_that_holds_a_nan_is_named():
    x = mg.Variable([[1.0, math.nan]], name="data")
    anomaly = find_anomaly(mg.sum(mg.sin(x)))
    assert anomaly.node is x
    assert math.isnan(anomaly.number)
    assert str(anomaly).startswith("the Variable 'data' holds nan at entry [0, 1], before anything is computed.")


def test_a_bad_derivative_is_found():
    """The slope of a square root is infinite at 0. The value, 0, is healthy."""
    x = mg.Variable([4.0, 0.0], name="x")
    root = mg.sqrt(x)
    anomaly = find_anomaly(mg.sum(root * 3.0))
    assert (anomaly.number, anomaly.entry, anomaly.node, anomaly.in_derivative) == (math.inf, (1,), root, True)
    assert "the derivative of `sqrt(x)` by x gave inf at entry [1], where x is 0.0." in str(anomaly)


def test_the_bad_derivative_nearest_the_output_is_named():
    """There the reverse pass made its first mistake; the others inherit it."""
    x = mg.Variable(0.0, name="x")
    inner = mg.sqrt(x)
    outer = mg.sqrt(inner)
    assert find_anomaly(outer + 1).node is outer


def test_contributions_that_overflow_in_their_sum_are_named():
    x = mg.Variable(1e-300, name="x")
    anomaly = find_anomaly(x * 1e308 + x * 1e308)
    assert (anomaly.number, anomaly.node) == (math.inf, x)
    assert "the derivative by the Variable 'x' is inf: what its users add up to." in str(anomaly)


def test_looking_changes_nothing():
    x = mg.Variable([1.0, 0.0])
    loss = mg.sum(mg.sqrt(x) * x)
    find_anomaly(loss)
    assert x.grad.tolist() == [0.0, 0.0]
    assert loss.adjoint is None


def test_a_rerun_that_goes_wrong_is_found():
    x = mg.Variable(np.array([1.0, 2.0]), name="x")
    graph = mg.Graph(mg.sum(mg.log(x)))
    assert find_anomaly(graph) is None
    x.value = [1.0, -2.0]
    graph.forward()
    assert "`log(x)` gave nan at entry [1], where x is -2.0." in str(find_anomaly(graph))


def test_detect_anomaly_raises_on_the_operations_own_line():
    x = mg.Variable([1.0, 0.0])
    with pytest.raises(FloatingPointError, match=r"log.*-inf at entry \[1\].*mg\.log\(x\)"), mg.detect_anomaly():
        mg.log(x)
    mg.log(mg.Variable(0.0) + 1.0)  # outside of it, nobody looks
    with mg.detect_anomaly():
        f = mg.sqrt(mg.Variable(0.0))
        with pytest.raises(FloatingPointError, match="gave inf"):
            f.backward()


# ---------------------------------------------------------------- an infinity that is meant


def attention(**options):
    layer = mg.nn.MultiheadAttention(4, 2, batch_first=True, rng=0)
    output, weights = layer(mg.Variable(np.ones((1, 3, 4), np.float32)), **options)
    return mg.sum(output) + mg.sum(weights * weights)


BELOW = np.triu(np.full((3, 3), -np.inf, np.float32), 1)
MASKED = {
    "causal": lambda: attention(is_causal=True),
    "conditions": lambda: attention(attn_mask=BELOW < 0),
    "numbers": lambda: attention(attn_mask=BELOW),
    "padding": lambda: attention(key_padding_mask=np.array([[False, False, True]])),
    "all of them": lambda: attention(attn_mask=BELOW, is_causal=True, key_padding_mask=np.array([[False, True, True]])),
    "one's own": lambda: mg.sum(mg.softmax(mg.where(BELOW < 0, -np.inf, mg.Variable(np.ones((3, 3))))) ** 2),
    "a float mask": lambda: mg.sum(mg.softmax(mg.Constant(BELOW) + mg.Variable(np.ones((3, 3)))) ** 2),
    "nearest": lambda: mg.sum(mg.minimum(mg.where(BELOW < 0, np.inf, mg.Variable(np.ones((3, 3)))), 2.0)),
    "moved": lambda: mg.sum(mg.exp(mg.where(BELOW < 0, -np.inf, mg.Variable(np.ones((3, 3)))).T.reshape(9)[1:])),
    "a block": lambda: mg.sum(
        mg.nn.TransformerBlock(4, 2, batch_first=True, rng=0)(mg.Variable(np.ones((1, 3, 4), np.float32)), BELOW < 0)
    ),
}


@pytest.mark.parametrize("kind", MASKED)
def test_an_infinity_written_down_is_no_anomaly(kind):
    assert find_anomaly(MASKED[kind]()) is None
    with mg.detect_anomaly():
        MASKED[kind]().backward()


def test_beside_a_mask_the_true_culprit_is_named():
    x = mg.Variable(np.array([[0.0, 1.0, 2.0]] * 3), name="x")
    scores = mg.where(BELOW < 0, -np.inf, mg.log(x))
    assert "`log(x)` gave -inf at entry [0, 0]" in str(find_anomaly(mg.sum(mg.softmax(scores))))
    everything = mg.where(np.ones((1, 3), bool), -np.inf, x)
    assert "max" in str(find_anomaly(mg.sum(mg.softmax(everything)))), "no weights are left"
    assert find_anomaly(mg.sum(mg.where(BELOW < 0, -np.inf, x))).number == -math.inf
    assert find_anomaly(mg.where(True, -np.inf, mg.Variable(1.0))).number == -math.inf
    assert find_anomaly(mg.sum(mg.Constant([1.0, np.inf], name="data") * mg.Variable(1.0))).node.name == "data"
