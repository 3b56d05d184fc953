# replaces: order
# loses: 4
# hint: You sorted the nodes by their names. That the diamond came out right is luck: a name says nothing
#   about what a node was computed from.


def topological_order(output, parents):
    seen, stack = {output}, [output]
    while stack:
        for p in parents(stack.pop()):
            if p not in seen:
                seen.add(p)
                stack.append(p)
    return sorted(seen, key=str)
