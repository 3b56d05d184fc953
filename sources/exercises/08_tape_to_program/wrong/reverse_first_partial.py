# replaces: reverse
# loses: 4
# hint: Both inputs get the first partial derivative of the row. TABLE has one for each input, in order.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x in inputs:
            if x.isidentifier():
                p = TABLE[operation][1][0].format(a=inputs[0], b=inputs[-1], v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({p})")
                written.add(x)
    return lines
