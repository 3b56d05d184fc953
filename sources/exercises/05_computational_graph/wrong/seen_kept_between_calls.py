# replaces: order
# loses: 3
# hint: A default such as `seen=set()` is made once, for all calls: the second graph finds the names of the first in
#   it. Start a new set in each call.


def topological_order(output, parents, seen=set()):
    order = []
    if output in seen:
        return order
    seen.add(output)
    for p in parents(output):
        order += topological_order(p, parents, seen)
    order.append(output)
    return order
