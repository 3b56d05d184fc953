"""Fit a picture into a page: no wider than the page, in the page's theme, and enlarged on demand."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path

# Selectors of a dark page: JupyterLab's, and those of the course's own site (which may leave it to the computer).
DARK_PAGE = '[data-jp-theme-light="false"]', 'body[data-theme="dark"]'
LIGHT_PAGE = '[data-jp-theme-light="true"]', 'body[data-theme="light"]'

# Figures are painted once, in ink on white. On a dark page their lightness is turned round, and their hues stay.
FIGURES = "img.jp-needs-light-background, img.minigrad-figure, .minigrad-live img, .mg-digits canvas"
_NEGATIVE = "{filter:invert(1) hue-rotate(180deg)}"
FIGURE_STYLE = (
    f":is({','.join(DARK_PAGE)}) :is({FIGURES}){_NEGATIVE}\n"
    f'@media screen and (prefers-color-scheme:dark){{body[data-theme="auto"] :is({FIGURES}){_NEGATIVE}}}\n'
)

# On the site, figures are files, and drawn graphs and explore follow the computer's preference where the page does.
_PNG = '.cell_output img[src$=".png"]'
SITE_STYLE = FIGURE_STYLE + (
    f'body[data-theme="dark"] {_PNG}{_NEGATIVE}\n'
    f'@media screen and (prefers-color-scheme:dark){{body[data-theme="auto"] {_PNG}{_NEGATIVE}}}\n'
    ".minigrad-explore{margin:1rem 0}\n"
)

_STYLE = """
.minigrad-picture{max-width:100%;margin:.3em 0}
.minigrad-picture .view{overflow:auto}
.minigrad-picture .view[tabindex]{cursor:grab}
.minigrad-picture :is(svg,img){display:block;max-width:100%;height:auto}
.minigrad-picture .tools{display:flex;flex-wrap:wrap;gap:4px;justify-content:flex-end;margin-top:4px}
.minigrad-picture .tools[hidden]{display:none}
.minigrad-picture button{min-width:30px;min-height:30px;border:1px solid #6b7280;border-radius:6px;
background:none;color:inherit;font:600 14px system-ui,sans-serif;cursor:pointer}
.minigrad-picture button:disabled{opacity:.5;cursor:default}
.minigrad-picture :focus-visible{outline:2px solid #0072b2;outline-offset:-2px}
"""


def picture_in_page(svg: str, alt: str) -> str:
    """HTML for a notebook: an image that fits, which a script then puts inline.

    A notebook that is not trusted, and a page that runs no scripts, keep the image.
    """
    data = b64encode(svg.encode()).decode()
    image = f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}">'
    return f'<div class="minigrad-picture">{image}<style>{_STYLE}</style><script>{_script()}</script></div>'


def caption(sentence: str) -> dict[str, str]:
    """The sentence under a figure, as a notebook stores it; it brings what the figure's looks need."""
    return {
        "text/html": f'<style>{FIGURE_STYLE}</style><em class="minigrad-caption">{escape(sentence, quote=False)}</em>',
        "text/markdown": f"*{sentence}*",
        "text/plain": sentence,
    }


@cache
def _script() -> str:
    text = Path(__file__).with_name("picture.js").read_text(encoding="utf-8")
    return f"(() => {{\n{text}}})()"
