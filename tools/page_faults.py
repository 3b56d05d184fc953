"""Find accidents in a page of the site: source instead of its result. `make docs` refuses such a site."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

RAW_TABLE = re.compile(r"\|\s*:?(?:-{2,}|[\u2013\u2014]+):?\s*\|")  # below a head; dashes may have become a long one
WIDGET = re.compile(
    r"\b(?:interactive|Output|[HV]?Box|GridBox|Tab|Accordion|Text|Play|Dropdown|Select|Checkbox|\w*Buttons?|\w+Slider)\("
    r"(?:children|value|outputs|description|options)="
)
OBJECT = re.compile(
    r"<(?:IPython|ipywidgets|matplotlib)[\w. ]*object[^>]*>|\[?<[\w.]+ at 0x[0-9a-f]+>|<Figure size [^>]*>"
)
EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class _Text(HTMLParser):
    """The text of a page in pieces: (whether it is source, whether a cell has put it out, text)."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[tuple[str, str]] = []  # tags that are open, with their classes
        self.pieces: list[tuple[bool, bool, str]] = []

    def handle_starttag(self, tag, attributes):
        if tag not in EMPTY:
            self.inside.append((tag, dict(attributes).get("class") or ""))

    def handle_endtag(self, tag):
        if any(name == tag for name, _ in self.inside):
            while self.inside.pop()[0] != tag:
                pass

    def handle_data(self, text):
        tags = {name for name, _ in self.inside}
        if not tags & {"script", "style", "svg", "title"}:
            source, shown = bool(tags & {"pre", "code"}), any("cell_output" in classes for _, classes in self.inside)
            if self.pieces and self.pieces[-1][:2] == (source, shown):
                text = self.pieces.pop()[2] + text
            self.pieces.append((source, shown, text))


def faults(html: str) -> list[str]:
    """Find raw bars of tables, and representations of widgets and objects that stand for something to look at."""
    reader = _Text()
    reader.feed(html)
    hits = [
        hit
        for source, shown, text in reader.pieces
        for kind, asked in ((RAW_TABLE, not source), (WIDGET, shown), (OBJECT, shown))
        if asked
        for hit in kind.finditer(text)
    ]
    return [" ".join(hit.string[max(0, hit.start() - 40) : hit.end() + 40].split()) for hit in hits]


def of_site(site: Path) -> list[str]:
    """Go through all pages of a site, but for listings of source, and the app in the tab."""
    pages = [page for page in sorted(site.rglob("*.html")) if not {"_modules", "tab"} & {*page.relative_to(site).parts}]
    return [
        f"{page.relative_to(site)}: {fault}" for page in pages for fault in faults(page.read_text(encoding="utf-8"))
    ]
