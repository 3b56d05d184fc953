# replaces: kernel
# loses: 2
# hint: The echo is too weak by a factor r, or too strong: what is in out already has its own powers of r.
#   Multiply by r once.


def echo_kernel(r):
    def kernel(a, out):
        out[0] = a[0]
        for k in range(1, len(a)):
            out[k] = a[k] + out[k - 1] * r * r

    return kernel
