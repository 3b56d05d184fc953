# replaces: pass
# loses: 3
# hint: You add up the tangents of what a row was made of, but each of them has a factor: the partial derivative
#   beside its name.


def forward_pass(tape, seed):
    tangent = {}
    for name, made_of in tape:
        tangent[name] = seed.get(name, 0.0) + sum(tangent[earlier] for earlier, partial in made_of)
    return tangent
