"""One trace in six linked views: source, table, graph, Jacobian, program, buffers. Point at one, and see it in all.

The modules: record (what is explored), walk (the way back, right or with a rule left out), forward (a pass for each
input instead), program (the trace as lines
of Python), buffers (how long each number is needed), layout (where boxes go), story (all of it as JSON), still (the
picture that needs no browser), widget (what shows it); explore.js and explore.css are what runs in the browser.
"""

from minigrad_course.viz.explore.widget import Explorer, explore

__all__ = ["Explorer", "explore"]
