"""The data module: what the sets look like; damage is named; a download is all or nothing; what a lesson is told.

Most tests use a made-up MNIST of 30 images. Tests of the real one run when MINIGRAD_DATA names a folder that has it.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import http.server
import os
import re
import shutil
import socket
import threading
import time
from pathlib import Path
from types import SimpleNamespace

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


def pretend_torchvision(monkeypatch, fetch):
    """torchvision.datasets.MNIST(root, train, download) does nothing but fetch(its raw folder)."""

    class MNIST:
        mirrors = ("https://one.example/", "https://two.example/")

        def __init__(self, root, train, download):
            assert download
            folder = Path(root, "MNIST", "raw")
            folder.mkdir(parents=True)
            fetch(folder)

    monkeypatch.setattr(originals, "import_torchvision_datasets", lambda: SimpleNamespace(MNIST=MNIST))


@pytest.fixture
def no_download(monkeypatch):
    def fetch(folder):
        raise AssertionError("a download was started")

    pretend_torchvision(monkeypatch, fetch)


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
    """In a fresh process where PyTorch and torchvision cannot be imported."""
    arrays = made_up_arrays()
    write_files(tmp_path / "MNIST" / "raw", arrays)
    script = f"""
import dataclasses, sys
from minigrad_course.data import digits, for_lesson, mnist, originals
print([m for m in ("torch", "torchvision", "scipy", "PIL") if m in sys.modules])
sys.modules["torch"] = sys.modules["torchvision"] = None
originals.MNIST = dataclasses.replace(originals.MNIST, md5={checksums(arrays)})
print(len(mnist().train_x), len(digits().train_x))
"""
    assert printed(script, MINIGRAD_DATA=tmp_path).splitlines() == ["[]", "20 1297"]


# --- downloading -----------------------------------------------------------------------------------------------------


class NoNetwork(Exception):
    def __str__(self):
        return "Error downloading train-images-idx3-ubyte.gz:\nTried https://one.example/, got:\n<name not known>"


def ways_to_fail(arrays):
    """The ways in which torchvision can fail, and the required messages."""

    def raises_at_once(folder):
        raise NoNetwork

    def dies_half_way(folder):
        write_files(folder, dict(list(arrays.items())[:2]))
        (folder / originals.PARTS[2]).write_bytes(b"\0\0\x08")
        raise ConnectionResetError("connection reset by peer")

    def disk_is_full(folder):
        (folder / originals.PARTS[0]).write_bytes(b"\0\0\x08")
        raise OSError(28, "No space left on device")

    def writes_half_a_file(folder):
        write_files(folder, arrays)
        (folder / originals.PARTS[2]).write_bytes(idx_bytes(arrays[originals.PARTS[2]])[:-100])

    def writes_another_file(folder):
        write_files(folder, {**arrays, originals.PARTS[1]: arrays[originals.PARTS[1]][::-1].copy()})

    def forgets_a_file(folder):
        write_files(folder, dict(list(arrays.items())[:3]))

    return {
        raises_at_once: "<name not known>",
        dies_half_way: "connection reset by peer",
        disk_is_full: "No space left on device",
        writes_half_a_file: "is not the original",
        writes_another_file: "is not the original",
        forgets_a_file: "cannot be read",
    }


@pytest.mark.parametrize("missing", [originals.PARTS, originals.PARTS[3:]], ids=["none there", "three there"])
@pytest.mark.parametrize("way", range(6))
def test_a_failed_download_changes_nothing(small_mnist, files, monkeypatch, tmp_path, way, missing):
    for part in missing:
        (files / part).unlink()
    if missing == originals.PARTS:
        shutil.rmtree(files.parent)
    before = snapshot(tmp_path)
    fetch, reason = list(ways_to_fail(small_mnist).items())[way]
    pretend_torchvision(monkeypatch, fetch)
    with pytest.raises(data.DataError) as caught:
        data.mnist()
    message = str(caught.value)
    assert "\n" not in message
    for part in (
        f"MNIST could not be downloaded into {files}",
        "network",
        "https://one.example/ and https://two.example/",
        reason,
        f"You can put {', '.join(missing)} into",
        "MINIGRAD_DATA",
        "minigrad_course.data.digits()",
    ):
        assert part in message
    assert snapshot(tmp_path) == before
    # And the next try, with a better network, works.
    pretend_torchvision(monkeypatch, lambda folder: write_files(folder, small_mnist))
    assert len(data.mnist().train_x) == 20


def test_ctrl_c_stops_a_download_without_leftovers(small_mnist, monkeypatch, tmp_path):
    def fetch(folder):
        write_files(folder, dict(list(small_mnist.items())[:2]))
        raise KeyboardInterrupt

    pretend_torchvision(monkeypatch, fetch)
    with pytest.raises(KeyboardInterrupt):
        data.mnist()
    assert list((tmp_path / "set").rglob("*")) == []


def test_what_a_killed_download_left_is_removed_later(small_mnist, monkeypatch, tmp_path):
    pretend_torchvision(monkeypatch, lambda folder: write_files(folder, small_mnist))
    abandoned, running = tmp_path / "set" / ".download-old", tmp_path / "set" / ".download-new"
    for folder in (abandoned, running):
        write_files(folder / "MNIST" / "raw", small_mnist)
    two_days_ago = time.time() - 2 * originals.A_DAY
    os.utime(abandoned, (two_days_ago, two_days_ago))
    data.mnist()
    assert not abandoned.exists()
    assert running.exists()


def test_a_file_in_the_folders_place_is_named(small_mnist, monkeypatch, tmp_path):
    pretend_torchvision(monkeypatch, lambda folder: write_files(folder, small_mnist))
    (tmp_path / "set").write_text("I am a file")
    with pytest.raises(data.DataError, match=re.escape(str(tmp_path / "set"))):
        data.mnist()


def test_a_silent_server_is_given_up(small_mnist, monkeypatch):
    seen = []
    pretend_torchvision(monkeypatch, lambda folder: seen.append(socket.getdefaulttimeout()))
    before = socket.getdefaulttimeout()
    with pytest.raises(data.DataError):
        data.mnist()
    assert seen == [originals.SECONDS_OF_SILENCE]
    assert socket.getdefaulttimeout() == before


def test_another_process_may_download_meanwhile(small_mnist, monkeypatch, tmp_path):
    """It begins and ends when the first is half-way through; each has a folder of its own."""

    def fetch(folder):
        parts = list(small_mnist.items())
        write_files(folder, dict(parts[:2]))
        pretend_torchvision(monkeypatch, lambda folder: write_files(folder, small_mnist))
        assert len(data.mnist().train_x) == 20
        write_files(folder, dict(parts[2:]))

    pretend_torchvision(monkeypatch, fetch)
    assert np.array_equal(data.mnist().train_y, small_mnist[originals.PARTS[1]])
    write_files(tmp_path / "expected", small_mnist)
    assert snapshot(tmp_path / "set" / "MNIST" / "raw") == snapshot(tmp_path / "expected")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["MNIST"]


# --- downloading with torchvision itself, from a server on this machine ----------------------------------------------


@pytest.fixture
def mirror(small_mnist, monkeypatch):
    """torchvision's own MNIST class, told to fetch the made-up set from here; `mirror.damage` may spoil it."""
    if not torchvision_installed():
        pytest.skip("torchvision is not installed")
    bodies = {f"/{part}.gz": gzip.compress(idx_bytes(array)) for part, array in small_mnist.items()}
    mirror = SimpleNamespace(damage=lambda path, body: (body, len(body)), requests=[])

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.do_GET(body_too=False)

        def do_GET(self, body_too=True):
            mirror.requests.append(self.path)
            body, promised = mirror.damage(self.path, bodies[self.path])
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            if body_too:
                self.wfile.write(body)

        def log_message(self, *args):
            """Says nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    theirs = originals.import_torchvision_datasets().MNIST
    monkeypatch.setattr(theirs, "mirrors", [f"http://127.0.0.1:{server.server_port}/"])
    monkeypatch.setattr(
        theirs, "resources", [(path[1:], hashlib.md5(body).hexdigest()) for path, body in bodies.items()]
    )
    yield mirror
    server.shutdown()
    server.server_close()
    thread.join()


def torchvision_installed() -> bool:
    import importlib.util

    return all(importlib.util.find_spec(package) is not None for package in ("torch", "torchvision"))


@pytest.mark.torch
@pytest.mark.thorough
def test_torchvision_downloads_and_we_read(mirror, small_mnist, tmp_path):
    assert np.array_equal(data.mnist().train_y, small_mnist[originals.PARTS[1]])
    assert mirror.requests
    mirror.requests.clear()
    theirs = originals.import_torchvision_datasets().MNIST(tmp_path / "set", download=False)  # it finds our folder
    assert np.array_equal(theirs.data.numpy(), small_mnist[originals.PARTS[0]])
    data.mnist()
    assert mirror.requests == []


@pytest.mark.torch
@pytest.mark.thorough
@pytest.mark.skipif(not torchvision_installed(), reason="torchvision is not installed")
def test_torchvision_imports_beside_a_cpu_pytorch():
    """In a fresh process, after the learner's own `import torchvision`, which may have failed."""
    script = """
try:
    import torchvision
except RuntimeError as error:
    print("plain import:", error)
from minigrad_course.data.originals import import_torchvision_datasets
datasets = import_torchvision_datasets()
import torch, torchvision
from torchvision.extension import _has_ops
assert datasets is torchvision.datasets
assert hasattr(torch.ops.torchvision, "nms") == _has_ops(), "a declaration without an operator stayed behind"
assert import_torchvision_datasets() is datasets
assert torchvision.transforms.functional.to_tensor is not None
print("fine")
"""
    assert printed(script).splitlines()[-1:] == ["fine"]


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
    pretend_torchvision(monkeypatch, next(iter(ways_to_fail(small_mnist))))
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
