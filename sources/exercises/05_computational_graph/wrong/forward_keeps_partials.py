# replaces: forward
# loses: 2
# hint: The values are new, but the partials are still those of the old numbers. The partial of c for b is a, and a
#   is 2 now. Every backward pass would use the wrong derivatives.


def forward(order):
    for node in order:
        if node.parents:
            node.value, _ = node.rule(*[parent.value for parent in node.parents])
