"""The numbers of a column sensitivity test as reports and records hold them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AttributeSummary:
    """One protected attribute; shares of probability.

    Attributes:
        attribute: Its name.
        read: Whether the model reads it.
        change: Mean change of the answer.
        change_low: Lower end of its interval.
        change_high: Upper end.
        adjusted_p: p-value of "the mean change is at most the tolerance", adjusted for the other attributes (Holm).
        slope: Mean slope; NaN, like its interval, if the model has no gradients.
        slope_low: Lower end of its interval.
        slope_high: Upper end.
        flipped: People who would get another predicted outcome in some other group.
        flipped_low: Lower end of the share's interval (Wilson).
        flipped_high: Upper end.
    """

    attribute: str
    read: bool
    change: float
    change_low: float
    change_high: float
    adjusted_p: float
    slope: float
    slope_low: float
    slope_high: float
    flipped: int
    flipped_low: float
    flipped_high: float


@dataclass(frozen=True)
class GroupSummary:
    """The read measure among people of one group; the intervals of all groups hold together.

    Attributes:
        group: Its name.
        people: People who belong to it.
        mean: Their mean; NaN without people.
        low: Lower end of the interval; NaN for a group with fewer than 30 people.
        high: Upper end.
        flipped: Those who would get another predicted outcome in some other group.
        p_value: Of "neither the mean change nor the share of such people exceeds the tolerance", adjusted for all
            groups of all attributes (Holm).
        beyond: Whether that is rejected.
    """

    group: str
    people: int
    mean: float
    low: float
    high: float
    flipped: int
    p_value: float
    beyond: bool


@dataclass(frozen=True)
class ShiftSummary:
    """By how much an encoded column changes on average when everybody else is put into a group.

    Attributes:
        column: Its name, as the encoder names it.
        group: The group people are put into.
        shift: Mean change in original units, or of an indicator's share.
        indicator: Whether the column marks a category by 0 and 1.
    """

    column: str
    group: str
    shift: float
    indicator: bool
