"""Check this machine for the course, and name the one command that fixes each problem.

In a notebook `doctor.show()` shows a table; in the shell `minigrad doctor` prints the same lines. `doctor.run()`
returns them as a `Report`. Nothing is installed, downloaded or changed.

The required packages and versions come from minigrad's own metadata (pyproject.toml).
"""

from __future__ import annotations

import argparse
import html
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from minigrad.guards import capabilities
from minigrad.guards.installation import DISTRIBUTION, command, install
from minigrad_course import instructors, prepare
from minigrad_course.grading.cells import GradingError

GOOD, NOTE, BAD = "fine", "note", "fix"
# The Okabe-Ito colours, as backgrounds of these words: legible on light and dark pages, and told apart by all.
COLOURS = {GOOD: "#009E73", NOTE: "#E69F00", BAD: "#D55E00"}

# Groups of packages in pyproject.toml: what each line says, the severity of a missing one, and its consequence.
GROUPS = {
    "": ("computing", BAD, "nothing works without"),
    "course": ("lessons", BAD, "the lessons need that"),
    "memory": ("bytes", NOTE, "without it %%measure counts NumPy's and numba's arrays, not PyTorch's"),
    "recall": ("recall", NOTE, "without it questions from earlier lessons come back by a plain rule"),
    "torch": ("PyTorch", NOTE, "the course runs without; comparisons with PyTorch are left out"),
}


class Line(NamedTuple):
    """One finding, and the command that helps."""

    what: str
    state: str  # GOOD, NOTE (the course runs, something is less) or BAD
    finding: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.state:4}  {self.what:14} {self.finding}" + (f"\n{'':21}fix: {self.fix}" if self.fix else "")

    def as_row(self) -> str:
        """Return a row of an HTML table."""
        badge = f'<span style="background:{COLOURS[self.state]};color:#000;padding:0 .5em">{self.state}</span>'
        fix = f"<br>fix: <code>{html.escape(self.fix)}</code>" if self.fix else ""
        cells = (badge, f"<b>{html.escape(self.what)}</b>", html.escape(self.finding) + fix)
        return "<tr>" + "".join(f'<td style="text-align:left;padding:.2em .7em">{x}</td>' for x in cells) + "</tr>"


class Report(NamedTuple):
    """The findings. Shows as a table in a notebook, as text elsewhere."""

    lines: Sequence[Line]

    @property
    def healthy(self) -> bool:
        """Tell whether the course runs here: nothing is BAD."""
        return all(line.state != BAD for line in self.lines)

    def verdict(self) -> str:
        """Summarise the findings in one sentence."""
        bad, notes = ([line.state for line in self.lines].count(state) for state in (BAD, NOTE))
        if bad:
            return f"{bad} to fix: run the command on the line, restart the kernel, and ask again."
        return "All is ready." + (f" What is noted ({notes}) is good to know." if notes else "")

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.lines), "", self.verdict()])

    def _repr_html_(self) -> str:
        rows = "".join(line.as_row() for line in self.lines)
        return f"<table>{rows}</table><p><b>{html.escape(self.verdict())}</b></p>"


def run() -> Report:
    """Run all checks, and report. A check that fails is a finding too: the others go on."""
    lines: list[Line] = []
    for check in IN_A_BROWSER if sys.platform in capabilities.IN_A_BROWSER else CHECKS:
        try:
            lines += check()
        except Exception as error:
            lines.append(Line(check.__name__, BAD, f"the doctor could not look: {type(error).__name__}: {error}"))
    return Report(lines)


def show() -> None:
    """Show the report: a table in a notebook, text elsewhere, and on the site what there would be."""
    if "MINIGRAD_SITE" in os.environ:
        print("Where you run this, there is a line for each thing that the course needs: fine, a note, or what to fix.")
        return
    notebook = "IPython" in sys.modules and sys.modules["IPython"].get_ipython()
    (sys.modules["IPython"].display.display if notebook else print)(run())


def register(commands: argparse._SubParsersAction) -> None:
    """Add `doctor` to the commands of the shell, which returns 0 if the course runs here, else 1."""
    parser = commands.add_parser("doctor", help="check that this machine is ready for the course")
    parser.set_defaults(run=lambda arguments: main())


def main() -> int:
    """Print the report. Returns 0 if the course runs here, else 1."""
    report = run()
    print(report)
    return 0 if report.healthy else 1


def python() -> Iterator[Line]:
    """Compare this Python with the versions that minigrad was tried with."""
    version, installed = platform.python_version(), _version(DISTRIBUTION)
    classifiers = metadata.metadata(DISTRIBUTION).get_all("Classifier") or () if installed else ()
    newest = max(map(int, re.findall(r":: 3\.(\d+)$", "\n".join(classifiers), re.MULTILINE)), default=99)
    new = sys.version_info[:2] > (3, newest)
    note = f", newer than any that minigrad was tried with (up to 3.{newest})" if new else ""
    yield Line("Python", NOTE if new else GOOD, version + note)


def packages() -> Iterator[Line]:
    """Compare the installed packages with the requirements that apply to this machine: a line for each group."""
    summary = metadata.metadata("minigrad")["Summary"] or "" if (other := _version("minigrad")) else ""
    if other and not summary.startswith("Automatic differentiation, built from the chain"):  # PyPI's: it shadows ours
        problem = f"another project's package of the same name is installed (version {other}): take it away, then this"
        yield Line("minigrad", BAD, problem, install("[course]"))
    version = _version(DISTRIBUTION)
    yield Line("minigrad", GOOD, version) if version else Line("minigrad", BAD, "not installed", install("[course]"))
    for group, (what, severity, loss) in GROUPS.items() if version else ():
        have = {name: (_version(name), needed) for name, needed in _requirements(group)}
        missing = [name for name, (version, _) in have.items() if not version]
        old = {name: needed for name, (version, needed) in have.items() if version and not _fits(version, needed)}
        if group == "course" and _version("google-colab"):
            yield Line(what, GOOD, "Colab has its own versions, and would not start with others")
        elif old or missing:
            state = NOTE if missing == ["numba"] and not old else severity  # the course runs, and training is slow
            problems = [f"{name} {have[name][0]} (needs {needed})" for name, needed in old.items()]
            problems += [f"not installed: {', '.join(missing)}"] if missing else []
            wrong = [*missing, *(name + needed for name, needed in old.items())]
            fix = install(*(["[course]"] if severity == BAD and state == BAD else wrong))
            yield Line(what, state, f"{', '.join(problems)} ({loss})", fix)
        elif have:
            yield Line(what, GOOD, ", ".join(f"{name} {version}" for name, (version, _) in have.items()))


def _requirements(group: str) -> Iterator[tuple[str, str]]:
    """Yield the names and ranges of a group's packages, as far as this machine needs them."""
    for written in metadata.requires(DISTRIBUTION) or []:
        requirement, _, marker = written.partition(";")
        # A marker is an expression in Python's own words.
        always, chosen = (
            not marker or eval(marker.strip(), {"sys_platform": sys.platform, "extra": extra}) for extra in ("", group)
        )
        if always if not group else chosen and not always:
            name = re.match(r"[\w.-]+", requirement)[0]  # type: ignore[index]
            yield name, requirement.removeprefix(name).strip()


def drawing() -> Iterator[Line]:
    """Draw a small graph: installed Graphviz, being compiled code, may still not work."""
    from minigrad_course.viz.render import PictureError, render

    try:
        render('digraph { x [label="x"] }', "svg")
        yield Line("pictures", GOOD, "Graphviz draws graphs")
    except PictureError as error:
        says_how = "`" in str(error)
        yield Line("pictures", NOTE, str(error), "" if says_how else install("pygraphviz"))


def machine_code() -> Iterator[Line]:
    """Check the folder for numba's machine code. Without one everything works, but compiles anew in each kernel."""
    from minigrad.native import jit

    if not capabilities.has("numba"):
        yield Line("machine code", NOTE, f"none: programs run in plain Python ({capabilities.without('numba')})")
        return
    try:
        probe: Any = jit.kernel(_probe)
        path = probe.compiled().stats.cache_path  # compiles nothing: numba only chooses its folder
    except ImportError as error:
        yield Line("machine code", BAD, f"numba does not load: {error}", install("numba"))
        return
    folder = jit.cache_folder()
    if path is None or folder.parent == Path(tempfile.gettempdir()):
        problem = f"it is not kept ({'no folder' if path is None else folder}): kernels compile anew"
        yield Line("machine code", NOTE, problem, "set MINIGRAD_CACHE_DIR to a folder of yours")
    elif prepare.prepared():
        yield Line("machine code", GOOD, f"what programs share is compiled, in {folder}")
    else:
        problem = "what programs share is not compiled yet: the first of each kind takes some ten seconds longer"
        yield Line("machine code", NOTE, problem, command("prepare"))


def _probe(x: float) -> float:
    return x


def blas() -> Iterator[Line]:
    """Report the library behind NumPy's matrix products, its kernels and its threads."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if _version("threadpoolctl"):  # `packages` reports a missing one
        from threadpoolctl import threadpool_info

        libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
        libraries.sort(key=lambda library: "numpy" not in library["filepath"])  # SciPy may bring one of its own
        for first in libraries[:1]:
            kernels = f", {first['architecture']} kernels" if first.get("architecture") else ""
            threads = f"threads: {first['num_threads']} on {cores} cores"
            yield Line("BLAS", GOOD, f"{first['internal_api']} {first['version']}{kernels}, {threads}")


def data() -> Iterator[Line]:
    """Look for the data files without downloading any."""
    from minigrad_course.data import digits, originals

    yield Line("digits", GOOD, f"{len(digits().train_x):,} training images inside the package")
    folder = originals.data_folder(originals.MNIST)
    if originals.missing_files(folder):
        fetch = f'"{sys.executable}" -c "import minigrad_course.data; minigrad_course.data.mnist()"'
        problem = f"not in {folder}; lessons then use the embedded digits"
        yield Line("MNIST", NOTE, problem, fetch)
    else:
        yield Line("MNIST", GOOD, f"its four files are in {folder}")


def sandbox() -> Iterator[Line]:
    """Check the sandbox in which a class's submissions are graded. A learner needs none."""
    try:
        why = instructors.module("sandbox").missing()
    except GradingError:
        return
    if why:
        fix = "docs/instructors.md, Without bubblewrap"
        yield Line("sandbox", NOTE, f"none, so `minigrad class grade` would stop: {why}", fix)
    else:
        yield Line("sandbox", GOOD, "bubblewrap, for grading a class")


CHECKS: Sequence[Callable[[], Iterator[Line]]] = (python, packages, drawing, machine_code, blas, data, sandbox)
IN_A_BROWSER: Sequence[Callable[[], Iterator[Line]]] = (python, drawing, machine_code)


def _fits(version: str, needed: str) -> bool:
    """Tell whether a version is in a range such as >=8.2,<9.2."""
    bounds = re.findall(r"(>=|<)([\d.]+)", needed)
    return all((_numbers(version) >= _numbers(bound)) == (sign == ">=") for sign, bound in bounds)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.match(r"[\d.]*", version)[0].strip(".").split(".")]  # type: ignore[index]


def _version(package: str) -> str:
    """Return the installed version, or "" if there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
