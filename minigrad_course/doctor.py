"""Check this machine for the course, and name the one command that fixes each problem.

In a notebook `doctor.show()` fills a table line by line. In the shell `minigrad doctor` prints the same lines.
`doctor.run()` returns them as a `Report`. Nothing is installed, downloaded or changed.

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
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from minigrad import here
from minigrad_course import DISTRIBUTION, prepare

GOOD, NOTE, BAD = "good", "note", "bad"
MARKS = {GOOD: "✓", NOTE: "!", BAD: "✗"}
WORDS = {GOOD: "fine", NOTE: "note", BAD: "fix"}

# Groups of packages in pyproject.toml: the severity of a missing one, and its consequence.
GROUPS = {
    "": (BAD, "nothing works without it"),
    "course": (BAD, "the lessons need it"),
    "pictures": (NOTE, "without it pictures of graphs need a program `dot` on this system"),
    "memory": (NOTE, "without it %%measure counts NumPy's and numba's arrays, not PyTorch's"),
    "recall": (NOTE, "without it questions from earlier lessons come back by a plain rule"),
    "torch": (NOTE, "the course runs without it; comparisons with PyTorch are left out"),
}

# Packages of the first group without which the course runs all the same.
SLOWER = {"numba": "the course runs in plain Python, and training is slow"}

# Never the default build of an index: on Linux that brings gigabytes of GPU libraries.
TORCH = "{pip} install --upgrade torch torchvision --index-url https://download.pytorch.org/whl/cpu"


@dataclass(frozen=True)
class Line:
    """One finding. `fix` is the command that helps; `_command` replaces "{pip}" and "{python}" in it."""

    what: str
    state: str  # GOOD, NOTE (the course runs, something is less) or BAD
    finding: str
    fix: str = ""


@dataclass
class Report:
    """The findings so far. Shows as a table in a notebook, as text elsewhere."""

    lines: list[Line] = field(default_factory=list)
    finished: bool = True

    @property
    def healthy(self) -> bool:
        """Tell whether the course runs here: nothing is BAD."""
        return all(line.state != BAD for line in self.lines)

    def verdict(self) -> str:
        """Summarise the findings in one sentence."""
        bad = sum(line.state == BAD for line in self.lines)
        if bad:
            return f"{bad} to fix. Run the command on the line, restart the kernel, and ask the doctor again."
        notes = sum(line.state == NOTE for line in self.lines)
        return "All is ready." + (f" Lines marked {MARKS[NOTE]} ({notes}) are things to know." if notes else "")

    def __repr__(self) -> str:
        return "\n".join([*map(as_text, self.lines), "", self.verdict()])

    def _repr_html_(self) -> str:
        rows = "".join(map(_row, self.lines))
        end = html.escape(self.verdict()) if self.finished else "…"
        return f'<table style="border-collapse:collapse;font-size:inherit">{rows}</table><p><b>{end}</b></p>'


def run() -> Report:
    """Run all checks, and report."""
    return Report(list(findings()))


def show() -> None:
    """In a notebook, fill a table line by line during the checks. Elsewhere, print them as text."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        main()
        return
    from IPython.display import display

    report = Report(finished=False)
    handle = display(report, display_id=True)
    for line in findings():
        report.lines.append(line)
        handle.update(report)
    report.finished = True
    handle.update(report)


def register(commands: argparse._SubParsersAction) -> None:
    """Add `doctor` to the commands of the shell."""
    parser = commands.add_parser("doctor", help="check that this machine is ready for the course")
    parser.set_defaults(run=lambda arguments: main())


def main() -> int:
    """Print the findings as they come. Returns 0 if the course runs here, else 1."""
    report = Report()
    for line in findings():
        report.lines.append(line)
        print(as_text(line), flush=True)
    print(f"\n{report.verdict()}")
    return 0 if report.healthy else 1


def findings() -> Iterator[Line]:
    """Yield one Line after the other. A failing check becomes a finding too: the others continue."""
    for check in IN_A_BROWSER if sys.platform in here.IN_A_BROWSER else CHECKS:
        try:
            yield from check()
        except Exception as error:
            yield Line(check.__name__, BAD, f"the doctor could not look: {type(error).__name__}: {error}")


# Checks --------------------------------------------------------------------------------------------------------


def python() -> Iterator[Line]:
    version = platform.python_version()
    try:
        from packaging.specifiers import SpecifierSet

        about = metadata.metadata(DISTRIBUTION)
        wanted = SpecifierSet(about["Requires-Python"] or "")
    except (ImportError, metadata.PackageNotFoundError):
        yield Line("Python", NOTE, f"{version}; the lines below say why the supported range is not known")
        return
    line = _judged("Python", version, wanted, BAD, "install such a Python, then: make lab", "minigrad supports")
    tried = re.findall(r":: 3\.(\d+)$", "\n".join(about.get_all("Classifier") or ()), re.MULTILINE)
    if line.state == GOOD and tried and sys.version_info[:2] > (3, newest := max(map(int, tried))):
        note = f"{version}, newer than any that minigrad was tried with (up to 3.{newest}): mostly all is well"
        line = Line("Python", NOTE, note)
    yield line


def tab() -> Iterator[Line]:
    """Describe the Python of a browser's tab, into which nothing is installed: no line there names a command."""
    yield Line("Python", GOOD, f"{platform.python_version()}, in this tab; the packages came with it")


def packages() -> Iterator[Line]:
    try:
        from packaging.requirements import Requirement
    except ImportError:
        problem = "not installed, and so most of what the lessons need is not either"
        yield Line("packaging", BAD, problem, "make lab")
        return
    try:
        written = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield Line("minigrad", BAD, "runs from a source folder, but is not installed", "make lab")
        yield from _namesake()
        return
    yield Line("minigrad", GOOD, metadata.version(DISTRIBUTION))
    yield from _namesake()
    needed = [Requirement(text) for text in written]
    for group, (severity, loss) in GROUPS.items():
        if group == "course" and _installed("google-colab"):
            yield Line("Colab", GOOD, "has its own versions of the course's packages, and would not start with others")
            continue
        for requirement in needed:
            if _belongs(requirement, group):
                yield _package(requirement, severity, loss, TORCH if group == "torch" else "")


def _belongs(requirement: Any, group: str) -> bool:
    """Tell whether a requirement belongs to this group and applies to this machine."""
    marker = requirement.marker
    always = marker is None or marker.evaluate({"extra": ""})
    return always if not group else not always and marker.evaluate({"extra": group})


def _package(requirement: Any, severity: str, loss: str, fix: str) -> Line:
    name, wanted = requirement.name, requirement.specifier
    fix = fix or f'{{pip}} install "{name}{_range(wanted)}"'
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        if name in SLOWER:
            severity, loss = NOTE, SLOWER[name]
        return Line(name, severity, f"not installed: {loss}", fix)
    return _judged(name, version, wanted, severity, fix, "the course needs")


def _judged(name: str, version: str, wanted: Any, severity: str, fix: str, who: str) -> Line:
    if wanted.contains(version, prereleases=True):
        return Line(name, GOOD, f"{version} (supported: {_range(wanted)})")
    return Line(name, severity, f"{version}, but {who} {_range(wanted)}", fix)


def _range(specifiers: Any) -> str:
    """Write version specifiers with the lower end first: >=8.2,<9.2."""
    return ",".join(sorted(map(str, specifiers), reverse=True))


def _namesake() -> Iterator[Line]:
    """Detect the project on PyPI that is also called minigrad: installed here, it shadows ours."""
    try:
        theirs = metadata.metadata("minigrad")
    except metadata.PackageNotFoundError:
        return
    if (theirs["Summary"] or "").startswith("Automatic differentiation, built from the chain rule up"):
        return  # this course, from the time when it still had that name
    problem = f"another project's package of the same name is installed (version {theirs['Version']})"
    yield Line(
        "minigrad", BAD, problem, f"{{pip}} uninstall minigrad && {{pip}} install --force-reinstall {DISTRIBUTION}"
    )


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
    from minigrad import jit

    if not here.has("numba"):
        yield Line("machine code", NOTE, f"none: programs run in plain Python ({here.without('numba')})")
        return
    try:
        probe: Any = jit.kernel(_probe)
        kept = probe.compiled().stats.cache_path  # compiles nothing: numba only chooses its folder
    except ImportError as error:
        yield Line("numba's cache", BAD, f"numba does not load: {error}", '{pip} install --upgrade numba "numpy>=2.0"')
        return
    folder = jit.cache_folder()
    if kept is None:
        problem, fix = (
            "no folder to write to: kernels compile anew each time",
            "set NUMBA_CACHE_DIR to a folder of yours",
        )
        yield Line("numba's cache", NOTE, problem, fix)
    elif folder.parent == Path(tempfile.gettempdir()):
        problem, fix = f"only a passing folder, {folder}", "set MINIGRAD_CACHE_DIR to a folder of yours"
        yield Line("numba's cache", NOTE, problem, fix)
    else:
        yield Line("numba's cache", GOOD, f"can be written: {folder}")
        if not prepare.prepared():
            problem = "what programs share is not compiled yet: the first of each kind takes some ten seconds longer"
            yield Line("kernels", NOTE, problem, "minigrad prepare")
        else:
            yield Line("kernels", GOOD, "what programs share is compiled")


def _probe(x: float) -> float:
    return x


def blas() -> Iterator[Line]:
    """Report the library behind NumPy's matrix products, and its threads."""
    import numpy as np

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        name = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
        yield Line("BLAS", NOTE, f"{name}; threadpoolctl would tell how many threads it uses")
        return
    np.ones((2, 2)) @ np.ones((2, 2))
    libraries = [x for x in threadpool_info() if x["user_api"] == "blas"]
    libraries.sort(key=lambda x: "numpy" not in x["filepath"])  # SciPy may bring one of its own
    if not libraries:  # Apple's Accelerate, for example, cannot be queried by threadpoolctl
        name = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
        yield Line("BLAS", GOOD, f"{name} ({cores} cores)")
        return
    first = libraries[0]
    threads = f"{first['num_threads']} thread{'s' * (first['num_threads'] != 1)}"
    kernels = f", {first['architecture']} kernels" if first.get("architecture") else ""
    description = f"{first['internal_api']} {first['version']}{kernels}, {threads} on {cores} cores"
    yield _with_advice(description)


def _with_advice(description: str) -> Line:
    """Add advice if OpenBLAS uses kernels older than the processor, by choice or because it does not know its name."""
    if not unused_avx512():
        return Line("BLAS", GOOD, description)
    chosen = os.environ.get("OPENBLAS_CORETYPE")
    loss = "; this processor has AVX-512, which NumPy's products do not use (compiled programs do)"
    if chosen is None:
        return Line("BLAS", NOTE, description + loss, "set OPENBLAS_CORETYPE=SkylakeX before Python starts")
    return Line("BLAS", NOTE, f"{description}{loss}, because OPENBLAS_CORETYPE={chosen}", "unset OPENBLAS_CORETYPE")


NEEDED = ("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "fma")  # by OpenBLAS's SkylakeX kernels


def processor_features() -> set[str]:
    """Return the processor's features in LLVM's terms; none without numba, which brings LLVM."""
    if not here.has("numba"):
        return set()
    import llvmlite.binding as llvm

    return {name for name, has in llvm.get_host_cpu_features().items() if has}


def blas_kernels() -> str:
    """Return the kernels that NumPy's OpenBLAS chose, or "" if unknown."""
    try:
        import threadpoolctl
    except ImportError:
        return ""
    architectures = [lib.get("architecture") for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"]
    return (architectures[0] or "") if architectures else ""


def unused_avx512() -> bool:
    """Tell whether the processor has AVX-512 that NumPy's OpenBLAS does not use."""
    return "haswell" in blas_kernels().lower() and set(NEEDED) <= processor_features()


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
    problem = f"not in {folder}; lessons then use the embedded digits"
    if _installed("torchvision"):
        yield Line("MNIST", NOTE, problem, '{python} -c "import minigrad_course.data; minigrad_course.data.mnist()"')
    else:
        yield Line("MNIST", NOTE, problem, "set MINIGRAD_DATA to a folder with MNIST/raw, or, to download it, " + TORCH)


def embedded() -> Iterator[Line]:
    """Read the digits that are part of the package."""
    from minigrad_course.data import digits

    yield Line("digits", GOOD, f"{len(digits().train_x):,} training images inside the package")


def widgets() -> Iterator[Line]:
    """Check sliders: a half in the kernel (ipywidgets), and a half in the browser, in a package of its own."""
    if not _installed("ipywidgets"):
        return  # `packages` has reported it
    if _installed("jupyterlab_widgets"):
        yield Line("sliders", GOOD, f"jupyterlab_widgets {metadata.version('jupyterlab_widgets')}")
    else:
        yield Line("sliders", NOTE, "JupyterLab cannot show them; pictures do", "{pip} install jupyterlab_widgets")


def sandbox() -> Iterator[Line]:
    """Check the sandbox in which a class's submissions are graded. A learner needs none."""
    from minigrad_course.apart.sandbox import missing

    if not (why := missing()):
        yield Line("sandbox", GOOD, "bubblewrap, for grading a class")
    elif _installed("nbgrader"):
        fix = "docs/instructors.md, Without bubblewrap" if shutil.which("bwrap") else "sudo apt install bubblewrap"
        yield Line("sandbox", NOTE, f"none, so `minigrad class grade` would stop: {why}", fix)
    else:
        yield Line("sandbox", GOOD, "none, and none is needed unless you grade a class (docs/instructors.md)")


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


CHECKS: Sequence[Callable[[], Iterator[Line]]] = (python, packages, drawing, machine_code, blas, data, widgets, sandbox)
IN_A_BROWSER: Sequence[Callable[[], Iterator[Line]]] = (tab, drawing, machine_code, embedded)

# Display -------------------------------------------------------------------------------------------------------


def as_text(line: Line) -> str:
    """Write a finding as one line of text, with the remedy on a second line."""
    mark = MARKS[line.state]
    try:
        mark.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a console without ✓
        mark = "+" if line.state == GOOD else "x"
    text = f"{mark} {WORDS[line.state]}  {line.what:14} {line.finding}"
    return text + (f"\n{'':23}fix: {_command(line)}" if line.fix else "")


def _command(line: Line, notebook: bool = False) -> str:
    """Write the remedy for a shell or a notebook, with the very Python that ran the doctor."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if notebook:
        return line.fix.format(python=f"!{python}", pip="%pip")
    return line.fix.format(python=python, pip=f"{python} -m pip")


# The Okabe-Ito colours, each on a background: legible on light and dark pages, and distinguishable by colour-blind
# readers.
_COLOURS = {GOOD: "#009E73", NOTE: "#E69F00", BAD: "#D55E00"}
_CELL = 'style="text-align:left;overflow-wrap:anywhere;padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.3)"'


def _row(line: Line) -> str:
    fix = f"<br>fix: <code>{html.escape(_command(line, notebook=True))}</code>" if line.fix else ""
    style = f"background:{_COLOURS[line.state]};color:#000;padding:0 .5em;border-radius:.6em;white-space:nowrap"
    badge = f'<span style="{style}">{MARKS[line.state]} {WORDS[line.state]}</span>'
    return (
        f"<tr><td {_CELL}>{badge}</td><td {_CELL}><b style='overflow-wrap:normal'>{html.escape(line.what)}</b></td>"
        f"<td {_CELL}>{html.escape(line.finding)}{fix}</td></tr>"
    )
