"""A question to a scenario of the catalogue: how fast must the compiled model be?

An experiment of 50 000 items is to repay its compilation. The answer is a closed form with its condition; where no
rate is fast enough, the answer is the reason.
"""

from symbolic_scenarios import Scenarios, solve_for

resnet = Scenarios.ResNet50CompileBreakeven

if __name__ == "__main__":
    for items in (50_000, 40_000):
        answer = solve_for(resnet, "compiled_rate", breakeven_items=items)
        print(answer.question)
        print("  ", answer)
    print("With a compilation of 10 s:")
    answer = solve_for(resnet.variant(compile_time="10 s"), "compiled_rate", breakeven_items=40_000)
    print("  ", answer)
    print("   check:", resnet.variant(compile_time="10 s", compiled_rate=answer.value).breakeven_items)
