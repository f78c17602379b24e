"""Limits that several tests share, in plain words."""

from core.errors import Notice


def independent_rows(audited: str) -> str:
    """What is taken for a sample.

    Args:
        audited: What stands for itself: "The audited rows", or what they belong to.
    """
    return (
        f"{audited} are taken to be an independent sample of the people the model is used on, and the model to have "
        "been trained on other rows. If either fails, the stated confidence does not hold."
    )


def chosen_tolerance(tolerance: str) -> str:
    """Who chose the tolerance; ``tolerance`` is told with its unit."""
    return f"The tolerance of {tolerance} was chosen by the reader; no law or standard sets it."


def read_once(alpha: float, tried: str, what: str = "test") -> str:
    """What the error rate is meant for.

    Args:
        alpha: The error rate.
        tried: What somebody may try until the verdict suits ("settings").
        what: What is to be read once.
    """
    return f"An error rate of {alpha:g} is meant for one {what} read once. {trying(tried)}"


def trying(tried: str) -> str:
    """What comes of trying several of them."""
    return f"Trying {tried} until one gives the wanted verdict makes errors more frequent than stated."


ALWAYS_THE_SAME = Notice(
    "warning",
    "Everybody gets the same answer, which depends on no group: that is equal treatment, and decides nothing.",
    "Check the model file and its preprocessing.",
)
