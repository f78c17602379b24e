"""The table of tellings: how each kind of audit is told. A new audit adds its line here."""

from typing import Any

from core.plan import AuditPlan
from core.report.column_sensitivity.telling import ColumnSensitivityTelling
from core.report.fair_dummies.telling import FairDummiesTelling
from core.report.gradient_flow.telling import GradientFlowTelling
from core.report.numbers import Numbers
from core.report.sensitivity.telling import SensitivityTelling
from core.report.telling import AbstractTelling
from core.report.transport.telling import TransportTelling
from core.result import AuditResult

TELLINGS: dict[str, AbstractTelling[Any, Any, Any]] = {
    "gradient_flow": GradientFlowTelling(),
    "transport": TransportTelling(),
    "sensitivity": SensitivityTelling(),
    "column_sensitivity": ColumnSensitivityTelling(),
    "fair_dummies": FairDummiesTelling(),
}


def telling_of(plan: AuditPlan) -> AbstractTelling[Any, Any, Any]:
    """How the plan's audit is told."""
    return TELLINGS[plan.audit.kind]


def collect(plan: AuditPlan, result: AuditResult) -> Numbers:
    """All numbers of a result under the plan's reading; their type is the audit's own."""
    numbers: Numbers = telling_of(plan).collect(result, plan.reading)
    return numbers
