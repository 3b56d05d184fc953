# replaces: forward
# loses: 3
# hint: The rule returns (value, partials), in this order. You put the partials into .value.


def forward(order):
    for node in order:
        if node.parents:
            node.partials, node.value = node.rule(*[parent.value for parent in node.parents])
