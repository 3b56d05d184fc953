"""One trace in linked views: source with its numbers, Jacobian, graph, program, table. Hovering highlights all of them.

The modules: record (the trace to explore), walk (the backward pass, correct or with a rule left out), forward (one pass
for each input instead), listing (the trace as lines of Python), layout (positions of
boxes), story (everything as JSON), still (a picture that needs no browser), widget (the live display), typed (a
function as text), link (its address in the playground), guests (functions of PyTorch and JAX),
stages (a compiled program, pass by pass); explore.js and explore.css run in the browser.
"""

from minigrad_course.viz.explore.widget import Explorer, explore

__all__ = ["Explorer", "explore"]
