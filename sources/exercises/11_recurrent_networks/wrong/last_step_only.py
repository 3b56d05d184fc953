# replaces: bptt
# loses: 4
# hint: You have the share of the last step, and nothing from before. w was used in every step: the shares add up.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    inside = 1 - states[-1] ** 2
    return {"w": inside * xs[-1], "u": inside * states[-2]}
