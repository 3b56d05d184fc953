# replaces: pass
# loses: 3
# hint: The inputs that are not in the seed are missing from your dict. EVERY row was asked for, and such an
#   input has the tangent 0.


def forward_pass(tape, seed):
    tangent = dict(seed)
    for name, made_of in tape:
        if made_of:
            tangent[name] = sum(partial * tangent.get(earlier, 0.0) for earlier, partial in made_of)
    return tangent
