"""Optimization and compilation: when does work done once pay for itself?"""

from __future__ import annotations

from symbolic_scenarios import Input, Inverse, Property, Scenario


class CompileBreakevenScenario(Scenario):
    """When does compiling a model pay for itself?

    Running eagerly costs nothing up front; compiling costs `compile_time` each time the code changes and then makes
    every item cheaper. This scenario finds the amount of work at which the two cost the same, and what compiling does
    to a whole experiment in which the code changes `recompiles` times.

    Assumptions:
        Both rates are steady. Every code change counted in `recompiles` pays one full compilation, and nothing is
        computed while it runs.
    Excludes:
        Warm-up, caching of compiled code, and rates that drift while the experiment runs.

    References:
        J. Ansel et al., "PyTorch 2: Faster Machine Learning Through Dynamic Python Bytecode Transformation and Graph
        Compilation", ASPLOS 2024: what compilation costs and saves. The break-even itself is elementary: a fixed cost
        divided by the saving on each item.
    """

    eager_rate: Input = Input("1/second", "Throughput without compilation.", latex="r_e", positive=True)
    compiled_rate: Input = Input("1/second", "Throughput of the compiled model.", latex="r_c", positive=True)
    compile_time: Input = Input("second", "One compilation.", latex="T_c", positive=True)
    experiment_items: Input[int | None] = Input(
        "", "Items processed in one experiment.", latex="N", integer=True, positive=True, default=None
    )
    recompiles: Input[int | None] = Input(
        "", "Code changes in one experiment, each compiled.", latex="k", integer=True, nonnegative=True, default=None
    )

    eager_item_time = Property(1 / eager_rate, "ms", "Time for one item, eager.", latex="t_e")
    compiled_item_time = Property(1 / compiled_rate, "ms", "Time for one item, compiled.", latex="t_c")
    saving_per_item = Property(eager_item_time - compiled_item_time, "ms", "What one item saves.", latex="s")
    breakeven_items = Property(
        compile_time / saving_per_item,
        "",
        "Items that repay one compilation.",
        latex="N^{*}",
        requires=saving_per_item > 0,
        otherwise="compiled execution is not faster: no item count repays the compilation",
    )
    speedup = Property(compiled_rate / eager_rate, "", "Compiled against eager throughput.", latex="S")
    experiment_eager = Property(experiment_items / eager_rate, "s", "The whole experiment, eager.", latex="E_e")
    experiment_compiled_running = Property(
        experiment_items / compiled_rate, "s", "The experiment's running time, compiled.", latex="E_r"
    )
    experiment_compiled_total = Property(
        recompiles * compile_time + experiment_compiled_running,
        "s",
        "Running time and all compilations of the experiment.",
        latex="E_c",
    )
    experiment_slowdown = Property(
        experiment_compiled_total / experiment_eager,
        "",
        "The experiment compiled, as a multiple of the experiment eager; below 1 compiling pays.",
        latex="\\sigma",
    )
    breakeven_recompiles = Inverse(
        experiment_slowdown,
        equals=1,
        solve_for=recompiles,
        doc="Recompiles at which compiling stops paying.",
        latex="k^{*}",
    )


ResNet50CompileBreakeven = CompileBreakevenScenario(
    name="ResNet50CompileBreakeven",
    description="ResNet-50 training: 1450 items/s eager, 2150 compiled, half a minute for one compilation "
    "(values of mlsysim 0.3.0, ResNet50CompileBreakeven).",
    eager_rate="1450/s",
    compiled_rate="2150/s",
    compile_time="30 s",
    experiment_items=10_000,
    recompiles=10,
)
