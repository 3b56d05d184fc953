# replaces: forward
# loses: 3
# hint: The values are as they were. Either nothing keeps the new ones, in node.value and node.partials, or the rule
#   was not given what the parents hold now.


def forward(order):
    for node in order:
        if node.parents:
            value, partials = node.rule(*[parent.value for parent in node.parents])
