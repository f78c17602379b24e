"""How often bounds and verdicts are wrong where the model is asked about the same people in every group."""

from collections.abc import Callable

import numpy as np
import pytest

from core.audits.transport.decision import Loss, TransportDecision
from core.inference.estimate import Verdict
from tests.core.audits.transport.asked import READS, Biased, rises
from tests.core.audits.transport.cases import dataset_of, people, run
from tests.findings import found as finding_of
from tests.measured import measured

ALPHA = 0.05


def misses(loss: Loss, rows: int, repetitions: int, seed: int) -> tuple[float, float, dict[Verdict, int]]:
    """How often a lower bound lies above the truth, an upper bound below it, and verdicts at the true value."""
    population = people(200_000, seed=seed).drop(columns=["chance", "says"])
    dataset = dataset_of(population, features=READS, predictions=())
    model = Biased(dataset, READS)
    truth = float(rises(dataset, model, loss, ("sex", "race")).mean())
    rng = np.random.default_rng(seed)
    low = high = 0
    verdicts = dict.fromkeys(Verdict, 0)
    decision = TransportDecision(loss=loss, delta=truth)
    for _ in range(repetitions):
        sample = dataset_of(
            population.iloc[rng.integers(len(population), size=rows)].reset_index(drop=True),
            features=READS,
            predictions=(),
        )
        detail, _ = run(sample, model, space="all groups", seed=int(rng.integers(2**31)), draws=600)
        found = finding_of(detail, decision).inference
        low += found.lower_bound(ALPHA) > truth
        high += found.upper_bound(ALPHA) < truth
        verdicts[finding_of(detail, decision).verdict] += 1
    return low / repetitions, high / repetitions, verdicts


def check(loss: Loss, rows: int, repetitions: int, note: Callable[[str, object], None] = lambda *_: None) -> None:
    low, high, verdicts = misses(loss, rows, repetitions, seed=3)
    note(
        *measured(
            f"same people in every group, {loss} loss, truth at the tolerance",
            n=rows,
            repeats=repetitions,
            false_violations=verdicts[Verdict.VIOLATION] / repetitions,
            false_clearings=verdicts[Verdict.NO_VIOLATION] / repetitions,
        )
    )
    most = ALPHA + 2.5 * np.sqrt(ALPHA * (1 - ALPHA) / repetitions)
    assert low <= most
    assert high <= most
    assert verdicts[Verdict.VIOLATION] <= most * repetitions
    assert verdicts[Verdict.NO_VIOLATION] <= most * repetitions


def test_bounds_keep_their_error_rates() -> None:
    check("0-1", 300, 30)


@pytest.mark.long
@pytest.mark.parametrize("loss", ["0-1", "log", "squared"])
@pytest.mark.parametrize("rows", [150, 1000])
def test_bounds_keep_their_error_rates_in_many_tables(
    loss: Loss, rows: int, record_property: Callable[[str, object], None]
) -> None:
    check(loss, rows, 500, record_property)
