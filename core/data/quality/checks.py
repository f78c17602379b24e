"""What there is to say about a table and its other columns, as caveats with counts and advice."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.base.settings import name_of_choice
from core.base.thresholds import FEWEST_ROWS
from core.data.cells import Coded, as_numbers, find_non_numeric, is_number_column, record_number
from core.data.left_out import as_a_group
from core.data.problems import non_numeric, other_judgements
from core.data.quality.proxies import is_proxy_of
from core.data.roles import Missing, Roles
from core.language.phrases import count, first_few, quoted, share_text, whole
from core.language.told import localized, say, say_count

MANY_CATEGORIES = 50

_WORD = r"\w+(?:['’]\w+)?"

_NOTABLE_SHARE = 0.05


def about_column(
    values: pd.Series, coded: Coded, roles: Roles, outcome: Coded, protected: list[Coded]
) -> Iterator[Caveat]:
    """What speaks against one column with a role: missing and non-numeric cells, infinities, constants, leaks,
    width.
    """
    name = coded.name
    if coded.missing.all() and not (name == roles.outcome and roles.outcome_type == "number"):
        yield Caveat("serious", say("{name} is entirely empty.", name=quoted(name)), say("Ignore the column."))
        return
    yield from _about_numbers(values, name, roles)
    if name in roles.features:
        yield from _about_feature(values, coded, roles)
        if is_proxy_of(coded, outcome):
            yield Caveat(
                "serious",
                say(
                    "{name} says the outcome in other words: each of its values belongs to one outcome.",
                    name=quoted(name),
                ),
                say("Ignore the column unless the model really reads it."),
            )
        for attribute in protected:
            if attribute.name != name and is_proxy_of(coded, attribute):
                yield Caveat(
                    "warning",
                    say(
                        "{name} says {attribute} in other words: each of its values belongs to one group.",
                        name=quoted(name),
                        attribute=quoted(attribute.name),
                    ),
                    say("Treat it as protected too, unless the model really reads it."),
                )
    if name in roles.predictions and _all_right(coded, outcome, roles):
        yield Caveat(
            "warning",
            say("The predictions in {name} are right in every row.", name=quoted(name)),
            say("Check that the column does not hold the outcome itself."),
        )


def _all_right(predictions: Coded, outcome: Coded, roles: Roles) -> bool:
    """Whether predictions tell every outcome: classes in whatever words, numbers by themselves."""
    if roles.outcome_type == "classes":
        return is_proxy_of(predictions, outcome)
    numbers = [
        np.append(as_numbers(coded.distinct.to_series()), np.nan)[coded.codes] for coded in (predictions, outcome)
    ]
    both = np.isfinite(numbers[0]) & np.isfinite(numbers[1])
    return bool(both.any()) and np.allclose(numbers[0][both], numbers[1][both], rtol=1e-9, atol=0.0)


def _about_numbers(values: pd.Series, name: str, roles: Roles) -> Iterator[Caveat]:
    if is_number_column(values):
        infinite = np.isinf(as_numbers(values))
        if infinite.any():
            first = record_number(values.index, int(infinite.argmax()))
            yield Caveat(
                "serious",
                say_count(
                    "{n} value of {name} is infinite, the first in row {row}.",
                    "{n} values of {name} are infinite, the first in row {row}.",
                    int(infinite.sum()),
                    name=quoted(name),
                    row=first,
                ),
                say("Correct the values, or ignore the column."),
            )
        return
    found = find_non_numeric(values) if name in roles.features and name not in roles.categorical else None
    if found is None:
        return
    if found.count:
        yield non_numeric(values, found).caveat("serious")
    else:
        yield Caveat(
            "info",
            say("{name} holds numbers stored as text and is read as categories.", name=quoted(name)),
            say("Read it as numbers if its values are quantities."),
        )


def _about_feature(values: pd.Series, coded: Coded, roles: Roles) -> Iterator[Caveat]:
    name = coded.name
    if len(coded.distinct) == 1:
        yield Caveat(
            "info",
            say("{name} has the same value in every row.", name=quoted(name)),
            say("Ignore it unless the model reads it."),
        )
    if name in roles.protected:
        yield Caveat(
            "warning",
            say("The model reads the protected attribute {name}.", name=quoted(name)),
            say("Take it out of the features unless the model really reads it."),
        )
    if name in roles.predictions:
        yield Caveat(
            "warning",
            say("{name} is a feature and a prediction.", name=quoted(name)),
            say("Keep one of the two roles."),
        )
    if not is_number_column(values) and len(coded.distinct) > MANY_CATEGORIES:
        yield Caveat(
            "warning",
            say(
                "{name} has {n} categories, each of which becomes a column.",
                name=quoted(name),
                n=whole(len(coded.distinct)),
            ),
            say("Group rare values, or ignore the column."),
        )


def about_texts(values: pd.Series, coded: Coded) -> Iterator[Caveat]:
    """How long the texts are, how many are empty, and how many repeat an earlier one."""
    empty, rows = int(coded.missing.sum()), len(values)
    if empty == rows:
        return
    words = values.dropna().str.count(_WORD).to_numpy()
    yield Caveat(
        "info",
        say(
            "Half of the texts have {n} words or more; the longest has {words}.",
            n=localized(f"{np.median(words):,.0f}"),
            words=count(int(words.max()), "word"),
        ),
    )
    if empty:
        yield Caveat(
            "warning" if empty > _NOTABLE_SHARE * rows else "info",
            say(
                "Empty, or nothing but blanks: {texts} of {all}; always left out.",
                texts=count(empty, "text"),
                all=whole(rows),
            ),
        )
    if repeated := rows - empty - len(coded.distinct):
        yield Caveat(
            "warning" if repeated > _NOTABLE_SHARE * rows else "info",
            say(
                "The same as an earlier one: {texts} of {all}.",
                texts=count(repeated, "text"),
                all=whole(rows),
            ),
            say("Remove repeated texts, unless people really wrote them: the test counts each row."),
        )


def about_judgements(values: pd.Series, other: np.ndarray) -> Iterator[Caveat]:
    """Judgements of people that are neither 0, 1 nor 2 (``other``, shape (n,), bool)."""
    if other.any():
        yield other_judgements(values, other).caveat("serious")


def about_table(
    rows: int, with_missing: int, missing: Missing, duplicates: int, without_outcome: int, *, copied: bool
) -> Iterator[Caveat]:
    """Too few rows, missing values, which are treated as ``missing`` says, and repeated rows.

    Rows are ``copied`` if more of them repeat others than independent people do by chance.
    """
    if rows < FEWEST_ROWS:
        yield Caveat(
            "serious",
            say(
                "The table has {rows}; a test needs at least {fewest}.",
                rows=count(rows, "row"),
                fewest=FEWEST_ROWS,
            ),
            say("Bring more rows."),
        )
    if with_missing:
        told = say(
            "Missing values (empty cells or marks such as “?”) in {n} of {rows} ({share})",
            n=whole(with_missing),
            rows=count(rows, "row"),
            share=share_text(with_missing / rows, 1),
        )
        if missing == "leave out":  # verbatim
            yield Caveat(
                "warning" if with_missing > _NOTABLE_SHARE * rows else "info",
                say("{missing_values}. Tests that read these cells would leave these rows out.", missing_values=told),
                say("Choose how missing values are treated."),
            )
        else:
            yield Caveat(
                "info",
                say(
                    "{missing_values}; what is missing of features and groups is treated as chosen: {how}.",
                    missing_values=told,
                    how=name_of_choice(Roles, "missing", missing),
                ),
            )
    if without_outcome:
        yield Caveat(
            "info",
            say_count(
                "{n} row without an outcome will always be left out.",
                "{n} rows without an outcome will always be left out.",
                without_outcome,
            ),
        )
    if duplicates and not copied:
        yield Caveat(
            "info",
            say_count(
                "{n} row is the same as an earlier one in every column with a role. These columns take so few values "
                "that different people may agree in all: nothing suggests that it is a copy.",
                "{n} rows are the same as an earlier one in every column with a role. These columns take so few values "
                "that different people may agree in all: nothing suggests that they are copies.",
                duplicates,
            ),
        )
    elif duplicates:
        yield Caveat(
            "warning",
            say_count(
                "{n} repeated row: the same as an earlier one in every column with a role.",
                "{n} repeated rows: the same as an earlier one in every column with a role.",
                duplicates,
            ),
            say(
                "If the same people occur twice, remove them, or say which column names them: each row counts as "
                "a person."
            ),
        )


def about_bins(attributes: list[Coded]) -> Iterator[Caveat]:
    """Protected attributes that are numbers and so have no groups of their own."""
    if not attributes:
        return
    named = ", ".join(
        say(
            "{name} ({n} different values)",
            name=quoted(attribute.name),
            n=whole(len(attribute.distinct)),
        )
        for attribute in attributes
    )
    yield Caveat(
        "info",
        say("Protected and a number: {names}. They are shown in bins of about equal size.", names=named),
        say("Read a column as categories if its values are codes."),
    )


def about_unknown(attribute: Coded, roles: Roles) -> Iterator[Caveat]:
    """People whose group is not known; New York's Local Law 144 asks how many there are."""
    unknown, rows = int(attribute.missing.sum()), len(attribute.codes)
    if not 0 < unknown < rows:
        return
    yield Caveat(
        "warning" if unknown > _NOTABLE_SHARE * rows else "info",
        say(
            "Without {name}: {rows} of {all}. No group counts them, and they are left out.",
            name=quoted(attribute.name),
            rows=count(unknown, "row"),
            all=whole(rows),
        ),
        as_a_group(roles),
    )


def about_groups(attribute: Coded) -> Iterator[Caveat]:
    """One group only, or groups too small to judge."""
    size = np.bincount(attribute.codes[~attribute.missing], minlength=len(attribute.distinct))
    if len(size) == 1:
        yield Caveat(
            "serious",
            say("Everybody belongs to the same group of {name}.", name=quoted(attribute.name)),
            say("Choose another protected attribute, or bring rows of other groups."),
        )
    small = [str(group) for group in attribute.distinct[size < FEWEST_ROWS]]
    if small:
        yield Caveat(
            "warning",
            say(
                "{n} of {all} groups of {name} have fewer than {fewest} rows, too few to judge: {groups}.",
                n=whole(len(small)),
                all=whole(len(size)),
                name=quoted(attribute.name),
                fewest=FEWEST_ROWS,
                groups=first_few(small, 5),
            ),
            say("Group rare values, or bring more rows."),
        )
