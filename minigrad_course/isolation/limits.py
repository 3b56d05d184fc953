"""The limits of another person's program, and the environment that it sees."""

from __future__ import annotations

import functools
import importlib.util
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from minigrad_course import PACKAGES

HOME = "/home/student"  # in a sandbox


@dataclass(frozen=True)
class Limits:
    """The limits of one submission: seconds, bytes, processes."""

    cell: float = 20.0  # seconds for one cell
    grace: float = 3.0  # ... that an interrupted one has to stop
    total: float = 300.0  # seconds for the whole submission
    cpu: int = 300  # seconds of processor for one process
    memory: int = 2_000_000_000  # resident, of all its processes together
    address_space: int = 8_000_000_000  # of one process: compilers and PyTorch reserve much more than they use
    files: int = 256  # open at once, by one process
    file: int = 100_000_000  # bytes of one file
    disk: int = 300_000_000  # bytes of all files, in memory
    processes: int = 200  # threads counted

    def for_process(self) -> dict[str, int]:
        """Those that a process carries, by their names in `resource`."""
        memory = self.memory + 500_000_000  # stacks of threads count, although they are hardly used
        limits = {"CPU": self.cpu, "AS": self.address_space, "DATA": memory, "FSIZE": self.file, "CORE": 0}
        return limits | {"NOFILE": self.files}

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


@functools.cache
def package_folders() -> list[Path]:
    """Return the folders of our packages, of those that are installed here."""
    specs = [importlib.util.find_spec(name) for name in PACKAGES]
    return [Path(spec.origin).resolve().parent for spec in specs if spec and spec.origin]


def environment(home: str, scratch: str) -> dict[str, str]:
    """All that a submission sees of the environment."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(str(folder.parent) for folder in package_folders())),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "IPYTHONDIR": f"{scratch}/ipython",
        "MPLCONFIGDIR": f"{scratch}/matplotlib",
        "MPLBACKEND": "agg",
        "MINIGRAD_CACHE_DIR": f"{scratch}/minigrad",
        "NUMBA_CACHE_DIR": f"{scratch}/numba",
        "MINIGRAD_LIVE": "off",
        "NUMBA_NUM_THREADS": "1",
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    }
