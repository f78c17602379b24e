"""Metrics that halves of the rows teach: all is drawn first, so that each may be learned alone, in any order."""

import numpy as np
import pandas as pd
import pytest

from core.base.errors import MetricError
from core.contracts.metric import AbstractMetric, FittedMetric, random_half
from core.data.encoded import EncodedDataset
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


def test_a_network_draws_what_it_drew_when_each_half_was_learned_before_the_next_was_drawn(encode) -> None:
    """Ten people of one group: a half with fewer than five of them teaches nothing, and draws no more."""
    x = np.random.default_rng(0).standard_normal((300, 3))
    x[::30] += 4
    metric = ProtectedStatus(hidden=8, epochs=40, directions=1)
    frame = pd.DataFrame(x, columns=list("abc")).assign(sex=np.where(np.arange(300) % 30, "m", "f"))
    data = encode(frame, tuple("abc"), ("sex",))
    whole = metric.fit(data, np.random.default_rng(1))
    rng, in_turn = np.random.default_rng(2), list[FittedMetric | None]()
    for _ in range(8):
        half = data.take(random_half(data, rng))
        try:
            in_turn.append(metric._learned(half, metric._drawn(half, rng), rng, (1,)))
        except MetricError:
            in_turn.append(None)
    assert 0 < in_turn.count(None) < 8
    again = metric.learned_again(data, whole, 8, np.random.default_rng(2))
    assert matrices(in_turn) == matrices([learn() for learn in again])
