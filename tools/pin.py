"""Write constraints.txt anew: the newest versions that install together, for every Python from 3.10 on.

    .venv/bin/python tools/pin.py

asks uv, which installs nothing. Afterwards: `make test`, and commit the difference.
"""

import re
import subprocess

from setup import ROOT, UV, environment_of_uv

HELD = [
    "torch==2.13.0",  # not moved with the rest: the lessons' comparisons were checked against it
    "jsonschema<4.25",  # from 4.25 on it loads a checker of web addresses, for 1 to 3 s in whatever reads a notebook
]
HEADER = """\
# Exact versions for a reproducible set-up on Python 3.10 to 3.15; pyproject.toml has the ranges.
# Written by tools/pin.py; see CONTRIBUTING.md. PyTorch is pinned without the GPU libraries of its CUDA build.
"""
COMMAND = "pip compile pyproject.toml - --all-extras --universal --python-version 3.10 --only-binary :all:"
COMMAND += " --quiet --no-annotate --no-header"


if __name__ == "__main__":
    done = subprocess.run(
        [UV, *COMMAND.split()],
        cwd=ROOT,
        env=environment_of_uv() | {"UV_INDEX": "", "UV_FIND_LINKS": ""},  # these may have builds for one Python alone
        input="\n".join([*HELD, "hatchling", "hatch-fancy-pypi-readme", "uv"]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    pins = re.sub(r"^(nvidia|cuda|triton)\b.*\n", "", done.stdout, flags=re.MULTILINE)
    (ROOT / "constraints.txt").write_text(HEADER + pins, encoding="utf-8")
