"""What speaks against taking the bounds of a gradient-flow audit at their word, each as a caveat.

A learned metric is itself an estimate: other rows teach another, under which the same model may be judged otherwise (on
Adult T_n ran from 1.11 to 2.89 with 2,714 learning rows). The bounds hold its error
(:meth:`core.audits.gradient_flow.result.Relearned.widened`), so both claims are about the metric that all possible rows
would teach. Where it was not learned again, nothing is known of its error, and neither claim is made.
"""

from collections.abc import Iterator

import numpy as np

from core.audits.gradient_flow.decision import name_of
from core.audits.gradient_flow.estimates import GradientFlowEstimates
from core.audits.gradient_flow.result import FEWEST_RELEARNED, LOST_GROUND_LIMIT, GradientFlowDetail
from core.base.errors import Caveat
from core.base.thresholds import DOUBT, FEWEST_CLUSTERS, FEWEST_ROWS
from core.claims import Claim
from core.inference.estimate import Verdict
from core.inference.evidence import TwoSided
from core.inference.moments import ratio_upper_by_clusters, ratio_upper_by_counts
from core.inference.tails import SMALLEST_INDEX
from core.judge import judge
from core.language.phrases import count, percent, quoted, whole
from core.language.told import localized, say, say_count
from core.metrics.extent import advice, extent

FEW_MISTAKES = 10
"""Below this many rows in error at the start the ratio of error rates is far from normal."""
RISING = 0.02
SHORTEST_FLOW_TIME = 0.3
"""The steps of the published studies add up to 0.39 (simulation), 1 (COMPAS, as run) and 5 (Adult)."""
UNMOVED_LIMIT = 0.05
"""Rows whose ratio is exactly 1 were not tested; a fair model's still move a little against the penalty."""


def too_few(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """Sample sizes, of rows and of metrics, below which neither claim is made."""
    yield from unknown_metric_error(found)
    people = found.detail.people
    wrong = int(found.detail.wrong_start.sum()) if people is None else people.mistakes()
    if found.n < FEWEST_ROWS:
        yield Caveat(
            "serious",
            say_count(
                "Only {n} row was audited; a verdict needs at least {fewest}.",
                "Only {n} rows were audited; a verdict needs at least {fewest}.",
                found.n,
                fewest=FEWEST_ROWS,
            ),
            say("Bring more rows, or hold fewer of them out for the metric."),
        )
    elif found.given_metric.degrees + 1 < FEWEST_CLUSTERS:
        yield _few_clusters(found, say("a verdict"), FEWEST_CLUSTERS)
    elif found.decision.statistic == "error-rate ratio" and wrong < FEW_MISTAKES:
        yield Caveat(
            "serious",
            say(
                "The model is wrong on only {wrong} of those for whom possible people were looked for; the ratio of "
                "error rates needs at least {fewest}.",
                wrong=count(wrong, "row"),
                fewest=FEW_MISTAKES,
            ),
            say("Bring more rows, or read the loss ratio instead."),
        )


def _few_clusters(found: GradientFlowEstimates, what: str, fewest: int) -> Caveat:
    return Caveat(
        "serious",
        say(
            "The rows that tell belong to only {clusters} different {belongs_to}; {what} needs at least {fewest}.",
            clusters=localized(f"{found.given_metric.degrees + 1:.0f}"),
            belongs_to=quoted(found.result.data.belongs_to),
            what=what,
            fewest=fewest,
        ),
        say("Bring rows of more of them."),
    )


def against_clearing(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """Why a "no violation" by the normal bound is not claimed."""
    if FEWEST_CLUSTERS <= found.given_metric.degrees + 1 < FEWEST_ROWS:
        yield _few_clusters(found, say("a statement that there is no violation"), FEWEST_ROWS)
    if found.detail.of_texts:
        yield Caveat(
            "serious",
            say(
                "The search moved the model's embedding, whose scale is its own: that it found little within its "
                "length clears no texts."
            ),
            say("Let the sensitivity test judge exchanged words; it can find that there is no violation."),
        )
    yield from _heavy_tail(found) if found.decision.statistic == "loss ratio" else _few_changes(found)
    yield from no_direction(found)
    yield from search_falls_short(found)


def forgives_everything(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """A learned metric that calls nearly everybody similar accuses nobody; a clearing under it says all the more."""
    result = found.result
    if result.metric is None:
        return
    freed = extent(result.metric, result.model.encoder, result.data.protected)
    if freed.too_much:
        yield Caveat("serious", freed.told, advice(result.metric))


def no_direction(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """Attributes for which a learned metric frees nothing, so that the search did not look along what tells them."""
    for probe in found.result.metric.probes if found.result.metric else ():
        if not len(probe.directions):
            yield Caveat(
                "serious",
                say(
                    "The rows show no direction that tells {attribute}, so that none was learned for it and the search "
                    "did not look along one.",
                    attribute=quoted(probe.attribute),
                ),
                say("Learn the metric from more rows, or declare it."),
            )


def _heavy_tail(found: GradientFlowEstimates) -> Iterator[Caveat]:
    delta, alpha = found.decision.delta, found.decision.alpha
    if found.tail.doubtful and found.tail.index_low < SMALLEST_INDEX:
        yield Caveat(
            "serious",
            say(
                "The largest ratios fall off so slowly (tail index {index}, which may well be below {smallest_index}) "
                "that rows like these do not bound their mean.",
                index=localized(f"{found.tail.index:.2g}"),
                smallest_index=localized(f"{SMALLEST_INDEX:g}"),
            ),
            say("Set a smallest loss, or read the error-rate ratio instead."),
        )
    elif (upper := max(found.bootstrap_t(2 * alpha).high, found.people_at_most)) > delta:
        yield Caveat(
            "serious",
            say(
                "{reason}, so the normal interval is doubtful; the bootstrap-t upper bound is {upper}, above the "
                "tolerance.",
                reason=_skewed_by(found),
                upper=localized(f"{upper:.3g}"),
            ),
            say("Bring more rows, or set a smallest loss."),
        )


def _skewed_by(found: GradientFlowEstimates) -> str:
    if found.tail.doubtful:
        return say("A few rows carry much of the mean")
    return (
        say("Rows that belong together may carry much of the mean")
        if found.detail.clusters
        else say("The ratios are skewed")
    )


def _few_changes(found: GradientFlowEstimates) -> Iterator[Caveat]:
    upper = max(upper_by_counts(found.detail, found.index, slice(None), found.decision.alpha), found.people_at_most)
    if upper > found.decision.delta:
        yield Caveat(
            "serious",
            say(
                "Too few rows changed sides to exclude a violation: counted exactly, the upper bound is {upper}.",
                upper=localized(f"{upper:.3g}"),
            ),
            say("Bring more rows."),
        )


def upper_by_counts(detail: GradientFlowDetail, index: int, members: np.ndarray | slice, alpha: float) -> float:
    """Upper bound of the ratio of error rates in these cells, counted exactly; by cluster where there are any."""
    if detail.clusters is not None:
        rows = detail.by_cluster("loss ratio", index, members)[1]
        sums = detail.by_cluster("error-rate ratio", index, members)
        return ratio_upper_by_clusters(*sums, float(rows.max()), alpha)
    return ratio_upper_by_counts(
        int(detail.wrong_end[index, members].sum()),
        int(detail.wrong_start[members].sum()),
        int(detail.wrong_both[index, members].sum()),
        alpha,
    )


def search_falls_short(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """Why this search could not have found a violation that is there, or has found one later on."""
    detail = found.detail
    if detail.free_directions == 0:
        yield Caveat(
            "serious",
            say("The fair metric holds people back in every direction, so the search had nowhere to look."),
            say("Say which columns may differ freely, learn the metric, or lower the weight of similarity."),
        )
    lost, rows = int(detail.lost_ground[found.index]), int(detail.cells.count.sum())
    if lost > LOST_GROUND_LIMIT * rows:
        yield Caveat(
            "serious",
            say(
                "The search lost ground in {lost} of {rows} rows, which an exact search never does (eq. 3.1).",
                lost=lost,
                rows=rows,
            ),
            say("Choose a smaller step size or an exponential integrator."),
        )
    unmoved = int((detail.ratios == 1.0).sum())
    if unmoved > UNMOVED_LIMIT * len(detail.ratios):
        yield Caveat(
            "serious",
            say(
                "In {unmoved} of {rows} rows the search changed nothing: the model's answers do not react to "
                "small changes there, or the smallest loss hides it.",
                unmoved=whole(unmoved),
                rows=whole(len(detail.ratios)),
            ),
            say("Check that the model file is the right one, search in float64, or lower the smallest loss."),
        )
    flow_time = float(detail.flow_time[found.index])
    if flow_time < SHORTEST_FLOW_TIME:
        yield Caveat(
            "serious",
            say(
                "The search is too short to find much: its steps add up to {flow_time}, those of the published "
                "studies to 0.39 to 5.",
                flow_time=localized(f"{flow_time:.2g}"),
            ),
            say("Take more or larger steps, or read a longer search."),
        )
    to_its_end = found.under(stop_at=None, alpha=DOUBT)
    if to_its_end.by_claims is Verdict.VIOLATION:
        yield Caveat(
            "serious",
            say(
                "The same search finds a violation when it is read to its end, {steps} steps: {estimate}.",
                steps=whole(int(detail.steps[-1])),
                estimate=localized(f"{to_its_end.estimate:.3g}"),
            ),
            say("Read the whole search."),
        )


def unknown_metric_error(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """A learned metric was not learned again, so that neither claim can be made of more than this one metric."""
    if found.detail.relearned is None or found.given_metric.undefined:
        return
    if len(found.relearned_estimates) >= FEWEST_RELEARNED:
        return
    if found.result.audit.metric_resamples < FEWEST_RELEARNED:
        yield Caveat(
            "serious",
            say(
                "The fair metric was learned from rows and not learned again from others, so it is not known how "
                "much of this result is chance in who taught it. All numbers are given exactly this metric."
            ),
            say("Run the audit again with metric resamples, 25 or more, or declare the metric."),
        )
    else:
        yield Caveat(
            "serious",
            say(
                "The fair metric could not be learned again from halves of what taught it, so it is not known how much "
                "of this result is chance in who taught it. All numbers are given exactly this metric."
            ),
            say("Let more people teach the metric, or declare it."),
        )


def hangs_on_metric(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """The bounds given exactly this metric say more than those with its error, or its rows do not tell a direction."""
    direction = found.inference.direction
    if direction is not None and direction.shortened <= 0 and found.by_claims is not Verdict.VIOLATION:
        yield Caveat(
            "warning",
            say(
                "Halves of the rows that the metric was learned from disagree so much on what tells the groups that no "
                "upper limit can be stated."
            ),
            say("Learn the metric from more rows, or declare it."),
        )
    alone = given_exactly(found)
    if alone is found.by_claims:
        return
    yield Caveat(
        "warning",
        say(
            "Given exactly this metric, the verdict would be “{verdict}”. But the metric was learned, and "
            "other rows would teach another: with that uncertainty the interval is too wide for a claim.",
            verdict=alone.words,
        ),
        say("Bring more rows to learn the metric from, or declare it."),
    )


def by_search_alone(found: GradientFlowEstimates) -> Verdict:
    """What the claim would say of what the search found, whoever can be."""
    return _claimed_of(found, found.inference)


def given_exactly(found: GradientFlowEstimates) -> Verdict:
    """What the claim would say given exactly this metric."""
    return _claimed_of(found, found.given_metric_exactly)


def _claimed_of(found: GradientFlowEstimates, evidence: TwoSided) -> Verdict:
    delta, alpha = found.decision.delta, found.decision.alpha
    return judge([Claim.of_evidence(evidence, delta, alpha, what=found.kind.title)])


def tail_warning(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """A few rows carry the mean."""
    if found.decision.statistic == "loss ratio" and found.tail.doubtful:
        interval = found.bootstrap_t(2 * found.decision.alpha)
        contradicted = found.by_claims is Verdict.VIOLATION and interval.low <= found.decision.delta
        yield Caveat(
            "serious" if contradicted else "warning",
            say(
                "The largest 1% of rows carry {share} of the mean loss ratio, so the normal interval is "
                "doubtful; the bootstrap-t bounds are {low} and {high}.",
                share=percent(round(found.tail.share, 2)),
                low=localized(f"{interval.low:.3g}"),
                high=localized(f"{interval.high:.3g}"),
            ),
            say("Bring more rows, or set a smallest loss."),
        )


def rising(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """The statistic still grows at the stopping time, so that a longer search may find more."""
    steps = found.detail.steps
    half = found.detail.at(int(steps[found.index]) // 2)
    if half >= found.index or found.by_claims is Verdict.VIOLATION:
        return
    now, then = found.inference.value, found.under(stop_at=int(steps[half])).inference.value
    if now - then > RISING * max(then, 1.0):
        yield Caveat(
            "warning",
            say(
                "The {statistic} still rises: {then} after {fewer} steps, {now} after {steps}.",
                statistic=name_of(found.decision.statistic),
                then=localized(f"{then:.3g}"),
                fewer=int(steps[half]),
                now=localized(f"{now:.3g}"),
                steps=int(steps[found.index]),
            ),
            say("A longer search may find more, but also where nobody can be: look at the possible people."),
        )


def between_people(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """The search alone would say something else than a verdict that accuses nobody: it ends where nobody can be."""
    if found.by_claims is Verdict.VIOLATION or (alone := by_search_alone(found)) is found.by_claims:
        return
    yield Caveat(
        "warning",
        say(
            "The search alone, which may end between people, would say “{verdict}”: {searched} times. For similar "
            "people who could exist it is {people} times: they have to show a violation, and both that there is none.",
            verdict=alone.words,
            searched=localized(f"{found.inference.value:.3g}"),
            people=localized(f"{found.estimate:.3g}"),
        ),
        say("Go by the possible people: the search ended where nobody can be."),
    )


def step_error(found: GradientFlowEstimates) -> Iterator[Caveat]:
    """The step size moves T_n by a good part of its distance to delta."""
    error = abs(found.detail.halving.error)
    distance = abs(found.detail.halving.lower_bound - found.decision.delta)
    whole = found.index == len(found.detail.steps) - 1
    if found.decision.statistic == "loss ratio" and whole and error > 0.25 * distance:
        yield Caveat(
            "warning",
            say(
                "Halving the step size moves the lower bound by {error}, a good part of its distance {distance} "
                "to the tolerance.",
                error=localized(f"{error:.2g}"),
                distance=localized(f"{distance:.2g}"),
            ),
            say("Choose a smaller step size, or the integrator ETD2RK."),
        )
