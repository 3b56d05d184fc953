# replaces: by_value
# loses: 2
# hint: Everything is the limit now: the smaller of g and -limit is never above -limit. Which of minimum and maximum
#   belongs to which end?


def clip_by_value(gradients, limit):
    return [np.maximum(np.minimum(g, -limit), limit) for g in gradients]
