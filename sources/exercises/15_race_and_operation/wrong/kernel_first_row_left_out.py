# replaces: kernel
# loses: 2
# hint: The first row of out still holds what was there before: nobody writes it, and everything after it is an echo
#   of that.


def echo_kernel(r):
    def kernel(a, out):
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * out[k - 1, j]

    return kernel
