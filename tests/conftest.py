"""What several test modules share."""

import pytest
from katex import Katex


@pytest.fixture(scope="session")
def katex() -> Katex:
    """Give the real KaTeX: call it with LaTeX, and it raises an AssertionError where it would refuse to set it."""
    return Katex()
