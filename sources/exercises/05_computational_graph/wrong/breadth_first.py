# replaces: order
# loses: 2
# hint: You go back from the output and turn the list around at the end. That works while all paths to a node are
#   equally long. Here z = f(x, y) and y = g(x): x is one step away from z, and also two.


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
