"""Verdicts of the equalized odds test: about the tolerance, to the last digit, and never reversed."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.evidence import MORE_THAN_NOTHING
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.inference.estimate import Verdict
from tests.builders_fair_dummies import make_fair_dummies_result
from tests.core.audits.equalized_odds.test_words_fair_dummies import with_p_values

ORDER = {Verdict.VIOLATION: 0, Verdict.INSUFFICIENT: 1, Verdict.NO_VIOLATION: 2}


@cache
def result_of(place: int) -> EqualizedOddsResult:
    shapes = (
        {"case": "two classes", "violation": 0.0},
        {"case": "two classes", "violation": 0.3, "rows": 600},
        {"case": "two classes", "violation": 1.0},
        {"case": "two classes", "violation": 0.5, "asks": "demographic parity", "continuous": True},
        {"case": "two classes", "violation": 0.3, "small": True},
        {"case": "numbers", "violation": 0.5, "rows": 600},
        {"case": "two classes", "violation": 0.3, "attributes": 1},
    )
    return make_fair_dummies_result(**shapes[place])


@cache
def with_ranks(place: int, ranks: tuple[int, ...]) -> EqualizedOddsResult:
    return with_p_values(result_of(place), *ranks[: len(result_of(place).detail.tests)])


tables = st.builds(with_ranks, st.integers(0, 6), st.tuples(*[st.sampled_from([0, 1, 2, 4, 9, 60])] * 3))
alphas = st.lists(st.sampled_from([0.001, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5]), min_size=2, max_size=2).map(sorted)
deltas = st.lists(st.one_of(st.just(0.0), st.floats(0.0, 0.9)), min_size=2, max_size=2).map(sorted)


def read(result: EqualizedOddsResult, delta: float, alpha: float) -> Finding:
    return Finding(result, EqualizedOddsDecision(delta=delta, alpha=alpha))


@settings(max_examples=25, deadline=None)
@given(tables, alphas, deltas)
def test_verdicts_say_what_p_values_and_bounds_say_and_never_reverse(
    result: EqualizedOddsResult, alpha: list[float], delta: list[float]
) -> None:
    found = {(d, a): read(result, d, a) for d in delta for a in alpha}
    for (d, a), finding in found.items():
        beyond = [one.lower_bound(a) > d for one in finding.evidence]
        assert [one.p_value(d) <= a for one in finding.evidence] == beyond
        assert finding.effects or [gap.low > d for gap in finding.gaps] == beyond
        assert (finding.p_value <= a) == any(beyond) == (finding.verdict is Verdict.VIOLATION)
        assert sorted(finding.violated) == list(np.flatnonzero(beyond))
        assert {*finding.violated} <= {*finding.different}
        if finding.verdict is Verdict.NO_VIOLATION:
            assert finding.bound <= d
    for a in alpha:
        assert ORDER[found[delta[0], a].verdict] <= ORDER[found[delta[1], a].verdict]
    for d in delta:
        strict, loose = (found[d, a].verdict for a in alpha)
        assert (strict, loose) not in {
            (Verdict.VIOLATION, Verdict.INSUFFICIENT),
            (Verdict.VIOLATION, Verdict.NO_VIOLATION),
            (Verdict.NO_VIOLATION, Verdict.VIOLATION),
        }


def test_the_tolerance_is_held_against_the_bounds_to_the_last_digit() -> None:
    """A tolerance widened, or narrowed, by however little would change one of these verdicts."""
    result = with_ranks(6, (60,))
    (gap,) = read(result, 0.1, 0.05).gaps
    assert 0 < gap.low < gap.value < gap.high
    verdicts = [
        read(result, delta, 0.05).verdict
        for end in (gap.low, gap.high)
        for delta in (float(np.nextafter(end, 0.0)), end)
    ]
    assert verdicts == [Verdict.VIOLATION, Verdict.INSUFFICIENT, Verdict.INSUFFICIENT, Verdict.NO_VIOLATION]


def test_bounds_of_several_attributes_are_those_of_each_at_a_share_of_the_error_rate() -> None:
    """Lower bounds are adjusted for two attributes, upper ones are not; neither alone sees the other's p-value."""
    result = with_ranks(2, (60, 60))
    both = read(result, 0.1, 0.05)
    detail = replace(result.detail, attributes=result.detail.attributes[:1], tests=result.detail.tests[:1])
    alone = replace(result, detail=detail)
    assert both.gaps[0].low == read(alone, 0.1, 0.025).gaps[0].low < read(alone, 0.1, 0.05).gaps[0].low
    assert both.gaps[0].high == read(alone, 0.1, 0.05).gaps[0].high
    assert both.p_value == 2 * read(alone, 0.1, 0.05).p_value


def test_what_the_fair_dummies_show_is_more_than_nothing_and_no_more() -> None:
    result = with_ranks(0, (0, 60))
    assert read(result, 0.0, 0.05).gaps[0].low == MORE_THAN_NOTHING
    assert read(result, 0.0, 0.05).verdict is Verdict.VIOLATION
    assert read(result, 1e-300, 0.05).verdict is Verdict.INSUFFICIENT
    assert read(result, 0.0, 0.05).p_value == 4 / 200


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_seed_of_the_result_fixes_the_p_value(delta: float) -> None:
    result = with_ranks(1, (4, 60))
    first, again = (read(replace(result), delta, 0.05) for _ in range(2))
    assert first.p_value == again.p_value
    assert [gap.low for gap in first.gaps] == [gap.low for gap in again.gaps]
