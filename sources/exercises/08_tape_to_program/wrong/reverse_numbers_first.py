# replaces: reverse
# loses: 2
# hint: You took the numbers out of the inputs first, and the partial derivatives moved up: the second input met the
#   partial derivative of the first. Pair them, then leave out the numbers.


def reverse_lines(tape):
    lines, seen = [f"{tape[-1][0]}_bar = 1.0"], set()
    for n, op, ins in reversed(tape):
        for x, d in zip([i for i in ins if i.isidentifier()], TABLE[op][1]):
            lines.append(f"{x}_bar {'+=' if x in seen else '='} {n}_bar * ({d.format(a=ins[0], b=ins[-1], v=n)})")
            seen.add(x)
    return lines
