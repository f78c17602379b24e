"""Finished tests for the results page, made once a session: pages read them again and again and change nothing."""

from functools import cache
from typing import Any

from core.audits.column_sensitivity.result import ColumnSensitivityResult
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.audits.transport.result import TransportResult
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.plan import AuditPlan
from core.result import AuditResult
from core.run import run_audit
from core.study import Study
from tests.builders import make_plan, make_result
from tests.builders_columns import make_column_plan, make_column_result
from tests.builders_fair_dummies import make_fair_dummies_plan, make_fair_dummies_result, make_groups_result
from tests.builders_sensitivity import make_sensitivity_plan, make_sensitivity_result
from tests.builders_transport import make_people, make_transport_plan, make_transport_result


@cache
def transport(**shape: Any) -> tuple[AuditPlan, TransportResult]:
    """A transport test on 600 people; ``shape`` as for the builder."""
    result = make_transport_result(rows=600, **shape)
    return make_transport_plan(audit=result.audit), result


@cache
def sensitivity(**shape: Any) -> tuple[AuditPlan, TextSensitivityResult]:
    """A sensitivity audit of 120 texts; ``shape`` as for the builder."""
    result = make_sensitivity_result(**shape)
    kept = ("reference", "status", "annotation", "attributes", "labels", "hostile")
    return make_sensitivity_plan(**{name: shape[name] for name in kept if name in shape}), result


@cache
def columns(**shape: Any) -> tuple[AuditPlan, ColumnSensitivityResult]:
    """A sensitivity audit of columns on 600 people; ``shape`` as for the builder."""
    result = make_column_result(**shape)
    return make_column_plan(result), result


@cache
def fair_dummies(**shape: Any) -> tuple[AuditPlan, EqualizedOddsResult]:
    """A fair-dummies test of 1,500 people; ``shape`` as for the builder."""
    result = make_fair_dummies_result(**shape)
    return make_fair_dummies_plan(result), result


@cache
def groups(**shape: Any) -> tuple[AuditPlan, GroupFairnessResult]:
    """Groups of 1,500 people; ``shape`` as for the builder."""
    result = make_groups_result(**shape)
    return make_fair_dummies_plan(result), result


@cache
def with_texts(**shape: Any) -> tuple[Study, tuple[AuditResult, ...]]:
    """A gradient-flow test and a sensitivity audit in one study."""
    plan, result = sensitivity(**shape)
    return Study(plans=(make_plan(data=plan.data, roles=plan.roles, model=plan.model), plan)), (make_result(), result)


@cache
def several(excess: float = 0.6, **shape: Any) -> tuple[Study, tuple[AuditResult, ...]]:
    """A gradient-flow test and a transport test of the same model on the same table."""
    plan, result = transport(**shape)
    first = make_plan(data=plan.data, roles=plan.roles, model=plan.model)
    return Study(plans=(first, plan)), (make_result(excess=excess), result)


@cache
def groups_beside_transport(bias: float = 0.5) -> tuple[Study, tuple[AuditResult, ...]]:
    """A transport test and an equalized odds test at 5 points of the same answers, yes or no, of 600 people."""
    plan = make_transport_plan()
    audit = EqualizedOdds(learner="linear", dummies=199)
    study = Study(plans=(plan, plan.model_copy(update={"audit": audit, "decision": EqualizedOddsDecision(delta=0.05)})))
    dataset = Dataset.build(make_people(600, bias=bias)[0], plan.roles)
    model = plan.model.load(FileStore(), dataset)
    return study, tuple(run_audit(model, dataset, each.audit, seed=each.seed) for each in study.plans)
