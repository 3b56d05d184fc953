"""minigrad in a page: a table of derivatives, numbers that remember, both modes, and derivatives of derivatives.

x, y = Node(3.0, "x"), Node(5.0, "y")
f = 2 * x + x * y**3 + sin(x)
x_bar, y_bar = adjoints(f, [x, y])      # reverse mode: by every input, in one pass
(f_dot,) = tangents([f], [x], [1.0])    # forward mode: in one direction, in one pass
(x_bar_by_y,) = adjoints(x_bar, [y])    # a derivative is a node, so it can be differentiated
trace(f)                                # values are read downwards, adjoints upwards
"""

import math

TABLE = {  # a value in the inputs a and b; then its partial derivative by each input, in a, b and the value v
    "add": ("a + b", "1", "1"),
    "sub": ("a - b", "1", "-1"),
    "mul": ("a * b", "b", "a"),
    "div": ("a / b", "1 / b", "-v / b"),
    "pow": ("a ** b", "b * a ** (b - 1)", "v * log(a)"),
    "neg": ("-a", "-1"),
    "sin": ("sin(a)", "cos(a)"),
    "cos": ("cos(a)", "-sin(a)"),
    "exp": ("exp(a)", "v"),
    "log": ("log(a)", "1 / a"),
    "tanh": ("tanh(a)", "1 - v * v"),
}


def apply(op, *inputs):
    """Compute one operation: of numbers it makes a number, of nodes a node that remembers them."""
    nodes = [as_node(x) for x in inputs]
    result = Node(VALUE[op](*[x.value for x in nodes]), op=op, inputs=nodes)
    return result if any(isinstance(x, Node) for x in inputs) else result.value


def as_node(x):
    return x if isinstance(x, Node) else Node(x)


def function(op):
    return lambda a: apply(op, a)


def operator(op):
    """Two methods: for `a + b` with a node a, and for `2 + b`, where Python asks the node on the right."""
    return lambda a, b: apply(op, a, b), lambda b, a: apply(op, a, b)


class Node:
    """A number, and what it was made of. A variable has a name; a constant has neither name nor inputs."""

    def __init__(self, value, name="", op="", inputs=()):
        self.value, self.name, self.op, self.inputs = value, name, op, inputs

    __add__, __radd__ = operator("add")
    __sub__, __rsub__ = operator("sub")
    __mul__, __rmul__ = operator("mul")
    __truediv__, __rtruediv__ = operator("div")
    __pow__, __rpow__ = operator("pow")
    __neg__ = function("neg")


sin, cos, exp, log, tanh = map(function, ["sin", "cos", "exp", "log", "tanh"])
VALUE = {op: eval(f"lambda a, b=None: {row[0]}", {**vars(math)}) for op, row in TABLE.items()}
PARTIAL = {op: [eval(f"lambda v, a, b=None: {text}") for text in row[1:]] for op, row in TABLE.items()}


def topological_order(*outputs):
    """List all nodes that `outputs` depend on, each once, after its inputs. A chain may be of any length."""
    order, stack = {}, list(reversed(outputs))  # a dict keeps its keys in the order in which they came
    while stack:
        waiting = [x for x in reversed(stack[-1].inputs) if x not in order]
        stack += waiting
        if not waiting:
            order[stack.pop()] = True
    return list(order)


def tangents(outputs, inputs, directions):
    """Forward mode: how fast each output changes, when the inputs move in `directions`."""
    tangent = dict(zip(inputs, directions, strict=True))
    for node in topological_order(*outputs):
        for i, x in enumerate(node.inputs):
            if x in tangent and node not in inputs:
                share = PARTIAL[node.op][i](node, *node.inputs) * tangent[x]
                tangent[node] = tangent[node] + share if node in tangent else share
    return [as_node(tangent.get(y, 0.0)) for y in outputs]


def adjoints(output, inputs):
    """Reverse mode: how fast the output changes with each of `inputs`, which may be any nodes before it."""
    order, adjoint = topological_order(output), {output: 1.0}
    moving = set(inputs)  # the inputs, and all that is made of them
    for node in order:
        if any(x in moving for x in node.inputs):
            moving.add(node)
    for node in reversed(order):  # when the turn comes to a node, all of its shares have arrived
        for i, x in enumerate(node.inputs):
            if x in moving:
                share = adjoint[node] * PARTIAL[node.op][i](node, *node.inputs)
                adjoint[x] = adjoint[x] + share if x in adjoint else share
    return [as_node(adjoint.get(x, 0.0)) for x in inputs]


def trace(output):
    """Print the trace table: each variable and operation, with its value (read downwards) and adjoint (upwards)."""
    rows = [node for node in topological_order(output) if node.name or node.op]
    name = {node: node.name or f"v{k}" for k, node in enumerate(rows)}
    for node, adjoint in zip(rows, adjoints(output, rows), strict=True):
        made = f" = {node.op}({', '.join(name.get(x, str(x.value)) for x in node.inputs)})" if node.op else ""
        print(f"{name[node] + made} = {node.value:.6g}".ljust(36), f"adjoint {adjoint.value:.6g}")
