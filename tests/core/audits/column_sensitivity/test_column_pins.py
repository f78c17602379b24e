"""Limits and numbers of the column test, each pinned."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.doubts import always
from core.audits.column_sensitivity.engine import GroupChange, directional, run
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding as Finding
from core.base.errors import AuditError
from core.base.progress import Progress
from core.claims_told import rows_needed
from core.contracts.audit import Given
from core.inference.estimate import Verdict
from core.inference.excess import GROUP_DRAWS, LEVEL
from core.one_estimate import more_rows
from tests.builders_columns import make_column_result
from tests.core.audits.column_sensitivity.test_column_sensitivity import logistic, people, scores


def test_intervals_told_of_an_attribute_are_those_of_its_estimates() -> None:
    finding = Finding(make_column_result(draws=199), ColumnSensitivityDecision(alpha=0.1))
    for claim, one in zip(finding.claims, finding.estimates, strict=True):
        assert (claim.estimate, claim.interval) == (one.value, one.two_sided(0.1))
    slopes, shares = finding.parts["column sensitivity interval"], finding.parts["column sensitivity flips"]
    assert [one.who for one in slopes] == [one.who for one in shares[:2]] == ["sex", "race"]
    for told in (*finding.claims, *slopes, *shares):
        assert told.interval is not None
        assert told.interval.low <= told.estimate <= told.interval.high
    other = finding.under(measure="slope")
    assert (other.claims, other.parts["column sensitivity interval"]) == (slopes, finding.claims)


@pytest.mark.parametrize(("people", "few"), [(29, True), (30, False)])
def test_fewer_than_thirty_people_are_too_few(people: int, few: bool) -> None:
    result = make_column_result(rows=people, draws=199)
    caveats = [caveat.what for caveat in always(result.detail.attributes[0], ())]
    assert (f"Only {people} people were measured." in caveats) is few


def test_draws_of_groups_make_usual_error_rates_whole_numbers() -> None:
    assert (GROUP_DRAWS + 1) % 1000 == 0


def test_groups_are_told_with_the_intervals_that_hold_together() -> None:
    finding = Finding(make_column_result(draws=199), ColumnSensitivityDecision(alpha=0.1))
    means = finding.group_means
    groups = finding.parts["column sensitivity groups"]
    for told, *numbers in zip(groups, means.rows, means.means, means.low, means.high, strict=True):
        assert [told.people, told.estimate, told.low, told.high] == numbers
        assert told.low < told.estimate < told.high
    own = [one for one in finding.excesses if one.attribute == "sex"]
    assert [one.p_value for one in groups] == [one.p_mean for one in own]
    assert [one.p_value for one in finding.parts["column sensitivity flips"][2:]] == [one.p_changed for one in own]


@pytest.mark.parametrize(("groups", "shifts"), [
    (np.arange(40) == 7, [[-1.0], [1.0]]), (np.arange(45) % 3, [[-1.5], [0.0], [1.5]]),
])  # fmt: skip
def test_shifts_are_means_over_those_who_move(groups: np.ndarray, shifts: list[list[float]]) -> None:
    """The group is a number: one person who moves by 1; of 0, 1 and 2, alike many, two halves that cancel."""
    table = people(len(groups))
    table = replace(table, frame=table.frame.assign(female=groups.astype(np.int64)))
    detail, _ = scores(logistic((1.0, 0.0, 2.0), 0.0), table)
    assert detail.attributes[0].columns == ("female",)
    np.testing.assert_array_equal(detail.attributes[0].shift, shifts)
    assert detail.learned_on == 0


def test_thirty_rows_are_enough_to_measure() -> None:
    detail, _ = scores(logistic((1.0, 1.0, 0.0), 0.0), people(60), through=("hair",), share=0.5)
    assert (detail.learned_on, len(detail.attributes[0].change)) == (30, 30)


def test_progress_grows_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.audits.column_sensitivity.engine.ROWS_AT_ONCE", 25)
    seen: list[Progress] = []
    model, table = logistic((1.0, 0.0, 2.0), 0.0), people(100)
    run(ColumnSensitivity(), Given(model, model.encode(table), np.random.default_rng(1), on_progress=seen.append))
    assert [one.done for one in seen] == pytest.approx([0.25, 0.5, 0.75, 1.0])


def test_a_group_whose_p_value_is_the_level_is_beyond() -> None:
    finding = Finding(make_column_result(draws=199), ColumnSensitivityDecision())
    finding.__dict__["excesses"] = tuple(replace(one, p_mean=LEVEL, p_changed=1.0) for one in finding.excesses)
    assert {one.attribute for one in finding.beyond} == {"sex", "race"}


def test_the_attribute_whose_lower_bound_is_beyond_decides_and_not_one_of_a_wider_interval() -> None:
    result = make_column_result(rows=400, draws=199)
    sure, wide = 0.07 + 1e-4 * np.sin(np.arange(400)), (np.arange(400) < 24).astype(np.float64)
    changed = zip(result.detail.attributes, (sure, wide), strict=True)
    attributes = tuple(replace(one, change=change) for one, change in changed)
    finding = Finding(
        replace(result, detail=replace(result.detail, attributes=attributes)), ColumnSensitivityDecision()
    )
    one, other = finding.estimates
    assert other.lower_bound(0.05) < finding.decision.delta < one.lower_bound(0.05)
    assert other.upper_bound(0.05) > one.upper_bound(0.05)
    assert finding.attribute == attributes[0].attribute


def test_a_lower_bound_that_is_the_tolerance_shows_nothing_so_that_the_largest_upper_bound_decides() -> None:
    result = make_column_result(rows=400, draws=199)
    sure, wide = 0.07 + 1e-4 * np.sin(np.arange(400)), (np.arange(400) < 24).astype(np.float64)
    changed = zip(result.detail.attributes, (sure, wide), strict=True)
    attributes = tuple(replace(one, change=change) for one, change in changed)
    result = replace(result, detail=replace(result.detail, attributes=attributes))
    bound = Finding(result, ColumnSensitivityDecision()).estimates[0].lower_bound(0.05)
    finding = Finding(result, ColumnSensitivityDecision(delta=bound))
    assert max(one.lower_bound(0.05) for one in finding.estimates) == bound == finding.decision.delta
    assert finding.attribute == attributes[1].attribute
    assert attributes[0].attribute not in str(finding.affected)
    assert attributes[0].attribute in str(Finding(result, ColumnSensitivityDecision(delta=bound - 1e-9)).affected)


def test_thirty_people_are_enough_to_judge() -> None:
    result = make_column_result(rows=30, attributes=1, draws=199)
    moved = replace(result.detail.attributes[0], change=np.linspace(0.8, 1.0, 30))
    finding = Finding(replace(result, detail=replace(result.detail, attributes=(moved,))), ColumnSensitivityDecision())
    assert finding.own_verdict is Verdict.VIOLATION


@pytest.mark.parametrize("women", [9, 10])
def test_a_mean_is_learned_from_ten_people(women: int) -> None:
    table = people(40)
    table = replace(table, frame=table.frame.assign(female=(np.arange(40) < women).astype(np.int64)))
    data = logistic((1.0, 1.0, 0.0), 0.0).encode(table)
    if women < 10:
        with pytest.raises(AuditError, match="has 9 rows to learn from; a mean needs at least 10"):
            GroupChange.learned("female", ("hair",), data, data)
    else:
        means = GroupChange.learned("female", ("hair",), data, data).means
        assert means[1, 0] == pytest.approx(table.frame["hair"][:10].mean())


def test_one_derivative_that_is_no_number_is_an_error() -> None:
    x = np.ones((5, 2))
    x[3, 0] = np.inf
    with pytest.raises(AuditError, match="not a finite number for 1 row"):
        directional(torch.nn.Linear(2, 2), x, np.ones((5, 2)))


@pytest.mark.parametrize(("protected", "through", "told"), [
    (("female",), (), False), (("female", "hired"), (), True), (("female", "hired"), ("hair",), False),
])  # fmt: skip
def test_an_attribute_that_is_not_read_is_told_where_nothing_carries_it(
    protected: tuple[str, ...], through: tuple[str, ...], told: bool
) -> None:
    table = people(200)
    table = replace(table, roles=table.roles.model_copy(update={"protected": protected}))
    _, caveats = scores(logistic((1.0, 0.0, 2.0), 0.0), table, through=through)
    assert any("does not read" in one.what for one in caveats) is told


def test_more_rows_are_asked_for_by_the_bounds_that_hold_for_all_attributes_together() -> None:
    result = make_column_result(rows=400, draws=199)
    change = result.detail.attributes[0].change
    attributes = tuple(replace(one, change=change) for one in result.detail.attributes)
    result = replace(result, detail=replace(result.detail, attributes=attributes))
    finding = Finding(result, ColumnSensitivityDecision())
    alone = finding.inference.lower_bound(0.05)
    assert finding.lower_bound < alone
    between = finding.under(delta=(finding.lower_bound + alone) / 2)
    assert between.verdict is Verdict.INSUFFICIENT
    (told,) = more_rows(between, "rows")
    assert told.startswith("Bring more rows: ")
    assert between.headlined is not None
    number = rows_needed(between, between.headlined)
    assert not number or (number in told and number in between.headline), "one number, wherever it is said"
