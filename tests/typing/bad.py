"""Mistakes in the use of a scenario. Both type checkers report each line marked `# error`, and no other line."""

from good import QueueScenario

from symbolic_scenarios import Constant, Constraint, Input, Inverse, Property, Scenario

scenario = QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10)

# A misspelt input, a missing one, a property or a constant given as one, an argument without its name.
QueueScenario(arival_rate="900/s", service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, sevrers=2)  # error
QueueScenario(service_rate="1000/s", requests=10)  # error
QueueScenario()  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, utilization=0.9)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, day="2 day")  # error
QueueScenario("900/s", "1000/s", 10)  # error

# A value of the wrong type: a number where a unit is needed, an object, a list, None where an input is not optional.
QueueScenario(arrival_rate=900, service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate=900.0, service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate=object(), service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate=["900/s"], service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate=b"900/s", service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate=None, service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate=(900, "1/s"), service_rate="1000/s", requests=10)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10.5)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=None)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, servers=1.5)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, servers=[2])  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, share=1j)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, timeout=250)  # error
QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10, name=3)  # error

# A scenario does not change.
scenario.arrival_rate = "800/s"  # error
scenario.requests = 20  # error
scenario.servers = None  # error
scenario.utilization = 0.5  # error
scenario.day = "2 day"  # error
scenario.stable = True  # error
scenario.arrivals_at_half = "1/s"  # error
scenario.name = "other"  # error
scenario.other = 1  # error


# An instance has values of the declared type, and nothing else; neither has the class.
values = QueueScenario(arrival_rate="900/s", service_rate="1000/s", requests=10)
print(values.arival_rate)  # error
number: float = values.arrival_rate  # error
whole: int = values.utilization  # error
servers: int = values.servers  # error
print(values.servers + 1)  # error
print(QueueScenario.arival_rate)  # error


class Misdeclared(Scenario):
    """Mistakes in a declaration."""

    length: Input = Input("m", "Length.")
    area = Property(length**2, "m**2", "Area.")

    width: Input = Input("m", "Width.", postive=True)  # error
    height: Input = Input(5, "Height.")  # error
    depth: Input = Input("m", "Depth.", positive="yes")  # error
    volume = Property(area * length, "m**3", "Volume.", require=length > 0)  # error
    edges = Property(12 * length)  # error
    edge = Inverse(area, equals="2 m**2", solve_for=area)  # error
    side = Inverse(length, equals="2 m", solve_for=length)  # error
    small = Constraint(length < 1, "Small.", latex="f")  # error
    third = Constant(1.5, "A third of what?")  # error
