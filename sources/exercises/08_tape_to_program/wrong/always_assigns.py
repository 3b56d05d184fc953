# replaces: reverse
# loses: 2
# hint: Every line says `=`, so for a name that is used twice only the last share is left. The first line may write,
#   the later ones must add.


def reverse_lines(tape):
    lines = [f"{tape[-1][0]}_bar = 1.0"]
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar = {name}_bar * ({slope})")
    return lines
