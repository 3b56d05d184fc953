"""Pictures of what minigrad computes, drawn without any program outside the Python environment.

The modules of `draw`, in the order in which a newcomer reads them: sketch (what a picture consists of), short (numbers
in few digits), items (which nodes there are, and in what part of the program), fold (many nodes in few boxes),
boxes (what a box says), frames (around layers and steps), draw (from a graph to a sketch), colour and looks (fills
and outlines), dot (from a sketch to DOT text), render (Graphviz: from DOT text to SVG and PNG); picture (what `draw`
hands out). Apart from these: plots (the style of the lessons' curves and
images), live (what changes while a network learns), live_code (a plane of codes to drag in), explore (one trace in
views that follow each other), walk_back (the walk back, with its rules left out), film (a picture that moves; one of
each kind in films_of_*, and `animate_...` makes them).
"""

from minigrad_course.viz.draw import draw
from minigrad_course.viz.films_of_convolution import animate_adjoint
from minigrad_course.viz.films_of_descent import animate_descent
from minigrad_course.viz.films_of_duals import animate_dual
from minigrad_course.viz.films_of_loops import animate_loop
from minigrad_course.viz.films_of_weights import animate_weights
from minigrad_course.viz.live import Live
from minigrad_course.viz.live_code import CodePad
from minigrad_course.viz.picture import Picture
from minigrad_course.viz.pictures_of_codes import Reconstructions
from minigrad_course.viz.pictures_of_time import GradientNorms, HeatStrips, gradient_norms, spectral_radius
from minigrad_course.viz.pictures_of_weights import Activations, Weights
from minigrad_course.viz.render import PictureError

__all__ = [
    "Activations", "CodePad", "GradientNorms", "HeatStrips", "Live", "Picture", "PictureError", "Reconstructions",
    "Weights", "animate_adjoint", "animate_descent", "animate_dual", "animate_loop", "animate_weights", "draw",
    "gradient_norms", "spectral_radius",
]  # fmt: skip
