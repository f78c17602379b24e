"""Decisions by group: ten people counted by hand, fairlearn's own functions, and laws."""

from functools import partial

import fairlearn.metrics as fl
import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from core.audits.group_fairness.decisions import decision_tables
from core.audits.group_fairness.families import families
from core.audits.group_fairness.table import GroupTable
from core.data.missing import MISSING_GROUP
from core.inference.share import Share
from tests.core.audits.group_fairness.cases import answered, attribute, both, random_people, ten_people


@pytest.fixture(scope="module")
def ten() -> tuple[GroupTable, ...]:
    """The ten people 160 times over, so that every rate rests on 160 people at least."""
    return decision_tables(*ten_people(160), 0.05)


def test_the_tables_of_ten_people_are_those_counted_by_hand(ten: tuple[GroupTable, ...]) -> None:
    """sex: women are persons 1-4, men 5-10.

    person    1 2 3 4 5 6 7 8 9 10
    sex       f f f f m m m m m m
    region    e e w w e e e w w w
    outcome   + + - - + + + - - -
    decision  + - + - + + + - + -

    Selection: women 2/4 (1, 3), men 4/6 (5, 6, 7, 9); the ratio is (2/4) / (4/6) = 3/4.
    True-positive rate: women 1/2 (1 of 1, 2), men 3/3. False-positive rate: women 1/2 (3 of 3, 4), men 1/3 (9 of 8-10).
    Accuracy: women 2/4 (1, 4), men 5/6 (all but 9). Balanced: women (1/2 + 1/2) / 2, men (3/3 + 2/3) / 2 = 5/6.
    """
    table = ten[0]
    values = {one.name: one.values for one in table.measures}
    assert table.family.groups == (("f",), ("m",))
    assert list(table.family.rows) == [4 * 160, 6 * 160]
    assert table.family.shares == pytest.approx([0.4, 0.6])
    assert values["selection rate"] == pytest.approx([2 / 4, 4 / 6])
    assert values["true-positive rate"] == pytest.approx([1 / 2, 1])
    assert values["false-positive rate"] == pytest.approx([1 / 2, 1 / 3])
    assert values["accuracy"] == pytest.approx([2 / 4, 5 / 6])
    assert values["balanced accuracy"] == pytest.approx([1 / 2, 5 / 6])
    impact = table.impact("selection rate")
    assert impact is not None
    assert impact.values == pytest.approx([3 / 4, 1])
    assert impact.highest == 1
    found = {one.name: one.value for one in table.differences}
    assert found == pytest.approx(
        {
            "statistical parity": 4 / 6 - 2 / 4,
            "equal opportunity": 1 - 1 / 2,
            "false-positive rate": 1 / 2 - 1 / 3,
            "average odds": ((1 - 1 / 2) + (1 / 2 - 1 / 3)) / 2,
            "equalized odds": 1 / 2,
            "accuracy": 5 / 6 - 2 / 4,
            "balanced accuracy": 5 / 6 - 1 / 2,
        }
    )


def test_intersections_of_ten_people_are_those_counted_by_hand(ten: tuple[GroupTable, ...]) -> None:
    """Women: e (1, 2) 1/2, w (3, 4) 1/2; men: e (5, 6, 7) 3/3, w (8, 9, 10) 1/3.

    Everybody in e has the favourable outcome and nobody in w, so no intersection has both outcomes.
    """
    table = ten[2]
    assert table.family.attributes == ("sex", "region")
    assert table.family.groups == (("f", "e"), ("f", "w"), ("m", "e"), ("m", "w"))
    assert list(table.family.rows) == [2 * 160, 2 * 160, 3 * 160, 3 * 160]
    selection, impact = table.measure("selection rate"), table.impact("selection rate")
    assert selection is not None
    assert impact is not None
    assert selection.values == pytest.approx([1 / 2, 1 / 2, 1, 1 / 3])
    assert impact.values == pytest.approx([1 / 2, 1 / 2, 1, 1 / 3])
    balanced, true = table.measure("balanced accuracy"), table.measure("true-positive rate")
    assert balanced is not None
    assert true is not None
    assert np.isnan(balanced.values).all()
    assert true.values == pytest.approx([1 / 2, np.nan, 1, np.nan], nan_ok=True)


def test_ten_people_are_too_few_to_say_anything() -> None:
    for table in decision_tables(*ten_people(1), 0.05):
        assert not table.family.judged.any()
        for measure in table.measures:
            assert np.isnan([measure.values, measure.low, measure.high]).all()
        assert table.impacts[0].highest == -1
        assert all(np.isnan(one.value) and np.isnan(one.low) and np.isnan(one.high) for one in table.differences)


def test_a_rates_own_interval_is_wilsons(ten: tuple[GroupTable, ...]) -> None:
    selection = ten[0].measure("selection rate")
    assert selection is not None
    ends = Share(2 * 160, 4 * 160).two_sided(0.05)
    assert (selection.low[0], selection.high[0]) == (ends.low, ends.high)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_values_are_fairlearns_to_the_last_digit(place: int) -> None:
    outcome, decision, score, attributes = random_people(3000, 2, 0)
    table = decision_tables(answered(outcome, decision, score), attributes, 0.05)[place]
    sensitive = [attributes[0].codes, attributes[1].codes, both(attributes)][place]
    frame = fl.MetricFrame(
        metrics={
            "selection rate": fl.selection_rate,
            "true-positive rate": fl.true_positive_rate,
            "false-positive rate": fl.false_positive_rate,
            "accuracy": accuracy_score,
            "balanced accuracy": balanced_accuracy_score,
        },
        y_true=outcome,
        y_pred=decision,
        sensitive_features=sensitive,
    )
    for name in frame.by_group:
        measure = table.measure(name)
        assert measure is not None
        assert list(measure.values) == list(frame.by_group[name])
    impact = table.impact("selection rate")
    assert impact is not None
    assert impact.values.min() == frame.ratio()["selection rate"]
    means = fl.MetricFrame(metrics=fl.mean_prediction, y_true=outcome, y_pred=score, sensitive_features=sensitive)
    prediction = table.measure("mean prediction")
    assert prediction is not None
    assert list(prediction.values) == list(means.by_group)
    two = (outcome, decision)
    expected = {
        "statistical parity": fl.demographic_parity_difference(*two, sensitive_features=sensitive),
        "equal opportunity": fl.equal_opportunity_difference(*two, sensitive_features=sensitive),
        "average odds": fl.equalized_odds_difference(*two, sensitive_features=sensitive, agg="mean"),
        "equalized odds": fl.equalized_odds_difference(*two, sensitive_features=sensitive),
        "accuracy": frame.difference()["accuracy"],
        "balanced accuracy": frame.difference()["balanced accuracy"],
    }
    found = {one.name: one.value for one in table.differences}
    assert {name: found[name] for name in expected} == expected


def test_more_than_two_classes_have_a_selection_rate_each() -> None:
    outcome, decision, _, attributes = random_people(2000, 3, 1)
    classes = ("x", "y", "z")
    table = decision_tables(answered(outcome, decision, classes=classes, favourable=-1), attributes, 0.05)[1]
    codes = attributes[1].codes
    assert table.impacts == ()
    assert table.measure("selection rate") is None
    assert table.measure("true-positive rate") is None
    each = {one.of: one for one in table.measures if one.of}
    for k, name in enumerate(classes):
        frame = fl.MetricFrame(
            metrics={"rate": partial(fl.selection_rate, pos_label=k)},
            y_true=outcome,
            y_pred=decision,
            sensitive_features=codes,
        )
        assert list(each[name].values) == list(frame.by_group["rate"])
    balanced = table.measure("balanced accuracy")
    assert balanced is not None
    for g in range(3):
        assert balanced.values[g] == balanced_accuracy_score(outcome[codes == g], decision[codes == g])
    last, two = (
        answered(outcome, decision, classes=classes, favourable=2),
        ((one == 2) * 1 for one in (outcome, decision)),
    )
    one_against_all, as_two = (decision_tables(one, attributes, 0.05)[1] for one in (last, answered(*two)))
    for name in ("selection rate", "true-positive rate", "false-positive rate"):
        found, expected = one_against_all.measure(name), as_two.measure(name)
        assert found is not None
        assert expected is not None
        assert list(found.values) == list(expected.values)


def test_scores_are_above_the_median_of_all_as_the_law_says() -> None:
    """The median of 1 to 100 is 50.5: 10 of the first 60 scores lie above it, and all of the other 40."""
    group = attribute("group", ("a", "b"), np.repeat([0, 1], [60, 40]))
    none = np.zeros(100, dtype=int)
    table = decision_tables(answered(none, none, np.arange(1.0, 101.0) / 100), (group,), 0.05)[0]
    rate, impact = table.measure("scoring rate"), table.impact("scoring rate")
    assert rate is not None
    assert impact is not None
    assert rate.values == pytest.approx([10 / 60, 1])
    assert impact.values == pytest.approx([10 / 60, 1])


def people_of(rows: list[int], selected: list[int], groups: tuple[str, ...]) -> GroupTable:
    codes = np.repeat(np.arange(len(rows)), rows)
    decision = np.concatenate([np.arange(n) < k for n, k in zip(rows, selected, strict=True)]).astype(int)
    return decision_tables(answered(decision, decision), (attribute("group", groups, codes),), 0.05)[0]


def test_small_shares_and_unknown_groups_are_shown_but_not_compared_with() -> None:
    """c is 40 of 2,540 people (1.6%) and has the highest rate, 36/40; the unknown have 90/100."""
    table = people_of([1200, 1200, 40, 100], [600, 480, 36, 90], ("a", "b", "c", MISSING_GROUP))
    impact = table.impact("selection rate")
    assert impact is not None
    assert impact.highest == 0
    assert list(table.family.below_two_percent) == [False, False, True, False]
    assert list(table.family.unknown) == [False, False, False, True]
    assert impact.values[:3] == pytest.approx([1, 0.8, 0.9 / 0.5])
    assert impact.low[2] > 1
    assert np.isnan([impact.values[3], impact.low[3], impact.high[3]]).all()
    selection = table.measure("selection rate")
    assert selection is not None
    assert selection.values[3] == pytest.approx(0.9)
    found = table.difference("statistical parity")
    assert found is not None
    assert found.value == pytest.approx(0.9 - 0.4)
    assert found.highest == 2


def test_a_group_below_thirty_is_neither_told_nor_compared_with() -> None:
    table = people_of([29, 300, 300], [29, 150, 120], ("a", "b", "c"))
    impact = table.impact("selection rate")
    assert impact is not None
    assert np.isnan([impact.values[0], impact.low[0], impact.high[0]]).all()
    assert impact.highest == 1
    assert impact.values[2] == pytest.approx(0.8)


def test_nobody_selected_has_no_ratio() -> None:
    table = people_of([100, 100], [0, 0], ("a", "b"))
    impact, parity = table.impact("selection rate"), table.difference("statistical parity")
    assert impact is not None
    assert parity is not None
    assert impact.highest == -1
    assert np.isnan(impact.values).all()
    assert (parity.value, parity.low) == (0, 0)
    assert 0 < parity.high < 0.1


def test_people_without_a_known_group_are_counted() -> None:
    sex = attribute("sex", ("f", "m"), np.array([0] * 40 + [1] * 40 + [-1] * 20))
    region = attribute("region", ("e", "w", "nobody"), np.tile([0, 1], 50))
    single, other, pair = families((sex, region))
    assert (single.left_out, other.left_out, pair.left_out) == (20, 0, 20)
    assert single.shares == pytest.approx([0.4, 0.4])
    assert other.groups == (("e",), ("w",))
    assert len(pair.groups) == 4


def parts(table: GroupTable) -> dict[str, np.ndarray]:
    found = {f"{one.name} {one.of}": np.array([one.values, one.low, one.high]) for one in table.measures}
    return found | {f"impact of {one.of}": np.array([one.values, one.low, one.high]) for one in table.impacts}


def test_other_names_permute_the_rows_and_change_nothing_else() -> None:
    outcome, decision, score, attributes = random_people(1000, 2, 2)
    order = np.array([2, 0, 1])
    renamed = attribute("race", tuple(np.array(("a", "b", "c"))[order]), np.argsort(order)[attributes[1].codes])
    people = answered(outcome, decision, score)
    one, other = (decision_tables(people, race, 0.05)[0] for race in (attributes[1:], (renamed,)))
    for name, found in parts(other).items():
        assert np.array_equal(found, parts(one)[name][:, order])
    assert [(d.name, d.value, d.low, d.high) for d in one.differences] == [
        (d.name, d.value, d.low, d.high) for d in other.differences
    ]


def test_twice_the_people_have_the_same_rates_and_shorter_intervals() -> None:
    outcome, decision, score, attributes = random_people(1000, 2, 3)
    doubled = tuple(attribute(one.name, one.groups, np.tile(one.codes, 2)) for one in attributes)
    once = decision_tables(answered(outcome, decision, score), attributes, 0.05)
    twice = decision_tables(answered(*(np.tile(one, 2) for one in (outcome, decision, score))), doubled, 0.05)
    for one, two in zip(once, twice, strict=True):
        for name, (values, low, high) in parts(one).items():
            same, lower, upper = parts(two)[name]
            known = np.isfinite(values) & (high > low)
            assert known.any()
            assert same[np.isfinite(values)] == pytest.approx(values[np.isfinite(values)])
            assert (upper - lower < high - low)[known].all()


def test_all_that_is_compared_widens_with_the_number_of_attributes() -> None:
    outcome, decision, _, attributes = random_people(1000, 2, 4)
    people = answered(outcome, decision)
    alone, among = (decision_tables(people, some, 0.05)[0] for some in (attributes[:1], attributes))
    own, other = alone.difference("statistical parity"), among.difference("statistical parity")
    assert own is not None
    assert other is not None
    assert other.value == own.value
    assert other.high > own.high
