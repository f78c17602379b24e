"""Which columns are proposed, and where they are cut, by a model's answers."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.transport import engine, planning
from core.audits.transport.decision import TransportDecision
from core.audits.transport.preview import propose
from core.audits.transport.proposal import left_out
from core.audits.transport.result import TransportDetail
from core.audits.transport.settings import CellColumn, Transport
from core.audits.transport.strata import sort_into_strata
from core.audits.transport.verdict import TransportFinding
from core.base.files import FileStore
from core.contracts.audit import Given
from core.data.dataset import Dataset
from core.inference.estimate import Verdict
from core.models import PredictionColumns
from core.sources.public.compas import Compas
from core.sources.simulated.hiring import Hiring
from tests.core.audits.transport.cases import dataset_of
from tests.core.audits.transport.cases import run as run_transport
from tests.findings import found as finding_of


def jobs(rows: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Applicants of whom a program invites those over 30 who are no cooks, or men from 25; nothing else counts.

    Women are younger, and ``hair`` and ``height`` give the sex away.
    """
    rng = np.random.default_rng(seed)
    woman = rng.random(rows) < 0.45
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 50, rows) - 3 * woman,
            "job": rng.choice(["clerk", "cook", "driver", "guard", "nurse"], rows),
            "height": np.round(rng.normal(178, 7, rows) - 12 * woman, 1),
            "hair": np.where(rng.random(rows) < 0.2 + 0.6 * woman, "long", "short"),
            "shoe": rng.integers(36, 47, rows) - 3 * woman,
            "town": rng.choice([f"t{i}" for i in range(7)], rows),
            "sex": np.where(woman, "woman", "man"),
            "good": rng.choice(["no", "yes"], rows),
        }
    )
    invited = (frame["age"] >= np.where(woman, 30, 25)) & (frame["job"] != "cook")
    return frame.assign(says=np.where(invited, "yes", "no"))


FEATURES = ("age", "job", "height", "hair", "shoe", "town")


def proposed(frame: pd.DataFrame, **roles: Any) -> tuple[CellColumn, ...]:
    dataset = dataset_of(frame, **{"features": FEATURES, "protected": ("sex",), **roles})
    return propose(dataset, (frame["says"] == "yes").to_numpy(dtype=np.float64))


def free(columns: tuple[CellColumn, ...]) -> dict[str, CellColumn]:
    return {one.name: one for one in columns if one.name != "sex"}


def test_columns_and_limits_are_those_of_the_program() -> None:
    found = free(proposed(jobs()))
    assert set(found) == {"age", "job"}
    assert set(found["age"].edges) >= {25, 30}
    assert {value for value, _ in found["job"].merged} == {"clerk", "driver", "guard", "nurse"}


def test_columns_that_give_a_group_away_or_say_nothing_are_never_chosen() -> None:
    for seed in range(20):
        assert set(free(proposed(jobs(seed=seed)))) == {"age", "job"}, seed


def test_the_order_of_rows_and_the_names_of_groups_and_outcomes_change_nothing() -> None:
    frame = jobs()
    plain = proposed(frame)
    assert proposed(frame.sample(frac=1, random_state=3)) == plain
    renamed = frame.assign(sex=frame["sex"].map({"woman": "A", "man": "B"}))
    assert free(proposed(renamed)) == free(plain)
    turned = frame.assign(good=frame["good"].map({"yes": "no", "no": "yes"}))
    assert proposed(turned) == plain
    flipped = frame.assign(says=np.where(frame["says"] == "yes", "no", "yes"))
    assert free(proposed(flipped)).keys() == free(plain).keys()
    assert free(proposed(flipped))["age"] == free(plain)["age"]


def test_other_names_of_columns_and_categories_give_the_same_columns_by_those_names() -> None:
    frame = jobs()
    plain = free(proposed(frame))
    other = frame.rename(columns={"age": "years", "town": "age"}).assign(job="z" + frame["job"])
    renamed = free(proposed(other, features=("years", "job", "height", "hair", "shoe", "age")))
    assert set(renamed) == {"years", "job"}
    assert renamed["years"].edges == plain["age"].edges
    assert [value for value, _ in renamed["job"].merged] == [f"z{value}" for value, _ in plain["job"].merged]


def test_the_outcome_counts_only_where_people_are_counted() -> None:
    frame = jobs()
    told = frame.assign(good=np.where(frame["shoe"] >= 40, "yes", "no"))
    assert free(proposed(told)) == free(proposed(frame))


def test_protected_attributes_are_never_chosen_or_binned_by_the_answers() -> None:
    frame = jobs()
    dataset = dataset_of(frame, features=(*FEATURES, "sex"), protected=("sex", "town"))
    plain = propose(dataset)
    for answers in (frame["sex"] == "woman", frame["town"] == "t0", frame["says"] == "yes"):
        found = propose(dataset, answers.to_numpy(dtype=np.float64))
        assert [one.name for one in found][-2:] == ["sex", "town"]
        assert found[-2:] == plain[-2:]


def test_a_limit_is_as_round_as_the_answers_allow() -> None:
    rng = np.random.default_rng(0)
    frame = jobs(6000).assign(pay=np.round(rng.normal(50_000, 9_000, 6000), 2))
    smooth = rng.random(6000) < 1 / (1 + np.exp(-(frame["pay"] - 50_500) / 6_000))
    edges = free(proposed(frame.assign(says=np.where(smooth, "yes", "no")), features=("pay", "town")))["pay"].edges
    assert 1 <= len(edges) <= 3
    assert all(edge % 500 == 0 for edge in edges)


def test_a_common_value_may_be_a_kind_of_its_own() -> None:
    rng = np.random.default_rng(0)
    gain = np.where(rng.random(3000) < 0.9, 0.0, np.round(rng.exponential(5_000, 3000), 2) + 1)
    frame = jobs(3000).assign(gain=gain, says=np.where(gain > 0, "yes", "no"))
    (limit,) = free(proposed(frame, features=("gain", "town", "shoe")))["gain"].edges
    assert 0 < limit <= gain[gain > 0].min()


def test_categories_whose_answers_agree_are_named_together_and_rare_ones_join_them() -> None:
    rng = np.random.default_rng(0)
    names = [*"abcdef", *(f"rare{i}" for i in range(9))]
    letter = rng.choice(names, 4000, p=[0.15, 0.21, 0.15, 0.14, 0.14, 0.14, *[0.07 / 9] * 9])
    frame = jobs(4000).assign(letter=letter, says=np.where(np.isin(letter, ["a", "c", "e"]), "yes", "no"))
    (column,) = free(proposed(frame, features=("letter", "shoe"))).values()
    strata = dict(column.merged)
    assert strata["a"] == strata["c"] == strata["e"] == "a, c or e"
    assert {strata[value] for value in names if value not in "ace"} == {"b or 11 others"}


def test_a_name_of_merged_values_that_is_taken_gets_another() -> None:
    rng = np.random.default_rng(5)
    letter = rng.choice(["a", "b", "a or b", "c"], 2000, p=[0.3, 0.25, 0.25, 0.2])
    frame = jobs(2000).assign(letter=letter, says=np.where(np.isin(letter, ["a", "b"]), "yes", "no"))
    (column,) = free(proposed(frame, features=("letter", "shoe"))).values()
    assert dict(column.merged)["a"] == "a or b, together"


def test_a_small_table_of_categories_stays_as_it_is() -> None:
    rng = np.random.default_rng(0)
    frame = jobs(4000).assign(town=rng.choice(["east", "west"], 4000))
    assert proposed(frame, features=("job", "hair", "town")) == tuple(
        CellColumn(name=name) for name in ("job", "hair", "town", "sex")
    )


@pytest.mark.parametrize("says", ["yes", "random"])
def test_answers_that_nothing_explains_are_compared_by_the_rule_without_answers(says: str) -> None:
    frame = jobs()
    random = np.random.default_rng(1).choice(["no", "yes"], len(frame))
    frame = frame.assign(says=random if says == "random" else says)
    assert proposed(frame) == propose(dataset_of(frame, features=FEATURES, protected=("sex",)))


def test_probabilities_on_one_side_of_a_half_are_explained_themselves() -> None:
    frame = jobs()
    dataset = dataset_of(frame, features=FEATURES, protected=("sex",))
    chance = np.where(frame["age"] >= 30, 0.3, 0.1)
    assert [one.name for one in propose(dataset, chance)] == ["age", "sex"]
    assert propose(dataset, chance)[0].edges == (30.0,)
    decided = np.where(frame["age"] >= 30, 0.8, 0.3) - 0.2 * (frame["job"] == "cook")
    assert propose(dataset, decided)[0].edges == (30.0,), "where decisions differ they are what counts"


def test_kinds_stay_well_filled() -> None:
    rng = np.random.default_rng(2)
    x = rng.standard_normal((1500, 8))
    frame = jobs(1500).assign(**{f"x{i}": np.round(x[:, i], 3) for i in range(8)})
    frame["says"] = np.where(x.sum(axis=1) > 0, "yes", "no")
    features = tuple(f"x{i}" for i in range(8))
    columns = proposed(frame, features=features)
    dataset = dataset_of(frame, features=features, protected=("sex",))
    people = sort_into_strata(dataset, columns, dataset.label_codes(dataset.labels), dataset.labels).people
    assert people[people >= 5].sum() >= 0.75 * 1500
    assert len(columns) >= 5


def comparable(dataset: Dataset, columns: tuple[CellColumn, ...]) -> float:
    """Share of the people who have somebody of every group of 30 or more of their kind and outcome."""
    strata = sort_into_strata(dataset, columns, dataset.label_codes(dataset.labels), dataset.labels)
    people = pd.crosstab(strata.classes(strata.protected)[strata.cell], strata.group[strata.cell])
    large = people.loc[:, people.sum() >= 30]
    return float(people[(large > 0).all(axis=1)].to_numpy().sum() / len(dataset.frame))


def hiring(rows: int, screening: str, seed: int) -> tuple[Dataset, tuple[CellColumn, ...], TransportDetail]:
    source = Hiring(rows=rows, seed=seed, screening=screening, fair=True)
    frame = source.load(FileStore())
    dataset = Dataset.build(frame, source.roles(frame))
    model = PredictionColumns(columns=("invited",)).load(FileStore(), dataset)
    detail, _ = engine.run(Transport(draws=200), Given(model, model.encode(dataset), np.random.default_rng(seed)))
    return dataset, detail.cells.columns, detail


@pytest.mark.parametrize(("screening", "verdict"), [("biased", Verdict.VIOLATION), ("fair", Verdict.INSUFFICIENT)])
def test_where_a_program_s_own_columns_leave_too_few_to_compare_with_coarser_ones_are_proposed(
    screening: str, verdict: Verdict
) -> None:
    """Of 2,000 people the program's own kinds would leave 30% without somebody of one of the eight groups."""
    dataset, columns, detail = hiring(2000, screening, seed=1)
    assert columns == propose(dataset)
    assert comparable(dataset, columns) >= 0.8
    assert finding_of(detail, TransportDecision()).verdict is verdict


@pytest.mark.parametrize(("screening", "verdict"), [("biased", Verdict.VIOLATION), ("fair", Verdict.NO_VIOLATION)])
def test_a_program_s_own_columns_are_found_and_it_is_judged_by_them(screening: str, verdict: Verdict) -> None:
    _, columns, detail = hiring(4000, screening, seed=1)
    found = {one.name: one for one in columns}
    assert list(found) == ["experience (years)", "education", "test score", "gender", "ethnicity"]
    assert found["experience (years)"].edges == (5, 15)
    assert found["test score"].edges == (55, 70)
    assert {frozenset({"secondary", "vocational"}), frozenset({"master", "doctorate"})} == {
        frozenset(value for value, name in found["education"].merged if name == together)
        for together in dict(found["education"].merged).values()
    }
    decision = TransportDecision()
    assert finding_of(detail, decision).part.mixed == 0
    assert finding_of(detail, decision).verdict is verdict


def test_compas_keeps_the_paper_s_columns_as_they_are(real_data: Path) -> None:
    source = Compas(preparation="FaiTH paper", part="all")
    frame = source.load(FileStore())
    dataset = Dataset.build(frame, source.roles(frame))
    found = propose(dataset, (frame["decile_score"] < 5).to_numpy(dtype=np.float64))
    assert found == tuple(CellColumn(name=name) for name in ("age_cat", "priors", "c_charge_degree", "sex", "race"))


def wide(rows: int, seed: int) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Sixteen features of which four say something about the outcome, four groups, and noisy answers."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.standard_normal((rows, 16)), 2)
    frame = pd.DataFrame({f"x{i}": x[:, i] for i in range(16)})
    frame["sex"], frame["race"] = rng.choice(["f", "m"], rows), rng.choice(["a", "b"], rows)
    frame["good"] = np.where(x[:, :4].sum(axis=1) + 2 * rng.standard_normal(rows) > 0, "yes", "no")
    worse = 1.0 * (frame["race"] == "a")
    frame["says"] = np.where(x.sum(axis=1) - worse + 2 * rng.standard_normal(rows) > 0, "yes", "no")
    return frame, tuple(f"x{i}" for i in range(16))


@pytest.mark.parametrize("rows", [600, 2000, 8000])
def test_of_a_wide_table_columns_are_proposed_with_which_four_in_five_can_be_compared_with_every_group(
    rows: int,
) -> None:
    frame, features = wide(rows, seed=1)
    dataset = dataset_of(frame, features=features, protected=("sex", "race"))
    columns = propose(dataset, (frame["says"] == "yes").to_numpy(dtype=np.float64))
    assert comparable(dataset, columns) >= 0.8
    assert 1 <= len(columns) - 2 < 16
    other = np.random.default_rng(0).permutation(frame["says"] == "yes").astype(np.float64)
    assert columns == propose(dataset, other), "answers have no say in it"


def credit(rows: int, grades: int) -> Dataset:
    """Two groups, an outcome that goes by a grade and a ratio, and three columns that say nothing."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"grade": rng.integers(1, grades + 1, rows), "ratio": np.round(rng.random(rows), 3)})
    for name in "uvw":
        frame[name] = np.round(rng.standard_normal(rows), 3)
    frame["sex"] = rng.choice(["f", "m"], rows, p=[0.15, 0.85])
    owed = frame["grade"] / grades + frame["ratio"] + rng.standard_normal(rows)
    frame["good"] = np.where(owed > owed.median(), "no", "yes")
    return dataset_of(frame, features=("grade", "ratio", *"uvw"), protected=("sex",))


@pytest.mark.parametrize(("grades", "limits"), [(6, (3, 5)), (8, (3, 5, 7)), (10, (3, 5, 7, 9))])
def test_on_a_scale_people_count_as_alike_one_step_apart_at_most(grades: int, limits: tuple[int, ...]) -> None:
    dataset = credit(2000, grades)
    columns = propose(dataset)
    assert free(columns)["grade"].edges == limits
    assert comparable(dataset, columns) >= 0.8
    assert len(free(columns)) >= 2, "and other columns beside it"


def test_of_a_scale_by_which_a_program_decides_only_neighbours_count_as_alike_too() -> None:
    """The program's own limit, 4, alone would leave 1 and 3, 4 and 6 together."""
    dataset = credit(2000, 6)
    strict = (dataset.frame["grade"] < 4).to_numpy(dtype=np.float64)
    assert [(one.name, one.edges) for one in propose(dataset, strict)] == [("grade", (3, 4, 5)), ("sex", ())]


def test_where_too_few_would_be_comparable_a_scale_comes_in_two_bins() -> None:
    found = free(propose(credit(110, 10)))
    assert found["grade"].edges == (6.0,)
    assert "ratio" in found


def test_a_column_named_as_an_answer_is_no_reason_to_treat_people_differently() -> None:
    """Where kinds are told apart by what the model answered everybody is treated like their kind."""
    frame = jobs(4000).assign(risk_score=lambda table: np.where(table["says"] == "yes", "low", "high"))
    features = (*FEATURES, "risk_score")
    assert "risk_score" not in free(proposed(frame, features=features))
    detail, _ = run_transport(dataset_of(frame, features=("town", "risk_score"), protected=("sex",)), columns=())
    assert detail.hides == "risk_score"


def test_where_no_column_leaves_enough_to_compare_with_none_is_proposed() -> None:
    """Whoever is tall is a man."""
    frame = jobs(300).assign(height=lambda table: np.where(table["sex"] == "man", 180.0, 160.0))
    dataset = dataset_of(frame, features=("height",), protected=("sex",))
    assert propose(dataset) == (CellColumn(name="sex"),)


@pytest.mark.long
@pytest.mark.parametrize("screening", ["biased", "fair"])
def test_in_two_hundred_samples_a_program_is_judged_as_it_deserves(screening: str) -> None:
    deserved = Verdict.VIOLATION if screening == "biased" else Verdict.NO_VIOLATION
    rows = 4000 if screening == "biased" else 8000
    verdicts = [finding_of(hiring(rows, screening, seed)[2], TransportDecision()).verdict for seed in range(200)]
    assert verdicts.count(deserved) >= 190
    assert screening == "biased" or Verdict.VIOLATION not in verdicts


def test_a_pilot_tries_the_columns_that_the_whole_test_will_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "PILOT_PEOPLE", 200)
    dataset, columns, _ = hiring(4000, "biased", seed=1)
    model = PredictionColumns(columns=("invited",)).load(FileStore(), dataset)
    tried = [
        planning.pilot(
            Transport(columns=chosen, draws=200),
            Given(model, model.encode(dataset), np.random.default_rng(0)),
            TransportDecision(),
        )
        for chosen in ((), columns)
    ]
    assert tried[0].spread == tried[1].spread
    assert tried[0].mixed == tried[1].mixed == 0


def lottery(rows: int, seed: int) -> tuple[TransportDetail, TransportDecision]:
    """Answers are drawn by chance given two columns, in which groups differ; the true audit value is 0."""
    rng = np.random.default_rng(seed)
    woman = rng.random(rows) < 0.4
    rank = np.clip(rng.integers(0, 4, rows) - (woman & (rng.random(rows) < 0.5)), 0, 3)
    part = rng.choice(["a", "b", "c"], rows)
    chance = 1 / (1 + np.exp(-(rank - 1.7 + 1.2 * (part == "a"))))
    frame = pd.DataFrame(
        {
            "rank": 10 * rank,
            "part": part,
            **{f"junk{i}": rng.integers(0, 30, rows) - 5 * woman for i in range(4)},
            "sex": np.where(woman, "woman", "man"),
            "says": np.where(rng.random(rows) < chance, "yes", "no"),
            "good": np.where(rng.random(rows) < 1 / (1 + np.exp(-0.8 * (rank - 1.3))), "yes", "no"),
        }
    )
    dataset = dataset_of(frame, features=tuple(frame.columns[:6]), protected=("sex",))
    model = PredictionColumns(columns=("says",)).load(FileStore(), dataset)
    detail, _ = engine.run(Transport(draws=200), Given(model, model.encode(dataset), rng))
    return detail, TransportDecision(delta=0.0, alpha=0.05)


def test_choosing_columns_on_the_rows_of_the_test_keeps_its_error_rate() -> None:
    found = [finding_of(detail, decision).verdict for detail, decision in (lottery(1000, seed) for seed in range(8))]
    assert found.count(Verdict.VIOLATION) <= 2, "5% of 8 are 0.4; 2 or fewer with probability 0.99"


@pytest.mark.long
@pytest.mark.parametrize("rows", [500, 2000, 8000])
def test_choosing_columns_on_the_rows_of_the_test_keeps_its_error_rate_in_many_samples(rows: int) -> None:
    found = [finding_of(detail, decision).verdict for detail, decision in (lottery(rows, seed) for seed in range(300))]
    assert found.count(Verdict.VIOLATION) <= 24, "5% of 300 are 15; 24 or fewer with probability 0.99"


def by_grade(rows: int, seed: int) -> TransportFinding:
    """Answers are drawn by chance given a grade and a ratio, in which groups are alike; the true audit value is 0."""
    rng = np.random.default_rng(seed)
    grade, ratio = np.minimum(1 + rng.geometric(0.5, rows), 6), np.round(rng.random(rows), 3)
    refused = 1 / (1 + np.exp(4 - grade - 2 * ratio))
    frame = pd.DataFrame({"grade": grade, "ratio": ratio, **{name: rng.standard_normal(rows) for name in "uvw"}})
    frame["sex"] = rng.choice(["f", "m"], rows, p=[0.3, 0.7])
    for name in ("says", "good"):
        frame[name] = np.where(rng.random(rows) < refused, "no", "yes")
    dataset = dataset_of(frame, features=("grade", "ratio", *"uvw"), protected=("sex",))
    model = PredictionColumns(columns=("says",)).load(FileStore(), dataset)
    detail, _ = engine.run(Transport(draws=200), Given(model, model.encode(dataset), rng))
    found: TransportFinding = finding_of(detail, TransportDecision(delta=0.0, alpha=0.05))
    return found


def test_pairs_of_a_scale_keep_the_error_rate() -> None:
    found = [by_grade(500, seed) for seed in range(8)]
    assert any(column.edges == (3, 5) for one in found for column in one.detail.cells.columns)
    assert [one.verdict for one in found].count(Verdict.VIOLATION) <= 2


@pytest.mark.long
@pytest.mark.parametrize("rows", [500, 2000])
def test_pairs_of_a_scale_keep_the_error_rate_in_many_samples(rows: int) -> None:
    assert [by_grade(rows, seed).verdict for seed in range(300)].count(Verdict.VIOLATION) <= 24


def test_every_feature_that_is_not_proposed_is_told_with_the_reason() -> None:
    """Two columns explain what the program says; of 250 streets few would be like anybody; a name says "answer"."""
    frame = jobs().assign(prediction=lambda t: t["says"])
    frame["street"] = np.arange(len(frame)) % 250 + 0.5
    features = (*FEATURES, "street", "prediction")
    dataset = dataset_of(frame, features=features, protected=("sex",))
    together = propose(dataset, (frame["says"] == "yes").to_numpy(dtype=np.float64))
    told = dict(left_out(dataset, together))
    assert set(free(together)) == {"age", "job"}
    assert set(told) == set(features) - set(free(together))
    assert told["prediction"] == "named like a model's answers"
    assert told["hair"] == "what the model decides is mostly explained by the columns taken"
    alone = dict(left_out(dataset, propose(dataset)))
    few = "too few people would then have somebody like them in every group"
    assert few in alone.values()
    assert set(alone.values()) <= {few, told["prediction"]}
