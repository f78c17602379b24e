"""Decisions of which nobody knows whether they were right: rates, ratios and demographic parity remain."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.decisions import decision_tables
from core.audits.group_fairness.settings import GroupFairness
from core.audits.transport.settings import Transport
from core.base.errors import DataError
from core.base.files import FileStore
from core.data.attribute import attribute_of
from core.data.dataset import Dataset
from core.data.quality.health import examine
from core.data.roles import NOT_SELECTED, SELECTED, Roles
from core.models.inspection import inspect
from core.models.predictions import PredictionColumns
from core.run import find, run_audit, run_plan
from core.workflows.examples import open_example
from tests.core.audits.group_fairness.cases import answered

DECISIONS = Roles(favourable="yes", protected=("sex",), features=("years",), predictions=("selected",))
BY_LABELS = PredictionColumns(columns=("selected",))


def applicants(rows: int = 800) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    sex = rng.choice(["Female", "Male"], rows)
    chosen = rng.random(rows) < np.where(sex == "Male", 0.6, 0.35)
    years = rng.integers(0, 30, rows)
    happened = np.where(rng.random(rows) < 0.5, "yes", "no")
    return pd.DataFrame({"sex": sex, "years": years, "selected": np.where(chosen, "yes", "no"), "hired": happened})


def model_of(dataset: Dataset, source: PredictionColumns = BY_LABELS) -> object:
    return source.load(FileStore(), dataset)


def test_rates_and_ratios_are_those_of_the_worked_example() -> None:
    """Local Law 144, our own example in the notes on regulation: 40% and 30%, a ratio of 0.75."""
    frame = pd.DataFrame(
        {
            "sex": ["men"] * 150 + ["women"] * 120,
            "selected": ["yes"] * 60 + ["no"] * 90 + ["yes"] * 36 + ["no"] * 84,
        }
    )
    dataset = Dataset.build(frame, DECISIONS.model_copy(update={"features": ()}))
    decided = (frame["selected"] == "yes").to_numpy(dtype=np.int64)
    attributes = (attribute_of(dataset, "sex"),)
    nobody = np.full(len(frame), -1)
    (table,) = decision_tables(answered(nobody, decided), attributes, 0.05)
    selection, impact = table.measure("selection rate"), table.impact("selection rate")
    assert selection is not None
    assert impact is not None
    assert selection.values == pytest.approx([0.40, 0.30])
    assert impact.values == pytest.approx([1.0, 0.75])
    assert (impact.low[1] < 0.56, impact.high[1]) == (True, 1.0), "Katz's interval, 0.54 to 1.05, holds 1 too"
    assert [one.name for one in table.measures] == ["selection rate"]
    assert [one.name for one in table.differences] == ["statistical parity"]


def test_what_needs_no_outcome_says_the_same_as_with_one() -> None:
    frame = applicants()
    with_outcome = DECISIONS.model_copy(update={"outcome": "hired"})
    said = []
    for roles in (DECISIONS, with_outcome):
        dataset = Dataset.build(frame, roles)
        audit, decision = EqualizedOdds(asks="demographic parity", dummies=199), EqualizedOddsDecision()
        found = find(run_audit(model_of(dataset), dataset, audit, seed=3), decision)
        groups = find(run_audit(model_of(dataset), dataset, GroupFairness(), seed=3), GroupFairnessDecision())
        rates = [one for one in groups.parts["groups rates"] if one.what == "Selection rate"]
        rates += [one for one in groups.parts["groups impact"] if "selection rate" in one.what]
        assert rates
        said.append((found.verdict, found.p_value, rates))
    assert said[0] == said[1]


def test_a_group_fares_worse_where_fewer_are_decided_favourably() -> None:
    dataset, frame = Dataset.build(applicants(), DECISIONS), applicants()
    found = find(run_audit(model_of(dataset), dataset, GroupFairness(), seed=0), GroupFairnessDecision())
    assert not found.result.detail.coverage
    claim = found.deciding
    assert (claim.who, claim.against, claim.what) == ("sex = Female", "sex = Male", "selection rate")
    assert claim.here == pytest.approx((frame.loc[frame["sex"] == "Female", "selected"] == "yes").mean())
    assert (
        "people with sex = Female get the decision selected = yes less often than people with sex = Male"
        in found.opening
    )


def test_what_needs_an_outcome_says_so() -> None:
    dataset = Dataset.build(applicants(), DECISIONS)
    model = model_of(dataset)
    for audit in (EqualizedOdds(), EqualizedOdds(asks="calibration"), Transport()):
        assert "needs an outcome" in audit.is_compatible(model, dataset)
    for audit in (EqualizedOdds(asks="demographic parity"), GroupFairness()):
        assert not audit.is_compatible(model, dataset)
    report = inspect(model, dataset)
    assert np.isnan(report.accuracy)
    assert not examine(applicants(), DECISIONS).outcomes.size


def test_of_a_score_somebody_is_selected_or_not() -> None:
    frame = applicants().assign(selected=np.random.default_rng(0).random(800))
    roles = DECISIONS.model_copy(update={"favourable": SELECTED})
    dataset = Dataset.build(frame, roles)
    assert dataset.labels == (NOT_SELECTED, SELECTED)
    score = PredictionColumns(columns=("selected",), holds="score", threshold=0.7)
    model = model_of(dataset, score)
    answers = model.predict_proba(model.encode(dataset))
    assert answers[:, 1].mean() == pytest.approx((frame["selected"] >= 0.7).mean())


def test_a_table_without_anything_to_judge_is_refused_and_so_is_one_decision() -> None:
    with pytest.raises(ValidationError, match="an outcome or a column of decisions"):
        Roles(favourable="yes", protected=("sex",))
    with pytest.raises(DataError, match="same decision"):
        Dataset.build(applicants().assign(selected="yes"), DECISIONS)
    with pytest.raises(DataError, match="favourable value"):
        Dataset.build(applicants(), DECISIONS.model_copy(update={"favourable": "hired"}))
    assert replace(Dataset.build(applicants(), DECISIONS)).label_codes(("no", "yes")).max() == -1


def test_the_table_counts_who_was_selected_in_every_group_and_who_is_not_known(tmp_path: Path) -> None:
    study = open_example("hiring-decisions", FileStore(tmp_path))
    frame = study.plans[1].data.load(FileStore(tmp_path))
    result = run_plan(study.plans[1], FileStore(tmp_path))
    table = find(result, study.plans[1].decision).tables["groups impact"]
    place = table.header.index("Selected")
    told = {row[0]: (row[1], row[place]) for row in table.rows}
    invited = frame["invited"] == "yes"
    for group, rows in frame.groupby("gender"):
        expected = (f"{len(rows):,}", f"{invited[rows.index].sum():,}")
        assert told[f"gender = {group}"] == expected, "also those who did not state their ethnicity"
    unstated = int(frame["ethnicity"].isna().sum())
    assert told["ethnicity = (missing)"][0] == f"{unstated:,}"
    assert f"Not known, and so not compared: {unstated} people by ethnicity" in table.caption
    claims = find(result, study.plans[1].decision).claims
    assert not any("(missing)" in one.who for one in claims), "whose group is not known is compared with nobody"


def test_the_test_is_called_by_its_question(tmp_path: Path) -> None:
    study = open_example("hiring-decisions", FileStore(tmp_path))
    assert study.names == ("Demographic parity test", "Group fairness test")


def test_a_small_group_has_its_rate_and_no_interval() -> None:
    frame = pd.DataFrame({"sex": ["x"] * 15 + ["f", "m"] * 100, "years": range(215)})
    frame["selected"] = np.where(frame.index % 5 < 1, "yes", "no")
    dataset = Dataset.build(frame, DECISIONS)
    result = run_audit(
        PredictionColumns(columns=("selected",)).load(FileStore(), dataset), dataset, GroupFairness(), seed=0
    )
    table = find(result, GroupFairnessDecision()).tables["groups impact"]
    told = dict(zip(table.header, next(row for row in table.rows if row[0] == "sex = x"), strict=True))
    assert (told["People"], told["Selected"]) == ("15", "3")
    assert told["Selection rate"] == "20%, too few people for an interval"
    assert told["Impact ratio of selection rates"] == "–"


def test_a_ratio_below_four_fifths_that_is_not_shown_to_be_says_so_beside_its_p_value() -> None:
    """Of 50 each 30, 22 and 5 are selected: ratios of 0.73, which may be chance, and of 0.17."""
    selected = {"a": 30, "b": 22, "c": 5}
    frame = pd.DataFrame({"sex": np.repeat(list(selected), 50), "years": range(150)})
    frame["selected"] = np.concatenate([np.where(np.arange(50) < k, "yes", "no") for k in selected.values()])
    dataset = Dataset.build(frame, DECISIONS)
    model = PredictionColumns(columns=("selected",)).load(FileStore(), dataset)
    found = find(run_audit(model, dataset, GroupFairness(), seed=0), GroupFairnessDecision())
    table = found.tables["groups impact"]
    place = table.header.index("Selection ratio shown to be below 0.8? (adjusted p-value)")
    chances = found.four_fifths(0)[0]
    assert chances[2] < 0.05 < chances[1]
    assert [row[place] for row in table.rows] == [
        "not shown (p > 0.9999)",
        f"not shown (p {chances[1]:.2f})",
        "shown (p < 0.0001)",
    ]
