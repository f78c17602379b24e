"""The tables of the equalized odds test."""

from __future__ import annotations

import numpy as np

from core.audits.equalized_odds.compared import gap_shares, shared_text, threshold_text
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.report import means
from core.audits.equalized_odds.result import AttributeCalibration, AttributeTest, EqualizedOddsDetail
from core.audits.equalized_odds.spreads import CONFIDENCE, Spread, is_share, spreads
from core.audits.equalized_odds.summaries import AttributeSummary
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_answers import given_name, given_number, score_name, value_text
from core.base.tables import NOT_GIVEN, Table
from core.inference.share import Share
from core.language.phrases import count, interval, number, p_value, percent, points, precision, share_to_tenths, whole
from core.language.told import localized, say, say_as

_MOST_SHOWN = 50
"""Differences that are listed."""


def tables(finding: EqualizedOddsFinding) -> dict[str, Table]:
    """Tables by the name of the figure they stand below; of the attribute that is shown where there is one for each."""
    found = {
        "fair dummies null": _null(finding),  # verbatim
        **({"fair dummies means": means.table(finding)} if finding.effects else {}),  # verbatim
        **({"fair dummies gap": _gap(finding)} if any(gap.stratum >= 0 for gap in finding.gaps) else {}),  # verbatim
        **({"fair dummies beyond": _beyond(finding)} if _shown(finding) else {}),  # verbatim
        "fair dummies answers": _answers(finding),  # verbatim
    }
    if finding.test.calibration is not None:
        found["fair dummies attribute model"] = _model(finding, finding.test.calibration)  # verbatim
    return {**found, "fair dummies attributes": _attributes(finding)}  # verbatim


def _null(finding: EqualizedOddsFinding) -> Table:
    header = (
        say("Attribute"),
        say("Loss with people's own groups"),
        say("Half of the draws below"),
        say("95% of the draws"),
        say("Draws as low"),
        say("Draws K"),
        say("p-value"),
        say("p-value, drawn the other way"),
    )
    rows = tuple(_null_row(test, finding.decision.alpha) for test in finding.result.detail.tests)
    return Table(say("Loss of the answers guessed with people's own groups and with groups drawn anew"), header, rows)


def _null_row(test: AttributeTest, alpha: float) -> tuple[str, ...]:
    if test.untested:
        return (test.attribute, *[NOT_GIVEN] * 4, "0", *[NOT_GIVEN] * 2)
    low, middle, high = map(float, np.quantile(test.null, (0.025, 0.5, 0.975)))
    decimals = precision(low, high)
    return (
        test.attribute,
        number(test.statistic, decimals),
        number(middle, decimals),
        interval(low, high),
        whole(int(np.count_nonzero(test.null <= test.statistic))),
        whole(len(test.null)),
        p_value(test.p_value, alpha=alpha),
        p_value(test.other_p_value) if len(test.other_null) else NOT_GIVEN,
    )


def _gap(finding: EqualizedOddsFinding) -> Table:
    rows = tuple(
        (
            one.attribute,
            points(one.gap.value) if one.gap.where else NOT_GIVEN,
            say("{low} to {high}", low=points(one.gap.low), high=points(one.gap.high)) if one.gap.where else NOT_GIVEN,
            one.gap.where or NOT_GIVEN,
            one.gap.counted or NOT_GIVEN,
            share_of(one.gap.first, one.gap.first_share),
            share_of(one.gap.second, one.gap.second_share),
            whole(one.gap.too_small),
        )
        for one in finding.attributes
    )
    header = (
        say("Attribute"),
        say("Largest difference, percentage points"),
        say("One-sided {confidence} bounds", confidence=percent(1 - finding.decision.alpha)),
        say("Among"),
        say("Counted"),
        say("Larger share"),
        say("Smaller share"),
        say("Combinations too small to compare"),
    )
    tolerated = localized(f"{100 * finding.decision.delta:.10g}")
    caption = (
        say("The largest difference of shares between groups")
        if finding.effects
        else say("The largest difference of shares between groups; tolerance {tolerance}", tolerance=tolerated)
    )
    return Table(caption, header, rows)


def _shown(finding: EqualizedOddsFinding) -> list[tuple[int, EqualizedOddsGap]]:
    """Place of the attribute and difference of all that are shown to exceed the tolerance; none where means decide."""
    if finding.effects:
        return []
    delta = finding.decision.delta
    return [(place, gap) for place, gaps in enumerate(finding.beyond) for gap in gaps if gap.low > delta and gap.value]


def _beyond(finding: EqualizedOddsFinding) -> Table:
    detail, shown = finding.result.detail, _shown(finding)
    rows = []
    for place, gap in shown[:_MOST_SHOWN]:
        one, shares = detail.attributes[place], gap_shares(detail, place, gap)
        groups = [share_of(one.groups[group], share) for group, share in zip(gap.groups, shares, strict=True)]
        among = shared_text(detail, gap.stratum) or say_as("among whom", "everybody")
        ends = say("{low} to {high}", low=points(gap.low), high=points(gap.high))
        rows.append((one.name, among, threshold_text(detail, gap), *groups, points(gap.value), ends))
    header = (
        say("Attribute"),
        say("Among"),
        say("Counted"),
        say("Larger share"),
        say("Smaller share"),
        say("Difference, percentage points"),
        say("One-sided {confidence} bounds", confidence=percent(1 - finding.decision.alpha)),
    )
    caption = say("Differences of shares shown to exceed the tolerance. Their lower bounds hold together.")
    if len(shown) > _MOST_SHOWN:
        more = say("The first {n} of {all_of_them} are listed.", n=_MOST_SHOWN, all_of_them=whole(len(shown)))
        caption = f"{caption} {more}"
    return Table(caption, header, tuple(rows))


def share_of(group: str, share: float) -> str:
    """``female: 22.7%``; a dash where groups are too small to be compared."""
    return f"{group}: {share_to_tenths(share)}" if group else NOT_GIVEN


def _answers(finding: EqualizedOddsFinding) -> Table:
    detail, place = finding.result.detail, finding.place
    shares, one = is_share(detail), detail.attributes[place]
    by: tuple[str, ...] = ()
    if detail.shared:
        by = (detail.shared.capitalize() if detail.strata.exact else say("Mean {name}", name=given_name(detail)),)
    header = (*by, say("Group of {name}", name=one.name), say("People"), *_columns(shares=shares))
    rows = tuple(
        (
            *((_given(detail, spread),) if by else ()),
            one.groups[spread.group],
            whole(spread.people),
            *_values(detail, spread, shares=shares),
        )
        for spread in spreads(detail, place)
    )
    return Table(say("{what} by {attribute}", what=score_name(detail), attribute=one.name), header, rows)


def _columns(*, shares: bool) -> tuple[str, ...]:
    if shares:
        return say_as("of people", "Share"), say(
            "{confidence} interval, each by itself", confidence=percent(CONFIDENCE)
        )
    return say("Median"), say("Middle half"), say("Nine in ten")


def _given(detail: EqualizedOddsDetail, spread: Spread) -> str:
    if detail.strata.exact:
        return detail.strata.name(spread.stratum)
    return given_number(detail, spread) if spread.known else NOT_GIVEN


def _values(detail: EqualizedOddsDetail, spread: Spread, *, shares: bool) -> tuple[str, ...]:
    if not spread.known:
        return (say("insufficient evidence"), *[NOT_GIVEN] * (1 if shares else 2))
    around = say("{low} to {high}", low=value_text(detail, spread.low), high=value_text(detail, spread.high))
    if shares:
        return value_text(detail, spread.middle), around
    most = say("{low} to {high}", low=value_text(detail, spread.least), high=value_text(detail, spread.most))
    return value_text(detail, spread.middle), around, most


def _model(finding: EqualizedOddsFinding, found: AttributeCalibration) -> Table:
    one = finding.result.detail.attributes[finding.place]
    rows = []
    for b in np.argsort(found.group, kind="stable"):
        n = int(found.rows[b])
        ends = Share(round(float(found.observed[b]) * n), n).two_sided(1 - CONFIDENCE)
        rows.append(
            (
                *(() if one.continuous else (one.groups[found.group[b]],)),
                share_to_tenths(float(found.expected[b])),
                share_to_tenths(float(found.observed[b])),
                say("{low} to {high}", low=share_to_tenths(ends.low), high=share_to_tenths(ends.high)),
                whole(n),
            )
        )
    header = (
        *(() if one.continuous else (say("Group of {name}", name=one.name),)),
        say("Promised") if one.continuous else say("Learned probability, mean"),
        say_as("a share", "Found"),
        say("{confidence} interval, each by itself", confidence=percent(CONFIDENCE)),
        say("People"),
    )
    caption = say(
        "Who belongs to which group of {name}, as learned and as found; p-value {p}",
        name=one.name,
        p=p_value(found.p_value),
    )
    return Table(caption, header, tuple(rows))


def _attributes(finding: EqualizedOddsFinding) -> Table:
    rows = tuple(
        (
            one.attribute,
            ", ".join(f"{group} ({whole(people)})" for group, people in zip(one.groups, one.people, strict=True)),
            p_value(one.adjusted_p),
            p_value(one.different_p),
            _size(finding, one),
            whole(one.learned),
            whole(one.tested),
            whole(one.left_out) + (f" ({count(one.single_strata, 'outcome')})" if one.single_strata else ""),
            whole(one.gap.too_small),
        )
        for one in finding.attributes
    )
    header = (
        say("Attribute"),
        say("Groups (people)"),
        say("p-value of the tolerance, adjusted"),
        say("p-value of no difference, adjusted"),
        say("Difference of the means, {unit}", unit=finding.unit.name)
        if finding.effects
        else say("Largest difference, percentage points"),
        say("Rows learned from"),
        say("Rows tested"),
        say("Rows left out: one group only"),
        say("Too small to judge"),
    )
    return Table(say("The protected attributes and the rows behind their tests"), header, rows)


def _size(finding: EqualizedOddsFinding, one: AttributeSummary) -> str:
    if not finding.effects:
        return say(
            "{value} ({low} to {high})",
            value=points(one.gap.value),
            low=points(one.gap.low),
            high=points(one.gap.high),
        )
    if not one.means:
        return NOT_GIVEN
    first = one.means[0]
    return f"{number(first.value)} ({interval(first.low, first.high)})"
