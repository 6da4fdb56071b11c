"""What several test modules share."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings
from katex import Katex

# A change is judged on draws that are the same each time; at a developer's desk every run looks elsewhere.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def katex() -> Iterator[Katex]:
    """Give the real KaTeX: call it with LaTeX, and it raises an AssertionError where it would refuse to set it."""
    engine = Katex()
    yield engine
    engine.close()
