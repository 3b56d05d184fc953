# replaces: forward
# loses: 3
# hint: The value of c is new, that of d is not: d was computed from the value that c had before. Either d is
#   computed before c, or from values that you saved. Take the nodes in order, and look up each parent's value when
#   you need it.


def forward(order):
    for node in reversed(order):
        if node.parents:
            node.value, node.partials = node.rule(*[parent.value for parent in node.parents])
