"""The site: every page of it is built, no link in it is dead, and nothing in it comes from elsewhere."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from built_site import built_site

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(find_spec("furo") is None, reason="`make docs` installs what the site needs"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site(tmp_path_factory)


def html(site):
    return {str(path.relative_to(site)): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def test_lessons_exercises_guides_and_the_reference_are_there(site):
    for source in (ROOT / "sources" / "lessons").glob("*.py"):
        assert (site / "notebooks" / f"{source.stem}.html").exists()
    for source in (ROOT / "sources" / "exercises").glob("*/exercise.py"):
        assert (site / "exercises" / source.parent.name / f"{source.parent.name}.html").exists()
    for guide in (ROOT / "docs").glob("*.md"):
        assert (site / "docs" / f"{guide.stem}.html").exists()
    functional = (site / "docs" / "api" / "functional.html").read_text(encoding="utf-8")
    assert 'id="minigrad.core.functional.hvp"' in functional
    assert "Pearlmutter" in functional
    links = re.findall(r"\]\((\S+)\)", (site / "llms.txt").read_text(encoding="utf-8"))
    assert len(links) > 60
    assert [link for link in links if not (site / link).exists()] == []
    table = (site / "docs" / "api" / "rules.html").read_text(encoding="utf-8")
    assert '<span class="pre">log1p</span>' in table


def test_links_lead_to_a_page(site):
    pages = html(site)
    anchors = {name: set(re.findall(r'\bid="([^"]+)"', text)) for name, text in pages.items()}
    dead = set()
    for name, text in pages.items():
        for link in re.findall(r'<a [^>]*href="([^"]+)"', text):
            page, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", page):
                continue
            target = ((site / name).parent / page).resolve() if page else site / name
            if not target.exists():
                dead.add((name, link))
            elif anchor and target.suffix == ".html":
                known = anchors.get(str(target.relative_to(site)), set())
                dead |= {(name, link)} if anchor not in known else set()
    assert dead == set()


def test_nothing_is_loaded_from_elsewhere(site):
    for name, text in html(site).items():
        tags = re.findall(r"<(?:script|img|iframe|link[^>]+stylesheet)[^>]*>", text)
        loaded = [source for tag in tags for source in re.findall(r'(?:src|href)="([^"]+)"', tag)]
        assert [source for source in loaded if source.startswith(("http", "//"))] == [], name


def test_links_to_a_source_lead_to_its_listing(site):
    assert 'href="../_modules/minigrad/core/rules.html"' in (site / "docs" / "architecture.html").read_text(
        encoding="utf-8"
    )


def test_the_front_page_is_small_and_clear(site):
    front = (site / "index.html").read_text(encoding="utf-8")
    parts = [site / "index.html", *(site / "_static" / name for name in ("front.js", "front.css", "icon.svg"))]
    assert sum(part.stat().st_size for part in parts) < 300_000
    loaded = re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"', front)
    assert sorted(loaded) == ["_static/front.css", "_static/front.js", "_static/icon.svg"]
    script = (site / "_static" / "front.js").read_text(encoding="utf-8")
    assert not re.findall(r"^(?:import|export)\b", script, re.MULTILINE), "browsers load no modules from files"
    assert (site / "_static" / "preview.png").stat().st_size < 200_000


def test_every_page_has_words_for_its_link(site):
    for name, text in html(site).items():
        if name.startswith(("_modules", "genindex", "py-modindex", "search")):
            continue
        for tag in ('<meta name="description" content="', '<meta property="og:image" content="'):
            assert tag in text, name
