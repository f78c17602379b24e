"""The numbers behind the figures of the fair-dummies test, as tables."""

from __future__ import annotations

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import AttributeCalibration, AttributeTest, EqualizedOddsDetail
from core.audits.equalized_odds.spreads import CONFIDENCE, Spread, is_share, spreads
from core.audits.equalized_odds.wording import gap_shares, shared_text, threshold_text
from core.audits.equalized_odds.wording_answers import given_name, given_number, score_name, value_text
from core.audits.groups.conformal import Coverage
from core.audits.groups.wording_coverage import CALIBRATED, covered_text, size_name, size_text
from core.inference.share import Share
from core.phrases import interval, number, p_value, percent, points, precision
from core.report.tables import Table

NOT_GIVEN = "–"
_SHARES = ("Share", f"{percent(CONFIDENCE)} interval, each by itself")
_QUANTILES = ("Median", "Middle half", "Nine in ten")


def tables(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> dict[str, Table]:
    """Tables by the name of the figure they stand below; of the attribute that is drawn where there is one for each."""
    place = detail.place(decision)
    calibration = detail.tests[place].calibration
    found = {
        "fair dummies null": _null(detail, decision),
        "fair dummies gap": _gap(detail, decision),
        "fair dummies answers": _answers(detail, place),
    }
    if calibration is not None:
        found["fair dummies attribute model"] = _model(detail, place, calibration)
    if detail.coverage:
        sets = detail.coverage[place]
        found["fair dummies coverage"] = _coverage(detail, sets, decision)
        found["fair dummies set sizes"] = _sizes(detail, sets, decision)
    return found


def _null(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Table:
    header = (
        "Attribute",
        "Loss with people's own groups",
        "Half of the draws below",
        "95% of the draws",
        "Draws as low",
        "Draws K",
        "p-value",
        "p-value, drawn the other way",
    )
    rows = tuple(_null_row(test, decision) for test in detail.tests)
    return Table("Loss of the answers guessed with people's own groups and with groups drawn anew", header, rows)


def _null_row(test: AttributeTest, decision: EqualizedOddsDecision) -> tuple[str, ...]:
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
        p_value(test.p_value, alpha=decision.alpha),
        p_value(test.other_p_value) if len(test.other_null) else NOT_GIVEN,
    )


def _gap(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Table:
    rows = []
    for place, one in enumerate(detail.attributes):
        gap = detail.gap(place, decision)
        known = gap.stratum >= 0
        names = [one.groups[group] if known else "" for group in gap.groups]
        larger, smaller = map(share_of, names, gap_shares(detail, place, decision))
        rows.append(
            (
                one.name,
                points(gap.value) if known else NOT_GIVEN,
                f"{points(gap.low)} to {points(gap.high)}",
                (shared_text(detail, gap.stratum) or "everybody") if known else NOT_GIVEN,
                threshold_text(detail, gap) if known else NOT_GIVEN,
                larger,
                smaller,
                f"{len(gap.small):,}",
            )
        )
    header = (
        "Attribute",
        "Largest difference, percentage points",
        f"{percent(1 - decision.alpha)} bounds, all together",
        "Among",
        "Counted",
        "Larger share",
        "Smaller share",
        "Combinations too small to compare",
    )
    return Table(f"The largest difference between groups; tolerance {100 * decision.delta:.10g}", header, tuple(rows))


def share_of(group: str, share: float) -> str:
    """``female: 22.7%``; a dash where groups are too small to be compared."""
    return f"{group}: {points(share)}%" if group else NOT_GIVEN


def _answers(detail: EqualizedOddsDetail, place: int) -> Table:
    shares, one = is_share(detail), detail.attributes[place]
    by = (detail.shared.capitalize() if detail.strata.exact else f"Mean {given_name(detail)}",) if detail.shared else ()
    header = (*by, f"Group of {one.name}", "People", *(_SHARES if shares else _QUANTILES))
    rows = tuple(
        (
            *((_given(detail, spread),) if by else ()),
            one.groups[spread.group],
            f"{spread.people:,}",
            *_values(detail, spread, shares=shares),
        )
        for spread in spreads(detail, place)
    )
    return Table(f"{score_name(detail)} by {one.name}", header, rows)


def _given(detail: EqualizedOddsDetail, spread: Spread) -> str:
    if detail.strata.exact:
        return detail.strata.names[spread.stratum]
    return given_number(detail, spread) if spread.known else NOT_GIVEN


def _values(detail: EqualizedOddsDetail, spread: Spread, *, shares: bool) -> tuple[str, ...]:
    if not spread.known:
        return ("insufficient evidence", *[NOT_GIVEN] * (1 if shares else 2))
    around = f"{value_text(detail, spread.low)} to {value_text(detail, spread.high)}"
    if shares:
        return value_text(detail, spread.middle), around
    most = f"{value_text(detail, spread.least)} to {value_text(detail, spread.most)}"
    return value_text(detail, spread.middle), around, most


def _model(detail: EqualizedOddsDetail, place: int, found: AttributeCalibration) -> Table:
    one = detail.attributes[place]
    rows = []
    for b in np.argsort(found.group, kind="stable"):
        n = int(found.rows[b])
        ends = Share(round(float(found.observed[b]) * n), n).two_sided(1 - CONFIDENCE)
        rows.append(
            (
                *(() if one.continuous else (one.groups[found.group[b]],)),
                f"{points(float(found.expected[b]))}%",
                f"{points(float(found.observed[b]))}%",
                f"{points(ends.low)}% to {points(ends.high)}%",
                f"{n:,}",
            )
        )
    header = (
        *(() if one.continuous else (f"Group of {one.name}",)),
        "Promised" if one.continuous else "Learned probability, mean",
        "Found",
        f"{percent(CONFIDENCE)} interval, each by itself",
        "People",
    )
    caption = f"Who belongs to which group of {one.name}, as learned and as found; p-value {p_value(found.p_value)}"
    return Table(caption, header, tuple(rows))


def _coverage(detail: EqualizedOddsDetail, sets: Coverage, decision: EqualizedOddsDecision) -> Table:
    own, common = (sets.by_group(decision.alpha, seed=detail.seed, common=common) for common in (False, True))
    rows = tuple(
        (
            group,
            f"{int(sets.calibrated[g]):,}",
            f"{int(own.rows[g]):,}",
            covered_text(sets, own, g, common=False),
            covered_text(sets, common, g, common=True),
        )
        for g, group in enumerate(sets.groups)
    )
    return Table(
        f"Outcomes in the prediction set by {sets.attribute}, {percent(sets.level)} asked for; "
        f"{percent(1 - decision.alpha)} intervals, all groups together",
        (f"Group of {sets.attribute}", "People calibrated on", "People judged", *_ways("Covered")),
        rows,
    )


def _sizes(detail: EqualizedOddsDetail, sets: Coverage, decision: EqualizedOddsDecision) -> Table:
    own, common = (sets.by_group(decision.alpha, seed=detail.seed, common=common) for common in (False, True))
    rows = tuple(
        (group, size_text(sets, own, g, common=False), size_text(sets, common, g, common=True))
        for g, group in enumerate(sets.groups)
    )
    name = size_name(detail)
    return Table(
        f"Prediction sets by {sets.attribute}: {name}; {percent(1 - decision.alpha)} intervals, all groups together",
        (f"Group of {sets.attribute}", *_ways("Size")),
        rows,
    )


def _ways(what: str) -> tuple[str, ...]:
    return tuple(f"{what}, {CALIBRATED[common]}" for common in (False, True))
