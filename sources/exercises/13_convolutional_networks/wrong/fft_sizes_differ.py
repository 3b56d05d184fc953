# replaces: by_fft
# loses: 2
# hint: You multiply the frequencies of a picture by those of a filter that has another size. rfft2(w, size) pads it
#   with zeros first.


def slide_by_fft(x, w):
    y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w)), x.shape)
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
