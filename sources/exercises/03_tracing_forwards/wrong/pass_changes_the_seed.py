# replaces: pass
# loses: 3
# hint: The tangents were written into the seed that the caller gave you, and the caller may use it again. Start a
#   dict of your own.


def forward_pass(tape, seed):
    for name, parts in tape:
        if parts:
            seed[name] = sum(p * seed[n] for n, p in parts)
        else:
            seed.setdefault(name, 0.0)
    return seed
