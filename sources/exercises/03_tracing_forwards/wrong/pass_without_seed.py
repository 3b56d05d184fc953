# replaces: pass
# loses: 3
# hint: All your tangents are 0. Where do the tangents of the inputs come from?


def forward_pass(tape, seed):
    tangent = {}
    for name, made_of in tape:
        tangent[name] = sum(partial * tangent[earlier] for earlier, partial in made_of)
    return tangent
