# replaces: kernel
# loses: 2
# hint: Your kernel works with a fixed number in place of r. A function inside a function may use the r around it.


def echo_kernel(r):
    def kernel(a, out):
        for j in range(a.shape[1]):
            v = 0.0
            for k in range(a.shape[0]):
                v = a[k, j] + 0.5 * v
                out[k, j] = v

    return kernel
