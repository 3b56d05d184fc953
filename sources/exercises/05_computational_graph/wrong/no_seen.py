# replaces: order
# loses: 3
# hint: Node a is in the list twice. It has two children, and you reached it from both. What could you
#   remember about a node when you meet it for the first time?


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
