# replaces: by_fft
# loses: 2
# hint: The result still has the picture's size. In its last row and column the filter continues on the opposite
#   side: leave them out.


def slide_by_fft(x, w):
    return np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape)), x.shape)
