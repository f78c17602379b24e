"""Limits that several tests share, in plain words."""

from core.base.errors import Caveat
from core.contracts.decision import DecisionSettings
from core.data.column_look import words_of
from core.data.guess_outcome import DECISIONS
from core.language.told import localized, say

SIGNED_TOLERANCE = say(
    "What can be signed is the tolerance with which the audit was run, proposed or chosen; another takes another run."
)

IS_A_DECISION = Caveat(
    "serious",
    say("What counts as right here is an earlier decision, which may itself have been unfair."),
    say("Compare how often each group gets the favourable answer as well: that does not rely on earlier decisions."),
)
"""Of an outcome that people decided."""


def independent_rows(audited: str) -> str:
    """What is taken for a sample.

    Args:
        audited: What stands for itself: "The audited rows", or what they belong to.
    """
    return say(
        "{audited} are taken to be an independent sample of the people who are decided about, and a model to have "
        "been trained on other rows. If either fails, the stated confidence does not hold.",
        audited=audited,
    )


def no_good_end(outcome: str) -> str:
    """What follows where nobody said which end of an outcome that is a number is good."""
    return say(
        "Which end of {outcome} is good for the person is not said, so tests only tell whether groups are treated "
        "differently, not who fares worse, and no group has an impact ratio.",
        outcome=outcome,
    )


def where_to_say_it(outcome: str) -> str:
    """What to do where groups are treated differently and nobody said which end of the outcome is good."""
    return say("Say which end of {outcome} is good for the person.", outcome=outcome)


def is_proposed(decision: DecisionSettings) -> bool:
    """Whether the tolerance is the one that Evenhand proposes."""
    proposed = type(decision).model_validate({})
    return all(getattr(decision, name) == getattr(proposed, name) for name in decision.tolerances)


def whose_tolerance(decision: DecisionSettings, chosen_by: str = "") -> str:
    """Whose the tolerance is, in a few words.

    Args:
        decision: Holds the tolerance.
        chosen_by: Who says why so much is acceptable, and by that chooses it; empty where nobody does.
    """
    if not chosen_by:
        return (
            say("proposed by Evenhand; no reason given yet")
            if is_proposed(decision)
            else say("chosen for this audit; no reason given yet")
        )
    if is_proposed(decision):
        return say("chosen by {name}, as Evenhand proposes", name=chosen_by)
    return say("chosen by {name}", name=chosen_by)


def chosen_tolerance(tolerance: str, decision: DecisionSettings) -> str:
    """Who chose the tolerance; ``tolerance`` is told with its unit."""
    if is_proposed(decision):
        return say(
            "The tolerance of {tolerance} is the one that Evenhand proposes; no law or standard sets it.",
            tolerance=tolerance,
        )
    return say(
        "The tolerance of {tolerance} is not the one that Evenhand proposes; no law or standard sets it.",
        tolerance=tolerance,
    )


def read_once(alpha: float, tried: str, what: str = "test") -> str:
    """What the error rate is meant for.

    Args:
        alpha: The error rate.
        tried: What somebody may try until the verdict suits ("settings").
        what: What is to be read once, "test" or "question".
    """
    shown, known = localized(f"{alpha:g}"), trying(tried)
    if what == "question":
        return say(
            "A risk of {alpha} of being wrong is meant for one question read once. {trying}", alpha=shown, trying=known
        )
    return say("A risk of {alpha} of being wrong is meant for one test read once. {trying}", alpha=shown, trying=known)


def trying(tried: str) -> str:
    """What comes of trying several of them."""
    return say("Trying {tried} until one gives the wanted verdict makes errors more frequent than stated.", tried=tried)


def is_decided(outcome: str, favourable: str) -> bool:
    """Whether the name of an outcome, or of its favourable value, says that people decided it."""
    words = (*words_of(outcome), *words_of(favourable))
    return not DECISIONS.isdisjoint((*words, "".join(words_of(outcome))))
