# replaces: backward
# loses: 1
# hint: The second pass finds 5 in c.grad, left there by the first, adds its own 5, and passes on 10: the old share
#   is counted again. Keep the shares of one pass apart (in a dict, say), and add them to .grad at the end.


def backward(order):
    order[-1].grad = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            parent.grad += node.grad * partial
