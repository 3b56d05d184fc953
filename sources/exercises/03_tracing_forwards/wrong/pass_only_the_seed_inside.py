# replaces: pass
# loses: 3
# hint: x2 is not in the seed, so it is not in your dict either when v1 asks for it. An input that is not in the
#   seed has the tangent 0: put it in.


def forward_pass(tape, seed):
    tangent = dict(seed)
    for name, made_of in tape:
        if made_of:
            tangent[name] = sum(partial * tangent[earlier] for earlier, partial in made_of)
    return tangent
