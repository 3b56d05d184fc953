"""The site as tests look at it: without the lessons' outputs, or of a few pages of their own.

Whichever test asks first builds it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))


def built_site(tmp_path_factory) -> Path:
    """The folder of the site without outputs: one for a run of `make test`, which names it, or for a process."""
    folder = Path(os.environ.get("MINIGRAD_SITE_OF_TESTS") or tmp_path_factory.mktemp("docs"))
    site, done = folder / "site", folder / "done"
    with open(folder / "lock", "w") as lock:
        if os.name == "posix":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)  # let go with the file
        if not done.exists():
            command = [sys.executable, ROOT / "tools" / "documentation.py", "--no-lessons", "--no-tab"]
            place = {**os.environ, "GITHUB_REPOSITORY": "someone/autodiff"}  # as in a workflow of GitHub's
            run = subprocess.run([*command, "--output", site], capture_output=True, text=True, cwd=ROOT, env=place)
            assert run.returncode == 0, run.stderr  # every warning is an error, dead links among them
            done.touch()
    return site


def small_site(tmp_path, pages, *options) -> Path:
    """The folder of a site of these notebooks, by name, shown with their outputs, made with the site's own settings."""
    import documentation
    import nbformat

    source, site = tmp_path / "pages", tmp_path / "site"
    (source / "docs").mkdir(parents=True)
    documentation.static(source / "static")
    shutil.copy(ROOT / "docs" / "conf.py", source / "docs")
    shutil.copytree(ROOT / "docs" / "templates", source / "docs" / "templates")
    for folder in ("tools", "tab"):
        shutil.copytree(ROOT / folder, source / folder, ignore=documentation.LEFT_OUT)
    for name, notebook in pages.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        notebook.metadata.orphan = True  # no page lists it
        nbformat.write(notebook, source / f"{name}.ipynb")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-c", source / "docs", "--fail-on-warning", "--quiet"]
    place = os.environ | {"MINIGRAD_SITE": str(source), "MINIGRAD_SITE_LESSONS": "off"}
    run = subprocess.run([*command, *options, source, site], env=place, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return site
