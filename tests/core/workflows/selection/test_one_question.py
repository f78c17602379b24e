"""A selection and an audit of the same models, roles and test ask one question and get one answer, or say why not."""

from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pytest
import torch

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import CellColumn, Transport
from core.audits.transport.verdict import TransportFinding
from core.base.files import FileStore
from core.contracts.model import AbstractModelSource
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.models.formats.safetensors.source import TorchMLP, mlp_bytes
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.run import run_plan
from core.sources import Compas
from core.workflows.proposing import begun
from core.workflows.rows import as_table
from core.workflows.selection.page import question_facts
from core.workflows.selection.parts import part
from core.workflows.selection.question import columns_text
from core.workflows.selection.result import SelectionResult, transport_result
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import OwnModels, SelectionPlan
from core.workflows.selection.wording import decision_of
from tests.core.workflows.selection.cases import uploaded

ALPHA = TransportDecision().alpha


def decided(rows: int = 2_000) -> pd.DataFrame:
    """People with four measurements and two columns of decisions: by one of them, and harder on women."""
    rng = np.random.default_rng(11)
    features = {name: rng.normal(size=rows).round(3) for name in ("tests", "grades", "years", "tasks")}
    sex = rng.choice(["f", "m"], rows)
    skill = features["tests"] + 0.5 * features["grades"]
    words = {
        "hired": skill + rng.normal(0, 0.7, rows) > 0,
        "by_skill": skill > 0,
        "by_sex": skill - 0.6 * (sex == "f") > -0.3,
    }
    return pd.DataFrame({**features, "sex": sex, **{name: np.where(one, "yes", "no") for name, one in words.items()}})


def simulated(files: FileStore) -> SelectionPlan:
    columns = ("by_skill", "by_sex")
    roles = Roles(
        outcome="hired",
        favourable="yes",
        protected=("sex",),
        features=("tests", "grades", "years", "tasks"),
        predictions=columns,
    )
    models = OwnModels(models=tuple(PredictionColumns(columns=(name,)) for name in columns))
    return SelectionPlan(data=uploaded(decided(), files), roles=roles, candidates=models, seed=3)


def compas(files: FileStore) -> SelectionPlan:
    """The answers of COMPAS itself: whoever is scored medium or high, and whoever is scored high."""
    source = Compas(part="all")
    frame = source.load(files)
    roles = source.roles(frame)
    score = frame["decile_score"]
    for name, least in (("medium_or_high", 5), ("high", 8)):
        frame[name] = np.where(score >= least, *(sorted(frame[roles.outcome].unique(), reverse=True)))
    columns = ("medium_or_high", "high")
    models = OwnModels(models=tuple(PredictionColumns(columns=(name,)) for name in columns))
    return SelectionPlan(
        data=uploaded(frame, files),
        roles=roles.model_copy(update={"predictions": columns}),
        candidates=models,
        seed=3,
    )


def begins(plan: SelectionPlan, model: AbstractModelSource, files: FileStore) -> AuditPlan:
    """The transport test of one model on the whole table, as an audit begins."""
    dataset = Dataset.build(plan.data.load(files), plan.roles)
    audit = begun(model.load(files, dataset), dataset)["transport"]
    return AuditPlan(data=plan.data, roles=plan.roles, model=model, audit=audit, seed=plan.seed)


def assert_one_question(plan: SelectionPlan, result: SelectionResult, files: FileStore) -> None:
    """Each candidate: the audit's columns, and on the same rows its statistic and bounds, to the last digit."""
    dataset = Dataset.build(plan.data.load(files), plan.roles)
    rows = as_table(part(dataset, plan, np.random.default_rng(plan.seed)).validation, files, "validation.parquet")
    assert isinstance(plan.candidates, OwnModels)
    decision = decision_of(plan, result)
    for model, candidate in zip(plan.candidates.models, result.candidates, strict=True):
        audit = begins(plan, model, files)
        whole = TransportFinding(transport_result(run_plan(audit, files)), decision)
        assert candidate.columns == whole.result.detail.cells.columns
        asked = audit.audit.model_copy(update={"columns": candidate.columns})
        same = TransportFinding(
            transport_result(run_plan(audit.model_copy(update={"data": rows, "audit": asked}), files)), decision
        )
        assert candidate.unfairness.value == same.inference.value
        assert candidate.unfairness.lower_bound(ALPHA) == same.inference.lower_bound(ALPHA)
        assert candidate.unfairness.upper_bound(ALPHA) == same.inference.upper_bound(ALPHA)
        assert candidate.unfairness.two_sided(ALPHA).low <= whole.interval.high
        assert candidate.unfairness.two_sided(ALPHA).high >= whole.interval.low


def test_a_selection_and_an_audit_agree_on_a_simulated_table(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    plan = simulated(files)
    assert_one_question(plan, run_selection(plan, files), files)


@pytest.mark.long
def test_a_selection_and_an_audit_agree_on_compas(real_data: Path, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    plan = compas(files)
    assert_one_question(plan, run_selection(plan, files), files)


def files_that_read(files: FileStore, *, sex: bool) -> tuple[TorchMLP, ...]:
    """Two linear models, of skill and, where they read sex, harder on women, one more than the other."""
    frame = decided()
    names = ("tests", "grades", *(("sex",) if sex else ()))
    encoder = Encoder.fit(frame, names)
    made = []
    for place, harder in enumerate((0.2, 1.0)):
        weights = [float(one != "grades") * 2 - harder * (one == "sex = f") for one in encoder.names]
        linear = torch.nn.Linear(len(weights), 2)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor([[0.0] * len(weights), weights]))
            linear.bias.copy_(torch.zeros(2))
        content = mlp_bytes(torch.nn.Sequential(linear), encoder=encoder, classes=("no", "yes"))
        made.append(TorchMLP(file=files.put(content, f"m{place}.safetensors")))
    return tuple(made)


def of_files(files: FileStore, *, sex: bool, **settings: object) -> SelectionPlan:
    plan = simulated(files)
    roles = plan.roles.model_copy(update={"features": (*plan.roles.features, "sex"), "predictions": ()})
    models = OwnModels(models=files_that_read(files, sex=sex))
    return plan.model_copy(update={"roles": roles, "candidates": models, **settings})


def test_files_that_read_sex_get_the_answer_of_their_audit_where_they_are_asked_the_same(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    plan = of_files(files, sex=True, audit=Transport(space="all groups"))
    result = run_selection(plan, files)
    assert_one_question(plan, result, files)
    assert not any("An audit of" in caveat.what for caveat in result.caveats)


@pytest.mark.parametrize(
    ("sex", "asked", "said"),
    [
        (True, "observed", "An audit of the chosen model alone begins by asking how it would judge the same person"),
        (False, "all groups", "The chosen model reads no protected attribute, so it answers alike."),
    ],
)
def test_where_an_audit_of_the_chosen_model_would_ask_another_question_the_page_says_so(
    sex: bool, asked: Literal["observed", "all groups"], said: str, tmp_path: Path
) -> None:
    """Of people in the table the second model is cleared or not; asked about them as men it is another question."""
    files = FileStore(tmp_path)
    lenient = TransportDecision(delta=0.5)
    plan = of_files(files, sex=sex, audit=Transport(space=asked), decision=lenient)
    result = run_selection(plan, files)
    assert result.chosen is not None
    assert any(said in caveat.what for caveat in result.caveats)
    facts = {fact.label: fact.value for fact in question_facts(plan, result)}
    assert (
        facts["Compared with"]
        == {"observed": "People in the table", "all groups": "The same people in every group"}[asked]
    )


def test_columns_are_told_with_the_values_that_were_put_together() -> None:
    job = CellColumn(name="job", merged=(("cook", "service"), ("waiter", "service")))
    told = columns_text((CellColumn(name="age", edges=(30.0,)), job, CellColumn(name="sex")))
    assert told == "age in 2 bins, job (put together: service (cook, waiter)) and sex"
