"""Before a fair-dummies test: what it can find and exclude, against the test itself."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.audits.equalized_odds import planning
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.effects import MeanEffects, mean_effects
from core.audits.equalized_odds.gap import MeasuredGap
from core.audits.equalized_odds.planning import EqualizedOddsPilot, pilot
from core.audits.equalized_odds.settings import EqualizedOdds
from core.base.files import FileStore
from core.base.thresholds import POWER
from core.contracts.audit import Given
from core.data.dataset import Dataset
from tests.builders_fair_dummies import make_people
from tests.made_once import made_once

AUDIT = EqualizedOdds(learner="linear", dummies=99)


@made_once
def tried(rows: int = 1_200, *, small: bool = False, alpha: float = 0.05) -> EqualizedOddsPilot:
    people = make_people("four classes", rows=rows, small=small)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    return pilot(
        AUDIT, Given(model, model.encode(dataset), np.random.default_rng(0)), EqualizedOddsDecision(alpha=alpha)
    )


def test_more_people_find_and_exclude_more() -> None:
    few, many = tried(1_200), tried(4_000)
    assert (few.people, few.audited, many.people, many.audited) == (1_200, 1_200, 4_000, 4_000)
    assert many.found == pytest.approx(few.found * (1_200 / 4_000) ** 0.5, rel=0.25)
    assert many.bound == pytest.approx(few.bound * (1_200 / 4_000) ** 0.5, rel=0.2)
    assert few.rows_needed(few.bound) == pytest.approx(1_200)
    assert few.rows_needed(few.bound / 2) == pytest.approx(4_800)
    assert replace(few, bound=1.0).rows_needed(0.5) == np.inf


@pytest.mark.parametrize("grows_up_to", [5_000, 20_000])
def test_the_time_of_a_large_table_is_foretold_whether_or_not_it_still_grows(
    monkeypatch: pytest.MonkeyPatch, grows_up_to: int
) -> None:
    """A clock that goes on by a millisecond for each of the first people that are tried."""
    clock = [0.0]

    def run(_: EqualizedOdds, given: Given[Any, Any]) -> None:
        clock[0] += min(len(given.data), grows_up_to) / 1_000

    monkeypatch.setattr(planning, "run", run)
    monkeypatch.setattr(planning.time, "perf_counter", lambda: clock[0])
    found = tried.__wrapped__(20_000)
    assert (found.people, found.audited) == (10_000, 20_000)
    assert 1 <= found.seconds / (grows_up_to / 1_000) <= 2


def test_combinations_that_cannot_be_judged_are_counted() -> None:
    """Twelve people of one race in four outcomes: at most three of each."""
    assert tried().too_small == 0
    assert tried(small=True).too_small == 4


def drawn(rng: np.random.Generator, difference: float, people: int = 1_500) -> MeasuredGap:
    """Decisions of three groups, one with a tenth of the people, of which it gets a yes more often, or not."""
    codes = rng.choice(3, people, p=[0.1, 0.45, 0.45])
    decided = rng.random(people) < 0.4 + difference * (codes == 0)
    return MeasuredGap.of(
        decided[:, None].astype(float), np.zeros(people, int), codes, seed=(int(rng.integers(2**31)),)
    )


def test_a_violation_of_the_size_told_is_found_four_times_in_five() -> None:
    """Two groups lie that far from the small one, so that it is found a little more often; 150 tables."""
    rng = np.random.default_rng(2)
    size = drawn(rng, 0.0).detectable(0.05, POWER)
    found = sum(drawn(rng, 0.1 + size).lower_bound(0.05) > 0.1 for _ in range(150))
    assert POWER - 0.07 <= found / 150 <= POWER + 0.17


def test_nine_tables_in_ten_stay_below_the_bound_that_is_told() -> None:
    rng = np.random.default_rng(3)
    one = drawn(rng, 0.0)
    told = np.quantile([one.exchanged(rng).upper_bound(0.05) for _ in range(40)], 0.9)
    below = sum(drawn(rng, 0.0).upper_bound(0.05) <= told for _ in range(150))
    assert 0.8 <= below / 150 <= 0.98
    assert [cells.rows.tolist() for cells in one.exchanged(rng).cells] == [one.cells[0].rows.tolist()]
    assert one.exchanged(rng).cells[0].above.sum(axis=0).tolist() == one.cells[0].above.sum(axis=0).tolist()


def test_of_numbers_sizes_are_shares_of_the_outcomes_spread() -> None:
    people = make_people("numbers", rows=600)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    found = pilot(
        AUDIT, Given(model, model.encode(dataset), np.random.default_rng(0)), EqualizedOddsDecision(alpha=0.05)
    )
    assert found.spread == dataset.numbers.std()
    assert ((found.found > 0.01) & (found.found < found.bound)).all()
    assert not found.unbounded
    assert found.rows_needed(found.bound / 2) == pytest.approx(4 * 600)


def test_what_means_can_show_and_clear_is_what_comes_out() -> None:
    """Nine tables in ten stay below the bound that is told, and eight in ten show the difference that is told."""
    rng = np.random.default_rng(5)

    def drawn(effect: float) -> MeanEffects:
        outcome, codes = rng.standard_normal(900), rng.integers(2, size=900)
        return mean_effects(outcome + effect * codes + 0.5 * rng.standard_normal(900), outcome, codes, 2)

    told = drawn(0.0)
    bound, size = told.clearable(0.05, 0.9), told.detectable(0.05, 0.8)
    assert 0.8 <= np.mean([drawn(0.0).upper_bound(0.05) <= bound for _ in range(120)]) <= 0.97
    assert 0.68 <= np.mean([drawn(0.3 + size).p_value(0.3) <= 0.05 for _ in range(120)]) <= 0.95
