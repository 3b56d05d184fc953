# replaces: forward
# loses: 3
# hint: Only the output is computed anew, from parents that still hold the old numbers. Every node with
#   parents asks its rule, in order.


def forward(order):
    node = order[-1]
    node.value, node.partials = node.rule(*[p.value for p in node.parents])
