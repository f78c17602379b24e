"""Fairer models that treat similar people alike: from a table to models, answers without a file, and audits of both."""

import math
from typing import Any

import pandas as pd
import pytest

from core import load_table
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import MetricError
from core.base.files import FileStore
from core.data.roles import Roles
from core.plan import AuditPlan
from core.run import run_plan
from core.sources.upload.uploaded import UploadedTable
from core.workflows.mitigation.page import fits_table, page_of
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.settings import MitigationPlan, Projection, Smoothing
from core.workflows.mitigation.splits import compare
from core.workflows.mitigation.unseen import to_audit, unseen_rows
from core.workflows.mitigation.wording import headline


def plan_of(files: FileStore, **changes: Any) -> MitigationPlan:
    people = load_table("hiring").head(1_500)
    table = UploadedTable(file=files.put(people.to_csv(index=False).encode(), "people.csv"))
    features = tuple(name for name in people.columns if name not in ("hired", "gender"))
    roles = Roles(outcome="hired", favourable="yes", protected=("gender",), features=features)
    given = {"data": table, "roles": roles, "methods": (Projection(),), "strengths": (0.97,), "dummies": 199}
    return MitigationPlan(**{**given, **changes})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> FileStore:
    return FileStore(tmp_path_factory.mktemp("files"))


def test_a_projected_model_mends_what_the_baseline_does_to_similar_people(files: FileStore) -> None:
    plan = plan_of(files)
    result = compare(plan, files)
    plain, fair = result.fits
    assert plain.similar is not None
    assert fair.similar is not None
    assert plain.similar.estimate > 1.3
    assert fair.similar.estimate < 1.1
    assert fair.unlike < plain.unlike
    if plain.similar.beyond:
        assert headline(plan, result).startswith("At Projection (λ = 0.97), similar people fare")
    columns = fits_table(plan, result).header
    assert {"Loss ratio of similar people (at least, 95%)", "Most similar people differ by"} <= set(columns)
    assert page_of(plan, result).headline == headline(plan, result)
    numbers = MITIGATION.numbers(plan, result)["models"]
    assert numbers[1]["loss_ratio"]["estimate"] == fair.similar.estimate


def test_smoothed_answers_are_audited_as_a_column(files: FileStore) -> None:
    plan = plan_of(files, methods=(Smoothing(),), strengths=(0.5,))
    result = compare(plan, files)
    fit = result.fits[1]
    assert fit.model is None
    assert fit.table is not None
    assert math.isfinite(fit.unlike)
    rows = unseen_rows(plan, files)
    data, roles, model = to_audit(plan, fit, result.classes, rows)
    audited = run_plan(AuditPlan(data=data, roles=roles, model=model, audit=GroupFairness()), files)
    assert audited.data.rows_audited == result.rows[1:, 0].sum()
    wrong = 1 - audited.model.accuracy
    expected = (fit.losses[1:, 0] * result.rows[1:, 0]).sum() / result.rows[1:, 0].sum()
    assert wrong == pytest.approx(expected, abs=0.03)
    answers = pd.read_parquet(files.path(fit.table)).filter(like="answer ")
    assert answers.sum(axis=1).to_numpy() == pytest.approx(1.0)


def test_a_metric_that_nothing_teaches_is_refused_in_a_sentence(files: FileStore) -> None:
    people = load_table("hiring").head(400)[["hired", "gender", "test score"]]
    table = UploadedTable(file=files.put(people.to_csv(index=False).encode(), "few.csv"))
    roles = Roles(outcome="hired", favourable="yes", protected=("gender",), features=("test score",))
    with pytest.raises(MetricError):
        compare(plan_of(files, data=table, roles=roles), files)
