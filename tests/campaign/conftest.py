"""The campaign's counts. tests/conftest.py prints their sums at the end of the run."""

from collections.abc import Callable

import pytest


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str, int], None]:
    """count("gradient cases", 86) adds to a sum over all tests, in whichever process they run."""
    return lambda what, number: request.node.user_properties.append((f"count: {what}", number))
