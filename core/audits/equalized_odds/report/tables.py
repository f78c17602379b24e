"""The tables of the equalized odds test."""

from __future__ import annotations

import numpy as np

from core.audits.equalized_odds.report import means
from core.audits.equalized_odds.result import AttributeCalibration, AttributeTest, EqualizedOddsDetail
from core.audits.equalized_odds.spreads import CONFIDENCE, Spread, is_share, spreads
from core.audits.equalized_odds.summaries import AttributeSummary
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_answers import given_name, given_number, score_name, value_text
from core.inference.share import Share
from core.language.told import localized, say
from core.phrases import count, interval, number, p_value, percent, points, precision
from core.tables import NOT_GIVEN, Table

_SHARES = ("Share", say("{confidence} interval, each by itself", confidence=percent(CONFIDENCE)))
_QUANTILES = ("Median", say("Middle half"), say("Nine in ten"))


def tables(finding: EqualizedOddsFinding) -> dict[str, Table]:
    """Tables by the name of the figure they stand below; of the attribute that is shown where there is one for each."""
    found = {
        "fair dummies null": _null(finding),
        **({"fair dummies means": means.table(finding)} if finding.effects else {}),
        **({"fair dummies gap": _gap(finding)} if any(gap.stratum >= 0 for gap in finding.gaps) else {}),
        "fair dummies answers": _answers(finding),
    }
    if finding.test.calibration is not None:
        found["fair dummies attribute model"] = _model(finding, finding.test.calibration)
    return {**found, "fair dummies attributes": _attributes(finding)}


def _null(finding: EqualizedOddsFinding) -> Table:
    header = (
        "Attribute",
        say("Loss with people's own groups"),
        say("Half of the draws below"),
        say("95% of the draws"),
        say("Draws as low"),
        say("Draws K"),
        "p-value",
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
        f"{np.count_nonzero(test.null <= test.statistic):,}",
        f"{len(test.null):,}",
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
            f"{one.gap.too_small:,}",
        )
        for one in finding.attributes
    )
    header = (
        "Attribute",
        say("Largest difference, percentage points"),
        say("One-sided {alpha} bounds", alpha=percent(1 - finding.decision.alpha)),
        "Among",
        "Counted",
        say("Larger share"),
        say("Smaller share"),
        say("Combinations too small to compare"),
    )
    tolerated = (
        "" if finding.effects else say("; tolerance {delta}", delta=localized(f"{100 * finding.decision.delta:.10g}"))
    )
    return Table(say("The largest difference of shares between groups{tolerated}", tolerated=tolerated), header, rows)


def share_of(group: str, share: float) -> str:
    """``female: 22.7%``; a dash where groups are too small to be compared."""
    return f"{group}: {points(share)}%" if group else NOT_GIVEN


def _answers(finding: EqualizedOddsFinding) -> Table:
    detail, place = finding.result.detail, finding.place
    shares, one = is_share(detail), detail.attributes[place]
    by = (
        (detail.shared.capitalize() if detail.strata.exact else say("Mean {detail}", detail=given_name(detail)),)
        if detail.shared
        else ()
    )
    header = (*by, say("Group of {name}", name=one.name), "People", *(_SHARES if shares else _QUANTILES))
    rows = tuple(
        (
            *((_given(detail, spread),) if by else ()),
            one.groups[spread.group],
            f"{spread.people:,}",
            *_values(detail, spread, shares=shares),
        )
        for spread in spreads(detail, place)
    )
    return Table(say("{detail} by {name}", detail=score_name(detail), name=one.name), header, rows)


def _given(detail: EqualizedOddsDetail, spread: Spread) -> str:
    if detail.strata.exact:
        return detail.strata.names[spread.stratum]
    return given_number(detail, spread) if spread.known else NOT_GIVEN


def _values(detail: EqualizedOddsDetail, spread: Spread, *, shares: bool) -> tuple[str, ...]:
    if not spread.known:
        return (say("insufficient evidence"), *[NOT_GIVEN] * (1 if shares else 2))
    around = say(
        "{detail} to {detail2}", detail=value_text(detail, spread.low), detail2=value_text(detail, spread.high)
    )
    if shares:
        return value_text(detail, spread.middle), around
    most = say(
        "{detail} to {detail2}", detail=value_text(detail, spread.least), detail2=value_text(detail, spread.most)
    )
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
                f"{points(float(found.expected[b]))}%",
                f"{points(float(found.observed[b]))}%",
                say("{low}% to {high}%", low=points(ends.low), high=points(ends.high)),
                f"{n:,}",
            )
        )
    header = (
        *(() if one.continuous else (say("Group of {name}", name=one.name),)),
        "Promised" if one.continuous else say("Learned probability, mean"),
        "Found",
        say("{confidence} interval, each by itself", confidence=percent(CONFIDENCE)),
        "People",
    )
    caption = say(
        "Who belongs to which group of {name}, as learned and as found; p-value {p_value}",
        name=one.name,
        p_value=p_value(found.p_value),
    )
    return Table(caption, header, tuple(rows))


def _attributes(finding: EqualizedOddsFinding) -> Table:
    rows = tuple(
        (
            one.attribute,
            ", ".join(f"{group} ({people:,})" for group, people in zip(one.groups, one.people, strict=True)),
            p_value(one.adjusted_p),
            p_value(one.different_p),
            _size(finding, one),
            f"{one.learned:,}",
            f"{one.tested:,}",
            f"{one.left_out:,}" + (f" ({count(one.single_strata, 'outcome')})" if one.single_strata else ""),
            f"{one.gap.too_small:,}",
        )
        for one in finding.attributes
    )
    header = (
        "Attribute",
        say("Groups (people)"),
        say("p-value of the tolerance, adjusted"),
        say("p-value of no difference, adjusted"),
        say("Difference of the means, {name}", name=finding.unit.name)
        if finding.effects
        else say("Largest difference, points"),
        say("Rows learned from"),
        say("Rows tested"),
        say("Rows left out: one group only"),
        say("Too small to judge"),
    )
    return Table(say("The protected attributes and the rows behind their tests"), header, rows)


def _size(finding: EqualizedOddsFinding, one: AttributeSummary) -> str:
    if not finding.effects:
        return say(
            "{points} ({low} to {high})",
            points=points(one.gap.value),
            low=points(one.gap.low),
            high=points(one.gap.high),
        )
    if not one.means:
        return NOT_GIVEN
    first = one.means[0]
    return f"{number(first.value)} ({interval(first.low, first.high)})"
