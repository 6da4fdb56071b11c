r"""The symbol of each name: what the author gave, or the name itself, set upright.

No name is read as markup: `cost__2`, `x1`, `beta` and `lambda_` print as they are spelt.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Any

from .._definition import DefinedInverse, Definition
from .pieces import Edge, Piece

# --- a name set upright ----------------------------------------------------------------------------------------------

_COMMANDS = r"""
    α\alpha β\beta γ\gamma δ\delta ε\varepsilon ζ\zeta η\eta θ\theta ι\iota κ\kappa λ\lambda μ\mu ν\nu ξ\xi π\pi
    ρ\rho ς\varsigma σ\sigma τ\tau υ\upsilon φ\varphi χ\chi ψ\psi ω\omega
    Γ\Gamma Δ\Delta Θ\Theta Λ\Lambda Ξ\Xi Π\Pi Σ\Sigma Υ\Upsilon Φ\Phi Ψ\Psi Ω\Omega
"""
_GREEK = {pair[0]: pair[1:] for pair in _COMMANDS.split()}
_ACCENTED = re.compile(r"[À-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿÆØßæø]")
# The scripts that KaTeX sets in text: Latin, Cyrillic, Armenian, Brahmic, Georgian, Chinese and Japanese, Korean.
_SCRIPTS = re.compile(
    "[\u0100-\u024f\u0400-\u04ff\u0530-\u058f\u0900-\u10ff\u3000-\u30ff\u4e00-\u9faf\uff00-\uff60\uac00-\ud7af]"
)
_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPES |= {mark: rf"\{mark}" for mark in "_{}$%#&"}


def upright(name: str) -> str:
    r"""Return a name in upright letters: `\mathrm{cost\_\_2}`; in `\text{}` where letters need it."""
    letters = unicodedata.normalize("NFC", name)
    if all(_is_mathematical(letter) for letter in letters):
        return rf"\mathrm{{{_set(letters)}}}"
    runs = [(is_greek, "".join(run)) for is_greek, run in groupby(letters, lambda letter: letter in _GREEK)]
    printed = [rf"\mathrm{{{_set(run)}}}" if is_greek else text_latex(run) for is_greek, run in runs]
    return printed[0] if len(printed) == 1 else f"{{{''.join(printed)}}}"


def text_latex(text: str) -> str:
    r"""Return any text as LaTeX that prints it and does nothing else: `\text{if}`."""
    return rf"\text{{{''.join(_text_letter(letter) for letter in text)}}}"


def _is_mathematical(letter: str) -> bool:
    return letter == "_" or letter in _GREEK or (letter.isascii() and letter.isalnum())


def _set(letters: str) -> str:
    commands = {"_": r"\_"} | {letter: f"{command} " for letter, command in _GREEK.items()}
    return "".join(commands.get(letter, letter) for letter in letters).strip()


def _text_letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if " " <= letter <= "~" or _ACCENTED.match(letter) or _SCRIPTS.match(letter):
        return letter
    return f"[U+{ord(letter):04X}]"  # a letter that KaTeX has no font for


# --- the symbols of a definition -------------------------------------------------------------------------------------


def symbols_of(definition: Definition) -> dict[str, str]:
    """Return the LaTeX symbol of everything that has a value, by name."""
    return definition.remembered("latex symbols", lambda: _symbols(definition))


def _symbols(definition: Definition) -> dict[str, str]:
    found: dict[str, str] = {}
    taken = {part.latex for part in map(definition.part, definition.order) if part.latex}
    for name in definition.order:
        part = definition.part(name)
        symbol = part.latex.strip() if part.latex else upright(name)
        if isinstance(part, DefinedInverse) and not part.latex:
            starred = _starred(found[part.unknown])
            symbol = symbol if starred in taken else starred
            taken.add(symbol)
        found[name] = symbol
    return found


def _starred(symbol: str) -> str:
    shape = shape_of(symbol)
    return f"{symbol}^{{*}}" if shape.takes_power else f"{{{symbol}}}^{{*}}"


# --- the shape of a symbol -------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_ONE_LETTER = re.compile(
    r"\\(hat|bar|tilde|dot|ddot|vec|widehat|widetilde|overline|underline|check|breve|acute|grave|mathring"
    r"|mathcal|mathbb|mathfrak|mathscr|boldsymbol|bm)$"
)
_UPRIGHT = re.compile(r"\\(mathrm|text|textrm|textbf|textit|mathbf|mathit|mathsf|mathtt|texttt|operatorname)$")


def shape_of(latex: str) -> Piece:
    r"""Return a symbol as a piece: one letter (`T_c`, `\hat{x}`, `N^{*}`) or a word (`\mathrm{rate}`, `\Delta t`)."""
    tokens = [token for token in _TOKEN.findall(latex) if not token.isspace()]
    units, width, has_superscript = _read(tokens)
    is_letter = len(units) == 1 and units[0]
    edge = Edge.LETTER if is_letter else Edge.WORD
    return Piece(latex, width, start=edge, end=edge, takes_power=len(units) == 1 and not has_superscript)


def _read(tokens: list[str]) -> tuple[list[bool], float, bool]:
    """Return for each unit on the line whether it is one letter; the width; whether anything is raised."""
    units: list[bool] = []
    width, raised, place = 0.0, False, 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token in ("^", "_"):
            raised |= token == "^"
            inside, place = _argument(tokens, place)
            width += 0.7 * _read(inside)[1]
        elif token == "'":
            raised, width = True, width + 0.3
        elif token == "{":
            inside, place = _argument(tokens, place - 1)
            inner, inner_width, inner_raised = _read(inside)
            units.append(inner == [True])
            width, raised = width + inner_width, raised or inner_raised
        else:
            is_letter, inner_width, place = _unit(tokens, token, place)
            units.append(is_letter)
            width += inner_width
    return units, width, raised


def _unit(tokens: list[str], token: str, place: int) -> tuple[bool, float, int]:
    """Return whether a letter or a command with its arguments is one letter, its width, and the place after it."""
    arguments: list[str] = []
    while token.startswith("\\") and place < len(tokens) and tokens[place] == "{":
        inside, place = _argument(tokens, place)
        arguments += inside
    if arguments:
        inner, width, _ = _read(arguments)
        return bool(_ONE_LETTER.match(token)) and inner == [True], width, place
    # `\mathcal L` takes its letter without braces, which then follows as a unit of its own.
    is_letter = token.isalpha() or (token[0] == "\\" and token[1:].isalpha() and not _UPRIGHT.match(token))
    return is_letter, 1.0, place


def _argument(tokens: list[str], place: int) -> tuple[list[str], int]:
    """Return the tokens of the argument that starts at a place, and the place after it."""
    if place >= len(tokens) or tokens[place] != "{":
        return tokens[place : place + 1], place + 1
    depth, end = 0, place
    while end < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[end], 0)
        end += 1
        if depth == 0:
            break
    return tokens[place + 1 : end - 1], end


def index_symbol(leaf: Any, taken: set[str]) -> str:
    """Return the symbol of a sum's index: its own letter unless a name of the expression has the same symbol."""
    own = leaf.name if len(leaf.name) == 1 and leaf.name.isascii() and leaf.name.isalpha() else upright(leaf.name)
    if own not in taken:
        return str(own)
    free = (letter for letter in "ijklmnpqruvwxyz" if letter not in taken)
    return next(free, f"{{{own}}}'")
