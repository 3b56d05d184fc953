"""The site without the lessons' outputs, for all tests that look at it: whichever asks first builds it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def built_site(tmp_path_factory) -> Path:
    """The folder of the site: one for a whole run of `make test`, which names it, else one for this process."""
    folder = Path(os.environ.get("MINIGRAD_SITE_OF_TESTS") or tmp_path_factory.mktemp("docs"))
    site, done = folder / "site", folder / "done"
    with open(folder / "lock", "w") as lock:
        if os.name == "posix":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)  # let go with the file
        if not done.exists():
            command = [sys.executable, ROOT / "tools" / "documentation.py", "--no-lessons", "--no-tab"]
            command += ["--output", site]
            place = {**os.environ, "GITHUB_REPOSITORY": "someone/autodiff"}  # as in a workflow of GitHub's
            run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=place)
            assert run.returncode == 0, run.stderr  # every warning is an error, dead links among them
            done.touch()
    return site
