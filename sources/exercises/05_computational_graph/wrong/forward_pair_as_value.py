# replaces: forward
# loses: 3
# hint: The rule returns two things, the value and the partials, and you put both into .value.


def forward(order):
    for node in order:
        if node.parents:
            node.value = node.rule(*[parent.value for parent in node.parents])
