"""Speed of comparing groups. Run with ``pytest benchmarks``; numbers in benchmarks/README.md.

The naive way to intervals that hold together draws the people anew and compares every pair in each resample. It is
timed on a few resamples and told for as many as are drawn of the largest contrast; both in processor time.
"""

from time import process_time

import numpy as np

from core.audits.group_fairness.subjects import subjects_of
from core.data.attribute import Attribute
from core.inference.comparisons import Comparisons, People
from core.inference.several import DRAWS

PEOPLE = 50_000
LOOPED = 3


def test_groups_and_intersections_of_fifty_thousand_people(benchmark) -> None:
    rng = np.random.default_rng(0)
    attributes = tuple(
        Attribute(f"c{j}", tuple(map(str, range(k))), rng.integers(0, k, PEOPLE), np.full(PEOPLE, np.nan))
        for j, k in enumerate((2, 6, 8))
    )
    chosen = (rng.random(PEOPLE) < 0.3).astype(np.float64)

    def compared() -> tuple[np.ndarray, Comparisons]:
        found = subjects_of(attributes, 3, ())
        pairs = (*found.groups, *found.intersections)
        inside, outside = (np.array([getattr(one, side) for one in pairs]) for side in ("inside", "outside"))
        people = People.of(chosen, found.cells, found.count, shares=True)
        judged = Comparisons.of(people, outside, inside, ratio=0.8)
        judged.lower(judged.largest.level(0.05))
        judged.largest.together(judged.p_values(0.1))
        return inside[:, found.cells], judged

    start = process_time()
    members, judged = compared()
    ours = process_time() - start
    start = process_time()
    for _ in range(LOOPED):
        weights = rng.multinomial(PEOPLE, np.full(PEOPLE, 1 / PEOPLE))
        for inside in members:
            np.average(chosen[inside], weights=weights[inside]) - np.average(chosen[~inside], weights=weights[~inside])
    loop = (process_time() - start) / LOOPED * DRAWS
    benchmark.extra_info.update(ratio=loop / ours, ours=ours, loop=loop, pairs=len(judged))
    print(f"\n{len(judged)} pairs, {PEOPLE:,} people: {ours:.2f} s, the loop {loop:,.0f} s: {loop / ours:.0f}×")
    benchmark.pedantic(compared, rounds=1)
    assert ours < 20
    assert loop / ours >= 50
