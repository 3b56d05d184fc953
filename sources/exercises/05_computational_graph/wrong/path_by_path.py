# replaces: backward
# loses: 2
# hint: You follow every path by itself, in a function that calls itself. In a row of 5,000 nodes that is too deep,
#   and with many paths too slow: go through the order once.


def backward(order):
    def follow(node, share):
        node.grad += share
        for parent, partial in zip(node.parents, node.partials):
            follow(parent, share * partial)

    follow(order[-1], 1.0)
