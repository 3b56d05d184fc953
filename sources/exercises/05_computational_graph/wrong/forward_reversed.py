# replaces: forward
# loses: 3
# hint: d was computed before c, from the value that c had before. Forward and backward go through the order from
#   different ends. Which one starts at the inputs?


def forward(order):
    for node in reversed(order):
        if node.parents:
            node.value, node.partials = node.rule(*[parent.value for parent in node.parents])
