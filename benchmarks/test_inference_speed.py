"""Speed of means of large samples. Run with ``pytest benchmarks``; numbers in benchmarks/README.md."""

from math import ceil
from time import process_time

import numpy as np
import pytest

from core.inference import bounded, studentised
from core.inference.bounded import means_with_largest

ROWS = 200_000
DRAWS = 199


def test_a_large_sample_in_bins_costs_a_tenth_of_drawing_its_rows(benchmark, monkeypatch) -> None:
    """Processor time of the resamples of a mean of 200,000 rows, both ways."""
    values = np.random.default_rng(0).gamma(0.3, 0.1, ROWS)

    def seconds() -> float:
        start = process_time()
        studentised.studentised(values, draws=DRAWS, seed=0)
        return process_time() - start

    ours = min(seconds() for _ in range(3))
    monkeypatch.setattr(studentised, "LARGE", ROWS)
    theirs = min(seconds() for _ in range(3))
    monkeypatch.undo()
    benchmark.extra_info.update(ratio=theirs / ours, ours=ours, theirs=theirs)
    print(
        f"\nmean of {ROWS:,} rows, {DRAWS} draws: {ours:.3f} s in bins, {theirs:.2f} s row by row: {theirs / ours:.0f}×"
    )
    benchmark.pedantic(seconds, rounds=3)
    assert theirs / ours >= 10


def test_the_bound_within_one_in_bins_costs_a_tenth(benchmark, monkeypatch) -> None:
    """The same of Gaffke's bound."""
    values = np.minimum(np.random.default_rng(0).gamma(0.3, 0.1, ROWS), 1.0)

    def bound() -> tuple[float, float]:
        start = process_time()
        means = means_with_largest(values, 1.0, draws=DRAWS, seed=0)
        return process_time() - start, means[ceil(0.95 * (DRAWS + 1)) - 1]

    ours, value = min(bound() for _ in range(3))
    monkeypatch.setattr(bounded, "LARGE", ROWS)
    theirs, exact = min(bound() for _ in range(3))
    monkeypatch.undo()
    benchmark.extra_info.update(ratio=theirs / ours, ours=ours, theirs=theirs)
    print(f"\nbound of {ROWS:,} rows, {DRAWS} draws: {ours:.3f} s in bins, {theirs:.2f} s singly: {theirs / ours:.0f}×")
    assert value == pytest.approx(exact, abs=2e-3)
    benchmark.pedantic(bound, rounds=3)
    assert theirs / ours >= 10
