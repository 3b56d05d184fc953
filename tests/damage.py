"""Kinds of damage to a file in the cache, as full disks, copied homes and killed synchronisations do them."""

from __future__ import annotations

import os
import random
from pathlib import Path

CHANCE = random.Random(1)


def _at(content: bytes, place: int, new: bytes) -> bytes:
    return content[:place] + new + content[place + len(new) :]


def _flipped(content: bytes, place: int) -> bytes:
    return _at(content, place, bytes([content[place] ^ 1 << CHANCE.randrange(8)]))


OF_CONTENT = {
    "empty": lambda b: b"",
    "one byte": lambda b: b[:1],
    "half": lambda b: b[: len(b) // 2],
    "one byte less": lambda b: b[:-1],
    "without its beginning": lambda b: b[1:],
    "without its seal": lambda b: b[:-32],
    "one byte more": lambda b: b + b"\0",
    "twice": lambda b: b + b,
    "zeros": lambda b: bytes(len(b)),
    "zeros from the middle on": lambda b: b[: len(b) // 2] + bytes(len(b) - len(b) // 2),
    "a page of zeros": lambda b: _at(b, len(b) // 3, bytes(min(4096, len(b) // 3))),
    "the first byte changed": lambda b: _flipped(b, 0),
    "a byte in the middle changed": lambda b: _flipped(b, len(b) // 2),
    "some byte changed": lambda b: _flipped(b, CHANCE.randrange(len(b))),
    "the last byte changed": lambda b: _flipped(b, len(b) - 1),
    "garbage": lambda b: CHANCE.randbytes(len(b)),
    "text": lambda b: b"<html>quota exceeded</html>\n",
    "another pickle": lambda b: b"\x80\x04K\x01.",
    "line ends": lambda b: b.replace(b"\n", b"\r\n") if b"\n" in b else b + b"\r\n",
    "halves exchanged": lambda b: b[len(b) // 2 :] + b[: len(b) // 2],
}


def _exchanged(files: list[Path]) -> None:
    """Each file with the content of the next one; nothing where there is only one."""
    contents = [file.read_bytes() for file in files]
    for file, content in zip(files, contents[1:] + contents[:1], strict=True):
        file.write_bytes(content)


def _of_files(change):
    def do(files):
        for file in files:
            change(file)

    return do


def _into_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _to_nowhere(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.with_name("nowhere"))


def _of_content(change):
    return _of_files(lambda file: file.write_bytes(change(file.read_bytes())))


# By name: what changes a list of files of one sort.
KINDS = {name: _of_content(change) for name, change in OF_CONTENT.items()}
KINDS |= {
    "exchanged": _exchanged,
    "gone": _of_files(Path.unlink),
    "a folder in its place": _of_files(_into_folder),
    "a link to nowhere": _of_files(_to_nowhere),
}
if os.name == "posix" and os.geteuid():  # root reads everything
    KINDS["not to be read"] = _of_files(lambda file: file.chmod(0))
