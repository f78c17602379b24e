"""The finding of a gradient-flow test.

A lower bound above delta is a violation, unless the fair metric was learned and forgives nearly everything. "No
violation" is claimed only if the upper bound lies at or below delta and nothing is known that makes the bound doubtful
(:mod:`core.audits.gradient_flow.doubts`); everything else is insufficient evidence.
"""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import Self, get_args

import numpy as np

from core.audits.gradient_flow import KIND, doubts
from core.audits.gradient_flow.decision import Statistic
from core.audits.gradient_flow.estimates import GradientFlowEstimates, Sweep
from core.audits.gradient_flow.groups import GroupEstimate, group_estimates
from core.audits.gradient_flow.summaries import Checks, StatisticSummary, checks
from core.base.errors import Caveat, each_once, forbidding
from core.inference.estimate import Verdict
from core.inference.p_values import holm
from core.language.told import say

STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


class GradientFlowFinding(GradientFlowEstimates):
    """What a gradient-flow test found under decision settings; see the base class."""

    kind = KIND
    nothing = 1.0
    recorded = ("summaries", "groups", "sweeps", "checks")
    recorded_as = MappingProxyType({"summaries": "statistics", "checks": "diagnostics"})

    @cached_property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        if self.undefined:
            return (Caveat("serious", self.undefined, say("Read the loss ratio instead, or bring more rows.")),)
        caveats = (
            *forbidding("any claim", doubts.too_few(self)),
            *(
                forbidding("clearing", doubts.against_clearing(self))
                if self.by_claims is Verdict.NO_VIOLATION
                else forbidding("accusing", doubts.forgives_everything(self))
            ),
            *doubts.hangs_on_metric(self),
            *doubts.tail_warning(self),
            *doubts.rising(self),
            *doubts.step_error(self),
        )
        return each_once(caveats)

    @cached_property
    def both(self) -> tuple[Self, ...]:
        """The finding by each of the two statistics."""
        return tuple(self if one == self.decision.statistic else self.under(statistic=one) for one in STATISTICS)

    @cached_property
    def adjusted(self) -> tuple[float, ...]:
        """p-values of the two statistics, adjusted for each other (Holm)."""
        return tuple(holm(np.array([one.p_value for one in self.both])).tolist())

    @cached_property
    def summaries(self) -> tuple[StatisticSummary, ...]:
        """Both tests."""
        return tuple(
            StatisticSummary(
                statistic=one.decision.statistic,
                estimate=one.estimate,
                standard_error=one.inference.standard_error,
                n=one.n,
                interval_low=one.interval_low,
                interval_high=one.interval_high,
                lower_bound=one.lower_bound,
                upper_bound=one.upper_bound,
                given_metric_low=one.given_metric.two_sided(one.decision.alpha).low,
                given_metric_high=one.given_metric.two_sided(one.decision.alpha).high,
                given_metric_lower=one.given_metric.lower_bound(one.decision.alpha),
                given_metric_upper=one.given_metric.upper_bound(one.decision.alpha),
                p_value=one.p_value,
                adjusted_p_value=adjusted,
                minimum_detectable=one.minimum_detectable,
                verdict=one.verdict,
                reasons=one.reasons,
                undefined=one.undefined,
            )
            for one, adjusted in zip(self.both, self.adjusted, strict=True)
        )

    @cached_property
    def groups(self) -> tuple[GroupEstimate, ...]:
        """Every group of every protected attribute, small ones without numbers; the intervals hold together."""
        return tuple(one.shown for one in group_estimates(self))

    @cached_property
    def sweeps(self) -> tuple[Sweep, ...]:
        """Both tests at every recorded stopping time."""
        return tuple(one.sweep for one in self.both)

    @cached_property
    def checks(self) -> Checks:
        """What tells whether the numbers can be trusted."""
        return checks(self)
