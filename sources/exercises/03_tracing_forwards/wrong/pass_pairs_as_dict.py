# replaces: pass
# loses: 3
# hint: A row may be made of the same value twice, as x * x is: two pairs with one name. If the second replaces the
#   first (in a dict of pairs, say), half of the tangent is gone.


def forward_pass(tape, seed):
    tangent = {}
    for name, made_of in tape:
        partials = dict(made_of)
        tangent[name] = seed.get(name, 0.0) + sum(p * tangent[earlier] for earlier, p in partials.items())
    return tangent
