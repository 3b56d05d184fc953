# replaces: order
# loses: 3
# hint: A node is in front of one of its parents. You noted each node when you met it first, and turned the list
#   round at the end. If a node is met early along a short path, it comes too late then: note it when all its
#   parents are noted.


def topological_order(output, parents):
    order, seen, stack = [], set(), [output]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            order.append(node)
            stack.extend(parents(node))
    return order[::-1]
