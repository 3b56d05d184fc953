"""Pictures to learn from: real MNIST and Fashion-MNIST, and a small set of real handwriting inside the package.

Every set arrives as the same `Data`: `train_x`, `train_y`, `test_x`, `test_y` and a `name`. Images are float32 of shape
(N, 784) in [0, 1], one row per picture, its 28 pixel rows one after another: `x.reshape(-1, 28, 28)` makes them
pictures again. Labels are int64 of shape (N,).

    mnist(), fashion_mnist()    60,000 + 10,000 images; read from MINIGRAD_DATA or the user's cache, else downloaded
    digits()                    1,297 + 500 images; always there, no download
    for_lesson()                one of these, by the size in use, and a line that says which
    size()                      "small" or "full", from the environment variable MINIGRAD_SIZE
    batches(x, y, ...)          shuffled minibatches
    prices(path=None)           a made-up share's prices by day, or those in a CSV file of yours: see price_series.py

Reading order: dataset.py (the data class), embedded.py (digits), originals.py (MNIST), lesson.py (the choice for a
lesson); separately, price_series.py.
"""

from minigrad_course.data.dataset import Data, DataError, batches
from minigrad_course.data.embedded import digits
from minigrad_course.data.lesson import for_lesson, size
from minigrad_course.data.originals import fashion_mnist, mnist
from minigrad_course.data.price_series import Prices, prices

__all__ = [
    "Data", "DataError", "Prices", "batches", "digits", "fashion_mnist", "for_lesson", "mnist", "prices", "size",
]  # fmt: skip
