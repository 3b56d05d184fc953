# replaces: by_fft
# loses: 2
# hint: You cut out as many rows and columns as the FILTER has. The filter fits into the picture at x.shape[0] -
#   w.shape[0] + 1 places.


def slide_by_fft(x, w):
    frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
    y = np.fft.irfft2(frequencies, x.shape)
    return y[: w.shape[0], : w.shape[1]]
