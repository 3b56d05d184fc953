"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # order · Task 1 · Put the nodes in order
    ("order", 3, "parents(node)", "node.parents",
     "The nodes of a test may be names or numbers, which have no `.parents`. The function `parents` is handed to yours: "
     "parents(node) gives them."),
    ("order", 3, ..., """
     def topological_order(output, parents):
         order, stack = [], [(output, False)]
         while stack:
             node, parents_done = stack.pop()
             if parents_done:
                 order.append(node)
             else:
                 stack.append((node, True))
                 stack.extend((parent, False) for parent in parents(node))
         return order
     """,
     "Node a is in the list twice. It has two children, and you reached it from both. What could you remember about "
     "a node when you meet it for the first time?"),
    ("order", 4, ..., """
     def topological_order(output, parents):
         seen, stack = set(), [output]
         while stack:
             node = stack.pop()
             if node not in seen:
                 seen.add(node)
                 stack.extend(parents(node))
         return seen
     """,
     "A set has no order, and order is what was asked for. A set says WHETHER a node was met; the order needs a list."),
    ("order", 4, ..., """
     def topological_order(output, parents):
         return [*parents(output), output]
     """,
     "b comes before a, which it needs, or a is not there at all. Go on until you come to nodes without parents; and to turn "
     "round the order in which you met them is not enough: each joins the list after its parents."),
    ("order", 4, "order.append(node)", """
     if node != output:
         order.append(node)
     """, "The output itself is not in your list. It depends on all the others, so it comes last."),
    ("order", 1, ..., """
     def topological_order(output, parents):
         order, seen = [], set()

         def visit(node):
             if node not in seen:
                 seen.add(node)
                 for parent in parents(node):
                     visit(parent)
                 order.append(node)

         visit(output)
         return order
     """,
     "Your function calls itself once for each node on the path, and Python stops near 1,000 calls. Keep a stack of "
     "your own, a list of what is still to be done."),

    # backward · Task 2 · The backward pass
    ("backward", 3, """
     for parent, partial in zip(node.parents, node.partials):  # go back
         share[parent] += share[node] * partial  # add up
     """, """
     for parent in node.parents:
         share[parent] += share[node] * node.value / parent.value
     """,
     "You worked the partials out again, as if every node were a product: its value divided by the parent's. In a "
     "sum they are 1. The node has kept its partials: use them."),
    ("backward", 6, """
     for parent, partial in zip(node.parents, node.partials):  # go back
         share[parent] += share[node] * partial  # add up
     """, """
     for parent in node.parents:
         for partial in node.partials:
             share[parent] += share[node] * partial
     """,
     "Every parent gets every partial. They go in pairs: the first partial belongs to the first parent. zip pairs "
     "them."),
    ("backward", 6, ..., """
     def backward(order):
         share = {n: 0.0 for n in order}
         share[order[-1]] = 1.0
         for n in reversed(order):
             n.grad += share[n]
             for p in n.parents:
                 share[p] += share[n] * n.partials[0]
     """, "Every parent got the same partial, the first. Each has one of its own, in the order of the parents."),
    ("backward", 3, "+= share[node] * partial", "= max(share[parent], share[node] * partial, key=abs)",
     "Where two shares arrive, you keep the larger one. They are added: what comes along one path does not make up "
     "for the other."),
    ("backward", 5, "node.grad += share[node]", """
     if not node.parents:
         node.grad += share[node]
     """, "Only the inputs get a grad. Every node of the order has one: c, in the middle, and d, the output."),
    ("backward", 1, ..., """
     def backward(order):
         order[-1].grad = 1.0
         for node in reversed(order):
             for parent, partial in zip(node.parents, node.partials):
                 parent.grad += node.grad * partial
     """,
     "The second pass finds 5 in c.grad, left there by the first, adds its own 5, and passes on 10: the old share is "
     "counted again. Keep the shares of one pass apart (in a dict, say), and add them to .grad at the end."),
    ("backward", 1, ..., """
     def backward(order):
         order[-1].grad += 1.0
         for node in reversed(order):
             for parent, partial in zip(node.parents, node.partials):
                 parent.grad += node.grad * partial
     """,
     "The second pass starts with 2 at the output, because the 1 of the first is still there, and what it finds in "
     "c.grad is counted again as well. Keep the shares of one pass apart (in a dict, say), and add them to .grad at "
     "the end."),
    ("backward", 3, "share[parent] += share[node] * partial", "share[parent] = share[node] * partial",
     "You overwrite the share of c instead of adding to it. Two paths lead from c to e; what came along one of them "
     "is lost."),
    ("backward", 1, "node.grad += share[node]", "node.grad = share[node]",
     "The second call forgot the first: .grad holds what one call gives. Gradients add up here until somebody calls "
     "zero_grad: work with fresh shares of your own, then add them to .grad."),
    ("backward", 5, "for node in order:", "for node in order[:-1]:",
     "The nodes between have no grad, or the output has none. Each node keeps its share: the grad of the output is "
     "1, and inner nodes have grads, too."),
    ("backward", 6, "share[order[-1]] = 1.0", "share[order[-1]] = order[-1].value",
     "You start with the output's value. Start with the derivative of the output with respect to itself, which does "
     "not depend on its value."),
    ("backward", 3, "in zip(node.parents, node.partials)", "in dict(zip(node.parents, node.partials)).items()",
     "A node may have the same parent twice, as a + a has. In a dict from parents to partials the second replaces "
     "the first, and one share is lost."),

    # zero_grad · Task 3 · And again
    ("zero_grad", 1, "node.grad = 0.0", """
     node.grad = 0
     node.value *= 0
     """, "The values were set to 0, too. Only the gradients start afresh."),
    ("zero_grad", 2, "node.grad = 0.0", "node.grad = None",
     "None is not a number: the next `grad += ...` would fail. Set each grad to 0."),
    ("zero_grad", 1, "for node in order:", "for node in order[:-1]:",
     "One node is left out: c, the last one, still remembers 9, and perhaps all that are computed. Every node of the "
     "order has a grad."),
    ("zero_grad", 2, "node.grad = 0.0", """
     if node.parents:
         node.grad = 0.0
     """, "The computed nodes are at 0, but the inputs still remember theirs. Every node of the order has a grad."),
    ("zero_grad", 1, "node.grad = 0.0", """
     if not node.parents:
         node.grad = 0.0
     """,
     "One node is left out: c, the last one, still remembers 9, and perhaps all that are computed. Every node of the "
     "order has a grad."),
    ("zero_grad", 2, ..., """
     def zero_grad(order):
         order[-1].grad = 0.0
     """,
     "a still remembers 7: its grad was not set. Every node of the order has a grad, and = sets it; == only compares."),

    # forward · Task 4 · Run it again
    ("forward", 3, ..., """
     def forward(order):
         for node in order:
             if node.parents:
                 node.value, node.partials = node.rule(*[parent.value for parent in order[: len(node.parents)]])
     """,
     "Your rule gets the first values of the order, whoever they belong to. It wants those of the node's own "
     "parents: node.parents."),
    ("forward", 1, ..., """
     def forward(order):
         for n in order:
             n.grad = 0.0
             if n.parents:
                 n.value, n.partials = n.rule(*[p.value for p in n.parents])
     """,
     "The values are right, and every grad was set to 0 on the way. Gradients add up until somebody calls zero_grad: "
     "with a batch in two halves, the first half would be lost."),
    ("forward", 3, "node.value, node.partials = node.rule(*[parent.value for parent in node.parents])", """
     value, node.partials = node.rule(*[parent.value for parent in node.parents])
     node.value += value
     """, "The new value was added to the old one. It takes its place."),
    ("forward", 3, ..., """
     def forward(order):
         for node in order:
             node.value, node.partials = node.rule(*[parent.value for parent in node.parents])
     """,
     "You ask every node for its rule, but an input such as a has none (its rule is None): it holds what somebody "
     "put there. Which nodes are computed from something?"),
    ("forward", 3, "node.value, node.partials = node.rule(*[parent.value for parent in node.parents])",
     "node.value = sum(p.value * d for p, d in zip(node.parents, node.partials))",
     "You computed the values from the partials. The rule of a node computes its value: node.rule(...)."),
    ("forward", 3, "[parent.value for parent in node.parents]", "node.parents",
     "You hand the rule the parents themselves. It computes with numbers: what is in each parent?"),
    ("forward", 2, "value, node.partials =", "value, _ =",
     "The values are new, but the partials are still those of the old numbers. The partial of c for b is a, and a is "
     "2 now. Every backward pass would use the wrong derivatives."),
    ("forward", 3, ..., """
     def forward(order):
         node = order[-1]
         node.value, node.partials = node.rule(*[p.value for p in node.parents])
     """,
     "Only the output is computed anew, from parents that still hold the old numbers. Every node with parents asks "
     "its rule, in order."),
    ("forward", 3, "node.value, node.partials = node.rule(*[parent.value for parent in node.parents])",
     "node.value, node.partials = node.rule([parent.value for parent in node.parents])",
     "The rule takes the values one by one, rule(u, v), and you give it one list. A star in front of the list takes "
     "it apart."),
    ("forward", 3, "node.value, node.partials", "value, partials",
     "The values are as they were. Either nothing keeps the new ones, in node.value and node.partials, or the rule "
     "was not given what the parents hold now."),
    ("forward", 3, "value, node.partials", "value",
     "The rule returns two things, the value and the partials, and you put both into .value."),
    ("forward", 3, "value, node.partials", "partials, node.value",
     "The rule returns (value, partials), in this order. You put the partials into .value."),
    ("forward", 3, "for node in order:", "for node in reversed(order):",
     "The value of c is new, that of d is not as it should be. Is d computed at all, after c, and from what c holds "
     "then? Take the nodes in order, and look up each parent's value when you need it."),
]
