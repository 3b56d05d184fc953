"""Nodes and graphs that are pickled or copied: the same numbers, and they run again, before and after backward()."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.core import pickles
from minigrad.core.rules import rule

softsign = rule("a / (1 + abs(a))", "1 / square(1 + abs(a))", name="softsign")  # a row of one's own
TWO, IMAGE, WORDS = np.array([0.5, 2.0]), np.ones((1, 1, 6, 6), np.float32), np.ones((2, 4, 4), np.float32)
POLICIES = ["everything", "states", 2, "sqrt"]


def leaf(a=TWO):
    return mg.Variable(a)


LOSSES = {
    "power": lambda: mg.sum(leaf() ** 2 * leaf() ** 0.5),
    "functions": lambda: mg.sum(mg.tanh(leaf()) + mg.maximum(leaf(), 1.0) + mg.sigmoid(leaf()) / leaf()),
    "choices": lambda: mg.sum(mg.clip(mg.where(leaf() > 1, leaf(), 0.0), 0.0, 1.0)),
    "a row of one's own": lambda: mg.sum(softsign(leaf())),
    "views": lambda: mg.sum(mg.reshape(leaf(np.ones((2, 3))), (3, 2)).T[1:, ::-1] * np.arange(3.0)),
    "keys": lambda: mg.sum(leaf()[[1, 0, 1]] * leaf()[np.array(1)]),
    "functions of NumPy's": lambda: mg.sum(np.sort(leaf()) + np.cumsum(leaf())) + np.linalg.inv(leaf(np.eye(2)))[0, 0],
    "cross-entropy": lambda: nn.cross_entropy(leaf(np.zeros((2, 3))), np.array([0, 1])),
    "binary cross-entropy": lambda: mg.binary_cross_entropy_with_logits(leaf(), np.array([0.0, 1.0])),
    "dense": lambda: nn.cross_entropy(nn.Linear(4, 3, rng=0)(WORDS[0]), np.array([0, 1, 2, 0])),
    "convolution": lambda: mg.sum(nn.MaxPool2d(2)(nn.Conv2d(1, 2, 3, rng=0)(IMAGE))),
    "attention": lambda: mg.sum(nn.TransformerBlock(4, 2, rng=0)(WORDS) ** 2),
    "recurrent": lambda: mg.sum(nn.LSTM(4, 2, rng=0)(WORDS)[0]),
}
LOSSES |= {f"scan, {p}": lambda p=p: mg.sum(mg.scan(lambda s, x: (s * x, s.T), TWO, leaf(), p)[1]) for p in POLICIES}
WAYS = {"pickle": lambda x: pickle.loads(pickle.dumps(x)), "deepcopy": copy.deepcopy}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", LOSSES)
def test_a_pickled_or_copied_loss_is_the_same(name, way):
    for backward in (False, True):
        loss = LOSSES[name]()
        if backward:
            loss.backward()
        again = WAYS[way](loss)
        assert again.value == loss.value
        assert again.adjoint == loss.adjoint
        graphs = mg.Graph(loss), mg.Graph(again)
        if backward:
            for ours, theirs in zip(*(graph.variables for graph in graphs), strict=True):
                np.testing.assert_array_equal(theirs.grad, ours.grad)
        for graph in (*graphs, WAYS[way](graphs[0])):
            for variable in graph.variables:
                variable.value = variable.value * 1.5
        assert graphs[1].forward() == graphs[0].forward() != 0
        for graph in graphs:
            graph.zero_grad()
            graph.backward()
        for ours, theirs in zip(*(graph.variables for graph in graphs), strict=True):
            np.testing.assert_array_equal(theirs.grad, ours.grad)
        for _ in range(2):  # a graph that has run already
            copied = WAYS[way](graphs[1])
            assert copied.forward() == graphs[1].forward()
            copied.zero_grad()
            copied.backward()
            np.testing.assert_array_equal(copied.variables[0].grad, graphs[1].variables[0].grad)


def test_a_copied_row_of_the_table_is_itself():
    for way in WAYS.values():
        assert way(mg.rules.tanh) is mg.rules.tanh
        assert way(softsign)(2.0) == softsign(2.0)


@pytest.mark.parametrize("way", WAYS)
def test_long_graphs_are_copied_without_recursion(way):
    model = nn.Linear(2, 1, rng=0)
    model.last = mg.sum(model(IMAGE[0, 0, :3, :2]))
    for _ in range(2_000):
        model.last = (model.last.T + 1e-5) * 1.00001
    again = WAYS[way](model)
    assert again.last.value == model.last.value
    assert again.weight in mg.Graph(again.last).variables
    states = [leaf(1.0)]
    for _ in range(3_000):
        states.append(mg.sin(states[-1]))
    graph = mg.Graph(states[-1])
    graph.backward()
    copied, *those = WAYS[way]((graph, *states))  # each node once, however many lead to it
    assert all(new is old for new, old in zip(those, mg.topological_order(copied.output), strict=True))
    copied.backward()
    assert copied.variables[0].grad == 2 * states[0].grad
    assert not pickles._copying.nodes
