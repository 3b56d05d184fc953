"""Fetch the files of MNIST or Fashion-MNIST with torchvision, all or nothing.

torchvision writes straight into its folder, so an interrupted download leaves a broken file that looks like a good one.
Here it writes into a temporary folder beside the target, and only complete, checked files are moved, each in one step.
If the download ends early (no network, a full disk, Ctrl-C), the temporary folder is removed and the target stays
unchanged. Two simultaneous downloads do the work twice and put the same files in place.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from minigrad_course.data.dataset import DataError
from minigrad_course.data.originals import Original, missing_files, read_parts

TEMPORARY = ".download-"
SECONDS_OF_SILENCE = 30  # after which a mirror counts as gone; torchvision itself would wait for ever
A_DAY = 24 * 60 * 60


def download(original: Original, folder: Path) -> None:
    """Put the missing files of `original` into `folder` (which ends in torchvision's MNIST/raw or FashionMNIST/raw).

    Files that are already there are left alone. Raises DataError, with what was tried and what to do.
    """
    root = folder.parent.parent
    missing = missing_files(folder)
    advice = (
        f"You can put {', '.join(missing)} into {folder} yourself, or set MINIGRAD_DATA to a folder that has the four "
        f"files in {original.torchvision_name}/raw, or use the embedded digits: minigrad_course.data.digits()."
    )
    try:
        datasets = import_torchvision_datasets()
    except Exception as error:  # a package that does not import can fail in any way; the reader gets its words
        raise DataError(
            f"{original.title} is not in {folder}, and torchvision, which would download it, cannot be imported "
            f"({_last_line(error)}). `minigrad doctor` names the command that installs it. {advice}"
        ) from None
    dataset = getattr(datasets, original.torchvision_name)
    try:
        root.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(root)
        with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=root, ignore_cleanup_errors=True) as temporary:
            with _patience(SECONDS_OF_SILENCE):
                dataset(temporary, train=True, download=True)  # fetches all four files, whatever `train` says
            fetched = Path(temporary, original.torchvision_name, "raw")
            read_parts(original, fetched)
            folder.mkdir(parents=True, exist_ok=True)
            for part in missing:
                _move(fetched / part, folder / part)
    except Exception as error:  # the same: torchvision and the network have many ways to fail
        tried = " and ".join(getattr(dataset, "mirrors", ["torchvision's own address"]))
        raise DataError(
            f"{original.title} could not be downloaded into {folder}. Is there a network, and room on the disk? "
            f"Tried {tried}; it ended with: {_last_line(error)}. {advice}"
        ) from None


def import_torchvision_datasets() -> ModuleType:
    """`torchvision.datasets`, also beside a CPU build of PyTorch, where a plain import can fail.

    Raises what that import raises if the reason is another one (ImportError if something is not installed).
    """
    try:
        from torchvision import datasets
    except RuntimeError as error:
        # PyPI's torchvision has operators compiled for CUDA, which cannot be loaded beside a CPU build of PyTorch.
        # torchvision tolerates that, but goes on to register helpers for two of them, and its import ends with
        # "operator torchvision::nms does not exist". We need no operator, only the download: so declare the two,
        # name and arguments, while the import runs. The declarations go away with `declared`, so that nothing in this
        # process takes them for operators that work.
        if "torchvision::" not in str(error):
            raise
        import torch

        declared = torch.library.Library("torchvision", "FRAGMENT")
        for operator in ("nms", "qnms"):
            if not hasattr(torch.ops.torchvision, operator):
                declared.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        try:
            from torchvision import datasets
        finally:
            del declared  # by name: the traceback of the error above would keep it alive after this function's end
    return datasets


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Within this block a connection that stays silent for so long counts as broken."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds if before is None else before)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def _move(path: Path, target: Path) -> None:
    """Rename in one step."""
    try:
        os.replace(path, target)
    except PermissionError:
        # Windows: another download was faster by a hair, and its (same) file is being read.
        if not target.exists():
            raise


def _remove_abandoned(root: Path) -> None:
    """Remove the folders of killed processes. Younger folders may belong to a running download."""
    for path in root.glob(TEMPORARY + "*"):
        with suppress(FileNotFoundError):  # that download has just ended
            if time.time() - path.stat().st_mtime > A_DAY:
                shutil.rmtree(path, ignore_errors=True)


def _last_line(error: BaseException) -> str:
    """Return the last line of an error: torchvision lists all mirrors, and ends with the reason."""
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
