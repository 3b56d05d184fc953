# replaces: pass
# loses: 3
# hint: The partial and the tangent were added. Each term is their product: partial derivative times tangent.


def forward_pass(tape, seed):
    t = {}
    for name, parts in tape:
        t[name] = seed.get(name, 0.0) + sum(p + t[n] for n, p in parts)
    return t
