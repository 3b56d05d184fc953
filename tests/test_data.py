"""The data module: what the sets look like; damage is named; a file is fetched whole or not at all; a lesson's line.

Most tests use a made-up MNIST of 30 images. Tests of the real one run when MINIGRAD_DATA names a folder that has it.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import io
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from minigrad_course import data
from minigrad_course.data import embedded, originals
from tests.fresh import printed

# --- a made-up MNIST -------------------------------------------------------------------------------------------------


def idx_bytes(array: np.ndarray) -> bytes:
    """The array of bytes in the IDX format, written here independently of the reader."""
    return bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape) + array.tobytes()


def made_up_arrays() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    shapes = ((20, 28, 28), (20,), (10, 28, 28), (10,))
    tops = (256, 10, 256, 10)
    return {
        part: rng.integers(0, top, shape, np.uint8)
        for part, shape, top in zip(originals.PARTS, shapes, tops, strict=True)
    }


def checksums(arrays: dict[str, np.ndarray]) -> tuple[str, ...]:
    return tuple(hashlib.md5(idx_bytes(array)).hexdigest() for array in arrays.values())


def write_files(folder: Path, arrays: dict[str, np.ndarray]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for part, array in arrays.items():
        (folder / part).write_bytes(idx_bytes(array))


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: names, and what the files hold."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def small_mnist(monkeypatch, tmp_path):
    """`mnist()` means a made-up set of 20 + 10 images, to be found below tmp_path / "set"; gives its arrays."""
    arrays = made_up_arrays()
    monkeypatch.setattr(originals, "MNIST", dataclasses.replace(originals.MNIST, md5=checksums(arrays)))
    monkeypatch.setenv("MINIGRAD_DATA", str(tmp_path / "set"))
    return arrays


@pytest.fixture
def files(small_mnist, tmp_path):
    """The folder with the four files of the made-up set."""
    folder = tmp_path / "set" / "MNIST" / "raw"
    write_files(folder, small_mnist)
    return folder


@pytest.fixture
def server(small_mnist, monkeypatch):
    """The files that are answered, by name; an exception in their place is raised."""
    answers = {f"{part}.gz": gzip.compress(idx_bytes(array)) for part, array in small_mnist.items()}

    def urlopen(address, timeout):
        assert address.startswith(originals.MNIST.address)
        assert timeout == originals.SECONDS_OF_SILENCE
        answer = answers[address.removeprefix(originals.MNIST.address)]
        if isinstance(answer, BaseException):
            raise answer
        return io.BytesIO(answer)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return answers


@pytest.fixture
def no_download(monkeypatch):
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: pytest.fail("a download was started"))


# --- Data ------------------------------------------------------------------------------------------------------------


def test_data_describes_itself_and_refuses_uneven_parts():
    images, labels = np.zeros((3, 784), np.float32), np.zeros(3, np.int64)
    made = data.Data(images, labels, images[:2], labels[:2], "made up", source="a pen", licence="none")
    text = made.describe()
    for part in ("made up", "3 training", "2 test", "784", "float32", "int64", "a pen", "none"):
        assert part in text
    assert "\n" not in text
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.train_x = made.test_x
    with pytest.raises(ValueError, match="test_x has 3 images but test_y has 2 labels"):
        data.Data(images, labels, images, labels[:2], "made up")


# --- batches ---------------------------------------------------------------------------------------------------------


def numbered(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(n, dtype=np.float32).reshape(n, 1) * 10, np.arange(n)


def test_batches_bring_every_image_once_an_epoch():
    x, y = numbered(10)
    parts = list(data.batches(x, y, 3, np.random.default_rng(0)))
    assert [len(labels) for _, labels in parts] == [3, 3, 3, 1]
    assert [len(labels) for _, labels in data.batches(x, y, 5, np.random.default_rng(0))] == [5, 5]
    assert sorted(np.concatenate([labels for _, labels in parts])) == list(range(10))
    for images, labels in parts:
        assert np.array_equal(images[:, 0], labels * 10)

    def two_epochs():
        rng = np.random.default_rng(7)
        return [next(data.batches(*numbered(50), 50, rng))[1].tolist() for _ in range(2)]

    first, second = two_epochs()
    assert first != second
    assert two_epochs() == [first, second], "the same seed is the same run"


def test_batches_name_bad_arguments_before_the_first_batch():
    x, y = numbered(10)
    with pytest.raises(ValueError, match="x has 10 rows but y has 9"):
        data.batches(x, y[:9], 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="batch_size is an int of at least 1, got 0"):
        data.batches(x, y, 0, np.random.default_rng(0))
    with pytest.raises(TypeError, match="rng is 0, but must be a generator"):
        data.batches(x, y, 3, 0)


# --- digits ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def digits():
    return data.digits()


def test_digits_have_the_form_of_mnist(digits):
    assert digits.name == "digits"
    for x, y, n in ((digits.train_x, digits.train_y, 1297), (digits.test_x, digits.test_y, 500)):
        assert (x.shape, x.dtype, y.shape, y.dtype) == ((n, 784), np.float32, (n,), np.int64)
        assert all(array.flags.c_contiguous and array.flags.aligned for array in (x, y))
        assert (x.min(), x.max()) == (0.0, 1.0)
    assert len(np.unique(np.concatenate([digits.train_x, digits.test_x]), axis=0)) == 1797
    assert np.bincount(digits.test_y).tolist() == [50] * 10
    counts = np.bincount(digits.train_y)
    assert 124 <= counts.min() <= counts.max() <= 133


def test_digits_sit_in_the_frame_as_mnists_do(digits):
    frames = digits.train_x.reshape(-1, 28, 28)
    pixels = np.arange(28)
    for axis in (1, 2):
        middle = (frames.sum(axis) @ pixels) / frames.sum((1, 2))
        assert np.abs(middle - 13.5).max() < 0.5
    border = np.concatenate([frames[:, 0], frames[:, -1], frames[:, :, 0], frames[:, :, -1]])
    assert border.max() < 0.2
    assert np.abs(frames.mean() - 0.131) < 0.03  # MNIST's mean is 0.131, its standard deviation 0.308
    assert np.abs(frames.std() - 0.308) < 0.03


def test_a_damaged_package_file_is_named(monkeypatch, tmp_path):
    broken = tmp_path / "digits.npz"
    for content in (embedded.FILE.read_bytes()[:20_000], b"", b"something else"):
        broken.write_bytes(content)
        monkeypatch.setattr(embedded, "FILE", broken)
        with pytest.raises(data.DataError, match=re.escape(str(broken)) + ".*install minigrad again"):
            data.digits()


# --- files that are there --------------------------------------------------------------------------------------------


def test_files_in_minigrad_data_are_read_and_nothing_is_written(small_mnist, files, no_download, tmp_path):
    before = snapshot(tmp_path)
    read = data.mnist()
    for x, part in ((read.train_x, originals.PARTS[0]), (read.test_x, originals.PARTS[2])):
        assert x.dtype == np.float32
        assert x.flags.c_contiguous
        assert np.array_equal(np.round(x * 255).reshape(-1, 28, 28), small_mnist[part])
    assert np.array_equal(read.train_y, small_mnist[originals.PARTS[1]])
    assert np.array_equal(read.test_y, small_mnist[originals.PARTS[3]])
    assert read.train_y.dtype == read.test_y.dtype == np.int64
    assert read.name == "mnist"
    assert str(files) in read.describe()
    assert snapshot(tmp_path) == before


def test_zipped_files_do_as_well(files, no_download):
    plain = data.mnist()
    for part in originals.PARTS:
        (files / (part + ".gz")).write_bytes(gzip.compress((files / part).read_bytes()))
        (files / part).unlink()
    zipped = data.mnist()
    assert np.array_equal(zipped.train_x, plain.train_x)
    assert np.array_equal(zipped.test_y, plain.test_y)


def test_minigrad_data_may_be_a_relative_path(files, no_download, monkeypatch, tmp_path):
    notebooks = tmp_path / "course" / "notebooks"
    notebooks.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    # "../set" as typed in tmp_path / "course"
    for setting, here in (("set", tmp_path), ("set", notebooks), ("../set", notebooks), ("~/set", notebooks)):
        monkeypatch.setenv("MINIGRAD_DATA", setting)
        monkeypatch.chdir(here)
        assert len(data.mnist().train_x) == 20


def test_without_minigrad_data_the_users_cache_is_the_place(monkeypatch, tmp_path):
    monkeypatch.delenv("MINIGRAD_DATA", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert originals.data_folder(originals.MNIST) == tmp_path / "minigrad" / "data" / "MNIST" / "raw"
    monkeypatch.delenv("XDG_CACHE_HOME")
    home = Path.home()
    assert originals.cache_folder() == home / ".cache" / "minigrad" / "data"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert originals.cache_folder() == home / "Library" / "Caches" / "minigrad" / "data"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert originals.cache_folder() == tmp_path / "minigrad" / "data"


def test_a_damaged_file_is_named_with_advice(files, no_download):
    """Plain, and as .gz."""
    file = files / originals.PARTS[1]
    whole = file.read_bytes()
    for content in (b"", whole[:-3], whole[:-1] + bytes([whole[-1] ^ 1]), gzip.compress(whole)):
        file.write_bytes(content)
        with pytest.raises(data.DataError, match=f"{re.escape(str(file))} is not the original: .*Delete that file"):
            data.mnist()
    file.unlink()
    zipped = gzip.compress(whole)
    for content in (b"", whole, zipped[:-4], zipped[:12] + b"\xff" * 30):
        file.with_name(f"{file.name}.gz").write_bytes(content)
        with pytest.raises(data.DataError, match=rf"{re.escape(str(file))}\.gz (cannot be read|is not the orig)"):
            data.mnist()


def test_a_file_that_cannot_be_read_is_named(files, no_download, monkeypatch):
    def closed(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", closed)
    with pytest.raises(data.DataError, match=f"{re.escape(str(files / originals.PARTS[0]))} cannot be read .*denied"):
        data.mnist()


def test_reading_imports_no_large_package(tmp_path):
    arrays = made_up_arrays()
    write_files(tmp_path / "MNIST" / "raw", arrays)
    script = f"""
import dataclasses, sys
from minigrad_course.data import digits, for_lesson, mnist, originals
print([m for m in ("torch", "torchvision", "scipy", "PIL") if m in sys.modules])
originals.MNIST = dataclasses.replace(originals.MNIST, md5={checksums(arrays)})
print(len(mnist().train_x), len(digits().train_x))
"""
    assert printed(script, MINIGRAD_DATA=tmp_path).splitlines() == ["[]", "20 1297"]


# --- downloading -----------------------------------------------------------------------------------------------------


def test_only_missing_files_are_fetched(server, files):
    (files / originals.PARTS[0]).unlink()
    for part in originals.PARTS[1:]:
        server[f"{part}.gz"] = AssertionError("it is there")
    assert len(data.mnist().train_x) == 20
    assert len(data.mnist().train_x) == 20, "from the disk"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (urllib.error.URLError("name not known"), "name not known"),
        (TimeoutError("timed out"), "timed out"),
        (gzip.compress(b"another file"), "is not the original"),
        (b"<html>", "Not a gzipped file"),
    ],
)
def test_a_failed_download_leaves_no_file(server, tmp_path, answer, reason):
    good, name = server[f"{originals.PARTS[0]}.gz"], f"{originals.PARTS[0]}.gz"
    server[name] = answer
    with pytest.raises(data.DataError) as caught:
        data.mnist()
    for part in ("MNIST could not be downloaded into", "network", originals.MNIST.address, reason, "MINIGRAD_DATA"):
        assert part in str(caught.value)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    server[name] = good
    assert len(data.mnist().train_x) == 20, "the next try works"


def test_an_interrupted_download_goes_on_later(server, tmp_path):
    name = f"{originals.PARTS[2]}.gz"
    good, server[name] = server[name], KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        data.mnist()
    assert sorted(path.name for path in (tmp_path / "set").rglob("*.*")) == [
        f"{part}.gz" for part in sorted(originals.PARTS[:2])
    ]
    server[name] = good
    assert len(data.mnist().train_x) == 20


def test_a_file_in_the_folders_place_is_named(server, tmp_path):
    (tmp_path / "set").write_text("I am a file")
    with pytest.raises(data.DataError, match=re.escape(str(tmp_path / "set"))):
        data.mnist()


# --- the real MNIST --------------------------------------------------------------------------------------------------


def real_files_are_there() -> bool:
    return bool(os.environ.get("MINIGRAD_DATA")) and not originals.missing_files(originals.data_folder(originals.MNIST))


needs_real_mnist = pytest.mark.skipif(
    not real_files_are_there(), reason="set MINIGRAD_DATA to a folder with MNIST/raw to check the real MNIST"
)


@pytest.fixture(scope="module")
def real():
    return data.mnist()


@needs_real_mnist
def test_real_mnist_has_its_published_counts(real):
    assert real.train_x.shape == (60_000, 784)
    assert real.test_x.shape == (10_000, 784)
    counts = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]
    assert np.bincount(real.train_y).tolist() == counts
    assert np.bincount(real.test_y).tolist() == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert abs(real.train_x.mean(dtype=np.float64) - 0.1307) < 5e-5
    assert abs(real.train_x.std(dtype=np.float64) - 0.3081) < 5e-5
    assert real.train_x.dtype == real.test_x.dtype == np.float32
    assert (real.train_x.min(), real.train_x.max()) == (0, 1)


# --- what a lesson gets ----------------------------------------------------------------------------------------------


def test_an_unknown_size_is_named_with_its_origin(monkeypatch):
    monkeypatch.delenv("MINIGRAD_SIZE", raising=False)
    with pytest.raises(ValueError, match=r"'medium' .the cell says so., but must be .small"):
        data.for_lesson("medium")
    monkeypatch.setenv("MINIGRAD_SIZE", "Full")
    for function in (data.size, data.for_lesson):
        with pytest.raises(ValueError, match=r"'Full' .MINIGRAD_SIZE=Full.*\"full\""):
            function()


SMALL, FULL = "Data: the embedded digits, 1,297 training and 500", "Data: real MNIST, 20 training and 10"
MORE, LESS = (
    ('for_lesson("full")', "MINIGRAD_SIZE=full before `make lab`"),
    ('for_lesson("small")', "MINIGRAD_SIZE=small"),
)


@pytest.mark.parametrize(
    ("setting", "arguments", "data_set", "why", "advice"),
    [
        ("", (), SMALL, "small (the default)", MORE),
        ("small", (), SMALL, "small (MINIGRAD_SIZE=small)", MORE),
        ("full", ("small",), SMALL, "small (the cell says so)", MORE),
        ("", ("full",), FULL, "full (the cell says so)", LESS),
        ("full", (), FULL, "full (MINIGRAD_SIZE=full)", LESS),
    ],
)
def test_a_lesson_says_what_data_it_has(
    files, no_download, monkeypatch, capsys, setting, arguments, data_set, why, advice
):
    monkeypatch.setenv("MINIGRAD_SIZE", setting)
    assert data.size() == (setting or "small")
    assert data.for_lesson(*arguments).name == ("digits" if data_set is SMALL else "mnist")
    sentence, end = capsys.readouterr().out.split("\n")
    assert end == ""
    assert sentence.startswith(f"{data_set} test images. Size: {why}.")
    assert all(part in sentence for part in advice)


@pytest.mark.parametrize("damaged", [False, True])
def test_a_full_lesson_without_mnist_says_why(server, files, monkeypatch, capsys, damaged):
    server[f"{originals.PARTS[2]}.gz"] = OSError("no network")
    monkeypatch.setenv("MINIGRAD_SIZE", "full")
    file = files / originals.PARTS[2]
    content = file.read_bytes()[:500]
    file.unlink()
    if damaged:
        file.write_bytes(content)
    assert data.for_lesson().name == "digits"
    sentence, end = capsys.readouterr().out.split("\n")
    assert end == ""
    assert sentence.startswith(f"{SMALL} test images. Size: full (MINIGRAD_SIZE=")
    reason = f"{file} is not the original" if damaged else "MNIST could not be downloaded"
    assert f"Not the real MNIST you asked for, because: {reason}" in sentence
    assert ("Delete that file" in sentence) is damaged
