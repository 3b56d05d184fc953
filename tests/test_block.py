"""The part of a program that made a node: its layer, its step, forward or back."""

import numpy as np
import pytest

import minigrad as mg


def path(node):
    """The blocks of a node as text, such as `rnn / step 3`."""
    return repr(node.block) if node.block else ""


class Net(mg.nn.Module):
    def __init__(self):
        self.rnn = mg.nn.RNN(3, 2, rng=0)
        self.head = mg.nn.Linear(2, 4, rng=0)

    def forward(self, x):
        _, last = self.rnn(x)
        return self.head(last[0])


def test_a_node_belongs_to_its_blocks():
    x = mg.Variable(1.0)
    with mg.block("loop"):
        with mg.block("step", 3):
            y = mg.sin(x)
        z = y * 2
    assert [path(node) for node in (x, y, z, z + 1)] == ["", "loop / step 3", "loop", ""]


def test_layers_are_called_by_their_attributes():
    logits = Net()(np.ones((2, 1, 3), np.float32))
    result = {path(node) for node in mg.topological_order(logits)}
    assert result == {"", "Net", "Net / rnn", "Net / rnn / step 0", "Net / rnn / step 1", "Net / head"}
    assert {node.block.kind for node in mg.topological_order(logits) if path(node) == "Net / rnn"} == {"RNN"}


def test_a_loop_of_one_node_keeps_its_blocks():
    tanh = mg.nn.Tanh()
    h, _ = mg.scan(lambda h, x: (tanh(h + x), h), np.ones(3), mg.Variable(0.0))
    (loop,) = [node.op for node in mg.topological_order(h) if node.op and node.op.name == "scan"]
    assert "Tanh" in {path(node) for node in mg.topological_order(*loop.body.outputs)}


def test_the_way_back_has_the_same_blocks():
    net = Net()
    loss = mg.nn.cross_entropy(net(np.ones((2, 1, 3), np.float32)), np.array([1]))
    adjoints = mg.adjoints(loss, net.parameters())
    assert "backward pass / Net / rnn / step 0" in {path(node) for node in mg.topological_order(*adjoints)}
    assert all(node.block.outer is None for node in mg.topological_order(loss) if path(node) == "Net")


def test_an_adjoint_knows_whose_it_is():
    x, y = mg.Variable(3.0, name="x"), mg.Variable(5.0, name="y")
    product = x * y
    f = mg.sin(product)
    x_bar, y_bar = mg.adjoints(f, [x, y])
    assert (x_bar.adjoint_of, y_bar.adjoint_of) == ((x,), (y,))
    assert product in {owner for node in mg.topological_order(x_bar) for owner in node.adjoint_of}
    assert all(node.adjoint_of == () for node in (x, y, product, f))


def test_a_shared_adjoint_knows_all_its_nodes():
    x, y = mg.Variable(3.0), mg.Variable(5.0)
    total = x + y
    first, second = mg.adjoints(total * 2.0, [x, y])
    assert first is second
    assert set(first.adjoint_of) == {x, y, total}


def test_an_error_in_a_layer_ends_its_block():
    class Broken(mg.nn.Module):
        def forward(self, x):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        Broken()(mg.Variable(1.0))
    assert path(mg.sin(mg.Variable(1.0))) == ""
