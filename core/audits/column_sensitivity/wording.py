"""The words of the sensitivity audit of columns: its verdict, who is put where, and what a reader can do next."""

from __future__ import annotations

from core import sentences
from core.audits.column_sensitivity.decision import ColumnMeasure
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityResult
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.next_steps import settle
from core.phrases import count, percent, precision, ratio, share_interval

MEASURE_AXIS: dict[ColumnMeasure, str] = {
    "change": "mean share of probability that moves, in %",
    "slope": "mean share of probability promised by the slope, in %",
}
"""What the measure counts, for an axis."""


def headline(finding: ColumnSensitivityFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    return sentences.headline(finding, "in the columns that were changed")


def sentence(finding: ColumnSensitivityFinding) -> str:
    """The verdict in one plain sentence, with people, estimate, interval, bound and tolerance."""
    if finding.undefined:
        return sentences.no_number(finding, "this measure")
    delta, confidence = finding.decision.delta, percent(1 - finding.decision.alpha)
    decimals = precision(100 * finding.interval.low, 100 * finding.interval.high)

    def shown(value: float) -> str:
        return f"{ratio(100 * value, beside=100 * delta, decimals=decimals)}%"

    found = (
        f"{_moved(finding.scores, finding.decision.measure)} {shown(finding.estimate)} of the answer's probability on "
        f"average ({confidence} interval {share_interval(finding.interval.low, finding.interval.high)}, "
        f"{count(finding.n, 'person', 'people')})"
    )
    tolerated = f"the {100 * delta:.10g}% tolerated"
    rest = sentences.conclusion(finding, found, tolerated, shown, sure="it is", beyond="more than", rows="people")
    return f"{finding.headline}: {rest}."


def next_steps(finding: ColumnSensitivityFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear."""
    return settle(finding, ("row", "rows"), "the share that moves")


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


def _moved(one: AttributeScores, measure: ColumnMeasure) -> str:
    put = f"putting people into the other {'group' if len(one.groups) == 2 else 'groups'} of {one.attribute}"
    return f"{put} moves" if measure == "change" else f"going on as steeply as it begins, {put} would move"
