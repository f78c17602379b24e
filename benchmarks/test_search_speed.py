"""Speed of the search, as ratios within one run. Run with ``pytest benchmarks``; numbers in benchmarks/README.md."""

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


@pytest.mark.parametrize("activation", [nn.Tanh, nn.ELU])
def test_any_other_module_is_no_slower_than_plain_autograd(benchmark, activation) -> None:
    module, some = perceptron(activation), rows()
    general, plain = searching(bench(module, steps=100), some), plain_autograd(module, some, 100)
    general()
    ours, part = fastest((general, plain_autograd(module, some, SAMPLE)), 3, wall)
    theirs = part * 100 / SAMPLE
    own, other = on_one_thread(lambda: fastest((general, plain), 7, processor))
    benchmark.extra_info.update(wall_ratio=theirs / ours, processor_ratio=other / own)
    print(f"\n{activation.__name__}: {ours:.3f} s, plain {theirs:.3f} s: {theirs / ours:.2f}×; {other / own:.2f}×")
    benchmark.pedantic(general, rounds=3)
    assert other / own >= 1 / NOISE


def test_the_sweep_costs_less_than_a_twentieth(benchmark) -> None:
    one, some = bench(perceptron()), rows()
    swept, last = searching(one, some), searching(replace(one, recorded=one.recorded[-1:]), some)
    swept()
    with_sweep, without = on_one_thread(lambda: fastest((swept, last), 14, processor))
    benchmark.extra_info.update(cost=with_sweep / without - 1, stopping_times=len(one.recorded))
    print(f"\nsweep of {len(one.recorded)} stopping times: {with_sweep / without - 1:+.1%}")
    benchmark.pedantic(swept, rounds=3)
    assert with_sweep <= 1.05 * without


def test_etd2rk_reaches_500_euler_steps_in_125_gradients(benchmark) -> None:
    """On the published Adult baseline, its first 1,000 test rows."""
    module, some, fitted = adult_baseline()

    def statistic(integrator: str, steps: int) -> float:
        values = {"integrator": integrator, "steps": steps, "step_size": 5.0 / steps, "precision": "float64"}
        return float(bench(module, **values).search(some, fitted, ignore_progress).ratio.mean())

    truth = statistic("etd2rk", 2000)
    euler, etd = abs(statistic("euler", 500) - truth), abs(statistic("etd2rk", 62) - truth)
    benchmark.extra_info.update(value=truth, euler_500=euler, etd2rk_62=etd)
    print(f"\nS_n {truth:.3f}; error: Euler with 500 gradients {euler:.1e}, ETD2RK with 124 gradients {etd:.1e}")
    benchmark.pedantic(lambda: statistic("etd2rk", 62), rounds=3)
    assert etd <= euler
