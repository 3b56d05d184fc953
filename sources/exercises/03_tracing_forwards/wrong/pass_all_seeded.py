# replaces: pass
# loses: 3
# hint: Inputs that are not in the seed got the tangent 1. They do not move in this pass: their tangent is 0.


def forward_pass(tape, seed):
    tangent = {}
    for name, made_of in tape:
        tangent[name] = (0.0 if made_of else seed.get(name, 1.0)) + sum(
            partial * tangent[earlier] for earlier, partial in made_of
        )
    return tangent
