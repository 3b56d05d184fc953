"""MNIST and Fashion-MNIST: find or download the original files, check them, and turn them into arrays.

The files are looked up in the folder that the environment variable MINIGRAD_DATA names, else in the user's cache, each
plain or as .gz, in torchvision's layout (`MNIST/raw/` with train-images-idx3-ubyte and so on), which is common on disk
already. If they are complete, nothing is downloaded and nothing is written.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
import urllib.request
import zlib
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import Data, DataError

SECONDS_OF_SILENCE = 30  # after which an address counts as gone

# Training images and labels, test images and labels.
PARTS = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


@dataclass(frozen=True)
class Original:
    """A data set as its authors publish it: four files and their properties."""

    name: str  # of our function
    folder: str
    title: str
    licence: str
    address: str  # where the files are to be had as .gz
    md5: tuple[str, str, str, str]  # checksums of the four PARTS, not compressed


MNIST = Original(
    name="mnist",
    folder="MNIST",
    title="MNIST",
    licence="CC BY-SA 3.0 (Y. LeCun, C. Cortes, C. Burges)",
    address="https://ossci-datasets.s3.amazonaws.com/mnist/",
    md5=(
        "6bbc9ace898e44ae57da46a324031adb",
        "a25bea736e30d166cdddb491f175f624",
        "2646ac647ad5339dbf082846283269ea",
        "27ae3e4e09519cfbb04c329615203637",
    ),
)

FASHION_MNIST = Original(
    name="fashion_mnist",
    folder="FashionMNIST",
    title="Fashion-MNIST",
    licence="MIT (Zalando SE)",
    address="http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
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
    has it; labels int64, 0 to 9. Read from MINIGRAD_DATA or the user's cache; if the files are not there, they
    are downloaded (12 MB, once). Takes 220 MB of memory. Raises DataError if they cannot be had or one is damaged.

    >>> mg.data.mnist().train_x.shape  # doctest: +SKIP
    (60000, 784)
    """
    return load(MNIST)


def fashion_mnist() -> Data:
    """Fashion-MNIST: 60,000 training and 10,000 test pictures of clothes, shaped and loaded like `mnist()` (31 MB).

    Classes 0 to 9: T-shirt/top, trouser, pullover, dress, coat, sandal, shirt, sneaker, bag, ankle boot.

    >>> mg.data.fashion_mnist().train_x.shape  # doctest: +SKIP
    (60000, 784)
    """
    return load(FASHION_MNIST)


def load(original: Original) -> Data:
    """Read the four files, downloading them first if some are missing. Raises DataError."""
    folder = data_folder(original)
    if missing_files(folder):
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
    inside = Path(original.folder, "raw")
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
    return [_read(folder / part, md5) for part, md5 in zip(PARTS, original.md5, strict=True)]


def _read(path: Path, md5: str) -> np.ndarray:
    """Images as float32 (N, 784) in [0, 1], labels as int64 (N,), from a file in the format IDX, or its .gz.

    bytes 0-3      0, 0, type of the numbers (8 = unsigned byte), number of axes
    then           the length of each axis, 4 bytes each, most significant byte first
    then           the numbers, last axis fastest
    """
    path = path if path.is_file() else path.with_name(path.name + ".gz")
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read ({error}).") from error
    _check(content, md5, str(path))
    axes = content[3]
    shape = np.frombuffer(content, ">u4", axes, offset=4)
    numbers = np.frombuffer(content, np.uint8, offset=4 + 4 * axes).reshape(shape[0], -1)
    return numbers.ravel().astype(np.int64) if axes == 1 else numbers / np.float32(255)


def _check(content: bytes, md5: str, where: str) -> None:
    if (checksum := hashlib.md5(content, usedforsecurity=False).hexdigest()) != md5:
        size = f"its {len(content):,} bytes have"
        raise DataError(f"{where} is not the original: {size} the MD5 checksum {checksum}, the original's have {md5}.")


def download(original: Original, folder: Path) -> None:
    """Put the missing files of `original` into `folder`, each once it is here and checked.

    Raises DataError, with what was tried and what to do.
    """
    missing = missing_files(folder)
    try:
        for part, md5 in zip(PARTS, original.md5, strict=True):
            if part in missing:
                address = f"{original.address}{part}.gz"
                with urllib.request.urlopen(address, timeout=SECONDS_OF_SILENCE) as answer:
                    content = gzip.decompress(answer.read())
                _check(content, md5, address)
                folder.mkdir(parents=True, exist_ok=True)
                half = folder / f"{part}.{os.getpid()}.part"  # another process may be at work as well
                try:
                    half.write_bytes(content)
                    half.replace(folder / part)
                finally:
                    half.unlink(missing_ok=True)
    except (OSError, EOFError, ValueError, HTTPException, zlib.error, DataError) as error:
        raise DataError(
            f"{original.title} could not be downloaded from {original.address} into {folder}. Is there a network, and "
            f"room on the disk? It ended with: {error}. You can put {', '.join(missing)} into {folder} yourself, or "
            f"set MINIGRAD_DATA to a folder that has the four files in {original.folder}/raw, or use the embedded "
            "digits: minigrad_course.data.digits()."
        ) from None
