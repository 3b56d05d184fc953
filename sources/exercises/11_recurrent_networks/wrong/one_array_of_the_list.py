# replaces: by_value
# loses: 2
# hint: Only one array came back: `return` stands inside the loop. Collect all of them in a list first.


def clip_by_value(gradients, limit):
    for g in gradients:
        return [np.clip(g, -limit, limit)]
