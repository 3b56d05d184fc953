# replaces: vjp
# loses: 3
# hint: f runs once for each output in your vjp. One run and one backward pass are enough for all outputs: that is
#   what the weights are for.


def vjp(f, x, w):
    total = [0.0 for _ in x]
    for k, weight in enumerate(w):
        tape, inputs, outputs = record(f, x)
        adjoint = backward_pass(tape, {outputs[k]: weight})
        total = [a + adjoint[name] for a, name in zip(total, inputs)]
    return total
