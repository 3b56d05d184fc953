# replaces: order
# loses: 2
# hint: A node counts as done when it is pushed, by whoever meets it first. Another path may need it earlier: mark
#   it when it is taken off the stack and its parents are dealt with.


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
