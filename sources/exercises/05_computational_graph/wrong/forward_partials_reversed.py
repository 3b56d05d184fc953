# replaces: forward
# loses: 2
# hint: The partials stand in the order of the parents, as the rule gives them. Yours are turned round.


def forward(order):
    for node in order:
        if node.rule:
            value, partials = node.rule(*(p.value for p in node.parents))
            node.value = value
            node.partials = tuple(reversed(partials))
