# replaces: reverse
# loses: 4
# hint: The partial derivatives have changed places: the first one belongs to the first input.


def reverse_lines(tape):
    output = tape[-1][0]
    lines, written = [f"{output}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1][::-1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")
                written.add(x)
    return lines
