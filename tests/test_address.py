"""One setting holds the project's addresses: empty, nothing links to one; filled in, all that is shown is equal."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))

import address  # noqa: E402
import documentation  # noqa: E402

from minigrad_course.viz.explore import link  # noqa: E402

NAMES = ["pyproject.toml", "README.md", "CITATION.cff", "class", "LICENSE", "LICENSE-texts", "notebooks", "docs"]
NAMES += ["tools/course_in_wheel.py", "environment.yml", "CONTRIBUTING.md", "exercises"]
HOME, SITE = "https://github.com/someone/autodiff", "https://someone.github.io/autodiff"
# Addresses of a project on GitHub, and of its site; others are of tools that texts speak of.
OURS = re.compile(
    r"https?://(?:github\.com|[\w-]+\.github\.io|colab\.research\.google\.com/github|mybinder\.org/v2/gh)/[^\s\"')<>]+"
)
OTHERS = re.compile(r"https://github\.com/(OWNER|googlecolab|jupyter|pyodide|numba)[/\w-]*")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A copy of all that shows an address."""
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    address.fill(tmp_path, "")  # whatever it is in this clone
    return tmp_path


def shown(tree):
    """Each address of ours in the tree, by file."""
    files = [path for path in tree.rglob("*") if path.suffix in (".md", ".toml", ".cff", ".ipynb", ".yml")]
    texts = {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8") for path in files}
    named = {name: {url for url in OURS.findall(text) if not OTHERS.match(url)} for name, text in texts.items()}
    return {name: urls for name, urls in named.items() if urls}


def metadata(folder):
    """The metadata that a package of this folder gets."""
    pytest.importorskip("hatchling", reason="the build tool is not installed")
    pytest.importorskip("hatch_fancy_pypi_readme", reason="the build tool's plugin is not installed")
    done = subprocess.run([sys.executable, "-m", "hatchling", "metadata"], cwd=folder, capture_output=True, check=True)
    return json.loads(done.stdout)


def relative(text):
    return [target for target in re.findall(r"\]\(([^)]*)\)", text) if not target.startswith("https://")]


def test_without_an_address_nothing_links_to_one(tree):
    assert address.known(tree) == ("", "")
    assert shown(tree) == {}
    about = metadata(tree)
    assert "urls" not in about
    assert relative(about["readme"]["text"]) == [], "on PyPI such a link leads nowhere"
    assert "one page of Python, which imports" in about["readme"]["text"]
    assert "pypi.org" not in about["readme"]["text"]


def test_with_an_address_all_places_have_it(tree, monkeypatch):
    address.fill(tree, f"{HOME}/")
    assert address.known(tree) == (HOME, SITE)
    urls = shown(tree)
    assert urls.keys() == {"pyproject.toml", "class/pyproject.toml", "README.md", "CITATION.cff"}
    for name, addresses in urls.items():
        assert all("someone/autodiff" in url or url.startswith(SITE) for url in addresses), name
    course, for_class = metadata(tree), metadata(tree / "class")
    assert course["urls"] == for_class["urls"]
    assert {course["urls"]["Repository"], course["urls"]["Documentation"]} == {HOME, f"{SITE}/"}
    description = course["readme"]["text"]
    assert relative(description) == []
    for target in re.findall(rf"\]\({HOME}/(?:blob|raw)/HEAD/([^)#]+)", description):
        assert (ROOT / target).exists(), target
    text = (tree / "README.md").read_text(encoding="utf-8")
    first = re.search(r"\]\((\S+)\)", text)[1]
    assert re.fullmatch(rf"{SITE}/tab/playground/index\.html#example=(\w+)", first)
    sys.path.append(str(ROOT / "tab" / "playground"))
    from gallery import EXAMPLES

    assert first.rpartition("=")[2] in {example.name for example in EXAMPLES}
    # What asks for it when it is built: the site, and explore's Copy link.
    monkeypatch.delenv(link.SITE, raising=False)
    monkeypatch.setattr(
        link.metadata, "metadata",
        lambda name: type("", (), {"get_all": lambda _, key: [f"{k}, {v}" for k, v in course["urls"].items()]})(),
    )  # fmt: skip
    assert link.site() == SITE
    monkeypatch.setattr(documentation, "ROOT", tree)
    for name in ("tab", "sources", "benchmarks", "project"):
        (tree / name).symlink_to(ROOT / name)
    assert "shields.io" not in documentation.front_page(), "the site loads nothing from elsewhere"


def test_what_is_filled_in_can_change_and_go(tree, monkeypatch):
    before = {name: (tree / name).read_bytes() for name in NAMES if (tree / name).is_file()}
    address.fill(tree, HOME)
    once = {name: (tree / name).read_bytes() for name in before}
    address.fill(tree, "https://github.com/Other/other.github.io", "https://autodiff.example")
    assert not [name for name in before if b"someone" in (tree / name).read_bytes()]
    assert address.known(tree)[1] == "https://autodiff.example"
    address.fill(tree, HOME)
    assert {name: (tree / name).read_bytes() for name in before} == once
    address.fill(tree, "")
    assert {name: (tree / name).read_bytes() for name in before} == before
    monkeypatch.setenv("GITHUB_REPOSITORY", "Someone/someone.github.io")
    assert address.known(tree) == ("https://github.com/Someone/someone.github.io", "https://someone.github.io")


def test_versions_agree_everywhere():
    """As publishing.md says, step 8."""
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    for_class = (ROOT / "class" / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{version}"' in for_class
    assert f'"minigrad-course[course]=={version}"' in for_class
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
