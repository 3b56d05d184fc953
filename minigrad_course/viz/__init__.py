"""Pictures of what minigrad computes, drawn without any program outside the Python environment.

The modules behind `draw`, in reading order: sketch (the contents of a picture), short (numbers in few digits), items
(the nodes to show, and the part of the program each belongs to), fold (many nodes in few boxes), boxes (the text of a
box), frames (around layers and steps), draw (from a graph to a sketch), colour and looks (fills and outlines), dot
(from a sketch to DOT text), render (Graphviz: from DOT text to SVG and PNG), picture (the object that `draw` returns).

The others: plots (the style of the lessons' curves and images), live (pictures that change during training), explore (a
trace in linked views), film (animations; one of each kind in films_of_*, made by `animate_...`).
"""

from minigrad_course.viz.draw import draw
from minigrad_course.viz.films_of_convolution import animate_adjoint
from minigrad_course.viz.films_of_descent import animate_descent
from minigrad_course.viz.films_of_duals import animate_dual
from minigrad_course.viz.films_of_loops import animate_loop
from minigrad_course.viz.films_of_weights import animate_weights
from minigrad_course.viz.live import Live
from minigrad_course.viz.picture import Picture
from minigrad_course.viz.pictures_of_codes import Reconstructions
from minigrad_course.viz.pictures_of_time import GradientNorms, HeatStrips, gradient_norms, spectral_radius
from minigrad_course.viz.pictures_of_weights import Activations, Weights
from minigrad_course.viz.render import PictureError

__all__ = [
    "Activations", "GradientNorms", "HeatStrips", "Live", "Picture", "PictureError", "Reconstructions",
    "Weights", "animate_adjoint", "animate_descent", "animate_dual", "animate_loop", "animate_weights", "draw",
    "gradient_norms", "spectral_radius",
]  # fmt: skip
