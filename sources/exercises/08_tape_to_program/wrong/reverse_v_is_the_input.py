# replaces: reverse
# loses: 4
# hint: {v} in a partial derivative is the value of the STEP. You put in the input's name.


def reverse_lines(tape):
    lines, seen = [f"{tape[-1][0]}_bar = 1.0"], set()
    for n, op, ins in reversed(tape):
        for x, d in zip(ins, TABLE[op][1]):
            if x.isidentifier():
                lines.append(f"{x}_bar {'+=' if x in seen else '='} {n}_bar * ({d.format(a=ins[0], b=ins[-1], v=x)})")
                seen.add(x)
    return lines
