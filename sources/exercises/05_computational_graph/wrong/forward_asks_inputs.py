# replaces: forward
# loses: 3
# hint: You ask every node for its rule, but an input such as a has none (its rule is None): it holds what somebody
#   put there. Which nodes are computed from something?


def forward(order):
    for node in order:
        node.value, node.partials = node.rule(*[parent.value for parent in node.parents])
