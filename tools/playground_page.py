"""The playground: a page on which a function is typed and explored, with the tab's Python behind it (tools/tab.py).

Its examples run when the site is built, so that the page has something to explore before Python is there.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import sys
from pathlib import Path

from setup import ROOT

PAGE = ROOT / "tab" / "playground"
EXPLORE = ROOT / "minigrad_course" / "viz" / "explore"
EDITOR = json.loads((PAGE / "npm.json").read_text(encoding="utf-8"))  # CodeMirror's packages and their modules
SCRIPTS = ["playground.js", "editor.js", "python.js", "tracer.js", "curve.js", "worker.js"]
STYLES = ["curve.css", "playground.css"]


def lay_out(folder: Path, packages: dict[str, Path]) -> None:
    """Lay out the page in `folder`. packages: folders of the unpacked npm packages, by name."""
    folder.mkdir()
    for script in (*SCRIPTS, *STYLES):
        shutil.copy(PAGE / script, folder)
    for name in ("explore.js", "explore.css"):
        shutil.copy(EXPLORE / name, folder)
    (folder / "rules.js").write_text(f"export default {derivative_rows()}\n", encoding="utf-8")
    imports = {}
    for name, about in EDITOR.items():
        place = folder / "editor" / f"{name.replace('/', '-').lstrip('@')}.js"
        place.parent.mkdir(exist_ok=True)
        shutil.copy(packages[name] / about["module"], place)
        imports[name] = f"./editor/{place.name}"
    page, import_map = (PAGE / "index.html").read_text(encoding="utf-8"), json.dumps({"imports": imports}, indent=2)
    digest = base64.b64encode(hashlib.sha256(import_map.encode()).digest()).decode()
    page = page.replace("IMPORTMAP", import_map).replace("HASH", digest)
    (folder / "index.html").write_text(page, encoding="utf-8")
    examples(folder)


def derivative_rows() -> str:
    """Return the rows of minigrad/core/rules.py as JSON, for the tracer of the page: [value, partial derivatives]."""
    sys.path.insert(0, str(ROOT))
    from minigrad.core.rules import TABLE

    return json.dumps({name: [row.expression, row.partials] for name, row in TABLE.items()})


def examples(folder: Path) -> None:
    """Run the gallery, and write what its functions are and what there is to see."""
    sys.path[:0] = [str(ROOT), str(PAGE)]
    from gallery import EXAMPLES

    from minigrad_course.viz.explore.typed import answer

    (folder / "examples").mkdir()
    for example in EXAMPLES:
        request = {"source": example.source, "mode": example.mode}
        recorded = answer(request) | answer({**request, "compiled": True})
        text = json.dumps(recorded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        (folder / "examples" / f"{example.name}.json").write_text(text, encoding="utf-8")
    listed = json.dumps([example._asdict() for example in EXAMPLES], ensure_ascii=False)
    (folder / "examples.json").write_text(listed, encoding="utf-8")
