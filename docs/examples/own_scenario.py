"""A scenario of your own: how many requests can decode side by side before the memory is full?

Each request in flight keeps a cache of keys and values beside the weights. What is left of the memory bounds the batch.
"""

import sympy

from symbolic_scenarios import Input, Inverse, Property, Scenario, latex


class DecodeBatch(Scenario):
    """How many requests fit into memory beside the weights?"""

    memory: Input = Input("GB", "Memory of the accelerator.", latex="C", positive=True)
    weights: Input = Input("GB", "Weights of the model.", latex="W", positive=True)
    cache: Input = Input("MB", "Cache of one request.", latex="m", positive=True)
    bandwidth: Input = Input("TB/s", "Memory bandwidth.", latex="B", positive=True)

    room = Property(memory - weights, "GB", "What the weights leave.", latex="R", requires=memory > weights)
    batch = Property(sympy.floor(room / cache), "", "Requests that fit.", latex="b")
    step_time = Property((weights + batch * cache) / bandwidth, "ms", "One step: all is read once.", latex="t")
    enough_memory = Inverse(room, equals="40 GB", solve_for=memory, doc="Memory that leaves 40 GB.")


if __name__ == "__main__":
    h100 = DecodeBatch(memory="80 GB", weights="14 GB", cache="314.5728 MB", bandwidth="3.35 TB/s")
    print("requests that fit:", h100.batch)
    print(f"one step: {h100.step_time:.3f}")
    print("memory that leaves 40 GB:", h100.enough_memory)
    print(latex(h100, "step_time", form="worked"))
