"""The command line: `symbolic-scenarios list | show | eval | solve | when | optimum`."""

from .commands import app, main

__all__ = ["app", "main"]
