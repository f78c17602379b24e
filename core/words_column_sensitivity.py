"""The words of the sensitivity audit of columns: its verdict, who is put where, and what a reader can do next."""

from __future__ import annotations

from core.audits.column_sensitivity import AttributeScores
from core.audits.column_sensitivity.reading import ColumnSensitivityReading, Measure
from core.inference.estimate import Verdict
from core.result import ColumnSensitivityResult
from core.words import count, lower_first, percent, precision, ratio, share_interval, without_stop
from core.words_next import more_rows

MEASURE_AXIS: dict[Measure, str] = {
    "change": "mean share of probability that moves, in %",
    "slope": "mean share of probability promised by the slope, in %",
}
"""What the measure counts, for an axis."""


def verdict_headline(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> str:
    """The verdict in a few words, for the top of a card."""
    return {
        Verdict.VIOLATION: "Violation found",
        Verdict.NO_VIOLATION: "No violation found in the columns that were changed",
        Verdict.INSUFFICIENT: "Insufficient evidence",
    }[result.detail.verdict(reading)]


def verdict_sentence(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> str:
    """The verdict in one plain sentence, with people, estimate, interval, bound and tolerance."""
    detail, estimate = result.detail, result.detail.estimate(reading)
    headline, verdict = verdict_headline(result, reading), detail.verdict(reading)
    if estimate.undefined:
        return f"{headline}: this measure gives no number, because {lower_first(without_stop(estimate.undefined))}."
    ends = estimate.two_sided(reading.alpha)
    decimals = precision(100 * ends.low, 100 * ends.high)

    def shown(value: float) -> str:
        return f"{ratio(100 * value, beside=100 * reading.delta, decimals=decimals)}%"

    found = (
        f"{_moved(detail.of(reading), reading.measure)} {shown(estimate.value)} of the answer's probability on average "
        f"({percent(1 - reading.alpha)} interval {share_interval(ends.low, ends.high)}, "
        f"{count(estimate.n, 'person', 'people')})"
    )
    tolerated = f"the {100 * reading.delta:.10g}% tolerated"
    sure = f"with {percent(1 - reading.alpha)} confidence it is"
    if verdict is Verdict.VIOLATION:
        rest = f"{found}; {sure} at least {shown(estimate.lower_bound(reading.alpha))}, more than {tolerated}"
    elif verdict is Verdict.NO_VIOLATION:
        rest = f"{found}; {sure} at most {shown(estimate.upper_bound(reading.alpha))}, within {tolerated}"
    elif estimate.lower_bound(reading.alpha) <= reading.delta < estimate.upper_bound(reading.alpha):
        rest = (
            f"{found}; the truth may lie on either side of {tolerated}, so these people neither show a violation nor "
            "exclude one"
        )
    else:
        serious = [notice.what for notice in detail.reasons(reading) if notice.level == "serious"]
        why = lower_first(without_stop(serious[0])) if serious else "the numbers cannot carry a verdict"
        rest = f"{found}, beside {tolerated}, but {why}"
    return f"{headline}: {rest}."


def next_steps(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear."""
    detail = result.detail
    if detail.verdict(reading) is not Verdict.INSUFFICIENT:
        return ()
    advice = [notice.advice for notice in detail.reasons(reading) if notice.level == "serious" and notice.advice]
    estimate = detail.estimate(reading)
    if not estimate.undefined:
        advice += more_rows(estimate, reading.delta, reading.alpha, ("row", "rows"), "the share that moves")
    steps = dict.fromkeys(advice)
    if any(step.startswith("Bring more rows: ") for step in steps):
        steps.pop("Bring more rows.", None)
    return tuple(steps)


def changed_columns(result: ColumnSensitivityResult, one: AttributeScores) -> str:
    """What changes with a group, in words."""
    own = f"the column {one.attribute} itself" if one.read else ""
    through = ", ".join(name for name in result.detail.through)
    carried = f"{through}, by the mean difference between the groups" if through else ""
    return "; ".join(filter(None, (own, carried)))


def flips_sentence(one: AttributeScores, alpha: float) -> str:
    """How many people would be decided otherwise in some other group."""
    ends = one.flips.two_sided(alpha)
    return (
        f"{one.flips.count:,} of {count(one.flips.n, 'person', 'people')} would get another predicted outcome in some "
        f"other group of {one.attribute}, {percent(round(one.flips.value, 4))} ({percent(1 - alpha)} interval "
        f"{share_interval(ends.low, ends.high)})."
    )


def _moved(one: AttributeScores, measure: Measure) -> str:
    put = f"putting people into the other {'group' if len(one.groups) == 2 else 'groups'} of {one.attribute}"
    return f"{put} moves" if measure == "change" else f"going on as steeply as it begins, {put} would move"
