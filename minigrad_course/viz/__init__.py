"""Pictures of what minigrad computes, drawn without any program outside the Python environment.

The modules behind `draw`, in reading order: sketch (the contents of a picture), items (the nodes, and the part of the
program each belongs to), fold (many nodes in few boxes), boxes (the text of a box), frames (around layers and steps),
drawing (from a graph to a sketch), looks (fills and outlines), dot (from a sketch to DOT text), render (Graphviz: from
DOT text to SVG and PNG), picture (the object that `draw` returns).

The others: plots (the style of the lessons' curves and images), live (pictures that change during training), explore (a
trace in linked views), film (animations; one of each kind in films_of_*, made by `animate_...`). A module is imported
when one of its names is first used.
"""

from importlib import import_module
from typing import Any

_MODULES = {
    "Activations": "pictures_of_weights",
    "GradientNorms": "pictures_of_time",
    "HeatStrips": "pictures_of_time",
    "Live": "live",
    "Picture": "picture",
    "PictureError": "render",
    "Reconstructions": "pictures_of_codes",
    "Weights": "pictures_of_weights",
    "animate_adjoint": "films_of_convolution",
    "animate_descent": "films_of_descent",
    "animate_dual": "films_of_duals",
    "animate_loop": "films_of_loops",
    "draw": "drawing",
    "gradient_norms": "pictures_of_time",
    "spectral_radius": "pictures_of_time",
}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
