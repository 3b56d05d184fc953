"""Pictures of what minigrad computes, drawn without any program outside the Python environment.

The rooms, in the order in which a newcomer reads them: sketch (what a picture consists of), short (numbers in few
digits), boxes (what a box says), fold (many nodes in few boxes), draw (from a graph to a sketch), dot (from a sketch to
DOT text), render (from DOT text to SVG and PNG), picture (what `draw` hands out). Apart from these: plots (the style of
the lessons' curves).
"""

from minigrad.viz.draw import draw
from minigrad.viz.picture import Picture
from minigrad.viz.render import PictureError

__all__ = ["Picture", "PictureError", "draw"]
