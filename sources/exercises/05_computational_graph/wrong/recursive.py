# replaces: order
# loses: 1
# hint: Your function calls itself once for each node on the path, and Python stops near 1,000 calls. Keep a stack
#   of your own, a list of what is still to be done.


def topological_order(output, parents):
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for parent in parents(node):
                visit(parent)
            order.append(node)

    visit(output)
    return order
