"""The tables of the equalized odds test."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from core.audits.equalized_odds.result import AttributeCalibration, AttributeTest, EqualizedOddsDetail
from core.audits.equalized_odds.spreads import CONFIDENCE, Spread, is_share, spreads
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_answers import given_name, given_number, score_name, value_text
from core.base.tables import NOT_GIVEN, Table
from core.claims_shown import each
from core.inference.share import Share
from core.language.phrases import count, interval, number, p_value, percent, precision, share_to_tenths, whole
from core.language.told import localized, say, say_as

_MOST_SHOWN = 50
"""Differences that are listed."""


def tables(finding: EqualizedOddsFinding) -> dict[str, Table]:
    """Tables by the name of the figure they stand below; of the attribute that is shown where there is one for each."""
    found = {
        "fair dummies null": _null(finding),  # verbatim
        **_claims(finding),
        "fair dummies answers": _answers(finding),  # verbatim
    }
    if finding.test.calibration is not None:
        found["fair dummies attribute model"] = _model(finding, finding.test.calibration)  # verbatim
    return {**found, "fair dummies attributes": _attributes(finding)}  # verbatim


def _claims(finding: EqualizedOddsFinding) -> dict[str, Table]:
    """Differences of means and of shares; none where nothing is known of any.

    Of shares of parts of an outcome that is a number nothing is known from below.
    """
    captions = {
        "fair dummies means": say("Differences of the means, all intervals together"),  # verbatim
        "fair dummies shares": say("The largest difference of shares between groups"),  # verbatim
        "fair dummies gap": say(  # verbatim
            "Differences of shares between groups; tolerance {tolerance}. Their lower bounds hold together.",
            tolerance=localized(f"{100 * finding.decision.delta:.10g}"),
        ),
        "fair dummies decisions": say(  # verbatim
            "Differences of decisions between groups. They are those at the threshold with which the model decides."
        ),
    }
    known: dict[str, Any] = {"alpha": finding.decision.alpha, "rows": say("People")}
    parts = dict(finding.parts)
    if finding.effects and not finding.exact:
        shares = parts["fair dummies shares"]  # verbatim
        parts["fair dummies shares"] = tuple(replace(one, low=-math.inf) for one in shares)  # verbatim
    return {
        name: each(claims[:_MOST_SHOWN], caption=_cut(captions[name], len(claims)), **known)
        for name, claims in parts.items()
        if any(one.defined for one in claims)
    }


def _cut(caption: str, found: int) -> str:
    if found <= _MOST_SHOWN:
        return caption
    more = say("The first {n} of {all_of_them} are listed.", n=_MOST_SHOWN, all_of_them=whole(found))
    return f"{caption.rstrip('.')}. {more}"


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
            p_value(one.different_p),
            whole(one.learned),
            whole(one.tested),
            whole(one.left_out) + (f" ({count(one.single_strata, 'outcome')})" if one.single_strata else ""),
            whole(one.too_small),
        )
        for one in finding.attributes
    )
    header = (
        say("Attribute"),
        say("Groups (people)"),
        say("p-value of no difference, adjusted"),
        say("Rows learned from"),
        say("Rows tested"),
        say("Rows left out: one group only"),
        say("Too small to judge"),
    )
    return Table(say("The protected attributes and the rows behind their tests"), header, rows)
