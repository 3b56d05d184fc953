# replaces: forward
# loses: 3
# hint: The new values are computed, but nothing keeps them: put them into node.value and node.partials.


def forward(order):
    for node in order:
        if node.parents:
            value, partials = node.rule(*[parent.value for parent in node.parents])
