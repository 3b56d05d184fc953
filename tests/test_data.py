"""The data module: what the sets look like; damage is named; a download is all or nothing; what a lesson is told.

Most tests use a made-up MNIST of 30 images. Tests of the real one run when MINIGRAD_DATA names a folder that has it.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import http.server
import io
import os
import re
import threading
import urllib.error
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


def pretend_server(monkeypatch, answer):
    """The address of the files gives answer(name of the part)."""

    def urlopen(address, timeout):
        assert timeout == originals.SECONDS_OF_SILENCE
        return io.BytesIO(answer(address.removeprefix(originals.MNIST.address).removesuffix(".gz")))

    monkeypatch.setattr(originals.urllib.request, "urlopen", urlopen)


def good_server(arrays):
    return lambda part: gzip.compress(idx_bytes(arrays[part]))


@pytest.fixture
def no_download(monkeypatch):
    def answer(part):
        raise AssertionError("a download was started")

    pretend_server(monkeypatch, answer)


# --- Data ------------------------------------------------------------------------------------------------------------


def test_data_describes_itself_and_is_frozen():
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


def test_batches_bring_every_image_once():
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


def test_digits_have_the_shapes(digits):
    assert digits.name == "digits"
    for x, y, n in ((digits.train_x, digits.train_y, 1297), (digits.test_x, digits.test_y, 500)):
        assert (x.shape, x.dtype, y.shape, y.dtype) == ((n, 784), np.float32, (n,), np.int64)
        assert all(array.flags.c_contiguous and array.flags.aligned for array in (x, y))
        assert (x.min(), x.max()) == (0.0, 1.0)
    assert len(np.unique(np.concatenate([digits.train_x, digits.test_x]), axis=0)) == 1797
    assert np.bincount(digits.test_y).tolist() == [50] * 10
    counts = np.bincount(digits.train_y)
    assert 124 <= counts.min() <= counts.max() <= 133


def test_digits_are_scikit_learns_with_their_labels():
    sklearn_datasets = pytest.importorskip("sklearn.datasets", reason="compares with scikit-learn's copy")
    source = sklearn_datasets.load_digits()
    with np.load(embedded.FILE) as arrays:
        ours = np.concatenate([arrays["train_x"], arrays["test_x"]]).reshape(-1, 64)
        labels = np.concatenate([arrays["train_y"], arrays["test_y"]])
    together = np.column_stack([ours, labels])
    theirs = np.column_stack([source.data, source.target])
    assert np.array_equal(np.unique(together, axis=0), np.unique(theirs, axis=0))


# --- files that are there --------------------------------------------------------------------------------------------


def test_files_in_minigrad_data_are_read(small_mnist, files, no_download, tmp_path):
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


def test_minigrad_data_may_be_relative(files, no_download, monkeypatch, tmp_path):
    notebooks = tmp_path / "course" / "notebooks"
    notebooks.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    # "../set" as typed in tmp_path / "course"
    for setting, here in (("set", tmp_path), ("set", notebooks), ("../set", notebooks), ("~/set", notebooks)):
        monkeypatch.setenv("MINIGRAD_DATA", setting)
        monkeypatch.chdir(here)
        assert len(data.mnist().train_x) == 20


@pytest.mark.parametrize("part", originals.PARTS)
def test_a_damaged_file_of_a_set_is_named(files, no_download, part):
    """Plain, and as .gz."""
    file = files / part
    whole = file.read_bytes()
    zipped = gzip.compress(whole)
    for content in (b"", whole[:7], whole[:-3], whole + b"\0", whole[:-1] + bytes([whole[-1] ^ 1]), b"<html>", zipped):
        file.write_bytes(content)
        with pytest.raises(data.DataError, match=f"{re.escape(str(file))} is not the original: .*Delete that file"):
            data.mnist()
    file.unlink()
    for content in (b"", whole, zipped[:-4], zipped[:-8] + bytes(8), zipped[:12] + b"\xff" * 30):
        file.with_name(part + ".gz").write_bytes(content)
        with pytest.raises(data.DataError, match=rf"{re.escape(str(file))}\.gz (cannot be read|is not the orig)"):
            data.mnist()


def test_a_file_that_cannot_be_read_is_named(files, no_download, monkeypatch):
    def closed(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", closed)
    with pytest.raises(data.DataError, match=f"{re.escape(str(files / originals.PARTS[0]))} cannot be read .*denied"):
        data.mnist()


def test_reading_needs_no_pytorch(tmp_path):
    """In a fresh process where PyTorch cannot be imported."""
    arrays = made_up_arrays()
    write_files(tmp_path / "MNIST" / "raw", arrays)
    script = f"""
import dataclasses, sys
from minigrad_course.data import digits, for_lesson, mnist, originals
print([m for m in ("torch", "scipy", "PIL") if m in sys.modules])
sys.modules["torch"] = None
originals.MNIST = dataclasses.replace(originals.MNIST, md5={checksums(arrays)})
print(len(mnist().train_x), len(digits().train_x))
"""
    assert printed(script, MINIGRAD_DATA=tmp_path).splitlines() == ["[]", "20 1297"]


# --- downloading -----------------------------------------------------------------------------------------------------


def ways_to_fail(arrays):
    """The ways in which a download can fail, and the required messages; the parts before the third arrive."""
    good = good_server(arrays)

    def no_network(part):
        raise urllib.error.URLError("name not known")

    def dies_half_way(part):
        if part == originals.PARTS[3]:
            raise ConnectionResetError("connection reset by peer")
        return good(part)

    def gives_half_a_file(part):
        return good(part)[: 20 if part == originals.PARTS[3] else None]

    def gives_another_file(part):
        return gzip.compress(idx_bytes(arrays[part][::-1].copy())) if part == originals.PARTS[3] else good(part)

    return {
        no_network: "name not known",
        dies_half_way: "connection reset by peer",
        gives_half_a_file: "Compressed file ended",
        gives_another_file: "is not the original",
    }


@pytest.mark.parametrize("missing", [originals.PARTS, originals.PARTS[3:]], ids=["none there", "three there"])
@pytest.mark.parametrize("way", range(4))
def test_a_failed_download_leaves_whole_files(small_mnist, files, monkeypatch, tmp_path, way, missing):
    for part in missing:
        (files / part).unlink()
    answer, reason = list(ways_to_fail(small_mnist).items())[way]
    pretend_server(monkeypatch, answer)
    with pytest.raises(data.DataError) as caught:
        data.mnist()
    message = str(caught.value)
    assert "\n" not in message
    for part in (
        f"MNIST could not be downloaded from {originals.MNIST.address} into {files}",
        "network",
        reason,
        f"You can put {', '.join(missing)} into",
        "MINIGRAD_DATA",
        "minigrad_course.data.digits()",
    ):
        assert part in message
    for path in files.iterdir():  # nothing but files that are whole
        assert path.read_bytes() == idx_bytes(small_mnist[path.name])
    # And the next try, with a better network, works.
    pretend_server(monkeypatch, good_server(small_mnist))
    assert len(data.mnist().train_x) == 20


def test_ctrl_c_stops_a_download_without_leftovers(small_mnist, monkeypatch, tmp_path):
    def answer(part):
        raise KeyboardInterrupt

    pretend_server(monkeypatch, answer)
    with pytest.raises(KeyboardInterrupt):
        data.mnist()
    assert list(tmp_path.rglob("*")) == []


def test_a_full_disk_is_named(small_mnist, monkeypatch, tmp_path):
    def full(path, content):
        raise OSError(28, "No space left on device")

    pretend_server(monkeypatch, good_server(small_mnist))
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(data.DataError, match="No space left on device"):
        data.mnist()


def test_a_file_in_the_folders_place_is_named(small_mnist, monkeypatch, tmp_path):
    pretend_server(monkeypatch, good_server(small_mnist))
    (tmp_path / "set").write_text("I am a file")
    with pytest.raises(data.DataError, match=re.escape(str(tmp_path / "set"))):
        data.mnist()


def test_another_process_may_download_meanwhile(small_mnist, monkeypatch, tmp_path):
    """It begins and ends when the first is half-way through."""
    good = good_server(small_mnist)

    def answer(part):
        if part == originals.PARTS[2]:
            pretend_server(monkeypatch, good)
            assert len(data.mnist().train_x) == 20
        return good(part)

    pretend_server(monkeypatch, answer)
    assert np.array_equal(data.mnist().train_y, small_mnist[originals.PARTS[1]])
    write_files(tmp_path / "expected", small_mnist)
    assert snapshot(tmp_path / "set" / "MNIST" / "raw") == snapshot(tmp_path / "expected")


def test_the_files_come_from_a_server(small_mnist, monkeypatch):
    """A real one, on this machine."""
    bodies = {f"/{part}.gz": good_server(small_mnist)(part) for part in small_mnist}
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(bodies[self.path])))
            self.end_headers()
            self.wfile.write(bodies[self.path])

        def log_message(self, *args):
            """Says nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    address = f"http://127.0.0.1:{server.server_port}/"
    monkeypatch.setattr(originals, "MNIST", dataclasses.replace(originals.MNIST, address=address))
    try:
        for _ in range(2):  # the second time from the disk
            assert np.array_equal(data.mnist().train_y, small_mnist[originals.PARTS[1]])
        assert requests == [*bodies]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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


SMALL, FULL = "Data: the embedded digits, 1,297 training and 500", "Data: real MNIST, 20 training and 10"
MORE, LESS = (
    ('for_lesson("full")', "full`."),
    ('for_lesson("small")', "small`."),
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
def test_a_lesson_tells_its_data_in_one_line(
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
def test_a_full_lesson_without_mnist_gets_the_digits(small_mnist, files, monkeypatch, capsys, damaged):
    pretend_server(monkeypatch, next(iter(ways_to_fail(small_mnist))))
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
