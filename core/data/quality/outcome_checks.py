"""What there is to say about an outcome, as caveats with counts and advice."""

from collections.abc import Iterator

import pandas as pd

from core.base.errors import Caveat
from core.base.thresholds import FEWEST_ROWS
from core.data.cells import is_quantity, record_number
from core.data.quality.number_outcome import NumberSummary
from core.data.roles import Roles
from core.data.usable import MAXIMUM_OUTCOMES
from core.language.phrases import count, quoted, several, share_text, whole
from core.language.told import say

RARE_OUTCOME = 0.1
"""Outcomes with a smaller share of the rows are called rare."""

FEW_OUTCOMES = 10
"""An outcome of so few different numbers may as well be classes."""

LARGE_SHARE = 1 / 3
"""Rows in the largest 1% that hold more than this of a number's variance carry it (of a normal one they hold 7%)."""


def about_classes(outcomes: pd.DataFrame, values: pd.Series, roles: Roles) -> Iterator[Caveat]:
    """One outcome only, too many, a rare one, or no favourable one.

    Args:
        outcomes: :attr:`Health.outcomes`.
        values: The outcome as it is in the table.
        roles: What the columns are for.
    """
    number, rows = is_quantity(values), int(outcomes["rows"].sum())
    if len(outcomes) < 2 and roles.text:
        yield Caveat("info", say("Every text has the same outcome: it can be shown beside the text, and no more."))
    elif len(outcomes) < 2:
        yield Caveat(
            "serious", say("Every row has the same outcome."), say("Choose a column with at least two outcomes.")
        )
    elif len(outcomes) > MAXIMUM_OUTCOMES or len(outcomes) == rows:
        n = whole(len(outcomes))
        if len(outcomes) == rows:
            many = say(
                "The outcome has {n} different values and every row has its own; a classification has at most {most}, "
                "each in many rows.",
                n=n,
                most=MAXIMUM_OUTCOMES,
            )
        else:
            many = say(
                "The outcome has {n} different values; a classification has at most {most}.", n=n, most=MAXIMUM_OUTCOMES
            )
        yield Caveat(
            "serious",
            say("{many_values} It is a number.", many_values=many) if number else many,
            say("Say that the outcome holds a number.")
            if number
            else say("Choose a column that says which class a person belongs to."),
        )
    else:
        if number:
            yield Caveat(
                "warning",
                say(
                    "The outcome has {n} different values, which are numbers: is it a number?",
                    n=len(outcomes),
                ),
                say("If their order and distance count, say that the outcome holds a number."),
            )
        rarest = outcomes.iloc[-1]
        if rarest["rows"] < FEWEST_ROWS or (rarest["share"] < RARE_OUTCOME and not roles.text):
            yield Caveat(
                "warning",
                say(
                    "The outcome {outcome} is rare: {rows} ({share}).",
                    outcome=quoted(rarest["outcome"]),
                    rows=count(int(rarest["rows"]), "row"),
                    share=share_text(float(rarest["share"]), 1),
                ),
                say("Look at balanced accuracy, and read results about these rows with care."),
            )
    if roles.favourable and len(outcomes) and roles.favourable not in set(outcomes["outcome"]):
        yield Caveat(
            "serious",
            say("The favourable value {value} does not occur.", value=quoted(roles.favourable)),
            say("Choose one of {values}.", values=several(outcomes["outcome"].tolist())),
        )


def about_numbers(raw: pd.Series, values: pd.Series, found: NumberSummary | None) -> Iterator[Caveat]:
    """An outcome that is a number: cells that are none, hardly any different values, a tail that carries it.

    Args:
        raw: The outcome as it is in the table.
        values: The same, read as numbers.
        found: How it is spread; None if no cell is a finite number.
    """
    words = values.isna().to_numpy() & raw.notna().to_numpy()
    if words.any():
        filled, row = int(raw.notna().sum()), int(words.argmax())
        yield Caveat(
            "serious" if 2 * words.sum() >= filled else "warning",
            say(
                "{n} of {filled} cells of the outcome {name} are no numbers: {cell} in row {row} is the first.",
                n=whole(int(words.sum())),
                filled=whole(filled),
                name=quoted(raw.name),
                cell=quoted(str(raw.iloc[row])),
                row=record_number(raw.index, row),
            ),
            say("They count as missing, and their rows are left out; if they are meant, the outcome holds classes."),
        )
    if found is None:
        if not words.any():
            yield Caveat(
                "serious", say("{name} holds no finite number.", name=quoted(raw.name)), say("Choose another outcome.")
            )
        return
    if found.distinct == 1:
        yield Caveat(
            "serious",
            say("Every row has the same outcome."),
            say("Choose a column with at least two different numbers."),
        )
    elif found.distinct <= FEW_OUTCOMES:
        yield Caveat(
            "warning",
            say("The outcome has only {n} different numbers.", n=found.distinct),
            say("Say that it holds classes if they are codes or a few grades: the tests of classes are then exact."),
        )
    if found.largest_share > LARGE_SHARE and found.distinct > 2:
        yield Caveat(
            "warning",
            say(
                "A few rows carry the spread of the outcome: the {rows} farthest from the mean (1%) hold "
                "{share} of its variance.",
                rows=count(found.largest_rows, "row"),
                share=share_text(found.largest_share, 0),
            ),
            say("Look at these rows; averages and squared errors of a group may rest on one of them."),
        )
