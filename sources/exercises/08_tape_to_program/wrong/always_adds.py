# replaces: reverse
# loses: 4
# hint: The first line that writes an adjoint says `+=`, and there is nothing yet to add to. Remember which names
#   have been written.


def reverse_lines(tape):
    lines = [f"{tape[-1][0]}_bar = 1.0"]
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar += {name}_bar * ({slope})")
    return lines
