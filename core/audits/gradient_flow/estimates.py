"""What a gradient-flow audit estimates under decision settings: a statistic, its tail, and what other metrics find."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.decision import GradientFlowDecision, Statistic, heading_of
from core.audits.gradient_flow.result import GradientFlowDetail, GradientFlowResult
from core.base.thresholds import POWER
from core.inference.estimate import Estimate, Interval
from core.inference.evidence import AtLeast
from core.inference.studentised import bootstrap_t_by_cluster, bootstrap_t_interval
from core.inference.tails import Tail, tail_of
from core.language.told import retold
from core.one_estimate import OneEstimateFinding

DRAWN_BINS = 40
_SEED = 0
"""Of the bootstrap-t resamples."""


@dataclass(frozen=True)
class Sweep:
    """One test at every recorded stopping time; all tuples have one entry a stopping time.

    Attributes:
        statistic: Which test.
        steps: Stopping times in steps.
        flow_time: The same as flow time.
        estimate: The statistic; NaN where it is undefined.
        lower_bound: One-sided lower bound T_n (eq. 3.10, 3.13).
        upper_bound: One-sided upper bound at the same level.
    """

    statistic: Statistic
    steps: tuple[int, ...]
    flow_time: tuple[float, ...]
    estimate: tuple[float, ...]
    lower_bound: tuple[float, ...]
    upper_bound: tuple[float, ...]


class GradientFlowEstimates(OneEstimateFinding[GradientFlowResult, GradientFlowDecision]):
    """Everything that is estimated; the finding adds what it amounts to."""

    @property
    def what(self) -> str:
        """See the base class."""
        return heading_of(self.decision.statistic)

    @property
    def detail(self) -> GradientFlowDetail:
        """What the search kept."""
        return self.result.detail

    @cached_property
    def index(self) -> int:
        """Position of the stopping time read among those recorded."""
        return self.detail.at(self.decision.stop_at)

    @cached_property
    def given_metric(self) -> Estimate:
        """The decision's statistic at the decision's stopping time, given exactly this metric."""
        return self.detail.estimate(self.decision.statistic, self.index)

    @cached_property
    def inference(self) -> Estimate:
        """The same with the error of a learned metric, which is itself an estimate."""
        return self.with_metric_error(self.given_metric, self.index)

    @cached_property
    def evidence(self) -> AtLeast | Estimate:
        """What was found of possible people, who accuse; to clear, the search has to as well."""
        return self.beside_people(self.inference, self.given_metric)

    @property
    def given_metric_exactly(self) -> AtLeast | Estimate:
        """The evidence without the error of a learned metric."""
        return self.beside_people(self.given_metric, self.given_metric, exactly=True)

    @property
    def estimate(self) -> float:
        """See the base class."""
        return self.evidence.value

    @property
    def undefined(self) -> str:
        """See the base class."""
        return super().undefined or retold(self.of_people().undefined)

    def of_people(self, place: int = 0) -> Estimate:
        """The decision's statistic with possible people as the search's ends, for everybody or the group at a place.

        Of texts, where there is nobody possible, as the search has it.
        """
        people = self.detail.people
        return self.given_metric if people is None else people.estimate(self.decision.statistic, place)

    def beside_people(
        self,
        searched: Estimate,
        given: Estimate,
        place: int = 0,
        members: np.ndarray | slice = slice(None),
        *,
        exactly: bool = False,
    ) -> AtLeast | Estimate:
        """What was found of the possible people who are similar to somebody, beside what the search itself found.

        Args:
            searched: What the search found.
            given: The same given exactly this metric.
            place: Of whom, as in :meth:`of_people`.
            members: Their cells, shape (C,), bool.
            exactly: Whether the metric's error is left out.
        """
        if self.detail.people is None or searched.undefined:
            return searched
        people = self.of_people(place)
        if not exactly and self.detail.relearned is not None:
            share = max(people.value - 1.0, 0.0) / (given.value - 1.0) if given.value > 1.0 else math.inf
            people = self.with_metric_error(people, self.index, members, share)
        return AtLeast(people, searched)

    def with_metric_error(
        self, estimate: Estimate, index: int, members: np.ndarray | slice = slice(None), share: float = 1.0
    ) -> Estimate:
        """An estimate at a recorded stopping time of the cells ``members`` with the error of the metric added.

        It is taken to be as large a ``share`` of the search's as what the estimate finds beyond 1, and is not known
        where that is infinite.
        """
        relearned = self.detail.relearned
        if relearned is None or estimate.undefined:
            return estimate
        if math.isinf(share):
            return replace(estimate, standard_error=math.inf)
        return relearned.widened(estimate, self.result.metric, self.decision.statistic, index, members, share=share)

    @cached_property
    def relearned_estimates(self) -> tuple[Estimate, ...]:
        """The statistic under each metric learned from another half of the rows, where it has a value."""
        if self.detail.relearned is None:
            return ()
        own = self.given_metric
        moved = self.detail.relearned.moved(self.decision.statistic, self.index).tolist()
        return tuple(replace(own, value=own.value + by) for by in moved)

    @cached_property
    def sweep(self) -> Sweep:
        """The statistic and its one-sided bounds at every recorded stopping time."""
        statistic, alpha = self.decision.statistic, self.decision.alpha
        estimates = [
            self.with_metric_error(self.detail.estimate(statistic, index), index)
            for index in range(len(self.detail.steps))
        ]
        return Sweep(
            statistic=statistic,
            steps=tuple(self.detail.steps.tolist()),
            flow_time=tuple(self.detail.flow_time.tolist()),
            estimate=tuple(found.value for found in estimates),
            lower_bound=tuple(found.lower_bound(alpha) for found in estimates),
            upper_bound=tuple(found.upper_bound(alpha) for found in estimates),
        )

    @cached_property
    def tail(self) -> Tail:
        """How much of S_n a few rows carry, from the histogram (bins at most an eighth wide in r - 1)."""
        return tail_of(histogram.middles(self.detail.histogram_edges), self.detail.histogram[self.index])

    def bootstrap_t(self, alpha: float) -> Interval:
        """Equal-tailed bootstrap-t interval of the mean loss ratio, from the histogram's shape, or by cluster."""
        detail, index = self.detail, self.index
        if detail.clusters is not None:
            return self.once(("bootstrap-t", index, alpha), lambda: by_clusters(detail, index, slice(None), alpha))
        values = histogram.middles(detail.histogram_edges)
        return self.once(
            ("bootstrap-t", index, alpha),
            lambda: bootstrap_t_interval(
                detail.loss_ratio(index), values, detail.histogram[index], alpha, np.random.default_rng(_SEED)
            ),
        )

    @cached_property
    def distribution(self) -> tuple[np.ndarray, np.ndarray]:
        """Loss ratios as a histogram to draw: counts, shape (b,), and edges, shape (b + 1,), at most 40 bins.

        Edges are evenly spaced in log r as far as the recorded bins allow, and finite.
        """
        return histogram.coarse(self.detail.histogram[self.index], self.detail.histogram_edges, DRAWN_BINS)

    @cached_property
    def people_at_most(self) -> float:
        """Upper bound of the statistic of possible people that takes it for no normal one; 0 where there are none."""
        people, alpha = self.detail.people, self.decision.alpha
        if people is None:
            return 0.0
        statistic = self.decision.statistic
        return self.once(("at most", statistic, alpha), lambda: people.upper_bound(statistic, alpha))  # verbatim

    @cached_property
    def minimum_detectable(self) -> float:
        """The smallest true value that a test of this size finds in violation with probability 0.8.

        It takes the errors found here as given; NaN when the statistic is undefined, infinite where the metric was
        learned from too little for any.
        """
        found = self.evidence.found if isinstance(self.evidence, AtLeast) else self.inference
        return found.detectable(self.decision.delta, self.decision.alpha, POWER)


def by_clusters(detail: GradientFlowDetail, index: int, members: np.ndarray | slice, alpha: float) -> Interval:
    """Equal-tailed bootstrap-t interval of the mean loss ratio in these cells where rows belong together."""
    whole = detail.loss_ratio(index, members)
    return bootstrap_t_by_cluster(whole, *detail.by_cluster("loss ratio", index, members), alpha, _SEED)
