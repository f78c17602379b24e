"""What the search finds under other values of one setting, as claims: each given exactly its metric."""

import math
from dataclasses import replace

from core.audits.gradient_flow.estimates import GradientFlowEstimates
from core.audits.gradient_flow.result import Repeated
from core.claims import Claim
from core.language.told import localized, say


def told(found: GradientFlowEstimates) -> dict[str, tuple[Claim, ...]]:
    """A claim for each value of each setting that was varied, by the name of the setting."""
    return {one.setting: _claims(found, one) for one in found.detail.repeated}


def _claims(found: GradientFlowEstimates, one: Repeated) -> tuple[Claim, ...]:
    decision = found.decision
    claims = []
    for at, estimate in zip(one.at.tolist(), one.estimates(decision.statistic, found.index), strict=True):
        claim = Claim.of_evidence(
            estimate,
            decision.delta,
            decision.alpha,
            what=found.what,
            unit=found.unit,
            who=_named(one.setting, at, own=at == one.own),
            people=one.rows,
            why="" if math.isfinite(estimate.value) else say("no value"),
        )
        claims.append(replace(claim, error=estimate.standard_error, p_value=math.nan, decides=False))
    return tuple(claims)


def _named(setting: str, at: float, *, own: bool) -> str:
    """A value of a setting as people read it."""
    value = localized(f"{at:g}")
    named = {
        "rotations": say("turned by {angle}°", angle=value),
        "weights": say("λ = {weight}", weight=value),
        "penalties": say("ridge of {strength}", strength=value) if at else say("no ridge"),
    }[setting]
    return say("{value}, as chosen", value=named) if own else named
