"""MNIST and Fashion-MNIST: find or download the original files, check them, and turn them into arrays.

torchvision downloads: it knows the mirrors, and its folder layout (`MNIST/raw/` with train-images-idx3-ubyte and so on,
each file plain or as .gz) is common on disk already. Our own reader (idx.py) always reads: so the course runs from a
folder of files without PyTorch, a damaged file gets a name and a remedy, and there is one way through the code to test.

The files are looked up in the folder that the environment variable MINIGRAD_DATA names, else in the user's cache. If
they are complete, nothing is downloaded and nothing is written.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import Data, DataError
from minigrad_course.data.idx import read_idx

# Training images and labels, test images and labels.
PARTS = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


@dataclass(frozen=True)
class Original:
    """A data set as its authors publish it: four files and their properties."""

    name: str  # of our function
    torchvision_name: str  # of torchvision's class, and of the folder
    title: str
    licence: str
    md5: tuple[str, str, str, str]  # checksums of the four PARTS, not compressed
    lengths: tuple[int, int] = (60_000, 10_000)  # images to train on, images to test on


MNIST = Original(
    name="mnist",
    torchvision_name="MNIST",
    title="MNIST",
    licence="CC BY-SA 3.0 (Y. LeCun, C. Cortes, C. Burges)",
    md5=(
        "6bbc9ace898e44ae57da46a324031adb",
        "a25bea736e30d166cdddb491f175f624",
        "2646ac647ad5339dbf082846283269ea",
        "27ae3e4e09519cfbb04c329615203637",
    ),
)

FASHION_MNIST = Original(
    name="fashion_mnist",
    torchvision_name="FashionMNIST",
    title="Fashion-MNIST",
    licence="MIT (Zalando SE)",
    md5=(
        "f4a8712d7a061bf5bd6d2ca38dc4d50a",
        "9018921c3c673c538a1fc5bad174d6f9",
        "8181f5470baa50b63fa0f6fddb340f0a",
        "15d484375f8d13e6eb1aabb0c3f46965",
    ),
)


def mnist() -> Data:
    """Real MNIST: 60,000 training and 10,000 test images of handwritten digits, as `Data`.

    train_x (60000, 784) and test_x (10000, 784) float32 in [0, 1]: the original byte / 255, as torchvision's ToTensor
    has it; labels int64, 0 to 9. Read from MINIGRAD_DATA or the user's cache; if the files are not there, torchvision
    downloads them (12 MB, once). Takes 220 MB of memory. Raises DataError if they cannot be had or one is damaged.
    """
    return load(MNIST)


def fashion_mnist() -> Data:
    """Fashion-MNIST: 60,000 training and 10,000 test pictures of clothes, shaped and loaded like `mnist()` (31 MB).

    Classes 0 to 9: T-shirt/top, trouser, pullover, dress, coat, sandal, shirt, sneaker, bag, ankle boot.
    """
    return load(FASHION_MNIST)


def load(original: Original) -> Data:
    """Read the four files, downloading them first if some are missing. Raises DataError."""
    folder = data_folder(original)
    if missing_files(folder):
        from minigrad_course.data.download import download

        download(original, folder)
    try:
        train_x, train_y, test_x, test_y = read_parts(original, folder)
    except DataError as error:
        raise DataError(
            f"{error} Delete that file and ask for {original.title} again: it will be downloaded anew. "
            "Or use the embedded digits: minigrad_course.data.digits()."
        ) from None
    source = f"{original.title}, read from {folder}"
    return Data(train_x, train_y, test_x, test_y, original.name, source, original.licence)


def data_folder(original: Original) -> Path:
    """The folder that has, or will get, the files: absolute, in torchvision's layout."""
    inside = Path(original.torchvision_name, "raw")
    setting = os.environ.get("MINIGRAD_DATA")
    if not setting:
        return cache_folder() / inside
    base = Path(os.path.expanduser(setting))
    # A relative path refers to the folder where the command was typed. A notebook runs in its own folder, further down.
    here = Path.cwd()
    for start in (here, *here.parents):
        if (start / base / inside).is_dir():
            return (start / base / inside).resolve()
    return (here / base / inside).resolve()


def cache_folder() -> Path:
    """Return the system's folder for files that a program can fetch again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base), "minigrad", "data")


def missing_files(folder: Path) -> list[str]:
    """Return the names of the files that exist neither plain nor as .gz."""
    return [part for part in PARTS if not any((folder / name).is_file() for name in (part, part + ".gz"))]


def read_parts(original: Original, folder: Path) -> list[np.ndarray]:
    """Training images and labels, test images and labels, each file checked. Raises DataError, which names the file."""
    train, test = original.lengths
    return [
        _read_part(original, folder, part, length, md5)
        for part, length, md5 in zip(PARTS, (train, train, test, test), original.md5, strict=True)
    ]


def _read_part(original: Original, folder: Path, part: str, length: int, md5: str) -> np.ndarray:
    """Images as float32 (length, 784) in [0, 1], labels as int64 (length,)."""
    path = folder / part if (folder / part).is_file() else folder / (part + ".gz")
    shape = (length, 28, 28) if "images" in part else (length,)
    numbers = read_idx(path, shape, md5)
    if len(shape) == 1:
        return numbers.astype(np.int64)
    return numbers.reshape(length, 784) / np.float32(255)
