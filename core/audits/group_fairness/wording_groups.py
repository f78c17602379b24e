"""Groups, their numbers and how they compare, in words."""

from __future__ import annotations

import math

from core.audits.group_fairness.families import Family
from core.audits.group_fairness.table import DifferenceName, GroupMeasure, Impact, Name
from core.group_answers import SCREENING, GroupAnswers
from core.language.phrases import count, interval, number, precision, share_to_one_decimal
from core.language.told import localized, say, say_as

NUMBERS = ("mean prediction", "mean outcome", "mean error", "RMSE", "mean absolute error")
"""What is in units of the outcome where that is a number."""


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
