# replaces: kernel
# loses: 2
# hint: The values are right, but a was changed on the way. Write into out alone.


def echo_kernel(r):

    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[k, j] = a[k, j] + r * a[k - 1, j]
                out[k, j] = a[k, j]

    return kernel
