"""COMPAS' scores of risk taken for scores of merit: no test claims anything, where they accuse the right way round."""

from pathlib import Path

import pandas as pd
import pytest

from core.audits import KINDS
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.inference.estimate import Verdict
from core.models.meanings import propose_meanings
from core.models.predictions import Meaning, PredictionColumns
from core.run import find, run_audit
from core.workflows.proposing import default_settings
from tests.kinds import SHIPPED

BY_PREDICTIONS = [name for name, kind in SHIPPED.items() if kind.by_predictions]


@pytest.fixture(scope="module")
def defendants(real_data: Path) -> Dataset:
    """African-American and Caucasian defendants; a good outcome is not to be charged again within two years."""
    frame = pd.read_csv(real_data / "compas" / "compas-scores-two-years.csv")
    frame = frame[frame["race"].isin(["African-American", "Caucasian"]) & frame["score_text"].notna()]
    roles = Roles(
        outcome="two_year_recid",
        favourable="0",
        protected=("race",),
        features=("age_cat", "c_charge_degree"),
        predictions=("decile_score", "score_text"),
    )
    return Dataset.build(frame, roles)


@pytest.mark.parametrize("kind", BY_PREDICTIONS)
def test_reversed_scores_of_risk_accuse_nobody_and_clear_nobody(kind: str, defendants: Dataset) -> None:
    verdicts = {}
    for high in ("unfavourable", "favourable"):
        source = PredictionColumns(columns=("decile_score",), holds="score", threshold=5, high_scores=high)
        result = run_audit(source.load(FileStore(), defendants), defendants, default_settings(kind), seed=0)
        findings = [find(result, KINDS[kind].decision(delta=delta)) for delta in (0.001, 0.9)]
        verdicts[high] = [one.verdict for one in findings]
    assert Verdict.VIOLATION in verdicts["unfavourable"]
    assert verdicts["favourable"] == [Verdict.INSUFFICIENT] * 2
    assert [one.named for one in findings] == ["", ""]
    assert result.model.direction is not None
    assert result.model.direction.value == pytest.approx(-0.3021, abs=1e-4)


def test_the_levels_of_risk_are_said_to_mean_the_outcome_that_they_go_with(defendants: Dataset) -> None:
    """Of those rated low 32% were charged again, of those rated medium 54%, of those rated high 72%; of all 47%."""
    found = propose_meanings(defendants, "score_text")
    assert [one.meaning for one in found] == [
        Meaning(label="High", outcome="1"),
        Meaning(label="Low", outcome="0"),
        Meaning(label="Medium", outcome="1"),
    ]
    source = PredictionColumns(columns=("score_text",), meanings=tuple(one.meaning for one in found))
    same = PredictionColumns(columns=("decile_score",), holds="score", threshold=5, high_scores="unfavourable")
    meant, scored = (one.load(FileStore(), defendants) for one in (source, same))
    data = meant.encode(defendants)
    assert (meant.predict_proba(data) == scored.predict_proba(data)).all(), "medium begins at 5"
