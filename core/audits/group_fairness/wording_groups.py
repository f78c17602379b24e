"""Groups, their numbers and how they compare, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.audits.group_fairness.families import Family
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.table import DifferenceName, GroupMeasure, Impact, Name
from core.claims_told import answer, happened
from core.language.phrases import LONGEST_VALUE, count, interval, number, precision, shortened
from core.language.told import localized, say, say_as

SCREENING = 0.8
"""The four-fifths rule of thumb (29 CFR § 1607.4 D): a ratio below it is worth a closer look, no more."""
NUMBERS = ("mean prediction", "mean outcome", "mean error", "RMSE", "mean absolute error")
"""What is in units of the outcome where that is a number."""


@dataclass(frozen=True)
class GroupAnswers:
    """The favourable answer and the other one as people read them, and for whom each would be right.

    Which answer is a "positive" is another for everybody, so that no rate is named after it.

    Attributes:
        good: The favourable answer; empty where none is.
        other: The other one, or any other.
        deserving: For whom the favourable answer would be right.
        others: For whom another would be.
        outcomes: The favourable outcome and the other one; empty where there are several others.
    """

    good: str = ""
    other: str = ""
    deserving: str = ""
    others: str = ""
    outcomes: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, result: GroupFairnessResult) -> GroupAnswers:
        """Those of a result."""
        detail, data = result.detail, result.data
        if detail.favourable < 0:
            return cls()
        good = detail.classes[detail.favourable]
        rest = [name for name in detail.classes if name != good]
        told = [answer(data, shortened(name, LONGEST_VALUE)) for name in (good, *rest[:1])]
        deserving = happened(good)
        if len(rest) != 1:
            return cls(told[0], say("another answer"), deserving, say("where the outcome was another"), (good, ""))
        return cls(told[0], told[1], deserving, happened(rest[0]), (good, rest[0]))


_NONE = GroupAnswers()


def measure_name(name: Name, answers: GroupAnswers = _NONE) -> str:
    """A number of every group, amid a sentence; without ``answers`` of a rate that names none."""
    return {
        "selection rate": say("selection rate"),
        "scoring rate": say("scoring rate"),
        "true-positive rate": say(
            "share that wrongly gets {answer} {where}", answer=answers.other, where=answers.deserving
        ),
        "false-positive rate": say(
            "share that wrongly gets {answer} {where}", answer=answers.good, where=answers.others
        ),
        "positive predictive value": say(
            "share with the outcome {value} among those who get {answer}",
            value=answers.outcomes[0],
            answer=answers.good,
        ),
        "negative predictive value": say(
            "share with the outcome {value} among those who get {answer}",
            value=answers.outcomes[1],
            answer=answers.other,
        )
        if answers.outcomes[1]
        else say("share with another outcome among those who get another answer"),
        "accuracy": say("accuracy"),
        "balanced accuracy": say("balanced accuracy"),
        "mean prediction": say("mean prediction"),
        "mean outcome": say("mean outcome"),
        "mean error": say("mean error"),
        "RMSE": say("RMSE"),
        "mean absolute error": say("mean absolute error"),
    }[name]


def difference_name(name: DifferenceName, answers: GroupAnswers) -> str:
    """In what groups differ: ``Statistical parity difference``."""
    return {
        "statistical parity": say("Statistical parity difference"),
        "equal opportunity": say("Equal opportunity difference"),
        "false-positive rate": wrongly_favourable(answers),
        "average odds": say("Average odds difference"),
        "equalized odds": say("Equalized odds difference"),
        "accuracy": say("Accuracy difference"),
        "balanced accuracy": say("Balanced accuracy difference"),
        "scoring rate": say("Scoring rate difference"),
        "mean prediction": say("Mean prediction difference"),
        "mean error": say("Mean error difference"),
        "RMSE": say("RMSE difference"),
        "mean absolute error": say("Mean absolute error difference"),
    }[name]


def wrongly_favourable(answers: GroupAnswers) -> str:
    """In what groups differ of whom a favourable answer is wrong."""
    return say("Difference of the shares that wrongly get {answer}", answer=answers.good)


def insufficient() -> str:
    """What is said where there is no number."""
    return say("insufficient evidence")


def too_small(rows: int) -> str:
    """What is said of a group that cannot be judged."""
    return say("insufficient evidence ({people})", people=count(rows, "person", "people"))


def measured(measure: GroupMeasure, g: int, *, shares: bool) -> str:
    """A group's value with its interval, ``53.0% (48.2% to 57.8%)``; "insufficient evidence" where it has none.

    Args:
        measure: The measure.
        g: The group.
        shares: Whether mean predictions, outcomes and errors are shares too, as those of classes are.
    """
    value, low, high = (float(one[g]) for one in (measure.values, measure.low, measure.high))
    if math.isnan(value):
        return too_small(int(measure.rows[g]))
    if shares or measure.name not in NUMBERS:
        return say(
            "{value} ({low} to {high})",
            value=share_to_one_decimal(value),
            low=share_to_one_decimal(low),
            high=share_to_one_decimal(high),
        )
    return f"{number(value, precision(low, high))} ({interval(low, high)})"


def compared(impact: Impact, g: int) -> str:
    """A group's impact ratio with its interval, ``0.54 (0.46 to 0.63)``."""
    low, high = float(impact.low[g]), float(impact.high[g])
    return f"{number(float(impact.values[g]), precision(low, high))} ({interval(low, high)})"


def remark(family: Family, impact: Impact, g: int) -> str:
    """What else is to be said of a group's impact ratio; empty where nothing is.

    A ratio is called below the screening ratio only where its whole interval is.
    """
    if not family.judged[g]:
        return insufficient()
    if family.unknown[g]:
        return say("group not known: counted, not compared")
    if math.isnan(impact.values[g]):
        return say("nobody to compare with")
    said = [say_as("the group", "highest")] if g == impact.highest else []
    said += [say("under 2% of all: not compared with")] if family.below_two_percent[g] else []
    said += [say("below {screening}", screening=localized(f"{SCREENING:g}"))] if impact.high[g] < SCREENING else []
    return "; ".join(said)


def share_to_one_decimal(value: float) -> str:
    """``53.0%``."""
    return say_as("a share", "{number}%", number=localized(f"{100 * value:.1f}"))
