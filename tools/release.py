"""Build a release and try it as a stranger would: python tools/release.py [--version 0.2.0]

Builds the wheels and the source archives of minigrad-course and minigrad-class into dist/, has their descriptions
checked, and installs the course in an environment where nothing else is: a gradient, a trained step, and a doctor who
names the command for what is missing. With that, the course is opened, and an exercise solved and graded
(stranger.py). Then the class beside it, which `minigrad class` has to find. On Linux, macOS and Windows.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
TRIED = """
import numpy as np, minigrad as mg
assert mg.grad(lambda x: x * x)(3.0) == 6.0
model = mg.nn.Sequential(mg.nn.Linear(4, 3, rng=0), mg.nn.Tanh(), mg.nn.Linear(3, 2, rng=1))
x, y = np.eye(4, dtype=np.float32), np.array([0, 1, 0, 1])
step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.5), x, y)
losses = [step(x, y) for _ in range(20)]
assert losses[-1] < losses[0], losses
print(f"a gradient, and a step trained 20 times: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
"""


def main() -> None:
    """Build, check, install and use."""
    parser = argparse.ArgumentParser(description="Build a release and try it.")
    parser.add_argument("--version", help="the version that this is meant to be: must be that of the package")
    wanted = parser.parse_args().version
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    if version is None:
        sys.exit("pyproject.toml names no version")
    if wanted and wanted != version[1]:
        sys.exit(f"The tag says {wanted}, pyproject.toml {version[1]}: change one of them")
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="minigrad ", ignore_cleanup_errors=True) as folder:
        tools, clean, elsewhere = (Path(folder) / name for name in ("tools", "clean", "elsewhere"))
        builder = environment(tools, "build", "twine")
        for name, project in {"minigrad-course": ROOT, "minigrad-class": ROOT / "class"}.items():
            run(builder, "-m", "build", "--outdir", str(DIST / name), str(project))
        archives = sorted(str(path) for path in DIST.glob("*/minigrad*"))
        run(builder, "-m", "twine", "check", "--strict", *archives)
        course, for_class = (next(DIST.rglob(f"minigrad_{name}-*.whl")) for name in ("course", "class"))
        python = environment(clean, str(course))
        elsewhere.mkdir()
        run(python, "-c", TRIED, at=elsewhere)
        words = [python, "-m", "minigrad_course.cli"]
        fix = re.search(r"lessons .*not installed: .*\n *fix: (.*)", said(1, *words, "doctor", at=elsewhere))
        if fix is None:
            sys.exit("the doctor does not say how the lessons' packages are installed")
        print(fix[1], flush=True)
        subprocess.run(fix[1], shell=True, check=True)
        said(0, *words, "doctor", at=elsewhere)
        run(python, str(ROOT / "tools" / "stranger.py"), "my course", at=elsewhere)
        if "minigrad-class" not in said(2, *words, "class", at=elsewhere):
            sys.exit("minigrad class does not say what to install")
        run(python, "-m", "pip", "install", "--quiet", str(for_class))
        run(*words, "class", "grade", "--help", at=elsewhere)
    print("Built and tried:", *archives, sep="\n  ")


def environment(folder: Path, *packages: str) -> str:
    """The Python of a new environment with some packages."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    run(python, "-m", "pip", "install", "--quiet", *packages)
    return python


def run(*command: str, at: Path = ROOT) -> None:
    """Run a command; leave with its status if it fails."""
    if status := subprocess.run(command, cwd=at).returncode:
        sys.exit(status)


def said(status: int, *command: str, at: Path) -> str:
    """Return what a command says; leave if it ends with another status."""
    done = subprocess.run(command, cwd=at, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode != status:
        sys.exit(f"{' '.join(command[2:])} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


if __name__ == "__main__":
    main()
