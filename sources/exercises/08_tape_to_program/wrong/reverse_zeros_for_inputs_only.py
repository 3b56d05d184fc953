# replaces: reverse
# loses: 2
# hint: Inputs add up in yours, but names in between are overwritten: one that is used twice keeps only the
#   last share. What holds for x holds for v1 as well.


def reverse_lines(tape):
    names = {x for _, _, inputs in tape for x in inputs if x.isidentifier()} - {name for name, _, _ in tape}
    lines = [f"{x}_bar = 0.0" for x in sorted(names)] + [f"{tape[-1][0]}_bar = 1.0"]
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                p = partial.format(a=inputs[0], b=inputs[-1], v=name)
                lines.append(f"{x}_bar {'+=' if x in names else '='} {name}_bar * ({p})")
    return lines
