"""Tables of claims: groups, intersections, signed differences, and the same within columns."""

from collections.abc import Sequence

import numpy as np

from core.audits.group_fairness.localising import WithinColumn
from core.audits.group_fairness.settings import DEFAULT_COLUMNS
from core.audits.group_fairness.signed import signed_differences
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_claims import (
    answer_text,
    apart_text,
    compared_in,
    how_much,
    side_text,
    tolerance_text,
)
from core.audits.group_fairness.wording_groups import wrongly_favourable
from core.base.tables import NOT_GIVEN, Table
from core.claims import Claim
from core.claims_shown import state
from core.claims_told import happened
from core.group_answers import GroupAnswers
from core.language.phrases import first_few, number, p_value, percent, quoted, whole
from core.language.told import localized, say

MOST = 30
"""Rows of a table of intersections."""
_MOST_NAMED = 12
"""Columns not looked within that are named."""


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """Tables by the names under which page and report show them."""
    found = {"claims": _claims(finding)}
    if combined := shown(finding, decides=False):
        found["claims intersections"] = _table(finding, _intersections(finding), combined[:MOST])  # verbatim
    if finding.result.detail.favourable >= 0 and finding.subjects.groups:
        found["claims signed"] = _signed(finding)  # verbatim
    if finding.columns:
        found["claims within"] = _within(finding)  # verbatim
        if local := _local(finding):
            found["claims local"] = local  # verbatim
    return found


def shown(finding: GroupFairnessFinding, *, decides: bool) -> list[Claim]:
    """Differences of groups, or of intersections, the worst first; of two that mirror each other the worse one.

    Both directions of a pair accuse, so that the lower bound of one and the upper bound of the other hold differently.
    """
    found = [
        one
        for one in finding.claims
        if one.scale == "difference" and one.decides is decides and one.people and (one.one_sided or one.estimate >= 0)
    ]
    pairs: dict[tuple[frozenset[str], str], Claim] = {}
    for one in sorted(found, key=lambda one: (one.judged, one.beyond, not one.within, one.estimate)):
        pairs[frozenset((one.who, one.against)), one.of] = one
    return sorted(pairs.values(), key=_place)


def _place(claim: Claim) -> tuple[bool, bool, float]:
    """What the order of claims follows: those beyond the tolerance by how far they are shown to be, others by size."""
    return not claim.judged, not claim.beyond, -claim.distance if claim.beyond else -claim.estimate


def flagged(finding: GroupFairnessFinding) -> frozenset[str]:
    """Intersections of which at most a share alpha is named wrongly, on average (Benjamini and Hochberg 1995)."""
    from scipy.stats import false_discovery_control

    found = [one for one in finding.claims if one.scale == "difference" and not one.decides and one.judged]
    if not found:
        return frozenset()
    each = np.concatenate(
        [
            family.compared.p_values(finding.decision.delta * finding.factor)
            for family in finding.families
            if not family.decides
        ]
    )
    passed = false_discovery_control(each, method="bh") <= finding.decision.alpha
    return frozenset(one.who for one, there in zip(found, passed, strict=True) if there)


def _claims(finding: GroupFairnessFinding) -> Table:
    caption = say(
        "Groups beside those they are compared with. Compared in {what}. A lower bound holds for all groups together "
        "with {sure} confidence, upper bounds each by itself. Tolerated: a difference of {tolerance}.",
        what=_what(finding),
        sure=percent(1 - finding.decision.alpha),
        tolerance=tolerance_text(finding),
    )
    if any(family.has_ratios for family in finding.families):
        ratios = say(
            "Of ratios upper bounds hold together, and at least {ratio} is asked for.",
            ratio=localized(f"{finding.decision.ratio:g}"),
        )
        caption = f"{caption} {ratios}"
    return _table(finding, caption, shown(finding, decides=True))


def _intersections(finding: GroupFairnessFinding) -> str:
    return say(
        "People who belong to groups of several attributes, beside everybody else, in {what}; the first {most}, the "
        "worst first. A lower bound holds for all of them together with {sure} confidence. Of those that are named as "
        "likely at most {alpha} are named wrongly, on average.",
        what=_what(finding),
        most=MOST,
        sure=percent(1 - finding.decision.alpha),
        alpha=percent(finding.decision.alpha),
    )


def _what(finding: GroupFairnessFinding) -> str:
    claim = finding.deciding
    return compared_in(finding, claim) if claim is not None else ""


def _table(finding: GroupFairnessFinding, caption: str, claims: Sequence[Claim]) -> Table:
    ratios = {(one.who, one.against, one.of): one for one in finding.claims if one.scale == "ratio"}
    likely = flagged(finding)
    rows = []
    for one in claims:
        ratio = ratios.get((one.who, one.against, one.of))
        said = state(one)
        if not one.beyond and one.who in likely:
            said = say("likely beyond the tolerance")
        if ratio is not None and ratio.beyond:
            said = say("{said}; ratio below what is tolerated", said=said)
        rows.append(
            (
                one.who,
                one.against,
                whole(one.people),
                side_text(finding, one, one.here),
                side_text(finding, one, one.there),
                difference_text(finding, one),
                NOT_GIVEN if ratio is None else ratio_text(ratio),
                p_value(one.p_value, alpha=finding.decision.alpha) if one.judged else NOT_GIVEN,
                said,
            )
        )
    numbers = finding.result.detail.numbers
    theirs, others = (
        (say("Their mean"), say("Mean of the others")) if numbers else (say("Their rate"), say("Rate of the others"))
    )
    header = (
        say("Who"),
        say("Compared with"),
        say("People"),
        f"{theirs}, {say('all people')}" if finding.decision.within else theirs,
        f"{others}, {say('all people')}" if finding.decision.within else others,
        say("{how_much}, with bounds", how_much=how_much(finding)),
        say("Ratio of the shares that get {answer}, with bounds", answer=answer_text(finding, claims[0].of))
        if ratios
        else say("Ratio, with bounds"),
        say("p-value"),
        say("What is said"),
    )
    return Table(caption, header, tuple(rows))


def difference_text(finding: GroupFairnessFinding, claim: Claim) -> str:
    """A difference with its bounds; of too few people without."""
    value = apart_text(finding, claim.estimate)
    if not claim.judged:
        return value
    one_sided = bool(np.isfinite(claim.high))
    ends = (claim.low, claim.high) if one_sided else claim.ends
    low, high = (apart_text(finding, end, unit=False) for end in ends)
    if one_sided:
        return say("{value} (at least {low}, at most {high})", value=value, low=low, high=high)
    return say("{value} ({low} to {high})", value=value, low=low, high=high)


def ratio_text(claim: Claim) -> str:
    """A ratio with its bounds; of too few people without."""
    value, low, high = number(claim.estimate, 2), number(claim.low), number(claim.high)
    if not claim.judged:
        return value
    if not np.isfinite(claim.low):
        return say("{value} (at most {high})", value=value, high=high)
    return say("{value} (at least {low}, at most {high})", value=value, low=low, high=high)


def _within(finding: GroupFairnessFinding) -> Table:
    pooled = {(one.who, one.against): one for one in shown(finding.under(within=()), decides=True)}
    rows = [
        (
            one.subject.who,
            one.column.name,
            difference_text(finding, pooled[pair]),
            _interval(finding, one, judged=pooled[pair].judged),
        )
        for one in finding.columns
        for pair in [(one.subject.who, one.subject.against)]
        if pair in pooled
    ]
    caption = say(
        "The same comparisons among people who are alike in one column, on average over its values. Whether a column "
        "may rightly matter is for people to say. {sure} intervals, all together.{not_shown}",
        sure=percent(1 - finding.decision.alpha),
        not_shown=_not_shown(finding),
    )
    return Table(
        caption,
        (
            say("Who"),
            say("Alike in"),
            say("{how_much}, all people", how_much=how_much(finding)),
            say("{how_much}, alike", how_much=how_much(finding)),
        ),
        tuple(rows),
    )


def _not_shown(finding: GroupFairnessFinding) -> str:
    """Which features were not looked within, and why, as a further sentence; empty where all were."""
    others = finding.result.features_beside(one.name for one in finding.result.detail.columns)
    if not others:
        return ""
    if finding.result.audit.columns:
        return say(" Not shown, because others were chosen: {columns}.", columns=first_few(others, _MOST_NAMED))
    return say(
        " Not shown: {columns}. The first {n} features are looked within unless others are chosen before the run.",
        columns=first_few(others, _MOST_NAMED),
        n=DEFAULT_COLUMNS,
    )


def _interval(finding: GroupFairnessFinding, one: WithinColumn, *, judged: bool) -> str:
    if not one.found.compared:
        return say("nobody to compare with")
    if not judged:
        return say("{value}, too few people to judge", value=apart_text(finding, one.found.value))
    low, high = (apart_text(finding, end, unit=False) for end in (one.low, one.high))
    return say("{value} ({low} to {high})", value=apart_text(finding, one.found.value), low=low, high=high)


def local_column(finding: GroupFairnessFinding) -> WithinColumn | None:
    """The column within which the leading comparison changes most."""
    claim = finding.deciding
    found = [
        one for one in finding.columns if claim is not None and one.subject.who == claim.who and one.found.compared
    ]
    if claim is None:
        return None
    return max(found, key=lambda one: abs(one.found.value - claim.estimate), default=None)


def _local(finding: GroupFairnessFinding) -> Table | None:
    """Where the leading difference lies, cell by cell of one column; a description, without bounds."""
    everybody = finding.under(within=())
    one = local_column(everybody)
    if one is None:
        return None
    claim = next((there for there in shown(everybody, decides=True) if there.who == one.subject.who), None)
    if claim is None:
        return None
    parts = np.where(np.isfinite(one.found.differences), one.found.weights * one.found.differences, 0.0)
    rows = [
        (
            one.column.groups[place],
            percent(round(float(one.found.weights[place]), 3)),
            apart_text(finding, float(one.found.differences[place])),
            apart_text(finding, float(parts[place])),
        )
        for place in range(len(one.column.groups))
        if one.found.weights[place] > 0
    ]
    rows.append((say("how groups are spread over them"), NOT_GIVEN, NOT_GIVEN, _rest(finding, claim, one)))
    caption = say(
        "Where the difference of {who} lies, by {column}: how large it is at each value, and what that adds to the "
        "whole. A description, without bounds.",
        who=claim.who,
        column=one.column.name,
    )
    header = (
        one.column.name,
        say("Weight"),
        say("{how_much} there", how_much=how_much(finding)),
        say("Part of the whole"),
    )
    return Table(caption, header, tuple(rows))


def _rest(finding: GroupFairnessFinding, claim: Claim, one: WithinColumn) -> str:
    return apart_text(finding, claim.estimate - one.found.value)


def _signed(finding: GroupFairnessFinding) -> Table:
    """Signed differences of every pair that is shown."""
    detail, known = finding.result.detail, {(one.who, one.against) for one in shown(finding, decides=True)}
    pairs = tuple(one for one in finding.subjects.groups if (one.who, one.against) in known)
    found = signed_differences(detail, finding.subjects, pairs, finding.decision.alpha)
    names = {
        "SPD": say("Statistical parity difference (SPD)"),
        "EOD": say("Equal opportunity difference (EOD)"),
        "FPR": wrongly_favourable(GroupAnswers.of(finding.result)),
        "AOD": say("Average odds difference (AOD)"),
        "PPV": say("Predictive value difference"),
        "accuracy": say("Accuracy difference"),
    }
    rows = [
        (
            pair.who,
            pair.against,
            *(
                NOT_GIVEN
                if np.isnan(one.value[place])
                else say(
                    "{value} ({low} to {high})",
                    value=localized(f"{100 * one.value[place]:+.1f}"),
                    low=localized(f"{100 * one.low[place]:+.1f}"),
                    high=localized(f"{100 * one.high[place]:+.1f}"),
                )
                for one in found
            ),
        )
        for place, pair in enumerate(pairs)
    ]
    caption = say(
        "Signed differences. A group's rate less that of those it is compared with, in percentage points; {answer} is "
        "the positive class. {sure} intervals, each by itself; those of the verdict differ, since they hold together.",
        answer=quoted(detail.classes[detail.favourable]),
        sure=percent(1 - finding.decision.alpha),
    )
    if any(one.name == "FPR" for one in found):
        explained = say(
            "Equal opportunity is about people {where}, the shares that wrongly get {answer} about all others.",
            where=happened(detail.classes[detail.favourable]),
            answer=answer_text(finding, detail.classes[detail.favourable]),
        )
        caption = f"{caption} {explained}"
    return Table(caption, (say("Who"), say("Compared with"), *(names[one.name] for one in found)), tuple(rows))
