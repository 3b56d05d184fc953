# replaces: reverse
# loses: 4
# hint: A line uses an adjoint that no line above it has written. Three things do that: `+=` where the first line
#   should say `=`; lines in another order than from the last step to the first; another name than that of the step
#   with _bar behind it.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in tape:
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")
                written.add(x)
    return lines
