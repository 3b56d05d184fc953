# replaces: pass
# loses: 3
# hint: Only the last pair of each row counts in your pass. v1 was made of x1 and of x2: add up their terms instead
#   of replacing one by the other.


def forward_pass(tape, seed):
    tangent = {}
    for name, made_of in tape:
        tangent[name] = seed.get(name, 0.0)
        for earlier, partial in made_of:
            tangent[name] = partial * tangent[earlier]
    return tangent
