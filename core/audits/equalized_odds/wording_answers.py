"""The words of what people of each group are answered: score, what they are compared by, medians and shares."""

from __future__ import annotations

from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.spreads import CONFIDENCE, Spread, is_share
from core.language.told import say
from core.phrases import count, number, percent, points


def score_name(detail: EqualizedOddsDetail) -> str:
    """What the score is."""
    if detail.asks == "calibration":
        return (
            "Outcome" if detail.numbers else say("Share with outcome {classes}", classes=detail.classes[detail.asked])
        )
    if detail.numbers:
        return "Answer"
    if detail.asks == "equalized odds":
        return (
            say("Share answered with their own outcome")
            if is_share(detail)
            else say("Probability given to the true outcome")
        )
    name = detail.classes[detail.asked]
    return (
        say("Share answered with {name}", name=name)
        if is_share(detail)
        else say("Probability given to {name}", name=name)
    )


def given_name(detail: EqualizedOddsDetail) -> str:
    """The number that people are compared by."""
    if detail.asks == "calibration":
        return (
            "answer" if detail.numbers else say("probability given to {classes}", classes=detail.classes[detail.asked])
        )
    return "outcome"


def given_text(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """The mean number of a bin with its name: ``outcome about 12.4``."""
    return say("{detail} about {detail2}", detail=given_name(detail), detail2=given_number(detail, spread))


def given_number(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """The mean number of a bin: ``12.4``; a probability in percent."""
    probability = detail.asks == "calibration" and not detail.numbers
    return f"{points(spread.given)}%" if probability else number(spread.given)


def told(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """A spread in words."""
    people = count(spread.people, "person", "people")
    if not spread.known:
        return say("insufficient evidence ({people})", people=people)
    return f"{middle(detail, spread)}, {around(detail, spread)}, {people}"


def middle(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """The median, or the share."""
    return f"{'' if is_share(detail) else 'median '}{value_text(detail, spread.middle)}"


def around(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """What lies around it: the middle half, or the interval."""
    name = say("{confidence} interval", confidence=percent(CONFIDENCE)) if is_share(detail) else say("middle half")
    return say(
        "{name} {detail} to {detail2}",
        name=name,
        detail=value_text(detail, spread.low),
        detail2=value_text(detail, spread.high),
    )


def value_text(detail: EqualizedOddsDetail, value: float) -> str:
    """A score as it is read: a number, or a probability or share in percent."""
    return number(value) if detail.numbers else f"{points(value)}%"
