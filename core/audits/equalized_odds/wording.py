"""The words of the equalized odds test: its verdict, and what a reader can do next."""

import math
from collections.abc import Sequence

from core.audits.equalized_odds.compared import alike, gap_shares, threshold_text
from core.audits.equalized_odds.compared import among as among_in
from core.audits.equalized_odds.evidence import MORE_THAN_NOTHING
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_asked import equal_treatment, shares_of, violated
from core.audits.equalized_odds.wording_means import cleared, difference_sentence
from core.caveats.assumptions import where_to_say_it
from core.claims import leading
from core.claims_told import MOST_TIMES, bring_more, rounded_up
from core.data.labels import condition
from core.inference.estimate import Verdict
from core.language.phrases import (
    count,
    listed,
    lower_first,
    p_value,
    percent,
    points,
    quoted,
    share_to_tenths,
    whole,
    without_stop,
)
from core.language.told import say, say_as


def affected(finding: EqualizedOddsFinding) -> str:
    """On which attributes it depends how people are treated, or who fares worse where that is known; one sentence."""
    if finding.named:
        return say("Shown to be treated worse than tolerated: {named}.", named=finding.named)
    detail = finding.result.detail
    names = listed([detail.attributes[place].name for place in finding.violated])
    told = say("{they_differ} depending on {attributes}.", they_differ=violated(detail), attributes=names)
    return told[:1].upper() + told[1:]


def sentence(finding: EqualizedOddsFinding) -> str:
    """The verdict in one or two plain sentences: p-values, the largest difference, its bounds and the tolerance."""
    told = {
        Verdict.VIOLATION: _violation,
        Verdict.NO_VIOLATION: _no_violation,
        Verdict.INSUFFICIENT: _insufficient,
    }[finding.verdict](finding)
    return say("{headline}: {told}.", headline=finding.opening, told=told)


def next_steps(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first.

    Where only probabilities differ by too much, that decisions may be audited, and where it is open who fares worse by
    numbers, where to say it; else empty where the verdict is clear.
    """
    if finding.verdict is Verdict.VIOLATION:
        if finding.effects:
            return (where_to_say_it(finding.outcome),) if finding.good_end == "not said" else ()
        decided, tolerated = finding.of_decisions, finding.decision.delta
        spared = finding.told_of is finding and decided is not None and decided.bound <= tolerated
        return (say("If only decisions are used, audit these: bring a column of decisions."),) if spared else ()
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    advice = [caveat.advice for caveat in finding.reasons if caveat.advice]
    more = _more_rows(finding)
    steps = dict.fromkeys((*more, *advice))
    if more:
        steps.pop(say("Bring more rows."), None)
    return tuple(steps)


def gap_sentence(finding: EqualizedOddsFinding, place: int) -> str:
    """The difference between groups of an attribute to tell: where, of whom, how large, how certain; no full stop."""
    gap = finding.beyond[place][0]
    told = gap_comparison(finding, place, gap)
    if gap.stratum < 0:
        return told
    sure = percent(1 - finding.decision.alpha)
    known = {"told": told, "points": points(gap.value), "sure": sure, "high": points(gap.high)}
    if not finding.exact:
        return say(
            "{told}, {points} percentage points apart (at most {high} with {sure} confidence)",
            **known,
        )
    return say(
        "{told}, {points} percentage points apart (at least {low} and at most {high}, each with {sure} confidence)",
        low=points(gap.low),
        **known,
    )


def gap_comparison(finding: EqualizedOddsFinding, place: int, gap: EqualizedOddsGap) -> str:
    """Who is compared by a difference between groups of an attribute, and their shares; no full stop."""
    detail = finding.result.detail
    one = detail.attributes[place]
    if gap.stratum < 0:
        same = alike(detail, about=not detail.strata.exact)
        if not same:
            return say("no two groups of {name} have {people} each", name=one.name, people=enough(finding))
        return say(
            "no two groups of {name} have {people} each {with_the_same}",
            name=one.name,
            people=enough(finding),
            with_the_same=same,
        )
    shares = gap_shares(detail, place, gap)
    first, second = (condition(one.name, one.groups[group]) for group in gap.groups)
    return say(
        "{among_people}, the share with {what} is {share} for {first} and {other} for {second}",
        among_people=among(finding, gap.stratum),
        what=threshold_text(detail, gap, finding.result.data),
        share=share_to_tenths(shares[0]),
        first=first,
        other=share_to_tenths(shares[1]),
        second=second,
    )


def enough(finding: EqualizedOddsFinding) -> str:
    """How many people a group needs to be compared: ``30 people``, ``30 people of 10 different 'home'``."""
    if finding.result.detail.clusters is None:
        return say("30 people")
    return say("30 people of 10 different {belongs_to}", belongs_to=quoted(finding.result.data.belongs_to))


def _violation(finding: EqualizedOddsFinding) -> str:
    detail, delta = finding.result.detail, finding.decision.delta
    places = finding.violated
    names = [f"{detail.attributes[place].name} ({_p_of(finding, place, delta)})" for place in places]
    told = say("{they_differ} depending on {attributes}", they_differ=violated(detail), attributes=listed(names))
    most = _leading(finding, places)
    if not finding.effects and finding.beyond[most][0].low > MORE_THAN_NOTHING:
        decided, difference = finding.of_decisions, gap_sentence(finding, most)
        if decided is not None:
            difference = say("at the worst threshold, {difference}", difference=difference)
        told = say(
            "{difference}, where {tolerance} are tolerated. {told}",
            difference=difference,
            tolerance=points(delta) if delta > 0 else say_as("tolerated", "none"),
            told=told[:1].upper() + told[1:],
        )
        if decided is None:
            return told
        clearest = _leading(decided, tuple(range(len(decided.gaps))))
        return say("{told}. Of decisions: {difference}", told=told, difference=gap_sentence(decided, clearest))
    if delta > 0:
        told = say(
            "{they_differ} depending on {attributes}, by more than the {tolerance} tolerated",
            they_differ=violated(detail),
            attributes=listed(names),
            tolerance=tolerance_text(finding),
        )
    if finding.effects:
        return say("{told}. {more}", told=told, more=_in_units(finding, places))
    if finding.gaps[most].stratum < 0:
        return say("{told}. {more}", told=told, more=_size_unknown(gap_sentence(finding, most)))
    by = "" if len(detail.attributes) == 1 else detail.attributes[most].name
    return say("{told}. {more}", told=told, more=_clearest(finding, most, by))


def _leading(finding: EqualizedOddsFinding, places: tuple[int, ...]) -> int:
    """Of these attributes the one whose claim is told first."""
    claims = {finding.claims[place]: place for place in places}
    first = leading(claims)
    return places[0] if first is None else claims[first]


def _size_unknown(why: str) -> str:
    return say("There are too few people to measure how large the difference is: {why}", why=why)


def _clearest(finding: EqualizedOddsFinding, place: int, by: str = "") -> str:
    """The difference to tell; that it need not be the one the fair dummies see where its bound shows none.

    Args:
        finding: The finding.
        place: The attribute it is by.
        by: Its name, where there are others.
    """
    told = gap_sentence(finding, place)
    if finding.beyond[place][0].low > MORE_THAN_NOTHING:
        return say("The clearest difference: {told}", told=told)
    if not by:
        return say(
            "Which groups make it is not shown; among groups of {people} or more the clearest difference is: {told}",
            people=enough(finding),
            told=told,
        )
    return say(
        "Which groups make it is not shown; among groups of {people} or more the clearest difference by {attribute} "
        "is: {told}",
        people=enough(finding),
        attribute=by,
        told=told,
    )


def tolerance_text(finding: EqualizedOddsFinding) -> str:
    """The tolerance with its unit: ``10 percentage points``, ``2,300 units of salary``."""
    unit, delta = finding.unit, finding.decision.delta
    return unit.text(delta) if finding.effects else unit.tolerance(delta)


def _plain_tolerance(finding: EqualizedOddsFinding) -> str:
    """The tolerance beside a bound whose unit is told."""
    return finding.unit.number(finding.decision.delta) if finding.effects else points(finding.decision.delta)


def _in_units(finding: EqualizedOddsFinding, places: tuple[int, ...]) -> str:
    """The difference of means that shows most, and beside it the gap in shares; no full stop."""
    measured = [place for place in places if finding.shown(place)]
    if not measured:
        return _size_unknown(difference_sentence(finding, places[0]))
    most = max(measured, key=lambda place: max(one.low for one in finding.differences(place)))
    told = difference_sentence(finding, most)
    told = told[:1].upper() + told[1:]
    if finding.gaps[most].stratum < 0:
        return told
    return say("{told}. In shares of people: {more}", told=told, more=gap_sentence(finding, most))


def _p_of(finding: EqualizedOddsFinding, place: int, delta: float) -> str:
    value = p_value(finding.evidence[place].p_value(delta), alpha=finding.decision.alpha)
    return say("adjusted p-value {p}", p=value) if len(finding.evidence) > 1 else say("p-value {p}", p=value)


def _no_violation(finding: EqualizedOddsFinding) -> str:
    bound = cleared(finding) if finding.effects else _cleared(finding)
    told = say("{bound}, within the {tolerance} tolerated", bound=bound, tolerance=_plain_tolerance(finding))
    if finding.different:
        told = say("{told}. {treated}, if by no more than that", told=told, treated=_treated(finding))
    means = equal_treatment(finding.result.detail)
    if finding.effects:
        means = say("{means}; groups with the same mean pass, however differently they spread around it", means=means)
    return say("{told}. {more}", told=told, more=means)


def _cleared(finding: EqualizedOddsFinding) -> str:
    """By how much shares differ at most, of whom and with what confidence; no full stop."""
    detail = finding.result.detail
    groups, bins = ([one.name for one in detail.attributes if one.continuous == bins] for bins in (False, True))
    among = [
        *([say("the groups of {names}", names=listed(groups))] if groups else []),
        *([say("the bins of {names}", names=listed(bins))] if bins else []),
    ]
    return say(
        "{shares} differ between {groups} by at most {bound} percentage points ({alpha} confidence)",
        shares=shares_of(detail),
        groups=listed(among),
        bound=points(finding.bound),
        alpha=percent(1 - finding.decision.alpha),
    )


def _treated(finding: EqualizedOddsFinding) -> str:
    """What is shown of attributes whose groups differ, however little; apart, those of which none is measured."""
    seen = [place for place in finding.different if _is_measured(finding, place)]
    unseen = [place for place in finding.different if place not in seen]
    told = [_differ(finding, seen)] if seen else []
    return "; ".join([*told, _not_measured(finding, unseen)] if unseen else told)


def _is_measured(finding: EqualizedOddsFinding, place: int) -> bool:
    """Whether groups of an attribute differ where they can be compared, or none can be; not where they are the same."""
    return bool(finding.effects) or finding.gaps[place].value != 0


def _not_measured(finding: EqualizedOddsFinding, places: Sequence[int]) -> str:
    """What the fair dummies see of attributes whose groups do not differ where they can be compared."""
    names = [finding.result.detail.attributes[place].name for place in places]
    told = listed([f"{name} ({_p_of(finding, place, 0.0)})" for name, place in zip(names, places, strict=True)])
    if finding.exact:
        return say(
            "A difference by {attributes} is shown, but none between groups of {people} or more: the largest there "
            "is 0",
            attributes=told,
            people=enough(finding),
        )
    return say(
        "A difference by {attributes} is shown, but none between groups of {people} or more in any part: the largest "
        "there is 0",
        attributes=told,
        people=enough(finding),
    )


def _differ(finding: EqualizedOddsFinding, places: Sequence[int]) -> str:
    """That groups of these attributes differ."""
    detail = finding.result.detail
    names = [detail.attributes[place].name for place in places]
    shown = [_p_of(finding, place, 0.0) for place in places]
    calibration = detail.asks == "calibration"
    if len(places) == 1 and not calibration:
        return say("Groups of {attribute} are treated differently ({p})", attribute=names[0], p=shown[0])
    told = listed([f"{name} ({p})" for name, p in zip(names, shown, strict=True)])
    if calibration:
        return say("The same answer does not mean the same in all groups of {attributes}", attributes=told)
    return say("Groups of {attributes} are treated differently", attributes=told)


def _insufficient(finding: EqualizedOddsFinding) -> str:
    delta, bound = finding.decision.delta, finding.bound
    serious = [caveat.what for caveat in finding.reasons if caveat.level == "serious"]
    because = say("since {why}", why=lower_first(without_stop(serious[0]))) if serious else ""
    if finding.different:
        told = lower_first(_treated(finding))
        if bound <= delta:
            return say(
                "{told}; whether by more than is tolerated is not settled, {because}",
                told=told,
                because=because,
            )
        neither = say(
            "{told}; that they differ by more than the {tolerance} tolerated is neither shown nor excluded",
            told=told,
            tolerance=tolerance_text(finding),
        )
        most = _leading(finding, finding.different)
        if not _is_measured(finding, most):
            return neither
        more = _in_units(finding, finding.different) if finding.effects else _clearest(finding, most)
        return say("{told}. {more}", told=neither, more=more)
    nothing = say(
        "no difference between the groups was shown ({p}), which is no evidence of fairness", p=_smallest(finding)
    )
    if bound <= delta:
        return say("{nothing}, {because}", nothing=nothing, because=because)
    if finding.effects:
        return say(
            "{nothing}: there could be one {up_to}, more than the {tolerance} tolerated",
            nothing=nothing,
            up_to=_up_to(finding),
            tolerance=_plain_tolerance(finding),
        )
    return say(
        "{nothing}: at some threshold there could be one {up_to}, more than the {tolerance} tolerated",
        nothing=nothing,
        up_to=_up_to(finding),
        tolerance=_plain_tolerance(finding),
    )


def _up_to(finding: EqualizedOddsFinding) -> str:
    """How large a difference may be."""
    if _unbounded(finding):
        return say("of any size")
    if finding.effects:
        return say("of up to {size}", size=finding.unit.number(finding.bound))
    return say("of up to {n} percentage points", n=points(finding.bound))


def _unbounded(finding: EqualizedOddsFinding) -> bool:
    return math.isinf(finding.bound) if finding.effects else finding.bound >= 1


def _smallest(finding: EqualizedOddsFinding) -> str:
    return say("p-value {p}", p=p_value(finding.p_different, alpha=finding.decision.alpha))


def _more_rows(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """How many rows bring the bound below the tolerance if nothing differs: bounds shrink with the root of n."""
    delta, bound = finding.decision.delta, finding.bound
    if not bound > delta > 0:
        return ()
    if finding.different:
        quarter = say("Bring more rows: four times as many halve the distance between the bounds.")
        return bring_more(finding, finding.headlined, "people") or (quarter,)
    rows, times = finding.n, (bound / delta) ** 2
    if _unbounded(finding) or times > MOST_TIMES:
        return (
            say("Bring many more rows, or merge small groups and outcomes: with these, hardly any bound can be given."),
        )
    needed = count(rounded_up(times * rows), "row")
    return (
        say(
            "Bring more rows: about {needed} instead of {rows} would show every difference to be within the tolerance, "
            "if there is none.",
            needed=needed,
            rows=whole(rows),
        ),
    )


def among(finding: EqualizedOddsFinding, stratum: int) -> str:
    """Who is compared in a stratum: ``where the outcome was yes``."""
    return among_in(finding.result.detail, stratum, finding.result.data) or say("among all people")
