"""A transport test that is about to run, in words."""

from core.audits import AuditDecision
from core.audits.transport import loss_units
from core.audits.transport.binning import column_text
from core.audits.transport.decision import TransportDecision
from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.settings import ByMetric, DifferOnlyIn, Transport
from core.language.phrases import count, listed
from core.language.told import say
from core.plan import AuditPlan


def tolerated(decision: AuditDecision) -> str:
    """What rise is tolerated."""
    if not isinstance(decision, TransportDecision):
        return ""
    return say(
        "{what} rises by {tolerance}", what=LOSS_UNITS[decision.loss].name, tolerance=loss_units.tolerated(decision)
    )


def similar(plan: AuditPlan, audit: Transport) -> str:
    """Who is compared with whom."""
    if isinstance(audit.similarity, DifferOnlyIn):
        names = audit.similarity.columns or plan.roles.protected
        if audit.asks_for_everybody(plan.roles.protected):
            return say("everybody is compared with themselves in every other group of {names}", names=", ".join(names))
        agree = [column_text(one) for one in audit.columns if one.name not in names]
        if agree:
            return say("similar people agree in {columns}, and may differ in all else", columns=listed(agree))
        if audit.columns:
            return say("similar people have the same recorded outcome, and may differ in all else")
        return say(
            "similar people agree in the columns proposed in the step Similar people, and may differ in all else"
        )
    if isinstance(audit.similarity, ByMetric):
        return say("similar by a fair metric: “{metric}”", metric=audit.similarity.metric.title)
    return say("similar by the costs in {name}", name=audit.similarity.file.name)


def rules(audit: Transport) -> dict[str, str]:
    """How many rules the auditor added; empty where there are none."""
    parts = [
        count(len(audit.forbidden), "forbidden comparison") if audit.forbidden else "",
        count(len(audit.limits), "limit for groups", "limits for groups") if audit.limits else "",
        count(len(audit.label_budgets), "budget by outcome", "budgets by outcome") if audit.label_budgets else "",
    ]
    told = ", ".join(part for part in parts if part)
    return {say("Rules of your own"): told} if told else {}
