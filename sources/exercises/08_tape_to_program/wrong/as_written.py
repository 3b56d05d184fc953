# replaces: program
# loses: 2
# hint: The numbers are right, but every operation makes a new array. Give each operation its `out=`, an array that
#   make_program made.


def make_program(n):
    def program(x, y):
        t = np.tanh(x * y)
        v1_bar = x * (1 - t * t)
        return t + v1_bar * y, v1_bar * x

    return program
