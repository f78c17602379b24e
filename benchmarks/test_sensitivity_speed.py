"""Speed and memory of the sensitivity engine. Run with ``pytest benchmarks``; numbers in benchmarks/README.md.

The sides of a ratio are timed in turns, in processor time with torch on one thread; medians count.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np
import pytest
import torch

from benchmarks.text_workloads import Bert, captum, class_by_class, lengths_of, one_by_one, ours, texts_of

TEXTS = 32
ROUNDS = 3


@pytest.fixture
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(
    ("classes", "lengths", "by_loop"),
    [(28, "equal", 3.0), (28, "mixed", 3.0), (2, "equal", 1.0), (2, "mixed", 1.0)],
    ids=["28 classes, equal lengths", "28 classes, mixed lengths", "2 classes, equal lengths", "2 classes, mixed"],
)
def test_batches_against_one_text_and_class_at_a_time_and_captum(benchmark, classes, lengths, by_loop) -> None:
    """A BERT of two layers and width 64; ``by_loop`` is how much faster than a loop over texts and classes."""
    rng = np.random.default_rng(0)
    network = Bert(classes)
    tokens = network.read(texts_of(lengths_of(lengths, TEXTS, rng), rng))
    ways = (ours, class_by_class, one_by_one, captum)
    times, found = in_turns([lambda way=way: way(network, tokens) for way in ways])
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_allclose(one, same, rtol=1e-3, atol=1e-5 * same.max())
    loop, one_forward, theirs = (time / times[0] for time in times[1:])
    milliseconds = 1e3 * times[0] / TEXTS
    benchmark.extra_info.update(loop=loop, one_forward=one_forward, captum=theirs, milliseconds=milliseconds)
    print(
        f"\nK = {classes}, {lengths} lengths: {milliseconds:.1f} ms a text; a loop over texts and classes takes "
        f"{loop:.1f}×, with one forward pass a text {one_forward:.1f}×, captum {theirs:.1f}×"
    )
    benchmark.pedantic(lambda: ours(network, tokens), rounds=1)
    assert loop >= by_loop
    assert one_forward >= 1
    assert theirs >= 1


def test_a_thousand_texts_take_less_than_a_minute(benchmark) -> None:
    """A whole audit, 128 tokens a text, K = 28, in a process of its own."""
    seconds, megabytes = benchmark.pedantic(lambda: audited(1000, 28, 128), rounds=1)
    benchmark.extra_info.update(seconds=seconds, megabytes=megabytes)
    print(f"\n1,000 texts of 128 tokens, K = 28: {seconds:.1f} s, {megabytes:.0f} MB more at the peak")
    assert seconds < 60


def test_memory_does_not_grow_with_the_texts(benchmark) -> None:
    """128 tokens a text, K = 4; tokens of up to 1,024 texts are read ahead and 300 texts are kept for reading."""
    rows = benchmark.pedantic(lambda: [audited(count, 4, 128) for count in (200, 2000)], rounds=1)
    (_, few), (_, many) = rows
    benchmark.extra_info.update(few=few, many=many)
    print(f"\nMemory added at the peak: {few:.0f} MB with 200 texts, {many:.0f} MB with 2,000")
    assert many < few + 80


def in_turns(ways: Sequence[Callable[[], list[np.ndarray]]]) -> tuple[list[float], list[list[np.ndarray]]]:
    """The median processor time of each way, in seconds, and what each gives."""
    times = np.empty((ROUNDS, len(ways)))
    found: list[list[np.ndarray]] = [[] for _ in ways]
    for turn in range(ROUNDS):
        for place, way in enumerate(ways):
            start = process_time()
            found[place] = way()
            times[turn, place] = process_time() - start
    return np.median(times, axis=0).tolist(), found


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
