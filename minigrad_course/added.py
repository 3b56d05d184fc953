"""The course's part of `import minigrad as mg`: names, errors in words, and %%measure.

minigrad imports this module last (`minigrad.hooks`). What is behind a name is imported when it is first asked for.
"""

from __future__ import annotations

import sys

from minigrad import hooks

hooks.add(
    {
        "check_gradients": "minigrad_course.check:check_gradients",
        "data": "minigrad_course.data",
        "detect_anomaly": "minigrad_course.anomaly:detect_anomaly",
        "draw": "minigrad_course.viz.drawing:draw",
        "explore": "minigrad_course.viz.explore:explore",
        "find_anomaly": "minigrad_course.anomaly:find_anomaly",
        "measure": "minigrad_course.measure:measure",
        "trace": "minigrad_course.trace:trace",
        "viz": "minigrad_course.viz",
    }
)

if "IPython" in sys.modules:  # in a notebook
    from minigrad_course import measure, mistakes  # noqa: F401 - importing measure provides %%measure

    mistakes.tell_in_words()
