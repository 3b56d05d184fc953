# replaces: by_fft
# loses: 2
# hint: The filter was rotated, and then the conjugate rotates it again. One of the two is enough.


def slide_by_fft(x, w):
    y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w[::-1, ::-1], x.shape)), x.shape)
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
