# replaces: by_fft
# loses: 2
# hint: The filter was rotated before the transform. With the conjugate it must not be; without it, the result also
#   sits in another corner.


def slide_by_fft(x, w):
    frequencies = np.fft.rfft2(x) * np.fft.rfft2(w[::-1, ::-1], x.shape)
    y = np.fft.irfft2(frequencies, x.shape)
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
