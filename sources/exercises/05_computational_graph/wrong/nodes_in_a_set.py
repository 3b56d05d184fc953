# replaces: order
# loses: 4
# hint: A set has no order, and order is what was asked for. A set says WHETHER a node was met; the order
#   needs a list.


def topological_order(output, parents):
    seen, stack = set(), [output]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(parents(node))
    return seen
