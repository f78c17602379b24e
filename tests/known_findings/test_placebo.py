"""The placebo bench: what shuffling keeps and breaks, the textbook against statsmodels, and who is accused."""

import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.contingency_tables import StratifiedTable

from benchmarks.placebo import BY_MODEL, BY_PREDICTIONS, NOT_RUN, by_kind, most_wrong, run, shuffled
from benchmarks.placebo_report import added, rises_by_group, unexplained
from benchmarks.placebo_tables import TABLES, PlaceboTable
from benchmarks.registry import KEPT_FOR_THE_CHECK, one_row_each, table
from benchmarks.textbook import difference, judge, mantel_haenszel, mean_score_test, paired_bootstrap
from core.base.files import FileStore
from core.inference.estimate import Verdict

BY_NAME = {one.name: one for one in TABLES}
REPORT = Path(__file__).parents[2] / "benchmarks"


def some(clusters: list[str], sex: list[str]) -> tuple[PlaceboTable, pd.DataFrame]:
    rows = pd.DataFrame({"who": clusters, "sex": sex, "race": [f"race of {one}" for one in sex], "x": range(len(sex))})
    return PlaceboTable("p", "t", "sex race", "y", "1", "x", belongs_to="who"), rows


def test_attributes_are_shuffled_jointly_and_nothing_else_is() -> None:
    given, rows = some(list("aabbccdd"), list("ffmmxxyy"))
    for shuffle in range(20):
        found = shuffled(rows, given, shuffle)
        assert (found["race"] == "race of " + found["sex"]).all()
        assert found[["who", "x"]].equals(rows[["who", "x"]])


def test_whole_clusters_change_places() -> None:
    """A person of ten rows keeps one sex, whoever's it is."""
    given, rows = some(["a"] * 10 + ["b"] * 3 + ["c"] + ["d"] * 2, ["f"] * 10 + ["m"] * 3 + ["x"] + ["y"] * 2)
    seen = Counter()
    for shuffle in range(100):
        found = shuffled(rows, given, shuffle)
        assert (found.groupby("who")["sex"].nunique() == 1).all()
        assert set(found["sex"]) == set("fmxy")
        seen[found["sex"].iloc[0]] += 1
    assert min(seen.values()) > 12


def test_members_of_a_household_stay_together() -> None:
    """Where attributes vary within a cluster every value is kept, and neighbours stay neighbours but at the seams."""
    given, rows = some(["a"] * 5 + ["b"] * 4 + ["c"] * 3, list("fffff") + list("mmmf") + list("fmf"))
    for shuffle in range(20):
        found = shuffled(rows, given, shuffle)
        assert sorted(found["sex"]) == sorted(rows["sex"])


def test_a_shuffle_is_always_the_same() -> None:
    given, rows = some(list("aabbccdd"), list("ffmmxxyy"))
    assert shuffled(rows, given, 3).equals(shuffled(rows, given, 3))
    assert not shuffled(rows, given, 3).equals(shuffled(rows, given, 4))


def test_no_table_is_of_those_kept_for_the_check() -> None:
    assert len(TABLES) >= 20
    assert not {one.package for one in TABLES} & set(KEPT_FOR_THE_CHECK)
    with pytest.raises(LookupError):
        table("AER", "HMDA")


def test_predictions_never_saw_the_row_they_answer() -> None:
    """Answers made from noise alone are worth nothing: an overfitted model would find its own rows again."""
    from benchmarks.registry import cross_fitted

    rng = np.random.default_rng(0)
    read = pd.DataFrame(rng.normal(size=(600, 3)), columns=list("abc"))
    target = pd.Series(rng.choice(["no", "yes"], 600))
    found = cross_fitted("boosting", read, target, None)[:, 1] > 0.5
    assert abs((found == (target == "yes")).mean() - 0.5) < 0.06


@pytest.fixture(scope="module")
def berkeley() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = one_row_each(table("datasets", "UCBAdmissions"), "Freq")
    return (rows["Admit"] == "Admitted").to_numpy(float), rows["Gender"].to_numpy(), rows["Dept"].to_numpy()


def test_cochran_mantel_haenszel_is_that_of_statsmodels(berkeley: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    admitted, gender, department = berkeley
    tables = [
        [
            [((gender == sex) & (department == one) & (admitted == yes)).sum() for yes in (1, 0)]
            for sex in ("Female", "Male")
        ]
        for one in "ABCDEF"
    ]
    theirs = StratifiedTable([np.array(one, dtype=float) for one in tables]).test_null_odds(correction=False)
    assert mean_score_test(admitted, gender, department) == pytest.approx(theirs.pvalue, rel=1e-6)


def test_the_risk_difference_within_strata_keeps_its_level() -> None:
    rng = np.random.default_rng(1)
    outside = 0
    for _ in range(400):
        strata = rng.integers(4, size=400)
        inside = rng.random(400) < 0.2 + 0.15 * strata
        y = (rng.random(400) < 0.2 + 0.15 * strata + 0.1 * inside).astype(float)
        low, high = mantel_haenszel("", y, inside, strata).bounds(0.025)
        outside += not low <= 0.1 <= high
    assert outside / 400 < 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_whole_clusters_make_the_error_of_a_difference() -> None:
    """Ten copies of every row say no more than one."""
    rng = np.random.default_rng(2)
    y, inside = (rng.random(300) < 0.4).astype(float), rng.random(300) < 0.5
    once = difference("", y, inside)
    copied = difference("", np.repeat(y, 10), np.repeat(inside, 10), np.repeat(np.arange(300), 10))
    assert copied.error == pytest.approx(once.error, rel=0.02)


def test_the_paired_bootstrap_is_a_normal_limit_of_a_mean() -> None:
    changes = np.random.default_rng(3).normal(0.1, 0.05, 500)
    assert paired_bootstrap(changes, None) == pytest.approx(
        changes.mean() + np.array([-1, 1]) * 1.645 * changes.std() / 500**0.5, abs=4e-4
    )


def test_the_textbook_judges_like_a_two_proportions_test() -> None:
    women = np.repeat([True, False], 500)
    alike = np.tile([1.0, 0.0], 500)
    assert judge([difference("women", alike, women)], 0.1) is Verdict.NO_VIOLATION
    assert judge([difference("women", women.astype(float), women)], 0.1) is Verdict.VIOLATION
    assert judge([difference("women", alike[:20], women[490:510])], 0.1) is Verdict.INSUFFICIENT


def test_a_favoured_group_is_not_made_up_for_by_the_other_outcome() -> None:
    """Men all get a yes and women a no: half of all answers are wrong, and all would be within either outcome."""
    sex, deserved = np.tile(["f", "m"], 200), np.repeat(["no", "yes"], 200)
    wrong = ((sex == "m") != (deserved == "yes")).astype(float)
    assert abs(mantel_haenszel("", wrong, sex == "f", deserved).value) < 1e-12
    rises = [
        max(rises_by_group(wrong, sex, np.zeros(400), deserved == one), key=lambda o: o.value) for one in ["no", "yes"]
    ]
    assert added("", rises).who == "m, f"
    assert added("", rises).value == pytest.approx(0.5)


def test_every_disagreement_with_the_textbook_is_explained() -> None:
    told = pd.read_csv(REPORT / "placebo_as_they_are.csv", keep_default_na=False)
    assert unexplained(told).empty
    opposite = {Verdict.VIOLATION.value, Verdict.NO_VIOLATION.value}
    assert not [one for one in told.itertuples() if {one.verdict, one.textbook} == opposite]


def test_the_bench_accuses_no_more_than_alpha_allows() -> None:
    told = by_kind(pd.read_csv(REPORT / "placebo.csv"))
    assert set(BY_PREDICTIONS) <= set(told["kind"])
    assert (told["accused"] <= told["at most"]).all()


@cache
def people_of(given: PlaceboTable) -> pd.DataFrame:
    """People and cross-fitted answers, which are the same for every kind of test."""
    return given.people()


def accused(kinds: tuple[str, ...], shuffles: range, tables: tuple[PlaceboTable, ...], folder: Path) -> pd.DataFrame:
    """Verdicts by kind over shuffled tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            one
            for given in tables
            for frame in (people_of(given),)
            for shuffle in shuffles
            for one in run(given, frame, shuffle, kinds, FileStore(folder))
        ]
    ran = pd.DataFrame([(one.kind, one.verdict) for one in found], columns=["kind", "verdict"])
    return ran[ran["verdict"] != NOT_RUN]


SMALL = tuple(one for one in TABLES if one.item in {"Hmda", "titanic", "Aids2", "evals", "Participation"})


@pytest.mark.parametrize("kind", BY_PREDICTIONS)
def test_nobody_is_accused_for_a_shuffled_attribute(kind: str, tmp_path: Path) -> None:
    ran = accused((kind,), range(1), SMALL, tmp_path)
    assert len(ran) > 3
    assert (ran["verdict"] == Verdict.VIOLATION.value).sum() <= most_wrong(len(ran))


def test_a_refitted_model_is_not_accused_for_a_shuffled_attribute(tmp_path: Path) -> None:
    ran = accused(("column_sensitivity",), range(1), SMALL, tmp_path)
    assert (ran["verdict"] == Verdict.VIOLATION.value).sum() <= most_wrong(len(ran))


def test_a_model_that_read_sex_stays_unfair_where_nothing_is_shuffled(tmp_path: Path) -> None:
    ran = accused(("column_sensitivity",), range(-1, 0), (BY_NAME["COUNT/titanic"],), tmp_path)
    assert ran["verdict"].tolist() == [Verdict.VIOLATION.value]


@pytest.mark.long
@pytest.mark.parametrize("kind", [*BY_PREDICTIONS, *BY_MODEL])
def test_accusations_of_all_tables(kind: str, tmp_path: Path) -> None:
    """Ten shuffles of every table; the whole bench is ``python -m benchmarks.placebo``."""
    ran = accused((kind,), range(100, 110), TABLES, tmp_path)
    assert (ran["verdict"] == Verdict.VIOLATION.value).sum() <= most_wrong(len(ran))
