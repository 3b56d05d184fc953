"""Read the downloads of a learning platform or a mailbox: every file in a folder or zip, and in zips inside zips.

Nothing is unpacked to disk under a name that somebody else chose, links are not followed, and one upload has only so
many files and bytes. A zip that is named itself (`collect 05 export.zip`) is the platform's, and its folders are
people's; a zip that lies in a folder is one person's upload.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from minigrad_class import times

MOST_BYTES = 20_000_000  # of one file
MOST_UNPACKED = 200_000_000  # bytes of one upload
MOST_FILES = 1_000  # in one upload
MOST_NOTEBOOKS = 20  # in one upload
MOST_ENTRIES = 200_000  # of a platform's zip
DEEPEST_ZIP = 3
IGNORED = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", "tests.json", "__pycache__"}
WHOLE = ("the zip",)  # the place of what is said of all of a platform's zip
REFUSED = "not taken"  # somebody has handed it in, and it cannot be graded: not the same as nothing
ZIP_TROUBLE = (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, RuntimeError, MemoryError)


@dataclass
class File:
    """One file of the heap, or why it is not to be read."""

    parts: tuple[str, ...]
    data: bytes = b""
    status: str = ""
    note: str = ""
    time: str = ""  # when it was handed in (times.py)


def walk(heap: Path) -> Iterator[File]:
    """Every file in a folder or zip. Those that are not to be read have a status already."""
    if heap.is_file():
        if heap.suffix.lower() == ".zip":
            with heap.open("rb") as file:
                yield from _zip(file, (), Budget(entries=MOST_ENTRIES, platform=True), 1, None)
        else:
            yield from _file(heap, (heap.name,))
        return
    for folder, folders, files in os.walk(heap, followlinks=False):
        inside = Path(folder).relative_to(heap).parts
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        for name in [*folders]:
            if (Path(folder) / name).is_symlink():
                yield File((*inside, name), status=REFUSED, note="a link, not followed")
        for name in sorted(files):
            if name not in IGNORED and not name.startswith("._"):
                yield from _file(Path(folder) / name, (*inside, name))


class Budget:
    """The remaining files and bytes of one upload. In a platform's zip each outermost folder is an upload."""

    def __init__(self, entries: int = MOST_FILES, platform: bool = False) -> None:
        self.entries, self.platform = entries, platform
        self.files, self.notebooks, self.left = 0, 0, MOST_UNPACKED
        self.full = False
        self.uploads: dict[str, Budget] = {}

    def of(self, inner: tuple[str, ...]) -> Budget:
        """The budget that a part of it counts against."""
        return self.uploads.setdefault(inner[0], Budget()) if self.platform else self


def _file(path: Path, parts: tuple[str, ...]) -> Iterator[File]:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            what = "a link, not followed" if stat.S_ISLNK(status.st_mode) else "no ordinary file"
            yield File(parts, status=REFUSED, note=what)
            return
        time = times.of_seconds(status.st_mtime)
        if path.suffix.lower() == ".zip":
            with path.open("rb") as file:
                yield from _zip(file, parts, Budget(), 1, time)
        elif status.st_size > MOST_BYTES:
            yield File(parts, status=_refused(parts), note=too_large(status.st_size), time=time)
        else:
            yield File(parts, path.read_bytes(), time=time)
    except OSError as error:
        yield File(parts, status=REFUSED, note=f"it cannot be read: {error.strerror}")


def _zip(file: IO[bytes], parts: tuple[str, ...], budget: Budget, depth: int, time: str | None) -> Iterator[File]:
    """The files of a zip. `time`: when it was handed in; None for a platform's, in which each entry has its own."""
    known = time or ""
    try:
        if (claimed := _claimed_entries(file)) > budget.entries:
            yield File(parts or WHOLE, b"", "unclear", f"a zip with {claimed:,} files is not looked into", known)
            return
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            if len(entries) > budget.entries:
                yield File(parts or WHOLE, b"", "unclear", f"a zip with {len(entries):,} files", known)
                return
            empty = True
            for entry in entries:
                names = entry.filename.replace("\\", "/").split("/")
                inner = tuple(part for part in names if part not in ("", ".", ".."))
                if entry.is_dir() or not inner or set(inner) & IGNORED or inner[-1].startswith("._"):
                    continue
                empty = False
                moment = times.of_entry(entry.date_time) if time is None else time
                for one in _entry(archive, entry, (*parts, *inner), budget.of(inner), depth, moment):
                    one.time = moment
                    yield one
            if empty:
                yield File(parts or WHOLE, b"", REFUSED, "a zip with no file to look at", known)
    except ZIP_TROUBLE as error:
        yield File(parts or WHOLE, b"", REFUSED, f"a zip that cannot be opened ({error})", known)


def _claimed_entries(file: IO[bytes]) -> int:
    """Return the number of files that a zip claims in its last lines, before its table is read into memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 66_000))
    tail = file.read()
    file.seek(0)
    # Its table's length: 46 bytes at least for each file. (The number itself is only of 16 bits.)
    end = tail.rfind(b"PK\x05\x06")
    length = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    large = tail.rfind(b"PK\x06\x06")
    if length == 0xFFFFFFFF and large >= 0:
        length = int.from_bytes(tail[large + 40 : large + 48], "little")
    return length // 300  # names are of 254 letters at most


def _entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...], budget: Budget, depth: int, time: str
) -> Iterator[File]:
    refused = _refused(parts)
    if stat.S_ISLNK(entry.external_attr >> 16):
        yield File(parts, status=REFUSED, note="a link, not followed")
        return
    if entry.flag_bits & 1:
        yield File(parts, status=refused, note="needs a password")
        return
    budget.files += 1
    budget.notebooks += parts[-1].lower().endswith(".ipynb")
    for count, most, what in ((budget.files, MOST_FILES, "files"), (budget.notebooks, MOST_NOTEBOOKS, "notebooks")):
        if count > most:
            if not budget.full:
                yield File(parts, status="unclear", note=f"more than {most:,} {what} in one upload: the rest is left")
            budget.full = True
            return
    try:
        with archive.open(entry) as file:
            data = file.read(min(MOST_BYTES, max(budget.left, 0)) + 1)  # what it says of its size may be a lie
    except Exception as error:  # damaged in one of many ways
        yield File(parts, status=refused, note=f"damaged in its zip ({type(error).__name__})")
        return
    budget.left -= len(data)
    if budget.left < 0:
        yield File(parts, status=refused, note=f"its upload unpacks to more than {MOST_UNPACKED // 10**6} MB")
    elif len(data) > MOST_BYTES:
        yield File(parts, status=refused, note=too_large(entry.file_size))
    elif parts[-1].lower().endswith(".zip"):
        if depth == DEEPEST_ZIP:
            yield File(parts, status=REFUSED, note="a zip in a zip in a zip in a zip is not looked into")
        else:
            yield from _zip(io.BytesIO(data), parts, budget, depth + 1, time)
    else:
        yield File(parts, data)


def _refused(parts: tuple[str, ...]) -> str:
    return "unreadable" if parts[-1].lower().endswith(".ipynb") else REFUSED


def too_large(size: int) -> str:
    """The note on a file that is too large."""
    return f"it has {size / 1e6:.0f} MB, and {MOST_BYTES // 10**6} MB are the most"
