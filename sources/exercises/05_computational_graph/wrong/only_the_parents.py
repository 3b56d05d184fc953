# replaces: order
# loses: 4
# hint: The list ends too soon: it has the output and its parents, but not what these were computed from. Go on,
#   until you come to nodes without parents.


def topological_order(output, parents):
    return [*parents(output), output]
