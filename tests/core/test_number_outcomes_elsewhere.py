"""Where outcomes are numbers, tests of classes say why they cannot run, and the command line takes the plan."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.audits import AuditSettings
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.text_sensitivity.settings import TextSensitivity
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import Transport
from core.base.errors import AuditError, SettingsError
from core.base.files import FileStore
from core.cli.app import main
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.run import run_audit
from core.sources import UploadedTable
from core.workflows.selection.settings import SelectionPlan

ROLES = Roles(outcome="cost", outcome_type="number", protected=("sex",), features=("age",), predictions=("guess",))
MODEL = PredictionColumns(columns=("guess",), holds="number")
OF_CLASSES: tuple[AuditSettings, ...] = (
    GradientFlow(metric=SensitiveSubspace()),
    Transport(),
    TextSensitivity(),
    ColumnSensitivity(through=("age",)),
)


def people(rows: int = 200) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    sex, cost = rng.choice(["F", "M"], rows), rng.normal(100, 20, rows)
    guess = cost + rng.normal(0, 5, rows)
    return pd.DataFrame({"age": rng.integers(18, 60, rows), "sex": sex, "guess": guess, "cost": cost})


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UploadedTable:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    content = people().to_csv(index=False).encode()
    (tmp_path / "people.csv").write_bytes(content)
    return UploadedTable(file=FileStore().put(content, "people.csv"))


@pytest.mark.parametrize("audit", OF_CLASSES, ids=lambda audit: audit.kind)
def test_tests_of_classes_say_in_one_sentence_why_they_cannot_run(audit: AuditSettings, tmp_path: Path) -> None:
    dataset = Dataset.build(people(), ROLES)
    model = MODEL.load(FileStore(tmp_path), dataset)
    reason = audit.is_compatible(model, dataset)
    assert "the outcome is a number" in reason
    assert "the equalized-odds test takes numbers" in reason
    with pytest.raises(AuditError, match="outcome is a number"):
        run_audit(model, dataset, audit, seed=0)


def test_no_model_is_chosen_for_an_outcome_that_is_a_number(source: UploadedTable) -> None:
    with pytest.raises(SettingsError, match="takes classes, and the outcome is a number"):
        SelectionPlan(data=source, roles=ROLES)


def on_the_command_line(plan: AuditPlan, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    (folder / "plan.json").write_text(plan.model_dump_json())
    monkeypatch.setattr(sys, "argv", ["core", "run", str(folder / "plan.json"), "--out", str(folder / "out")])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_command_line_runs_a_plan_with_numbers_and_the_record_says_so(
    source: UploadedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = EqualizedOdds(learner="linear", dummies=199)
    plan = AuditPlan(data=source, roles=ROLES, model=MODEL, audit=audit, decision=EqualizedOddsDecision(), seed=1)
    assert on_the_command_line(plan, tmp_path, monkeypatch) == 0
    (read,) = AUDITS.read((tmp_path / "out" / "record.json").read_text()).plan.plans
    assert read.roles == ROLES


def test_the_command_line_says_why_a_test_of_classes_does_not_run(
    source: UploadedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = AuditPlan(data=source, roles=ROLES, model=MODEL, audit=Transport(), decision=TransportDecision(), seed=1)
    assert on_the_command_line(plan, tmp_path, monkeypatch) == 2
    assert "the outcome is a number; the equalized-odds test takes numbers." in capsys.readouterr().err
