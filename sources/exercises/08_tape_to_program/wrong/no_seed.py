# replaces: reverse
# loses: 4
# hint: Where does the first adjoint come from? The output moves by 1 when it moves by 1: that line, the seed, is missing.


def reverse_lines(tape):
    lines, written = [], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")
                written.add(x)
    return lines
