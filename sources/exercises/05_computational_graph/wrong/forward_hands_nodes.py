# replaces: forward
# loses: 3
# hint: You hand the rule the parents themselves. It computes with numbers: what is in each parent?


def forward(order):
    for node in order:
        if node.parents:
            node.value, node.partials = node.rule(*node.parents)
