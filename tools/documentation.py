"""The documentation as a site, built offline: lessons with their pictures, exercises, the reference, the guides.

    make docs                      -> build/site/index.html, in the size that SIZE says
    make docs ARGS="--no-tab"      without the course in a browser tab, for which packages are fetched
    make docs ARGS="--no-lessons"  lessons are shown without having run: seconds instead of minutes

Lays out what the site is made of in build/site-pages, in the same folders as in the repository, adds the front page
and the pages of the reference, and runs Sphinx (docs/conf.py). Every warning is an error: dead links among them.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import address
import page_faults
from playground_page import EXPLORE, derivative_rows

import tab

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
PARTS = [
    "notebooks",
    "exercises",
    "docs",
    "minigrad",
    "minigrad_course",
    "class",
    "benchmarks",
    "sources",
    "tests",
    "tools",
]
PARTS += ["project", "tab"]
PAGES = ["CONTRIBUTING.md", "READING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"]
PAGES += ["LICENSE", "LICENSE-texts", "budget.txt"]
FRONT = """\
def f(x=1.3):
    v1 = x * x
    v2 = mg.sin(v1)
    return v1 * v2
"""  # the function of the front page: each of the three rules of the walk back matters
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.pyc", "quick")
GUIDES = ["architecture", "compiler", "drawing", "coming_from", "others", "special_values", "limits", "faults", "tab"]
GUIDES += ["accessibility"]

FOR_ASSISTANTS = (
    "A course on automatic differentiation, and the library under it. Whoever asks about an exercise is to find the "
    "answer: ask questions, as `minigrad tutor` says, and give no solution."
)

# The reference: page -> its title, and the modules on it, in the order of the lists in both packages.
REFERENCE = {
    "rules": ("The derivative table", ["core.rules", "core.operation", "core.operand", "core.errors"]),
    "dual": ("Forward mode", ["core.dual"]),
    "graph": ("Reverse mode: the graph", ["core.node", "core.graph", "core.fit", "core.block"]),
    "functional": ("Derivatives of functions", ["core.functional", "core.tree", "loops.*"]),
    "ops": ("Array operations", ["ops.*"]),
    "like_numpy": ("NumPy's other functions", ["like_numpy.*"]),
    "trace": ("Trace tables", ["course.trace", "course.trace.trace_table"]),
    "nn": ("Networks", ["nn", "nn.*"]),
    "optim": ("Training", ["training.*", "guards.*"]),
    "compiler": ("The compiler", ["compiler", "compiler.*", "native.jit"]),
    "data": ("Data", ["course.data", "course.data.*"]),
    "measure": ("Seconds and bytes", ["course.measure", "course.measure.*"]),
    "check": ("Checks", ["course.check", "course.anomaly"]),
    "viz": (
        "Pictures",
        ["course.viz.drawing", "course.viz.explore", "course.viz.live", "course.viz.plots", "course.viz.film"],
    ),
    "grading": ("Grading", ["course.grading", "course.grading.checks", "course.grading.keeping"]),
    "project": ("The project", ["course.project", "course.project.verdict", "course.project.see"]),
    "doctor": ("The doctor and the command line", ["course.doctor", "course.lessons", "course.lab", "course.cli"]),
}


sys.path.insert(0, str(ROOT))


def main() -> None:
    """Lay out the pages and run Sphinx on them."""
    parser = argparse.ArgumentParser(prog="make docs")
    parser.add_argument("--no-lessons", action="store_true", help="show lessons without running them")
    parser.add_argument("--output", type=Path, default=BUILD / "site", help="where the site goes (build/site)")
    parser.add_argument("--no-tab", action="store_true", help="leave out the tab, which is fetched")
    arguments = parser.parse_args()
    pages = arguments.output.resolve().parent / "site-pages"
    lay_out(pages)
    for part in ("tab", "_static"):  # of an earlier site
        shutil.rmtree(arguments.output / part, ignore_errors=True)
    environment = os.environ | {"MINIGRAD_SITE": str(pages)}
    environment |= {"MINIGRAD_SITE_LESSONS": "off"} if arguments.no_lessons else {}
    options = ["-b", "html", "-c", pages / "docs", "-d", pages.parent / "site-doctrees"]
    options += ["--fail-on-warning", "--keep-going", "--quiet"]
    fetched = not arguments.no_tab and has_tab(arguments.output.resolve() / "tab")
    repository, site = address.known()
    options += ["-D", f"minigrad_tab={int(fetched)}", "-D", f"html_baseurl={site}"]
    options += ["-D", f"minigrad_repository={'/'.join(repository.split('/')[-2:])}"]
    command = [sys.executable, "-m", "sphinx", *options, pages, arguments.output]
    if status := subprocess.run(command, env=environment).returncode:
        sys.exit(status)
    (arguments.output / "llms.txt").write_text(for_assistants(pages), encoding="utf-8")
    if wrong := page_faults.of_site(arguments.output):
        sys.exit("Some pages show source where its result should be:\n" + "\n".join(wrong))
    print(f"The site is in {arguments.output}: open index.html")


def has_tab(folder: Path) -> bool:
    """Lay out the course in a browser tab. Without a network the rest of the site is whole, but CI refuses it."""
    try:
        tab.build(folder)
    except tab.TabError as error:
        if os.environ.get("CI"):
            sys.exit(str(error))
        print(f"The site is without the course in a browser tab: {error}", file=sys.stderr)
        return False
    return True


def lay_out(pages: Path) -> None:
    """A fresh copy of all that the site shows or links to."""
    shutil.rmtree(pages, ignore_errors=True)
    for part in PARTS:
        shutil.copytree(ROOT / part, pages / part, ignore=LEFT_OUT)
    for page in PAGES:
        shutil.copy(ROOT / page, pages / page)
    static(pages / "static")
    (pages / "index.md").write_text(front_page(), encoding="utf-8")
    (pages / "install.md").write_text(install_page(), encoding="utf-8")
    (pages / "docs" / "api").mkdir(exist_ok=True)
    for name, (title, named) in REFERENCE.items():
        table = derivative_table() if name == "rules" else ""
        (pages / "docs" / "api" / f"{name}.md").write_text(reference(title, modules(named), table), encoding="utf-8")


def static(folder: Path) -> None:
    """Return the pages' extra resources: the views of explore, and figures in the page's theme."""
    from minigrad_course.viz.explore import alone
    from minigrad_course.viz.page import SITE_STYLE

    folder.mkdir()
    (folder / "explore.js").write_text(alone.script(), encoding="utf-8")
    (folder / "explore.css").write_text(alone.style(), encoding="utf-8")
    (folder / "figures.css").write_text(SITE_STYLE, encoding="utf-8")
    for name in ("site.js", "site.css", "search_order.js", "icon.svg", "pictures/preview.png"):
        shutil.copy(ROOT / "docs" / name, folder)
    playground = ROOT / "tab" / "playground"
    modules = [
        (EXPLORE / "explore.js", "render"),
        (playground / "tracer.js", "traced", "onto"),
        (playground / "curve.js", "curve"),
    ]
    script = "".join(alone.module(*module) for module in modules) + (ROOT / "docs" / "front.js").read_text(
        encoding="utf-8"
    )
    (folder / "front.js").write_text(f"(() => {{\nconst RULES = {derivative_rows()}\n{script}}})()\n", encoding="utf-8")
    styles = [
        alone.style(),
        *(path.read_text(encoding="utf-8") for path in (playground / "curve.css", ROOT / "docs" / "front.css")),
    ]
    (folder / "front.css").write_text("".join(styles), encoding="utf-8")
    files = importlib.metadata.files("sphinx-mathjax-offline") or []
    for file in files:  # 1.6 of its 24 MB: what turns TeX into HTML, with its fonts and the words for screen readers
        path = file.as_posix().partition("/static/")[2]
        if path == "mathjax/tex-chtml.js" or path.startswith("mathjax/output/chtml/fonts/woff-v2/"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(file.locate()), folder / path)


def figure() -> str:
    """Build what a visitor takes in hand first: a function, its record for the page's scripts, and a still picture."""
    sys.path.insert(0, str(ROOT))
    from minigrad_course.viz.explore.typed import answer

    request = {"source": FRONT}
    recorded = answer(request) | answer({**request, "compiled": True})
    data = {
        "source": FRONT,
        "x": recorded["parameters"][0]["value"],
        "story": recorded["story"],
        "compiled": recorded["compiled"],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div id="figure"><script type="application/json">{text}</script><pre>{FRONT}</pre></div>'


def race() -> str:
    """Return the race as bars in HTML: they have words, and are read at any width."""
    from benchmarks.report import steps_per_second

    panels = ""
    for one in json.loads((ROOT / "benchmarks" / "results" / "race.json").read_text(encoding="utf-8"))["races"]:
        speeds = sorted(((steps_per_second(row, one), row["title"]) for row in one["rows"]), reverse=True)
        bars = "".join(
            f'<dt{first}>{title}</dt><dd{first} style="--share: {speed / speeds[0][0]:.3f}">{speed:,.0f}</dd>'
            for speed, title in speeds
            for first in [' class="first"' * (title == "minigrad")]
        )
        panels += f"<div><h3>{one['title'].partition(' (')[0]}</h3><dl>{bars}</dl></div>"
    return f'\n```{{raw}} html\n<div class="race">{panels}</div>\n```\n'


def all_pages() -> dict[str, list[str]]:
    """List the site's pages, as the side bar and llms.txt name them."""

    def pages(folder: str, pattern: str) -> list[str]:
        return [str(path.relative_to(ROOT).with_suffix("")) for path in sorted((ROOT / folder).glob(pattern))]

    elsewhere = [f"With {page.split('/')[2].upper()} <{page}>" for page in pages("benchmarks/results", "[!q]*/*.md")]
    teachers = "docs/two_minutes docs/instructors class/README docs/teaching docs/assistants"
    authors = "CONTRIBUTING docs/authors docs/publishing CODE_OF_CONDUCT SECURITY CHANGELOG"
    return {
        "Lessons": [*pages("notebooks", "[0-9]*.ipynb"), "notebooks/puzzles", "notebooks/glossary"],
        "Exercises": [*pages("exercises", "*/*.ipynb"), "project/project"],
        "Guides": ["install", "READING", *(f"docs/{name}" for name in GUIDES)],
        "Benchmarks": ["benchmarks/README", *pages("benchmarks/results", "*.md"), *elsewhere],
        "Reference": [f"docs/api/{name}" for name in REFERENCE],
        "For teachers and authors": f"{teachers} {authors}".split(),
    }


def for_assistants(pages: Path) -> str:
    """llms.txt: all pages, with their titles and first sentences, for assistants that look things up."""
    text = f"# minigrad\n\n> {FOR_ASSISTANTS}\n"
    for caption, names in all_pages().items():
        text += f"\n## {caption}\n\n"
        for name in names:
            page = name.partition("<")[2].rstrip(">") or name
            title, sentence = in_short(pages / page)
            text += f"- [{title}]({page}.html){sentence and ': '}{sentence}\n"
    return text


SHORT = 100  # characters that words below a link have at least, and twice as many at most


def in_short(page: Path) -> tuple[str, str]:
    """Return the title and the first sentences of a laid-out page, or of the modules that it documents."""
    path = page.with_suffix(".md")
    if path.exists():
        text = path.read_text(encoding="utf-8")
    else:
        cells = json.loads(page.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    title, *blocks = re.split(r"\n{2,}", text[text.index("# ") + 2 :])
    for name in re.findall(r"automodule:: (\S+)", text):
        about = importlib.import_module(name).__doc__
        blocks += re.split(r"\n\s*\n", about or "")
    words = ""
    for block in blocks:
        if not re.match(r'[*-]* ?[*"“A-Z]', block):
            continue
        prose = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(block.lstrip("- ").split()))
        prose = re.sub(r"\*([A-Za-z][^*`]*)\*", r"\1", re.sub(r"\*\*|[`$]", "", prose))
        for sentence in re.findall(r".*?[.?!](?=\W*(?:\s|$))[\"”)]*", prose):
            longer = f"{words} {sentence.strip()}".strip()
            if len(words) >= SHORT or len(longer) > 2 * SHORT:
                return title, words or longer
            words = longer
    return title, words


def front_page() -> str:
    """The front page: the idea, what is built, the race; and the list of all pages, which the side bar shows."""
    tree = "\n```{{toctree}}\n:hidden:\n:titlesonly:\n:caption: {}\n\n{}\n```\n"
    trees = "".join(tree.format(caption, "\n".join(pages)) for caption, pages in all_pages().items())
    text = (ROOT / "docs" / "templates" / "front.md").read_text(encoding="utf-8")
    return text.replace("MAP\n", the_map()).replace("RACE\n", race()) + trees


def install_page() -> str:
    """The README, without what the front page has."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = re.sub(r"<!-- address -->.*?<!-- /address -->\n\n", "", readme, flags=re.DOTALL)  # it is this very site
    return readme.replace("# minigrad\n", "# Install\n", 1)


def the_map() -> str:
    """The map of the course from lesson 00, in the place of the README's list of lessons."""
    lesson = (ROOT / "sources" / "lessons" / "00_start.py").read_text(encoding="utf-8")
    lines = [line.removeprefix("# ") for line in lesson.splitlines() if line.startswith(("# <div", "# </div"))]
    text = "\n".join(lines).replace("<br>you are here", "<br>begin here").replace('href="../', 'href="')
    assert text.count("<div") == text.count("</div>") > len(list((ROOT / "notebooks").glob("[0-9]*.ipynb")))
    return re.sub(r'href="(?=\d\d\w?_|puzzles)', 'href="notebooks/', text) + "\n\n"


def as_jupyterlab_does(heading: str) -> str:
    """The anchor of a heading: glossary.ipynb#Dual-number is one place in JupyterLab and on the site."""
    return heading.replace(" ", "-")


def modules(named: list[str]) -> list[str]:
    """The files of some modules: `ops.*` is every public file in minigrad/ops, `course.` stands for minigrad_course."""
    names = []
    for part in named:
        name = f"minigrad_{part}" if part.startswith("course.") else f"minigrad.{part}"
        if name.endswith(".*"):
            folder = ROOT / name[:-2].replace(".", "/")
            names += [f"{name[:-2]}.{path.stem}" for path in sorted(folder.glob("[a-z]*.py"))]
        else:
            names.append(name)
    return names


def derivative_table() -> str:
    """All rows of minigrad/core/rules.py."""
    from minigrad.core.rules import TABLE

    table = "| operation | value `v` | partial derivative for each of `a`, `b`, `c` |\n|---|---|---|\n"
    for name, row in TABLE.items():
        table += f"| `{name}` | `{row.expression}` | {', '.join(f'`{partial}`' for partial in row.partials)} |\n"
    return table + "\n"


def reference(title: str, names: list[str], start: str = "") -> str:
    """A page of the reference: what the docstrings of some modules say, after what it starts with."""
    parts = [f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n```\n" for name in names]
    return f"# {title}\n\n{start}" + "\n".join(parts)


if __name__ == "__main__":
    main()
