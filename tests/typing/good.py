"""A user's scenario, and what type checkers must make of it: no error anywhere in this file."""

from fractions import Fraction
from typing import Any, assert_type

import pint
import sympy
from pint.facets.plain import PlainQuantity
from sympy import Expr, Symbol
from sympy.logic.boolalg import Boolean

from symbolic_scenarios import Q_, Constant, Constraint, Input, Inverse, Property, Scenario, units
from symbolic_scenarios._units import Quantity


class QueueScenario(Scenario):
    """How full is one server?"""

    arrival_rate: Input = Input("1/second", "Requests that arrive.", latex="a", nonnegative=True)
    service_rate: Input = Input("1/second", "Requests that one server completes.", latex="m", positive=True)
    timeout: Input = Input("ms", "Longest wait.", default="250 ms", positive=True)
    share: Input[float] = Input("", "Share of requests that count.", within="(0, 1]", default=1)
    requests: Input[int] = Input("", "Requests in all.", integer=True, positive=True)
    servers: Input[int | None] = Input("", "Servers.", integer=True, positive=True, default=None)

    day = Constant("86400 s", "One day.", source="SI")
    peak = Constant(Fraction(3, 2), "Peak over mean.", source="Measured.")

    stable = Constraint(arrival_rate < service_rate, "The queue is stable.")

    utilization = Property(arrival_rate / service_rate, "", "Busy share of the time.", latex="\\rho")
    service_time = Property(1 / service_rate, "ms", "Time for one request.")
    wait = Property(
        utilization / (service_rate - arrival_rate), "ms", "Mean wait.", requires=service_rate - arrival_rate > 0
    )
    batches = Property(sympy.ceiling(requests / 32), "", "Batches of 32.")
    longest = Property(sympy.Max(service_time, timeout), "s", "The longer of the two.")
    chosen = Property(sympy.Piecewise((service_time, utilization < 1), (timeout, True)), "s", "By regime.")
    a_day = Property(day * arrival_rate * peak * share * servers**2 + abs(-requests), "", "Everything at once.")

    arrivals_at_half = Inverse(utilization, equals=Fraction(1, 2), solve_for=arrival_rate, doc="Half full.")
    servers_at_one = Inverse(a_day, equals=1, solve_for=servers, doc="Servers.")


# From text, our quantities, plain quantities of any registry, numbers.

ureg: pint.UnitRegistry = pint.UnitRegistry()  # type: ignore[type-arg, unused-ignore]  # generic from pint 0.25 on
plain: PlainQuantity[Any] = ureg.Quantity(1000, "1/s")

text = QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10_000)
ours = QueueScenario(arrival_rate=Q_("900/s"), service_rate=1000 / units.second, requests=10_000, servers=None)
theirs = QueueScenario(arrival_rate=900 / ureg.second, service_rate=plain, requests=10_000, servers=2)
more = QueueScenario(arrival_rate=ureg.Quantity(900, "1/s"), service_rate=ureg("1000/s"), requests=1, share=0.5)
mixed = QueueScenario(arrival_rate=text.arrival_rate / 2, service_rate=2 * text.service_rate, requests=1, share=1)
pints = QueueScenario(arrival_rate=pint.Quantity(9, "1/s"), service_rate="1e3/s", timeout=3 * ureg.second, requests=1)
named = QueueScenario(arrival_rate="1/s", service_rate="2/s", requests=1, name="small", description="A small queue.")

# On an instance an attribute is a value.

assert_type(text.arrival_rate, Quantity)
assert_type(text.timeout, Quantity)
assert_type(text.share, float)
assert_type(text.requests, int)
assert_type(text.servers, int | None)
assert_type(text.day, Quantity)
assert_type(text.peak, float)
assert_type(text.utilization, float)
assert_type(text.service_time, Quantity)
assert_type(text.arrivals_at_half, Quantity)
assert_type(text.servers_at_one, float)
assert_type(text.stable, bool | None)
assert_type(text.name, str)
assert_type(text.description, str)
assert_type(text.variant(arrival_rate="1/s"), QueueScenario)
print(text.service_time.to("s").magnitude, text.utilization < 0.95, {text: 1}, text == ours)

# On the class it is mathematics. (SymPy ships no types: to mypy these are all `Any`.)

assert_type(QueueScenario.arrival_rate, Symbol)
assert_type(QueueScenario.servers, Symbol)
assert_type(QueueScenario.day, Symbol)
assert_type(QueueScenario.utilization, Expr)
assert_type(QueueScenario.arrivals_at_half, Expr)
assert_type(QueueScenario.stable, Boolean)
print(QueueScenario.utilization.diff(QueueScenario.arrival_rate))
