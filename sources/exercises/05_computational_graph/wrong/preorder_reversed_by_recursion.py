# replaces: order
# loses: 4
# hint: You put a node into the list before its parents, and turn the list round. Where paths of different
#   lengths meet, that is another order: put it in AFTER its parents, and turn nothing.


def topological_order(output, parents):
    order, seen = [], set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        order.append(node)
        for p in parents(node):
            visit(p)

    visit(output)
    return order[::-1]
