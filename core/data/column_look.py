"""What a column of a table looks like, by its name and its values."""

# ruff: noqa: SIM905 - lists of words read best as words

import re
from dataclasses import dataclass

import pandas as pd

from core.data.cells import as_text, is_number_column, is_quantity

_PROTECTED = frozenset(
    "sex gender race racial ethnicity ethnic religion religious creed disability disabled nationality citizenship "
    "caste minority pregnancy pregnant orientation transgender veteran skin".split()
)
_PROTECTED_PAIRS = (("native", "country"), ("national", "origin"), ("country", "birth"))
_AGE_GROUP = frozenset("group cat category band bracket range class".split())
_GROUP_SHARE = re.compile("(race|racial|ethnic|ethnicity|minority|black|white|asian|hispanic)(pct|percent|share).*")
_PREDICTIONS = frozenset(
    "pred preds prediction predictions predicted prob proba probability yhat logit logits decile".split()
)
_MEASURED = frozenset("credit test exam sat fico interview skill skills gmat gre school".split())
IDENTIFIERS = frozenset(
    "id ids uuid guid index key ssn name surname forename firstname lastname email phone address".split()
)
_DATES = frozenset("date dob datetime timestamp birthday".split())
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*")
JUDGED = frozenset("biased bias annotation annotations annotated judged judgement judgment".split())
_MOST_GROUPS = 50
MOST_OUTCOMES = 10
_MOST_WORDS = 100


@dataclass(frozen=True)
class Column:
    """What the guess looks at: the name's lower-case words, the distinct values, and how many cells are filled.

    ``length`` is the median number of words of a filled cell; 0 for numbers and dates. ``quantity`` says whether the
    column is measured rather than a code (:func:`core.data.cells.is_quantity`).
    """

    name: str
    words: tuple[str, ...]
    number: bool
    quantity: bool
    whole: bool
    distinct: pd.Series
    filled: int
    length: float

    @property
    def squeezed(self) -> str:
        """The name's words without anything between them."""
        return "".join(self.words)


def look(name: str, values: pd.Series) -> Column:
    """Look at one column of a table."""
    distinct = pd.Series(values.dropna().unique())
    number = is_number_column(values)
    whole = number and values.dtype.kind in "iu"
    written = number or pd.api.types.is_datetime64_any_dtype(values)
    length = 0.0 if written or distinct.empty else float(as_text(distinct).str.count(r"\S+").median())
    return Column(name, words_of(name), number, is_quantity(values), whole, distinct, int(values.notna().sum()), length)


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a column's name: ``ageGroup``, ``age_group`` and ``Age group`` give age and group."""
    return tuple(re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower()))


def why_ignored(column: Column) -> str:
    """Why the column can have no role, as what follows its name in a sentence; empty if it can."""
    counted = column.whole and len(column.distinct) == column.filled > MOST_OUTCOMES
    reasons = {
        "is empty": column.filled == 0,
        "has one value only": len(column.distinct) == 1,
        "identifies people": bool(IDENTIFIERS & set(column.words)),
        "holds dates": holds_dates(column),
        "counts the rows": counted and _is_counter(column.distinct),
        "is free text or a name: its values hardly repeat": not column.number
        and len(column.distinct) > max(_MOST_WORDS, column.filled / 5),
        "is different in every row": not column.number and len(column.distinct) == column.filled > MOST_OUTCOMES,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def holds_dates(column: Column) -> bool:
    """Whether it holds dates, by its type, its name, or how its values are written."""
    if pd.api.types.is_datetime64_any_dtype(column.distinct):
        return True
    if column.number:
        return False
    written = as_text(column.distinct.head(50))
    return bool(_DATES & set(column.words)) or all(_DATE.fullmatch(value) for value in written)


def _is_counter(distinct: pd.Series) -> bool:
    return bool(distinct.max() - distinct.min() == len(distinct) - 1)


def is_protected(column: Column) -> bool:
    """Whether it looks like a protected attribute, or like a group's share of a place's people."""
    if column.quantity and _GROUP_SHARE.fullmatch(column.squeezed):
        return True
    if not 2 <= len(column.distinct) <= _MOST_GROUPS:
        return False
    words = set(column.words)
    if "age" in words or column.squeezed.startswith("agegroup"):
        return bool(_AGE_GROUP & words) or column.squeezed.startswith("agegroup") or not column.number
    pairs = any(first in words and second in words for first, second in _PROTECTED_PAIRS)
    return bool(_PROTECTED & words) or pairs


def is_prediction(column: Column, outcome: Column | None) -> bool:
    """Whether it looks like a model's answers: numbers, or values of ``outcome`` where that is known."""
    words = set(column.words)
    scored = bool({"score", "scores"} & words) and not _MEASURED & words
    if not (_PREDICTIONS & words or scored or column.squeezed in ("yhat", "yscore", "ypred")):
        return False
    if column.number:
        return True
    return outcome is None or set(as_text(column.distinct)) <= set(as_text(outcome.distinct))


def is_judgement(column: Column) -> bool:
    """Whether it looks like people's judgement of texts, 0 or 1."""
    if not JUDGED & set(column.words):
        return False
    return set(as_text(column.distinct)) == {"0", "1"}
