"""The evaluator against evaluation to many digits, and against plain Python written by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
import sympy
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symbolic_scenarios import Input, Property, Scenario
from symbolic_scenarios.errors import DefinitionError, DomainError

mp = mpmath.MPContext()
mp.dps = 300

# An expression of the test: nested tuples of an operator's name and its arguments; the leaves are the inputs a, b, n
# and whole numbers. Two readers below give it to a Scenario and to mpmath; they share nothing.

UNARY = ["neg", "abs", "exp", "log", "sqrt", "square", "ceiling", "floor", "sin", "cos", "tan", "asin", "acos", "atan"]
UNARY += [
    "erfinv",
    "factorial",
    "LambertW",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "gamma",
    "loggamma",
    "sign",
    "inverse",
]
BINARY = ["+", "-", "*", "/", "min", "max", "mod", "power", "if"]

leaves = st.sampled_from(["a", "b", "n", 1, 2, 3, 10])
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(st.tuples(st.sampled_from(UNARY), inner), st.tuples(st.sampled_from(BINARY), inner, inner)),
    max_leaves=7,
)
decimals = st.decimals(min_value="0.001", max_value="1000", places=3, allow_nan=False).map(Fraction)


def for_scenario(e, names):
    """Return an expression as the body of a scenario writes it."""
    if isinstance(e, int):
        return sympy.Integer(e)
    if isinstance(e, str):
        return names[e]
    head, *args = e
    args = [for_scenario(arg, names) for arg in args]
    x, y = args[0], args[-1]
    writers = {
        "neg": lambda: -x,
        "abs": lambda: abs(x),
        "square": lambda: x**2,
        "inverse": lambda: 1 / x,
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "/": lambda: x / y,
        "min": lambda: sympy.Min(x, y),
        "max": lambda: sympy.Max(x, y),
        "mod": lambda: sympy.Mod(x, y),
        "power": lambda: x**y,
        "if": lambda: sympy.Piecewise((x, sympy.Gt(x, y)), (y + 1, True)),
    }
    return writers[head]() if head in writers else getattr(sympy, head)(x)


def has_inputs(e):
    """Whether every operator has an input below it: SymPy computes the others itself, also where they are not real."""
    return isinstance(e, str) or (
        isinstance(e, tuple)
        and any(map(has_inputs, e[1:]))
        and all(has_inputs(arg) for arg in e[1:] if isinstance(arg, tuple))
    )


class UndefinedError(Exception):
    """The expression has no real value at this point, or one that 300 digits do not settle."""


def to_many_digits(e, values):
    """Return the value of an expression by mpmath."""
    if isinstance(e, int):
        return mp.mpf(e)
    if isinstance(e, str):
        return mp.mpf(values[e].numerator) / values[e].denominator
    head, *args = e
    args = [to_many_digits(arg, values) for arg in args]
    x, y = args[0], args[-1]
    if any(abs(arg) > mp.mpf(10) ** 60 for arg in args) and head in BINARY + UNARY[2:]:
        raise UndefinedError  # magnitudes that would need more digits than this reader has
    readers = {
        "neg": lambda: -x,
        "abs": lambda: abs(x),
        "square": lambda: x * x,
        "inverse": lambda: 1 / x,
        "+": lambda: plus(x, y),
        "-": lambda: plus(x, -y),
        "*": lambda: x * y,
        "/": lambda: x / y,
        "min": lambda: min(x, y),
        "max": lambda: max(x, y),
        "mod": lambda: plus(x, -y * whole(x / y)),
        "power": lambda: power(x, y),
        "if": lambda: x if plus(x, -y) > 0 else y + 1,
        "ceiling": lambda: -whole(-x),
        "floor": lambda: whole(x),
        "sign": lambda: mp.sign(x),
    }
    try:
        value = readers[head]() if head in readers else getattr(mp, head.lower())(x)
    except (ValueError, ZeroDivisionError):
        raise UndefinedError from None
    if isinstance(value, mp.mpc) or not mp.isfinite(value):
        raise UndefinedError
    return value


def plus(x, y):
    total = x + y
    return total if abs(total) > mp.mpf(10) ** -200 * max(abs(x), abs(y)) else mp.mpf(0)


def whole(x):
    if abs(x) > mp.mpf(10) ** 60:
        raise UndefinedError  # 300 digits, of which `plus` trusts 200, do not tell its last place
    near = mp.nint(x)
    return near if plus(x, -near) == 0 else mp.floor(x)


def power(x, y):
    if x < 0 and plus(y, -mp.nint(y)) != 0:
        raise UndefinedError
    if x == 0 and y < 0:
        raise UndefinedError
    if abs(y) > 10**6 or (x and abs(y * mp.log(abs(x))) > 10**4):
        raise UndefinedError
    return x ** (mp.nint(y) if plus(y, -mp.nint(y)) == 0 else y)


def scenario_of(expression):
    """Return a class with inputs a, b, n and one property, `result`."""
    a = Input("", "a", positive=True)
    b = Input("", "b", positive=True)
    n = Input("", "n", positive=True, integer=True)
    body = {"a": a, "b": b, "n": n}
    return type("Random", (Scenario,), {**body, "result": Property(for_scenario(expression, body), "", "r")})


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(expressions, decimals, decimals, st.integers(1, 30))
def test_every_value_agrees_with_evaluation_to_many_digits(expression, a, b, n):
    """To 1e-12, or the evaluator says that there is no value."""
    values = {"a": a, "b": b, "n": Fraction(n)}
    assume(has_inputs(expression))
    try:
        scenario = scenario_of(expression)(a=a, b=b, n=n)
    except ZeroDivisionError:  # SymPy's own word for `x % 0`, where x % x was written
        return
    except DefinitionError as error:  # the same for gamma(x % x)
        if "zoo" not in str(error) and "nan" not in str(error):
            raise
        return
    try:
        expected = to_many_digits(expression, values)
    except UndefinedError:
        return
    try:
        result = scenario.result
    except DomainError as error:
        if not (abs(expected) > 1e300 or 0 < abs(expected) < 1e-300 or "settle" in str(error)):
            raise
        return
    assert abs(result - expected) <= mp.mpf("1e-12") * abs(expected)


class TestAgainstPlainPython:
    def test_a_queue_written_by_hand(self):
        class Queue(Scenario):
            arrival: Input = Input("1/s", "Arrival rate.", positive=True)
            service: Input = Input("ms", "Service time.", positive=True)
            load = Property(arrival * service, "", "Load.")
            wait = Property(service * load / (1 - load), "ms", "Wait.", requires=load < 1)
            servers = Property(sympy.ceiling(load / sympy.Rational(7, 10)), "", "Servers.")

        for rate, milliseconds in ((10.0, 20.0), (30.0, 12.5), (90.0, 11.0), (49.0, 20.0)):
            queue = Queue(arrival=f"{rate} 1/s", service=f"{milliseconds} ms")
            load = rate * milliseconds / 1000
            assert math.isclose(queue.load, load, rel_tol=1e-12)
            assert math.isclose(queue.wait.magnitude, milliseconds * load / (1 - load), rel_tol=1e-12)
            assert queue.servers == math.ceil(round(load / 0.7, 9))


class TestAccuracy:
    @pytest.mark.parametrize(
        ("p", "n", "expected"),
        [
            ("1e-17", 10, "9.9999999999999999550000000000000001199999999999999979e-17"),
            ("1e-9", 1000, "9.9999950050016616670829087500833250011904688491956846e-07"),
            ("0.5", 3, "0.875"),
        ],
    )
    def test_at_least_one_failure_keeps_its_digits(self, p, n, expected):
        """The values of 1-(1-p)**n were computed by mpmath at 50 digits."""

        class Failures(Scenario):
            p: Input[float] = Input("", "Failure probability.", within="(0, 1)")
            n: Input[int] = Input("", "Trials.", integer=True, positive=True)
            any_failure = Property(1 - (1 - p) ** n, "", "At least one.")

        result = Failures(p=p, n=n).any_failure
        assert abs(Fraction(result) - Fraction(expected)) <= Fraction(expected) * Fraction(1, 10**12)

    def test_a_difference_of_near_rates_keeps_its_digits(self):
        """1/1450 - 1/1450.0000001 by exact fractions."""

        class Saving(Scenario):
            slow: Input = Input("1/s", "", positive=True)
            fast: Input = Input("1/s", "", positive=True)
            slow_time = Property(1 / slow, "s", "")
            fast_time = Property(1 / fast, "s", "")
            saving = Property(slow_time - fast_time, "s", "")
            relative = Property(saving / slow_time, "", "")

        scenario = Saving(slow="1450/s", fast="1450.0000001/s")
        exact = Fraction(1, 1450) - 1 / Fraction("1450.0000001")
        assert abs(Fraction(scenario.saving.magnitude) - exact) <= exact * Fraction(1, 10**12)
        assert abs(Fraction(scenario.relative) - exact * 1450) <= exact * 1450 * Fraction(1, 10**12)

    def test_equal_values_differ_by_exactly_zero(self):
        class Difference(Scenario):
            a: Input[float] = Input("", "")
            b: Input[float] = Input("", "")
            d = Property(a / 3 - b / 3, "", "")

        assert Difference(a=0.1, b=0.1).d == 0


class TestSteps:
    """Step functions are exact in the decimals that were given."""

    class Steps(Scenario):
        a: Input[float] = Input("", "", positive=True)
        b: Input[float] = Input("", "", positive=True)
        up = Property(sympy.ceiling(a / b), "", "")
        down = Property(sympy.floor(a / b), "", "")
        rest = Property(sympy.Mod(a, b), "", "")
        whole = Property(sympy.Piecewise((1, sympy.Eq(rest, 0)), (0, True)), "", "")

    @pytest.mark.parametrize(
        ("a", "b", "up", "down"),
        [(2.1, 0.3, 7, 7), (0.9, 0.03, 30, 30), (2.1000001, 0.3, 8, 7), (1, 3, 1, 0), (7 * 24 * 60, 10, 1008, 1008)],
    )
    def test_ceiling_and_floor_of_a_quotient(self, a, b, up, down):
        scenario = self.Steps(a=a, b=b)
        assert (scenario.up, scenario.down) == (up, down)
        assert isinstance(scenario.up, int)

    def test_the_rest_of_a_decimal_is_exact(self):
        assert self.Steps(a=2.1, b=0.3).rest == 0
        assert self.Steps(a=2.1, b=0.3).whole == 1
        assert self.Steps(a=2.2, b=0.3).whole == 0

    @given(st.integers(1, 10**6), st.integers(1, 10**4), st.integers(0, 6))
    def test_any_decimal_quotient_rounds_as_fractions_do(self, over, under, places):
        a, b = Fraction(over, 10**places), Fraction(under, 10 ** (places // 2))
        scenario = self.Steps(a=float(a), b=float(b))
        assert scenario.up == math.ceil(a / b)
        assert scenario.down == math.floor(a / b)

    class Times(Scenario):
        work: Input = Input("s", "", positive=True)
        step: Input = Input("s", "", positive=True)
        size: Input = Input("MB", "", positive=True)
        block: Input = Input("B", "", positive=True)
        up = Property(sympy.ceiling(work / step), "", "")
        down = Property(sympy.floor(work / step), "", "")
        blocks = Property(sympy.floor(size / block), "", "")

    def test_units_do_not_round(self):
        scenario = self.Times(work="1500 ms", step="1 s", size="1 MB", block="3 B")
        assert scenario.up == 2
        assert scenario.blocks == 333333

    def test_every_minute_of_two_decimals_is_its_seconds(self):
        for hundredths in range(1, 1000):
            minutes, seconds = Fraction(hundredths, 100), Fraction(hundredths * 60, 100)
            scenario = self.Times(work=f"{float(minutes)} minute", step=f"{float(seconds)} s", size="1 MB", block="1 B")
            assert scenario.down == scenario.up == 1, hundredths

    def test_a_ceiling_of_logarithms_does_not_step_over_a_whole_number(self):
        """Two nodes of 99 % each give 99.99 %: log(0.0001)/log(0.01) is 2 exactly, 2.0000000000000004 in floats."""

        class Replicas(Scenario):
            wanted: Input[float] = Input("", "", within="(0, 1)")
            each: Input[float] = Input("", "", within="(0, 1)")
            count = Property(sympy.ceiling(sympy.log(1 - wanted) / sympy.log(1 - each)), "", "")

        assert Replicas(wanted=0.9999, each=0.99).count == 2
        assert Replicas(wanted=0.99990001, each=0.99).count == 3

    def test_large_counts_stay_whole(self):
        class Count(Scenario):
            n: Input[int] = Input("", "", integer=True, positive=True)
            pairs = Property(n * (n - 1), "", "")

        assert Count(n=10**12 + 1).pairs == (10**12 + 1) * 10**12


class TestWhereThereIsNoValue:
    class Parts(Scenario):
        a: Input[float] = Input("", "")
        b: Input[float] = Input("", "")
        ratio = Property(a / b, "", "")
        root = Property(sympy.sqrt(a), "", "")
        logarithm = Property(sympy.log(a), "", "")
        growth = Property(sympy.exp(a), "", "")
        guarded = Property(sympy.Piecewise((ratio, b > 0), (0, True)), "", "")

    @pytest.mark.parametrize(
        ("name", "a", "b", "words"),
        [
            ("ratio", 1, 0, "divides by zero: found `b`"),
            ("root", -1, 1, "fractional power of a negative number"),
            ("logarithm", 0, 1, "infinite there: found `log(a)`"),
            ("logarithm", -1, 1, "no real value: found `log(a)`"),
            ("growth", 1000, 1, "too large for a float"),
            ("growth", -1000, 1, "too small for a float"),
        ],
    )
    def test_the_error_names_the_part(self, name, a, b, words):
        with pytest.raises(DomainError, match="Parts") as caught:
            getattr(self.Parts(a=a, b=b), name)
        assert words in str(caught.value)

    def test_only_the_selected_branch_of_a_piecewise_counts(self):
        assert self.Parts(a=1, b=0).guarded == 0
        assert self.Parts(a=1, b=2).guarded == 0.5

    def test_a_condition_that_fails_says_what_it_means(self):
        class Queue(Scenario):
            load: Input[float] = Input("", "", positive=True)
            wait = Property(1 / (1 - load), "", "", requires=load < 1, otherwise="the queue grows without end")

        with pytest.raises(DomainError) as caught:
            _ = Queue(load=1.25).wait
        assert caught.value.condition == "load < 1"
        assert caught.value.meaning == "the queue grows without end"
        assert str(caught.value) == (
            "Queue.wait: it has no value here, because the queue grows without end: "
            "found load = 1.25, expected `load < 1`"
        )

    def test_no_overflow_on_the_way_hides_in_the_result(self):
        class Product(Scenario):
            a: Input[float] = Input("", "", positive=True)
            b: Input[float] = Input("", "", positive=True)
            ratio = Property(a * a / (b * b), "", "")
            small = Property(1 / (1 + 1 / (a * a)), "", "")

        assert Product(a=1e200, b=1e190).ratio == pytest.approx(1e20, rel=1e-12)
        assert Product(a=1e-200, b=1e-190).ratio == pytest.approx(1e-20, rel=1e-12)


class TestSums:
    class Series(Scenario):
        a: Input[float] = Input("", "")
        n: Input[int] = Input("", "", integer=True, nonnegative=True)
        k = sympy.Symbol("k")
        total = Property(sympy.Sum(a * k + 1, (k, 1, n)), "", "")
        harmonic = Property(sympy.Sum(1 / k, (k, 1, n)), "", "")

    def test_a_sum_adds_its_terms(self):
        assert self.Series(a=2, n=3).total == 2 + 1 + 4 + 1 + 6 + 1
        assert self.Series(a=2, n=0).total == 0
        assert self.Series(a=0, n=4).harmonic == pytest.approx(25 / 12, rel=1e-12)

    def test_a_sum_without_end_in_sight_is_refused(self):
        with pytest.raises(DomainError, match="100000 terms"):
            _ = self.Series(a=1, n=10**9).total

    def test_a_long_sum_of_small_terms_is_quick_and_right(self):
        """Of p**k over k >= 0 the sum is 1/(1 - p) as far as digits go."""

        class Geometric(Scenario):
            p: Input[float] = Input("", "", within="(0, 1)")
            n: Input[int] = Input("", "", integer=True, nonnegative=True)
            k = sympy.Symbol("k")
            total = Property(sympy.Sum(p**k, (k, 0, n)), "", "")

        assert Geometric(p="1e-9", n=20_000).total == pytest.approx(1 / (1 - 1e-9), rel=1e-12)
        assert Geometric(p="0.999", n=3).total == pytest.approx(1 + 0.999 + 0.999**2 + 0.999**3, rel=1e-12)


class TestFoundByReview:
    """Faults that were found by hand, each with the right value."""

    def made(self, **properties):
        """Make a class with inputs a, b, c, an integer n and an optional integer m, and properties of them."""
        body = {name: Input("", "") for name in "abc"}
        body["n"] = Input("", "", integer=True)
        body["m"] = Input("", "", integer=True, default=None)
        for name, make in properties.items():
            body[name] = Property(
                make(*(body[key] for key in make.__code__.co_varnames[: make.__code__.co_argcount])), ""
            )
        return type("Made", (Scenario,), body)

    def test_a_difference_of_whole_powers_is_whole(self):
        cls = self.made(x=lambda n: n**2 - 1, y=lambda n: 1 - n**3)
        for n in (1, 2, 3, 7, 49):
            scenario = cls(a=1, b=1, c=1, n=n)
            assert (scenario.x, scenario.y) == (n * n - 1, 1 - n**3)
            assert type(scenario.x) is type(scenario.y) is int

    def test_a_value_that_is_missing_is_not_unequal(self):
        from symbolic_scenarios.errors import InputError

        cls = self.made(
            x=lambda n, m: sympy.Piecewise((1, sympy.Eq(n, m)), (2, True)),
            k=lambda a: sympy.ceiling(1 / a),
            y=lambda n, k: sympy.Piecewise((1, sympy.Eq(n, k)), (2, True)),
        )
        scenario = cls(a=0, b=1, c=1, n=3)
        with pytest.raises(InputError, match="the input `m` was left out"):
            _ = scenario.x
        with pytest.raises(DomainError, match=r"Made\.y needs k: it divides by zero: found `a`"):
            _ = scenario.y

    @pytest.mark.parametrize("join", [lambda left, right: left & right, sympy.And])
    def test_a_condition_guards_the_one_after_it(self, join):
        cls = self.made(x=lambda a, b: sympy.Piecewise((1, join(b > 0, a / b > 3)), (0, True)))
        assert [cls(a=8, b=b, c=1, n=1).x for b in (0, 1, 2, 4)] == [0, 1, 1, 0]

    def test_many_conditions_are_joined_in_any_process(self):
        for _ in range(30):
            cls = self.made(
                x=lambda a, b, c: sympy.Piecewise((1, sympy.And(a > 1, b > 2, c > 3, a > 2, b > 3, c > 4)), (0, True))
            )
            assert cls(a=5, b=5, c=5, n=1).x == 1

    @pytest.mark.parametrize("function", ["erf", "tanh"])
    def test_a_saturating_function_of_a_cancelled_difference(self, function):
        cls = self.made(x=lambda a, b, c: getattr(sympy, function)(a * b - c))
        given = {"a": "879484267.5177182", "b": "323306878.2524952", "c": "284343313300343584"}
        exact = Fraction(given["a"]) * Fraction(given["b"]) - Fraction(given["c"])
        expected = getattr(mp, function)(mp.mpf(exact.numerator) / exact.denominator)
        assert abs(cls(**given, n=1).x - expected) <= abs(expected) * mp.mpf("1e-12")

    def test_what_is_absorbed_is_not_lost(self):
        cls = self.made(
            q=lambda a: 1 + a,
            x=lambda q: sympy.log(q),
            y=lambda a, q: sympy.ceiling(2 * sympy.log(q) / a),
            z=lambda q: sympy.acosh(q),
        )
        scenario = cls(a="1e-90", b=1, c=1, n=1)
        assert scenario.x == pytest.approx(1e-90, rel=1e-12)
        assert scenario.y == 2
        assert scenario.z == pytest.approx(math.sqrt(2) * 1e-45, rel=1e-12)

    def test_a_cube_root_of_a_large_number(self):
        cls = self.made(x=lambda a, b: a ** sympy.Rational(1, 3) - b)
        for a, b in (("1.234e220", "2.3e73"), ("8.1e279", "2.0083e93")):
            expected = mp.cbrt(mp.mpf(a)) - mp.mpf(b)
            assert abs(cls(a=a, b=b, c=1, n=1).x - expected) <= abs(expected) * mp.mpf("1e-12")

    def test_no_underflow_hides_in_a_step_a_minimum_or_a_sum(self):
        cls = self.made(
            x=lambda a, b, c: sympy.Min(a * b, 1) * c,
            y=lambda a, b, c: (a * b + a * b) * c,
            up=lambda a, b: sympy.ceiling(a * b),
            rest=lambda n: n * sympy.erfc(27),
        )
        scenario = cls(a="1.23456e-160", b="1.23456e-160", c="1e100", n=10**30)
        assert scenario.x == pytest.approx(1.23456**2 * 1e-220, rel=1e-12)
        assert scenario.y == pytest.approx(2 * 1.23456**2 * 1e-220, rel=1e-12)
        assert scenario.up == 1
        assert self.made(x=lambda a: a * sympy.Integer(10) ** 300)(a=5e-324, b=1, c=1, n=1).x == pytest.approx(
            5e-24, rel=1e-12
        )

    def test_a_value_has_one_type_whatever_the_case(self):
        cls = self.made(x=lambda a, n: sympy.Piecewise((n, a > 0), (a, True)))
        assert type(cls(a=1, b=1, c=1, n=7).x) is type(cls(a=-1, b=1, c=1, n=7).x) is float

    def test_numbers_beyond_floats_and_whole_numbers_beyond_print(self):
        cls = self.made(
            x=lambda a: a / sympy.Integer(10) ** 5000,
            y=lambda a: a * sympy.Rational(10**400 + 1, 3),
            z=lambda n: (n**64) ** 64,
        )
        scenario = cls(a=1, b=1, c=1, n=10**14)
        with pytest.raises(DomainError, match="too small for a float"):
            _ = scenario.x
        with pytest.raises(DomainError, match="too large for a float"):
            _ = scenario.y
        with pytest.raises(DomainError, match="more than 4000 digits"):
            _ = scenario.z

    def test_the_sine_of_a_multiple_of_pi_is_zero(self):
        assert self.made(x=lambda n: sympy.sin(sympy.pi * n))(a=1, b=1, c=1, n=3).x == 0

    def test_the_index_of_a_sum_is_not_an_input_of_its_name(self):
        cls = self.made(x=lambda a: sympy.Sum(a * sympy.Symbol("a", real=True), (sympy.Symbol("a", real=True), 1, 3)))
        assert cls(a=10, b=1, c=1, n=1).x == 60

    def test_a_sum_that_ends_before_it_begins_is_refused(self):
        cls = self.made(x=lambda n: sympy.Sum(sympy.Symbol("k"), (sympy.Symbol("k"), 1, n)))
        assert cls(a=1, b=1, c=1, n=0).x == 0
        with pytest.raises(DomainError, match="ends before it begins"):
            _ = cls(a=1, b=1, c=1, n=-3).x

    def test_a_long_chain_that_cancels_takes_no_longer_than_its_length(self):
        body = {"x0": (before := Input("")), "x1": (last := Input(""))}
        for place in range(2, 600):
            before, last = last, Property(last - before, "")
            body[f"x{place}"] = last
        scenario = type("Cancelling", (Scenario,), body)(x0=1.1, x1=1.2)
        assert scenario.x599 == pytest.approx({0: 1.1, 1: 1.2, 2: 0.1, 3: -1.1, 4: -1.2, 5: -0.1}[599 % 6], rel=1e-12)
