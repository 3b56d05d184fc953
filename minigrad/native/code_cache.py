"""Machine code on disk: for each function and each types of its arguments a file, which ends with a seal.

Damaged machine code could do anything, so a file is loaded only if its seal, a checksum, fits. Its name holds a stamp:
of numba's version, of the function's own file, and, for functions of minigrad, of all files that hold kernels, since
they call one another across files. What has another stamp is deleted. The folder is the one that numba would take.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, NullCache
from numba.core.serialize import dumps

from minigrad.core.errors import PACKAGE_DIR
from minigrad.guards.files import remove_parts, whole_file
from minigrad.native import jit


class CodeFiles:
    """Files in a folder with one stem and stamp, each sealed, under a key."""

    def __init__(self, folder: Path, stem: str, stamp: str):
        self.folder, self.stem, self.stamp = folder, stem, stamp

    def load(self, key: str) -> bytes | None:
        """Return what was saved under this key; None if there is nothing, or if it is damaged."""
        return jit.unsealed(self._file(key))

    def save(self, key: str, content: bytes) -> None:
        """Save it as a whole, or raise OSError; delete what has another stamp."""
        file = self._file(key)
        with whole_file(file) as part:
            part.write(jit.sealed(file.name, content))
        for old in self.folder.glob(f"{glob.escape(self.stem)}.*.nbc"):
            if not old.name.startswith(f"{self.stem}.{self.stamp}."):
                with contextlib.suppress(OSError):  # in use, on Windows: the next one deletes it
                    old.unlink(missing_ok=True)
        remove_parts(self.folder, f".{glob.escape(self.stem)}.*.tmp")

    def _file(self, key: str) -> Path:
        return self.folder / f"{self.stem}.{self.stamp}.{key}.nbc"


class CodeCache(FunctionCache):  # type: ignore[misc]
    """The machine code of one function. Raises RuntimeError or OSError if there is no folder for it."""

    def __init__(self, function: Callable[..., Any]):
        super().__init__(function)
        locator = self._impl.locator
        kernels = jit.kernels_stamp() if locator._py_file.startswith(PACKAGE_DIR) else ""
        stamp = short(numba.__version__, locator.get_source_stamp(), kernels)
        self.files = CodeFiles(Path(self._cache_path), self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code for these types of arguments on this processor, or None."""
        context.refresh()
        with jit.if_possible():
            content = self.files.load(short(self._index_key(signature, context.codegen())))
            return None if content is None else self._impl.rebuild(context, pickle.loads(content))
        return None

    def save_overload(self, signature: object, code: Any) -> None:
        """Keep it, if possible."""
        if self._impl.check_cachable(code):
            with jit.if_possible():
                self._impl.locator.ensure_cache_path()
                self.files.save(short(self._index_key(signature, code.codegen)), dumps(self._impl.reduce(code)))


def cache_of(function: Callable[..., Any]) -> Any:
    """Return the cache of a function: one that keeps nothing where that is wanted, or where there is no folder."""
    if jit.CACHED.get():
        try:
            return CodeCache(function)
        except (RuntimeError, OSError):  # no folder that numba may write to: neither beside the source nor in the home
            jit.warn_uncached("no folder for it may be written")
    return NullCache()


def short(*parts: object) -> str:
    """Return a short hash of what the parts show of themselves."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
