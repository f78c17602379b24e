"""Numbers behind the verdict of the equalized odds test, each by hand, so that a fault in them is noticed."""

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.doubts import small
from core.audits.equalized_odds.effects import MeanEffects
from core.audits.equalized_odds.engine import _about_splits, _caveats
from core.audits.equalized_odds.gap import MeasuredGap
from core.audits.equalized_odds.question import pose, strata_of
from core.audits.equalized_odds.settings import Asks, EqualizedOdds
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.base.files import FileStore
from core.base.progress import Progress
from core.inference.estimate import Verdict
from core.inference.share import exact_limits
from core.models.answered import Answered
from tests.builders_fair_dummies import make_fair_dummies_result
from tests.core.audits.equalized_odds.test_fair_dummies_engine import audited, people
from tests.core.audits.equalized_odds.test_words_fair_dummies import with_p_values


def test_parts_of_a_number_are_named_by_their_own_ends() -> None:
    strata = strata_of(np.arange(300.0) + 0.5)
    assert strata.names == ("0.50 to 99.5", "100 to 200", "200 to 300")
    assert np.bincount(strata.codes).tolist() == [100, 100, 100]


@pytest.mark.parametrize(("classes", "probability"), [(("no", "yes"), True), ((), False)])
def test_of_probabilities_the_loss_is_the_cross_entropy(classes: tuple[str, ...], probability: bool) -> None:
    answers = np.full((40, max(len(classes), 1)), 0.5)
    answered = Answered(classes=classes, favourable=len(classes) - 1, outcome=np.zeros(40), answers=answers)
    for asks in ("demographic parity", "equalized odds", "calibration"):
        assert pose(EqualizedOdds(asks=asks), answered).probability is probability


def test_nobody_and_everybody_have_exact_shares_on_their_own_side() -> None:
    """Of 20 of 20 the share cannot be larger, of 0 of 20 not smaller; the other limits are 1 - .05^(1/20)."""
    least, most = exact_limits(np.array([0, 20]), np.array([20, 20]), 0.05)
    assert most == pytest.approx([1 - 0.05 ** (1 / 20), 1.0])
    assert least == pytest.approx([0.0, 0.05 ** (1 / 20)])


def test_a_stratum_of_one_person_is_told_as_too_small_and_one_of_nobody_is_not() -> None:
    strata = np.array([0] * 80 + [2])
    codes = np.array([0, 1] * 40 + [0])
    found = MeasuredGap.of(np.linspace(0, 1, 81)[:, None], strata, codes)
    assert found.small.tolist() == [[2, 0], [2, 1]]


def test_groups_that_do_not_differ_are_named_in_their_order() -> None:
    found = MeasuredGap.of(np.full((80, 1), 0.3), np.zeros(80, dtype=int), np.array([0, 1] * 40))
    assert (found.at(0.0, 1.0).value, found.at(0.0, 1.0).groups) == (0.0, (0, 1))


def test_how_many_combinations_are_too_small_agrees_with_its_verb() -> None:
    detail = make_fair_dummies_result("two classes", attributes=1).detail
    gap = Finding(make_fair_dummies_result("two classes", attributes=1), EqualizedOddsDecision()).gaps[0]
    for cells, words in (
        ([[0, 1]], "1 combination of 'sex' and outcome has"),
        ([[0, 1], [1, 1]], "2 combinations of "),
    ):
        few = replace(gap, small=np.array(cells), scarce=np.zeros(len(cells), dtype=bool))
        (one,) = small(detail, (few,), (), "warning")
        assert one.what.startswith(words)
    assert "have fewer than 30 people, too few to clear" in one.what
    both = replace(gap, small=np.array([[0, 1], [1, 1]]), scarce=np.array([False, True]))
    people, homes = small(detail, (both,), (), "serious", "home")
    assert "has fewer than 30 people, too few to clear" in people.what
    assert "has fewer than 10 different 'home', too few to clear" in homes.what
    assert homes.advice == "Merge small groups, or bring rows of more 'home'."


@pytest.mark.parametrize(
    ("asks", "belongs_to", "what", "needed"),
    [
        ("equalized odds", "", "too few people with a similar outcome", "at least 20 people of both groups"),
        ("equalized odds", "home", "rows of too few different 'home' with a similar", "at least 20 different 'home'"),
        ("demographic parity", "", "too few people to be cleared", "at least 30 people"),
        (
            "demographic parity",
            "home",
            "rows of too few different 'home' to be cleared",
            "at least 30 different 'home'",
        ),
    ],
)
def test_what_it_takes_to_clear_groups_is_told_in_what_rows_belong_to(
    asks: Asks, belongs_to: str, what: str, needed: str
) -> None:
    detail = make_fair_dummies_result("numbers", asks=asks, attributes=1).detail
    (one,) = small(detail, (), (MeanEffects((), ((0, 1),)),), "serious", belongs_to)
    assert what in one.what
    assert needed in one.advice


def test_what_the_dummies_see_forbids_clearing_only_where_the_upper_bound_lies_within_the_tolerance() -> None:
    """Parts of a number hide what the dummies show, so that a difference within the tolerance is not cleared."""
    result = make_fair_dummies_result("numbers", violation=1.0, attributes=1)
    wide = Finding(result, EqualizedOddsDecision(delta=1.0))
    ends = wide.evidence[0].lower_bound(0.05), wide.evidence[0].upper_bound(0.05)
    narrow, between = (Finding(result, EqualizedOddsDecision(delta=delta)) for delta in (1e-3, sum(ends) / 2))
    assert wide.unexplained(0)
    assert wide.evidence[0].upper_bound(0.05) <= 1.0
    assert wide.evidence[0].lower_bound(0.05) > 1e-3
    hidden = "do not show what differs inside"
    assert any(hidden in one.what for one in wide.own_caveats)
    at_its_end = Finding(result, EqualizedOddsDecision(delta=ends[1]))
    assert any(hidden in one.what for one in at_its_end.own_caveats)
    assert not any(hidden in one.what for one in (*narrow.own_caveats, *between.own_caveats))
    assert wide.verdict is Verdict.INSUFFICIENT


def test_of_the_pair_that_shows_most_every_part_is_told_and_of_no_other() -> None:
    finding = Finding(make_fair_dummies_result(), EqualizedOddsDecision())
    race = 1
    shown = finding.shown(race)
    assert shown is not None
    assert {*finding.told(race)[0].groups} == {*shown.groups}
    parts = [one for one in finding.told(race) if not one.everywhere]
    assert len(parts) >= 3
    assert {frozenset(one.groups) for one in parts} == {frozenset(shown.groups)}
    assert {one.parts for one in parts} == {1}


def test_an_attribute_of_which_nothing_can_be_shown_takes_no_share_of_the_error_rate() -> None:
    finding = Finding(make_fair_dummies_result("two classes", untested=True), EqualizedOddsDecision())
    assert [test.untested for test in finding.result.detail.tests] == [False, True]
    assert math.isnan(finding.gaps[1].value)
    assert {one.of for one in finding.evidence} == {1}
    both = make_fair_dummies_result("two classes")
    first, second = both.detail.tests
    by_gap_alone = replace(both, detail=replace(both.detail, tests=(first, replace(second, null=np.zeros(0)))))
    for result in (both, by_gap_alone):
        assert {one.of for one in Finding(result, EqualizedOddsDecision()).evidence} == {2}


def test_values_that_each_occur_twenty_times_are_taken_one_by_one() -> None:
    values = np.repeat(np.arange(21.0), 20)
    assert strata_of(values[20:]).exact
    assert not strata_of(values[21:]).exact
    assert not strata_of(values).exact


def test_asked_for_calibration_the_score_is_whether_the_outcome_asked_about_happened() -> None:
    outcome = np.arange(40) % 3
    answered = Answered(classes=("a", "b", "c"), favourable=2, outcome=outcome, answers=np.full((40, 3), 1 / 3))
    question = pose(EqualizedOdds(asks="calibration"), answered)
    np.testing.assert_array_equal(question.score, outcome == 2)


@pytest.mark.parametrize("favourable", [-1, 0])
def test_only_without_a_favourable_outcome_the_one_that_is_asked_about_is_named(favourable: int) -> None:
    detail = make_fair_dummies_result("two classes", attributes=1).detail
    for asks in ("equalized odds", "demographic parity"):
        said = _caveats(replace(detail, favourable=favourable, asks=asks), [0])
        assert bool(said) is (favourable < 0 and asks != "equalized odds")


def test_where_the_dummies_prove_nothing_mean_differences_have_the_whole_error_rate() -> None:
    result = make_fair_dummies_result("numbers", attributes=1)
    (test,) = result.detail.tests
    for tested, level in ((test.tested, 0.025), (29, 0.05)):
        detail = replace(result.detail, tests=(replace(test, tested=tested),))
        finding = Finding(replace(result, detail=detail), EqualizedOddsDecision(alpha=0.05))
        ends = [(one.low, one.high) for one in finding.effects[0].differences(level)]
        assert [(one.low, one.high) for one in finding.differences(0)] == ends


def test_of_attributes_that_are_as_certain_the_larger_difference_is_shown() -> None:
    result = make_fair_dummies_result("two classes")
    first, _ = result.detail.tests
    finding = Finding(replace(result, detail=replace(result.detail, tests=(first, first))), EqualizedOddsDecision())
    for values in ((0.1, 0.2), (0.2, 0.1)):
        again = Finding(finding.result, finding.decision)
        again.__dict__["evidence"] = tuple(SimpleNamespace(value=one, p_value=lambda delta: 0.5) for one in values)
        assert again.place == int(np.argmax(values))
    again.__dict__["evidence"] = tuple(SimpleNamespace(value=one, p_value=lambda delta: 0.5) for one in (math.nan, 0.5))
    assert again._order(1) < again._order(0)


def test_of_attributes_within_the_tolerance_the_one_that_differs_most_certainly_is_shown() -> None:
    result = with_p_values(make_fair_dummies_result("two classes"), 0, 120)
    finding = Finding(result, EqualizedOddsDecision())
    finding.__dict__["evidence"] = tuple(
        SimpleNamespace(value=0.1, p_value=lambda delta, none=none: 1.0 if delta else none) for none in (0.5, 0.2)
    )
    assert finding.place == 1


def test_intervals_of_differences_hold_for_all_attributes_together() -> None:
    finding = Finding(make_fair_dummies_result(), EqualizedOddsDecision(alpha=0.08))
    assert [test.sound for test in finding.result.detail.tests] == [True, True]
    ends = [(one.low, one.high) for one in finding.effects[0].differences(0.02)]
    assert [(one.low, one.high) for one in finding.differences(0)] == ends


@pytest.mark.parametrize(("exact", "more", "told"), [(False, 0, False), (False, 1, True), (True, 1, False)])
def test_splits_of_more_rows_than_the_dummies_look_at_are_told(exact: bool, more: int, told: bool) -> None:
    detail = SimpleNamespace(strata=SimpleNamespace(exact=exact), outcome=np.zeros(10_000 + more))
    assert bool(list(_about_splits(detail, 5))) is told  # type: ignore[arg-type]


def test_the_difference_that_shows_most_has_the_largest_lower_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = (SimpleNamespace(low=0.2, high=0.3), SimpleNamespace(low=0.1, high=0.9))
    monkeypatch.setattr(Finding, "differences", lambda self, place: ends)
    assert Finding(make_fair_dummies_result("numbers", attributes=1), EqualizedOddsDecision()).shown(0) is ends[0]


def test_a_p_value_that_is_the_error_rate_shows_a_difference() -> None:
    result = make_fair_dummies_result("numbers", attributes=1)
    (test,) = result.detail.tests
    draws = np.append(np.full(4, test.statistic - 1), np.full(95, test.statistic + 1))
    again = replace(test, null=draws, other_null=np.zeros(0), by_split=np.zeros((0, 2)))
    finding = Finding(replace(result, detail=replace(result.detail, tests=(again,))), EqualizedOddsDecision(alpha=0.05))
    assert again.p_value == 0.05
    assert finding.unexplained(0)
    finding.__dict__["evidence"] = (SimpleNamespace(value=0.1, p_value=lambda delta: 0.05),)
    assert finding.different == (0,)


def test_the_worst_case_counts_the_largest_share_left_out_for_this_outcome() -> None:
    """The difference U grows to U + (1 - U) m; who answered alike is not known of those left out."""
    result = make_fair_dummies_result("two classes", attributes=1)
    own, other = result.data.outcome, "another column"
    for left_out, missing in (((), 0.0), (((own, 0.1), (own, 0.2), (other, 0.5)), 0.2)):
        shares = tuple(SimpleNamespace(outcome=name, largest_share=share) for name, share in left_out)
        data = replace(result.data, left_out=shares)
        finding = Finding(replace(result, data=data), EqualizedOddsDecision())
        high = finding.gaps[0].high
        assert finding.worst_upper_bound == pytest.approx(high + (1 - high) * missing)
        asked = replace(result.detail, asks="calibration")
        assert math.isinf(Finding(replace(result, data=data, detail=asked), EqualizedOddsDecision()).worst_upper_bound)


def test_everybody_is_tested_once_where_people_are_compared_value_by_value(tmp_path: Path) -> None:
    seen: list[Progress] = []
    roles = {"protected": ("sex",)}
    result = audited(FileStore(tmp_path), people(120), numbers=False, roles=roles, on_progress=seen.append)
    assert max(one.done for one in seen) <= 1
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    assert result.detail.strata.exact
    assert len(result.detail.tests[0].by_split) == 0
    assert len(result.detail.tests[0].null) == 99


def test_groups_are_told_as_too_small_by_the_rows_to_learn_from() -> None:
    """Three groups of ten, of which about three in ten are learned from: fewer than five of each."""
    frame = people(120)
    frame["sex"] = np.repeat(["a", "b", "c", "d", "e"], [45, 45, 10, 10, 10])
    found = audited(FileStore(), frame, numbers=True, roles={"protected": ("sex",)}, share=0.3, splits=1)
    assert any(one.what.startswith("3 groups of 'sex' are too small") for one in found.caveats)


def test_twenty_pairs_are_told_the_one_that_shows_most_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 25 pairs the third is shown to differ most, by its lower end; the others follow by their differences."""

    def run(second: int, parts: int, everywhere: bool) -> SimpleNamespace:
        return SimpleNamespace(
            groups=(0, second), value=second / 100, low=float(second == 3), parts=parts, everywhere=everywhere
        )

    runs = [run(g, *kind) for g in range(1, 26) for kind in ((4, True), (1, False), (2, False))]
    monkeypatch.setattr(Finding, "differences", lambda self, place: runs)
    told = Finding(make_fair_dummies_result("two classes"), EqualizedOddsDecision()).told(0)
    assert [(one.groups[1], one.everywhere) for one in told] == [
        (3, True),
        *((g, True) for g in range(25, 6, -1)),
        (3, False),
    ]


def test_the_worst_case_is_that_of_the_attribute_whose_difference_may_be_largest() -> None:
    for highs in ((0.1, 0.4), (0.4, 0.1)):
        finding = Finding(make_fair_dummies_result("two classes"), EqualizedOddsDecision())
        finding.__dict__["gaps"] = tuple(SimpleNamespace(high=high) for high in highs)
        assert finding.worst_upper_bound == pytest.approx(0.4)
