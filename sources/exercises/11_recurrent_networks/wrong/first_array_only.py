# replaces: by_value
# loses: 2
# hint: A list with one array for each gradient was asked for. Only one array came back: does `return` stand inside
#   a loop?


def clip_by_value(gradients, limit):
    return np.clip(gradients[0], -limit, limit)
