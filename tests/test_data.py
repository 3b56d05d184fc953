"""The data module: what the sets look like; damage is named; a download leaves no part; what a lesson is told.

Most tests use a made-up MNIST of 30 images, from a folder or a server on this machine. Tests of the real one run when
MINIGRAD_DATA names a folder that has it.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import http.server
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from minigrad_course import data
from minigrad_course.data import embedded, lesson, originals

ROOT = Path(__file__).parents[1]


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


def checksums(arrays: dict[str, np.ndarray], form=bytes) -> tuple[str, ...]:
    return tuple(hashlib.md5(form(idx_bytes(array))).hexdigest() for array in arrays.values())


def zipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    """`mnist()` means a made-up set of 20 + 10 images, to be had from here: its arrays, and what was asked for.

    `mirror.damage`, of a path and the bytes there, may spoil what comes; also how many bytes it promises.
    """
    arrays = made_up_arrays()
    bodies = {f"/{part}.gz": zipped(idx_bytes(array)) for part, array in arrays.items()}
    mirror = SimpleNamespace(damage=lambda path, body: (body, len(body)), asked=[], arrays=arrays)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            mirror.asked.append(self.path)
            body, promised = mirror.damage(self.path, bodies[self.path])
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            """Says nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("MINIGRAD_DATA", str(tmp_path / "set"))
    mirror.address = f"http://127.0.0.1:{server.server_port}/"
    made_up = {"mirrors": (mirror.address,), "md5": checksums(arrays), "md5_gz": checksums(arrays, zipped)}
    monkeypatch.setattr(originals, "MNIST", dataclasses.replace(originals.MNIST, **made_up))
    yield mirror
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def files(mirror, tmp_path):
    """The folder with the four files of the made-up set."""
    folder = tmp_path / "set" / "MNIST" / "raw"
    write_files(folder, mirror.arrays)
    return folder


# --- Data ------------------------------------------------------------------------------------------------------------


def test_data_describes_itself_in_one_line():
    images, labels = np.zeros((3, 784), np.float32), np.zeros(3, np.int64)
    text = data.Data(images, labels, images[:2], labels[:2], "made up", source="a pen", licence="none").describe()
    for part in ("made up", "3 training", "2 test", "784", "float32", "int64", "a pen", "none"):
        assert part in text
    assert "\n" not in text


def test_data_refuses_images_without_labels():
    images, labels = np.zeros((3, 784), np.float32), np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="test_x has 3 images but test_y has 2 labels"):
        data.Data(images, labels, images, labels[:2], "made up")


def test_data_cannot_be_rebound():
    digits = data.digits()
    with pytest.raises(dataclasses.FrozenInstanceError):
        digits.train_x = digits.test_x


# --- batches ---------------------------------------------------------------------------------------------------------


def numbered(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(n, dtype=np.float32).reshape(n, 1) * 10, np.arange(n)


def test_batches_bring_every_image_once_with_its_own_label():
    x, y = numbered(10)
    parts = list(data.batches(x, y, 3, np.random.default_rng(0)))
    assert [len(labels) for _, labels in parts] == [3, 3, 3, 1]
    assert sorted(np.concatenate([labels for _, labels in parts])) == list(range(10))
    for images, labels in parts:
        assert np.array_equal(images[:, 0], labels * 10)


def test_batches_drop_the_smaller_last_batch_on_request():
    x, y = numbered(10)
    sizes = [len(labels) for _, labels in data.batches(x, y, 3, np.random.default_rng(0), drop_last=True)]
    assert sizes == [3, 3, 3]
    assert [len(labels) for _, labels in data.batches(x, y, 5, np.random.default_rng(0), drop_last=True)] == [5, 5]


def test_each_epoch_has_a_new_order_and_the_same_seed_the_same_run():
    x, y = numbered(50)

    def run():
        rng = np.random.default_rng(7)
        return [next(data.batches(x, y, 50, rng))[1].tolist() for _ in range(2)]

    first, second = run()
    assert first != second
    assert run() == [first, second]


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


def test_digits_have_the_shapes_and_types_of_mnist(digits):
    assert digits.name == "digits"
    for x, y, n in ((digits.train_x, digits.train_y, 1297), (digits.test_x, digits.test_y, 500)):
        assert x.shape == (n, 784)
        assert x.dtype == np.float32
        assert y.shape == (n,)
        assert y.dtype == np.int64
        for array in (x, y):
            assert array.flags.c_contiguous
            assert array.flags.aligned
        assert x.min() == 0.0
        assert x.max() == 1.0


def test_no_digit_is_in_both_parts_or_twice(digits):
    images = np.concatenate([digits.train_x, digits.test_x])
    assert len(np.unique(images, axis=0)) == 1797


def test_digits_are_balanced(digits):
    assert np.bincount(digits.test_y).tolist() == [50] * 10
    counts = np.bincount(digits.train_y)
    assert counts.min() >= 124
    assert counts.max() <= 133


def test_digits_are_scikit_learns_with_their_labels():
    sklearn_datasets = pytest.importorskip("sklearn.datasets", reason="compares with scikit-learn's copy")
    source = sklearn_datasets.load_digits()
    with np.load(embedded.FILE) as arrays:
        ours = np.concatenate([arrays["train_x"], arrays["test_x"]]).reshape(-1, 64)
        labels = np.concatenate([arrays["train_y"], arrays["test_y"]])
    together = np.column_stack([ours, labels])
    theirs = np.column_stack([source.data, source.target])
    assert np.array_equal(np.unique(together, axis=0), np.unique(theirs, axis=0))


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


def test_enlarging_keeps_black_black_and_mirrors_mirrored():
    assert not embedded.enlarge(np.zeros((1, 8, 8))).any()
    images = np.random.default_rng(0).uniform(size=(5, 8, 8))
    frames = embedded.enlarge(images).reshape(5, 28, 28)
    assert np.allclose(embedded.enlarge(images[:, ::-1]).reshape(5, 28, 28), frames[:, ::-1], atol=1e-6)
    assert np.allclose(embedded.enlarge(images.transpose(0, 2, 1)).reshape(5, 28, 28), frames.transpose(0, 2, 1))


def test_a_white_box_becomes_a_white_box_of_20():
    frame = embedded.enlarge(np.ones((1, 8, 8))).reshape(28, 28)
    assert np.allclose(frame[6:22, 6:22], 1)
    assert not frame[:2].any()
    assert np.isclose(frame.sum(), 20 * 20, rtol=0.05)


def test_a_linear_classifier_learns_the_digits(digits):
    weights, bias, rng = np.zeros((784, 10)), np.zeros(10), np.random.default_rng(0)
    for _ in range(20):
        for x, y in data.batches(digits.train_x, digits.train_y, 50, rng):
            logits = x @ weights + bias
            p = np.exp(logits - logits.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            p[np.arange(len(y)), y] -= 1
            weights -= 0.1 / len(y) * x.T @ p
            bias -= 0.1 / len(y) * p.sum(0)
    accuracy = (np.argmax(digits.test_x @ weights + bias, axis=1) == digits.test_y).mean()
    assert accuracy > 0.93


def test_a_damaged_package_file_is_named(monkeypatch, tmp_path):
    broken = tmp_path / "digits.npz"
    for content in (embedded.FILE.read_bytes()[:20_000], b"", b"something else"):
        broken.write_bytes(content)
        monkeypatch.setattr(embedded, "FILE", broken)
        with pytest.raises(data.DataError, match=re.escape(str(broken)) + ".*install minigrad again"):
            data.digits()


# --- files that are there --------------------------------------------------------------------------------------------


def test_files_in_minigrad_data_are_read_and_nothing_is_written(mirror, files, tmp_path):
    before = snapshot(tmp_path)
    read = data.mnist()
    for x, part in ((read.train_x, originals.PARTS[0]), (read.test_x, originals.PARTS[2])):
        assert x.dtype == np.float32
        assert x.flags.c_contiguous
        assert np.array_equal(np.round(x * 255).reshape(-1, 28, 28), mirror.arrays[part])
    assert np.array_equal(read.train_y, mirror.arrays[originals.PARTS[1]])
    assert np.array_equal(read.test_y, mirror.arrays[originals.PARTS[3]])
    assert read.train_y.dtype == read.test_y.dtype == np.int64
    assert read.name == "mnist"
    assert str(files) in read.describe()
    assert snapshot(tmp_path) == before
    assert mirror.asked == []


def test_minigrad_data_may_be_relative_also_to_a_folder_further_up(files, monkeypatch, tmp_path):
    monkeypatch.setenv("MINIGRAD_DATA", "set")
    notebooks = tmp_path / "course" / "notebooks"
    notebooks.mkdir(parents=True)
    for here in (tmp_path, notebooks):
        monkeypatch.chdir(here)
        assert len(data.mnist().train_x) == 20
    monkeypatch.setenv("MINIGRAD_DATA", "../set")  # as typed in tmp_path / "course"
    assert len(data.mnist().train_x) == 20


def test_minigrad_data_may_start_at_home(files, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("MINIGRAD_DATA", "~/set")
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


DAMAGES = {  # of a file's content
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[:-3],
    "header": lambda whole: whole[:7],
    "changed": lambda whole: whole[:-12] + bytes([whole[-12] ^ 1]) + whole[-11:],
    "page": lambda whole: b"<html>Not here</html>",
    "another": lambda whole: idx_bytes(np.zeros(5, np.uint8)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_named_with_what_to_do(mirror, files, damage):
    for part in originals.PARTS[:2]:
        plain, whole = files / part, (files / part).read_bytes()
        plain.unlink()
        packed = files / (part + ".gz")
        for path, content in ((plain, damage(whole)), (packed, damage(zipped(whole))), (packed, zipped(damage(whole)))):
            path.write_bytes(content)
            complaint = re.escape(str(path)) + " is (damaged: its .* bytes|not a whole gzip file).*Delete that file"
            with pytest.raises(data.DataError, match=complaint):
                data.mnist()
            path.unlink()
        plain.write_bytes(whole)
    assert mirror.asked == []


def test_a_file_that_cannot_be_read_is_named(files):
    with pytest.raises(data.DataError, match=r"nowhere\.gz cannot be read"):
        originals.read_part(originals.MNIST, files, "nowhere", "")


def test_importing_the_module_imports_no_large_package():
    script = (
        "import sys, minigrad_course.data\n"
        "print([m for m in ('torch', 'scipy', 'PIL', 'pooch', 'requests') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- downloading -----------------------------------------------------------------------------------------------------


def test_only_what_is_missing_is_downloaded_and_once(mirror, files):
    (files / originals.PARTS[0]).unlink()
    before = snapshot(files)
    for _ in range(2):
        read = data.mnist()
        assert np.array_equal(np.round(read.train_x * 255).reshape(-1, 28, 28), mirror.arrays[originals.PARTS[0]])
    assert mirror.asked == [f"/{originals.PARTS[0]}.gz"]
    assert snapshot(files).items() > before.items()
    assert len(snapshot(files)) == 4


BAD_DOWNLOADS = {
    "missing": (lambda body: (b"", 0), "404"),
    "cut off": (lambda body: (body[:50], len(body)), "IncompleteRead|does not match"),
    "changed": (lambda body: (body[:-1] + b"\xff", len(body)), "does not match the known hash"),
}


@pytest.mark.parametrize("way", BAD_DOWNLOADS)
def test_a_bad_download_leaves_no_part_and_says_what_to_do(mirror, tmp_path, way):
    spoil, reason = BAD_DOWNLOADS[way]
    mirror.damage = lambda path, body: spoil(body) if "t10k-images" in path else (body, len(body))
    with pytest.raises(data.DataError, match=reason) as caught:
        data.mnist()
    folder = tmp_path / "set" / "MNIST" / "raw"
    for part in (f"MNIST could not be downloaded into {folder}", "network", mirror.address, "t10k-images-idx3-ubyte",
                 "MINIGRAD_DATA", "minigrad_course.data.digits()"):  # fmt: skip
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert snapshot(folder).keys() == {part + ".gz" for part in originals.PARTS[:2]}, "these two are whole, and stay"
    # And the next try, with a better network, works.
    mirror.damage = lambda path, body: (body, len(body))
    assert len(data.mnist().train_x) == 20


def test_a_second_mirror_is_asked_where_the_first_fails(mirror, monkeypatch):
    mirrors = ("http://127.0.0.1:9/", mirror.address)  # port 9 is nobody's
    monkeypatch.setattr(originals, "MNIST", dataclasses.replace(originals.MNIST, mirrors=mirrors))
    assert len(data.mnist().test_x) == 10


def test_ctrl_c_during_a_download_stops_it_and_leaves_no_part(mirror, monkeypatch, tmp_path):
    import pooch

    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(pooch.core, "hash_matches", interrupted)  # asked of the file that is not yet in its place
    with pytest.raises(KeyboardInterrupt):
        data.mnist()
    assert len(mirror.asked) == 1
    assert not [path for path in (tmp_path / "set").rglob("*") if path.is_file()]


@pytest.mark.parametrize("way", ["a file in its place", "no right to write"])
def test_a_folder_that_cannot_be_made_is_named(mirror, tmp_path, way):
    if way == "a file in its place":
        (tmp_path / "set").write_text("I am a file")
    else:
        (tmp_path / "set").mkdir(mode=0o500)
        if os.access(tmp_path / "set", os.W_OK):
            pytest.skip("this user may write everywhere")
    with pytest.raises(data.DataError, match=re.escape(str(tmp_path / "set"))):
        data.mnist()


def test_without_pooch_a_missing_set_says_what_to_install(mirror, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(data.DataError, match=r"pip install pooch.*MINIGRAD_DATA.*minigrad_course.data.digits\(\)"):
        data.mnist()
    assert not (tmp_path / "set").exists()


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


@pytest.fixture
def no_size(monkeypatch):
    monkeypatch.delenv("MINIGRAD_SIZE", raising=False)


def line(capsys) -> str:
    """The one line that was printed."""
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert printed.endswith("\n")
    return printed.strip()


def test_the_size_is_small_unless_the_environment_says_full(no_size, monkeypatch):
    assert data.size() == "small"
    for value in ("small", "full"):
        monkeypatch.setenv("MINIGRAD_SIZE", value)
        assert data.size() == value
    monkeypatch.setenv("MINIGRAD_SIZE", "")
    assert data.size() == "small"


def test_an_unknown_size_is_named_with_its_origin(no_size, monkeypatch):
    with pytest.raises(ValueError, match=r"'medium' .the cell says so., but must be .small"):
        data.for_lesson("medium")
    monkeypatch.setenv("MINIGRAD_SIZE", "Full")
    for function in (data.size, data.for_lesson):
        with pytest.raises(ValueError, match=r"'Full' .MINIGRAD_SIZE=Full.*\"full\""):
            function()


def test_a_small_lesson_gets_the_digits_and_says_how_to_get_more(no_size, mirror, monkeypatch, capsys):
    assert data.for_lesson().name == "digits"
    sentence = line(capsys)
    assert sentence.startswith(
        "Data: the embedded digits, 1,297 training and 500 test images. Size: small (the default)."
    )
    assert 'for_lesson("full")' in sentence
    assert "MINIGRAD_SIZE=full before `make lab`" in sentence

    monkeypatch.setenv("MINIGRAD_SIZE", "small")
    assert data.for_lesson().name == "digits"
    assert "Size: small (MINIGRAD_SIZE=small)." in line(capsys)

    monkeypatch.setenv("MINIGRAD_SIZE", "full")
    assert data.for_lesson("small").name == "digits"
    assert "Size: small (the cell says so)." in line(capsys)


def test_a_full_lesson_gets_mnist_and_says_how_to_get_less(no_size, files, monkeypatch, capsys):
    assert data.for_lesson("full").name == "mnist"
    sentence = line(capsys)
    assert sentence.startswith("Data: real MNIST, 20 training and 10 test images. Size: full (the cell says so).")
    assert 'for_lesson("small")' in sentence
    assert "MINIGRAD_SIZE=small" in sentence

    monkeypatch.setenv("MINIGRAD_SIZE", "full")
    assert data.for_lesson().name == "mnist"
    assert "Size: full (MINIGRAD_SIZE=full)." in line(capsys)


def test_a_full_lesson_without_mnist_gets_the_digits_and_says_why(no_size, mirror, monkeypatch, capsys):
    mirror.damage = lambda path, body: (b"", 0)
    monkeypatch.setenv("MINIGRAD_SIZE", "full")
    assert data.for_lesson().name == "digits"
    sentence = line(capsys)
    assert sentence.startswith(
        "Data: the embedded digits, 1,297 training and 500 test images. Size: full (MINIGRAD_SIZE="
    )
    assert "Not the real MNIST you asked for, because: MNIST could not be downloaded" in sentence


def test_a_full_lesson_with_a_damaged_file_names_it(no_size, files, capsys):
    damaged = files / originals.PARTS[2]
    damaged.write_bytes(damaged.read_bytes()[:500])
    assert data.for_lesson("full").name == "digits"
    sentence = line(capsys)
    assert f"{damaged} is damaged" in sentence
    assert "Delete that file" in sentence


def test_only_for_lesson_prints(files, capsys):
    data.digits()
    data.mnist()
    data.size()
    assert capsys.readouterr() == ("", "")
    assert lesson.SIZES == ("small", "full")
