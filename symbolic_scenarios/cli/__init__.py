"""The command line: `symbolic-scenarios list | show | eval | solve`."""

from .commands import app, main

__all__ = ["app", "main"]
