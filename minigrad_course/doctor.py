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
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from minigrad.guards import capabilities
from minigrad_course import DISTRIBUTION, prepare

GOOD, NOTE, BAD = "good", "note", "bad"
MARKS = {GOOD: "✓ fine", NOTE: "! note", BAD: "✗ fix"}
# The Okabe-Ito colours, as backgrounds: legible on light and dark pages, and distinguishable by colour-blind readers.
COLOURS = {GOOD: "#009E73", NOTE: "#E69F00", BAD: "#D55E00"}

# Groups of packages in pyproject.toml: the severity of a missing one, and its consequence.
GROUPS = {
    "": (BAD, "nothing works without it"),
    "course": (BAD, "the lessons need it"),
    "pictures": (NOTE, "without it pictures of graphs need a program `dot` on this system"),
    "memory": (NOTE, "without it %%measure counts NumPy's and numba's arrays, not PyTorch's"),
    "recall": (NOTE, "without it questions from earlier lessons come back by a plain rule"),
    "torch": (NOTE, "the course runs without it; comparisons with PyTorch are left out"),
}
WITHOUT_NUMBA = (NOTE, "the course runs in plain Python, and training is slow")

PYTHON = f'"{sys.executable}"' if " " in sys.executable else sys.executable  # the very one that runs the doctor
# Never the default build of an index: on Linux that brings gigabytes of GPU libraries.
TORCH = "{pip} install --upgrade torch torchvision --index-url https://download.pytorch.org/whl/cpu"
MNIST = '{python} -c "import minigrad_course.data; minigrad_course.data.mnist()"'


@dataclass(frozen=True)
class Line:
    """One finding. `fix` is the command that helps, in which {pip} and {python} stand for those of this Python."""

    what: str
    state: str  # GOOD, NOTE (the course runs, something is less) or BAD
    finding: str
    fix: str = ""

    def __str__(self) -> str:
        mark = MARKS[self.state]
        try:
            mark.encode(sys.stdout.encoding or "utf-8")
        except UnicodeEncodeError:  # a console without ✓
            mark = ("+" if self.state == GOOD else "x") + mark[1:]
        fix = self.fix.format(python=PYTHON, pip=f"{PYTHON} -m pip")
        return f"{mark}  {self.what:14} {self.finding}" + (f"\n{'':23}fix: {fix}" if fix else "")

    def as_row(self) -> str:
        """Return a row of an HTML table."""
        cell = 'td style="text-align:left;overflow-wrap:anywhere;padding:.2em .7em;border-bottom:1px solid #8884"'
        badge = f"background:{COLOURS[self.state]};color:#000;padding:0 .5em;border-radius:.6em;white-space:nowrap"
        what, finding = html.escape(self.what), html.escape(self.finding)
        fix = html.escape(self.fix.format(python=f"!{PYTHON}", pip="%pip"))
        fix = f"<br>fix: <code>{fix}</code>" if fix else ""
        return (
            f'<tr><{cell}><span style="{badge}">{MARKS[self.state]}</span></td>'
            f'<{cell}><b style="overflow-wrap:normal">{what}</b></td><{cell}>{finding}{fix}</td></tr>'
        )


@dataclass(frozen=True)
class Report:
    """The findings. Shows as a table in a notebook, as text elsewhere."""

    lines: Sequence[Line]

    @property
    def healthy(self) -> bool:
        """Tell whether the course runs here: nothing is BAD."""
        return all(line.state != BAD for line in self.lines)

    def verdict(self) -> str:
        """Summarise the findings in one sentence."""
        states = [line.state for line in self.lines]
        if not self.healthy:
            bad = states.count(BAD)
            return f"{bad} to fix. Run the command on the line, restart the kernel, and ask the doctor again."
        notes = states.count(NOTE)
        return "All is ready." + (f" Lines marked ! ({notes}) are things to know." if notes else "")

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.lines), "", self.verdict()])

    def _repr_html_(self) -> str:
        rows = "".join(line.as_row() for line in self.lines)
        table = f'<table style="border-collapse:collapse;font-size:inherit">{rows}</table>'
        return f"{table}<p><b>{html.escape(self.verdict())}</b></p>"


def run() -> Report:
    """Run all checks, and report."""
    return Report(list(findings()))


def show() -> None:
    """Show the report: a table in a notebook, text elsewhere."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        print(run())
    else:
        sys.modules["IPython"].display.display(run())


def register(commands: argparse._SubParsersAction) -> None:
    """Add `doctor` to the commands of the shell, which returns 0 if the course runs here, else 1."""
    parser = commands.add_parser("doctor", help="check that this machine is ready for the course")
    parser.set_defaults(run=lambda arguments: main())


def main() -> int:
    """Print the report. Returns 0 if the course runs here, else 1."""
    report = run()
    print(report)
    return 0 if report.healthy else 1


def findings() -> Iterator[Line]:
    """Yield one Line after the other. A failing check becomes a finding too: the others continue."""
    for check in IN_A_BROWSER if sys.platform in capabilities.IN_A_BROWSER else CHECKS:
        try:
            yield from check()
        except Exception as error:
            yield Line(check.__name__, BAD, f"the doctor could not look: {type(error).__name__}: {error}")


# Checks --------------------------------------------------------------------------------------------------------


def python() -> Iterator[Line]:
    """Compare this Python with the range that minigrad supports, and with the versions that it was tried with."""
    from packaging.specifiers import SpecifierSet

    version, about = platform.python_version(), metadata.metadata(DISTRIBUTION)
    wanted = SpecifierSet(about["Requires-Python"] or "")
    tried = re.findall(r":: 3\.(\d+)$", "\n".join(about.get_all("Classifier") or ()), re.MULTILINE)
    newest = max(map(int, tried), default=99)
    if wanted.contains(version, prereleases=True) and sys.version_info[:2] > (3, newest):
        note = f"{version}, newer than any that minigrad was tried with (up to 3.{newest}): mostly all is well"
        yield Line("Python", NOTE, note)
    else:
        yield _judged("Python", version, wanted, BAD, "install such a Python, then: make lab")


def packages() -> Iterator[Line]:
    """Compare the installed packages with the requirements that apply to this machine."""
    yield from _namesake()
    try:
        from packaging.requirements import Requirement

        written = metadata.requires(DISTRIBUTION) or []
        yield Line("minigrad", GOOD, metadata.version(DISTRIBUTION))
    except ImportError as error:  # PackageNotFoundError is one
        yield Line("minigrad", BAD, f"not installed, or in part: {error}", "make lab")
        return
    for group, (severity, loss) in GROUPS.items():
        if group == "course" and _version("google-colab"):
            yield Line("Colab", GOOD, "has its own versions of the course's packages, and would not start with others")
            continue
        for requirement in map(Requirement, written):
            name, marker = requirement.name, requirement.marker
            always = marker is None or marker.evaluate({"extra": ""})
            chosen = marker is not None and marker.evaluate({"extra": group})
            if always if not group else chosen and not always:
                fix = TORCH if group == "torch" else f'{{pip}} install "{name}{_range(requirement.specifier)}"'
                if version := _version(name):
                    yield _judged(name, version, requirement.specifier, severity, fix)
                else:
                    state, without = WITHOUT_NUMBA if name == "numba" else (severity, loss)
                    yield Line(name, state, f"not installed: {without}", fix)


def _namesake() -> Iterator[Line]:
    """Detect the project on PyPI that is also called minigrad: installed here, it shadows ours."""
    if not (version := _version("minigrad")):
        return
    if (metadata.metadata("minigrad")["Summary"] or "").startswith("Automatic differentiation, built from the chain"):
        return  # this course, from the time when it still had that name
    problem = f"another project's package of the same name is installed (version {version})"
    fix = f"{{pip}} uninstall minigrad && {{pip}} install --force-reinstall {DISTRIBUTION}"
    yield Line("minigrad", BAD, problem, fix)


def drawing() -> Iterator[Line]:
    """Draw a small graph: installed Graphviz, being compiled code, may still not work."""
    from minigrad_course.viz.render import PictureError, render

    try:
        render('digraph { x [label="x"] }', "svg")
        yield Line("pictures", GOOD, "Graphviz draws graphs")
    except PictureError as error:
        says_how = "sudo" in str(error)
        yield Line("pictures", NOTE, str(error), "" if says_how else "{pip} install --force-reinstall pygraphviz")


def machine_code() -> Iterator[Line]:
    """Check the folder for numba's machine code. Without one everything works, but compiles anew in each kernel."""
    from minigrad.native import jit

    if not capabilities.has("numba"):
        yield Line("machine code", NOTE, f"none: programs run in plain Python ({capabilities.without('numba')})")
        return
    try:
        probe: Any = jit.kernel(_probe)
        kept = probe.compiled().stats.cache_path  # compiles nothing: numba only chooses its folder
    except ImportError as error:
        yield Line("numba's cache", BAD, f"numba does not load: {error}", '{pip} install --upgrade numba "numpy>=2.0"')
        return
    folder = jit.cache_folder()
    if kept is None:
        problem = "no folder to write to: kernels compile anew each time"
        yield Line("numba's cache", NOTE, problem, "set NUMBA_CACHE_DIR to a folder of yours")
    elif folder.parent == Path(tempfile.gettempdir()):
        problem = f"only a passing folder, {folder}"
        yield Line("numba's cache", NOTE, problem, "set MINIGRAD_CACHE_DIR to a folder of yours")
    else:
        yield Line("numba's cache", GOOD, f"can be written: {folder}")
        if prepare.prepared():
            yield Line("kernels", GOOD, "what programs share is compiled")
        else:
            problem = "what programs share is not compiled yet: the first of each kind takes some ten seconds longer"
            yield Line("kernels", NOTE, problem, "minigrad prepare")


def _probe(x: float) -> float:
    return x


def blas() -> Iterator[Line]:
    """Report the library behind NumPy's matrix products, its kernels and its threads."""
    import numpy as np

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    libraries: list[dict] = []
    if _version("threadpoolctl"):  # `packages` reports a missing one
        from threadpoolctl import threadpool_info

        libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    libraries.sort(key=lambda library: "numpy" not in library["filepath"])  # SciPy may bring one of its own
    if not libraries:  # Apple's Accelerate, for example
        name = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
        yield Line("BLAS", GOOD, f"{name} ({cores} cores)")
        return
    first = libraries[0]
    kernels = f", {first['architecture']} kernels" if first.get("architecture") else ""
    threads = f"threads: {first['num_threads']} on {cores} cores"
    yield Line("BLAS", GOOD, f"{first['internal_api']} {first['version']}{kernels}, {threads}")


def data() -> Iterator[Line]:
    """Look for the data files without downloading any."""
    from minigrad_course.data import originals, size

    try:
        yield Line("size", GOOD, f"{size()} (MINIGRAD_SIZE is {os.environ.get('MINIGRAD_SIZE') or 'not set'})")
    except ValueError as error:
        yield Line("size", BAD, str(error), "unset MINIGRAD_SIZE")
    yield from embedded()
    folder = originals.data_folder(originals.MNIST)
    if not originals.missing_files(folder):
        yield Line("MNIST", GOOD, f"its four files are in {folder}")
        return
    by_hand = "set MINIGRAD_DATA to a folder with MNIST/raw, or, to download it, " + TORCH
    problem = f"not in {folder}; lessons then use the embedded digits"
    yield Line("MNIST", NOTE, problem, MNIST if _version("torchvision") else by_hand)


def embedded() -> Iterator[Line]:
    """Read the digits that are part of the package."""
    from minigrad_course.data import digits

    yield Line("digits", GOOD, f"{len(digits().train_x):,} training images inside the package")


def sandbox() -> Iterator[Line]:
    """Check the sandbox in which a class's submissions are graded. A learner needs none."""
    from minigrad_course.apart.sandbox import missing

    if not (why := missing()):
        yield Line("sandbox", GOOD, "bubblewrap, for grading a class")
    elif _version("distributed"):
        fix = "docs/instructors.md, Without bubblewrap" if shutil.which("bwrap") else "sudo apt install bubblewrap"
        yield Line("sandbox", NOTE, f"none, so `minigrad class grade` would stop: {why}", fix)
    else:
        yield Line("sandbox", GOOD, "none, and none is needed unless you grade a class (docs/instructors.md)")


def tab() -> Iterator[Line]:
    """Describe the Python of a browser's tab, into which nothing is installed: no line there names a command."""
    yield Line("Python", GOOD, f"{platform.python_version()}, in this tab; the packages came with it")


CHECKS: Sequence[Callable[[], Iterator[Line]]] = (python, packages, drawing, machine_code, blas, data, sandbox)
IN_A_BROWSER: Sequence[Callable[[], Iterator[Line]]] = (tab, drawing, machine_code, embedded)


def _judged(name: str, version: str, wanted: Any, severity: str, fix: str) -> Line:
    if wanted.contains(version, prereleases=True):
        return Line(name, GOOD, f"{version} (supported: {_range(wanted)})")
    return Line(name, severity, f"{version}, but the course needs {_range(wanted)}", fix)


def _range(specifiers: Any) -> str:
    """Write version specifiers with the lower end first: >=8.2,<9.2."""
    return ",".join(sorted(map(str, specifiers), reverse=True))


def _version(package: str) -> str:
    """Return the installed version, or "" if there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
