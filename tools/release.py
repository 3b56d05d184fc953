"""Build a release and try it as a stranger would: python tools/release.py [--version 0.2.0]

Builds the wheels and the source archives of minigrad-course and minigrad-class into dist/, has their descriptions
checked, installs the course in an environment where nothing else is, and uses it there: a gradient, a trained step,
`minigrad doctor`, the lessons that come with it. Then the class beside it, which `minigrad class` has to find.
"""

from __future__ import annotations

import argparse
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
    with tempfile.TemporaryDirectory() as folder:
        tools, clean = Path(folder) / "tools", Path(folder) / "clean"
        builder = environment(tools, "build", "twine")
        for project in (ROOT, ROOT / "class"):
            run(builder, "-m", "build", "--outdir", str(DIST), str(project))
        archives = sorted(map(str, DIST.iterdir()))
        run(builder, "-m", "twine", "check", "--strict", *archives)
        python = environment(clean, str(next(DIST.glob("minigrad_course-*.whl"))))
        elsewhere = Path(folder) / "work"
        elsewhere.mkdir()
        run(python, "-c", TRIED, at=elsewhere)
        run(python, "-m", "minigrad_course.cli", "lessons", at=elsewhere)
        # Without JupyterLab the doctor is not content, and says what is missing: 1. Anything else is a crash.
        report = subprocess.run(
            [python, "-m", "minigrad_course.cli", "doctor"], cwd=elsewhere, capture_output=True, text=True
        )
        print(report.stdout)
        if report.returncode not in (0, 1) or "pip install" not in report.stdout:
            sys.exit(f"minigrad doctor failed:\n{report.stderr}")
        lessons = sorted((elsewhere / "minigrad-course" / "notebooks").glob("*.ipynb"))
        if len(lessons) < len(list((ROOT / "sources" / "lessons").glob("*.py"))):
            sys.exit(f"lessons are missing in the wheel; it brought {[path.name for path in lessons]}")
        words = [python, "-m", "minigrad_course.cli", "class"]
        without = subprocess.run(words, cwd=elsewhere, capture_output=True, text=True)
        if "pip install minigrad-class" not in without.stderr:
            sys.exit(f"minigrad class does not say what to install:\n{without.stderr}")
        run(python, "-m", "pip", "install", "--quiet", str(next(DIST.glob("minigrad_class-*.whl"))))
        run(python, "-m", "minigrad_course.cli", "class", "grade", "--help", at=elsewhere)
    print("Built and tried:", *archives, sep="\n  ")


def environment(folder: Path, *packages: str) -> str:
    """The Python of a new environment with some packages."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    run(python, "-m", "pip", "install", "--quiet", *packages)
    return python


def run(*command: str, at: Path = ROOT) -> None:
    """Run a command; leave with its status if it fails."""
    if status := subprocess.run(command, cwd=at).returncode:
        sys.exit(status)


if __name__ == "__main__":
    main()
