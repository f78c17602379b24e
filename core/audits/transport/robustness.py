"""How the rise depends on the costs: its bounds where every cost may be wrong by a factor.

Where costs c lie between C / k and k C, every plan that C allows at a budget ε / k is allowed by c at ε, and every plan
that c allows at ε is allowed by C at k ε. So whatever the costs are within that factor, the rise at ε lies between
those of the given costs at ε / k and at k ε, and so do its bounds. It says of any error of the costs what proposition
2.2 of papers/faith.md says of one that is small.
"""

import math

from core.audits.transport.values import AbstractTransportFinding
from core.claims import Claim
from core.inference.estimate import Interval
from core.language.told import localized, say

FACTORS = (1.0, 1.25, 1.5, 2.0)
"""Factors by which costs may be wrong."""


def with_wrong_costs(finding: AbstractTransportFinding) -> tuple[Claim, ...]:
    """A claim for each factor; none where no budget counts."""
    budget = finding.budget
    if finding.detail.constrained is not None or not finding.budget_matters or budget <= 0:
        return ()
    claims = []
    for factor in FACTORS:
        less, more = finding.under(budget=budget / factor), finding.under(budget=budget * factor)
        claims.append(
            Claim(
                who=say("costs as given")
                if factor == 1
                else say("costs wrong by a factor of up to {factor}", factor=localized(f"{factor:g}")),
                what=finding.what,
                people=finding.n,
                estimate=finding.estimate,
                low=less.lower_bound,
                high=more.upper_bound,
                interval=Interval(less.interval.low, more.interval.high, 1 - finding.decision.alpha),
                p_value=math.nan,
                tolerance=finding.decision.delta,
                decides=False,
                unit=finding.unit,
            )
        )
    return tuple(claims)
