"""Which LaTeX may be a symbol."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symbolic_scenarios._latex_source import objection_to_latex


@pytest.mark.parametrize(
    "source",
    [
        "T_c", "N^{*}", "N^*", r"\tau", r"\mathrm{cost\_2}", r"\bar{x}_{i,j}^{(k)}", r"\Delta t", r"\hat T_{\max}", "x'", "n_{kv}",
        r"\mathcal L", r"{N^{*}}^{2}", "L_\\infty", r"E_{\text{all}}", "S", r"t_{i+1}", r"\mathrm{TP}_{99\%}",
    ],
)  # fmt: skip
def test_usual_symbols_are_taken_and_katex_prints_them(source, katex):
    assert objection_to_latex(source) == ""
    katex(source)


@pytest.mark.parametrize(
    ("source", "objection"),
    [
        ("", "is no text"),
        (3, "is no text"),
        ("x" * 201, "is longer than 200 characters"),
        (r"\href{javascript:alert(1)}{x}", r"has a command that is not for symbols, `\href`"),
        (r"\def\x{y}", r"has a command that is not for symbols, `\def`"),
        (r"\input{secret}", r"has a command that is not for symbols, `\input`"),
        (r"\rule{9em}{9em}", r"has a command that is not for symbols, `\rule`"),
        (r"\\", "has a command that is not for symbols, `\\\\`"),
        (r"\left(", r"has a command that is not for symbols, `\left`"),
        ("x\\", "ends in a backslash"),
        ("x_", "has a `_` without what it is for"),
        ("_x", "has a `_` that belongs to nothing"),
        ("x^a^b", "has a `^` that belongs to nothing"),
        ("x_{a", "has braces that do not match"),
        ("x}", "has braces that do not match"),
        ("a+b", "has a character that has no place there, '+'"),
        ("a$b", "has a character that has no place there, '$'"),
        ("100%", "has a character that has no place there, '%'"),
        ("ö", "has a character that has no place there, 'ö'"),
        ("a\nb", "has a character that has no place there, '\\n'"),
        ("<b>", "has a character that has no place there, '<'"),
    ],
)
def test_what_acts_or_breaks_a_page_is_refused(source, objection):
    assert objection_to_latex(source) == objection


@given(
    st.text(alphabet="ab2_^{}'\\ T*+,$%#&~<", max_size=12)
    | st.lists(st.sampled_from(["_", "^", "{", "}", r"\bar", r"\tau", "x", r"\text", " ", "'"]), max_size=8).map(
        "".join
    )
)
def test_whatever_is_taken_katex_prints(katex, source):
    if objection_to_latex(source) == "":
        katex(source)
