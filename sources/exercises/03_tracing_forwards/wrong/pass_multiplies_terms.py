# replaces: pass
# loses: 3
# hint: The terms of a row were multiplied. What comes from its two inputs adds up.


def forward_pass(tape, seed):
    t = {}
    for name, parts in tape:
        if not parts:
            t[name] = seed.get(name, 0.0)
        else:
            t[name] = 1.0
            for n, p in parts:
                t[name] *= p * t[n]
    return t
