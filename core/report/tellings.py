"""The table of tellings: how each kind of audit is told. A new audit adds its line here."""

from typing import Any

from core.plan import AuditPlan
from core.report.numbers import Numbers
from core.report.telling import AbstractTelling
from core.result import AuditResult

TELLINGS: dict[str, AbstractTelling[Any, Any, Any]] = {}


def telling_of(plan: AuditPlan) -> AbstractTelling[Any, Any, Any]:
    """How the plan's audit is told."""
    return TELLINGS[plan.audit.kind]


def collect(plan: AuditPlan, result: AuditResult) -> Numbers:
    """All numbers of a result under the plan's decision settings; their type is the audit's own."""
    numbers: Numbers = telling_of(plan).collect(result, plan.decision)
    return numbers
