"""Speed of the bounds of all subgroups together. Run with ``pytest benchmarks``; numbers in benchmarks/README.md.

The naive loop compares each subgroup with everybody else in each resample of the people, as one would write it first.
It is timed on a few resamples and told for as many as the scan has; both in processor time.
"""

from time import perf_counter, process_time

import numpy as np

from core.audits.group_fairness.subgroups.candidates import Column, find_candidates
from core.audits.group_fairness.subgroups.scan import compare
from core.audits.group_fairness.subgroups.verdicts import judge

PEOPLE = 50_000
DRAWS = 1_000
SUBGROUPS = 1_000
LOOPED = 3


def test_a_thousand_subgroups_and_draws_of_fifty_thousand_people(benchmark) -> None:
    rng = np.random.default_rng(0)
    columns = tuple(
        Column(f"c{j}", tuple(map(str, range(k))), rng.integers(0, k, PEOPLE))
        for j, k in enumerate((2, 3, 4, 5, 6, 7, 8, 14))
    )
    harm = (rng.random(PEOPLE) < 0.1).astype(np.float64)

    def scanned() -> int:
        scan = compare(columns, harm, shares=True, depth=2, draws=DRAWS, rng=np.random.default_rng(1))
        judge(scan, 0.05, 0.05)
        return len(scan)

    start, wall = process_time(), perf_counter()
    subgroups = scanned()
    ours, seconds = process_time() - start, perf_counter() - wall
    found = find_candidates(columns, 2)
    members = [np.isin(found.cells, inside) for inside in found.inside]
    start = process_time()
    for _ in range(LOOPED):
        weights = rng.multinomial(PEOPLE, np.full(PEOPLE, 1 / PEOPLE))
        for inside in members:
            np.average(harm[inside], weights=weights[inside]) - np.average(harm[~inside], weights=weights[~inside])
    loop = (process_time() - start) / LOOPED * DRAWS
    benchmark.extra_info.update(ratio=loop / ours, ours=ours, loop=loop, wall=seconds, subgroups=subgroups)
    print(
        f"\n{subgroups:,} subgroups, {DRAWS:,} draws, {PEOPLE:,} people: {ours:.1f} s ({seconds:.1f} s by the clock), "
        f"the loop {loop:,.0f} s: {loop / ours:.0f}×"
    )
    benchmark.pedantic(scanned, rounds=1)
    assert subgroups >= SUBGROUPS
    assert ours < 30
    assert loop / ours >= 50
