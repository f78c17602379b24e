"""What a column of a table looks like, by its name and its values."""

# ruff: noqa: SIM905 - lists of words read best as words

import re
import unicodedata
from dataclasses import dataclass

import pandas as pd

from core.data.cells import FEW_NUMBERS, as_text, is_number_column, is_quantity
from core.language.told import say

IDENTIFIERS = frozenset(
    "id ids uuid guid index key ssn name surname forename firstname lastname email phone address".split()
)
UNITS = frozenset(
    "person people household template document doc case patient customer client applicant candidate user respondent "
    "participant student pupil employee worker defendant borrower author speaker subject family".split()
)
"""What several rows may belong to."""
_NUMBERS_OF = frozenset(
    "nr no num number code seq seqn seqno idno idnum idcode caseno obs rownames rowid rownum row".split()
)
"""Beside other words, or of very many values, they number things."""
_NAMED_ID = re.compile(
    "(case|child|client|course|cust|customer|emp|employee|fam|family|house|household|hh|job|kid|loan|mother|order|p|pat|patient|"
    "person|plant|prof|prov|pupil|rec|record|s|school|site|stud|student|subj|subject|t|test|town|trans|u|user)id(no|num|code)?"
)
_DATES = frozenset("date dob datetime timestamp birthday".split())
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*")
JUDGED = frozenset("biased bias annotation annotations annotated judged judgement judgment".split())
MOST_OUTCOMES = 10
_MOST_WORDS = 100
_MOST_LETTERS = 200
"""Of a name that are read; what it says of its column stands before."""
_TURN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_NUMBER_AT_END = re.compile(r"(?<!\d)\d++$")
_LARGEST_GAPS = 1.5
_COLLISIONS = 5
"""Equal pairs that are expected of measured numbers from which it is telling that there are none."""


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

    @property
    def unnumbered(self) -> set[str]:
        """The name's words without the number at their ends: ``score2`` gives score, and ``2`` nothing."""
        return {_NUMBER_AT_END.sub("", word) for word in self.words} - {""}


def look(name: str, values: pd.Series) -> Column:
    """Look at one column of a table."""
    distinct = pd.Series(values.dropna().unique())
    number = is_number_column(values)
    whole = number and values.dtype.kind in "iu"
    written = number or pd.api.types.is_datetime64_any_dtype(values)
    length = 0.0 if written or distinct.empty else float(as_text(distinct).str.count(r"\S+").median())
    return Column(name, words_of(name), number, is_quantity(values), whole, distinct, int(values.notna().sum()), length)


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a column's name: ``ageGroup``, ``age_group`` and ``Age group`` give age and group.

    Of a name longer than 200 letters they are those of its beginning.
    """
    return tuple(_WORD.findall(_TURN.sub(" ", _without_accents(name[:_MOST_LETTERS])).lower()))


def _without_accents(name: str) -> str:
    letters = (sign for sign in unicodedata.normalize("NFD", name) if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", "".join(letters))


def why_ignored(column: Column) -> str:
    """Why the column can have no role, as what follows its name in a sentence; empty if it can."""
    counted = column.whole and len(column.distinct) == column.filled > MOST_OUTCOMES
    reasons = {
        say("is empty"): column.filled == 0,
        say("has one value only"): len(column.distinct) == 1,
        say("identifies people"): is_named_identifier(column.name, len(column.distinct)),
        say("counts the rows"): counted and _is_counter(column.distinct),
        say("is named like a number or key of something"): _is_named_id(column),
        say("holds dates"): holds_dates(column),
        say("is free text or a name: its values hardly repeat"): not column.number
        and len(column.distinct) > max(_MOST_WORDS, column.filled / 5),
        say("has a number of its own in every row"): counted and _collide(column.distinct),
        say("is different in every row"): not column.number and len(column.distinct) == column.filled > MOST_OUTCOMES,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def is_named_identifier(name: str, values: int) -> bool:
    """Whether a column is named like one that identifies people; one of two values, such as ``has_email``, does not."""
    return values > 2 and bool(IDENTIFIERS & set(words_of(name)))


def holds_dates(column: Column) -> bool:
    """Whether it holds dates, by its type, its name, or how its values are written."""
    if pd.api.types.is_datetime64_any_dtype(column.distinct):
        return True
    if column.number:
        return False
    written = as_text(column.distinct.head(50))
    return bool(_DATES & set(column.words)) or all(_DATE.fullmatch(value) for value in written)


def _is_named_id(column: Column) -> bool:
    """Whether it is named like a number or key of something and has many values."""
    if len(column.distinct) <= FEW_NUMBERS or not (column.whole or not column.number):
        return False
    if len(column.words) == 1 and column.words[0] in UNITS and column.whole:
        return _is_dense(column.distinct)
    return any(_NAMED_ID.fullmatch(word) or word in _NUMBERS_OF for word in column.words)


def _is_dense(distinct: pd.Series) -> bool:
    """Whether whole numbers use most of their range, as those that were given one after another do."""
    return bool(distinct.max() - distinct.min() + 1 <= _LARGEST_GAPS * len(distinct))


def _collide(distinct: pd.Series) -> bool:
    """Whether so many measured whole numbers in this range would hardly all be different, so that these are keys."""
    return len(distinct) ** 2 > 2 * _COLLISIONS * float(distinct.max() - distinct.min() + 1)


def _is_counter(distinct: pd.Series) -> bool:
    return bool(distinct.max() - distinct.min() == len(distinct) - 1)


def is_judgement(column: Column) -> bool:
    """Whether it looks like a person's judgements of texts: 0 and 1, and perhaps 2."""
    if not JUDGED & set(column.words):
        return False
    return {"0", "1"} <= set(as_text(column.distinct)) <= {"0", "1", "2"}
