# replaces: kernel
# loses: 2
# hint: The second column begins with what was left of the first: the echo must begin anew at the top of each
#   column.


def echo_kernel(r):
    def kernel(a, out):
        v = 0.0
        for j in range(a.shape[1]):
            for k in range(a.shape[0]):
                v = a[k, j] + r * v
                out[k, j] = v

    return kernel
