"""Who is compared, by what, in words: people of a stratum, shares on either side of a threshold."""

from __future__ import annotations

import math

from core.audits.equalized_odds.effects import MeanDifference
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.language.phrases import interval_text, listed, number
from core.language.told import say, say_as


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


def shared_text(detail: EqualizedOddsDetail, stratum: int, outcome: str = "") -> str:
    """What people of a stratum share: ``the outcome yes``, ``outcomes 25 to 59``, ``the answer yes``; or nothing.

    With the outcome's name its values stand with it: ``hired = yes``, ``the answer hired = yes``.
    """
    if not detail.shared:
        return ""
    name, exact = detail.strata.name(stratum), detail.strata.exact
    if detail.given:
        return name
    if detail.asks == "calibration":
        return _shared_answer(detail, stratum, outcome)
    if exact and outcome:
        return _of(outcome, name)
    return say("the outcome {name}", name=name) if exact else say("outcomes {low_to_high}", low_to_high=name)


def _shared_answer(detail: EqualizedOddsDetail, stratum: int, outcome: str) -> str:
    name, exact = detail.strata.name(stratum), detail.strata.exact
    if not detail.numbers:
        asked, given = _of(outcome, detail.classes[detail.asked]), detail.answers[:, detail.asked]
        if ((given == 0) | (given == 1)).all():
            sure = given[detail.strata.codes == stratum].any()
            return say("the answer {name}", name=asked) if sure else say("another answer than {asked}", asked=asked)
        if exact:
            return say("a probability of {asked} of {value}", asked=asked, value=name)
        return say("a probability of {asked} from {low_to_high}", asked=asked, low_to_high=name)
    return say("the answer {name}", name=name) if exact else say("answers {low_to_high}", low_to_high=name)


def _of(outcome: str, name: str) -> str:
    return f"{outcome} = {name}" if outcome else name


def gap_shares(detail: EqualizedOddsDetail, place: int, gap: EqualizedOddsGap) -> tuple[float, float]:
    """Share of each of the largest gap's two groups above its threshold, in its stratum; NaN without a gap."""
    if math.isnan(gap.value):
        return math.nan, math.nan
    above = detail.compared[:, gap.answer] > gap.threshold
    there = detail.strata.codes == gap.stratum
    sides = [there & (detail.attributes[place].codes == group) for group in gap.groups]
    first, second = (detail.people_among(side & above) / detail.people_among(side) for side in sides)
    return first, second


def threshold_text(detail: EqualizedOddsDetail, gap: EqualizedOddsGap, outcome: str = "") -> str:
    """What the people counted by a gap have: ``an answer above 12.4``, ``a probability of admit above 0.35``.

    With the outcome's name its values stand with it, as in :func:`shared_text`.
    """
    if detail.asks == "calibration":
        if detail.numbers:
            return say("an outcome above {threshold}", threshold=number(gap.threshold))
        return (
            _of(outcome, detail.classes[detail.asked])
            if outcome
            else say("the outcome {name}", name=detail.classes[detail.asked])
        )
    if detail.numbers:
        return say("an answer above {threshold}", threshold=number(gap.threshold))
    column, name = detail.compared[:, gap.answer], _of(outcome, detail.classes[gap.answer % len(detail.classes)])
    decided = ((column == 0) | (column == 1)).all()
    return (
        say("the answer {name}", name=name)
        if decided
        else say("a probability of {name} above {threshold}", name=name, threshold=number(gap.threshold))
    )


def part_text(one: MeanDifference) -> str:
    """The part of what people are compared by: ``20 to 35``."""
    low, high = one.ends
    if low == high:
        return say_as("a part", "of {value}", value=number(low))
    return say_as("a part", "from {low_to_high}", low_to_high=interval_text(low, high))
