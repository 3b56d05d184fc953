# replaces: kernel
# loses: 2
# hint: The numbers are right, but arrays were made on the way, by a function that works with whole rows. numba
#   wants plain loops over single numbers here.


def echo_kernel(r):
    def kernel(a, out):
        return echo_value(a, r, out)

    return kernel
