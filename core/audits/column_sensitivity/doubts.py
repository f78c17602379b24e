"""What a reader of a column sensitivity test has to know before taking its verdict at its word."""

from collections.abc import Iterator

import numpy as np

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores
from core.doubts import decided_otherwise, rare_kind, worse_groups
from core.errors import Notice
from core.phrases import count
from core.thresholds import FEWEST_ROWS, SMALL_GROUP

SLOPES_EXCLUDE_NOTHING = Notice(
    "serious",
    "A small slope excludes nothing: a model that is flat where people stand may still jump between the groups.",
    "Read the change of the answer.",
)


def hidden(
    one: AttributeScores, decision: ColumnSensitivityDecision, bound: float, lows: np.ndarray
) -> Iterator[Notice]:
    """Why a mean change within the tolerance clears nobody yet.

    Args:
        one: The attribute the verdict is about.
        decision: The decision settings.
        bound: Upper bound of the mean change that holds whatever the distribution.
        lows: Lower ends of the groups' own means, shape (g,).
    """
    missed = f"{len(one.change):,} rows may miss a rare kind of people"
    yield from rare_kind(bound, decision.delta, missed, "rows")
    changed = one.flips
    yield from decided_otherwise(
        changed,
        decision,
        f"{changed.count:,} of {changed.n:,} people would be decided otherwise in another group; up to",
        "may be",
        "Bring more rows, or look at these people.",
    )
    yield from worse_groups(one.groups, lows, decision.delta, f"people of {one.attribute}", "everybody")


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
