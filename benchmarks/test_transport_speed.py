"""Speed and memory of the transport engine. Run with ``pytest benchmarks``; numbers in benchmarks/README.md."""

import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from benchmarks.transport_workloads import REPLICATES, SHARE, WORKLOADS, replicates, solver
from core.inference.transport.envelope import Envelope

RESOLVED = 10
"""Replicates for which the linear program is solved."""


@pytest.mark.parametrize("name", ["classes", "labels", "scores"])
def test_a_replicate_costs_a_thousandth_of_solving_the_program_again(benchmark, name) -> None:
    """At K = 144, processor time, the building of the envelope counted in."""
    rng = np.random.default_rng(0)
    losses, cost = WORKLOADS[name](144, rng)
    masses = replicates(144, rng)
    envelope = Envelope.build(losses, cost)
    budget = SHARE * envelope.total_cost(masses[0])
    solve = solver(losses, cost, budget)
    theirs_value = [solve(masses[0])]

    ours, theirs = [], []
    for _ in range(3):
        start = process_time()
        values = Envelope.build(losses, cost).value(masses, budget)
        ours.append((process_time() - start) / REPLICATES)
        start = process_time()
        theirs_value = [solve(one) for one in masses[:RESOLVED]]
        theirs.append((process_time() - start) / RESOLVED)
    ratio = min(theirs) / min(ours)
    assert values[:RESOLVED] == pytest.approx(theirs_value, abs=1e-8)
    benchmark.extra_info.update(ratio=ratio, microseconds=1e6 * min(ours), program_milliseconds=1e3 * min(theirs))
    print(f"\n{name}: {1e6 * min(ours):.2f} µs against {1e3 * min(theirs):.1f} ms a replicate: {ratio:,.0f}×")
    benchmark.pedantic(lambda: envelope.value(masses, budget), rounds=5)
    assert ratio >= 1000


@pytest.mark.parametrize(
    ("size", "seconds", "megabytes"), [(2000, 10, 2000), (10_000, 120, 600)], ids=["2,000 cells", "10,000 cells"]
)
@pytest.mark.parametrize("name", list(WORKLOADS))
def test_building_and_a_thousand_replicates_take_seconds_and_little_memory(
    benchmark, name, size, seconds, megabytes
) -> None:
    """Wall clock and the peak of a fresh process."""
    build, draws, steps, peak = benchmark.pedantic(lambda: measured(name, size), rounds=1)
    benchmark.extra_info.update(build=build, replicates=draws, steps=steps, peak_mb=peak)
    print(f"\n{name}, K = {size:,}: {build:.2f} s + {draws:.2f} s, {steps:,.0f} steps, {peak:.0f} MB")
    assert build + draws < seconds
    assert peak < megabytes


@pytest.mark.parametrize("name", list(WORKLOADS))
def test_growth_with_the_number_of_cells(benchmark, name) -> None:
    sizes = (144, 500, 1000, 2000, 5000)
    rows = benchmark.pedantic(lambda: [measured(name, size) for size in sizes], rounds=1)
    print(f"\n{name}: K, build, 1,000 replicates, steps, peak")
    for size, (build, draws, steps, peak) in zip(sizes, rows, strict=True):
        benchmark.extra_info[str(size)] = (build, draws, steps, peak)
        print(f"{size:>6,} {build:7.3f} s {draws:7.3f} s {steps:>10,.0f} {peak:5.0f} MB")


def measured(name: str, size: int) -> list[float]:
    """Seconds to build, seconds for the replicates, steps and peak memory in MB, in a process of its own."""
    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "benchmarks.transport_workloads", name, str(size)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    return list(map(float, ran.stdout.split()))
