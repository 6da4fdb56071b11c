"""Equations print as they were written, and KaTeX sets every one of them in strict mode."""

import keyword
import operator
import re
import string
from fractions import Fraction
from functools import reduce

import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symbolic_scenarios import Constraint, Input, Inverse, Property, Scenario
from symbolic_scenarios._tree import FUNCTIONS, RELATIONS, Tree, name, number
from symbolic_scenarios._typesetting import equations, latex, latex_condition, latex_symbol
from symbolic_scenarios._typesetting.lines import Equation, display
from symbolic_scenarios._typesetting.pieces import Binding, Edge
from symbolic_scenarios._typesetting.printer import Printer
from symbolic_scenarios._typesetting.symbols import shape_of, text_latex, upright
from symbolic_scenarios.catalogue.optimization import CompileBreakevenScenario
from symbolic_scenarios.errors import InputError, SolveError

HALF, THIRD, TWO_THIRDS = sympy.Rational(1, 2), sympy.Rational(1, 3), sympy.Rational(2, 3)
K = sympy.Symbol("k")


def printed(write, **symbols):
    """Return the right-hand side of a property whose expression is `write(a, b, c, x)`, in letters."""
    letters = {key: Input("", latex=symbols.get(key, key)) for key in "abcx"}
    case = type("Case", (Scenario,), {**letters, "p": Property(write(*letters.values()), "", latex="p")})
    return latex(case, "p").removeprefix("p = ")


# --- every head of a tree --------------------------------------------------------------------------------------------


class TestEachKindOfExpression:
    @pytest.mark.parametrize(
        ("write", "expected"),
        [
            (lambda a, b, c, x: c + b + a, "c + b + a"),
            (lambda a, b, c, x: b - a, "b - a"),
            (lambda a, b, c, x: c * b * a, "c b a"),
            (lambda a, b, c, x: a / b, r"\frac{a}{b}"),
            (lambda a, b, c, x: a**b, "a^{b}"),
            (lambda a, b, c, x: -a, "-a"),
            (lambda a, b, c, x: abs(a - b), r"\left| a - b \right|"),
            (lambda a, b, c, x: sympy.sign(a), r"\operatorname{sgn}\left(a\right)"),
            (lambda a, b, c, x: sympy.Min(a, b), r"\min\left(a, b\right)"),
            (lambda a, b, c, x: sympy.Max(a, b, c), r"\max\left(a, b, c\right)"),
            (lambda a, b, c, x: sympy.ceiling(a / b), r"\left\lceil \frac{a}{b} \right\rceil"),
            (lambda a, b, c, x: a // b, r"\left\lfloor \frac{a}{b} \right\rfloor"),
            (lambda a, b, c, x: a % b, r"a \bmod b"),
            (lambda a, b, c, x: sympy.exp(-x), r"\exp\left(-x\right)"),
            (lambda a, b, c, x: sympy.log(x), r"\ln\left(x\right)"),
            (lambda a, b, c, x: sympy.sin(x), r"\sin\left(x\right)"),
            (lambda a, b, c, x: sympy.cos(x), r"\cos\left(x\right)"),
            (lambda a, b, c, x: sympy.tan(x), r"\tan\left(x\right)"),
            (lambda a, b, c, x: sympy.asin(x), r"\arcsin\left(x\right)"),
            (lambda a, b, c, x: sympy.acos(x), r"\arccos\left(x\right)"),
            (lambda a, b, c, x: sympy.atan(x), r"\arctan\left(x\right)"),
            (lambda a, b, c, x: sympy.sinh(x), r"\sinh\left(x\right)"),
            (lambda a, b, c, x: sympy.cosh(x), r"\cosh\left(x\right)"),
            (lambda a, b, c, x: sympy.tanh(x), r"\tanh\left(x\right)"),
            (lambda a, b, c, x: sympy.asinh(x), r"\operatorname{arsinh}\left(x\right)"),
            (lambda a, b, c, x: sympy.acosh(x), r"\operatorname{arcosh}\left(x\right)"),
            (lambda a, b, c, x: sympy.atanh(x), r"\operatorname{artanh}\left(x\right)"),
            (lambda a, b, c, x: sympy.erf(x), r"\operatorname{erf}\left(x\right)"),
            (lambda a, b, c, x: sympy.erfc(x), r"\operatorname{erfc}\left(x\right)"),
            (lambda a, b, c, x: sympy.erfinv(x), r"\operatorname{erf}^{-1}\left(x\right)"),
            (lambda a, b, c, x: sympy.gamma(x), r"\Gamma\left(x\right)"),
            (lambda a, b, c, x: sympy.loggamma(x), r"\ln\Gamma\left(x\right)"),
            (lambda a, b, c, x: sympy.factorial(x), "x!"),
            (lambda a, b, c, x: sympy.factorial(x + 1), r"\left(x + 1\right)!"),
            (lambda a, b, c, x: sympy.LambertW(x), r"W_{0}\left(x\right)"),
            (lambda a, b, c, x: sympy.LambertW(x, -1), r"W_{-1}\left(x\right)"),
            (
                lambda a, b, c, x: sympy.Piecewise((a, x > 1), (b, True)),
                r"\begin{cases} a & \text{if } x > 1 \\ b & \text{otherwise} \end{cases}",
            ),
            (
                lambda a, b, c, x: sympy.Piecewise((a, x > 1), (b, x < 0)),
                r"\begin{cases} a & \text{if } x > 1 \\ b & \text{if } x < 0 \end{cases}",
            ),
            (lambda a, b, c, x: sympy.Sum(x**K, (K, 1, a)), r"\sum_{k=1}^{a} x^{k}"),
            (lambda a, b, c, x: sympy.Sum(x + K, (K, 0, a - 1)), r"\sum_{k=0}^{a - 1} \left(x + k\right)"),
            (lambda a, b, c, x: a * sympy.pi, r"a \pi"),
            (lambda a, b, c, x: sympy.E**x, "e^{x}"),
            (lambda a, b, c, x: a * sympy.E, "a e"),
            (lambda a, b, c, x: sympy.Min(a, sympy.oo) + sympy.Rational(3, 4), r"a + \frac{3}{4}"),
            (lambda a, b, c, x: a * 86400, r"a \cdot 86\,400"),
            (lambda a, b, c, x: 1024 * a, "1024 a"),
        ],
    )
    def test_each_kind_of_expression_prints_as_in_a_textbook(self, write, expected, katex):
        assert printed(write) == expected
        katex(expected)

    @pytest.mark.parametrize(
        ("tree", "expected"),
        [
            (Tree("<", (name("a"), name("b"))), "a < b"),
            (Tree("<=", (name("a"), name("b"))), r"a \le b"),
            (Tree(">", (name("a"), name("b"))), "a > b"),
            (Tree(">=", (name("a"), name("b"))), r"a \ge b"),
            (Tree("==", (name("a"), name("b"))), "a = b"),
            (Tree("!=", (name("a"), name("b"))), r"a \ne b"),
            (Tree("true"), r"\text{true}"),
            (Tree("not", (Tree("==", (name("a"), name("b"))),)), r"\lnot \left(a = b\right)"),
            (
                Tree(
                    "or",
                    (Tree("and", (Tree("<", (name("a"), name("b"))), Tree(">", (name("a"), name("c"))))), Tree("true")),
                ),
                r"\left(a < b \land a > c\right) \lor \text{true}",
            ),
            (Tree("<", (name("a"), Tree("number", leaf=sympy.oo))), r"a < \infty"),
            (Tree(">", (name("a"), Tree("number", leaf=-sympy.oo))), r"a > -\infty"),
        ],
    )
    def test_conditions_print_with_the_signs_of_logic(self, tree, expected, katex):
        assert Printer(shape_of).piece(tree).latex == expected
        katex(expected)


# --- brackets where they are needed, and only there ------------------------------------------------------------------


class TestBrackets:
    @pytest.mark.parametrize(
        ("write", "expected"),
        [
            (lambda a, b, c, x: a - (b - c), r"a - \left(b - c\right)"),
            (lambda a, b, c, x: a - (b + c), r"a - \left(b + c\right)"),
            (lambda a, b, c, x: (a - b) - c, "a - b - c"),
            (lambda a, b, c, x: a + (b - c), "a + b - c"),
            (lambda a, b, c, x: a + (-b), r"a + \left(-b\right)"),
            (lambda a, b, c, x: a - (-b), r"a - \left(-b\right)"),
            (lambda a, b, c, x: a + (-b) * c, r"a + \left(-b c\right)"),
            (lambda a, b, c, x: a + (-b - c), r"a + \left(-b\right) - c"),
            (lambda a, b, c, x: -(a + b), r"-\left(a + b\right)"),
            (lambda a, b, c, x: operator.neg(-a), r"-\left(-a\right)"),
            (lambda a, b, c, x: -a * b, "-a b"),
            (lambda a, b, c, x: a * -b, r"a \cdot \left(-b\right)"),
            (lambda a, b, c, x: a * (b * c), "a b c"),
            (lambda a, b, c, x: a * (b + c), r"a \left(b + c\right)"),
            (lambda a, b, c, x: (a + b) * c, r"\left(a + b\right) c"),
            (lambda a, b, c, x: (a + b) * (a - b), r"\left(a + b\right) \left(a - b\right)"),
            (lambda a, b, c, x: 2 * (x + 1), r"2 \left(x + 1\right)"),
            (lambda a, b, c, x: -2 * x, "-2 x"),
            (lambda a, b, c, x: x * -2, r"x \cdot \left(-2\right)"),
            (lambda a, b, c, x: 2 * a * 3, r"2 a \cdot 3"),
            (lambda a, b, c, x: a * 2**x, r"a \cdot 2^{x}"),
            (lambda a, b, c, x: 2 * (a / b), r"2 \cdot \frac{a}{b}"),
            (lambda a, b, c, x: HALF * a, r"\frac{1}{2} a"),
            (lambda a, b, c, x: a / (b * c), r"\frac{a}{b c}"),
            (lambda a, b, c, x: a / b / c, r"\frac{a}{b c}"),
            (lambda a, b, c, x: 1 / a / (b + c), r"\frac{1}{a \left(b + c\right)}"),
            (lambda a, b, c, x: a / (b / c), r"\frac{a}{\frac{b}{c}}"),
            (lambda a, b, c, x: a / b * c, r"\frac{a}{b} c"),
            (lambda a, b, c, x: a * b / c, r"\frac{a b}{c}"),
            (lambda a, b, c, x: (a / b) * (c / x), r"\frac{a}{b} \cdot \frac{c}{x}"),
            (lambda a, b, c, x: (a + b) / (c - x), r"\frac{a + b}{c - x}"),
            (lambda a, b, c, x: -a / b, r"\frac{-a}{b}"),
            (lambda a, b, c, x: (a / b) ** 2, r"\left(\frac{a}{b}\right)^{2}"),
            (lambda a, b, c, x: (a * b) ** 2, r"\left(a b\right)^{2}"),
            (lambda a, b, c, x: (-a) ** 2, r"\left(-a\right)^{2}"),
            (lambda a, b, c, x: -(a**2), "-a^{2}"),
            (lambda a, b, c, x: a ** (b**c), "a^{b^{c}}"),
            (lambda a, b, c, x: (a**b) ** c, r"\left(a^{b}\right)^{c}"),
            (lambda a, b, c, x: a ** (b + c), "a^{b + c}"),
            (lambda a, b, c, x: a**-1, "a^{-1}"),
            (lambda a, b, c, x: (1 - a) ** b, r"\left(1 - a\right)^{b}"),
            (lambda a, b, c, x: 10_000**x, r"\left(10\,000\right)^{x}"),
            (lambda a, b, c, x: sympy.log(x) ** 2, r"\left(\ln\left(x\right)\right)^{2}"),
            (lambda a, b, c, x: abs(x) ** 2, r"\left| x \right|^{2}"),
            (lambda a, b, c, x: sympy.sqrt(2 * a / b), r"\sqrt{\frac{2 a}{b}}"),
            (lambda a, b, c, x: a**HALF, r"\sqrt{a}"),
            (lambda a, b, c, x: (a + b) ** THIRD, r"\sqrt[3]{a + b}"),
            (lambda a, b, c, x: a**TWO_THIRDS, "a^{2/3}"),
            (lambda a, b, c, x: sympy.cbrt(a) * b, r"\sqrt[3]{a} b"),
            (lambda a, b, c, x: a + b % c, r"a + \left(b \bmod c\right)"),
            (lambda a, b, c, x: a * b % c, r"\left(a b\right) \bmod c"),
            (lambda a, b, c, x: a % -b, r"a \bmod \left(-b\right)"),
            (lambda a, b, c, x: a * sympy.Sum(K, (K, 1, b)), r"a \sum_{k=1}^{b} k"),
            (lambda a, b, c, x: sympy.Sum(a * K, (K, 1, b)) * c, r"\left(\sum_{k=1}^{b} a k\right) c"),
            (lambda a, b, c, x: sympy.Sum(a * K, (K, 1, b)) + c, r"\sum_{k=1}^{b} a k + c"),
            (lambda a, b, c, x: sympy.factorial(sympy.factorial(a)), r"\left(a!\right)!"),
            (lambda a, b, c, x: sympy.factorial(a) / sympy.factorial(b), r"\frac{a!}{b!}"),
            (
                lambda a, b, c, x: 2 * sympy.Piecewise((a, x > 1), (b, True)),
                r"2 \left(\begin{cases} a & \text{if } x > 1 \\ b & \text{otherwise} \end{cases}\right)",
            ),
        ],
    )
    def test_brackets_stand_where_mathematics_needs_them(self, write, expected, katex):
        assert printed(write) == expected
        katex(expected)

    def test_numbers_side_by_side_get_a_dot(self):
        tree = Tree("*", (number(2), number(3), name("x")))
        assert Printer(shape_of).piece(tree).latex == r"2 \cdot 3 x"

    def test_a_number_before_a_fraction_is_no_mixed_number(self):
        tree = Tree("*", (number(2), Tree("number", leaf=THIRD)))
        assert Printer(shape_of).piece(tree).latex == r"2 \cdot \frac{1}{3}"

    @pytest.mark.parametrize(
        ("symbol", "expected"),
        [
            ("N^{*}", r"\left(N^{*}\right)^{2}"),
            ("x'", r"\left(x'\right)^{2}"),
            (r"\Delta t", r"\left(\Delta t\right)^{2}"),
            ("T_c", "T_c^{2}"),
            (r"\hat{x}", r"\hat{x}^{2}"),
            (r"\mathrm{rate}", r"\mathrm{rate}^{2}"),
        ],
    )
    def test_a_symbol_takes_a_power_as_one_thing(self, symbol, expected, katex):
        assert printed(lambda a, b, c, x: a**2, a=symbol) == expected
        katex(expected)

    @pytest.mark.parametrize(
        "symbol", ["x", "T_c", r"\sigma", r"\hat{x}", "N^{*}", r"\mathcal{L}", "t_{in}", r"\bar{\lambda}_0"]
    )
    def test_a_symbol_of_one_letter_is_a_letter(self, symbol):
        assert shape_of(symbol).start is Edge.LETTER

    @pytest.mark.parametrize(
        "symbol", [r"\mathrm{rate}", r"\text{x}", "MFU", r"\Delta t", r"\mathrm{x}", r"\mathit{ab}", "x1"]
    )
    def test_a_symbol_of_several_letters_is_a_word_that_a_dot_keeps_apart(self, symbol):
        assert shape_of(symbol).start is Edge.WORD
        assert printed(lambda a, b, c, x: a * b, a=symbol) == rf"{symbol} \cdot b"

    def test_the_index_of_a_sum_gives_way_to_a_name_with_its_symbol(self, katex):
        found = printed(lambda a, b, c, x: sympy.Sum(a * K, (K, 1, b)), a="k")
        assert found == r"\sum_{i=1}^{b} k i"
        katex(found)


# --- the fixture -----------------------------------------------------------------------------------------------------


class TestKatex:
    @pytest.mark.parametrize(
        "source", [r"\frac{1}", r"\nosuchcommand", "x^2^3", "ö", "a % b", r"\text{a_b}", r"\left(a"]
    )
    def test_it_refuses_what_is_no_latex(self, katex, source):
        with pytest.raises(AssertionError, match="KaTeX parse error"):
            katex(source)

    def test_it_sets_what_is(self, katex):
        assert "<math" in katex(r"\frac{a}{b}")


# --- names -----------------------------------------------------------------------------------------------------------

NAMES = ["E", "I", "S", "N", "pi", "e", "beta", "gamma", "lambda_", "sqrt", "max", "Q", "C", "O"]


class TestNames:
    @pytest.mark.parametrize("spelt", NAMES)
    def test_a_name_that_sympy_or_latex_knows_prints_as_it_is_spelt(self, spelt, katex):
        case = type("Case", (Scenario,), {spelt: (it := Input("")), "p": Property(it * sympy.pi + it**2, "")})
        sign = rf"\mathrm{{{spelt}}}".replace("_", r"\_")
        assert latex_symbol(case, spelt) == sign
        found = latex(case, "p")
        assert found == rf"\mathrm{{p}} = {sign} \cdot \pi + {sign}^{{2}}"
        katex(found)

    @pytest.mark.parametrize(
        ("spelt", "expected"),
        [
            ("cost__2", r"\mathrm{cost\_\_2}"),
            ("crossbar", r"\mathrm{crossbar}"),
            ("x1", r"\mathrm{x1}"),
            ("λ_max", r"\mathrm{\lambda \_max}"),
            ("Größe", r"\text{Größe}"),
            ("温度", r"\text{温度}"),
            ("Δ温度", r"{\mathrm{\Delta}\text{温度}}"),
            ("א", r"\text{[U+05D0]}"),
        ],
    )
    def test_a_name_prints_upright_and_is_never_markup(self, spelt, expected, katex):
        assert upright(spelt) == expected
        katex(rf"{expected}^{{2}}")

    @given(
        st.from_regex(r"[^\W\d]\w{0,8}", fullmatch=True).filter(
            lambda word: word.isidentifier() and not keyword.iskeyword(word)
        )
    )
    def test_katex_sets_any_identifier(self, katex, spelt):
        katex(upright(spelt))

    @given(st.text(max_size=20))
    @example("\\ ~ ^ _ { } $ % # &")
    def test_katex_sets_any_text_as_text(self, katex, text):
        katex(text_latex(text))

    def test_words_in_a_product_are_kept_apart_by_a_dot(self):
        class Words(Scenario):
            nodes: Input[float] = Input("")
            price: Input[float] = Input("")
            k: Input[float] = Input("", latex="k")
            total = Property(2 * nodes * price * k * (nodes + k), "")

        assert latex(Words, "total") == (
            r"\mathrm{total} = 2 \cdot \mathrm{nodes} \cdot \mathrm{price} \cdot k \left(\mathrm{nodes} + k\right)"
        )


# --- scenarios -------------------------------------------------------------------------------------------------------

LAYERED = {
    "eager_item_time": r"t_e = \frac{1}{r_e}",
    "compiled_item_time": r"t_c = \frac{1}{r_c}",
    "saving_per_item": "s = t_e - t_c",
    "breakeven_items": r"N^{*} = \frac{T_c}{s}",
    "speedup": r"S = \frac{r_c}{r_e}",
    "experiment_eager": r"E_e = \frac{N}{r_e}",
    "experiment_compiled_running": r"E_r = \frac{N}{r_c}",
    "experiment_compiled_total": "E_c = k T_c + E_r",
    "experiment_slowdown": r"\sigma = \frac{E_c}{E_e}",
}
EXPANDED = {
    "saving_per_item": r"s = \frac{1}{r_e} - \frac{1}{r_c}",
    "breakeven_items": r"N^{*} = \frac{T_c}{\frac{1}{r_e} - \frac{1}{r_c}}",
    "experiment_compiled_total": r"E_c = k T_c + \frac{N}{r_c}",
    "experiment_slowdown": r"\sigma = \frac{k T_c + \frac{N}{r_c}}{\frac{N}{r_e}}",
}


class TestCompileBreakeven:
    @pytest.mark.parametrize(("named", "expected"), LAYERED.items())
    def test_a_layered_equation_is_as_written(self, named, expected, katex):
        assert latex(CompileBreakevenScenario, named) == expected
        katex(expected)

    @pytest.mark.parametrize(("named", "expected"), EXPANDED.items())
    def test_an_expanded_equation_has_inputs_only(self, named, expected, katex):
        assert latex(CompileBreakevenScenario, named, form="expanded") == expected
        katex(expected)

    def test_an_inverse_prints_its_closed_form(self, katex):
        found = latex(CompileBreakevenScenario, "breakeven_recompiles")
        assert found.startswith("k^{*} = ")
        assert latex(CompileBreakevenScenario, "breakeven_recompiles", "expanded") == found
        katex(found)

    def test_a_condition_prints_in_symbols(self):
        (condition,) = CompileBreakevenScenario._definition.properties["breakeven_items"].requires
        assert latex_condition(CompileBreakevenScenario, condition) == "s > 0"

    def test_all_equations_stand_in_one_aligned_block_with_their_conditions(self, katex):
        found = equations(CompileBreakevenScenario)
        assert found.startswith(r"\begin{aligned} t_e &= \frac{1}{r_e} \\ t_c &= \frac{1}{r_c} \\ s &= t_e - t_c \\ ")
        assert r" \\ N^{*} &= \frac{T_c}{s} \quad \text{if } s > 0 \\ S &= \frac{r_c}{r_e} \\ " in found
        assert found.endswith(r" \end{aligned}")
        katex(found)

    def test_a_symbol_of_the_definition_names_a_property_too(self):
        symbol = CompileBreakevenScenario._definition.properties["speedup"].symbol
        assert latex(CompileBreakevenScenario, symbol) == r"S = \frac{r_c}{r_e}"

    def test_an_unknown_name_is_refused_with_the_names_there_are(self):
        with pytest.raises(InputError, match=r"saving_per_item.*Did you mean `speedup`") as caught:
            latex(CompileBreakevenScenario, "speedupp")
        assert caught.value.names == ("speedupp",)

    def test_an_input_has_no_equation(self):
        with pytest.raises(InputError, match="there is no property or inverse of that name"):
            latex(CompileBreakevenScenario, CompileBreakevenScenario.recompiles)

    def test_an_unknown_form_is_refused_with_the_forms_there_are(self):
        with pytest.raises(InputError, match="one of layered, expanded, worked"):
            latex(CompileBreakevenScenario, "speedup", form="closed")

    def test_a_class_can_not_be_worked(self):
        with pytest.raises(InputError, match="a class has no numbers"):
            latex(CompileBreakevenScenario, "speedup", form="worked")
        with pytest.raises(InputError, match="a class has no numbers"):
            equations(CompileBreakevenScenario, form="worked")


class Queue(Scenario):
    """Inverses with and without symbols, with targets in units, and a constraint."""

    arrivals: Input = Input("1/s", latex=r"\lambda", positive=True)
    work: Input = Input("s", latex="T^{w}", positive=True)
    extra: Input = Input("s", positive=True)
    stable = Constraint(arrivals * work < 1, "The queue is stable.")
    total = Property(work + extra, "ms", latex="T")
    load = Property(arrivals * total, "", latex=r"\rho")
    most_work = Inverse(total, equals="10 ms", solve_for=work)
    least_extra = Inverse(total, equals="10 ms", solve_for=extra, latex=r"\epsilon")
    other_work = Inverse(load, equals=1, solve_for=work)


class TestInverses:
    def test_without_a_symbol_it_is_the_unknown_with_an_asterisk(self, katex):
        symbol = latex_symbol(Queue, "most_work")
        assert symbol == "{T^{w}}^{*}"
        katex(symbol)

    def test_a_second_one_of_the_same_unknown_goes_by_its_name(self):
        assert latex_symbol(Queue, "other_work") == r"\mathrm{other\_work}"

    def test_a_target_keeps_its_unit(self, katex):
        found = latex(Queue, "least_extra")
        assert found == r"\epsilon = 10\,\mathrm{ms} - T^{w}"
        katex(found)

    def test_its_condition_keeps_the_unit_too(self):
        assert r"\epsilon &= 10\,\mathrm{ms} - T^{w} \quad \text{if } T^{w} < 10\,\mathrm{ms}" in equations(Queue)

    def test_one_without_a_closed_form_is_refused_and_stands_as_its_question_among_the_others(self, katex):
        class Tangled(Scenario):
            x: Input[float] = Input("", latex="x", positive=True)
            y = Property(sympy.gamma(x) + sympy.sin(x), "", latex="y")
            where = Inverse(y, equals=1, solve_for=x)

        with pytest.raises(SolveError):
            latex(Tangled, "where")
        found = equations(Tangled)
        assert found.endswith(r" \\ \left.y\right|_{x = x^{*}} &= 1 \end{aligned}")
        katex(found)

    def test_a_constraint_prints_by_its_name(self):
        assert latex_condition(Queue, "stable") == r"\lambda T^{w} < 1"


# --- lines -----------------------------------------------------------------------------------------------------------


class TestLines:
    def long(self, count):
        inputs = {f"c{place}": Input("", latex=rf"c_{{{place}}}") for place in range(count)}
        total = sum(list(inputs.values())[1:], start=inputs["c0"])
        return type("Long", (Scenario,), {**inputs, "t": Property(total, "", latex="t")})

    def test_a_short_sum_stays_on_its_line(self):
        assert latex(self.long(5), "t") == "t = c_{0} + c_{1} + c_{2} + c_{3} + c_{4}"

    def test_a_long_sum_breaks_before_a_sign(self, katex):
        found = latex(self.long(30), "t")
        head, *rest = found.removeprefix(r"\begin{aligned} ").removesuffix(r" \end{aligned}").split(r" \\ ")
        assert head.startswith("t &= c_{0} + c_{1} + ")
        assert len(rest) == 1
        assert rest[0].startswith(r"&\quad + c_{")
        assert rest[0].endswith("+ c_{29}")
        katex(found)

    def test_the_lines_of_a_long_sum_stand_in_the_block_of_all(self, katex):
        found = equations(self.long(60))
        assert found.count(r"\begin{aligned}") == 1
        assert found.count("&= ") == 1
        katex(found)

    def test_a_long_product_is_left_alone(self):
        piece = Printer(shape_of).terms(Tree("*", tuple(name(letter) for letter in string.ascii_letters * 2)))
        assert display(Equation(shape_of("y"), (tuple(piece),))).startswith(r"\begin{aligned} y &= a b c d")


# --- anything at all -------------------------------------------------------------------------------------------------

SYMBOLS = [
    "x",
    "T_c",
    "N^{*}",
    r"\sigma",
    r"\mathrm{cost\_\_2}",
    r"\hat{x}'",
    r"\text{Größe}",
    r"\Delta t",
    "E",
    "{a^{b}}^{*}",
]
LEAVES = st.one_of(
    st.sampled_from(SYMBOLS).map(name),
    st.integers(-(10**12), 10**12).map(number),
    st.fractions(max_denominator=99).map(lambda f: number(sympy.Rational(f.numerator, f.denominator))),
    st.sampled_from([sympy.pi, sympy.E, sympy.oo, -sympy.oo, sympy.GoldenRatio]).map(number),
)


def _larger(inner):
    pair = st.tuples(inner, inner)
    relation = st.builds(Tree, st.sampled_from(sorted(RELATIONS)), pair)
    joint = st.builds(Tree, st.sampled_from(["and", "or"]), st.tuples(relation, relation, relation))
    condition = st.one_of(relation, joint, st.builds(lambda c: Tree("not", (c,)), joint), st.just(Tree("true")))
    one = [*sorted(set(FUNCTIONS) - {"mod", "min", "max"}), "neg"]
    return st.one_of(
        st.builds(Tree, st.sampled_from(["+", "*"]), st.lists(inner, min_size=2, max_size=4).map(tuple)),
        st.builds(Tree, st.sampled_from(["-", "/", "**", "mod", "min", "max", "lambertw"]), pair),
        st.builds(Tree, st.sampled_from(one), st.tuples(inner)),
        st.builds(lambda a, c, b, d: Tree("piecewise", (a, c, b, d)), inner, condition, inner, condition),
        st.builds(lambda body, low, high: Tree("sum", (body, name(K), low, high)), inner, inner, inner),
    )


def _symbol_piece(leaf):
    return shape_of(str(leaf))


class TestAnythingAtAll:
    @settings(max_examples=400, deadline=None)
    @given(st.recursive(LEAVES, _larger, max_leaves=25))
    def test_katex_sets_any_expression(self, katex, tree):
        terms = tuple(Printer(_symbol_piece).terms(tree))
        katex(display(Equation(shape_of("y"), (terms,))))
        katex(Printer(_symbol_piece).piece(tree).at(Binding.ATOM).latex)


# --- what is printed says what was written ---------------------------------------------------------------------------

VALUES = {"x": Fraction(7, 3), "T_c": Fraction(-5, 2), r"\sigma": Fraction(11), "N^{*}": Fraction(3, 5)}
ARITHMETIC = st.recursive(
    st.one_of(st.sampled_from(sorted(VALUES)).map(name), st.integers(-12_000, 12_000).map(number)),
    lambda inner: st.one_of(
        st.builds(Tree, st.sampled_from(["+", "*"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Tree, st.sampled_from(["-", "/", "+", "*"]), st.tuples(inner, inner)),
        st.builds(Tree, st.just("**"), st.tuples(inner, st.integers(0, 3).map(number))),
        st.builds(Tree, st.just("neg"), st.tuples(inner)),
    ),
    max_leaves=12,
)


class Reader:
    """Reads arithmetic in LaTeX by the rules of a textbook: signs, then factors side by side, then powers."""

    TOKEN = re.compile(r"\\(?:frac|left\(|right\)|cdot)|\d+(?:\\,\d{3})*|T_c|N\^\{\*\}|\\sigma|x|\S")

    def __init__(self, source):
        self.tokens = [*self.TOKEN.findall(source), ""]

    def take(self, *wanted):
        if self.tokens[0] in wanted:
            return self.tokens.pop(0)
        return None

    def sum(self):
        total = -self.product() if self.take("-") else self.product()
        while sign := self.take("+", "-"):
            total += self.product() if sign == "+" else -self.product()
        return total

    def product(self):
        total = self.power()
        while self.take(r"\cdot") or self.tokens[0] not in ("", "+", "-", r"\right)", "}"):
            total *= self.power()
        return total

    def power(self):
        base = self.atom()
        return base ** self.group() if self.take("^") else base

    def group(self):
        assert self.take("{")
        inside = self.sum()
        assert self.take("}")
        return inside

    def atom(self):
        token = self.tokens.pop(0)
        if token == r"\frac":
            return self.group() / self.group()
        if token == r"\left(":
            inside = self.sum()
            assert self.take(r"\right)")
            return inside
        return VALUES[token] if token in VALUES else Fraction(token.replace(r"\,", ""))


def _value(tree):
    args = [_value(arg) for arg in tree.args]
    if tree.head == "name":
        return VALUES[tree.leaf]
    if tree.head == "number":
        return Fraction(int(tree.leaf))
    if tree.head == "neg":
        return -args[0]
    operators = {"+": operator.add, "*": operator.mul, "-": operator.sub, "/": operator.truediv, "**": operator.pow}
    return reduce(operators[tree.head], args)


class TestReadingBack:
    @settings(max_examples=500, deadline=None)
    @given(ARITHMETIC)
    def test_what_is_printed_reads_as_what_was_written(self, tree):
        try:
            expected = _value(tree)
        except ZeroDivisionError:
            return
        printed_sum = Printer(_symbol_piece).piece(tree).latex
        assert Reader(printed_sum).sum() == expected
