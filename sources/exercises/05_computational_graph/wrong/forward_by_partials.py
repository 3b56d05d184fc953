# replaces: forward
# loses: 3
# hint: You computed the values from the partials. The rule of a node computes its value: node.rule(...).


def forward(order):
    for node in order:
        if node.parents:
            node.value = sum(p.value * d for p, d in zip(node.parents, node.partials))
