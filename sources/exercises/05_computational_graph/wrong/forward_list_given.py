# replaces: forward
# loses: 3
# hint: The rule takes the values one by one, rule(u, v), and you give it one list. A star in front of the list
#   takes it apart.


def forward(order):
    for node in order:
        if node.parents:
            node.value, node.partials = node.rule([parent.value for parent in node.parents])
