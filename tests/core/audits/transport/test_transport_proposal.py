"""Which columns are proposed, and where they are cut: by the table, whatever a model answers."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.audits.transport import engine, planning
from core.audits.transport.decision import TransportDecision
from core.audits.transport.preview import propose
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
    return propose(dataset_of(frame, **{"features": FEATURES, "protected": ("sex",), **roles}))


def free(columns: tuple[CellColumn, ...]) -> dict[str, CellColumn]:
    return {one.name: one for one in columns if one.name != "sex"}


def test_the_order_of_rows_and_the_names_of_groups_and_outcomes_change_nothing() -> None:
    frame = jobs()
    plain = proposed(frame)
    assert proposed(frame.sample(frac=1, random_state=3)) == plain
    renamed = frame.assign(sex=frame["sex"].map({"woman": "A", "man": "B"}))
    assert free(proposed(renamed)) == free(plain)
    turned = frame.assign(good=frame["good"].map({"yes": "no", "no": "yes"}))
    assert proposed(turned) == plain


def test_a_small_table_of_categories_stays_as_it_is() -> None:
    rng = np.random.default_rng(0)
    frame = jobs(4000).assign(town=rng.choice(["east", "west"], 4000))
    assert proposed(frame, features=("job", "hair", "town")) == tuple(
        CellColumn(name=name) for name in ("job", "hair", "town", "sex")
    )


def rule_on_hours(rows: int, limit: int, seed: int = 0) -> pd.DataFrame:
    """A rule that chooses whoever works more than so many hours, as fewer women do; others matter for the outcome."""
    rng = np.random.default_rng(seed)
    woman = rng.random(rows) < 0.45
    hours = np.clip(np.round(rng.normal(42, 9, rows) - 5 * woman), 10, 80).astype(int)
    school = rng.integers(1, 16, rows)
    good = rng.random(rows) < 1 / (1 + np.exp(-(0.06 * (hours - 42) + 0.3 * (school - 8))))
    return pd.DataFrame(
        {
            "hours": hours,
            "school": school,
            "sex": np.where(woman, "woman", "man"),
            "good": np.where(good, "yes", "no"),
            "says": np.where(hours > limit, "yes", "no"),
        }
    )


def kinds_of(frame: pd.DataFrame, columns: tuple[CellColumn, ...] = ()) -> TransportFinding:
    dataset = dataset_of(frame, features=("hours", "school"), protected=("sex",))
    detail, _ = run_transport(dataset, columns=columns)
    return finding_of(detail, TransportDecision(loss="0-1"))


def test_the_kinds_of_a_rule_do_not_follow_its_limit() -> None:
    found = {kinds_of(rule_on_hours(2000, limit)).detail.cells.columns for limit in (36, 44, 50)}
    (columns,) = found
    assert columns == proposed(rule_on_hours(2000, 44), features=("hours", "school"))


def test_whoever_agrees_in_the_column_that_decides_was_not_compared_so_nobody_is_cleared() -> None:
    by_rule = kinds_of(rule_on_hours(3000, 44), (CellColumn(name="hours", edges=(45.0,)),))
    assert by_rule.inference.value == 0
    assert by_rule.inference.upper_bound(0.05) <= by_rule.decision.delta
    assert by_rule.verdict is Verdict.INSUFFICIENT
    (why,) = [one for one in by_rule.reasons if one.forbids == "clearing" and "by construction" in one.what]
    assert "hours" in why.what
    both = kinds_of(rule_on_hours(3000, 44), (CellColumn(name="hours", edges=(45.0,)), CellColumn(name="school")))
    assert both.decided_by == "hours"


def test_a_column_that_says_much_about_the_answers_does_not_decide_them() -> None:
    assert kinds_of(rule_on_hours(3000, 44), (CellColumn(name="hours", edges=(41.0,)),)).decided_by == ""
    noisy = rule_on_hours(3000, 44)
    turned = np.random.default_rng(1).random(len(noisy)) < 0.05
    noisy["says"] = np.where(turned, np.where(noisy["says"] == "yes", "no", "yes"), noisy["says"])
    assert kinds_of(noisy, (CellColumn(name="hours", edges=(45.0,)),)).decided_by == ""


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
def test_a_program_is_judged_by_kinds_that_leave_enough_to_compare_with(screening: str, verdict: Verdict) -> None:
    dataset, columns, detail = hiring(2000, screening, seed=1)
    assert columns == propose(dataset)
    assert comparable(dataset, columns) >= 0.8
    assert finding_of(detail, TransportDecision()).verdict is verdict


def test_compas_keeps_the_paper_s_columns_as_they_are(real_data: Path) -> None:
    source = Compas(preparation="FaiTH paper", part="all")
    frame = source.load(FileStore())
    dataset = Dataset.build(frame, source.roles(frame))
    found = propose(dataset)
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
    columns = propose(dataset)
    assert comparable(dataset, columns) >= 0.8
    assert 1 <= len(columns) - 2 < 16


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
    verdicts = [finding_of(hiring(4000, screening, seed)[2], TransportDecision()).verdict for seed in range(200)]
    assert verdicts.count(Verdict.VIOLATION) >= 190 if screening == "biased" else Verdict.VIOLATION not in verdicts


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
    assert tried[0].mixed == tried[1].mixed


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
    found = [finding_of(detail, decision).verdict for detail, decision in (lottery(1000, seed) for seed in range(30))]
    assert found.count(Verdict.VIOLATION) <= 5, "5% of 30 are 1.5; 5 or fewer with probability 0.99"


@pytest.mark.long
@pytest.mark.parametrize("rows", [500, 2000, 8000])
def test_choosing_columns_on_the_rows_of_the_test_keeps_its_error_rate_in_many_samples(rows: int) -> None:
    found = [finding_of(detail, decision).verdict for detail, decision in (lottery(rows, seed) for seed in range(300))]
    assert found.count(Verdict.VIOLATION) <= 24, "5% of 300 are 15; 24 or fewer with probability 0.99"
