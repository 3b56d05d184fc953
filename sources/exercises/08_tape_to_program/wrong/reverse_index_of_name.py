# replaces: reverse
# loses: 2
# hint: For x / x you took the same partial derivative twice: .index(x) finds the first place of a name only. Go
#   through inputs and partial derivatives side by side.


def reverse_lines(tape):
    lines, seen = [f"{tape[-1][0]}_bar = 1.0"], set()
    for n, op, ins in reversed(tape):
        for x in ins:
            if x.isidentifier():
                d = TABLE[op][1][ins.index(x)]
                lines.append(f"{x}_bar {'+=' if x in seen else '='} {n}_bar * ({d.format(a=ins[0], b=ins[-1], v=n)})")
                seen.add(x)
    return lines
