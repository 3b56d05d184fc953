"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong.py says how to add one."""

WRONG = [
    # order · Task 1 · Put the nodes in order
    ("order", 1, ..., """
     def topological_order(output, parents):
         depth, stack = {output: 0}, [output]
         while stack:
             node = stack.pop()
             for parent in parents(node):
                 if parent not in depth:
                     depth[parent] = depth[node] + 1
                     stack.append(parent)
         return sorted(depth, key=depth.get, reverse=True)
     """,
     "You sort by how far a node was from the output when you met it first. A longer way to it may exist, and then "
     "it comes too late: what counts is the longest."),
    ("order", 2, ..., """
     def topological_order(output, parents):
         order = [output]
         for node in order:
             for parent in parents(node):
                 if parent in order:
                     order.remove(parent)
                 order.append(parent)
         return order[::-1]
     """,
     "You take nodes out of the list that your loop goes through: what comes behind moves up, and the loop misses "
     "one. Note a node only when all of its parents are in the list."),
    ("order", 3, "parents(node)", "node.parents",
     "The nodes of a test may be names or numbers, which have no `.parents`. The function `parents` is handed to yours: "
     "parents(node) gives them."),
    ("order", 2, ..., """
     def topological_order(output, parents):
         order, seen, level = [], {output}, [output]
         while level:
             order.extend(level)
             following = []
             for node in level:
                 for parent in parents(node):
                     if parent not in seen:
                         seen.add(parent)
                         following.append(parent)
             level = following
         return order[::-1]
     """,
     "You go back from the output and turn the list around at the end. That works while all paths to a node are "
     "equally long. Here z = f(x, y) and y = g(x): x is one step away from z, and also two."),
    ("order", 2, ..., """
     def topological_order(output, parents):
         order, seen, stack = [], {output}, [(output, False)]
         while stack:
             node, done = stack.pop()
             if done:
                 order.append(node)
                 continue
             stack.append((node, True))
             for p in parents(node):
                 if p not in seen:
                     seen.add(p)
                     stack.append((p, False))
         return order
     """,
     "A node counts as done when it is pushed, by whoever meets it first. Another path may need it earlier: mark it "
     "when it is taken off the stack and its parents are dealt with."),
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
    ("order", 4, ..., """
     def topological_order(output, parents):
         order, seen, stack = [], {output}, [output]
         while stack:
             node = stack.pop()
             order.append(node)
             for parent in parents(node):
                 if parent not in seen:
                     seen.add(parent)
                     stack.append(parent)
         return order
     """,
     "d comes first, but it needs b and c. You add a node when you meet it; it may join the list only when all of "
     "its parents are in there. So you have to come back to it."),
    ("order", 3, ..., """
     def topological_order(output, parents):
         order, seen, stack = [], set(), [output]
         while stack:
             node = stack.pop()
             if node not in seen:
                 seen.add(node)
                 order.append(node)
                 stack.extend(parents(node))
         return order[::-1]
     """,
     "A node is in front of one of its parents. You noted each node when you met it first, and turned the list round "
     "at the end. If a node is met early along a short path, it comes too late then: note it when all its parents "
     "are noted."),
    ("order", 4, ..., """
     def topological_order(output, parents):
         order, seen = [], set()

         def visit(node):
             if node in seen:
                 return
             seen.add(node)
             order.append(node)
             for p in parents(node):
                 visit(p)

         visit(output)
         return order[::-1]
     """,
     "You put a node into the list before its parents, and turn the list round. Where paths of different lengths "
     "meet, that is another order: put it in AFTER its parents, and turn nothing."),
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
    ("order", 4, ..., """
     def topological_order(output, parents, order=[]):
         for parent in parents(output):
             if parent not in order:
                 topological_order(parent, parents)
         order.append(output)
         return order
     """,
     "A default such as `order=[]` is made once, for all calls: the list of the second graph begins with the nodes of "
     "the first. Start a new list in each call."),
    ("order", 3, ..., """
     def topological_order(output, parents, seen=set()):
         order = []
         if output in seen:
             return order
         seen.add(output)
         for p in parents(output):
             order += topological_order(p, parents, seen)
         order.append(output)
         return order
     """,
     "A default such as `seen=set()` is made once, for all calls: the second graph finds the names of the first in "
     "it. Start a new set in each call."),
    ("order", 4, ..., """
     def topological_order(output, parents):
         seen, stack = {output}, [output]
         while stack:
             for p in parents(stack.pop()):
                 if p not in seen:
                     seen.add(p)
                     stack.append(p)
         return sorted(seen, key=str)
     """,
     "You sorted the nodes by their names. That the diamond came out right is luck: a name says nothing about what a "
     "node was computed from."),
    ("order", 2, ..., """
     def topological_order(output, parents):
         order, stack = [], [output]
         while stack:
             n = stack[-1]
             missing = [p for p in parents(n) if p not in order]
             if missing:
                 stack.extend(missing)
             else:
                 order.append(stack.pop())
         return order
     """,
     "A node joins the list twice: two others put it on the stack, and when it comes up the second time it is "
     "already in the list. Look for it there before you append."),

    # backward · Task 2 · The backward pass
    ("backward", 2, ..., """
     def backward(order):
         share = dict.fromkeys((node.name for node in order), 0.0)
         share[order[-1].name] = 1.0
         for node in reversed(order):
             for parent, partial in zip(node.parents, node.partials):
                 share[parent.name] += share[node.name] * partial
         for node in order:
             node.grad += share[node.name]
     """,
     "Two nodes with the same name share one entry of your dict, and one sum. A name is only a label: keep what "
     "belongs to a node under the node itself."),
    ("backward", 6, "node.grad += share[node]", "node.grad == share[node]",
     "All grads are 0. Every share is a multiple of what the output starts with: what is the derivative of the "
     "output with respect to itself? And do your results arrive in .grad?"),
    ("backward", 3, """
     for parent, partial in zip(node.parents, node.partials):
         share[parent] += share[node] * partial
     """, """
     for parent in node.parents:
         share[parent] += share[node] * node.value / parent.value
     """,
     "You worked the partials out again, as if every node were a product: its value divided by the parent's. In a "
     "sum they are 1. The node has kept its partials: use them."),
    ("backward", 6, """
     for parent, partial in zip(node.parents, node.partials):
         share[parent] += share[node] * partial
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
    ("backward", 6, """
     for parent, partial in zip(node.parents, node.partials):
         share[parent] += share[node] * partial
     """, """
     for parent in node.parents:
         share[parent] += share[node]
     """,
     "Each parent gets the node's whole share, without a factor. k changes d by c = 12 for each unit of its own: "
     "which number of the node says so?"),
    ("backward", 6, "for node in reversed(order):", "for node in order:",
     "You go from the inputs to the output. When you come to c it has nothing yet to pass on: its share arrives from "
     "d, later. In which order does every node receive all its shares before it passes them on?"),
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
    ("backward", 6, "share = dict.fromkeys(order, 0.0)", "share = dict.fromkeys(order, 1.0)",
     "Every node starts with 1. Only the output does; all others start with 0."),
    ("backward", 3, "share[parent] += share[node] * partial", "share[parent] = share[node] * partial",
     "You overwrite the share of c instead of adding to it. Two paths lead from c to e; what came along one of them "
     "is lost."),
    ("backward", 1, "node.grad += share[node]", "node.grad = share[node]",
     "The second call forgot the first: .grad holds what one call gives. Gradients add up here until somebody calls "
     "zero_grad: work with fresh shares of your own, then add them to .grad."),
    ("backward", 5, "for node in order:", "for node in order[:-1]:",
     "The nodes between have no grad, or the output has none. Each node keeps its share: the grad of the output is "
     "1, and inner nodes have grads, too."),
    ("backward", 6, "share[parent] += share[node] * partial", "share[parent] += share[node] * parent.value",
     "You multiply by the parent's value. The factor is the partial, which is the value of the OTHER parent in a "
     "product."),
    ("backward", 6, "share[parent] += share[node] * partial", "share[parent] += partial",
     "Each parent gets the partial alone. What the node itself received is missing as a factor: that is the chain "
     "rule."),
    ("backward", 6, "(node.parents, node.partials):", "(node.parents, reversed(node.partials)):",
     "The partials have changed places: the first one belongs to the first parent."),
    ("backward", 2, ..., """
     def backward(order):
         def follow(node, share):
             node.grad += share
             for parent, partial in zip(node.parents, node.partials):
                 follow(parent, share * partial)

         follow(order[-1], 1.0)
     """,
     "You follow every path by itself, in a function that calls itself. In a row of 5,000 nodes that is too deep, "
     "and with many paths too slow: go through the order once."),
    ("backward", 2, ..., """
     def backward(order):
         share = {order[-1]: 1.0}
         for node in reversed(order):
             for parent, partial in zip(node.parents, node.partials):
                 share[parent] = share.get(parent, 0.0) + share[node] * partial
         for node in share:
             node.grad += share[node]
     """,
     "A node that the output does not depend on never got a share, and is asked for one. Its derivative is 0: let every "
     "node of the order start with a share of 0."),
    ("backward", 6, "share[order[-1]] = 1.0", "share[order[0]] = 1.0",
     "The 1 stands at the first node of the order. The output is the last one."),
    ("backward", 6, "share[order[-1]] = 1.0", "share[order[-1]] = order[-1].value",
     "You start with the output's value. Start with the derivative of the output with respect to itself, which does "
     "not depend on its value."),
    ("backward", 6, ..., """
     def backward(order):
         share = {n: 0.0 for n in order}
         share[order[-1]] = 1.0
         for n in reversed(order):
             n.grad += share[n]
             for p, d in zip(n.parents, n.partials):
                 share[p] += share[n] * d / len(n.parents)
     """,
     "Each parent got only a part of what it should: the share was divided among the parents. Both factors of a "
     "product get the whole share, times their partial."),
    ("backward", 5, ..., """
     def backward(order):
         share = {node.value: 0.0 for node in order}
         share[order[-1].value] = 1.0
         for node in reversed(order):
             for parent, partial in zip(node.parents, node.partials):
                 share[parent.value] += share[node.value] * partial
         for node in order:
             node.grad += share[node.value]
     """,
     "Two nodes may hold the same number, and then they share one entry of your dict. Keep what belongs to a node "
     "under the node itself."),
    ("backward", 3, "in zip(node.parents, node.partials)", "in dict(zip(node.parents, node.partials)).items()",
     "A node may have the same parent twice, as a + a has. In a dict from parents to partials the second replaces "
     "the first, and one share is lost."),
    ("backward", 6, ..., """
     def backward(order):
         share = {n: 0.0 for n in order}
         share[order[-1]] = 1.0
         for n in order:
             n.grad += share[n]
             for p, d in zip(n.parents, n.partials):
                 share[p] += share[n] * d
     """,
     "Nothing arrives at the inputs: you go through the order from its beginning, and when you come to a node it "
     "has received nothing to pass on. In which order has each node all of its shares?"),
    ("backward", 6, "share[node] * partial", "share[parent] * partial",
     "Nothing arrives: you multiply what the parent has so far, which is 0. What is passed on is the node's own "
     "share, times the partial."),

    # zero_grad · Task 3 · And again
    ("zero_grad", 2, ..., """
     def zero_grad(order):
         return [0.0 for n in order]
     """, "You return a list of zeros, and the nodes keep what they have. Set the .grad of each node."),
    ("zero_grad", 2, "node.grad = 0.0", "node = 0.0",
     "`n = 0.0` gives the loop's name to a number, and leaves the node alone. Which part of the node is to become 0?"),
    ("zero_grad", 1, "node.grad = 0.0", """
     node.grad = 0
     node.value *= 0
     """, "The values were set to 0, too. Only the gradients start afresh."),
    ("zero_grad", 2, "node.grad = 0.0", "node.grad == 0.0",
     "a still remembers 7: its grad was not set. Every node of the order has a grad, and = sets it; == only compares."),
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
    ("forward", 2, ..., """
     def forward(order):
         for node in order:
             if node.rule:
                 value, partials = node.rule(*(p.value for p in node.parents))
                 node.value = value
                 node.partials = tuple(reversed(partials))
     """, "The partials stand in the order of the parents, as the rule gives them. Yours are turned round."),
    ("forward", 3, "for node in order:", "for node in reversed(order):",
     "The value of c is new, that of d is not as it should be. Is d computed at all, after c, and from what c holds "
     "then? Take the nodes in order, and look up each parent's value when you need it."),
    ("forward", 1, ..., """
     def forward(order):
         values = {}
         for node in order:
             if node.parents:
                 node.value, node.partials = node.rule(*[values[p.name] for p in node.parents])
             values[node.name] = node.value
     """,
     "Two nodes may have the same name: a dict by names has one value for both. Ask the parents themselves."),
    ("backward", 2, "for parent, partial in zip(node.parents, node.partials):", """
     for parent in node.parents:
         partial = node.partials[node.parents.index(parent)]
     """,
     "A node may have the same parent twice, with two partials, and `index` finds the first. Go through both side by side."),
]
