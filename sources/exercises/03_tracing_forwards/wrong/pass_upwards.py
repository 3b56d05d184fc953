# replaces: pass
# loses: 3
# hint: You go up the tape. v2 asks for v1 before v1 has its tangent: every row needs the rows above it.


def forward_pass(tape, seed):
    t = {name: seed.get(name, 0.0) for name, _ in tape}
    for name, parts in reversed(tape):
        for n, p in parts:
            t[name] += p * t[n]
    return t
