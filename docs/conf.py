"""Sphinx's settings. tools/documentation.py lays out the site's pages first: the same folders as in the repository.

So links between lessons, guides and source files are the same in JupyterLab, on a code host and here. What this file
adds: a link to a source file leads to its listing, and nothing is loaded from anywhere else.
"""

from __future__ import annotations

import base64
import gc
import logging
import os
import re
import struct
import sys
from html import escape
from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx.addnodes import download_reference, pending_xref
from sphinx.util.osutil import relative_uri

SOURCE = Path(os.environ["MINIGRAD_SITE"]).resolve()  # where tools/documentation.py laid out the pages
sys.path[:0] = [str(SOURCE), str(SOURCE / "tools")]

gc.set_threshold(100_000, 50, 100)  # a quarter of the time went into looking for garbage, of which there is little

project = "minigrad"
author = "the minigrad authors"
copyright = "the minigrad authors; texts and pictures: CC BY 4.0, code: MIT"
root_doc = "index"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx.ext.mathjax",
]
exclude_patterns = [  # linked to, but no pages
    "docs/templates", "static", "minigrad", "minigrad_course", "sources", "tab", "tests", "tools",
]  # fmt: skip
suppress_warnings = ["mystnb.unknown_mime_type", "misc.highlighting_failure"]

viewcode_follow_imported_members = False
highlight_language = "none"  # of the examples in docstrings, most of which are no Python
html_theme = "furo"
pygments_dark_style = "github-dark"  # others underline modules, as if they were links
templates_path = ["templates"]
html_theme_options = {"enable_search_shortcuts": False}  # a single key, which nobody could switch off
html_title = "minigrad"
html_copy_source = False
html_show_sourcelink = False
html_favicon = str(SOURCE / "static" / "icon.svg")
html_static_path = [str(SOURCE / "static")]  # the scripts and styles of what is alive in a page
html_search_scorer = str(SOURCE / "static" / "search_order.js")
html_css_files = ["explore.css", "figures.css", "site.css"]
html_js_files = [("explore.js", {"defer": "defer"}), ("site.js", {"defer": "defer"})]

mathjax_path = "mathjax/tex-chtml.js"
mathjax3_config = {"options": {"enableMenu": False}}  # which would make of each formula a stop of the Tab key

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
myst_heading_slug_func = "documentation.as_jupyterlab_does"

logging.getLogger("traitlets").setLevel(logging.WARNING)  # "Executing notebook", without saying which

# Lessons run once, and again when they change; exercises have gaps, so they are shown as they are.
nb_execution_mode = os.environ.get("MINIGRAD_SITE_LESSONS", "cache")
nb_execution_cache_path = str(SOURCE.parent / "site-cache")
nb_execution_excludepatterns = ["exercises/*"]
nb_execution_timeout = 900
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_render_markdown_format = "gfm"  # with tables
nb_ipywidgets_js: dict[str, dict] = {}  # tools/stills.py shows widgets without their scripts

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": False}
python_use_unqualified_type_names = True


def plain_text(app, what, name, obj, options, lines):
    """Docstrings are written to be read in a terminal: `code` in single backticks, examples indented, nothing else."""
    text = []
    for line in lines:
        line = f"    {line}" if line.startswith("|") else line  # a table stays as it is written
        indented = line.startswith("    ")
        if indented and not (text and (text[-1] == "" or text[-1].startswith("    "))):
            line, indented = line.strip(), False  # a paragraph that hangs, as in a list
        if not indented:
            parts = line.split("`")
            parts[::2] = [re.sub(r"([*|\\])|(?<=\w)_(?=\W|$)", r"\\\g<0>", part) for part in parts[::2]]
            line = "``".join(parts) if len(parts) % 2 else line.replace("`", "\\`")
        elif text[-1] == "":
            text += ["::", ""]
        text.append(line)
    lines[:] = text


def link_to_listing(app, doctree, docname):
    """A link to a file of the package leads to its listing, if the reference shows one."""
    here = app.builder.get_target_uri(docname)
    shown = getattr(app.env, "_viewcode_modules", {})
    for node in list(doctree.findall(download_reference)):
        file = (SOURCE / docname).parent / node["reftarget"]
        if not file.resolve().is_relative_to(SOURCE):
            continue
        path = PurePosixPath(file.resolve().relative_to(SOURCE).as_posix())
        if path.suffix == ".py" and path.parts[0] in ("minigrad", "minigrad_course"):
            parts = path.with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if shown.get(module):
                uri = relative_uri(here, "_modules/" + module.replace(".", "/") + ".html")
                node.replace_self(nodes.reference("", "", *node.children, refuri=uri, internal=True))


def links_to_folders(app, doctree):
    """A link to a folder of the package leads to the page of the reference about it; other folders have none."""
    here = app.env.docname
    for node in list(doctree.findall(pending_xref)):
        target = (SOURCE / here).parent / node["reftarget"].split("#")[0]
        if node["reftype"] == "myst" and node["reftarget"] and target.is_dir():
            page = f"docs/api/{target.resolve().name}"
            if page in app.env.found_docs:
                uri = relative_uri(app.builder.get_target_uri(here), app.builder.get_target_uri(page))
                node.replace_self(nodes.reference("", "", *node.children, refuri=uri, internal=True))
            else:
                node.replace_self(nodes.inline("", "", *node.children))


def links_in_html(app, doctree):
    """The map of lessons is written in HTML, which Sphinx leaves alone."""
    for node in doctree.findall(nodes.raw):
        if node.get("format") == "html":
            text = re.sub(r'href="([^":]+)\.(?:ipynb|md)(["#])', r'href="\1.html\2', node.astext())
            node.children = [nodes.Text(text)]
            node.rawsource = text


def share_side_bars(app, pagename, templatename, context, doctree):
    """Listings are not in the side bar, so all of one folder have the same, which takes longer to make than a page."""
    if not pagename.startswith("_modules/") or "toctree" not in context:
        return
    make, folder = context["toctree"], str(PurePosixPath(pagename).parent)

    def toctree(**options):
        key = (folder, *sorted(options.items()))
        if key not in side_bars:
            side_bars[key] = make(**options)
        return side_bars[key]

    context["toctree"] = toctree


side_bars: dict[tuple, str] = {}


def say_how_high_headings_are(app, pagename, templatename, context, doctree):
    """The captions of the side bar are headings to a screen reader, which asks of which level."""
    if tree := context.get("furo_navigation_tree"):
        context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def no_empty_heads(app, pagename, templatename, context, doctree):
    """The corner above a column of names heads nothing."""
    if "body" in context:
        context["body"] = re.sub(r"<th\b[^>]*>\s*(?:<p>\s*</p>)?\s*</th>", "<td></td>", context["body"])


def late_pictures(app, pagename, templatename, context, doctree):
    """A picture is loaded when a reader comes near it: a lesson has dozens. Its size is there before."""
    files = {name: SOURCE / uri for uri, name in app.builder.images.items()}

    def late(match):
        tag, source = match[0], match[1]
        data = base64.b64decode(source.partition(",")[2]) if source.startswith("data:") else b""
        file = files.get(PurePosixPath(source).name)
        size = size_of(data or (file.read_bytes() if file else b""))
        if size and not re.search(r"\sheight=", tag):
            own = re.search(r'\swidth="(\d+)', tag)
            width = int(own[1]) if own else size[0]
            shape = f'height="{round(width * size[1] / size[0])}"'
            tag = tag.replace("<img ", f"<img {shape} " if own else f'<img width="{width}" {shape} ', 1)
        return tag if "loading=" in tag else tag.replace("<img ", '<img loading="lazy" ', 1)

    if "body" in context:
        context["body"] = re.sub(r'<img [^>]*?\bsrc="([^"]*)"[^>]*>', late, context["body"])


def size_of(picture):
    """Return the width and height of a PNG or an SVG in pixels; None where it does not say."""
    if picture.startswith(b"\x89PNG"):
        return struct.unpack(">II", picture[16:24])
    head = re.search(rb"<svg[^>]*>", picture)
    box = re.search(rb'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', head[0]) if head else None
    return (round(float(box[1])), round(float(box[2]))) if box else None


def run_it_online(app, pagename, templatename, context, doctree):
    """On a lesson's page, where to run it without installing anything: in Binder, or in Colab.

    Both take the notebook from the code host, so the links are there only where its address is known (address.py).
    Colab's own packages must stay: the extra brings what it lacks.
    """
    repository = app.config.minigrad_repository
    if not repository or not pagename.startswith("notebooks/") or "body" not in context:
        return
    binder = f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/{pagename}.ipynb"
    colab = f"https://colab.research.google.com/github/{repository}/blob/HEAD/{pagename}.ipynb"
    install = f'%pip install --quiet "minigrad-course[colab] @ git+https://github.com/{repository}"'
    links = (
        f'<p class="minigrad-online">Run it without installing anything: <a href="{binder}">in Binder</a>, which takes '
        f'some minutes to start, or <a href="{colab}">in Colab</a>, with this line in a first cell of its own: '
        f'<code class="docutils literal notranslate">{escape(install)}</code></p>'
    )
    below_title(context, links)


def run_it_here(app, pagename, templatename, context, doctree):
    """On a notebook's page, a button that opens it in a browser tab, or what it needs an installation for."""
    if not app.config.minigrad_tab or "body" not in context:
        return
    import tab

    in_tab = {path for pattern in tab.CONTENT for path in SOURCE.glob(pattern)}
    here, notebook = app.builder.get_target_uri(pagename), pagename
    needs = tab.NEEDS.get(notebook.removeprefix("notebooks/")[:2])
    if SOURCE / f"{notebook}.ipynb" in in_tab:
        place = relative_uri(here, in_the_tab(notebook))
        text = f'<a href="{place}">Run it here</a> It opens in this browser, and nothing is installed.'
        if needs:
            place = relative_uri(here, app.builder.get_target_uri("install"))
            text += f' {needs}: for those, <a href="{place}">install the course</a>.'
        below_title(context, f'<p class="minigrad-run">{text}</p>')
    elif notebook.startswith(("notebooks/", "exercises/")):
        place = relative_uri(here, app.builder.get_target_uri("install"))
        text = needs or "It measures, compiles or trains longer than a browser tab can"
        below_title(context, f'<p>{text}: <a href="{place}">install the course</a> to run this notebook.</p>')


def in_the_tab(notebook):
    """Return the address of a notebook in the tab, with a workspace of its own: else all that was open opens again."""
    workspace = f"{notebook.partition('/')[0]}-{notebook.rpartition('/')[2]}"
    return f"tab/lab/index.html?path={notebook}.ipynb&amp;workspace={workspace}"


def front(app, pagename, templatename, context, doctree):
    """The front page has a template of its own, and below its title what a visitor takes in hand."""
    if pagename != root_doc or "install" not in app.env.found_docs:  # as on the small sites of tests
        return None
    from documentation import figure

    context["minigrad_tab"] = in_tab = app.config.minigrad_tab
    lesson = in_the_tab("notebooks/00_start") if in_tab else app.builder.get_target_uri("notebooks/00_start")
    own = '<a href="tab/playground/index.html">Type your own function</a> ' if in_tab else ""
    lead = "That is how a network learns which way to change each of its weights. Step it, drag x, leave out a rule."
    begin = f'<p class="begin">{own}<a href="{lesson}">Begin lesson 00</a></p>'
    below_title(context, f'<p class="lead">{lead}</p>{begin}{figure()}')
    return "front.html"


def say_what_it_is(app, pagename, templatename, context, doctree):
    """For whoever passes a link on, and for search: the page's title and first sentence, and the course's picture."""
    from documentation import in_short

    if doctree is None:
        return
    title, sentence = in_short(SOURCE / pagename)
    if pagename == root_doc:
        sentence = (
            "Step a small function forward and backward, drag a number, leave out a rule: how derivatives are computed."
        )
    words = {"description": sentence or f"{title}: a page of minigrad, a course on automatic differentiation."}
    base = app.config.html_baseurl
    preview = (
        f"{base.rstrip('/')}/_static/preview.png"
        if base
        else relative_uri(app.builder.get_target_uri(pagename), "_static/preview.png")
    )
    graph = {"og:title": title, "og:description": words["description"], "og:type": "article", "og:image": preview}
    metas = [
        ("name", "twitter:card", "summary_large_image"),
        *(("name", *pair) for pair in words.items()),
        *(("property", *pair) for pair in graph.items()),
    ]
    context["metatags"] += "".join(f'<meta {kind}="{name}" content="{escape(value)}">\n' for kind, name, value in metas)


def below_title(context, html):
    """Put a paragraph below the title of a page."""
    context["body"] = context["body"].replace("</h1>", f"</h1>{html}", 1)


def say_which(app, docname, source):
    """Lessons take a while: name each before it runs."""
    if docname.startswith("notebooks/") and app.config.nb_execution_mode != "off":
        print(f"  {docname}", flush=True)


def setup(app):
    import stills
    import wakeup

    wakeup.mend()
    stills.mend()
    app.add_config_value("minigrad_tab", False, "html")  # is the course in a browser tab a part of the site?
    app.add_config_value("minigrad_repository", "", "html")
    app.connect("source-read", say_which)
    app.connect("html-page-context", share_side_bars, priority=100)  # before the theme asks for it
    app.connect("html-page-context", say_how_high_headings_are, priority=900)  # after the theme has made it
    app.connect("html-page-context", no_empty_heads)
    app.connect("html-page-context", late_pictures)
    app.connect("html-page-context", run_it_online)
    app.connect("html-page-context", run_it_here)
    app.connect("html-page-context", say_what_it_is)
    app.connect("html-page-context", front)
    app.connect("autodoc-process-docstring", plain_text)
    app.connect("doctree-resolved", link_to_listing)
    app.connect("doctree-read", links_to_folders)
    app.connect("doctree-read", links_in_html)
