"""Name the command that installs a package into this very Python, or that starts the course with it.

Every message that names such a command asks here, so that the command works where it is read: in an environment of
pip, uv, pipx or conda, for a moment by uvx, and in a clone of the course, where `make` does it. Each of these is known
by a file that it leaves behind.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

from minigrad.guards.capabilities import IN_A_BROWSER

DISTRIBUTION = "minigrad-course"
CLONE = Path(__file__).resolve().parents[2]  # where this is one, and no folder of installed packages
IN_CONDA = {"graphviz": "python-graphviz", "torch": "pytorch-cpu"}  # its names for two of PyPI's packages
# PyTorch for processors: on Linux the default brings gigabytes of libraries for graphics cards.
PIP, UV = " --index-url https://download.pytorch.org/whl/cpu", " --torch-backend cpu"


def way() -> str:
    """Return what made the environment of this Python: "clone", "conda", "pip", "pipx", "uv", "uv tool" or "uvx"."""
    prefix = Path(sys.prefix)
    if prefix == CLONE / ".venv" and (CLONE / "Makefile").is_file():
        return "clone"
    if {"archive-v0", "environments-v2"} & {*prefix.parts}:  # folders of uv's cache
        return "uvx"
    for name, maker in {"conda-meta": "conda", "uv-receipt.toml": "uv tool", "pipx_metadata.json": "pipx"}.items():
        if (prefix / name).exists():
            return maker
    return "pip" if importlib.util.find_spec("pip") else "uv"


def install(*packages: str) -> str:
    """Return the command for some packages; "[course]" stands for the course itself, with that group of packages."""
    if sys.platform in IN_A_BROWSER:
        return "the course on a computer has it"
    how, ours = way(), packages[0].startswith("[")
    python, words = _quoted(sys.executable), " ".join(_quoted(course(name) if ours else name) for name in packages)
    beside = "" if ours else "".join(f" --with {_quoted(name)}" for name in packages)
    torch = {"uv": UV, "uv tool": UV, "uvx": UV, "conda": "", "pipx": f' --pip-args="{PIP.strip()}"'}.get(how, PIP)
    torch = torch if "torch" in packages else ""
    if how == "clone" and (ours or "minigrad-class" in packages):
        return _make("lab" if ours else "class")
    if how == "conda" and ours and (CLONE / "environment.yml").is_file():
        return f"conda env update --file {_quoted(str(CLONE / 'environment.yml'))}"
    if how == "conda" and not ours:
        return f"conda install --channel conda-forge {' '.join(_quoted(IN_CONDA.get(name, name)) for name in packages)}"
    if how == "uvx":
        return f"uvx{torch}{beside} --from {_quoted(course('[course]'))} minigrad lab"
    if how == "uv tool":
        return f"uv tool install --force{torch}{_before()}{beside} {_quoted(course('[course]'))}"
    if how == "pipx":
        return f"pipx {'install --force' if ours else f'inject {DISTRIBUTION}'} {words}{torch}"
    if how == "uv":
        return f"uv pip install --python {python} {words}{torch}"
    return f"{'%pip' if _in_a_notebook() else f'{python} -m pip'} install {words}{torch}"


def command(*words: str) -> str:
    """Return the line that runs `minigrad` with some words here."""
    import shutil
    import sysconfig

    how, line = way(), " ".join(map(_quoted, words))
    if sys.platform in IN_A_BROWSER:
        return f"minigrad {line}"
    if how == "clone" and words[0] == "lab" and words[1:2] in ((), ("--size",)):
        return _make(" ".join(words).replace("--size ", "SIZE=") if shutil.which("make") else line)
    if how == "uvx":
        return f"uvx --from {_quoted(course('[course]'))} minigrad {line}"
    script, known = Path(sysconfig.get_path("scripts")) / "minigrad", shutil.which("minigrad")
    if known and (how in ("uv tool", "pipx") or Path(known).parent == script.parent):
        return f"minigrad {line}"
    if script.exists() or script.with_suffix(".exe").exists():
        return f"{_quoted(str(script))} {line}"
    return f"{_quoted(sys.executable)} -m minigrad_course.cli {line}"


def fetch(path: Path) -> str:
    """Return how a file of the course comes back: from git, or from the package."""
    if any((folder / ".git").exists() for folder in path.resolve().parents):
        return f"git -C {_quoted(str(path.parent))} checkout HEAD -- {path.name}"
    return f"delete it, and {command('lab')}"


def course(extras: str) -> str:
    """Return the course as a requirement: by its name, or the place that it was installed from if that was no index."""
    import json
    from importlib import metadata

    try:
        note = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        note = {}
    vcs = f"{note['vcs_info']['vcs']}+" if "vcs_info" in note else ""
    return f"{DISTRIBUTION}{extras}" + (f" @ {vcs}{note['url']}" if note else "")


def _make(target: str) -> str:
    import shutil

    return f"make {target}" if shutil.which("make") else f"python tools/run.py {target}"


def _before() -> str:
    """The extras that a tool of uv has: installing it again would leave them out."""
    receipt = (Path(sys.prefix) / "uv-receipt.toml").read_text(encoding="utf-8").partition("entrypoints")[0]
    return "".join(f" --with {name}" for name in re.findall(r'name = "([^"]+)"', receipt) if name != DISTRIBUTION)


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./:=\\~+-]+", word) else f'"{word}"'


def _in_a_notebook() -> bool:
    return "IPython" in sys.modules and hasattr(sys.modules["IPython"].get_ipython(), "kernel")
