# replaces: by_fft
# loses: 2
# hint: You kept the part at the lower right. The places where the filter stays inside are at the upper left.


def slide_by_fft(x, w):
    frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
    y = np.fft.irfft2(frequencies, x.shape)
    return y[w.shape[0] - 1 :, w.shape[1] - 1 :]
