"""What a reader of a transport test can do where its evidence is insufficient, in plain words."""

from __future__ import annotations

import math

from core.audits.transport.reading import TransportReading
from core.inference.estimate import Verdict
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.result import TransportResult
from core.words import count, percent

_MUCH = 0.2
"""From this share of people on a lack is worth mending."""
_FEW = 0.5
"""Below this share of people who can be compared the kinds are too fine."""
_MOST_TIMES = 100
"""More people than so many times those audited are no advice."""


def next_steps(plan: AuditPlan, result: TransportResult, reading: TransportReading) -> tuple[str, ...]:
    """What would help, the most helpful first, a sentence or two each; empty where the verdict is clear."""
    detail = result.detail
    if detail.verdict(reading) is not Verdict.INSUFFICIENT:
        return ()
    if detail.estimate(reading).undefined:
        return tuple(notice.advice for notice in detail.reasons(reading) if notice.advice)
    steps = [*_kinds(result, reading), *_model(plan, result, reading), *_people(result, reading)]
    return tuple(steps) or tuple(notice.advice for notice in detail.reasons(reading) if notice.advice)


def _kinds(result: TransportResult, reading: TransportReading) -> list[str]:
    """Finer kinds where they hide what the model goes by; coarser ones where people are alone in theirs."""
    detail, steps = result.detail, []
    mixed = detail.part(reading).mixed
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


def _model(plan: AuditPlan, result: TransportResult, reading: TransportReading) -> list[str]:
    """Asking the model itself, where people in the table do not settle it."""
    detail = result.detail
    if detail.asked is not None or detail.part(reading).mixed <= _MUCH:
        return []
    if isinstance(plan.model, PredictionColumns):
        return [
            "Ask for the model itself: with it everybody can be compared with themselves in every other group, and "
            "nothing is hidden by the kinds."
        ]
    if set(result.model.encoder.features) & set(plan.roles.protected):
        return ["Compare with the same people in every group: the model can be asked about them."]
    return ["Run the gradient-flow test too: it learns which columns give a person's group away."]


def _people(result: TransportResult, reading: TransportReading) -> list[str]:
    """More people, and about how many, if the rise stays as estimated."""
    estimate, delta = result.detail.estimate(reading), reading.delta
    lower, upper = estimate.lower_bound(reading.alpha), estimate.upper_bound(reading.alpha)
    if not lower <= delta < upper:
        return []
    distance = abs(estimate.value - delta)
    reach = estimate.value - lower if estimate.value > delta else upper - estimate.value
    times = (reach / distance) ** 2 if distance > 0 and math.isfinite(reach) else math.inf
    if not 1 < times <= _MOST_TIMES:
        return ["Bring more people: the estimate lies close to the tolerance."]
    needed = _rounded_up(times * estimate.n)
    return [
        f"Bring more people: about {count(needed, 'person', 'people')} instead of {estimate.n:,} may settle it, if the "
        "rise is as estimated."
    ]


def _rounded_up(people: float) -> int:
    """To two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(people)) - 1)
    return math.ceil(people / step) * step
