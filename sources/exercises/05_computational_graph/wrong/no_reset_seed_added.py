# replaces: backward
# loses: 1
# hint: The second pass starts with 2 at the output, because the 1 of the first is still there, and what it finds in
#   c.grad is counted again as well. Keep the shares of one pass apart (in a dict, say), and add them to .grad at
#   the end.


def backward(order):
    order[-1].grad += 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            parent.grad += node.grad * partial
