"""LaTeX that an author gives as a symbol: letters, sub- and superscripts, accents; nothing that acts."""

from __future__ import annotations

import re

# Commands that load, link, define or write; a symbol needs none of them, and a page must stay inert.
_ACTIVE = re.compile(
    r"\\(href|url|html\w*|includegraphics|input|include|def|edef|gdef|xdef|let|global|futurelet|(re|provide)?newcommand|renewcommand"
    r"|providecommand|newenvironment|catcode|csname|write|immediate|open(in|out)|read|special|usepackage|documentclass|begin|end)"
    r"(?![A-Za-z])"
)
_MARKS = re.compile(r"(?<!\\)[$%#&~]|[\n\r<>]")
LONGEST = 200


def objection_to_latex(source: object) -> str:
    """Return why a text can't be a symbol, as the rest of a sentence; empty where it can."""
    if not isinstance(source, str) or not source.strip():
        return "is no text"
    if len(source) > LONGEST:
        return f"is longer than {LONGEST} characters"
    if found := _ACTIVE.search(source):
        return f"has a command that is not for symbols, `{found.group()}`"
    if found := _MARKS.search(source):
        return f"has a character that needs a backslash or has no place in a symbol, `{found.group()!r}`"
    depth = 0
    for brace in re.findall(r"\\.|[{}]", source):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            break
    return "has braces that do not match" if depth else ""
