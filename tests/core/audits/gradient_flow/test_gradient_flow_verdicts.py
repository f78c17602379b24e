"""Verdicts and their reasons on made-up sums, and simultaneous intervals of groups."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audits.gradient_flow import groups, histogram
from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic
from core.audits.gradient_flow.figures import CHARTS
from core.audits.gradient_flow.groups import group_estimates
from core.audits.gradient_flow.people import PossiblePeople
from core.audits.gradient_flow.report import statistics
from core.audits.gradient_flow.result import GradientFlowDetail, Relearned, StepHalving
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.verdict import STATISTICS, GradientFlowFinding
from core.claims import Claim
from core.claims_told import needed, rows_needed
from core.inference.estimate import Estimate, Verdict
from core.inference.moments import ratio_upper_by_counts
from core.language.phrases import number, p_value
from core.metrics.expert import Expert
from tests.builders import make_result
from tests.findings import found, verdict_of

judged = partial(found, audit=GradientFlow(metric=Expert(free=("x",))))
LOSS, ERROR = GradientFlowDecision(), GradientFlowDecision(statistic="error-rate ratio")


def detail_of(ratios: np.ndarray, start: np.ndarray, end: np.ndarray, cell: np.ndarray | None = None, **changes):
    """One stopping time made from rows, with cells of two attributes."""
    n = len(ratios)
    cell = np.arange(n) % 4 if cell is None else cell
    member = np.eye(4, dtype=int)[cell]
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    cells = GroupCells(("sex", "race"), (("F", "M"), ("A", "B")), codes, member.sum(0))
    template: GradientFlowDetail = make_result().detail
    return replace(
        template,
        steps=np.array([10]),
        flow_time=np.array([1.0]),
        cells=cells,
        excess=((ratios - 1) @ member)[None],
        excess_squares=((ratios - 1) ** 2 @ member)[None],
        wrong_start=start.astype(int) @ member,
        wrong_end=(end.astype(int) @ member)[None],
        wrong_both=((start & end).astype(int) @ member)[None],
        lost_ground=np.zeros(1, dtype=int),
        histogram=histogram.count((ratios - 1)[None]),
        histogram_edges=histogram.edges(),
        halving=StepHalving(200, ratios.mean(), ratios.mean()),
        cell=cell,
        ratios=ratios,
        **{"relearned": None, **changes},
    )


def plain(mean: float, n: int = 400, wrong: int = 60, turned: int = 6):
    ratios = mean + 0.1 * np.random.default_rng(0).standard_normal(n)
    start = np.arange(n) < wrong
    end = np.arange(n) < wrong + turned
    return detail_of(ratios, start, end)


@pytest.mark.parametrize(
    ("mean", "expected"),
    [(1.5, Verdict.VIOLATION), (1.1, Verdict.NO_VIOLATION), (1.25, Verdict.INSUFFICIENT)],
)
def test_the_loss_ratio_gives_three_verdicts(mean: float, expected: Verdict) -> None:
    assert judged(plain(mean), LOSS).verdict is expected


@settings(max_examples=20, deadline=None)
@given(
    mean=st.floats(1.0, 1.6),
    n=st.integers(30, 2_000),
    wrong=st.integers(0, 29),
    turned=st.integers(0, 40),
    data=st.data(),
)
def test_both_statistics_and_their_adjustment_keep_to_the_tolerance_and_the_error_rate(
    mean: float, n: int, wrong: int, turned: int, data: st.DataObject
) -> None:
    """p <= alpha exactly where the lower bound exceeds delta; p grows with delta, adjusted for two statistics too."""
    detail = plain(mean, n, wrong, min(turned, n - wrong))
    deltas = sorted(data.draw(st.lists(st.floats(1.0, 2.0), min_size=2, max_size=4)))
    alphas = sorted(data.draw(st.lists(st.floats(0.001, 0.5), min_size=2, max_size=4)))
    for statistic in STATISTICS:
        found = [judged(detail, GradientFlowDecision(statistic=statistic, delta=delta)) for delta in deltas]
        for one, other in pairwise(found):
            assert not one.p_value > other.p_value
            assert not np.greater(one.adjusted, other.adjusted).any()
        for one in found:
            at = [one.under(alpha=alpha) for alpha in alphas]
            for finding in at:
                exceeds = finding.lower_bound > finding.decision.delta
                near = abs(finding.lower_bound - finding.decision.delta) < 1e-9
                assert near or (finding.p_value <= finding.decision.alpha) == exceeds
                assert finding.verdict is not Verdict.VIOLATION or exceeds
            order = [finding.verdict for finding in at]
            for before, after in pairwise(order):
                assert before is not Verdict.VIOLATION or after is Verdict.VIOLATION
                assert (before, after) != (Verdict.NO_VIOLATION, Verdict.VIOLATION)


@pytest.mark.parametrize(("turned", "expected"), [(60, Verdict.VIOLATION), (2, Verdict.NO_VIOLATION)])
def test_the_error_ratio_gives_verdicts(turned: int, expected: Verdict) -> None:
    assert judged(plain(1.0, turned=turned), ERROR).verdict is expected


def test_no_mistakes_at_the_start_is_a_named_outcome() -> None:
    found = plain(1.1, wrong=0)
    assert judged(found, ERROR).undefined
    assert judged(found, ERROR).verdict is Verdict.INSUFFICIENT
    assert "no mistake" in judged(found, ERROR).reasons[0].what
    assert np.isnan(judged(found, ERROR).sweep.estimate).all()


def test_the_p_values_of_both_statistics_are_adjusted_for_each_other() -> None:
    found = judged(plain(1.255, turned=20), LOSS)
    smaller, larger = sorted(one.p_value for one in found.both)
    assert 0 < smaller < larger < 1
    assert sorted(found.adjusted) == pytest.approx([2 * smaller, max(2 * smaller, larger)])
    assert [one.p_value for one in found.parts["intervals"]] == [one.p_value for one in found.both]
    assert found.statistics.caption.startswith("Both statistics"), "it is one test of the audit"
    row = next(row for row in found.statistics.rows if row[0].startswith("p-value, adjusted"))
    assert row[1:] == tuple(p_value(one, alpha=0.05) for one in found.adjusted)
    alone = judged(plain(1.255, wrong=0), LOSS)
    assert alone.adjusted == pytest.approx((alone.p_value, np.nan), nan_ok=True)


def test_few_mistakes_give_no_verdict_either_way() -> None:
    for turned in (0, 40):
        found = plain(1.1, wrong=5, turned=turned)
        assert judged(found, ERROR).verdict is Verdict.INSUFFICIENT
        assert any("only 5 rows" in caveat.what for caveat in judged(found, ERROR).reasons)


def test_no_row_turned_is_not_proof_when_mistakes_are_few() -> None:
    """Eq. 3.13 gives a standard error of zero; counted exactly, 3 of 400 rows may turn unseen: 1 + 3/11 > 1.25."""
    found = plain(1.1, wrong=11, turned=0)
    assert judged(found, ERROR).inference.standard_error == 0
    assert judged(found, ERROR).verdict is Verdict.INSUFFICIENT
    assert judged(plain(1.1, wrong=60, turned=0), ERROR).verdict is Verdict.NO_VIOLATION


def test_fewer_than_thirty_rows_give_no_verdict() -> None:
    found = plain(1.01, n=28)
    assert judged(found, LOSS).verdict is Verdict.INSUFFICIENT
    assert "28 rows" in judged(found, LOSS).reasons[0].what


def test_a_heavy_tail_takes_back_no_violation_when_the_bootstrap_reaches_above_delta() -> None:
    ratios = np.r_[np.full(199, 1.02), 12.0]
    found = detail_of(ratios, np.arange(200) < 40, np.arange(200) < 41)
    decision = GradientFlowDecision(delta=1.2)
    assert verdict_of(judged(found, decision).inference, 1.2, 0.05) is Verdict.NO_VIOLATION
    assert judged(found, decision).tail.doubtful
    assert judged(found, decision).bootstrap_t(0.1).high > 1.2
    assert judged(found, decision).verdict is Verdict.INSUFFICIENT
    assert judged(found, decision).reasons[0].level == "serious"


def test_a_search_that_lost_ground_cannot_clear_a_model() -> None:
    found = replace(plain(1.1), lost_ground=np.array([40]))
    assert judged(found, LOSS).verdict is Verdict.INSUFFICIENT
    assert "40 of 400" in judged(found, LOSS).reasons[0].what


def test_a_large_step_error_is_told() -> None:
    found = replace(plain(1.5), halving=StepHalving(200, 1.5, 1.3))
    assert any("Halving the step size" in caveat.what for caveat in judged(found, LOSS).reasons)
    assert not judged(plain(1.5), LOSS).reasons


def beside(mean: float, possible: float, n: int = 400, **values: object) -> GradientFlowDetail:
    """A search that finds one mean ratio, and possible people of another."""
    ratio = possible + 0.1 * np.random.default_rng(1).standard_normal(n)
    wrong = np.arange(n) < 40
    people = PossiblePeople(np.arange(n), np.ones((n, 5), dtype=bool), None, ratio, wrong, wrong)
    return replace(plain(mean, n), people=people, **values)


def test_the_headline_counts_how_many_possible_people_are_misjudged() -> None:
    found = beside(2.0, 1.5)
    assert found.people is not None
    assert judged(found, LOSS).headline.startswith("If mainly x changed, the model would be 1.")
    flipped = found.people.wrong_start.copy()
    flipped[30:70] ^= True
    taken = found.people.taken.copy()
    taken[60:, 0] = False
    changed = replace(found, people=replace(found.people, wrong_end=flipped, taken=taken))
    assert judged(changed, LOSS).headline == (
        "If mainly x changed, 50 instead of 40 of 60 people would be misjudged, the model 1.50 times as far off on "
        "average; 1.25 is tolerated"
    )


@pytest.mark.parametrize(
    ("mean", "possible", "expected", "alone"),
    [
        (2.0, 1.5, Verdict.VIOLATION, Verdict.VIOLATION),
        (2.0, 1.1, Verdict.INSUFFICIENT, Verdict.VIOLATION),
        (1.1, 1.5, Verdict.VIOLATION, Verdict.NO_VIOLATION),
        (1.1, 1.255, Verdict.INSUFFICIENT, Verdict.NO_VIOLATION),
        (1.1, 1.15, Verdict.NO_VIOLATION, Verdict.NO_VIOLATION),
    ],
)
def test_possible_people_accuse_and_the_search_clears_with_them(
    mean: float, possible: float, expected: Verdict, alone: Verdict
) -> None:
    found = judged(beside(mean, possible), LOSS)
    assert found.verdict is expected
    assert verdict_of(found.inference, 1.25, 0.05) is alone
    assert found.estimate == found.claims[0].estimate == pytest.approx(possible, abs=0.02)
    assert found.searched[0].estimate == pytest.approx(mean, abs=0.02)
    told = [caveat.what for caveat in found.reasons if "may end between people" in caveat.what]
    assert bool(told) is (expected not in (alone, Verdict.VIOLATION))
    if told:
        assert f"“{alone.value}”" in told[0]
        assert found.headline.endswith("times between people, where the search ended")
        assert not rows_needed(found, found.claims[0]) or found.missing


def test_a_group_is_named_where_its_possible_people_are_misjudged_too() -> None:
    found = beside(2.0, 1.5)
    names = found.cells.all_groups()
    spared = 1 + names.index(("sex", "M"))
    taken = found.people.taken.copy()
    taken[:, spared] = np.arange(400) < 100
    ratio = np.where(taken[:, spared], 1.0, found.people.ratio)
    people = replace(found.people, taken=taken, ratio=ratio + np.tile([0.01, -0.01], 200))
    each = {one.who: one for one in group_estimates(judged(replace(found, people=people), LOSS))}
    assert each["sex = F"].beyond
    assert not each["sex = M"].settled
    assert (each["sex = M"].low, each["sex = M"].high) == (pytest.approx(1.0, abs=0.01), pytest.approx(2.0, abs=0.05))
    few = replace(people, taken=taken & (np.arange(400) < 20)[:, None])
    assert not any(one.judged for one in group_estimates(judged(replace(found, people=few), LOSS)))


def test_the_standard_error_beside_the_estimate_is_that_of_possible_people() -> None:
    found = beside(2.0, 1.5)
    assert found.people is not None
    rows = {name: values for name, *values in statistics(judged(found, LOSS)).rows}
    own = [number(found.people.estimate(one).standard_error) for one in STATISTICS]
    assert rows["Standard error"] == own
    assert rows["Estimate"][0] == number(found.people.estimate("loss ratio").value)
    turned = replace(found, people=replace(found.people, wrong_end=np.arange(400) < 70))
    rows = {name: values for name, *values in statistics(judged(turned, LOSS)).rows}
    assert rows["Misjudged of 400 tried, themselves and as the person found"] == ["40 and 70"] * 2


def test_the_picture_of_ratios_is_of_those_for_whom_possible_people_were_looked_for() -> None:
    found = beside(2.0, 1.5)
    assert found.people is not None
    taken = found.people.taken & (np.arange(400) < 300)[:, None]
    one = judged(replace(found, people=replace(found.people, taken=taken)), LOSS)
    assert one.distribution[0].sum() == 300
    assert "of 300 people, from 1.2" in CHARTS["ratios"].draw(one).alt
    assert f"the mean is {number(one.estimate)}; " in CHARTS["ratios"].draw(one).alt


@pytest.mark.parametrize("statistic", ["loss ratio", "error-rate ratio"])
@pytest.mark.parametrize("together", [1, 4])
def test_estimates_of_possible_people_vary_together_as_from_rows(statistic: Statistic, together: int) -> None:
    rng, n = np.random.default_rng(6), 400
    taken = rng.random((n, 3)) < [1, 0.6, 0.4]
    cluster = None if together == 1 else np.arange(n) // together
    people = PossiblePeople(
        np.arange(n), taken, cluster, 1 + rng.exponential(0.3, n), rng.random(n) < 0.3, rng.random(n) < 0.5
    )
    loss = statistic == "loss ratio"
    above, below = (people.ratio - 1, np.ones(n)) if loss else (people.wrong_end * 1.0, people.wrong_start * 1.0)
    whole = [(above @ own, below @ own) for own in taken.T.astype(float)]
    codes = np.arange(n) // together

    def without(code: int) -> list[float]:
        kept = codes != code
        return [(above * own)[kept].sum() / (below * own)[kept].sum() for own in taken.T]

    left = np.array([without(code) for code in range(n // together)])
    jackknife = np.cov(left.T) * (n // together - 1) ** 2 / (n // together)
    np.testing.assert_allclose(people.covariance(statistic, np.arange(3)), jackknife, rtol=0.05, atol=2e-5)
    for place, (numerator, denominator) in enumerate(whole):
        one = people.estimate(statistic, place)
        assert one.value == pytest.approx(loss + numerator / denominator)
        assert one.standard_error**2 == pytest.approx(people.covariance(statistic, np.array([place]))[0, 0], rel=0.05)
        assert people.upper_bound(statistic, 0.05, place) == pytest.approx(one.upper_bound(0.05), rel=0.12)
    turned = rng.permutation(n)
    parts = ("rows", "taken", "ratio", "wrong_start", "wrong_end", *(["cluster"] if together > 1 else []))
    other = replace(people, **{name: getattr(people, name)[turned] for name in parts})
    assert other.upper_bound(statistic, 0.05) == pytest.approx(people.upper_bound(statistic, 0.05), rel=1e-12)


def test_more_rows_are_not_asked_for_where_possible_people_are_looked_for_beside_some() -> None:
    open_one = beside(1.02, 1.26)
    found = judged(open_one, LOSS)
    assert found.verdict is Verdict.INSUFFICIENT
    assert "however many" not in needed(found, found.claims[0]), "they are looked for beside all of these rows"
    people = replace(open_one.people, taken=np.tile(np.arange(400)[:, None] < 300, 5))
    found = judged(replace(open_one, people=people), LOSS)
    assert found.verdict is Verdict.INSUFFICIENT
    told = "people who could exist are looked for beside 300 rows, however many there are"
    assert needed(found, found.claims[0]) == told


def test_few_possible_people_who_are_far_worse_off_forbid_to_clear() -> None:
    found = beside(1.02, 1.0)
    assert found.people is not None
    assert judged(found, LOSS).verdict is Verdict.NO_VIOLATION
    ratio = np.ones(400)
    ratio[:2] = 21.0
    skewed = judged(replace(found, people=replace(found.people, ratio=ratio)), LOSS)
    assert skewed.upper_bound < LOSS.delta < skewed.people_at_most
    assert skewed.verdict is Verdict.INSUFFICIENT
    turned = np.arange(400) < 43
    errors = judged(replace(found, people=replace(found.people, wrong_end=turned)), ERROR)
    assert errors.upper_bound < ERROR.delta
    assert errors.people_at_most == pytest.approx(ratio_upper_by_counts(43, 40, 40, 0.05))


def test_a_learned_metric_whose_search_found_nothing_has_an_unknown_error() -> None:
    found = replace(beside(1.0, 1.5), excess=np.zeros((1, 4)))
    assert judged(found, LOSS).verdict is Verdict.VIOLATION, "a declared metric has no error"
    learned = judged(replace(found, relearned=relearned(1.0, [1.0, 1.0, 1.0])), LOSS)
    assert learned.estimate == pytest.approx(1.5, abs=0.02)
    assert learned.verdict is Verdict.INSUFFICIENT


def test_a_rising_statistic_is_told_unless_a_violation_is_found_already() -> None:
    two = plain(1.1)
    rising = replace(
        two,
        steps=np.array([5, 10]),
        flow_time=np.array([0.5, 1.0]),
        **{
            name: np.concatenate([getattr(two, name) * (0 if name == "excess" else 1), getattr(two, name)])
            for name in ("excess", "excess_squares", "wrong_end", "wrong_both", "lost_ground", "histogram")
        },
    )
    assert any("still rises" in caveat.what for caveat in judged(rising, LOSS).reasons)
    assert not any("still rises" in caveat.what for caveat in judged(rising, GradientFlowDecision(delta=1.0)).reasons)


def test_group_covariances_come_out_as_from_rows() -> None:
    from core.audits.gradient_flow.groups import _error_covariance, _mean_covariance

    rng = np.random.default_rng(1)
    n, cell = 600, rng.integers(4, size=600)
    ratios = 1 + rng.exponential(0.2, n)
    start, end = rng.random(n) < 0.3, rng.random(n) < 0.4
    found = detail_of(ratios, start, end, cell)
    start, end = start.astype(float), end.astype(float)
    members = np.array([found.cells.members(*name) for name in found.cells.all_groups()])
    inside = members[:, cell]
    loss = inside * (ratios - (inside @ ratios / inside.sum(1))[:, None]) / inside.sum(1)[:, None]
    wrong = inside @ start
    error = inside * (end - (inside @ end / wrong)[:, None] * start) / wrong[:, None]
    np.testing.assert_allclose(_mean_covariance(found, 0, members), loss @ loss.T, atol=1e-12)
    np.testing.assert_allclose(_error_covariance(found, 0, members), error @ error.T, atol=1e-12)
    index = found.cells.all_groups().index(("race", "B"))
    assert group_estimates(judged(found, ERROR))[index].error == pytest.approx(
        _error_covariance(found, 0, members)[index, index] ** 0.5
    )


def test_group_intervals_hold_together_and_small_groups_claim_nothing() -> None:
    rng = np.random.default_rng(2)
    cell = rng.choice(4, 500, p=[0.5, 0.02, 0.46, 0.02])
    found = detail_of(1.6 + 0.3 * rng.standard_normal(500), rng.random(500) < 0.3, rng.random(500) < 0.3, cell)
    groups = {one.who: one for one in group_estimates(judged(found, LOSS))}
    assert list(groups) == ["sex = F", "sex = M", "race = A", "race = B"]
    small = groups["race = B"]
    assert small.people < 30
    assert small.verdict is Verdict.INSUFFICIENT
    assert (small.low, small.high) == (0.0, np.inf)
    large = groups["sex = F"]
    assert large.low < Estimate(large.estimate, large.error, large.people).two_sided(0.05).low
    assert large.verdict is Verdict.VIOLATION


@pytest.mark.parametrize("possible", [False, True])
def test_simultaneous_intervals_cover_all_groups_together(possible: bool) -> None:
    """Also those of possible people, of whom the search tells nothing: it found the same of everybody."""
    rng, hits = np.random.default_rng(3), 0
    for _ in range(200):
        cell = rng.integers(4, size=400)
        ratios = 1.2 + 0.1 * (cell == 3) + rng.exponential(0.2, 400)
        means = {"sex = F": 1.4, "sex = M": 1.45, "race = A": 1.4, "race = B": 1.45}
        detail = detail_of(ratios, ratios > 0, ratios > 0, cell)
        if possible:
            taken = np.column_stack([np.ones(400), cell < 2, cell >= 2, cell % 2 == 0, cell % 2 == 1]).astype(bool)
            people = PossiblePeople(np.arange(400), taken, None, ratios, ratios > 0, ratios > 0)
            detail = replace(detail_of(np.full(400, 1.2), ratios > 0, ratios > 0, cell), people=people)
        found = group_estimates(judged(detail, LOSS))
        hits += all(one.low <= means[one.who] <= one.high for one in found)
    assert 0.92 <= hits / 200 <= 0.985


def test_the_histogram_bins_hold_what_their_edges_say() -> None:
    rng = np.random.default_rng(4)
    excess = np.concatenate([rng.normal(0, 1e-3, 500), rng.exponential(3, 500), [0, -1, 1e13, 1e-9, -1e-9, -0.999]])
    excess = np.maximum(excess, -1)
    single = 1 + excess.astype(np.float32).astype(float)
    expected = np.histogram(single, histogram.edges())[0]
    np.testing.assert_array_equal(histogram.count(excess[None])[0], expected)
    counts, edges = judged(plain(1.1), LOSS).distribution
    assert counts.sum() == 400
    assert len(counts) <= 40
    assert np.isfinite(edges).all()
    assert (np.diff(edges) > 0).all()


def test_minimum_detectable_lies_above_delta_by_the_power_formula() -> None:
    found = plain(1.1)
    extra = (1.6449 + 0.8416) * judged(found, LOSS).inference.standard_error
    assert judged(found, LOSS).minimum_detectable == pytest.approx(1.25 + extra, rel=1e-4)


def test_a_search_too_short_to_find_anything_cannot_clear_a_model() -> None:
    found = replace(plain(1.01), flow_time=np.array([0.01]))
    assert judged(found, LOSS).verdict is Verdict.INSUFFICIENT
    assert "too short" in judged(found, LOSS).reasons[0].what


def test_an_early_stop_cannot_clear_a_model_that_the_whole_search_finds_in_violation() -> None:
    early, late = plain(1.1), plain(1.6)
    names = ("excess", "excess_squares", "wrong_end", "wrong_both", "lost_ground", "histogram")
    sums = {name: np.concatenate([getattr(early, name), getattr(late, name)]) for name in names}
    both = replace(early, steps=np.array([5, 10]), flow_time=np.array([0.5, 1.0]), **sums)
    decision = GradientFlowDecision(stop_at=5)
    assert verdict_of(judged(both, decision).inference, 1.25, 0.05) is Verdict.NO_VIOLATION
    assert judged(both, decision).verdict is Verdict.INSUFFICIENT
    assert any("read to its end" in caveat.what for caveat in judged(both, decision).reasons)


def test_rows_that_the_search_left_as_they_were_cannot_clear_a_model() -> None:
    for unmoved, expected in ((40, Verdict.INSUFFICIENT), (4, Verdict.NO_VIOLATION)):
        found = replace(plain(1.01), ratios=np.r_[np.ones(unmoved), np.full(400 - unmoved, 1.02)])
        assert judged(found, LOSS).verdict is expected


def test_a_group_with_few_mistakes_is_not_cleared_by_an_interval_without_width() -> None:
    """Group B has one mistake and none more after the search: eq. 3.13 gives the interval [1, 1]."""
    cell = np.arange(800) % 4
    start = np.zeros(800, dtype=bool)
    start[np.flatnonzero(cell % 2 == 0)[:120]] = True
    start[np.flatnonzero(cell % 2 == 1)[:1]] = True
    found = detail_of(np.full(800, 1.05), start, start, cell)
    groups = {one.who: one for one in group_estimates(judged(found, ERROR))}
    assert groups["race = B"].verdict is Verdict.INSUFFICIENT
    assert groups["race = B"].high == np.inf
    assert groups["race = A"].verdict is Verdict.NO_VIOLATION


def test_a_group_is_not_cleared_where_too_few_rows_change_sides() -> None:
    """12 mistakes and none more: counted exactly at 0.05 / 4, the bound is 0.0125^(-1/12) = 1.44."""
    cell = np.arange(800) % 4
    start = np.zeros(800, dtype=bool)
    start[np.flatnonzero(cell % 2 == 1)[:12]] = True
    start[np.flatnonzero(cell % 2 == 0)[:120]] = True
    found = detail_of(np.full(800, 1.05), start, start, cell)
    assert {one.who: one for one in group_estimates(judged(found, ERROR))}["race = B"].verdict is Verdict.INSUFFICIENT


def test_a_search_that_cannot_clear_a_model_clears_no_group() -> None:
    found = replace(plain(1.1), lost_ground=np.array([40]))
    assert Verdict.NO_VIOLATION in [one.verdict for one in group_estimates(judged(plain(1.1), LOSS))]
    assert Verdict.NO_VIOLATION not in [one.verdict for one in group_estimates(judged(found, LOSS))]


def test_groups_of_equal_or_of_huge_ratios_have_estimates() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        found = plain(1.0)
        excess = rng.random()
        count = rng.multinomial(400, [0.25] * 4)
        same = replace(
            found,
            cells=replace(found.cells, count=count),
            excess=(count * excess)[None],
            excess_squares=(count * excess**2)[None],
        )
        assert len(group_estimates(judged(same, LOSS))) == 4
    huge = replace(found, excess_squares=np.array([[np.inf, 1.0, 1.0, 1.0]]))
    assert group_estimates(judged(huge, LOSS))[0].verdict is Verdict.INSUFFICIENT


def relearned(
    own: float,
    values: list[float],
    n: int = 400,
    end: list[int] | None = None,
    angles: list[float] | None = None,
) -> Relearned:
    """The audit's metric, under which the mean ratio of n rows is ``own``, and others under which it is ``values``."""
    excess = np.array([own, *values])[:, None, None] - 1
    turned = np.array([66] * (1 + len(values)) if end is None else [66, *end])[:, None, None]
    return Relearned(
        count=np.full(4, n // 4),
        wrong_start=np.full(4, 15),
        excess=n / 4 * np.repeat(excess, 4, axis=2),
        wrong_end=np.repeat(turned / 4, 4, axis=2),
        angles=(turned_by := np.zeros(len(values)) if angles is None else np.array(angles)),
        turned=turned_by,
        along=turned_by,
        held_excess=np.zeros((1, 4)),
        held_wrong_end=np.full((1, 4), 15),
    )


def test_the_estimate_carries_the_metrics_error() -> None:
    """Paired differences of -.1 and .3: a spread of .4/√2 with one degree of freedom, .3 above; a bias of .1."""
    found = judged(replace(plain(1.1), relearned=relearned(1.15, [1.05, 1.45])), LOSS)
    given = found.given_metric
    assert [one.value for one in found.relearned_estimates] == pytest.approx([given.value - 0.1, given.value + 0.3])
    assert found.inference.value == given.value
    assert found.inference.standard_error == pytest.approx((given.standard_error**2 + 0.4**2 / 2) ** 0.5)
    assert found.inference.error_above == pytest.approx((given.standard_error**2 + 0.3**2) ** 0.5)
    assert found.inference.bias == pytest.approx(0.1)
    assert found.inference.degrees == pytest.approx(found.inference.standard_error**4 / (0.4**2 / 2) ** 2)
    error = replace(found.detail, relearned=relearned(1.15, [1.05, 1.45], end=[66, 72]))
    assert judged(error, ERROR).inference.bias == pytest.approx(0.05)
    assert judged(error, LOSS).inference == found.inference


@pytest.mark.parametrize("sign", [-1, 1])
def test_bounds_with_the_metrics_error_are_students_and_upper_ones_move_out_by_the_bias(sign: int) -> None:
    from scipy.stats import t

    moved = sign * np.array([-0.02, 0.06, 0.02])
    found = judged(replace(plain(1.3), relearned=relearned(1.3, (1.3 + moved).tolist())), LOSS)
    own = found.inference
    error, wide, student = found.given_metric.standard_error, 0.002**0.5, t(own.degrees)
    above, up = ((error**2 + wide**2) ** 0.5, 0.0) if sign > 0 else ((error**2 + 0.04**2) ** 0.5, 0.02)
    assert replace(own, repeated=()).upper_bound(0.05) == pytest.approx(own.value + up + student.ppf(0.95) * above)
    assert found.upper_bound >= replace(own, repeated=()).upper_bound(0.05)
    slopes = (0.3 + moved) ** 0.5
    spread = ((slopes - 0.3**0.5) ** 2).mean() ** 0.5
    wider = (spread**2 + error**2 / (0.3**0.5 + 0.25**0.5) ** 2) ** 0.5
    assert found.p_value == pytest.approx(t(2).sf((0.3**0.5 - 0.25**0.5) / wider), rel=0.2)
    assert own.p_value(found.lower_bound) == pytest.approx(0.05)
    assert found.sweep.lower_bound[-1] == found.lower_bound


@settings(max_examples=20, deadline=None)
@given(values=st.lists(st.floats(1.0, 2.0), min_size=2, max_size=8), data=st.data())
def test_the_laws_of_verdicts_hold_with_the_metrics_error(values: list[float], data: st.DataObject) -> None:
    """p <= alpha exactly where the lower bound exceeds delta; monotone in delta; never reversed as alpha grows."""
    detail = replace(plain(1.3), relearned=relearned(1.3, values))
    rank = {Verdict.VIOLATION: 2, Verdict.INSUFFICIENT: 1, Verdict.NO_VIOLATION: 0}
    deltas = sorted(data.draw(st.lists(st.floats(1.0, 2.0), min_size=2, max_size=4)))
    alphas = sorted(data.draw(st.lists(st.floats(0.001, 0.5), min_size=2, max_size=4)))
    found = [judged(detail, GradientFlowDecision(delta=delta)) for delta in deltas]
    for one, other in pairwise(found):
        assert one.p_value <= other.p_value
        assert rank[one.verdict] >= rank[other.verdict]
    for one in found:
        at = [one.under(alpha=alpha) for alpha in alphas]
        for finding in at:
            near = abs(finding.lower_bound - finding.decision.delta) < 1e-9
            assert near or (finding.p_value <= finding.decision.alpha) == (finding.lower_bound > finding.decision.delta)
            assert (finding.verdict is Verdict.VIOLATION) == (finding.lower_bound > finding.decision.delta)
        for before, after in pairwise(at):
            assert abs(rank[after.verdict] - rank[before.verdict]) < 2
            assert before.verdict in (Verdict.INSUFFICIENT, after.verdict)


@pytest.mark.parametrize(
    ("mean", "alone"), [(1.5, Verdict.VIOLATION), (1.1, Verdict.NO_VIOLATION)], ids=["violation", "clearing"]
)
def test_a_claim_that_hangs_on_the_metric_is_not_made(mean: float, alone: Verdict) -> None:
    pinned = replace(plain(mean), relearned=relearned(mean, [mean - 0.01, mean + 0.01] * 12))
    loose = replace(plain(mean), relearned=relearned(mean, [mean - 0.2, mean + 0.2] * 12))
    assert judged(pinned, LOSS).verdict is alone
    assert not judged(pinned, LOSS).reasons
    found = judged(loose, LOSS)
    assert verdict_of(found.given_metric, 1.25, 0.05) is alone
    assert found.verdict is Verdict.INSUFFICIENT
    assert f"Given exactly this metric, the verdict would be “{alone.value}”" in found.reasons[0].what
    assert found.headline.endswith("is open: the metric has to be learned from more people, or declared")
    assert not rows_needed(found, found.claims[0]), "more audited rows do not tell the metric"
    rows = {row[0]: row[1:] for row in found.statistics.rows}
    shown = rows["95% interval, two-sided, by the search alone, given exactly this metric"]
    assert shown != rows["95% interval, two-sided"]


def test_rows_that_do_not_tell_the_direction_clear_nothing_and_accuse_of_nothing() -> None:
    """From 45 degrees on a direction learned again says nothing of how far the learned one is from the truth, and among
    few columns one that is so tilted by chance finds as much.
    """
    moved = np.linspace(-0.01, 0.01, 24)

    def found(mean: float, angle: float) -> GradientFlowFinding:
        turned = 1 + (mean - 1 + moved) * (np.cos(np.radians(angle)) ** 2 if mean > 1.2 else 1)
        again = relearned(mean, turned.tolist(), angles=[angle] * 24)
        return judged(replace(plain(mean), relearned=again), LOSS)

    near, far = found(1.1, 10.0), found(1.1, 50.0)
    assert (near.verdict, far.verdict) == (Verdict.NO_VIOLATION, Verdict.INSUFFICIENT)
    assert far.upper_bound == np.inf
    assert "no upper limit" in far.reasons[0].what
    assert ": at least 0.9" in far.sentence
    assert "at most" not in far.sentence
    assert far.lower_bound < near.lower_bound
    assert found(1.5, 10.0).verdict is Verdict.VIOLATION
    assert not found(1.5, 10.0).reasons
    assert found(1.5, 50.0).verdict is Verdict.INSUFFICIENT


def test_what_is_found_without_the_learned_direction_is_no_part_of_its_error() -> None:
    """All of what is found is found without it: turned directions find no more."""
    moved = np.linspace(-0.01, 0.01, 24)
    again = relearned(1.2, (1.2 + moved).tolist(), angles=[30.0] * 24)
    found = judged(replace(plain(1.2), relearned=again), LOSS)
    held = judged(replace(plain(1.2), relearned=replace(again, held_excess=again.excess[0])), LOSS)
    assert held.upper_bound < 1.25 < found.upper_bound
    assert held.lower_bound > found.lower_bound


def test_each_statistic_heeds_its_own_relearned_estimates() -> None:
    found = replace(plain(1.1), relearned=relearned(1.1, [1.1] * 4, end=[66, 66, 66, 140]))
    assert judged(found, LOSS).verdict is Verdict.NO_VIOLATION
    assert judged(found, ERROR).verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize("mean", [1.1, 1.5])
@pytest.mark.parametrize("values", [[], [1.1]], ids=["none", "one"])
def test_a_learned_metric_that_was_not_relearned_makes_no_claim(mean: float, values: list[float]) -> None:
    audit = GradientFlow.model_construct(metric=Expert(free=("x",)), metric_resamples=len(values))
    untried = judged(replace(plain(mean), relearned=relearned(1.1, values)), LOSS, audit=audit)
    assert untried.verdict is Verdict.INSUFFICIENT
    assert "not learned again" in untried.reasons[0].what
    assert untried.inference == untried.given_metric
    assert {one.verdict for one in group_estimates(untried)} == {Verdict.INSUFFICIENT}
    assert judged(plain(mean), LOSS).verdict is not Verdict.INSUFFICIENT
    assert not judged(plain(mean), LOSS).reasons


def test_a_groups_interval_holds_the_metrics_error_in_it() -> None:
    """Half the relearned metrics move group F by .1 each way, and group M not at all."""
    own = relearned(1.1, [1.1] * 24)
    moved = own.excess.copy()
    moved[1:, :, :2] += np.tile([10.0, -10.0], 12)[:, None, None]
    found = judged(replace(plain(1.1), relearned=replace(own, excess=moved)), LOSS)
    groups = {one.who: one for one in group_estimates(found)}
    assert groups["sex = F"].error == pytest.approx(0.1, rel=0.01)
    assert groups["sex = M"].error == pytest.approx(0.1 / 200**0.5, rel=0.15)
    assert groups["sex = F"].high - groups["sex = F"].estimate > 2 * groups["sex = F"].error
    assert groups["sex = F"].verdict is Verdict.INSUFFICIENT
    assert groups["sex = M"].verdict is Verdict.NO_VIOLATION
    empty = replace(own, count=np.array([100, 100, 0, 0]))
    groups = {one.who: one for one in group_estimates(judged(replace(plain(1.1), relearned=empty), LOSS))}
    assert (groups["sex = M"].verdict, groups["sex = M"].high) == (Verdict.INSUFFICIENT, np.inf)


def test_a_group_is_not_cleared_by_a_metric_that_is_not_pinned_down() -> None:
    found = replace(plain(1.1), relearned=relearned(1.1, [0.6, 1.6] * 4))
    assert {one.verdict for one in group_estimates(judged(plain(1.1), LOSS))} == {Verdict.NO_VIOLATION}
    assert {one.verdict for one in group_estimates(judged(found, LOSS))} == {Verdict.INSUFFICIENT}


def test_a_tail_without_variance_cannot_clear_a_model_whatever_the_bootstrap_says() -> None:
    """Without a variance, neither the normal interval nor the bootstrap has any claim to its error rate."""
    rng = np.random.default_rng(3)
    ratios = 1 + rng.pareto(1.1, 1000)
    found = detail_of(ratios, np.arange(1000) < 100, np.arange(1000) < 100, free_directions=1)
    generous = GradientFlowDecision(delta=50.0)
    assert verdict_of(judged(found, generous).inference, 50.0, 0.05) is Verdict.NO_VIOLATION
    assert judged(found, generous).verdict is Verdict.INSUFFICIENT
    assert any("tail index" in caveat.what for caveat in judged(found, generous).reasons)


def test_a_metric_that_frees_nothing_cannot_clear_a_model() -> None:
    held = replace(plain(1.1), free_directions=0)
    assert judged(plain(1.1), LOSS).verdict is Verdict.NO_VIOLATION
    assert judged(held, LOSS).verdict is Verdict.INSUFFICIENT
    assert judged(replace(plain(1.5), free_directions=0), LOSS).verdict is Verdict.VIOLATION


def test_a_group_with_a_heavy_tail_is_not_cleared() -> None:
    rng = np.random.default_rng(5)
    cell = np.arange(400) % 4
    ratios = np.where(cell < 2, 1 + rng.pareto(1.1, 400), 1.01 + 0.001 * rng.standard_normal(400))
    nothing = np.zeros(400, dtype=bool)
    verdicts = {
        one.who: one
        for one in group_estimates(judged(detail_of(ratios, nothing, nothing, cell), GradientFlowDecision(delta=50.0)))
    }
    assert verdicts["sex = F"].high < 50.0
    assert verdicts["sex = F"].verdict is Verdict.INSUFFICIENT
    assert verdicts["sex = M"].verdict is Verdict.NO_VIOLATION


def _groups(claims: tuple[Claim, ...], lows: dict[str, float]) -> tuple[Claim, ...]:
    """The groups as if these lower bounds had been found, at least 30 people each."""
    return tuple(
        replace(one, estimate=lows.get(one.who, 1.0) + 0.5, low=lows.get(one.who, 1.0), people=60, judged=True)
        for one in claims
    )


def test_a_group_is_named_only_behind_the_gate_of_everybody_and_apart_from_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = groups.told

    def found(lows: dict[str, float], delta: float = 1.25) -> GradientFlowFinding:
        monkeypatch.setattr(groups, "told", lambda finding: _groups(told(finding), lows))
        finding = GradientFlowFinding(make_result(), GradientFlowDecision(delta=delta))
        assert finding.parts, "worked out with these bounds"
        return finding

    names = [one.who for one in found({}).parts["groups"]]
    nobody, one = found({}), found({names[0]: 2.0})
    assert nobody.verdict is Verdict.VIOLATION
    assert nobody.named == ""
    assert nobody.headline.startswith(
        "For the most misjudged similar person a search could make up, the model would be "
    )
    assert "shows no group to be worse off" in nobody.affected
    assert one.named == names[0]
    assert one.headline == nobody.headline, "a larger error may be to a group's advantage"
    assert one.affected.endswith(f"misjudged more than tolerated, for better or worse: {names[0]}.")
    attribute = names[0].partition(" = ")[0]
    every = found({name: 2.0 for name in names if name.startswith(attribute)})
    assert every.named == "", "of an attribute all of whose groups are beyond, nobody is told apart"
    within = found({names[0]: 9.0}, delta=8.0)
    assert within.verdict is not Verdict.VIOLATION
    assert within.named == ""
