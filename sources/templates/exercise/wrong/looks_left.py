# replaces: forward
# loses: 2
# hint: Your two points are x - h and x. The task asks for the slope to the right of x.


def forward_difference(f, x, h):
    return (f(x) - f(x - h)) / h
