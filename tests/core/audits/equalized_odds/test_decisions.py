"""Decisions: bounds by mid-P limits of every pair, an independent oracle, laws, and how often they miss."""

import math
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom, norm

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.evidence import Joined
from core.audits.equalized_odds.gap import MeasuredGap
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.verdict import EqualizedOddsFinding as Finding
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.figures.series import Spans
from core.inference.estimate import Verdict
from core.inference.pairwise import share_limits
from core.inference.sampling import Sampling
from core.language.units import POINTS
from core.models.predictions import PredictionColumns
from core.run import find, run_audit
from tests.builders_fair_dummies import make_fair_dummies_result

ALPHA = 0.05


def measured(
    decided: np.ndarray, outcome: np.ndarray, codes: np.ndarray, clusters: np.ndarray | None = None
) -> MeasuredGap:
    return MeasuredGap.of(decided[:, None].astype(np.float64), outcome, codes, sampling=Sampling(clusters))


def two_groups(yes: tuple[int, int], of: tuple[int, int]) -> MeasuredGap:
    """One stratum in which so many people of two groups are decided for."""
    decided = np.concatenate([np.arange(n) < k for k, n in zip(yes, of, strict=True)])
    return measured(decided, np.zeros(sum(of), dtype=int), np.repeat([0, 1], of))


def limit(yes: int, of: int, tail: float, *, upper: bool) -> float:
    """A mid-P limit by root finding on scipy's binomial distribution."""

    def chance(share: float) -> float:
        own = binom.pmf(yes, of, share) / 2
        return float(own + (binom.cdf(yes - 1, of, share) if upper else binom.sf(yes, of, share))) - tail

    if yes == (of if upper else 0):
        return float(upper)
    return float(brentq(chance, 1e-12, 1 - 1e-12, xtol=1e-14))


def lower_end(yes: tuple[int, int], of: tuple[int, int], tail: float) -> float:
    """The lower limit of the first share less the second, by Zou and Donner (2008)."""
    first, second = (k / n for k, n in zip(yes, of, strict=True))
    down, up = limit(yes[0], of[0], tail, upper=False), limit(yes[1], of[1], tail, upper=True)
    return first - second - math.hypot(first - down, up - second)


@pytest.mark.parametrize(("yes", "of"), [((150, 30), (200, 100)), ((33, 2), (40, 300)), ((60, 0), (60, 31))])
def test_bounds_are_those_of_zou_and_donner_by_mid_p_limits(yes: tuple[int, int], of: tuple[int, int]) -> None:
    """Of a single pair nearly all of the error rate is spent on the direction that is found, 31 parts of 32."""
    found = two_groups(yes, of)
    first, second = (k / n for k, n in zip(yes, of, strict=True))
    up, down = limit(yes[0], of[0], ALPHA, upper=True), limit(yes[1], of[1], ALPHA, upper=False)
    assert found.value == pytest.approx(first - second, abs=1e-12)
    assert found.upper_bound(ALPHA) == pytest.approx(first - second + math.hypot(up - first, second - down), abs=1e-11)
    assert found.lower_bound(ALPHA) == pytest.approx(lower_end(yes, of, ALPHA * 31 / 32), abs=0.002)


@pytest.mark.parametrize(("yes", "of"), [((55, 45), (100, 100)), ((12, 5), (90, 70))])
def test_of_no_difference_both_directions_count(yes: tuple[int, int], of: tuple[int, int]) -> None:
    """The p-value of 0 is twice the tail at which the lower limit is 0."""
    tail = brentq(lambda tail: lower_end(yes, of, tail), 1e-6, 0.499)
    assert two_groups(yes, of).p_value(0.0) == pytest.approx(2 * tail, rel=0.05)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), alpha=st.floats(0.0002, 0.5), delta=st.sampled_from([0.0, 0.05, 0.1, 0.3]))
def test_laws(seed: int, alpha: float, delta: float) -> None:
    """p-values and bounds say the same; who is called yes or first changes nothing; bounds widen as alpha shrinks."""
    rng = np.random.default_rng(seed)
    codes, outcome = rng.integers(3, size=400), rng.integers(2, size=400)
    decided = rng.random(400) < 0.2 + rng.choice([0.0, 0.2, 0.5]) * (codes == 0) * outcome
    found = measured(decided, outcome, codes)
    p = min(found.p_value(delta), 0.5)
    for at in (alpha, p, float(np.nextafter(p, 0.0)), float(np.nextafter(p, 1.0))):
        assert (found.p_value(delta) <= at) == (found.lower_bound(at) > delta)
    assert found.p_value(delta / 2) <= found.p_value(delta)
    assert (
        found.lower_bound(alpha / 2)
        <= found.lower_bound(alpha)
        <= found.value
        <= found.upper_bound(alpha)
        <= found.upper_bound(alpha / 2)
        <= 1
    )
    turned, renamed = measured(~decided, outcome, codes), measured(decided, outcome, np.array([2, 0, 1])[codes])
    assert turned.upper_bound(alpha) == pytest.approx(found.upper_bound(alpha), abs=1e-12)
    assert turned.lower_bound(alpha) == pytest.approx(found.lower_bound(alpha), abs=1e-9)
    assert renamed.upper_bound(alpha) == pytest.approx(found.upper_bound(alpha), abs=1e-12)
    near = [found.lower_bound(alpha * by) for by in (0.97, 1.03)]  # it jumps where the other direction becomes possible
    assert near[0] - 0.005 <= renamed.lower_bound(alpha) <= near[1] + 0.005


def test_draws_of_the_seed_decide_nothing() -> None:
    found = two_groups((60, 40), (100, 100))
    assert replace(found, seed=(7,)).p_value(0.05) == found.p_value(0.05)
    assert replace(found, seed=(7,)).lower_bound(0.02) == found.lower_bound(0.02)


def test_copies_of_everybody_say_no_more_than_everybody_once() -> None:
    rng = np.random.default_rng(3)
    codes, outcome = rng.integers(2, size=500), rng.integers(2, size=500)
    decided = rng.random(500) < 0.3 + 0.2 * codes
    once, order = measured(decided, outcome, codes), rng.permutation(1_500)
    again = [np.tile(one, 3)[order] for one in (decided, outcome, codes, np.arange(500))]
    thrice = measured(*again)
    for alpha in (0.01, 0.2):
        assert thrice.lower_bound(alpha) == pytest.approx(once.lower_bound(alpha), abs=1e-9)
        assert thrice.upper_bound(alpha) == pytest.approx(once.upper_bound(alpha), abs=1e-9)
    assert measured(*again[:3]).upper_bound(0.05) < once.upper_bound(0.05) - 0.01


def test_limits_of_effective_numbers_lie_between_those_of_whole_ones() -> None:
    for end in ("low", "high"):
        ends = [getattr(share_limits(np.array(k), np.array(50.0), 0.03), end) for k in (7.0, 7.3, 8.0)]
        assert ends == sorted(ends)
    assert share_limits(np.array(0.2), np.array(50.0), 0.03).low < 0.004


class Design(NamedTuple):
    """People of equally large groups, the first of which may have a tenth, and how far every second one is ahead."""

    people: int = 1_750
    groups: int = 2
    small: bool = False
    share: float = 0.3
    ahead: float = 0.1
    everywhere: bool = True
    homes: int = 1

    def table(self, rng: np.random.Generator) -> MeasuredGap:
        """The gap of a table; those ahead are so in both strata, or the first group alone in one."""
        shares = np.full(self.groups, 1 / self.groups)
        if self.small:
            shares = np.append(0.1, np.full(self.groups - 1, 0.9 / (self.groups - 1)))
        each = self.people // self.homes
        home = np.repeat(np.arange(each), self.homes)
        codes, outcome = rng.choice(self.groups, each, p=shares)[home], rng.integers(2, size=each)[home]
        ahead = codes % 2 == 0 if self.everywhere else (codes == 0) & (outcome == 1)
        own, alike = rng.random(each * self.homes), rng.random(each)[home]
        draw = np.where(rng.random(each)[home] < 0.5, own, alike) if self.homes > 1 else own
        return measured(draw < self.share + self.ahead * ahead, outcome, codes, home if self.homes > 1 else None)

    def missed(self, tables: int, seed: int = 0) -> float:
        """Share of tables with a violation, or cleared where a single difference is the tolerance."""
        rng, found = np.random.default_rng(seed), 0
        for _ in range(tables):
            gap = self.table(rng)
            found += (
                gap.lower_bound(ALPHA) > 0.1
                if self.everywhere
                else gap.upper_bound(ALPHA) <= 0.1 and not len(gap.small)
            )
        return found / tables


def most(tables: int, errors: float = 2.0) -> float:
    """The error rate and two Monte-Carlo errors, or more where many cells are looked at."""
    return ALPHA + errors * math.sqrt(ALPHA * (1 - ALPHA) / tables)


MANY_CELLS = float(norm.isf(0.05 / 96))
"""Monte-Carlo errors that the worst of 96 cells exceeds in 5% of runs if all are at the error rate."""


@pytest.mark.parametrize(
    "design",
    [
        Design(),
        Design(everywhere=False),
        Design(people=400, groups=4, share=0.03),
        Design(small=True, everywhere=False, share=0.5),
        Design(people=1_200, homes=4, everywhere=False),
    ],
)
def test_bounds_rarely_miss_where_the_difference_is_the_tolerance(design: Design) -> None:
    assert design.missed(90) <= most(90)


def test_twice_the_tolerance_is_found_among_1750_people_four_times_in_five() -> None:
    """Two equal groups, one of two strata: 2,300 people were needed, where a two-proportion test needs 1,140."""
    rng = np.random.default_rng(1)
    design = Design(ahead=0.2, everywhere=False)
    assert np.mean([design.table(rng).lower_bound(ALPHA) > 0.1 for _ in range(200)]) >= 0.8


def test_the_fair_dummies_cost_nothing_at_a_tolerance_above_nothing() -> None:
    """They share the error rate of "no difference" only, which decisions like these reject far below it."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        gap = Design(ahead=0.2, everywhere=False).table(rng)
        assert Joined(gap, 1.0).p_value(0.1) == gap.p_value(0.1)
        assert Joined(gap, 1.0).lower_bound(ALPHA) == gap.lower_bound(ALPHA)


@pytest.mark.long
@pytest.mark.parametrize("people", [400, 1_750, 6_000])
@pytest.mark.parametrize("share", [0.03, 0.2, 0.5, 0.8])
def test_bounds_rarely_miss_in_every_design(people: int, share: float) -> None:
    for groups in (2, 4):
        for small in (False, True):
            for everywhere in (False, True):
                design = Design(people, groups, small, share, everywhere=everywhere)
                assert design.missed(400) <= most(400, MANY_CELLS), design


@pytest.mark.long
@pytest.mark.parametrize("homes", [2, 5, 20])
def test_bounds_rarely_miss_where_rows_belong_together(homes: int) -> None:
    for share in (0.1, 0.4):
        for everywhere in (False, True):
            design = Design(80 * homes * 4, share=share, homes=homes, everywhere=everywhere)
            assert design.missed(400) <= most(400, MANY_CELLS), design


def sentenced(seed: int = 0) -> EqualizedOddsResult:
    """Decisions of three races: of people with outcome no, 45% of A and 23% of B get a yes; a small C 5%, or less."""
    rng = np.random.default_rng(seed)
    result = make_fair_dummies_result("two classes", attributes=1)
    rows = np.array([[1_500, 1_250, 60], [1_500, 900, 60]])
    share = np.array([[0.45, 0.23, 0.03], [0.72, 0.52, 0.3]])
    cells = np.repeat(np.arange(6), rows.reshape(-1))
    outcome, codes = np.divmod(cells, 3)
    yes = (rng.random(len(cells)) < share.reshape(-1)[cells]).astype(int)
    made = result.detail
    race = replace(made.attributes[0], name="race", groups=("A", "B", "C"), codes=codes, values=codes)
    detail = replace(
        made,
        outcome=outcome.astype(np.float64),
        answers=np.eye(2)[yes],
        attributes=(race,),
        strata=replace(made.strata, codes=outcome),
        times=None,
    )
    return replace(result, detail=detail)


def test_the_difference_that_is_told_is_not_that_of_a_tiny_group() -> None:
    finding = Finding(sentenced(), EqualizedOddsDecision())
    claim, gap = finding.claims[0], finding.gaps[0]
    assert claim == finding.headlined
    assert 2 in gap.groups
    assert gap.value > claim.estimate
    assert (claim.who, claim.against, claim.one_sided) == ("race = A", "race = B", False)
    assert (claim.people, claim.others) == (1_500, 1_250)
    assert claim.here - claim.there == pytest.approx(claim.estimate)
    assert claim.here == pytest.approx(0.45, abs=0.04)
    assert claim.there == pytest.approx(0.23, abs=0.04)
    assert finding.verdict is Verdict.VIOLATION
    here, there = f"{100 * claim.here:.1f}".removesuffix(".0"), f"{100 * claim.there:.1f}".removesuffix(".0")
    assert finding.sentence.startswith(
        "Violation found: where the outcome was no, the share with the prediction outcome = yes is "
        f"{here}% for race = A and {there}% for race = B, "
    )
    assert ", where 10 are tolerated. " in finding.sentence
    listed = finding.tables["fair dummies gap"].rows
    assert listed[0][:3] == ("race = A", "race = B", "the prediction outcome = yes where the outcome was no")
    assert listed[0][3:5] == (POINTS.number(claim.here), POINTS.number(claim.there))
    assert any("race = C" in cell for row in listed for cell in row)


@pytest.mark.parametrize("delta", [0.0, 0.05, 0.15, 0.2, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
def test_claims_are_beyond_the_tolerance_exactly_where_p_values_are_small(delta: float, alpha: float) -> None:
    for result in (sentenced(), make_fair_dummies_result("two classes"), make_fair_dummies_result("numbers")):
        finding = Finding(result, EqualizedOddsDecision(delta=delta, alpha=alpha))
        firsts = [claims[0] for claims in finding.of_attributes]
        assert [one.beyond for one in firsts] == [one.p_value <= alpha for one in firsts]
        assert [one.p_value for one in firsts] == [one.p_value(delta) for one in finding.evidence]
        for claims, evidence in zip(finding.of_attributes, finding.evidence, strict=True):
            assert all(one.beyond is claims[0].beyond for one in claims[1:])
            assert claims[0].beyond or max(one.high for one in claims) == evidence.upper_bound(alpha)
        first = finding.deciding
        assert first is not None
        assert first.beyond == (finding.own_verdict is Verdict.VIOLATION)
        shown = [gap for gaps in finding.beyond for gap in gaps if gap.low > delta]
        assert bool(shown) == (bool(finding.violated) and (finding.exact and not finding.effects))


@pytest.mark.parametrize("delta", [0.0, 0.15, 0.5])
def test_headline_line_table_and_chart_are_of_one_pair_and_its_numbers(delta: float) -> None:
    result = sentenced()
    (race,), (test,) = result.detail.attributes, result.detail.tests
    alike = replace(race, name="side", groups=("left", "right"), codes=np.arange(len(race.codes)) % 2)
    detail = replace(result.detail, attributes=(alike, race), tests=(replace(test, attribute="side"), test))
    finding = Finding(replace(result, detail=detail), EqualizedOddsDecision(delta=delta))
    claim, drawn = finding.deciding, finding.drawing("fair dummies gap").series
    assert claim is not None
    assert isinstance(drawn, Spans)
    row, listed = drawn.rows[0], finding.tables["fair dummies gap"].rows[0]
    assert row.name.startswith(f"{claim.who} beside {claim.against}")
    assert (row.value, row.low, row.high) == pytest.approx((100 * claim.estimate, 100 * claim.low, 100 * claim.high))
    assert listed[:2] == (claim.who, claim.against)
    told = [(one.who, one.against, one.estimate, one.low, one.high) for one in finding.parts["fair dummies gap"]]
    assert {(one.who, one.against, one.estimate, one.low, one.high) for one in finding.claims} <= set(told)
    assert claim.who in next(row for row in finding.statistics.rows if row[0] == "Group")


def test_where_everybody_is_decided_for_the_share_told_is_all() -> None:
    result = sentenced()
    everybody = replace(result.detail, answers=np.eye(2)[np.ones(len(result.detail.outcome), dtype=int)])
    finding = Finding(replace(result, detail=everybody), EqualizedOddsDecision())
    claim = finding.claims[0]
    assert {claim.here, claim.there} in ({1.0}, {0.0})
    assert ("yes" in claim.what.partition(" among ")[0]) == (claim.here == 1.0)


def test_of_people_not_charged_again_448_and_235_per_thousand_were_rated_medium_or_high(real_data: Path) -> None:
    """ProPublica, "Machine Bias" (2016): COMPAS' rating against who was charged again, 7,214 defendants of six races.

    The largest difference found is that between the 377 of race Other and African-American defendants.
    """
    raw = pd.read_csv(real_data / "compas" / "compas-scores-two-years.csv")
    table = raw[["race", "sex", "age"]].assign(
        again=np.where(raw["two_year_recid"] == 1, "yes", "no"), rated=np.where(raw["score_text"] == "Low", "no", "yes")
    )
    roles = Roles(
        outcome="again", favourable="no", protected=("race", "sex"), features=("age",), predictions=("rated",)
    )
    dataset = Dataset.build(table, roles)
    model = PredictionColumns(columns=("rated",)).load(FileStore(), dataset)
    finding = find(run_audit(model, dataset, EqualizedOdds(dummies=99), seed=1), EqualizedOddsDecision())
    assert isinstance(finding, Finding)
    race, sex, *_ = finding.claims
    told = (
        "Violation found: where the outcome was no, the share with the prediction again = yes is 44.8% for "
        "race = African-American and 23.5% for race = Caucasian, 21.4 percentage points apart (at least "
    )
    assert finding.sentence.startswith(told)
    assert "where 10 are tolerated. People with the same outcome get different answers depending on race (" in (
        finding.sentence
    )
    assert (race.people, race.others) == (1_795, 1_488)
    assert "Other" in [finding.result.detail.attributes[0].groups[group] for group in finding.gaps[0].groups]
    assert (race.beyond, sex.beyond, sex.within) == (True, False, True)
