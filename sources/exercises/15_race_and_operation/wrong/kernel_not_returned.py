# replaces: kernel
# loses: 2
# hint: echo_kernel is a function that makes a function. The inner one is there, but nobody hands it out.


def echo_kernel(r):
    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * out[k - 1, j]
