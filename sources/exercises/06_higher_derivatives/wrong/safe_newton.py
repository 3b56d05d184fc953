# replaces: safe_step
# loses: 2
# hint: That is Newton's own step, uphill. The curvature is -3: which µ makes it 1, and where does the step lead
#   then?


def safe_step(gradient, point):
    return newton_step(gradient, point)
