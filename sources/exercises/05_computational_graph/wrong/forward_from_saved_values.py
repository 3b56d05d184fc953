# replaces: forward
# loses: 3
# hint: The value of c is new, that of d is not as it should be. Is d computed at all, after c, and from what c
#   holds then? Take the nodes in order, and look up each parent's value when you need it.


def forward(order):
    saved = {node: node.value for node in order}
    for node in order:
        if node.parents:
            node.value, node.partials = node.rule(*[saved[parent] for parent in node.parents])
