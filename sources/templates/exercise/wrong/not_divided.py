# replaces: forward
# loses: 2
# hint: You return how far f rises. A slope says how far it rises for each unit to the right: what is missing is the
#   distance.


def forward_difference(f, x, h):
    return f(x + h) - f(x)
