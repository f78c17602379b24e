"""The verdict about groups: who is named, in which direction, and what clears; every sort of answers."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.group_fairness.conformal import calibrate
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.engine import run
from core.audits.group_fairness.report import case
from core.audits.group_fairness.settings import GroupFairness
from core.audits.group_fairness.signed import signed_differences
from core.audits.group_fairness.verdict import GroupFairnessFinding as Finding
from core.base.errors import SettingsError
from core.base.files import FileStore
from core.contracts.audit import Given
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.judge import judge
from core.models.predictions import PredictionColumns
from core.records.audits import AUDITS, numbers_json
from core.records.document import differences
from core.report.html import render
from core.report.model import Section, build
from core.report.multiple_tests import Together
from core.report.others import Other, other_attributes, others
from core.report.summary import who_is_affected
from core.run import run_audit
from core.study import Study, adjusted
from tests.builders_fair_dummies import make_fair_dummies_plan, make_groups_result, make_people
from tests.core.audits.group_fairness.cases import finding_of, make_detail

SHAPES: dict[str, dict[str, Any]] = {
    "numbers": {},
    "four classes": {"case": "four classes", "continuous": True},
    "two classes": {"case": "two classes", "small": True},
    "hostile": {"case": "four classes", "hostile": True},
    "few": {"rows": 40, "attributes": 1},
}
DECISION = GroupFairnessDecision()
YES = {"outcome": "y", "favourable": "yes", "predictions": ("s",)}


def counted(*cells: tuple[dict[str, str], int]) -> pd.DataFrame:
    """A row for each person of each cell."""
    return pd.DataFrame([row for row, times in cells for _ in range(times)])


def audited(frame: pd.DataFrame, *, depth: int = 2, seed: int = 0, decision: Any = DECISION, **roles: Any) -> Finding:
    """Groups of a table with a column ``s`` of decisions."""
    given = {"protected": ("sex",), **(YES if "y" in frame else {"favourable": "yes", "predictions": ("s",)}), **roles}
    dataset = Dataset.build(frame, Roles(**given))
    model = PredictionColumns(columns=("s",), holds="labels").load(FileStore(), dataset)
    return Finding(run_audit(model, dataset, GroupFairness(depth=depth), seed=seed), decision)


def by_outcome(sex: str, good: tuple[int, int], bad: tuple[int, int]) -> pd.DataFrame:
    """People approved, of all, among those who repay and those who do not."""
    return counted(
        ({"sex": sex, "y": "yes", "s": "yes"}, good[0]),
        ({"sex": sex, "y": "yes", "s": "no"}, good[1] - good[0]),
        ({"sex": sex, "y": "no", "s": "yes"}, bad[0]),
        ({"sex": sex, "y": "no", "s": "no"}, bad[1] - bad[0]),
    )


def test_beside_a_comparison_of_errors_stands_who_gets_the_better_answer_how_often() -> None:
    """Of 200 women 30 are approved, of 200 men 120."""
    people = pd.concat([by_outcome("m", (60, 60), (60, 140)), by_outcome("f", (30, 50), (0, 150))])
    shown = case(audited(people))
    assert shown is not None
    assert shown.told.endswith(
        "Among all people, 15.0% of people with sex = f get the prediction y = yes, 60.0% of people with sex = m: "
        "0.25 times as often, where a rule of thumb of the US asks for 0.80."
    )
    favours = case(audited(people, decision=GroupFairnessDecision(measure="selection rate")))
    assert favours is not None
    assert "Whatever" not in favours.told


def test_who_is_favoured_is_never_named_as_harmed() -> None:
    """Of those who repay men 60 of 60 and women 30 of 50 are approved, of the others men 60 of 140 and women 0 of 150.

    Men are decided wrongly more often, in their favour.
    """
    found = audited(pd.concat([by_outcome("m", (60, 60), (60, 140)), by_outcome("f", (30, 50), (0, 150))]))
    assert found.verdict is Verdict.VIOLATION
    assert found.named == "sex = f"
    assert found.opening == (
        "Violation found: people with sex = f get the prediction y = no more often than people with sex = m where the "
        "outcome was yes: 40.0% against 0.0%, 40.0 percentage points, where 10 are tolerated"
    )
    assert not any(one.beyond for one in found.claims if one.who == "sex = m")
    assert found.explanation.endswith(
        "The other error is in people's favour: where the outcome was no, people with sex = m wrongly get the "
        "prediction y = yes more often than people with sex = f, 42.9% against 0.0%. This difference of 42.9 points, "
        "looked at by itself, is beyond the tolerance."
    )
    rates = {(one.who, one.what): one for one in found.parts["groups rates"]}
    for answer, outcome, female, male in (("no", "yes", 0.4, 0.0), ("yes", "no", 0.0, 60 / 140)):
        what = f"Share that wrongly gets the prediction y = {answer} where the outcome was {outcome}"
        for who, share in (("sex = f", female), ("sex = m", male)):
            assert rates[who, what].estimate == pytest.approx(share)
            assert rates[who, what].low <= share <= rates[who, what].high
        what = f"Share with the outcome {answer} among those who get the prediction y = {answer}"
        assert rates["sex = m", what].estimate == pytest.approx(0.5 if answer == "yes" else 1)
    assert "positive" not in " ".join(one.what for part in found.parts.values() for one in part)


@pytest.mark.parametrize(
    ("men", "women", "told"),
    [
        (
            80,
            60,
            "sex = m wrongly get the prediction y = yes more often than people with sex = f, 40.0% against 30.0%.",
        ),
        (
            60,
            80,
            "sex = f wrongly get the prediction y = yes more often than people with sex = m, 40.0% against 30.0%.",
        ),
        (60, 60, "30.0% of people with sex = m and of people with sex = f wrongly get the prediction y = yes."),
    ],
)
def test_who_gets_the_other_error_more_often_is_named_whoever_is_harmed(men: int, women: int, told: str) -> None:
    """Whether that is tolerated is what the interval of the signed difference says of it."""
    found = audited(pd.concat([by_outcome("m", (30, 200), (men, 200)), by_outcome("f", (180, 200), (women, 200))]))
    assert (found.named, told in found.explanation) == ("sex = m", True)
    other, pair = found.other_error, next(one for one in found.subjects.groups if one.who == "sex = m")
    assert other is not None
    kinds = {one.name: one for one in signed_differences(found.result.detail, found.subjects, (pair,), 0.05)}
    ends = sorted(abs(float(end[0])) for end in (kinds["FPR"].low, kinds["FPR"].high))
    assert other.estimate == pytest.approx(abs(men - women) / 200)
    if men != women:
        assert (abs(other.high), abs(other.low)) == pytest.approx((ends[1], ends[0]))
        for delta, state in ((0.0, "beyond the tolerance"), (0.1, "not settled"), (0.3, "within the tolerance")):
            again = found.under(delta=delta)
            assert again.explanation.endswith(f"10.0 points, looked at by itself, is {state}.")


def by_two(shares: dict[tuple[str, str], int], of: int = 500) -> Together:
    """What is found of people chosen, of so many each, of every race and sex."""
    cells = [
        ({"race": race, "sex": sex, "s": answer}, people)
        for (race, sex), chosen in shares.items()
        for answer, people in (("yes", chosen), ("no", of - chosen))
    ]
    found = audited(counted(*cells), protected=("race", "sex"))
    return Together(("Group fairness test",), (found,), (found.p_value,), (0.05,))


def test_an_attribute_that_is_cleared_has_a_line_beside_one_that_is_not() -> None:
    """Black people are chosen half as often; women and men as often: 0 points, at most 4.3, 10 are tolerated."""
    found = by_two({("b", "f"): 150, ("b", "m"): 150, ("w", "f"): 300, ("w", "m"): 300})
    sexes = [one for one in found.findings[0].claims if one.decides and one.who.startswith("sex")]
    most = max(one.high for one in sexes)
    bound = f"at most {100 * most:.2f} points, with 95% confidence"
    within = [one for one in others(found) if one.said == "within"]
    assert within == [Other("within", "every group of 'sex'", "shares that get the decision s = yes", bound)]
    told = f"Within the tolerance: every group of 'sex', {bound} (shares that get the decision s = yes)."
    assert told in who_is_affected(found)
    assert other_attributes(found) == "'sex' within the tolerance in the same measure"
    assert "beyond the tolerance too: the combination of race = b and sex = " in found.findings[0].explanation
    still = by_two({("b", "f"): 130, ("b", "m"): 170, ("w", "f"): 280, ("w", "m"): 320})
    assert other_attributes(still) == "'sex' surely different; whether beyond the tolerance is open"
    few = by_two({("b", "f"): 10, ("b", "m"): 14, ("w", "f"): 90, ("w", "m"): 120})
    assert other_attributes(few) == "'sex' open", "as ratios are"
    assert not other_attributes(by_two({("b", "f"): 300, ("b", "m"): 300, ("w", "f"): 300, ("w", "m"): 300}))


def test_base_rates_alone_are_no_violation() -> None:
    """True-positive rates of 50% and false-positive ones of 6% in both groups, of whom 30% and 10% have the outcome."""
    found = audited(pd.concat([by_outcome("f", (750, 1_500), (210, 3_500)), by_outcome("m", (250, 500), (270, 4_500))]))
    assert found.verdict is Verdict.NO_VIOLATION
    assert "no group of sex fares worse than those it is compared with by more than" in found.opening


def test_ratios_and_differences_are_told_in_one_direction_under_the_label_that_is_shown() -> None:
    """Of those who repay 66 of 200 women and 10 of 200 men are turned away: 28 points, and a ratio of 0.67 to 0.95."""
    found = audited(pd.concat([by_outcome("f", (134, 200), (0, 100)), by_outcome("m", (190, 200), (0, 100))]))
    for delta, scale in ((0.1, "difference"), (0.5, "ratio")):
        now = found.under(delta=delta)
        assert now.deciding is not None
        assert now.deciding.scale == scale
        told, one = now.headline, case(now)
        assert told.startswith(
            "People with sex = f get the prediction y = no more often than people with sex = m where the outcome was "
            "yes: about 33% against 5%"
        )
        assert one is not None
        assert one.beside is not None
        assert one.beside.header[1] == "Shares that get the prediction y = no where the outcome was yes"
        assert one.beside.rows == (("sex = f", "33.0%"), ("sex = m", "5.0%"))
    assert told.endswith(". They get the prediction y = yes 0.71 times as often; at least 0.8 is asked for")
    assert ("Ratio of the shares that get the prediction y = yes", "0.71") in now.statistics.rows
    assert ("Ratios shown to be below the smallest one", "1") in now.statistics.rows
    box = Section("test-1", now, 0.05, now.title, now.verdict, now.headline, "", "", None, "", (), ())
    assert (box.found, box.tolerated) == ("a ratio of 0.71", "at least 0.8")


def test_one_row_stands_for_a_pair_the_one_that_is_worse() -> None:
    found = audited(pd.concat([by_outcome("f", (134, 200), (0, 100)), by_outcome("m", (190, 200), (0, 100))]))
    assert [one.who for one in found.claims if one.scale == "difference"] == ["sex = m", "sex = f"]
    for name in ("claims", "claims signed"):
        assert [row[0] for row in found.tables[name].rows] == ["sex = f"]
    assert "sex = m beside" not in found.drawing("claims").alt
    favoured = found.under(delta=0.28)
    assert [one.verdict for one in favoured.claims if one.scale == "difference"] == [
        Verdict.NO_VIOLATION, Verdict.INSUFFICIENT
    ]  # fmt: skip
    assert [row[0] for row in favoured.tables["claims"].rows] == ["sex = f"], "what is not settled is not passed over"


def test_total_exclusion_is_a_violation_where_few_are_chosen() -> None:
    """15 of 500 against 0 of 500: 3 points of 10, and a ratio of 0."""
    rows = [
        ({"sex": sex, "s": answer}, n)
        for sex, yes in (("m", 15), ("f", 0))
        for answer, n in (("yes", yes), ("no", 500 - yes))
    ]
    found = audited(counted(*rows))
    assert found.verdict is Verdict.VIOLATION
    assert found.deciding is not None
    assert found.deciding.scale == "ratio"
    assert "0.0% against 3.0%, a ratio of 0.00, where at least 0.8 is asked for" in found.opening
    difference = next(one for one in found.claims if one.who == "sex = f" and one.scale == "difference")
    assert difference.within


def test_a_clearing_says_where_the_ratio_is_open() -> None:
    """60 of 500 against 56 of 500 are within ten points; whether their ratio is at least 0.8 is not known."""
    rows = [
        ({"sex": sex, "s": answer}, n)
        for sex, yes in (("m", 60), ("f", 56))
        for answer, n in (("yes", yes), ("no", 500 - yes))
    ]
    found = audited(counted(*rows))
    assert found.verdict is Verdict.NO_VIOLATION
    assert found.reservations == "the ratio for sex = f is not settled"
    assert found.opening.endswith("where 10 are tolerated; the ratio for sex = f is not settled")
    together = Together(("groups", "other"), (found, found), (1.0, 1.0), (0.05, 0.05))
    assert together.headline.startswith(
        "With 95% confidence, groups of sex get the decision s = yes less often than others by at most "
    )
    assert together.headline.endswith(". The ratio for sex = f is not settled")


def test_a_tolerance_that_no_difference_can_exceed_clears_nobody() -> None:
    """20 of 500 against 18 of 500: of 4% nobody can have ten points less."""
    rows = [
        ({"sex": sex, "s": answer}, n)
        for sex, yes in (("m", 20), ("f", 18))
        for answer, n in (("yes", yes), ("no", 500 - yes))
    ]
    found = audited(counted(*rows))
    assert found.by_claims is Verdict.NO_VIOLATION
    assert found.verdict is Verdict.INSUFFICIENT
    assert found.headline == (
        "Nothing is decided: no group gets the rarer answer more often than 4%, so that no difference can exceed the "
        "tolerance of 10 points"
    )
    assert found.under(delta=0.035).verdict is Verdict.NO_VIOLATION


def test_fewer_than_thirty_people_are_told_first_and_decide_nothing() -> None:
    """Promotions of 24 women and 24 men: 14 and 21 (Rosen and Jerdee 1974)."""
    rows = [
        ({"sex": sex, "s": answer}, n)
        for sex, yes in (("f", 14), ("m", 21))
        for answer, n in (("yes", yes), ("no", 24 - yes))
    ]
    found = audited(counted(*rows))
    assert found.verdict is Verdict.INSUFFICIENT
    assert (
        "people with sex = f get the decision s = yes less often than people with sex = m: 58.3% against 87.5%"
        in found.opening
    )
    assert found.opening.endswith("which decides nothing with only 24 people")
    assert math.isnan(found.p_value)
    assert found.reasons[0].level == "serious"


def test_columns_that_are_not_protected_accuse_nobody() -> None:
    """Errors follow a job only, and sex is a coin."""
    rng = np.random.default_rng(0)
    senior, y = rng.random(4_000) < 0.3, rng.random(4_000) < 0.4
    wrong = rng.random(4_000) < np.where(senior, 0.25, 0.08)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 4_000), "job": np.where(senior, "senior", "junior")})
    frame = frame.assign(y=np.where(y, "yes", "no"), s=np.where(y ^ wrong, "yes", "no"))
    found = audited(frame, features=("job",))
    assert found.verdict is Verdict.NO_VIOLATION
    assert not any("job" in one.who for one in found.claims)


def paradox(sign: int) -> pd.DataFrame:
    """Women apply where fewer are taken; within a department they are taken as often, or (-1) 20 points less often."""
    rows = []
    for dept, rate, women, men in (("A", 0.7, 200, 800), ("B", 0.2, 800, 200)):
        for sex, n in (("f", women), ("m", men)):
            chosen = rate if sign > 0 or sex == "m" else rate - 0.2
            people = n if sign > 0 else {"f": men, "m": women}[sex]
            yes = round(people * chosen)
            cell = {"sex": sex, "dept": dept}
            rows += [({**cell, "s": "yes"}, yes), ({**cell, "s": "no"}, people - yes)]
    return counted(*rows)


def test_a_paradox_is_told_in_both_directions() -> None:
    found = audited(paradox(1), features=("dept",))
    assert found.verdict is Verdict.VIOLATION
    assert "; but among people alike in dept the difference is 0.0 percentage points" in found.opening
    other = audited(paradox(-1), features=("dept",))
    assert other.verdict is not Verdict.VIOLATION
    assert "; but among people alike in dept people with sex = f fare worse by 20.0 percentage points" in other.opening


def test_comparing_only_people_who_are_alike_is_a_question_of_its_own() -> None:
    pooled = audited(paradox(1), features=("dept",))
    within = pooled.under(within=("dept",))
    assert within.verdict is Verdict.NO_VIOLATION
    assert "on average among people alike in dept" in within.opening
    assert (
        "; among all people: people with sex = f get the decision s = yes less often than people with sex = m"
        in within.opening
    )
    with pytest.raises(SettingsError, match="'job' was not looked within"):
        pooled.under(within=("job",)).claims  # noqa: B018


def test_a_difference_of_shares_ends_at_all_of_them_and_few_people_are_said_to_be_few() -> None:
    rows = chosen_of(
        ({"sex": "a", "d": "A"}, 40, 80), ({"sex": "a", "d": "B"}, 20, 80),
        ({"sex": "b", "d": "A"}, 40, 80), ({"sex": "b", "d": "B"}, 20, 80),
        ({"sex": "c", "d": "A"}, 0, 1), ({"sex": "c", "d": "B"}, 1, 1),
    )  # fmt: skip
    found = audited(rows, features=("d",))
    assert all(-1 <= one.low <= one.high <= 1 for one in found.columns)
    assert any(abs(one.found.value) + 2 * one.found.error > 1 for one in found.columns)
    (told,) = [row for row in found.tables["claims within"].rows if row[0] == "sex = c"]
    assert "too few people" in told[-1]


def chosen_of(*groups: tuple[dict[str, str], int, int]) -> pd.DataFrame:
    """Of each group so many chosen, of so many people."""
    return counted(
        *(
            ({**who, "s": answer}, n)
            for who, yes, people in groups
            for answer, n in (("yes", yes), ("no", people - yes))
        )
    )


def test_differences_that_cancel_over_a_column_are_told_and_clear_nothing_within_it() -> None:
    """Women fare 24 points worse at A and 24 better at B."""
    rows = [
        ({"sex": sex, "d": d}, round(750 * (0.5 + (0.12 if (sex == "f") == (d == "B") else -0.12))), 750)
        for sex in ("f", "m")
        for d in ("A", "B")
    ]
    found = audited(chosen_of(*rows), features=("d",))
    assert found.verdict is Verdict.NO_VIOLATION
    assert "; but at d = " in found.opening
    together = Together(("groups", "other"), (found, found), (1.0, 1.0), (0.05, 0.05))
    assert ". But at d = " in together.headline
    assert "fare worse by 24.0 percentage points" in found.opening
    assert found.under(within=("d",)).verdict is Verdict.INSUFFICIENT


def test_a_reversal_is_no_difference_within_the_tolerance() -> None:
    """Group b fares worse among all, and group a at each value of d, where few of it are."""
    rows = [
        ({"sex": "a", "d": "A"}, 900, 1_200), ({"sex": "a", "d": "B"}, 60, 300),
        ({"sex": "b", "d": "A"}, 282, 300), ({"sex": "b", "d": "B"}, 456, 1_200),
    ]  # fmt: skip
    found = audited(chosen_of(*rows), features=("d",))
    assert found.named == "sex = b"
    assert "it is the other way round" in found.opening
    within = found.under(within=("d",))
    assert within.named == "sex = a"
    assert (
        "; among all people: people with sex = b get the decision s = yes less often than people with sex = a"
        in within.opening
    )


def test_whom_a_ratio_or_an_intersection_leaves_far_behind_is_not_passed_over() -> None:
    """None of 60 and 18 of 600 chosen; Black women 20 points behind, each sex and race within the tolerance."""
    few = audited(chosen_of(({"sex": "f"}, 20, 600), ({"sex": "m"}, 42, 600)))
    assert few.verdict is Verdict.INSUFFICIENT
    assert "a ratio of 0.48, where at least 0.8 is asked for" in few.opening
    rows = [
        ({"sex": sex, "race": race}, round(n * (0.33 if sex == "f" and race == "b" else 0.5)), n)
        for sex, race, n in (("f", "b", 150), ("f", "w", 600), ("m", "b", 600), ("m", "w", 600))
    ]
    both = audited(chosen_of(*rows), protected=("sex", "race"))
    assert all(one.within for one in both.claims if one.decides)
    assert both.verdict is Verdict.INSUFFICIENT
    assert "sex = f and race = b" in both.opening


def test_a_clearing_names_who_is_favoured() -> None:
    """A twelfth of the people are chosen 35 points more often; nobody fares worse than everybody else by ten."""
    found = audited(chosen_of(({"sex": "a"}, 2_400, 4_000), ({"sex": "b"}, 2_010, 3_350), ({"sex": "c"}, 610, 640)))
    assert found.verdict is Verdict.NO_VIOLATION
    assert "no group of sex fares worse than everybody else by more than" in found.opening
    assert "people with sex = c fare better by 35.3 percentage points" in found.opening


def test_where_no_end_is_good_the_direction_is_told_as_it_is() -> None:
    rng = np.random.default_rng(0)
    group, y = rng.choice(list("abc"), 3_000, p=[0.5, 0.42, 0.08]), rng.normal(50, 10, 3_000)
    frame = pd.DataFrame({"sex": group, "y": y, "s": y + rng.normal(0, 5, 3_000) + 3 * (group == "c")})
    roles = Roles(outcome="y", outcome_type="number", protected=("sex",), predictions=("s",))
    dataset = Dataset.build(frame, roles)
    model = PredictionColumns(columns=("s",), holds="number").load(FileStore(), dataset)
    found = Finding(run_audit(model, dataset, GroupFairness(), seed=0), DECISION)
    assert found.opening.startswith("Violation found: people with sex = c get higher answers than everybody else")


def test_both_claims_rest_on_the_same_rows() -> None:
    frame = paradox(1)
    frame.loc[::7, "dept"] = np.nan
    found = audited(frame, features=("dept",))
    claim = next(one for one in found.claims if one.who == "sex = f")
    assert claim.people + claim.others == found.columns[0].found.compared
    assert found.result.detail.people == claim.people + claim.others


def test_an_intersection_whose_groups_fare_alike_is_named() -> None:
    """Black women and white men are turned away, each race and each sex as often."""
    rows = []
    for sex in ("f", "m"):
        for race in ("b", "w"):
            yes = 100 if (sex == "f") == (race == "b") else 400
            rows += [({"sex": sex, "race": race, "s": "yes"}, yes), ({"sex": sex, "race": race, "s": "no"}, 500 - yes)]
    found = audited(counted(*rows), protected=("sex", "race"))
    assert found.verdict is Verdict.VIOLATION
    assert found.named in ("sex = f and race = b", "sex = m and race = w")
    assert all(one.within for one in found.claims if one.decides)
    assert audited(counted(*rows), protected=("sex", "race"), depth=1).verdict is Verdict.NO_VIOLATION


def test_a_reference_group_is_compared_in_both_directions() -> None:
    found = Finding(make_groups_result("two classes"), GroupFairnessDecision(reference=("race = White",)))
    pairs = {(one.who, one.against) for one in found.claims if one.decides and one.who.startswith("race")}
    others = {"race = Asian", "race = Black"}
    assert pairs == {(one, "race = White") for one in others} | {("race = White", one) for one in others}
    with pytest.raises(SettingsError, match="no group of a protected attribute"):
        Finding(make_groups_result("two classes"), GroupFairnessDecision(reference=("race = X",))).claims  # noqa: B018


def test_who_is_shown_to_fare_worse_is_named_where_so_much_is_tolerated() -> None:
    result = make_groups_result("two classes")
    found = Finding(result, GroupFairnessDecision(delta=0.9, ratio=0.0))
    claim = found.headlined
    assert found.verdict is Verdict.NO_VIOLATION
    assert claim is not None
    assert claim.low > 0
    assert claim.who in found.headline
    assert "with 95% confidence; 90 are tolerated" in found.headline
    same = Finding(make_groups_result("two classes", violation=0.0), GroupFairnessDecision(delta=0.9, ratio=0.0))
    assert same.headlined is not None
    assert same.headlined.low <= 0
    assert same.headline.startswith("With 95% confidence, groups of ")


def test_numbers_harm_once_people_say_which_end_is_good() -> None:
    result = make_groups_result("numbers")
    unsaid, high, low = (Finding(result, GroupFairnessDecision(delta=0.05), end) for end in ("not said", "high", "low"))
    assert unsaid.verdict is high.verdict is low.verdict is Verdict.VIOLATION
    assert (unsaid.named, high.named, low.named) == ("", "sex = Female", "sex = Male")
    assert "get lower answers than" in unsaid.opening or "get higher answers than" in unsaid.opening
    assert "to their disadvantage" in high.opening
    spread = float(result.detail.outcome.std())
    assert list({one.tolerance for one in high.claims}) == pytest.approx([0.05 * spread])


def test_impact_ratios_of_numbers_follow_the_good_end_in_every_table_and_sentence() -> None:
    """Turned round, who had the lower ratio has the highest; without a good end nobody has any."""
    result = make_groups_result("numbers")
    unsaid, high, low = (Finding(result, GroupFairnessDecision(), end) for end in ("not said", "high", "low"))
    ratios = [
        {one.who: one.estimate for one in found.parts["groups impact"] if one.who in ("sex = Female", "sex = Male")}
        for found in (high, low)
    ]
    assert min(ratios[0], key=ratios[0].__getitem__) == max(ratios[1], key=ratios[1].__getitem__)
    assert [len(found.impact_tables) for found in (unsaid, high, low)] == [0, 3, 3]
    assert "answers above the median" in high.tables["groups impact"].caption
    for table in (low.tables["groups impact"], *low.impact_tables):
        assert "answers below the median of all" in table.caption
    assert low.four_fifths(0)[0] != pytest.approx(high.four_fifths(0)[0], nan_ok=True)
    told = repr((unsaid.statistics, unsaid.tables, unsaid.parts))
    assert "impact" not in told.replace("groups impact", "").lower()
    assert any("no group has an impact ratio" in limit for limit in unsaid.assumptions)
    assert [found.affected for found in (unsaid, high)] == [
        next(limit for limit in unsaid.assumptions if limit.startswith("Which end of")),
        f"Shown to be treated worse than tolerated: {high.named}.",
    ]
    assert ["Say which end of" in one for one in unsaid.next_steps] == [True]
    assert high.next_steps == low.next_steps == ()


def test_mean_errors_have_one_sign_whichever_end_is_good_and_the_largest_difference_is_the_largest() -> None:
    result = make_groups_result("numbers")
    for end in ("not said", "high", "low"):
        found = Finding(result, GroupFairnessDecision(delta=1.0), end)
        told = {one.who: one.estimate for one in found.parts["groups rates"] if one.what == "Mean error"}
        for claim in found.claims:
            if claim.decides:
                assert claim.here == pytest.approx(told[claim.who])
        shown = case(found)
        assert shown is not None
        assert shown.title == "The largest difference of a single group"
        largest = max((one for one in found.claims if one.decides and one.judged), key=lambda one: one.estimate)
        assert [row[0] for row in shown.beside.rows] == [largest.who, largest.against]
        assert shown.beside.header[1] == "Mean errors (answer less outcome)"


def test_classes_without_a_favourable_one_name_nobody() -> None:
    """Each answer among people with that outcome, in both directions; without outcomes each answer among all."""
    detail = make_detail("three classes", rows=3_000)
    found = finding_of(detail, delta=0.02)
    assert found.verdict is Verdict.VIOLATION
    assert found.named == ""
    assert {(one.what, one.of) for one in found.claims} == {("recall", name) for name in detail.classes}
    assert all(one.scale == "difference" and not one.one_sided for one in found.claims)
    assert any("nobody is named as harmed" in limit for limit in found.assumptions)
    decided = finding_of(replace(detail, outcome=np.full(3_000, -1.0)), delta=0.02)
    assert {(one.what, one.of) for one in decided.claims} == {("class", name) for name in detail.classes}


def test_other_measures_are_asked_for_and_refused_where_they_make_no_sense() -> None:
    result = make_groups_result("two classes")
    for measure in ("true-positive rate", "selection rate", "predictive value"):
        claims = Finding(result, GroupFairnessDecision(measure=measure)).claims
        assert {one.what for one in claims} == {measure}
    with pytest.raises(SettingsError, match="needs an outcome and a favourable answer"):
        Finding(make_groups_result("numbers"), GroupFairnessDecision(measure="selection rate")).claims  # noqa: B018


def test_an_outcome_that_is_a_decision_is_told_as_one() -> None:
    found = Finding(make_groups_result("two classes"), GroupFairnessDecision(outcome="a decision"))
    assert any("is an earlier decision" in one.what for one in found.reasons)
    assert any("itself a decision" in one for one in found.assumptions)


def test_the_same_stream_makes_the_same_prediction_sets() -> None:
    people = make_people("two classes", rows=300)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    data, audit = model.encode(dataset), GroupFairness()
    detail, caveats = run(audit, Given(model, data, np.random.default_rng(7)))
    first, _ = np.random.default_rng(7).spawn(2)
    for one, sets in zip(detail.attributes, detail.coverage, strict=True):
        same = calibrate(detail.answers, detail.outcome, one, audit.coverage, first, times=detail.times)
        assert same.covered.tobytes() == sets.covered.tobytes()
    assert caveats == ()


def test_a_column_to_look_within_that_is_no_feature_is_refused() -> None:
    people = make_people("two classes", rows=60)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    for name in ("nobody", "sex"):
        with pytest.raises(SettingsError, match="no feature beside the protected attributes"):
            run(GroupFairness(columns=(name,)), Given(model, model.encode(dataset), np.random.default_rng(0)))


def test_the_verdict_is_the_judges() -> None:
    for result in (
        make_groups_result("two classes"),
        make_groups_result("numbers"),
        make_groups_result("four classes"),
    ):
        for delta in (0.0, 0.1, 0.6):
            finding = Finding(result, GroupFairnessDecision(delta=delta))
            assert finding.verdict is judge(finding.claims)
            assert (finding.p_value <= 0.05) == (finding.verdict is Verdict.VIOLATION)


def test_the_audit_says_what_the_claim_says() -> None:
    frame = pd.concat([by_outcome("m", (300, 400), (50, 400)), by_outcome("f", (150, 400), (50, 400))])
    found = audited(frame)
    dataset = Dataset.build(frame, Roles(protected=("sex",), **YES))
    model = PredictionColumns(columns=("s",), holds="labels").load(FileStore(), dataset)
    odds = run_audit(model, dataset, EqualizedOdds(learner="linear", dummies=99), seed=0)
    beside = EqualizedOddsFinding(odds, EqualizedOddsDecision(delta=0.1))
    together = Together(("odds", "groups"), (beside, found), adjusted((beside.p_value, found.p_value)), (0.05, 0.05))
    assert together.verdict is Verdict.VIOLATION
    assert "62.5% against 25.0%" in together.headline


def test_an_unknown_attribute_is_refused() -> None:
    with pytest.raises(SettingsError, match="'age' was not tested"):
        Finding(make_groups_result(), GroupFairnessDecision(attribute="age")).place  # noqa: B018


@pytest.mark.parametrize("shape", SHAPES)
def test_every_sort_of_result_has_a_report_a_record_and_figures(shape: str) -> None:
    result = make_groups_result(**SHAPES[shape])
    study = Study(plans=(make_fair_dummies_plan(result),))
    page, record = render(study, (result,)), AUDITS.to_json(study, (result,))
    read = AUDITS.read(record)
    assert read.plan == study
    assert read.numbers is not None
    assert differences(read.numbers[0], numbers_json(result, study.plans[0])) == ()
    for markup in ("<b onclick", "<i>deny", "<i>Female</i>", "<img src=x"):
        assert markup not in page
    (section,) = build(study, Together.of(study, (result,))).tests
    finding = section.finding
    for name in finding.charts:
        assert len(finding.drawing(name).alt) > 40
        assert name in finding.tables
    for table in (finding.statistics, *finding.tables.values()):
        assert {len(row) for row in table.rows} <= {len(table.header)}
        assert len(set(table.header)) == len(table.header)
        assert not any("nan" in cell.split() for row in table.rows for cell in row)
    assert len(finding.assumptions) >= 5
    told = case(finding)
    assert told is not None
    assert finding.sentence.startswith(finding.opening)


def test_the_lowest_impact_ratio_is_that_of_any_group_or_intersection() -> None:
    finding = Finding(make_groups_result("two classes"), DECISION)
    rows = {row[0]: row[1] for row in finding.statistics.rows}
    lowest = min(float(np.nanmin(table.impacts[0].values)) for table in finding.group_tables)
    assert f"{lowest:.2f} (" in rows["Lowest impact ratio of a group"]
