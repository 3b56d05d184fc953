"""Examples for help: a name of `mg`, and a session with it, which `mg.grad?` shows behind the docstring.

They stand here, and not in the docstrings, for those who read the library in three evenings (READING.md).

derivative
>>> mg.derivative(lambda x: x * mg.sin(x), 0.0)
0.0
>>> mg.derivative(lambda x: x**3, np.array([1.0, 2.0]))
array([ 3., 12.])

Dual
>>> x = mg.Dual(3.0, 1.0)
>>> x * x + 2 * x
15.0 + 8.0ε

jvp
>>> mg.jvp(lambda x, y: x * y, (3.0, 2.0), (1.0, 0.0))
(6.0, 2.0)

grad
>>> mg.grad(lambda x, y: x**2 * y)(3.0, 2.0)
12.0
>>> mg.grad(lambda x, y: x**2 * y, argnums=(0, 1))(3.0, 2.0)
(12.0, 9.0)
>>> mg.grad(lambda w: mg.sum(w["a"] * w["b"]))({"a": np.array([1.0, 2.0]), "b": 3.0})
{'a': array([3., 3.]), 'b': 3.0}

value_and_grad
>>> mg.value_and_grad(lambda x: mg.sum(x**2))(np.array([1.0, 2.0]))
(5.0, array([2., 4.]))

vjp
>>> value, pull = mg.vjp(lambda x, y: x * y, 3.0, 2.0)
>>> value, pull(1.0)
(6.0, (2.0, 3.0))

jacobian
>>> mg.jacobian(lambda x: x**2)(np.array([1.0, 3.0]))
array([[2., 0.],
       [0., 6.]])

hessian
>>> mg.hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 3.0]))
array([[6., 2.],
       [2., 0.]])

hvp
>>> mg.hvp(lambda x: mg.sum(x**3), np.array([1.0, 2.0]), np.array([1.0, 0.0]))
array([6., 0.])

Node
>>> x = mg.Variable(3.0, name="x")
>>> f = x * x
>>> f.value, f.shape, f.inputs
(9.0, (), (<x = Variable 3.0>, <x = Variable 3.0>))

Constant
>>> x = mg.Constant([1.0, 2.0], name="x")
>>> mg.sum(x * 3)
<Operator 9.0>

Variable
>>> x = mg.Variable(3.0, name="x")
>>> f = x * x + 2 * x
>>> f.backward()
>>> f.value, x.grad
(15.0, 8.0)

Operator
>>> x = mg.Variable(2.0, name="x")
>>> mg.Operator(mg.exp, [x]).value == mg.exp(x).value
True

Graph
>>> x = mg.Variable(3.0)
>>> graph = mg.Graph(x * x)
>>> x.value = 5.0
>>> graph.forward()
25.0
>>> graph.backward()
>>> x.grad
10.0

adjoints
>>> x, y = mg.Variable(3.0), mg.Variable(2.0)
>>> (of_x,) = mg.adjoints(x * x * y, [x])
>>> of_x.value, mg.adjoints(of_x, [x, y])
(12.0, [<Operator 4.0>, <Operator 6.0>])

tangents
>>> x = mg.Variable(3.0)
>>> mg.tangents([x * x], [x], [1.0])
[<Operator 6.0>]

topological_order
>>> x = mg.Variable(3.0, name="x")
>>> mg.topological_order(x * x + 1)
[<x = Variable 3.0>, <Operator 9.0>, <Constant 1.0>, <Operator 10.0>]

block
>>> with mg.block("encoder"):
...     h = mg.tanh(mg.Variable(0.5))
>>> h.block
encoder

sum
>>> mg.sum(np.array([[1.0, 2.0], [3.0, 4.0]]))
np.float64(10.0)
>>> mg.sum(np.array([[1.0, 2.0], [3.0, 4.0]]), axis=0)
array([4., 6.])
>>> mg.grad(mg.sum)(np.array([1.0, 2.0]))
array([1., 1.])

mean
>>> mg.mean(np.array([[1.0, 2.0], [3.0, 4.0]]), axis=1)
array([1.5, 3.5])
>>> mg.grad(mg.mean)(np.array([1.0, 2.0]))
array([0.5, 0.5])

max
>>> mg.max(np.array([[1.0, 5.0], [3.0, 4.0]]), axis=1)
array([5., 4.])
>>> mg.grad(mg.max)(np.array([1.0, 5.0, 5.0]))
array([0. , 0.5, 0.5])

min
>>> mg.min(np.array([[1.0, 5.0], [3.0, 4.0]]), axis=1)
array([1., 3.])
>>> mg.grad(mg.min)(np.array([1.0, 5.0, 5.0]))
array([1., 0., 0.])

var
>>> mg.var(np.array([1.0, 5.0])), mg.var(np.array([1.0, 5.0]), ddof=1)
(np.float64(4.0), np.float64(8.0))

std
>>> mg.std(np.array([1.0, 5.0]))
np.float64(2.0)
>>> mg.grad(mg.std)(np.array([1.0, 5.0]))
array([-0.5,  0.5])

norm
>>> mg.norm(np.array([3.0, 4.0]))
np.float64(5.0)
>>> mg.grad(mg.norm)(np.array([3.0, 4.0]))
array([0.6, 0.8])

logsumexp
>>> mg.logsumexp(np.array([1000.0, 1000.0]))
np.float64(1000.6931471805599)

softmax
>>> mg.softmax(np.array([[0.0, 0.0], [1000.0, 0.0]]))
array([[0.5, 0.5],
       [1. , 0. ]])

log_softmax
>>> mg.log_softmax(np.array([1000.0, 0.0]))
array([    0., -1000.])

reshape
>>> mg.reshape(np.arange(6.0), (2, -1))
array([[0., 1., 2.],
       [3., 4., 5.]])

transpose
>>> mg.transpose(np.array([[1.0, 2.0], [3.0, 4.0]]))
array([[1., 3.],
       [2., 4.]])
>>> mg.transpose(np.zeros((2, 3, 4)), (1, 0, 2)).shape
(3, 2, 4)

broadcast_to
>>> mg.broadcast_to(np.array([1.0, 2.0]), (2, 2))
array([[1., 2.],
       [1., 2.]])

expand_dims
>>> mg.expand_dims(np.array([1.0, 2.0]), axis=1)
array([[1.],
       [2.]])

concatenate
>>> mg.concatenate([np.array([1.0, 2.0]), np.array([3.0])])
array([1., 2., 3.])

stack
>>> mg.stack([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
array([[1., 2.],
       [3., 4.]])

cast
>>> mg.cast(np.array([1.0, 2.0]), np.float32)
array([1., 2.], dtype=float32)

matmul
>>> mg.matmul(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0]))
array([3., 7.])

dot
>>> mg.dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
array(11.)

clip
>>> mg.clip(np.array([-2.0, 0.5, 2.0]), -1, 1)
array([-1. ,  0.5,  1. ])
>>> mg.grad(lambda x: mg.sum(mg.clip(x, -1, 1)))(np.array([-2.0, 0.5, 2.0]))
array([0., 1., 0.])

take
>>> mg.take(np.array([[1.0, 2.0], [3.0, 4.0]]), [1, 0, 1])
array([[3., 4.],
       [1., 2.],
       [3., 4.]])

mse
>>> mg.mse(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
np.float64(2.0)

softmax_cross_entropy
>>> logits = np.array([[0.0, 0.0], [0.0, 1000.0]])
>>> float(mg.softmax_cross_entropy(logits, np.array([1, 1])))
0.34657359027997264
>>> mg.grad(mg.softmax_cross_entropy)(logits, np.array([1, 1]))
array([[ 0.25, -0.25],
       [ 0.  ,  0.  ]])

binary_cross_entropy_with_logits
>>> float(mg.binary_cross_entropy_with_logits(np.array([0.0, 1000.0]), np.array([1.0, 1.0])))
0.34657359027997264

conv2d
>>> image = np.arange(9.0).reshape(1, 1, 3, 3)
>>> mg.conv2d(image, np.ones((1, 1, 2, 2)))
array([[[[ 8., 12.],
         [20., 24.]]]])

max_pool2d
>>> mg.max_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2)
array([[[[ 5.,  7.],
         [13., 15.]]]])

avg_pool2d
>>> mg.avg_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2)
array([[[[ 2.5,  4.5],
         [10.5, 12.5]]]])

scan
>>> def cell(state, x):
...     state = 0.5 * state + x
...     return state, state
>>> mg.scan(cell, np.array([1.0, 1.0, 1.0]), 0.0)
(1.75, array([1.  , 1.5 , 1.75]))

vmap
>>> mg.vmap(lambda a, b: a @ b)(np.ones((3, 2)), np.ones((3, 2)))
array([2., 2., 2.])
>>> mg.vmap(mg.grad(lambda x: x**2))(np.array([1.0, 2.0]))
array([2., 4.])

fit
>>> class Data:
...     train_x = test_x = np.eye(2, dtype=np.float32)
...     train_y = test_y = np.array([0, 1])
>>> history = mg.fit(mg.nn.Linear(2, 2, rng=0), Data, 2, 2, mg.optim.SGD(0.1), rng=0, progress=False)
>>> len(history.losses)
2

nn.Linear
>>> layer = mg.nn.Linear(3, 2, rng=0)
>>> layer(np.zeros((5, 3), np.float32)).shape
(5, 2)
>>> layer
Linear with 8 parameters

nn.Sequential
>>> model = mg.nn.Sequential(mg.nn.Linear(4, 3), mg.nn.Tanh(), mg.nn.Linear(3, 2))
>>> model(np.zeros((5, 4), np.float32)).shape
(5, 2)
>>> [name for name, _ in model.named_parameters()]
['0.weight', '0.bias', '2.weight', '2.bias']

nn.Module
>>> class Double(mg.nn.Module):
...     def __init__(self):
...         self.factor = mg.Variable(2.0)
...     def forward(self, x):
...         return self.factor * x
>>> Double()(3.0), Double().parameters()
(<Operator 6.0>, [<factor = Variable 2.0>])

nn.ReLU
>>> mg.nn.ReLU()(mg.Variable([-1.0, 2.0])).value
array([0., 2.])

nn.Sigmoid
>>> mg.nn.Sigmoid()(mg.Variable(0.0)).value
0.5

nn.Tanh
>>> mg.nn.Tanh()(mg.Variable(0.0)).value
0.0

nn.GELU
>>> mg.nn.GELU()(mg.Variable(0.0)).value
0.0

nn.Dropout
>>> layer = mg.nn.Dropout(0.5, rng=0)
>>> layer(mg.Variable(np.ones(4))).value
array([2., 0., 0., 0.])
>>> layer.eval()(mg.Variable(np.ones(4))).value
array([1., 1., 1., 1.])

nn.Flatten
>>> mg.nn.Flatten()(np.zeros((5, 2, 3))).shape
(5, 6)

nn.LayerNorm
>>> mg.nn.LayerNorm(2)(np.array([[1.0, 3.0]], np.float32)).value.round(3)
array([[-1.,  1.]], dtype=float32)

nn.Embedding
>>> mg.nn.Embedding(10, 4, rng=0)(np.array([[1, 2, 3]])).shape
(1, 3, 4)

nn.MultiheadAttention
>>> attention = mg.nn.MultiheadAttention(4, 2, batch_first=True, rng=0)
>>> output, weights = attention(np.zeros((1, 3, 4), np.float32))
>>> output.shape, weights.shape
((1, 3, 4), (1, 3, 3))

nn.TransformerBlock
>>> block = mg.nn.TransformerBlock(8, 2, batch_first=True, rng=0)
>>> block(np.zeros((1, 5, 8), np.float32), is_causal=True).shape
(1, 5, 8)

nn.Conv2d
>>> layer = mg.nn.Conv2d(1, 6, 5, padding=2, rng=0)
>>> layer(np.zeros((2, 1, 28, 28), np.float32)).shape
(2, 6, 28, 28)

nn.MaxPool2d
>>> mg.nn.MaxPool2d(2)(np.zeros((2, 6, 28, 28), np.float32)).shape
(2, 6, 14, 14)

nn.AvgPool2d
>>> mg.nn.AvgPool2d(2)(np.zeros((2, 6, 28, 28), np.float32)).shape
(2, 6, 14, 14)

nn.RNN
>>> outputs, state = mg.nn.RNN(3, 4, rng=0)(np.zeros((7, 2, 3), np.float32))
>>> outputs.shape, state.shape
((7, 2, 4), (1, 2, 4))

nn.GRU
>>> outputs, state = mg.nn.GRU(3, 4, rng=0)(np.zeros((7, 2, 3), np.float32))
>>> outputs.shape, state.shape
((7, 2, 4), (1, 2, 4))

nn.LSTM
>>> outputs, (h, c) = mg.nn.LSTM(3, 4, rng=0)(np.zeros((7, 2, 3), np.float32))
>>> outputs.shape, h.shape, c.shape
((7, 2, 4), (1, 2, 4), (1, 2, 4))

optim.Optimizer
>>> class Descent(mg.optim.Optimizer):
...     arrays = 0
...     def equations(self, value, grad, rates, kept):
...         return value - rates[0] * grad, {}
>>> x = mg.Variable(3.0)
>>> (x * x).backward()
>>> Descent(0.5).step([x])
>>> x.value
0.0

optim.SGD
>>> x = mg.Variable(3.0)
>>> (x * x).backward()
>>> mg.optim.SGD(0.1).step([x])
>>> round(x.value, 6)
2.4

optim.Adam
>>> x = mg.Variable(3.0)
>>> (x * x).backward()
>>> mg.optim.Adam(0.1).step([x])
>>> round(x.value, 6)
2.9

optim.AdamW
>>> x = mg.Variable(3.0)
>>> (x * x).backward()
>>> mg.optim.AdamW(0.1, weight_decay=0.01).step([x])
>>> round(x.value, 6)
2.897

optim.clip_by_value
>>> x = mg.Variable(3.0)
>>> (x * x).backward()
>>> mg.optim.clip_by_value([x], 1.0)
>>> x.grad
1.0

optim.clip_by_norm
>>> x, y = mg.Variable(3.0), mg.Variable(4.0)
>>> (x * x / 2 + y * y / 2).backward()
>>> mg.optim.clip_by_norm([x, y], 1.0)
5.0
>>> round(x.grad, 6), round(y.grad, 6)
(0.6, 0.8)

optim.cosine
>>> rate = mg.optim.cosine(0.1, 100)
>>> [round(rate(step), 3) for step in (0, 50, 100)]
[0.1, 0.05, 0.0]

optim.warmup
>>> rate = mg.optim.warmup(0.1, 10)
>>> [round(rate(step), 3) for step in (0, 4, 100)]
[0.01, 0.05, 0.1]

optim.warmup_cosine
>>> rate = mg.optim.warmup_cosine(0.1, 10, 100)
>>> [round(rate(step), 3) for step in (0, 9, 99)]
[0.01, 0.1, 0.0]

linalg.solve
>>> mg.linalg.solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 2.0]))
array([1. , 0.5])

linalg.inv
>>> mg.linalg.inv(np.array([[2.0, 0.0], [0.0, 4.0]]))
array([[0.5 , 0.  ],
       [0.  , 0.25]])

linalg.norm
>>> mg.linalg.norm(np.array([3.0, 4.0]))
np.float64(5.0)

train.accuracy
>>> model = mg.nn.Sequential(mg.nn.Flatten())
>>> mg.train.accuracy(model, np.eye(2, dtype=np.float32), np.array([0, 0]))
0.5

train.predict
>>> mg.train.predict(mg.nn.Linear(2, 3, rng=0), np.zeros((4, 2), np.float32)).shape
(4, 3)

train.Epoch
>>> mg.train.Epoch(1, 0.5, 0.8, 0.75, 2.0).cells()
('1', '0.5000', '80.00 %', '75.00 %', '2.00')

train.History
>>> history = mg.train.History()
>>> history.losses, len(history.epochs)
([], 0)

train.Step
>>> x, y = np.eye(2, dtype=np.float32), np.array([0, 1])
>>> step = mg.train.Step(mg.nn.Linear(2, 2, rng=0), mg.nn.cross_entropy, x, y)
>>> step.run(x, y) > 0
True

optim.limited_to_norm
>>> mg.optim.limited_to_norm([mg.Constant([3.0, 4.0])], 1.0)[0].value.round(6)
array([0.6, 0.8])
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any


def attach(names: Mapping[str, Any]) -> None:
    """Put each session behind the docstring of its function or class."""
    for paragraph in (__doc__ or "").strip().split("\n\n")[2:]:
        name, _, session = paragraph.partition("\n")
        first, *rest = name.split(".")
        example_of = functools.reduce(getattr, rest, names[first])
        example_of.__doc__ = f"{inspect.getdoc(example_of)}\n\n{session}"
