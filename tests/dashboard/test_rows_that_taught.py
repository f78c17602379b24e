"""Wherever rows are counted, those that taught the fair metric and are not audited are counted too."""

import json

import pytest

from core.audits.gradient_flow.settings import GradientFlow
from core.base.files import FileStore
from core.contracts.metric import AbstractMetric
from core.metrics import Expert, SensitiveSubspace
from core.models.formats.safetensors.source import TorchMLP
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.report.model import build
from core.report.multiple_tests import Together
from core.study import Study
from core.workflows.examples import SAMPLE_MODELS
from dashboard.views.results.record import facts_of


def study_by(metric: AbstractMetric, files: FileStore) -> Study:
    name = "hiring_baseline.safetensors"
    card = json.loads((SAMPLE_MODELS / f"{name}.card.json").read_bytes())["plan"]
    model = TorchMLP(file=files.put((SAMPLE_MODELS / name).read_bytes(), name), trained_on="other rows")
    audit = GradientFlow(metric=metric, metric_resamples=0, steps=5, rotations=())
    asked = {"data": {**card["data"], "rows": 5000}, "roles": card["roles"], "model": model, "audit": audit}
    return Study(plans=(AuditPlan.model_validate(asked),))


@pytest.mark.parametrize(
    ("metric", "taught"),
    [
        (SensitiveSubspace(), "300 more taught the metric"),
        (SensitiveSubspace(learn_on="audited rows"), ""),
        (Expert(free=("languages",)), ""),
    ],
)
def test_page_report_and_command_line_count_the_rows_that_taught_the_metric(
    metric: AbstractMetric, taught: str
) -> None:
    files = FileStore()
    study = study_by(metric, files)
    results = AUDITS.run(study, files)
    together = Together.of(study, results)
    audited, more = ("700", f", {taught}") if taught else ("1,000", "")
    assert AUDITS.lines(study, results)[1].endswith(f"0 left out for missing values, {audited} audited{more}")
    told = {str(fact.label): str(fact.value) for fact in build(study, together).tested}
    assert told["Audited"] == f"{audited} rows{more}"
    assert facts_of(together.findings[0])["Rows"] == f"{audited} rows audited; 1,000 read, 0 left out{more}"
