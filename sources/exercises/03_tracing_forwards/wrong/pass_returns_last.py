# replaces: pass
# loses: 3
# hint: You return the tangent of the last row alone. Every row of the table has a tangent: return the whole dict.


def forward_pass(tape, seed):
    tangent = {}
    for name, made_of in tape:
        tangent[name] = seed.get(name, 0.0) + sum(partial * tangent[earlier] for earlier, partial in made_of)
    return tangent[name]
