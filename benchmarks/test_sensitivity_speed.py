"""Speed and memory of the sensitivity engine. Run with ``pytest benchmarks``; numbers in benchmarks/README.md.

Both sides of a ratio are timed in turns; the smallest of several times counts, in wall-clock time, because one side
spreads a batch over all threads and the other cannot.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from benchmarks.text_workloads import Bert, captum, lengths_of, one_by_one, ours, texts_of

TEXTS = 64
ROUNDS = 3


@pytest.mark.parametrize(
    ("classes", "lengths", "by_loop"),
    [(28, "equal", 3.0), (28, "mixed", 3.0), (2, "equal", 1.0), (2, "mixed", 1.0)],
    ids=["28 classes, equal lengths", "28 classes, mixed lengths", "2 classes, equal lengths", "2 classes, mixed"],
)
@pytest.mark.parametrize("width", [64, 128])
def test_batches_against_one_text_and_class_at_a_time_and_captum(benchmark, width, classes, lengths, by_loop) -> None:
    """A BERT of two layers; limits are ratios of times."""
    rng = np.random.default_rng(0)
    network = Bert(classes, width=width)
    tokens = network.read(texts_of(lengths_of(lengths, TEXTS, rng), rng))
    ways = (ours, one_by_one, captum)
    times, found = in_turns([lambda way=way: way(network, tokens) for way in ways])
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_allclose(one, same, rtol=1e-3, atol=1e-5 * same.max())
    loop, theirs = times[1] / times[0], times[2] / times[0]
    milliseconds = 1e3 * times[0] / TEXTS
    benchmark.extra_info.update(loop=loop, captum=theirs, milliseconds=milliseconds)
    print(
        f"\nwidth {width}, K = {classes}, {lengths} lengths: {milliseconds:.1f} ms a text, "
        f"{loop:.1f}× a loop, {theirs:.1f}× captum"
    )
    benchmark.pedantic(lambda: ours(network, tokens), rounds=1)
    assert loop >= by_loop
    assert theirs >= 1


def test_a_thousand_texts_take_less_than_a_minute(benchmark) -> None:
    """A whole audit, 128 tokens a text, K = 28, in a process of its own."""
    seconds, megabytes = benchmark.pedantic(lambda: audited(1000, 28, 128), rounds=1)
    benchmark.extra_info.update(seconds=seconds, megabytes=megabytes)
    print(f"\n1,000 texts of 128 tokens, K = 28: {seconds:.1f} s, {megabytes:.0f} MB more at the peak")
    assert seconds < 60


def test_memory_does_not_grow_with_the_texts(benchmark) -> None:
    """Short texts; up to 2,000 it grows a little, as tokens are read ahead and 300 texts are kept for reading."""
    rows = benchmark.pedantic(lambda: [audited(count, 2, 24) for count in (200, 2000, 8000)], rounds=1)
    (_, first), (_, few), (_, many) = rows
    benchmark.extra_info.update(first=first, few=few, many=many)
    print(
        f"\nMemory added at the peak: {first:.0f} MB with 200 texts, {few:.0f} MB with 2,000, {many:.0f} MB with 8,000"
    )
    assert many < few + 40


def in_turns(ways: Sequence[Callable[[], list[np.ndarray]]]) -> tuple[list[float], list[list[np.ndarray]]]:
    """The smallest of several times of each way, in seconds, and what each gives."""
    times = np.full((ROUNDS, len(ways)), np.inf)
    found: list[list[np.ndarray]] = [[] for _ in ways]
    for turn in range(ROUNDS):
        for place, way in enumerate(ways):
            start = perf_counter()
            found[place] = way()
            times[turn, place] = perf_counter() - start
    return times.min(axis=0).tolist(), found


def audited(texts: int, classes: int, tokens: int) -> list[float]:
    """Seconds of an audit, and the memory it adds at its peak in MB, in a process of its own."""
    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "benchmarks.text_workloads", *map(str, (texts, classes, tokens))],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    return list(map(float, ran.stdout.split()))
