"""What a reader of a column sensitivity test has to know before taking its verdict at its word."""

from collections.abc import Iterator

import numpy as np

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores
from core.data.quality.giving_away import GivenAway, named_features
from core.doubts import decided_otherwise, worse_groups
from core.errors import Notice
from core.inference.excess import GroupExcess
from core.phrases import count, quoted
from core.thresholds import FEWEST_ROWS, SMALL_GROUP

SLOPES_EXCLUDE_NOTHING = Notice(
    "serious",
    "A small slope excludes nothing: a model that is flat where people stand may still jump between the groups.",
    "Read the change of the answer.",
)


def hidden(
    attributes: tuple[AttributeScores, ...], decision: ColumnSensitivityDecision, beyond: tuple[GroupExcess, ...]
) -> Iterator[Notice]:
    """Why mean changes within the tolerance clear nobody yet.

    Args:
        attributes: Every attribute that was changed.
        decision: The decision settings.
        beyond: The groups shown to be beyond the tolerance.
    """
    for one in attributes:
        changed = one.flips
        yield from decided_otherwise(
            changed,
            decision,
            f"{changed.count:,} of {changed.n:,} people would be decided otherwise in another group of "
            f"{one.attribute}; up to",
            "may be",
            "Bring more rows, or look at these people.",
        )
    yield from worse(beyond)


def told_by(tells: tuple[GivenAway, ...]) -> Iterator[Notice]:
    """Features tell an attribute and did not change with it, so that what the model does by them was not seen."""
    for attribute in dict.fromkeys(one.attribute for one in tells):
        own = [one for one in tells if one.attribute == attribute]
        yield Notice(
            "serious",
            f"The model reads {named_features(own)}, which {'tells' if len(own) == 1 else 'tell'} {quoted(attribute)} "
            f"but did not change with it (area under the ROC curve {own[0].area:.2f}, interval {own[0].low:.2f} to "
            f"{own[0].high:.2f}; from 0.95 on a feature may stand for the attribute).",
            "Say in the step of the similar people that it carries the attribute, if it holds numbers, or make it a "
            "protected attribute as well.",
        )


def unjudged(small: tuple[GroupExcess, ...]) -> Iterator[Notice]:
    """Groups of which nothing could be shown, whatever happened to them."""
    if small:
        named = [f"{one.attribute} = {one.group} ({one.rows:,})" for one in small]
        yield Notice(
            "warning",
            f"The verdict does not speak for groups too small to judge alone: {', '.join(named[:5])}"
            f"{', …' if len(named) > 5 else ''}. Even if all their answers changed, it could be chance.",
            "Bring more rows of these groups.",
        )


def worse(beyond: tuple[GroupExcess, ...]) -> Iterator[Notice]:
    """Groups are shown to be beyond the tolerance."""
    yield from worse_groups(beyond, "people", "of them would be decided otherwise")


def always(one: AttributeScores, through: tuple[str, ...]) -> Iterator[Notice]:
    """What the verdict does not speak of.

    Args:
        one: The attribute it is about.
        through: Features that carried the attributes.
    """
    if len(one.codes) < FEWEST_ROWS:
        measured = count(len(one.codes), "person was", "people were")
        yield Notice("serious", f"Only {measured} measured.", "Bring more rows.")
    rows = np.bincount(one.codes, minlength=len(one.groups))
    rare = [f"{name} ({people:,})" for name, people in zip(one.groups, rows, strict=True) if people < SMALL_GROUP]
    if rare:
        yield Notice(
            "serious",
            f"Everybody was also put into groups that hardly anybody belongs to: {one.attribute} "
            f"{', '.join(rare[:5])}{', …' if len(rare) > 5 else ''}. They count as much as the others, and what the "
            "model says of them may be a guess.",
            "Check them for typing errors, merge small groups, or cut a number such as age into bins.",
        )
    if not one.read:
        yield Notice(
            "warning",
            f"The model does not read {one.attribute!r}; only {', '.join(map(repr, through))} changed with it.",
            "Name every feature that carries it and should not count.",
        )
    yield Notice(
        "info",
        "Only the columns named here were changed. What the group shows in others was left as it is.",
        "Use the gradient-flow or the transport test to look at all columns together.",
    )
