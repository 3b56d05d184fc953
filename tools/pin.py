"""Write constraints.txt anew: the newest versions that install together, for every Python that minigrad supports.

    python tools/pin.py python3.14 python3.10 python3.11 python3.12 python3.13 python3.15

asks pip, for each of these interpreters, what it would install for the package and all of its extras (nothing is
installed), and merges the answers. The first interpreter is the reference: the others get its versions where they can,
and the newest that they can have otherwise; then the lines carry markers. Needs Python 3.11 or newer and a recent pip
in the environment that runs it. Afterwards: `make test`, and commit the difference.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Wanted on another system than the one that runs this: IPython's and the kernel's helper on macOS.
ELSEWHERE = ["appnope"]
# Not moved with the rest: the lessons' comparisons were checked against these. Raise them by hand.
HELD = ["torch==2.13.0", "torchvision==0.28.0"]
# From 4.25 on it loads a checker of web addresses, which costs each process that reads a notebook 1 to 3 s.
OLDER = ["jsonschema<4.25"]
HEADER = """\
# Exact versions for a reproducible set-up on Python 3.10 to 3.15; pyproject.toml has the ranges.
# Written by tools/pin.py; see CONTRIBUTING.md. PyTorch is pinned without the GPU libraries of its CUDA build.
"""


def canonical(name: str) -> str:
    """The name as package indexes compare it: `Jinja2` and `jinja-2.x` style differences removed."""
    return re.sub(r"[-_.]+", "-", name).lower()


def ask(python: str, question: str) -> str:
    """Return an interpreter's answer."""
    command = [python, "-c", f"import sys; print({question})"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def version_of(python: str) -> str:
    """The "3.11" of an interpreter."""
    return ask(python, "'%d.%d' % sys.version_info[:2]")


def resolve(python: str, requirements: list[str], *options: str) -> list[dict]:
    """Resolve the packages that pip would install into a fresh environment of `python`: one metadata record each."""
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--dry-run", "--ignore-installed"]
    command += ["--only-binary", ":all:", "--report", "-", *options, *requirements]
    # Some packages want the latest patch of a Python; what is pinned must do for the first one, too.
    command += ["--python-version", f"{version_of(python)}.0"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [entry["metadata"] for entry in json.loads(done.stdout)["install"]]


def pins_for(python: str, about: dict, reference: dict[str, str]) -> dict[str, str]:
    """Name -> version of everything that the package, its extras and its build bring on this interpreter."""
    project = about["project"]
    extras = project["optional-dependencies"]
    try:
        torch_records = resolve(python, HELD, "--no-deps")
    except subprocess.CalledProcessError:
        print(f"{python} cannot have {' and '.join(HELD)}: the course runs there without PyTorch")
        torch_records = []
    pins = {canonical(r["name"]): r["version"].split("+")[0] for r in torch_records}
    of_torch = [
        need
        for record in torch_records
        for need in record.get("requires_dist", [])
        if not re.match(r"(torch|nvidia|cuda|triton)\b", need) and "extra ==" not in need
    ]
    wanted = [*project["dependencies"], *about["build-system"]["requires"], *ELSEWHERE, *OLDER, *of_torch, "pip"]
    for extra, needs in extras.items():
        if extra != "torch":
            wanted += [need for need in needs if not need.startswith(project["name"] + "[")]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as preferred:
        preferred.writelines(f"{name}=={version}\n" for name, version in reference.items())
        preferred.flush()
        try:
            records = resolve(python, wanted, "--constraint", preferred.name)
        except subprocess.CalledProcessError:
            print(f"{python} cannot have all of the reference's versions: taking its newest")
            records = resolve(python, wanted)
    pins.update({canonical(r["name"]): r["version"] for r in records})
    return pins


def lines(by_python: dict[str, dict[str, str]]) -> list[str]:
    """The merged pins, one line for each name and version; `by_python` maps "3.10" to that Python's pins."""
    pythons = sorted(by_python, key=lambda v: tuple(map(int, v.split("."))))
    out = []
    for name in sorted({name for pins in by_python.values() for name in pins}):
        runs: list[tuple[str, list[str]]] = []  # neighbouring Pythons with the same version
        for python in pythons:
            version = by_python[python].get(name)
            if version is not None and runs and runs[-1][0] == version:
                runs[-1][1].append(python)
            elif version is not None:
                runs.append((version, [python]))
        for i, (version, where) in enumerate(runs):
            bounds = [f'python_version >= "{where[0]}"'] if i > 0 else []
            bounds += [f'python_version < "{runs[i + 1][1][0]}"'] if i + 1 < len(runs) else []
            out.append(f"{name}=={version}" + (f" ; {' and '.join(bounds)}" if bounds else ""))
    return out


def main() -> None:
    """Resolve for each interpreter named on the command line, and write the file."""
    import tomllib  # here, so that the rest can be tested under Python 3.10

    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    by_python: dict[str, dict[str, str]] = {}
    for name in sys.argv[1:] or sys.exit(__doc__):
        python = ask(name, "sys.executable")  # pip wants a path
        version = version_of(python)
        by_python[version] = pins_for(python, about, next(iter(by_python.values()), {}))
        print(f"Python {version}: {len(by_python[version])} packages")
    (ROOT / "constraints.txt").write_text(HEADER + "\n".join(lines(by_python)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
