# replaces: mode
# loses: 2
# hint: A word was asked for, "forward" or "reverse". You return the price.


def cheaper(inputs, outputs, price):
    return min(inputs, outputs * price)
