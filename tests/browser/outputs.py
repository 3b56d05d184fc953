"""The outputs of a notebook in two Pythons, compared: they round, count seconds and lay lines out differently."""

import base64
import io
import itertools
import json
import re
from html import unescape

import matplotlib.image
import numpy as np

NUMBER = re.compile(r"[-+−]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")
SAME = 1e-9  # of a number: each Python has a sine of its own, right in all but the last digits
NOTHING = 1e-13  # differences of numbers that would be equal without rounding
INK = 0.02  # of a picture, on a scale of 1: lines and letters lie half a pixel elsewhere
# What a tab says of itself: once in each exercise, and where the first program runs.
LACKS = re.compile(
    r".*(No cell is stopped after|this program runs in plain Python).*Python in a browser has no .*\n(  .*\n)*"
)
FOR_PAPER = "image/png"  # beside HTML: for mail and print, and no page shows it


def shown(cell):
    """List what a cell shows as pairs (kind, text): streams in one piece each, and no names that are new each time."""
    pieces = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            text = LACKS.sub("", "".join(output["text"]))
            pieces += [(output["name"], text)] * bool(text)
        elif output["output_type"] == "error":
            line = re.search(r"^-+> \d+ .*", without_colours("\n".join(output["traceback"])), re.MULTILINE)
            pieces += [("error", f"{output['ename']}: {output['evalue']}"), ("line", line[0] if line else "")]
        else:
            data = {kind: part for kind, part in output["data"].items() if kind != FOR_PAPER or len(output["data"]) < 3}
            pieces += [(kind, plain(kind, part)) for kind, part in sorted(data.items())]
    whole = []
    for kind, same in itertools.groupby(pieces, key=lambda piece: piece[0]):
        texts = [text for _, text in same]
        whole += [(kind, "".join(texts))] if kind in ("stdout", "stderr") else [(kind, text) for text in texts]
    return whole


def without_colours(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def plain(kind, part):
    """The text of one kind of an output, without random names; of drawings in it the words and the kinds of shapes."""
    text = json.dumps(part, sort_keys=True) if isinstance(part, dict) else "".join(part)
    if kind == "image/png":
        return text
    text = re.sub(r"data:image/svg\+xml;base64,([\w+/=]+)", lambda svg: drawn(base64.b64decode(svg[1]).decode()), text)
    return re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{32}\b|\b(?:digits|still-|mg)[0-9a-f]{8,12}\b", "#", text)


def drawn(svg):
    """The words and shapes of a drawing, in their order, wherever they lie; less what a Graphviz says of itself."""
    svg = re.sub(r"<!--.*?-->|<title>%3</title>|<style>.*?</style>", "", svg, flags=re.DOTALL)
    pieces = (shape or unescape(word).strip() for shape, word in re.findall(r"<(\w+)|>([^<>]+)(?=<)", svg))
    return " ".join(piece for piece in pieces if piece)


def difference(one, other, numbers=True):
    """Say in what two lists of `shown` differ, empty if in nothing. Without `numbers` in more than numbers and ink."""
    if [kind for kind, _ in one] != [kind for kind, _ in other]:
        return f"kinds {[kind for kind, _ in one]} and {[kind for kind, _ in other]}"
    pairs = [(kind, a, b) for (kind, a), (_, b) in zip(one, other, strict=True)]
    says = [(kind, (unlike if kind == "image/png" else unequal)(a, b, numbers)) for kind, a, b in pairs]
    return next((f"{kind}: {what}" for kind, what in says if what), "")


def unequal(a, b, numbers):
    """Compare two texts, words by their letters and numbers by their values."""
    for x, y in itertools.zip_longest(NUMBER.split(a), NUMBER.split(b), fillvalue=""):
        if re.sub(r"\s+|-{3,}", " ", x) != re.sub(r"\s+|-{3,}", " ", y):
            return f"{x[-200:]!r} and {y[-200:]!r}"
    for x, y in zip(NUMBER.findall(a), NUMBER.findall(b), strict=True) if numbers else ():
        p, q = (float(number.replace(",", "").replace("−", "-")) for number in (x, y))
        if abs(p - q) > NOTHING + SAME * max(abs(p), abs(q)):
            return f"{x} and {y}"
    return ""


def unlike(a, b, ink):
    """Compare two pictures by their sizes and, if asked for, by their ink."""
    one, other = (matplotlib.image.imread(io.BytesIO(base64.b64decode(text)), format="png") for text in (a, b))
    if one.shape != other.shape:
        return f"pictures of {one.shape} and {other.shape}"
    apart = np.abs(one - other).mean()
    return f"pictures that are {apart:.3f} apart" if ink and apart > INK else ""
