"""Who is compared, by what, in words: people of a stratum, shares on either side of a threshold."""

import math

import numpy as np

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.claims_told import answer, happened
from core.data.labels import as_said, condition, whom
from core.language.phrases import cut, interval_text, listed, number
from core.language.told import say, say_as
from core.result import DataSummary


def alike(detail: EqualizedOddsDetail, *, about: bool = False) -> str:
    """What people who are compared with each other have in common: ``with the same outcome``; empty for everybody.

    Args:
        detail: What was found.
        about: Whether they have it in common nearly, not exactly.
    """
    if not detail.shared:
        return ""
    if detail.given:
        return say("with the same {columns}", columns=listed(detail.given))
    if detail.asks == "calibration":
        return say("with about the same answer") if about else say("with the same answer")
    return say("with about the same outcome") if about else say("with the same outcome")


def nearly_alike(detail: EqualizedOddsDetail) -> str:
    """The same of groups that are too small among them: ``with a similar outcome``; empty for everybody."""
    if not detail.shared:
        return ""
    if detail.given:
        return say("with a similar {columns}", columns=listed(detail.given))
    return say("with a similar answer") if detail.asks == "calibration" else say("with a similar outcome")


def among(detail: EqualizedOddsDetail, stratum: int, data: DataSummary) -> str:
    """Who is compared in a stratum: ``where the outcome was yes``; empty for everybody.

    Args:
        detail: What was found.
        stratum: The stratum.
        data: What was audited.
    """
    if not detail.shared:
        return ""
    name = detail.strata.name(stratum)
    if detail.given or detail.asks == "calibration":
        shared = name if detail.given else _shared_answer(detail, stratum, data)
        return say("among {people}", people=whom(shared))
    if detail.strata.exact:
        return happened(name)
    return say("among people with outcomes {low_to_high}", low_to_high=name)


def _shared_answer(detail: EqualizedOddsDetail, stratum: int, data: DataSummary) -> str:
    name, exact = detail.strata.name(stratum), detail.strata.exact
    if not detail.numbers:
        asked, given = as_said(condition(data.outcome, detail.classes[detail.asked])), detail.answers[:, detail.asked]
        if ((given == 0) | (given == 1)).all():
            sure = given[detail.strata.codes == stratum].any()
            return (
                answer(data, detail.classes[detail.asked], after_with=True)
                if sure
                else say("another prediction than {asked}", asked=asked)
            )
        if exact:
            return say("a probability of {asked} of {value}", asked=asked, value=name)
        return say("a probability of {asked} from {low_to_high}", asked=asked, low_to_high=name)
    return say("the answer {name}", name=name) if exact else say("answers {low_to_high}", low_to_high=name)


def gap_shares(detail: EqualizedOddsDetail, place: int, gap: EqualizedOddsGap) -> tuple[float, float]:
    """Share of each of the largest gap's two groups above its threshold, in its stratum; NaN without a gap."""
    if math.isnan(gap.value):
        return math.nan, math.nan
    above = detail.compared[:, gap.answer] > gap.threshold
    there = detail.strata.codes == gap.stratum
    sides = [there & (detail.attributes[place].codes == group) for group in gap.groups]
    first, second = (detail.people_among(side & above) / detail.people_among(side) for side in sides)
    return first, second


def threshold_text(detail: EqualizedOddsDetail, gap: EqualizedOddsGap, data: DataSummary) -> str:
    """What the people counted by a gap have: ``an answer above 12.4``, ``a probability of admit = yes above 0.35``."""
    if detail.asks == "calibration" and not detail.numbers:
        return as_said(condition(data.outcome, detail.classes[detail.asked]))
    column = detail.compared[:, gap.answer]
    name = "" if detail.numbers else detail.classes[gap.answer % len(detail.classes)]
    if not detail.numbers and ((column == 0) | (column == 1)).all():
        return answer(data, name, after_with=True)
    threshold = _threshold(column[detail.strata.codes == gap.stratum], gap.threshold)
    if detail.asks == "calibration":
        return say("an outcome above {threshold}", threshold=threshold)
    if detail.numbers:
        return say("an answer above {threshold}", threshold=threshold)
    judged = data.outcome or data.decision
    asked = as_said(condition(judged, name) if judged else name)
    return say("a probability of {name} above {threshold}", name=asked, threshold=threshold)


def _threshold(values: np.ndarray, threshold: float) -> str:
    """A threshold with as many digits as it takes to count the same of these values above it again."""
    above = values > threshold
    return cut(threshold, values[~above].max(initial=-math.inf), values[above].min(initial=math.inf))


def counted_among(detail: EqualizedOddsDetail, gap: EqualizedOddsGap, data: DataSummary) -> str:
    """What people are counted by, and among whom: ``the prediction hired = yes where the outcome was no``."""
    return f"{threshold_text(detail, gap, data)} {among(detail, gap.stratum, data)}".rstrip()


def part_text(one: MeanDifference) -> str:
    """The part of what people are compared by: ``20 to 35``."""
    low, high = one.ends
    if low == high:
        return say_as("a part", "of {value}", value=number(low))
    return say_as("a part", "from {low_to_high}", low_to_high=interval_text(low, high))
