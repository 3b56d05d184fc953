# replaces: order
# loses: 4
# hint: d comes first, but it needs b and c. You add a node when you meet it; it may join the list only when
#   all of its parents are in there. So you have to come back to it.


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
