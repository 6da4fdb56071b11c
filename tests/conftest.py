"""What several test modules share."""

from collections.abc import Iterator

import pytest
from katex import Katex


@pytest.fixture(scope="session")
def katex() -> Iterator[Katex]:
    """Give the real KaTeX: call it with LaTeX, and it raises an AssertionError where it would refuse to set it."""
    engine = Katex()
    yield engine
    engine.close()
