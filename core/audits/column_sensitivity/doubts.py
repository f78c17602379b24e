"""What a reader of a column sensitivity test has to know before taking its verdict at its word."""

from collections.abc import Iterator

import numpy as np

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores
from core.base.errors import Caveat
from core.base.thresholds import FEWEST_ROWS, SMALL_GROUP
from core.caveats.doubts import decided_otherwise, worse_groups
from core.data.quality.giving_away import GivenAway, named_features
from core.inference.excess import GroupExcess
from core.language.phrases import first_few, number, quoted, whole
from core.language.told import say, say_count

SLOPES_EXCLUDE_NOTHING = Caveat(
    "serious",
    say("A small slope excludes nothing: a model that is flat where people stand may still jump between the groups."),
    say("Read the change of the answer."),
)


def hidden(
    attributes: tuple[AttributeScores, ...], decision: ColumnSensitivityDecision, beyond: tuple[GroupExcess, ...]
) -> Iterator[Caveat]:
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
            say(
                "{count} of {all} people would be decided otherwise in another group of {attribute}; up to",
                count=whole(changed.count),
                all=whole(changed.n),
                attribute=one.attribute,
            ),
            say("may be"),
            say("Bring more rows, or look at these people."),
        )
    yield from worse(beyond, decision.delta)


def told_by(tells: tuple[GivenAway, ...]) -> Iterator[Caveat]:
    """Features tell an attribute and did not change with it, so that what the model does by them was not seen."""
    for attribute in dict.fromkeys(one.attribute for one in tells):
        own = [one for one in tells if one.attribute == attribute]
        area, interval = number(own[0].area, 2), (number(own[0].low, 2), number(own[0].high, 2))
        told = say(
            "area under the ROC curve {area}, interval {low} to {high}; from 0.95 on a feature may stand for the "
            "attribute",
            area=area,
            low=interval[0],
            high=interval[1],
        )
        features, name = named_features(own), quoted(attribute)
        yield Caveat(
            "serious",
            say(
                "The model reads {features}, which tells {attribute} but did not change with it ({told}).",
                features=features,
                attribute=name,
                told=told,
            )
            if len(own) == 1
            else say(
                "The model reads {features}, which tell {attribute} but did not change with it ({told}).",
                features=features,
                attribute=name,
                told=told,
            ),
            say(
                "Name it among the features that carry the attribute, if it holds numbers, or make it a "
                "protected attribute as well."
            ),
        )


def unjudged(small: tuple[GroupExcess, ...]) -> Iterator[Caveat]:
    """Groups of which nothing could be shown, whatever happened to them."""
    if small:
        named = [f"{one.attribute} = {one.group} ({whole(one.rows)})" for one in small]
        yield Caveat(
            "warning",
            say(
                "The verdict does not speak for groups too small to judge alone: {groups}. Even if all "
                "their answers changed, it could be chance.",
                groups=first_few(named, 5),
            ),
            say("Bring more rows of these groups."),
        )


def worse(beyond: tuple[GroupExcess, ...], delta: float) -> Iterator[Caveat]:
    """Groups are shown to be beyond the tolerance."""
    yield from worse_groups(beyond, delta, say("people"), say("of them would be decided otherwise"))


def always(one: AttributeScores, through: tuple[str, ...]) -> Iterator[Caveat]:
    """What the verdict does not speak of.

    Args:
        one: The attribute it is about.
        through: Features that carried the attributes.
    """
    if len(one.codes) < FEWEST_ROWS:
        few = say_count("Only {n} person was measured.", "Only {n} people were measured.", len(one.codes))
        yield Caveat("serious", few, say("Bring more rows."))
    rows = np.bincount(one.codes, minlength=len(one.groups))
    rare = [
        f"{name} ({whole(int(people))})" for name, people in zip(one.groups, rows, strict=True) if people < SMALL_GROUP
    ]
    if rare:
        yield Caveat(
            "serious",
            say(
                "Everybody was also put into groups that hardly anybody belongs to: {attribute} {groups}. "
                "They count as much as the others, and what the model says of them may be a guess.",
                attribute=one.attribute,
                groups=first_few(rare, 5),
            ),
            say("Check them for typing errors, merge small groups, or cut a number such as age into bins."),
        )
    if not one.read:
        yield Caveat(
            "warning",
            say(
                "The model does not read {attribute}; only {features} changed with it.",
                attribute=quoted(one.attribute),
                features=", ".join(map(quoted, through)),
            ),
            say("Name every feature that carries it and should not count."),
        )
    yield Caveat(
        "info",
        say("Only the columns named here were changed. What the group shows in others was left as it is."),
        say("Use the gradient-flow or the transport test to look at all columns together."),
    )
