"""Before a fair-dummies test: what it can find and exclude, against the test itself."""

from dataclasses import replace

import numpy as np
import pytest

from core.audits.equalized_odds.engine import rows_of
from core.audits.equalized_odds.planning import EqualizedOddsPilot, _exchanged, _smallest_found, pilot
from core.audits.equalized_odds.result import Strata
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.testing import Question, examine
from core.data.attribute import Attribute
from core.data.dataset import Dataset
from core.files import FileStore
from core.thresholds import POWER
from tests.builders_fair_dummies import make_people

AUDIT = EqualizedOdds(learner="linear", dummies=99)


def tried(rows: int = 1_200, *, small: bool = False, alpha: float = 0.05) -> EqualizedOddsPilot:
    people = make_people("four classes", rows=rows, small=small)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    return pilot(model, model.encode(dataset), AUDIT, alpha, np.random.default_rng(0))


def test_more_people_find_and_exclude_more() -> None:
    few, many = tried(1_200), tried(8_000)
    assert (few.people, few.audited, many.people, many.audited) == (1_200, 1_200, 2_000, 8_000)
    assert (many.found < few.found).all()
    assert many.bound == pytest.approx(few.bound * (1_200 / 8_000) ** 0.5, rel=0.2)
    assert few.rows_needed(few.bound) == pytest.approx(1_200)
    assert few.rows_needed(few.bound / 2) == pytest.approx(4_800)
    assert replace(few, bound=1.0).rows_needed(0.5) == np.inf


def test_combinations_that_cannot_be_judged_are_counted() -> None:
    """Twelve people of one race in four outcomes: at most three of each."""
    assert tried().too_small == 0
    assert tried(small=True).too_small == 4


def test_groups_are_exchanged_within_strata_only() -> None:
    rng = np.random.default_rng(1)
    strata = rng.integers(3, size=200)
    codes = rng.integers(2, size=200)
    exchanged = _exchanged(Attribute("a", ("x", "y"), codes, np.arange(200.0)), strata, rng)
    assert not np.array_equal(exchanged.codes, codes)
    for stratum in range(3):
        assert sorted(exchanged.codes[strata == stratum]) == sorted(codes[strata == stratum])
        assert sorted(exchanged.values[strata == stratum]) == list(np.flatnonzero(strata == stratum))


@pytest.mark.long
def test_planted_violations_of_the_size_told_are_found_four_times_in_five() -> None:
    """Numbers given an outcome of four values, in two groups; 200 new samples with the share that the pilot names.

    0.8 lies in 0.68 to 0.92: the pilot itself is a random number, whose error of about 15% moves the power so far.
    """
    rng = np.random.default_rng(2)

    def drawn(share: float) -> tuple[Question, Attribute]:
        outcome, codes = rng.integers(4, size=1_000), rng.integers(2, size=1_000)
        score = outcome + rng.normal(size=1_000)
        hit = (codes == 0) & (rng.random(1_000) < share)
        lowest = np.array([score[outcome == value].min() for value in range(4)])
        strata = Strata(tuple("abcd"), outcome, exact=True)
        question = Question(np.where(hit, lowest[outcome], score), False, strata, outcome.astype(float))
        return question, Attribute("a", ("x", "y"), codes, np.full(1_000, np.nan))

    shares = [_smallest_found(*drawn(0.0), AUDIT, 0.05, rng) for _ in range(10)]
    share = float(np.median(shares))
    found = 0
    for _ in range(200):
        question, attribute = drawn(share)
        learning, tested = rows_of(question, AUDIT, rng)
        found += examine(question, attribute, learning, tested, AUDIT, rng=rng).p_value <= 0.05
    assert 0.68 <= found / 200 <= 0.92, (share, found / 200)
    assert POWER == 0.8
