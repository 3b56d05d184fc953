# replaces: order
# loses: 4
# hint: The output itself is not in your list. It depends on all the others, so it comes last.


def topological_order(output, parents):
    order, seen, stack = [], set(), [(output, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            if node != output:
                order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in parents(node))
    return order
