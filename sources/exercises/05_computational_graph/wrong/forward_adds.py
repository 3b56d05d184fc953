# replaces: forward
# loses: 3
# hint: The new value was added to the old one. It takes its place.


def forward(order):
    for node in order:
        if node.parents:
            value, node.partials = node.rule(*[parent.value for parent in node.parents])
            node.value += value
