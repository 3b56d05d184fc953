# replaces: reverse
# loses: 2
# hint: In the partial derivatives {v} stands for the VALUE of the step, and you put the name of its adjoint
#   there. For exp and tanh that is another number.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                p = partial.format(a=inputs[0], b=inputs[-1], v=name + "_bar")
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({p})")
                written.add(x)
    return lines
