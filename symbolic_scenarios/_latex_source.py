"""LaTeX that an author gives as a symbol: letters, sub- and superscripts, accents; nothing that acts.

What is allowed is listed, because a list of what is dangerous is never complete.
"""

from __future__ import annotations

import re

LONGEST = 200

_GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "varepsilon",
    "zeta",
    "eta",
    "theta",
    "vartheta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "varpi",
    "rho",
    "varrho",
    "sigma",
    "varsigma",
    "tau",
    "upsilon",
    "phi",
    "varphi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Pi",
    "Sigma",
    "Upsilon",
    "Phi",
    "Psi",
    "Omega",
]
_SIGNS = [
    "ell",
    "hbar",
    "imath",
    "jmath",
    "Re",
    "Im",
    "wp",
    "aleph",
    "infty",
    "star",
    "ast",
    "dagger",
    "circ",
    "prime",
    "parallel",
    "perp",
    "max",
    "min",
    "partial",
    "nabla",
]
_WITH_ARGUMENT = [
    "mathrm",
    "text",
    "textrm",
    "mathit",
    "mathbf",
    "mathsf",
    "mathtt",
    "mathcal",
    "mathbb",
    "mathfrak",
    "mathscr",
    "boldsymbol",
    "operatorname",
    "hat",
    "bar",
    "tilde",
    "dot",
    "ddot",
    "vec",
    "widehat",
    "widetilde",
    "overline",
    "underline",
    "check",
    "breve",
    "acute",
    "grave",
]
_TEXT = {"text", "textrm", "operatorname"}
_SPACES = [",", ";", ":", "!", " "]
_COMMANDS = {*_GREEK, *_SIGNS, *_WITH_ARGUMENT, *_SPACES, "_", "%", "$", "&", "#", "{", "}"}

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
_IN_TEXT = re.compile(r"[A-Za-z0-9 +\-=,.:;/()]|\\[_%$&#]")
_ALONE = re.compile(r"[A-Za-z0-9' ]")
_INSIDE = re.compile(r"[A-Za-z0-9' *+\-=,.:;/|()<>!@]")


def objection_to_latex(source: object) -> str:
    """Return why a text can't be a symbol, as the rest of a sentence; empty where it can."""
    if not isinstance(source, str) or not source.strip():
        return "is no text"
    if len(source) > LONGEST:
        return f"is longer than {LONGEST} characters"
    try:
        _Symbol(_TOKEN.findall(source)).read(depth=0)
    except ValueError as objection:
        return str(objection)
    return ""


class _Symbol:
    r"""Reads a symbol token by token: `T_{c}^{*}`, `\bar{x}`, `\mathrm{rate}`."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0

    def read(self, depth: int) -> None:
        """Read units, each with at most one script of each kind, up to the end or the closing brace.

        Raises:
            ValueError: Something there is no part of a symbol.
        """
        scripts: set[str] | None = None  # those of the unit before; none before the first unit
        while self.place < len(self.tokens):
            token = self._next()
            if token == "}":
                if depth == 0:
                    raise ValueError("has braces that do not match")
                return
            if token in ("_", "^"):
                if scripts is None or token in scripts:
                    raise ValueError(f"has a `{token}` that belongs to nothing")
                scripts.add(token)
                self._argument(token, depth)
            else:
                self._unit(token, depth)
                scripts = set()
        if depth:
            raise ValueError("has braces that do not match")

    def _unit(self, token: str, depth: int) -> None:
        if token == "{":
            self.read(depth + 1)
        elif token.startswith("\\"):
            self._command(token, depth)
        elif not (_INSIDE if depth else _ALONE).fullmatch(token):
            raise ValueError(f"has a character that has no place there, {token!r}")

    def _command(self, token: str, depth: int) -> None:
        if token == "\\":
            raise ValueError("ends in a backslash")
        if token[1:] not in _COMMANDS:
            raise ValueError(f"has a command that is not for symbols, `{token}`")
        if token[1:] in _TEXT:
            self._text(token)
        elif token[1:] in _WITH_ARGUMENT:
            self._argument(token, depth)

    def _text(self, token: str) -> None:
        if self.place == len(self.tokens) or self._next() != "{":
            raise ValueError(f"has a `{token}` without braces")
        while self.place < len(self.tokens):
            letter = self._next()
            if letter == "}":
                return
            if not _IN_TEXT.fullmatch(letter):
                raise ValueError(f"has a character that has no place there, {letter!r}")
        raise ValueError("has braces that do not match")

    def _argument(self, token: str, depth: int) -> None:
        while self.place < len(self.tokens) and self.tokens[self.place] == " ":
            self.place += 1
        if self.place == len(self.tokens) or self.tokens[self.place] in ("}", "_", "^", "'"):
            raise ValueError(f"has a `{token}` without what it is for")
        argument = self._next()
        if argument[1:] in _WITH_ARGUMENT and argument.startswith("\\"):
            raise ValueError(f"has a `{token}` whose argument needs braces")
        self._unit(argument, depth + 1)

    def _next(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]
