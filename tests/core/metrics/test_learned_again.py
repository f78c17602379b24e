"""Metrics that halves of the rows teach: all is drawn first, so that each may be learned alone, in any order."""

import numpy as np
import pytest

from core.contracts.metric import AbstractMetric, FittedMetric, random_half
from core.data.dataset import EncodedDataset
from core.metrics import ComparablePairs, ProtectedStatus, SensitiveSubspace

FEW = ProtectedStatus(hidden=4, epochs=2, directions=1)
METRICS = (SensitiveSubspace(), FEW, ComparablePairs(pairs=tuple((k, 299 - k) for k in range(120)), directions=2))


def matrices(found: list[FittedMetric | None]) -> list[bytes]:
    return [b"" if one is None else one.matrix.tobytes() for one in found]


@pytest.mark.parametrize("metric", METRICS, ids=lambda one: str(one.kind))
def test_each_half_teaches_the_same_whichever_are_learned_before_it(
    mixed: EncodedDataset, metric: AbstractMetric
) -> None:
    whole = metric.fit(mixed, np.random.default_rng(1))
    first, second = (metric.learned_again(mixed, whole, 4, np.random.default_rng(2)) for _ in range(2))
    forwards, backwards = [learn() for learn in first], [learn() for learn in reversed(second)][::-1]
    assert matrices(forwards) == matrices(backwards)
    assert len(set(matrices(forwards))) == 4


def test_a_network_draws_what_it_drew_when_each_half_was_learned_before_the_next_was_drawn(
    mixed: EncodedDataset,
) -> None:
    whole = FEW.fit(mixed, np.random.default_rng(1))
    counts = tuple(len(probe.directions) for probe in whole.probes)
    rng, in_turn = np.random.default_rng(2), []
    for _ in range(3):
        half = mixed.take(random_half(mixed, rng))
        in_turn.append(FEW._learned(half, FEW._drawn(half, rng), rng, counts))
    assert matrices(in_turn) == matrices(
        [learn() for learn in FEW.learned_again(mixed, whole, 3, np.random.default_rng(2))]
    )
