"""Groups that were shuffled: what is between them is chance, and nobody is accused, of scores or of decisions."""

from dataclasses import replace

import numpy as np
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.inference.estimate import Verdict
from tests.builders_fair_dummies import make_fair_dummies_result

SHUFFLES = 20
MOST = 4
"""Of 20 tables at an error rate of 5%, more are a matter of chance in three of a thousand series."""


@pytest.fixture(scope="module")
def shuffled() -> list[EqualizedOddsFinding]:
    """Findings at no tolerance, of the gaps alone: the fair dummies have their own simulations."""
    result = make_fair_dummies_result("two classes", rows=800)
    detail, rng = result.detail, np.random.default_rng(1)
    tests = tuple(replace(one, null=np.empty(0)) for one in detail.tests)
    found = []
    for seed in range(SHUFFLES):
        order = rng.permutation(detail.people)
        attributes = tuple(replace(one, codes=one.codes[order]) for one in detail.attributes)
        own = replace(result, detail=replace(detail, attributes=attributes, tests=tests), seed=seed)
        found.append(EqualizedOddsFinding(own, EqualizedOddsDecision(delta=0.0)))
    return found


def test_equalized_odds_of_shuffled_groups_accuse_as_seldom_as_they_should(
    shuffled: list[EqualizedOddsFinding],
) -> None:
    accused = sum(one.by_claims is Verdict.VIOLATION for one in shuffled)
    decided = sum(any(claim.beyond for claim in one.of_decisions.claims) for one in shuffled if one.of_decisions)
    assert accused <= MOST
    assert decided <= MOST
    tolerant = [one.under(delta=0.05) for one in shuffled]
    assert not any(one.by_claims is Verdict.VIOLATION for one in tolerant)


def test_equalized_odds_clear_shuffled_groups_only_where_the_bound_does(shuffled: list[EqualizedOddsFinding]) -> None:
    """A tolerance that lies between bounds of the tables clears those below it, and decisions no seldomer than scores.

    Their largest difference is one of those of the scores.
    """
    tolerance = float(np.median([one.bound for one in shuffled]))
    for one in shuffled:
        found = one.under(delta=tolerance)
        assert (found.by_claims is Verdict.NO_VIOLATION) is (found.bound <= tolerance)
        assert found.of_decisions is not None
        assert max(gap.value for gap in found.of_decisions.gaps) <= max(gap.value for gap in found.gaps)
