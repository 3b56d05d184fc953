"""Trace tables: each line of a function's computation, and its derivative beside it, with formulas and numbers.

    def f(x1, x2):
        a = b = 0
        for _ in range(2):
            a += x1 * x2
            b += x1 + x2
        return a, b

    t = trace(f, 3.0, 4.0)
    t.forward(seed="x1")     # program line | value | tangent
    t.reverse(output="a")    # program line | value | adjoint, to be read upwards
    t.jacobian("forward")    # filled by columns, a pass for each

The files: tracer (running the function), formula (writing an equation), seed (the learner's choice), derive (the
equations of both modes), table (rows and their display), jacobian (pass by pass).
"""

from minigrad_course.trace.formula import Equation, Symbol
from minigrad_course.trace.jacobian import Jacobian, Pass
from minigrad_course.trace.style import BAR, DOT, HTML, TEXT
from minigrad_course.trace.trace_table import Row, Table
from minigrad_course.trace.tracer import Trace, trace

__all__ = [
    "BAR", "DOT", "HTML", "TEXT", "Equation", "Jacobian", "Pass", "Row", "Symbol", "Table", "Trace", "trace",
]  # fmt: skip
