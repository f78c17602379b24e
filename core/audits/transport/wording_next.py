"""What a reader of a transport test can do where its evidence is insufficient, in plain words."""

from __future__ import annotations

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.next_steps import more_rows
from core.phrases import percent
from core.plan import AuditPlan

_MUCH = 0.2
"""From this share of people on a lack is worth mending."""
_FEW = 0.5
"""Below this share of people who can be compared the kinds are too fine."""


def next_steps(plan: AuditPlan, result: TransportResult, decision: TransportDecision) -> tuple[str, ...]:
    """What would help, the most helpful first, a sentence or two each; empty where the verdict is clear."""
    detail = result.detail
    if detail.verdict(decision) is not Verdict.INSUFFICIENT:
        return ()
    if detail.estimate(decision).undefined:
        return tuple(notice.advice for notice in detail.reasons(decision) if notice.advice)
    steps = [*_kinds(result, decision), *_model(plan, result, decision), *_people(result, decision)]
    return tuple(steps) or tuple(notice.advice for notice in detail.reasons(decision) if notice.advice)


def _kinds(result: TransportResult, decision: TransportDecision) -> list[str]:
    """Finer kinds where they hide what the model goes by; coarser ones where people are alone in theirs."""
    detail, steps = result.detail, []
    mixed = detail.part(decision).mixed
    if mixed > _MUCH:
        steps.append(
            f"Change the kinds of people: {percent(round(mixed, 2))} of people are of a kind that the model does not "
            "treat alike. Add the columns it goes by, or limits where its answers change."
        )
    if not detail.by_distance and detail.alone > _MUCH:
        steps.append(
            f"Tell people apart by fewer columns or wider bins: {percent(round(detail.alone, 2))} of people are the "
            "only one of their kind."
        )
    elif detail.comparable_share < _FEW:
        steps.append(
            f"Tell people apart by fewer columns or wider bins: only {percent(round(detail.comparable_share, 2))} of "
            "people have somebody like them in another group."
        )
    return steps


def _model(plan: AuditPlan, result: TransportResult, decision: TransportDecision) -> list[str]:
    """Asking the model itself, where people in the table do not settle it."""
    detail = result.detail
    if detail.asked is not None or detail.part(decision).mixed <= _MUCH:
        return []
    if isinstance(plan.model, PredictionColumns):
        return [
            "Ask for the model itself: with it everybody can be compared with themselves in every other group, and "
            "nothing is hidden by the kinds."
        ]
    if set(result.model.encoder.features) & set(plan.roles.protected):
        return ["Compare with the same people in every group: the model can be asked about them."]
    return ["Run the gradient-flow test too: it learns which columns give a person's group away."]


def _people(result: TransportResult, decision: TransportDecision) -> list[str]:
    """More people, and about how many, if the rise stays as estimated."""
    estimate = result.detail.estimate(decision)
    return [*more_rows(estimate, decision.delta, decision.alpha, ("person", "people"), "the rise")]
