"""Graphs whose values are postponed, as `mg.compile` builds them: every operation, its shapes, dtypes and values."""

import numpy as np
import pytest

from minigrad.compiler.postponed import postpone
from minigrad.core.block import override
from minigrad.core.graph import topological_order
from minigrad.core.node import Operator, postponing

from . import PART, PARTS
from .modes import outputs_of
from .operations import ENTRIES
from .questions import case_questions, kind_questions


@pytest.mark.parametrize("name", ENTRIES)
def test_a_postponed_value_keeps_its_shape_and_dtype(name, count):
    """Of the value, of the gradients, and of all that they are made of; and it is what eager mode computes at once."""
    questions = [*case_questions(ENTRIES[name], 2), *kind_questions(ENTRIES[name], 1)][PART::PARTS]
    for question in questions:
        with np.errstate(all="ignore"):
            eager = topological_order(*outputs_of(question, question.first)[1])
            with override(postponing, postpone):
                _, outputs = outputs_of(question, question.first)
            later = topological_order(*outputs)
            assert len(eager) == len(later), question.name
            seen = [(node.shape, node.dtype) for node in later]
            assert seen == [(node._value.shape, node._value.dtype) for node in eager], question.name
            for node, expected in zip(later[::-1], eager[::-1], strict=True):
                np.testing.assert_array_equal(node._value, expected._value, question.name)
        assert {type(node) for node in later if node.inputs} <= {Operator}
    count("operations", 1)
