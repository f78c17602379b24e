"""Speed of the search, as ratios within one run. Run with ``pytest benchmarks``; numbers in benchmarks/README.md."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from torch import nn

from benchmarks.workloads import (
    adult_baseline,
    bench,
    fastest,
    on_one_thread,
    perceptron,
    plain_autograd,
    processor,
    rows,
    searching,
    wall,
)
from core.audits.gradient_flow.tally import Totals
from core.base.progress import ignore_progress

NOISE = 1.05
"""Two runs of the same work differ by this much on a shared machine."""


SAMPLE = 25
"""Steps of the plain search that are timed by the wall clock: its threads wait for each other many times a step, so
that a busy machine slows it twentyfold."""


def test_the_relu_path_is_four_times_as_fast_as_plain_autograd(benchmark) -> None:
    module, some = perceptron(), rows()
    fast, plain = searching(bench(module), some), plain_autograd(module, some)
    fast()
    ours, part = fastest((fast, plain_autograd(module, some, SAMPLE)), 3, wall)
    theirs = part * 500 / SAMPLE
    own, other = on_one_thread(lambda: fastest((fast, plain), 4, processor))
    benchmark.extra_info.update(wall_ratio=theirs / ours, processor_ratio=other / own)
    print(f"\nReLU path {ours:.3f} s, plain {theirs:.3f} s: {theirs / ours:.1f}×; one thread {other / own:.1f}×")
    benchmark.pedantic(fast, rounds=3)
    assert other / own >= 4


@pytest.mark.parametrize(("activation", "times"), [(nn.Tanh, 2), (nn.ELU, 2), (nn.GELU, 1)])
def test_other_activations_are_faster_than_plain_autograd(benchmark, activation, times) -> None:
    module, some = perceptron(activation), rows()
    general, plain = searching(bench(module, steps=100), some), plain_autograd(module, some, 100)
    general()
    ours, part = fastest((general, plain_autograd(module, some, SAMPLE)), 3, wall)
    theirs = part * 100 / SAMPLE
    own, other = on_one_thread(lambda: fastest((general, plain), 7, processor))
    benchmark.extra_info.update(wall_ratio=theirs / ours, processor_ratio=other / own)
    print(f"\n{activation.__name__}: {ours:.3f} s, plain {theirs:.3f} s: {theirs / ours:.2f}×; {other / own:.2f}×")
    benchmark.pedantic(general, rounds=3)
    assert other / own >= times / NOISE


def test_the_sweep_costs_less_than_a_twentieth(benchmark) -> None:
    one, some = bench(perceptron()), rows()
    swept, last = searching(one, some), searching(replace(one, recorded=one.recorded[-1:]), some)
    swept()
    with_sweep, without = on_one_thread(lambda: fastest((swept, last), 14, processor))
    benchmark.extra_info.update(cost=with_sweep / without - 1, stopping_times=len(one.recorded))
    print(f"\nsweep of {len(one.recorded)} stopping times: {with_sweep / without - 1:+.1%}")
    benchmark.pedantic(swept, rounds=3)
    assert with_sweep <= 1.05 * without


def test_the_search_by_default_errs_less_than_500_euler_steps_in_a_third_of_the_time(benchmark) -> None:
    """On the sample network of Adult and its 9,045 rows, one thread."""
    module, some, fitted = adult_baseline()

    def once(integrator: str, steps: int, **values: object) -> Callable[[], Totals]:
        flow = {"integrator": integrator, "steps": steps, "step_size": 5.0 / steps, **values}
        return lambda: bench(module, **flow).search(some, fitted, ignore_progress)

    truth = once("etd2rk", 2000, precision="float64")().ratio.mean()
    ways = (("euler", 500), ("etd2rk", 40), ("etd2rk", 50), ("etd2rk", 62))
    times = on_one_thread(lambda: fastest([once(*way) for way in ways], 4, processor))
    errors = [abs(once(*way)().ratio.mean() - truth) for way in ways]
    print(f"\nS_n {truth:.3f}")
    for (integrator, steps), time, error in zip(ways, times, errors, strict=True):
        print(f"{integrator} {steps}: {time:.3f} s, {times[0] / time:.1f}× as fast, error {error:.1e}")
    benchmark.extra_info.update(value=float(truth), times=times, errors=list(map(float, errors)))
    benchmark.pedantic(once("etd2rk", 50), rounds=3)
    assert errors[2] <= errors[0]
    assert times[0] / times[2] >= 3
