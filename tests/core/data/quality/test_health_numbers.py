"""A table whose outcome is a number is looked over: its spread, its mean in each group, and what is the matter."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.data.bins import is_continuous, quantile_bins
from core.data.cells import as_text, code_column
from core.data.quality.health import examine
from core.data.quality.number_outcome import group_means, summarise_numbers
from core.data.quality.proxies import is_proxy_of
from core.data.roles import Roles
from core.language.reader import speaking
from core.language.told import retold
from tests.core.data.quality.caveats import found

ROWS = 400
ROLES = Roles(
    outcome="cost", outcome_type="number", protected=("sex",), features=("age", "job"), predictions=("guess",)
)
CLASSES = Roles(outcome="cost", favourable="1", protected=("sex",), features=("age", "job"))


def people(**changes: object) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    table: dict[str, object] = {
        "age": rng.normal(40, 10, ROWS),
        "job": rng.choice(["cook", "clerk", "pilot"], ROWS),
        "sex": rng.choice(["F", "M"], ROWS),
        "guess": rng.normal(100, 20, ROWS),
        "cost": rng.normal(100, 20, ROWS),
    }
    return pd.DataFrame(table | changes)


def test_a_sound_table_has_no_findings() -> None:
    health = examine(people(), ROLES)
    assert health.findings == ()
    assert health.outcomes.empty
    assert health.groups["favourable"].isna().all()


def test_classes_have_no_mean() -> None:
    health = examine(people(cost=np.tile([0, 1], ROWS // 2)), CLASSES)
    assert health.numbers is None
    assert health.groups["mean"].isna().all()


class TestSpread:
    def test_it_is_that_of_the_finite_values(self) -> None:
        values = np.array([3.0, 1.0, np.nan, 2.0, np.inf, 10.0])
        told = summarise_numbers(values)
        assert told is not None
        assert (told.rows, told.distinct, told.mean) == (4, 4, 4.0)
        assert told.spread == pytest.approx(np.std([3, 1, 2, 10], ddof=1))
        assert told.quartiles == tuple(np.quantile([1, 2, 3, 10], (0, 0.25, 0.5, 0.75, 1)))
        assert told.largest_share == pytest.approx(36 / 50)
        assert told.counts.sum() == 4

    def test_nothing_finite_has_none(self) -> None:
        assert summarise_numbers(np.array([np.nan, np.inf])) is None

    @pytest.mark.parametrize("values", [[7.0] * 50, [1e308, -1e308] * 30, [5.0]])
    def test_extremes_divide_by_nothing(self, values: list[float]) -> None:
        with np.errstate(all="raise"):
            told = summarise_numbers(np.array(values))
        assert told is not None
        assert len(told.edges) == len(told.counts) + bool(len(told.counts))


class TestMeans:
    def test_they_are_scipys_t_intervals(self) -> None:
        """Oracle: ``scipy.stats.t.interval`` of each group alone."""
        frame = people()
        frame.loc[[1, 2, 3], "cost"] = np.nan
        groups = examine(frame, ROLES).groups.set_index("group")
        for group, values in frame.dropna().groupby("sex")["cost"]:
            low, high = stats.t.interval(0.95, len(values) - 1, loc=values.mean(), scale=stats.sem(values))
            assert tuple(groups.loc[group, ["mean", "low", "high"]]) == pytest.approx((values.mean(), low, high))

    def test_they_move_with_the_unit(self) -> None:
        """Law: with a·y + b every mean and every end becomes a times itself plus b."""
        rng = np.random.default_rng(0)
        values, codes = rng.normal(size=200), rng.integers(-1, 4, 200)
        assert group_means(3 * values + 7, codes, 4) == pytest.approx(3 * group_means(values, codes, 4) + 7)

    def test_their_intervals_cover(self) -> None:
        """Simulation: 95% intervals of 2,000 groups of 12 cover in 0.95 ± 3 standard errors (0.0146)."""
        rng = np.random.default_rng(1)
        _, low, high = group_means(rng.normal(5, 3, 24_000), np.repeat(np.arange(2_000), 12), 2_000)
        assert abs(np.mean((low <= 5) & (high >= 5)) - 0.95) < 0.0146

    def test_single_people_have_no_interval_and_empty_groups_no_mean(self) -> None:
        mean, low, high = group_means(np.array([4.0, np.nan]), np.array([0, 1]), 3)
        assert mean[0] == 4
        assert np.isnan([*low, *high, *mean[1:]]).all()


class TestBands:
    def test_they_are_quarters_in_ascending_order(self) -> None:
        values = pd.Series(np.random.default_rng(2).permutation(100) / 100)
        codes, names = quantile_bins(values)
        assert np.bincount(codes).tolist() == [25] * 4
        assert names == ("0.00 to 0.24", "0.25 to 0.49", "0.50 to 0.74", "0.75 to 0.99")
        assert all(values[codes == k].max() < values[codes == k + 1].min() for k in range(3))

    def test_they_are_read_in_the_readers_language(self) -> None:
        _, names = quantile_bins(pd.Series(np.arange(100) / 100))
        with speaking("de"):
            assert [retold(name) for name in names[:2]] == ["0,00 bis 0,24", "0,25 bis 0,49"]

    def test_equal_values_stay_together_and_gaps_are_in_none(self) -> None:
        codes, names = quantile_bins(pd.Series([0.0] * 80 + [*range(1, 21)] + [np.nan]))
        assert names == ("0", "1 to 20")
        assert np.bincount(codes + 1).tolist() == [1, 80, 20]

    def test_a_protected_number_is_shown_in_bands_and_its_groups_are_not_too_small(self) -> None:
        share = np.linspace(0, 1, ROWS)
        health = examine(people(share=share), ROLES.model_copy(update={"protected": ("share", "sex")}))
        assert [caveat.level for caveat in health.findings] == ["info"]
        assert "'share' (400 different values)" in found(health, "in bins").what
        assert health.groups["rows"].tolist()[:4] == [100] * 4
        codes = health.columns.set_index("column")
        assert codes.loc["share", "role"] == "protected"

    def test_codes_are_groups(self) -> None:
        assert not is_continuous(pd.Series(np.arange(400) % 20))
        assert is_continuous(pd.Series(np.arange(400) % 21))
        assert not is_continuous(pd.Series([f"{place}" for place in range(50)]))


class TestFindings:
    def test_few_different_values_may_be_classes(self) -> None:
        caveat = found(examine(people(cost=np.arange(ROWS) % 10), ROLES), "only 10 different numbers")
        assert caveat.level == "warning"
        assert "classes" in caveat.advice
        assert not [n for n in examine(people(cost=np.arange(ROWS) % 11), ROLES).findings if "only" in n.what]

    def test_one_value_is_serious(self) -> None:
        assert found(examine(people(cost=3.5), ROLES), "same outcome").level == "serious"

    def test_infinite_values_are_counted_and_do_not_hide_the_rest(self) -> None:
        costs = people()["cost"].to_numpy(copy=True)
        costs[[11, 30]] = np.inf, -np.inf
        health = examine(people(cost=costs), ROLES)
        assert "the first in row 12" in found(health, "2 values of 'cost' are infinite").what
        assert health.numbers is not None
        assert health.numbers.rows == ROWS - 2
        assert np.isfinite(health.groups["mean"]).all()

    def test_a_skewed_tail_is_told_with_its_share(self) -> None:
        costs = np.ones(ROWS)
        costs[:4] = 1_000
        costs[4:] += np.arange(ROWS - 4) / 100
        caveat = found(examine(people(cost=costs), ROLES), "4 rows farthest from the mean (1%)")
        share = np.sort((costs - costs.mean()) ** 2)[-4:].sum() / ((costs - costs.mean()) ** 2).sum()
        assert f"{share:.0%} of its variance" in caveat.what

    def test_words_among_numbers_are_gaps(self) -> None:
        costs = people()["cost"].astype(object)
        costs[[41, 7]] = "unknown", "none yet"
        health = examine(people(cost=costs), ROLES)
        caveat = found(health, "2 of 400 cells of the outcome 'cost' are no numbers: 'none yet' in row 8")
        assert caveat.level == "warning"
        assert health.rows_with_missing == 2

    def test_an_outcome_of_words_is_serious_and_not_called_empty(self) -> None:
        health = examine(people(cost=["low", "high"] * (ROWS // 2)), ROLES)
        assert found(health, "400 of 400 cells of the outcome").level == "serious"
        assert not [caveat for caveat in health.findings if "empty." in caveat.what]

    def test_classes_with_a_value_of_its_own_in_every_row_are_a_number(self) -> None:
        frame = people().head(60)
        caveat = found(examine(frame, CLASSES), "60 different values and every row has its own")
        assert caveat.level == "serious"
        assert "It is a number." in caveat.what
        assert caveat.advice == "Say that the outcome holds a number."
        named = frame.assign(cost=[f"person {place}" for place in range(60)])
        assert "number" not in found(examine(named, CLASSES), "every row has its own").what

    def test_classes_that_are_many_numbers_are_asked_about(self) -> None:
        assert found(examine(people(cost=np.arange(ROWS) % 40), CLASSES), "is it a number?").level == "warning"
        assert not [n for n in examine(people(cost=np.arange(ROWS) % 4), CLASSES).findings if "is it a" in n.what]

    def test_people_without_a_group_are_counted(self) -> None:
        sex = people()["sex"].astype(object)
        sex[:30] = None
        frame = people(sex=sex)
        assert found(examine(frame, ROLES), "Without 'sex': 30 rows of 400").level == "warning"
        kept = examine(frame, ROLES.model_copy(update={"missing": "own category"}))
        assert not [caveat for caveat in kept.findings if "Without" in caveat.what]
        assert kept.groups.set_index("group").loc["(missing)", "rows"] == 30


class TestOtherWords:
    @pytest.mark.parametrize("change", [lambda y: 3 * y - 2, np.exp, lambda y: -y, lambda y: (y * 1e4).round() / 1e4])
    def test_a_number_in_another_unit_is_the_same(self, change: object) -> None:
        costs = np.random.default_rng(7).normal(size=ROWS)
        health = examine(people(cost=costs, age=change(costs)), ROLES)  # type: ignore[operator]
        assert found(health, "'age' says the outcome in other words").level == "serious"

    def test_different_numbers_are_not_the_same_though_no_value_repeats(self) -> None:
        rng = np.random.default_rng(8)
        close = people()["cost"] + rng.normal(0, 2, ROWS)
        assert examine(people(age=close), ROLES).findings == ()

    def test_a_name_in_every_row_says_nothing(self) -> None:
        names = [f"job {place}" for place in range(ROWS)]
        assert not [n for n in examine(people(job=names), ROLES).findings if "other words" in n.what]

    def test_words_for_a_number_with_few_values_are_the_same(self) -> None:
        grade = np.arange(ROWS) % 5
        frame = people(cost=grade, job=pd.Series(grade).map(dict(enumerate("bdaec"))))
        assert found(examine(frame, ROLES), "'job' says the outcome in other words")

    def test_predictions_that_are_the_outcome_are_questioned_and_good_ones_are_not(self) -> None:
        frame = people()
        assert found(examine(frame.assign(guess=frame["cost"]), ROLES), "right in every row")
        nearly = frame["cost"] + np.random.default_rng(9).normal(0, 1e-3, ROWS)
        assert examine(frame.assign(guess=nearly), ROLES).findings == ()

    def test_a_feature_that_is_a_protected_number(self) -> None:
        share = np.random.default_rng(10).random(ROWS)
        roles = ROLES.model_copy(update={"protected": ("share",)})
        assert found(examine(people(share=share, age=1 - share), roles), "'age' says 'share' in other words")
        assert not [n for n in examine(people(share=share), roles).findings if "other words" in n.what]

    def test_ranks_agree_with_scipy_on_either_side_of_the_limit(self) -> None:
        rng = np.random.default_rng(11)
        first = rng.normal(size=2_000)
        for noise in (0.005, 0.05):
            second = first + rng.normal(0, noise, 2_000)
            agree = stats.spearmanr(first, second).statistic > 0.9999
            coded = [code_column(name, pd.Series(values)) for name, values in (("a", first), ("b", second))]
            assert is_proxy_of(*coded) == agree
        assert not is_proxy_of(coded[0], code_column("c", as_text(pd.Series(first > 0))))
