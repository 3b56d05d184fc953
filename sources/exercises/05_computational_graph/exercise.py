# Exercise 05. Wrong answers, with the hints they earn, are in wrong.py. Build: python -m minigrad_course.grading.make_notebooks

# %% [markdown]
# # Exercise 5 · The graph that remembers
#
# A graph knows how a number was computed. In this exercise you make it answer the one question that training
# asks, thousands of times a second: *if I change this a little, how much does that change?*
#
# You write four functions, none longer than fifteen lines. Twelve points.
#
# | | you write | points |
# |---|---|---|
# | Task 1 | `topological_order`: every node after what it needs | 3 |
# | Task 2 | `backward`: from the output to everything it depends on | 4 |
# | Task 3 | call it twice; `zero_grad` | 2 |
# | Task 4 | `forward`: run the graph again with other numbers | 2 |
# | Together | nothing to write: reset, forward, backward | 1 |
#
# Run the cells from top to bottom. Under each test you read how it went, and the table at the end keeps the points.

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "given"}
import math
import sys
from dataclasses import dataclass

from minigrad_course import grading
from minigrad_course.grading import check_close, check_order

grading.live()

# %% [markdown]
# ## Task 1 · Put the nodes in order (3 points, hard)
#
# Here is the smallest graph with a trap in it. `b` and `c` are both computed from `a`, and `d` from both of them:
#
#             ┌── b ──┐
#         a ──┤       ├── d
#             └── c ──┘
#
# To compute `d` you need `b` and `c` first. Before you go on: write down an order in which the four can be
# computed. How many such orders are there?
#
# `parents(node)` gives the nodes that `node` was computed from. Return a list of every node that `output` depends
# on, itself included, each **once**, and each **after** all of its parents. A chain of 5,000 nodes must work, too:
# a small recurrent network has more.
#
# The natural way is a function that calls itself for each parent, and two of the three points can be had with it. But Python stops
# after about 1,000 calls inside each other. For long chains, keep a list of your own of what is still to be done, a *stack*:
# `stack.append(x)` puts something on top of it, `x = stack.pop()` takes the topmost off, and a `while stack:` loop goes on
# until nothing is left. A node may have to come by twice: once before its parents, and once after them. (Python's limit can be
# raised, but a call inside 5,000 others can end Python itself, so the tests look whether you have done without.)


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "order"}
def topological_order(output, parents):
    """Every node that `output` depends on, each once, and each after all of its parents."""
    ### BEGIN SOLUTION
    order, seen, stack = [], set(), [(output, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in parents(node))
    return order
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_order", "points": 2}
# Stuck? Do the diamond by hand. When exactly may a node join the list, and how do you
# know that it is already in there?
diamond = {"d": ["b", "c"], "b": ["a"], "c": ["a"], "a": []}
check_order(topological_order("d", diamond.get), diamond)
for both in (["c", "b"], ["b", "c"]):  # another graph: a is made of b and c, and b of c as well
    shortcut = {"a": both, "b": ["c"], "c": []}
    check_order(topological_order("a", shortcut.get), shortcut)
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import fails, passes_on, within

check_close(passes_on(topological_order, "a", fails), True, "an error in parents: does it come out?")
doubled = {"s": ["a", "a"], "a": []}
check_order(topological_order("s", doubled.get), doubled)
shortcut = {"z": ["x", "y"], "y": ["x"], "x": []}
check_order(topological_order("z", shortcut.get), shortcut)
ladder = {f"n{i}": [f"n{i - 2}", f"n{i - 1}"] for i in range(2, 40)} | {"n0": [], "n1": ["n0"]}
check_order(within(50_000, topological_order, "n39", ladder.get), ladder)


class Twin:
    """Nodes that all look alike, and stand in a set in the order in which they came."""

    def __repr__(self):
        return "v"

    def __hash__(self):
        return 0


first, second, third = Twin(), Twin(), Twin()
alike, places = {third: [second], second: [first], first: []}, {first: 0, second: 1, third: 2}
check_order([places[node] for node in topological_order(third, alike.get)], {2: [1], 1: [0], 0: []})
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_order_chain", "points": 1}
# Stuck? Five thousand nodes in a row. What grows with every node on the path, and how far may it grow?
row = [i * 1237 % 5000 for i in range(5000)]  # each number once, and not in their own order
chain = {node: [parent] for parent, node in zip(row, row[1:])} | {row[0]: []}
check_order(topological_order(row[-1], chain.get), chain)
### BEGIN HIDDEN TESTS
depths = []


def looked(node):
    """The parents of a node; of the first node of the chain it is noted how many calls stand inside each other."""
    if node == row[0]:
        frame, depth = sys._getframe(1), 0
        while frame is not None and depth < 4000:
            frame, depth = frame.f_back, depth + 1
        depths.append(depth)
    return chain[node]


topological_order(row[-1], looked)
check_close(max(depths) < 4000, True, "a chain of 5,000 nodes without as many calls inside each other")
### END HIDDEN TESTS

# %% [markdown]
# ## The nodes
#
# From here on a node carries numbers. Beside its value it keeps one **partial** for each parent: the derivative
# of its value with respect to that parent, with everything else held fixed. For $c = a\,b$ the partials are $b$ and
# $a$; for $c = a + b$ they are 1 and 1. They are written down when the node is made, because then the values are
# at hand. The node also keeps the **rule** that gave it both; you need it in Task 4.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "nodes"}
@dataclass(eq=False)
class Node:
    name: str
    value: float
    parents: tuple = ()
    partials: tuple = ()  # one for each parent
    grad: float = 0.0  # what backward is there for
    rule: object = None  # takes the parents' values to (value, partials); an input has none

    def __repr__(self):
        return self.name


def make(name, rule, *parents):
    value, partials = rule(*[parent.value for parent in parents])
    return Node(name, value, parents, partials, rule=rule)


def add(name, a, b):
    return make(name, lambda a, b: (a + b, (1.0, 1.0)), a, b)


def mul(name, a, b):
    return make(name, lambda a, b: (a * b, (b, a)), a, b)


def sin(name, a):
    return make(name, lambda a: (math.sin(a), (math.cos(a),)), a)


def grads(*nodes):
    """The gradients by name, for the checks to compare."""
    return {f"{node}.grad": node.grad for node in nodes}


# %% [markdown]
# ## Task 2 · The backward pass (4 points, medium)
#
# Take $c = a\,b$ and $d = c\,k$, with $a = 3$, $b = 4$, $k = 5$. How much does $d$ change when $a$ changes by one?
# Work it out before you read on.
#
# Changing $a$ by 1 changes $c$ by $b = 4$, and each unit of $c$ changes $d$ by $k = 5$: together $4 \cdot 5 = 20$. Now
# the same backwards, as the computer does it. The derivative of the output with respect to itself is 1. Each node passes on
# to each parent what it has itself, times the partial for that parent. So $c$ gets $1 \cdot 5$, and passes on $5 \cdot
# 4 = 20$ to $a$.
#
# One rule, then, for every node of every network:
#
# $$\text{parent's share} \mathrel{+}= \text{node's share} \times \text{partial}$$
#
# A node may pass on what it has only after it has received *all* of its shares. Which order guarantees that? (You have just
# written it.)
#
# Write `backward(order)`. `order` is a list of nodes, each after its parents; the last one is the output. **Add**
# to the `.grad` of each node the derivative of the output with respect to it; that is 0 where the output does not depend on it.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "backward"}
def backward(order):
    """Add to each node's grad the derivative of order[-1] with respect to that node."""
    # Four parts: seed, order, go back, add up.
    ### BEGIN SOLUTION
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0  # seed
    for node in reversed(order):  # order
        for parent, partial in zip(node.parents, node.partials):  # go back
            share[parent] += share[node] * partial  # add up
    for node in order:
        node.grad += share[node]
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_backward", "points": 2}
# Stuck? Start at the output: its derivative with respect to itself is 1. Do d = c k by hand and compare with
# the first line that differs.
a, b, k = Node("a", 3.0), Node("b", 4.0), Node("k", 5.0)
c = mul("c", a, b)
d = mul("d", c, k)
backward([a, b, c, k, d])
check_close(
    grads(d, k, c, b, a),
    {"d.grad": 1, "k.grad": 12, "c.grad": 5, "b.grad": 15, "a.grad": 20},
    "in d = c k",
)
### BEGIN HIDDEN TESTS
row = [Node("x", 1.0)]
for i in range(5000):
    row.append(Node(f"v{i}", 1.0, (row[-1],), (-1.0,)))
backward(row)
check_close(row[0].grad, 1.0, "5,000 changes of sign in a row, x.grad")
### END HIDDEN TESTS

# %% [markdown]
# ### A node with two children
#
# $c = a\,b$, $d = c + a$, $e = c\,d$. Now two paths lead from $c$ to $e$, one directly and one through $d$, and
# $a$ is used twice as well. With $a = 3$ and $b = 4$: what does `c.grad` have to be? (Two numbers, one sign
# between them.)

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_shared", "points": 2}
# Stuck? Each path to a node brings a share, to c in e = c d both d = 15 and, through d, 12. What becomes of the two?
# And is any node passed over, or mistaken for another one?
a, b = Node("a", 3.0), Node("b", 4.0)
c = mul("c", a, b)
d = add("d", c, a)
e = mul("e", c, d)
backward([a, b, c, d, e])
check_close(
    grads(e, d, c, b, a),
    {"e.grad": 1, "d.grad": 12, "c.grad": 27, "b.grad": 81, "a.grad": 120},
    "in e = c d",
)
a = Node("a", 5.0)
backward([a, add("s", a, a)])
check_close(a.grad, 2, "in s = a + a, a.grad")
x1, x2 = Node("x", 2.0), Node("x", 7.0)
backward([x1, x2, mul("p", x1, x2)])
check_close([x1.grad, x2.grad], [7, 2], "in p = x x, where two nodes of values 2 and 7 are both called x, their grads")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fresh, within

a = Node("a", 5.0)
backward([a, mul("q", a, a)])
check_close(a.grad, 10, "in q = a a at a = 5, a.grad")
a = Node("a", 5.0)
backward([a, Node("s", 25.0, (a, a), (2.0, 3.0))])
check_close(a.grad, 5, "in s = 2 a + 3 a, a.grad")
a, b = Node("a", 5.0), Node("b", 3.0)
u = mul("u", a, b)
backward([a, b, u, add("s", a, a)])
check_close(grads(u, a, b), {"u.grad": 0, "a.grad": 2, "b.grad": 0}, "in s = a + a, beside u = a b")
ladder = [Node("x", 1.0), Node("y", 1.0)]
for i in range(60):
    ladder.append(add(f"v{i}", ladder[-1], ladder[-2]))
within(50_000, backward, ladder)
check_close(ladder[0].grad, 1548008755920, "sixty sums, each of the two nodes before it, x.grad")


def networks(draw):
    """The values of some inputs, what is made of which nodes before, and their names."""
    values, steps = draw.numbers(draw.size(1, 3)), []
    name = draw.choice(["x", ""]) if draw.sometimes("all nodes have the same name") else "v{}"
    for k in range(draw.size(1, 5)):
        before = list(range(len(values) + k))
        operation = draw.choice(["add", "mul", "sin"] if draw.sometimes("a sine is taken") else ["add", "mul"])
        parents = [before.pop(), draw.choice(before or [0])]
        if draw.sometimes("a node has the same parent twice"):
            parents[1] = parents[0]
        steps.append((operation, parents[: 1 if operation == "sin" else 2]))
    return values, steps, name


def gradients(values, steps, name, walk=backward):
    """The grad of each node of a network."""
    order, rules = [Node(name.format(k), value) for k, value in enumerate(values)], {"add": add, "mul": mul, "sin": sin}
    for operation, parents in steps:
        order.append(rules[operation](name.format(len(order)), *(order[k] for k in parents)))
    walk(order)
    return [node.grad for node in order]


cases = fresh(networks)
check_cases(answers(gradients, cases), answers(lambda *network: gradients(*network, solution.backward), cases), cases)
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3 · And again (2 points, medium)
#
# Training calls `backward` over and over. The convention, here and in most libraries that you will meet, is that
# gradients **add up** until somebody sets them back to 0: then a large batch can be done in two halves.
#
# (In the lesson, the adjoints of the inner nodes started from 0 in each pass, and only the gradients of the inputs added up. Here
# every node has a `.grad`, and the same rule holds for all: after two passes each has twice what one pass gives.)
#
# Predict: after two calls, is `a.grad` from Task 2 exactly 40? If yours says 60 or 80, look closely at what the
# second pass finds in `c.grad`, and which pass that came from. Then go back up and fix `backward`.

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_adds_up", "points": 1}
# Stuck? The second call must pass on only its own shares, not what the first call left
# in .grad. Where can it keep them?
a, b, k = Node("a", 3.0), Node("b", 4.0), Node("k", 5.0)
c = mul("c", a, b)
d = mul("d", c, k)
backward([a, b, c, k, d])
backward([a, b, c, k, d])
check_close(
    grads(a, b, k, c, d),
    {"a.grad": 40, "b.grad": 30, "k.grad": 24, "c.grad": 10, "d.grad": 2},
    "after two calls",
)

# %% [markdown]
# Write `zero_grad(order)`, which sets the `grad` of every node to 0, so that the next call starts afresh.


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "zero_grad"}
def zero_grad(order):
    """Set the grad of every node back to 0."""
    ### BEGIN SOLUTION
    for node in order:
        node.grad = 0.0
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_zero_grad", "points": 1}
# Stuck? After zero_grad every grad is the number 0: of the output, of the
# inputs, and of what lies between.
a, b = Node("a", 3.0), Node("b", 4.0)
c = mul("c", a, b)
for node, left_over in [(a, 7.0), (b, 8.0), (c, 9.0)]:
    node.grad = left_over
zero_grad([a, b, c])
check_close(grads(a, b, c), {"a.grad": 0, "b.grad": 0, "c.grad": 0}, "after zero_grad")
### BEGIN HIDDEN TESTS
order = [Node("p", 2.0), Node("q", -1.5), Node("r", 0.5)]
for node, left_over in zip(order, [6.0, math.inf, math.nan]):
    node.grad = left_over
zero_grad(order)
for node, arriving in zip(order, [2.5, -1.25, 0.75]):
    node.grad += arriving
check_close(grads(*order), {"p.grad": 2.5, "q.grad": -1.25, "r.grad": 0.75}, "what arrives after zero_grad")
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4 · Run it again (2 points, easy)
#
# A graph is built once and used for many numbers. Put another number into an input, and nothing else changes until the other nodes
# are computed again.
#
# Write `forward(order)`. Each node that has parents asks its rule: `node.rule(u, v, ...)` takes the values of the parents, as they are
# **now**, to `(value, partials)`. Inputs keep what they hold.
#
# In $c = a\,b$, $d = c\,k$ with $a = 3$, $b = 4$, $k = 5$, put 2 into $a$. Which values change? And which partials?


# %% nbgrader={"schema_version": 3, "grade": false, "solution": true, "locked": false, "task": false, "grade_id": "forward"}
def forward(order):
    """Compute every node of the order again from what its parents hold now."""
    ### BEGIN SOLUTION
    for node in order:
        if node.parents:
            node.value, node.partials = node.rule(*[parent.value for parent in node.parents])
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_forward", "points": 1}
# Stuck? c must be right before d can be. What does the rule of c want to be given?
a, b, k = Node("a", 3.0), Node("b", 4.0), Node("k", 5.0)
c = mul("c", a, b)
d = mul("d", c, k)
a.value = 2.0
forward([a, b, c, k, d])
check_close({"a": a.value, "c": c.value, "d": d.value}, {"a": 2, "c": 8, "d": 40}, "with 2 in a, the value of")
### BEGIN HIDDEN TESTS
from minigrad_course.grading.cases import answers, check_cases, fails, fresh, passes_on, within

ladder = [Node("x", 1.0), Node("y", 1.0)]
for i in range(60):
    ladder.append(add(f"v{i}", ladder[-1], ladder[-2]))
ladder[0].value = 2.0
within(50_000, forward, ladder)
check_close(ladder[-1].value, 5600748293801, "sixty sums, each of the two before it, with 2 and 1 in x and y")
broken = [Node("a", 1.0), Node("b", 2.0)]
broken.append(Node("c", 3.0, (broken[0], broken[1]), (1.0, 1.0), rule=fails))
check_close(passes_on(forward, broken), True, "an error in a rule: does it come out of forward?")
a, b = Node("a", 3.0, grad=1.0), Node("b", 4.0, grad=2.0)
c = mul("c", a, b)
c.grad = 3.0
forward([a, b, c])
check_close(grads(a, b, c), {"a.grad": 1, "b.grad": 2, "c.grad": 3}, "after forward, of grads 1, 2 and 3")
x1, x2 = Node("x", 2.0), Node("x", 7.0)
p = mul("p", x1, x2)
x1.value = 3.0
forward([x1, x2, p])
check_close(p.value, 21, "p = x x of two nodes that are both called x, with 3 and 7 in them, the value of p")


def reruns(draw):
    """The values of some inputs, what is made of which nodes before, their names, and other values for the inputs."""
    values, steps = draw.numbers(draw.size(1, 3)), []
    name = draw.choice(["x", ""]) if draw.sometimes("all nodes have the same name") else "v{}"
    for k in range(draw.size(1, 5)):
        parents = [len(values) + k - 1, draw.randrange(len(values) + k)]
        operation = "sin" if draw.sometimes("a sine is taken") else draw.choice(["add", "mul"])
        steps.append((operation, parents[: 1 if operation == "sin" else 2]))
    others = [0.0] * len(values) if draw.sometimes("all inputs become 0") else [v + draw.randint(1, 9) for v in values]
    return values, steps, name, others


def after_forward(values, steps, name, others, walk=forward):
    """The value of each node, with other numbers in the inputs than those that it was made with."""
    order, rules = [Node(name.format(k), value) for k, value in enumerate(values)], {"add": add, "mul": mul, "sin": sin}
    for operation, parents in steps:
        order.append(rules[operation](name.format(len(order)), *(order[k] for k in parents)))
    for node, value in zip(order, others):
        node.value = value
    walk(order)
    return [node.value for node in order]


cases = fresh(reruns)
check_cases(
    answers(after_forward, cases), answers(lambda *network: after_forward(*network, solution.forward), cases), cases
)
### END HIDDEN TESTS

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_forward_partials", "points": 1}
# Stuck? The partials of a product are the values of its two parents. Whose values, the old or the new ones?
a, b, k = Node("a", 3.0), Node("b", 4.0), Node("k", 5.0)
c = mul("c", a, b)
d = mul("d", c, k)
a.value = 2.0
forward([a, b, c, k, d])
check_close(
    {"c for a": c.partials[0], "c for b": c.partials[1], "d for c": d.partials[0], "d for k": d.partials[1]},
    {"c for a": 4, "c for b": 2, "d for c": 5, "d for k": 8},
    "with 2 in a, the partial of",
)
### BEGIN HIDDEN TESTS
a, b = Node("a", 2.0), Node("b", 3.0)
c = mul("c", a, b)
a.value, b.value = 3.0, 2.0
forward([a, b, c])
check_close(
    {"c for a": c.partials[0], "c for b": c.partials[1]}, {"c for a": 2, "c for b": 3}, "2 · 3 as 3 · 2, the partial of"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Together (1 point)
#
# Nothing to write. Your functions meet on a function that you can check with a pencil:
#
# $$f(x, y) = 2x + x\,y^3 + \sin x \qquad\text{at } x = 3,\; y = 5$$
#
# By hand: $\partial f/\partial x = 2 + y^3 + \cos x$ and $\partial f/\partial y = 3\,x\,y^2$. What are the two
# numbers? Then the same graph runs at $x = 1$, $y = -2$: reset, forward, backward.

# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "grade_id": "test_together", "points": 1}
# Stuck? If a test above fails, fix it first. If all of them pass: does a call change something that the next one needs, such as the list of nodes?
x, y, two = Node("x", 3.0), Node("y", 5.0), Node("2", 2.0)
cube = mul("y³", mul("y²", y, y), y)
f = add("f", add("2x + xy³", mul("2x", two, x), mul("xy³", x, cube)), sin("sin x", x))
order = topological_order(f, lambda node: node.parents)
check_order(order, lambda node: node.parents)
backward(order)
check_close(f.value, 6 + 375 + math.sin(3), "f(3, 5)")
check_close(grads(x, y), {"x.grad": 2 + 125 + math.cos(3), "y.grad": 225}, "in f(3, 5)")
x.value, y.value = 1.0, -2.0
zero_grad(order)
forward(order)
backward(order)
check_close(f.value, 2 - 8 + math.sin(1), "f(1, -2)")
check_close(grads(x, y), {"x.grad": 2 - 8 + math.cos(1), "y.grad": 12}, "in f(1, -2)")

# %% [markdown]
# ## Your points

# %% nbgrader={"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": false, "grade_id": "points"}
grading.table()

# %% [markdown]
# The tests above are the public ones. The hidden ones try graphs that you have not seen: when all of these pass, the table
# says where the others run.
