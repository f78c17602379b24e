"""Whoever accepts more errors is told no less: every kind's verdicts at growing error rates, of random small tables."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from core.audits import KINDS
from core.inference.estimate import Verdict
from core.result import AuditResult
from core.run import find
from tests.builders_fair_dummies import make_fair_dummies_result
from tests.core.audits.equalized_odds.test_words_fair_dummies import with_p_values
from tests.core.boundary_designs import DESIGNS, SHAPES
from tests.kinds import SHIPPED

ALPHAS = (0.001, 0.01, 0.05, 0.2, 0.5)
SIZES = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
"""Tolerances, in true effects."""
COARSE: tuple[dict[str, Any], ...] = (
    {"case": "two classes", "continuous": True},
    {"case": "two classes", "continuous": True, "asks": "demographic parity"},
    {"case": "numbers", "rows": 2_000},
)
"""People who may differ within parts and bins, whom the fair dummies do not let clear."""


@cache
def table(kind: str, seed: int) -> tuple[AuditResult[Any, Any, Any], tuple[float, ...], dict[str, Any]]:
    """A result, tolerances about its truth, and other decision settings."""
    rng = np.random.default_rng([seed, *kind.encode()])
    shape = SHAPES[("two groups", "three groups", "a group of 3%")[seed % 3]]
    one = DESIGNS[kind](rng, int(rng.integers(80, 400)), shape)
    deltas = [(one.none + size * (one.truth - one.none)) / one.unit for size in SIZES]
    largest = np.inf if one.none else 1.0
    return one.result, tuple(delta for delta in deltas if delta <= largest), one.read


def takes_back(verdicts: list[Verdict]) -> bool:
    """Whether a violation is taken back at a larger error rate, or "no violation" for less than a violation."""
    violation = [one is Verdict.VIOLATION for one in verdicts]
    settled = [one is not Verdict.INSUFFICIENT for one in verdicts]
    return violation != sorted(violation) or settled != sorted(settled)


def read(result: AuditResult[Any, Any, Any], delta: float, settings: dict[str, Any]) -> list[Verdict]:
    kind = KINDS[result.audit.kind]
    return [find(result, kind.decision(delta=delta, alpha=alpha, **settings)).verdict for alpha in ALPHAS]


def test_every_kind_has_a_design() -> None:
    assert {table(kind, 0)[0].audit.kind for kind in DESIGNS} == set(SHIPPED)


@pytest.mark.parametrize("kind", DESIGNS)
def test_verdicts_never_retreat_as_the_error_rate_grows(kind: str) -> None:
    for seed in range(2):
        result, deltas, settings = table(kind, seed)
        for delta in deltas:
            assert not takes_back(read(result, delta, settings)), (seed, delta)


@pytest.mark.parametrize("place", range(len(COARSE)))
def test_nor_where_parts_and_bins_hide_what_the_fair_dummies_show(place: int) -> None:
    """p-values of the fair dummies from .005 to .3, on either side of every error rate."""
    made, seen = make_fair_dummies_result(violation=0.0, attributes=1, **COARSE[place]), set()
    for rank in (0, 3, 19, 60):
        result = with_p_values(made, *[120] * (len(made.detail.tests) - 1), rank)
        for delta in (0.2, 0.9):
            verdicts = read(result, delta, {})
            assert not takes_back(verdicts), (rank, delta, verdicts)
            seen |= {*verdicts}
    assert seen == {Verdict.INSUFFICIENT, Verdict.NO_VIOLATION}


@pytest.mark.long
@pytest.mark.parametrize("kind", DESIGNS)
def test_verdicts_never_retreat_in_many_tables(kind: str) -> None:
    for seed in range(2, 30):
        result, deltas, settings = table(kind, seed)
        for delta in deltas:
            assert not takes_back(read(result, delta, settings)), (seed, delta)
