"""The words of the gradient-flow test: its verdict in a headline and in plain sentences."""

import math

from core.audits.gradient_flow import doubts
from core.audits.gradient_flow.decision import Statistic, name_of
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerance_number, value_text, with_reservations
from core.contracts.metric import AbstractLearnedMetric
from core.finding import names_nobody
from core.inference.estimate import Verdict
from core.language.phrases import (
    count,
    interval,
    listed,
    lower_first,
    number,
    percent,
    precision,
    ratio,
    upper_first,
    whole,
    without_stop,
)
from core.language.told import localized, say, say_as, say_count
from core.metrics.expert import Expert
from core.one_estimate import BoundWords, conclusion

_NAMED = 3
"""Columns that are named as those that differ most often."""
_NOTABLE = 0.2
"""How often a column differs to be one of them, as a share of the one that differs most often."""


def sentence(finding: GradientFlowFinding) -> str:
    """The verdict in plain sentences, with rows, estimate, bounds and tolerance."""
    if finding.undefined:
        return say(
            "{headline}: {undefined}, so this test gives no number.",
            headline=finding.opening,
            undefined=lower_first(without_stop(finding.undefined)),
        )
    delta, decimals = finding.decision.delta, precision(finding.lower_bound, finding.upper_bound)
    words = BoundWords(
        tolerated=say("the tolerance of {delta}", delta=localized(f"{delta:g}")),
        shown=lambda value: ratio(value, beside=delta, decimals=decimals),
        sure=say("the ratio is"),
        beyond=say_as("the tolerance", "above"),
        truth=say("the ratio"),
    )
    rest = conclusion(finding, _found(finding), words)
    return f"{finding.opening}: {rest}."


def tolerance_text(finding: GradientFlowFinding) -> str:
    """The tolerance in words."""
    delta = number(finding.decision.delta)
    if finding.decision.statistic == "loss ratio":
        return say("{delta} times as far off", delta=delta)
    return say("{delta} times as many errors", delta=delta)


def question(finding: GradientFlowFinding) -> str:
    """What was asked, with what must not matter and who said so."""
    metric = finding.result.audit.metric
    if not (what := may_differ(finding)) or finding.detail.people is None:
        return finding.kind.asks
    if isinstance(metric, Expert):
        return say(
            "If mainly {what} changed, how much further off could the model be? Whoever set up this audit said "
            "that these must not matter.",
            what=what,
        )
    return say("If mainly {what} changed, how much further off could the model be?", what=what)


def under_other_metrics(finding: GradientFlowFinding) -> str:
    """What metrics learned from other halves of the rows find, for a table: ``1.05 to 1.62 with 25 metrics``."""
    if finding.detail.relearned is None:
        return say("none; this metric is not learned from rows")
    values = [one.value for one in finding.relearned_estimates]
    if not values:
        return say("not tried")
    metrics = count(len(values), "metric")
    return say("{values} with {metrics}", values=interval(min(values), max(values)), metrics=metrics)


def worse(value: float, statistic: Statistic = "loss ratio") -> str:
    """A ratio in words: 1.83 is ``83% further off`` (or ``83% more often``), 5.7 is ``5.7 times as far off``."""
    size = statistic == "loss ratio"
    if math.isnan(value):
        return say("off by an unknown amount")
    if value >= 2:
        times = number(value)
        return say("{times} times as far off", times=times) if size else say("{times} times as often", times=times)
    change = abs(value - 1)
    if change == 0:
        return say("no further off") if size else say("no more often")
    share = say("less than 0.1%") if change < 0.0005 else percent(round(change, 2 if change >= 0.1 else 3))
    if value > 1:
        return say("{share} further off", share=share) if size else say("{share} more often", share=share)
    return say("{share} less far off", share=share) if size else say("{share} less often", share=share)


def affected(finding: GradientFlowFinding) -> str:
    """The groups whose similar people are misjudged by too much, one sentence; it may be to their advantage."""
    if finding.named:
        return say(
            "Shown to have similar people who are misjudged more than tolerated, for better or worse: {named}.",
            named=finding.named,
        )
    return names_nobody()


def reservations(finding: GradientFlowFinding) -> str:
    """That the other statistic stays open where this one is within its tolerance, in a few words; or empty."""
    if finding.verdict is not Verdict.NO_VIOLATION or not finding.other_open:
        return ""
    (other,) = (one for one in finding.both if one is not finding)
    known = {"value": number(other.estimate), "bound": number(other.upper_bound)}
    if finding.decision.statistic == "loss ratio":
        return say(
            "whether too many people would be misjudged is open ({value} times as many, at most {bound})", **known
        )
    return say("whether the model would be too far off is open ({value} times as far, at most {bound})", **known)


def next_steps(finding: GradientFlowFinding) -> tuple[str, ...]:
    """Where to look for the reason of a violation; what would settle an open verdict that more rows would not."""
    if finding.verdict is Verdict.VIOLATION:
        return _to_look_at(finding)
    if finding.verdict is Verdict.NO_VIOLATION:
        return ()
    return tuple(one.advice for one in (*doubts.hangs_on_metric(finding), *doubts.between_people(finding)))


def _to_look_at(finding: GradientFlowFinding) -> tuple[str, ...]:
    """The columns in which the possible people found differ most often, none of texts."""
    changes = finding.detail.changes
    if changes is None:
        return ()
    often, order = changes.changed[0], changes.order
    most = [place for place in order[:_NAMED] if often[place] >= _NOTABLE * often[order[0]] > 0]
    if not most:
        return ()
    names = listed([finding.result.model.encoder.columns[place].name for place in most])
    return (say("Look at {columns} first, in which the people found differ most often.", columns=names),)


def _found(finding: GradientFlowFinding) -> str:
    decision = finding.decision
    size, change = decision.statistic == "loss ratio", worse(finding.estimate, decision.statistic)
    decimals = precision(finding.lower_bound, finding.upper_bound)
    value = ratio(finding.estimate, beside=decision.delta, decimals=decimals)
    if finding.detail.people is None:
        told = (
            say("On average the model is {change} for that person", change=change)
            if size
            else say("The model errs {change} about that person", change=change)
        )
    else:
        some = whole(finding.detail.people.number)
        told = (
            say(
                "Over {some} of them, the model is {change} on average for one found who could exist",
                change=change,
                some=some,
            )
            if size
            else say(
                "Over {some} of them, the model errs {change} about one found who could exist",
                change=change,
                some=some,
            )
        )
        if finding.verdict is not Verdict.VIOLATION:
            searched = ratio(finding.inference.value, beside=decision.delta, decimals=decimals)
            value = say("{value}; {searched} where the search ended, between people", value=value, searched=searched)
    return say_count(
        "for each of {n} audited person we searched for a similar person whom the model misjudges more. {told} "
        "({statistic} {value})",
        "for each of {n} audited people we searched for a similar person whom the model misjudges more. {told} "
        "({statistic} {value})",
        finding.n,
        told=told,
        statistic=name_of(decision.statistic),
        value=value,
    )


def headline(finding: GradientFlowFinding, claim: Claim, said: Said) -> str:
    """How many times as far off the model is, or can be, about a similar person; no full stop.

    It is as far off as its loss is large, which is not how often it errs.
    """
    size, tolerance = finding.decision.statistic == "loss ratio", tolerance_number(claim)
    if said == "beyond":
        return say("{found}; {tolerance} is tolerated", found=_beyond(finding, claim), tolerance=tolerance)
    if said == "within":
        sure = percent(1 - finding.decision.alpha)
        known = {"sure": sure, "bound": at_most(claim), "tolerance": tolerance, "changed": _changed(finding)}
        told = (
            say(
                "With {sure} confidence, the model would be {bound} times as far off on average {changed}; "
                "{tolerance} is tolerated",
                **known,
            )
            if size
            else say(
                "With {sure} confidence, the model would err {bound} times as often {changed}; "
                "{tolerance} is tolerated",
                **known,
            )
        )
        return with_reservations(told, reservations(finding))
    known = {"more": beyond_tolerance(claim), "missing": needed(finding, claim)}
    return (
        say("Whether the model is {more} times as far off for similar people is open: {missing}", **known)
        if size
        else say("Whether the model errs {more} times as often about similar people is open: {missing}", **known)
    )


def _beyond(finding: GradientFlowFinding, claim: Claim) -> str:
    """How far off the model would be, and how many more would be misjudged, if any.

    No group is named: a larger error may be to its advantage.
    """
    size, people = finding.decision.statistic == "loss ratio", finding.detail.people
    known = {"changed": upper_first(_changed(finding)), "value": value_text(claim)}
    if people is not None and (found := people.mistakes_found()) > (own := people.mistakes()):
        known |= {"found": whole(found), "own": whole(own), "some": whole(people.number)}
        return (
            say(
                "{changed}, {found} instead of {own} of {some} people would be misjudged, the model {value} times as "
                "far off on average",
                **known,
            )
            if size
            else say(
                "{changed}, {found} instead of {own} of {some} people would be misjudged, {value} times as many",
                **known,
            )
        )
    return (
        say("{changed}, the model would be {value} times as far off on average", **known)
        if size
        else say("{changed}, the model would err {value} times as often", **known)
    )


def _changed(finding: GradientFlowFinding) -> str:
    """What would be otherwise, amid a sentence."""
    if finding.detail.people is None:
        return say("for the most misjudged similar person a search could make up")
    if what := may_differ(finding):
        return say("if mainly {what} changed", what=what)
    return say("if they were similar people who could exist")


def may_differ(finding: GradientFlowFinding) -> str:
    """What people may differ in who are similar, in a few words; empty where the fair metric names nothing."""
    metric, data = finding.result.audit.metric, finding.result.data
    if isinstance(metric, Expert) and not metric.directions:
        return listed([*metric.free, *(name for name, weight in metric.weights if weight == 0)], _NAMED)
    if isinstance(metric, AbstractLearnedMetric) and data.protected:
        return say("what reveals {attributes}", attributes=listed(data.protected))
    return ""
