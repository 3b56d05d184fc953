# replaces: order
# loses: 3
# hint: Each node is in the list once, but you visit it, and all that is below it, once for every path that
#   leads there, and paths double and double again. Ask whether it is there BEFORE you visit its parents.


def topological_order(output, parents):
    order = []

    def visit(node):
        for p in parents(node):
            visit(p)
        if node not in order:
            order.append(node)

    visit(output)
    return order
