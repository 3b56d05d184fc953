# replaces: kernel
# loses: 2
# hint: echo_kernel makes a function and has to return it. Is the `return` of the outer function missing, or does it
#   return something else than the inner function?


def echo_kernel(r):

    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * out[k - 1, j]

    return kernel(np.zeros((2, 2)), np.zeros((2, 2)))
