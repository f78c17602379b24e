"""The words of what people of each group are answered: score, what they are compared by, medians and shares."""

from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.spreads import CONFIDENCE, Spread, is_share
from core.language.phrases import count, number, percent, share_to_tenths
from core.language.told import say


def score_name(detail: EqualizedOddsDetail) -> str:
    """What the score is."""
    if detail.asks == "calibration":
        name = detail.classes[detail.asked] if detail.classes else ""
        return say("Outcome") if detail.numbers else say("Share with outcome {name}", name=name)
    if detail.numbers:
        return say("Answer")
    if detail.asks == "equalized odds":
        return (
            say("Share answered with their own outcome")
            if is_share(detail)
            else say("Probability given to the recorded outcome")
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
        if detail.numbers:
            return say("answer")
        return say("probability given to {name}", name=detail.classes[detail.asked])
    return say("outcome")


def given_text(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """The mean number of a bin with its name: ``outcome about 12.4``."""
    return say("{name} about {value}", name=given_name(detail), value=given_number(detail, spread))


def given_number(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """The mean number of a bin: ``12.4``; a probability in percent."""
    probability = detail.asks == "calibration" and not detail.numbers
    return share_to_tenths(spread.given) if probability else number(spread.given)


def told(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """A spread in words."""
    people = count(spread.people, "person", "people")
    if not spread.known:
        return say("insufficient evidence ({people})", people=people)
    return f"{middle(detail, spread)}, {around(detail, spread)}, {people}"


def middle(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """The median, or the share."""
    value = value_text(detail, spread.middle)
    return value if is_share(detail) else say("median {value}", value=value)


def around(detail: EqualizedOddsDetail, spread: Spread) -> str:
    """What lies around it: the middle half, or the interval."""
    low, high = value_text(detail, spread.low), value_text(detail, spread.high)
    if is_share(detail):
        return say("{confidence} interval {low} to {high}", confidence=percent(CONFIDENCE), low=low, high=high)
    return say("middle half {low} to {high}", low=low, high=high)


def value_text(detail: EqualizedOddsDetail, value: float) -> str:
    """A score as it is read: a number, or a probability or share in percent."""
    return number(value) if detail.numbers else share_to_tenths(value)
