# replaces: forward
# loses: 3
# hint: The value of c is new, that of d is not as it should be. Is d computed at all, after c, and from what c
#   holds then? Take the nodes in order, and look up each parent's value when you need it.


def forward(order):
    for node in reversed(order):
        if node.parents:
            node.value, node.partials = node.rule(*[parent.value for parent in node.parents])
