"""Fill in the project's addresses wherever they are shown: python tools/address.py [REPOSITORY [SITE]]

    make address REPOSITORY=https://github.com/OWNER/NAME

keeps them in pyproject.toml, [tool.minigrad], the one place for them; without REPOSITORY those are used that stand
there. SITE is where GitHub Pages shows the repository's site, unless another one is named; REPOSITORY="" takes all out
again. On GitHub's machines (GITHUB_REPOSITORY) it is the repository that they run for. What can ask when it is built
does: the site (tools/documentation.py), and by the package's metadata explore's *Copy link*.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LESSON = "notebooks/00_start.ipynb"
README = """\
**[Type a function, and step through its derivatives]({site}/tab/playground/index.html#example=loop)**: in a browser, \
with nothing to install. Then [lesson 00]({site}/tab/lab/index.html?path={lesson}&workspace=notebooks-00_start), \
or all of it on [the site]({site}/). On your computer: `uvx "minigrad-course[course]" lab`, or \
`pip install "minigrad-course[course]"` and `minigrad lab`.

[![tests]({repository}/actions/workflows/test.yml/badge.svg)]({repository}/actions/workflows/test.yml)
[![PyPI](https://img.shields.io/pypi/v/minigrad-course)](https://pypi.org/project/minigrad-course/)
[![MIT and CC BY 4.0](https://img.shields.io/badge/licence-MIT%20and%20CC%20BY%204.0-blue)]({repository}/blob/HEAD/LICENSE)
[![Run it here](https://img.shields.io/badge/run%20it-here-009E73)]({site}/tab/lab/index.html?path={lesson})
[![Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/{name}/blob/HEAD/{lesson})
[![Binder](https://mybinder.org/badge_logo.svg)](https://mybinder.org/v2/gh/{name}/HEAD?urlpath=lab/tree/{lesson})
"""
URLS = """\
[project.urls]
Homepage = "{site}/"
Documentation = "{site}/"
Repository = "{repository}"
Issues = "{repository}/issues"

"""
CITATION = 'repository-code: "{repository}"\nurl: "{site}/"\n'
PICTURE, LINK = r"![\1]({repository}/raw/HEAD/\2)", r"[\1]({repository}/blob/HEAD/\2)"  # of the README on PyPI


def known(root: Path = ROOT) -> tuple[str, str]:
    """Return the addresses of the repository and of the site; "" where there are none yet."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    repository, site = (re.search(rf'^{key} = "(.*)"', text, re.MULTILINE)[1] for key in ("repository", "site"))
    if running := os.environ.get("GITHUB_REPOSITORY"):
        this = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{running}"
        return this, site if this == repository else pages(this)
    return repository, site


def pages(repository: str) -> str:
    """Return the address of a repository's site on GitHub Pages."""
    owner, name = repository.rstrip("/").split("/")[-2:]
    return f"https://{owner.lower()}.github.io" + (f"/{name}" if name.lower() != f"{owner.lower()}.github.io" else "")


def fill(root: Path, repository: str, site: str = "") -> None:
    """Write the addresses, or take them out."""
    repository = repository.rstrip("/")
    site = (site or (pages(repository) if repository else "")).rstrip("/")
    words = {"repository": repository, "site": site, "name": "/".join(repository.split("/")[-2:]), "lesson": LESSON}

    def filled(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda word: words[word[1]], text) if repository else ""

    def change(name: str, *changes: tuple[str, str]) -> None:
        text = (root / name).read_text(encoding="utf-8")
        for pattern, new in changes:
            text, count = re.subn(pattern, lambda _, new=new: new, text, count=1, flags=re.MULTILINE | re.DOTALL)
            assert count == 1, f"{name} has no place for {pattern}"
        (root / name).write_text(text, encoding="utf-8")

    urls = r"(?:\[project\.urls\]\n.*?\n\n)?(?=^\[tool\.hatch\.build\]$)"
    change("class/pyproject.toml", (urls, filled(URLS)))
    change(
        "pyproject.toml",
        (r'^repository = "[^"\n]*"', f'repository = "{repository}"'),
        (r'^site = "[^"\n]*"', f'site = "{site}"'),
        (urls, filled(URLS)),
        (r"(?<=# pictures\nreplacement = ')[^'\n]*", filled(PICTURE) or r"\1"),
        (r"(?<=# links\nreplacement = ')[^'\n]*", filled(LINK) or r"\1"),
    )
    change("README.md", (r"(?<=<!-- address -->\n).*?(?=<!-- /address -->)", filled(README)))
    change("CITATION.cff", (r'(?:^repository-code: "[^\n]*\nurl: "[^\n]*\n)?\Z', filled(CITATION)))


if __name__ == "__main__":
    fill(ROOT, *sys.argv[1:3]) if sys.argv[1:] else fill(ROOT, *known())
    print("{} and {}".format(*known()) if known()[0] else "There is no address: nothing links to one.")
